// The last block sets the counter of a barrier back to zero, while others still wait to see it full.
// gpu: hangs
// environment: CPU_DEVICE_TIMEOUT=2
__device__ int arrived, phase, values[4], sums[4];

__device__ void meet() {
  __threadfence();
#ifdef RIGHT
  const int before = atomicAdd(&phase, 0);
  if (atomicAdd(&arrived, 1) == gridDim.x - 1) {
    atomicExch(&arrived, 0);
    __threadfence();
    atomicAdd(&phase, 1);
  }
  while (atomicAdd(&phase, 0) == before) __nanosleep(20);
#else
  if (atomicAdd(&arrived, 1) == gridDim.x - 1) atomicExch(&arrived, 0);
  else while (atomicAdd(&arrived, 0) < gridDim.x) __nanosleep(20);  // finds no-progress
#endif
  __threadfence();
}

__global__ void step() {
  values[blockIdx.x] = blockIdx.x;
  meet();
  sums[blockIdx.x] = values[0] + values[3];
}

int main() {
  step<<<4, 1>>>();
  cudaDeviceSynchronize();
}
