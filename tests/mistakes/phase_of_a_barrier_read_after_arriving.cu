// A thread reads the phase after it has arrived. If the others have met by then, it waits for the next meeting.
// gpu: hangs
// environment: CPU_DEVICE_TIMEOUT=2
__device__ int arrived, phase, values[4], sums[4];

__device__ void meet() {
  __threadfence();
#ifdef RIGHT
  const int before = atomicAdd(&phase, 0);
  const bool last = atomicAdd(&arrived, 1) == gridDim.x - 1;
#else
  const bool last = atomicAdd(&arrived, 1) == gridDim.x - 1;
  const int before = atomicAdd(&phase, 0);
#endif
  if (last) {
    atomicExch(&arrived, 0);
    __threadfence();
    atomicAdd(&phase, 1);
  }
  while (atomicAdd(&phase, 0) == before) __nanosleep(20);  // finds no-progress
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
