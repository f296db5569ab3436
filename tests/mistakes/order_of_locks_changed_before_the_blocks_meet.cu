// Each block takes two locks in one order, and later in the other one. Right: in between, the blocks meet at a barrier
// made of two counters. Wrong: they meet too early.
// gpu: hangs
// environment: CPU_DEVICE_TIMEOUT=2
__device__ int locks[2], values[2] = {1, 2}, arrived, phase;

__device__ void meet() {
  __threadfence();
  const int before = atomicAdd(&phase, 0);
  if (atomicAdd(&arrived, 1) == gridDim.x - 1) {
    atomicExch(&arrived, 0);
    __threadfence();
    atomicAdd(&phase, 1);
  } else {
    while (atomicAdd(&phase, 0) == before) __nanosleep(20);
  }
  __threadfence();
}

__device__ void take(int i) {
  while (atomicCAS(&locks[i], 0, 1) != 0) __nanosleep(20);  // finds lock-order
  __threadfence();
}
__device__ void leave(int i) {
  __threadfence();
  atomicExch(&locks[i], 0);
}
__device__ void exchange(int first, int second) {
  take(first);
  take(second);
  const int value = values[first];
  values[first] = values[second];
  values[second] = value;
  leave(second);
  leave(first);
}

__global__ void there_and_back() {
#ifdef RIGHT
  exchange(0, 1);
  meet();
#else
  meet();
  exchange(0, 1);
#endif
  exchange(1, 0);
}

int main() {
  there_and_back<<<4, 1>>>();
  cudaDeviceSynchronize();
}
