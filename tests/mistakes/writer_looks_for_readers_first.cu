// A writer waits until no reader is in, and takes the lock afterwards: a reader may have come meanwhile.
__device__ int readers, writing, value, out[8];

__global__ void work() {
  if (blockIdx.x % 2 == 0) {
#ifdef RIGHT
    while (atomicCAS(&writing, 0, 1) != 0) __nanosleep(20);
    while (atomicAdd(&readers, 0) != 0) __nanosleep(20);
#else
    while (atomicAdd(&readers, 0) != 0) __nanosleep(20);
    while (atomicCAS(&writing, 0, 1) != 0) __nanosleep(20);
#endif
    __threadfence();
    value += 1;  // finds race-exclusion
    __threadfence();
    atomicExch(&writing, 0);
  } else {
    atomicAdd(&readers, 1);
    while (atomicAdd(&writing, 0) != 0) {
      atomicSub(&readers, 1);
      __nanosleep(20);
      atomicAdd(&readers, 1);
    }
    __threadfence();
    out[blockIdx.x] = value;  // finds race-exclusion
    __threadfence();
    atomicSub(&readers, 1);
  }
}

int main() {
  work<<<8, 1>>>();
  cudaDeviceSynchronize();
}
