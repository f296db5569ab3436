// A reader sees that nobody writes, and enters afterwards: a writer may have come meanwhile.
__device__ int readers, writing, value, out[8];

__global__ void work() {
  if (blockIdx.x % 2 == 0) {
    while (atomicCAS(&writing, 0, 1) != 0) __nanosleep(20);
    while (atomicAdd(&readers, 0) != 0) __nanosleep(20);
    __threadfence();
    value += 1;  // finds race-exclusion
    __threadfence();
    atomicExch(&writing, 0);
  } else {
#ifdef RIGHT
    atomicAdd(&readers, 1);
    while (atomicAdd(&writing, 0) != 0) {
      atomicSub(&readers, 1);
      __nanosleep(20);
      atomicAdd(&readers, 1);
    }
#else
    while (atomicAdd(&writing, 0) != 0) __nanosleep(20);
    atomicAdd(&readers, 1);
#endif
    __threadfence();
    out[blockIdx.x] = value;  // finds race-exclusion
    __threadfence();
    atomicSub(&readers, 1);
  }
}

int main() {
  work<<<6, 1>>>();
  cudaDeviceSynchronize();
}
