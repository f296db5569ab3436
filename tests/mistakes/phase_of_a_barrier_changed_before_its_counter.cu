// The last thread opens the barrier and sets its counter back afterwards: who is already at the next one is forgotten.
// gpu: hangs
// environment: CPU_DEVICE_TIMEOUT=2
__device__ int arrived, phase, values[4], sums[4];

__device__ void meet() {
  __threadfence();
  const int before = atomicAdd(&phase, 0);
  if (atomicAdd(&arrived, 1) == gridDim.x - 1) {
#ifdef RIGHT
    atomicExch(&arrived, 0);
    __threadfence();
    atomicAdd(&phase, 1);
#else
    __threadfence();
    atomicAdd(&phase, 1);
    __threadfence();
    atomicExch(&arrived, 0);  // finds lost-update
#endif
  }
  while (atomicAdd(&phase, 0) == before) __nanosleep(20);  // finds no-progress
  __threadfence();
}

__global__ void step() {
  values[blockIdx.x] = blockIdx.x;
  meet();
  sums[blockIdx.x] = values[0] + values[3];
  meet();
  values[blockIdx.x] = 0;
}

int main() {
  step<<<4, 1>>>();
  cudaDeviceSynchronize();
}
