// A producer writes the next slot of a ring whether or not the consumer has emptied it.
__device__ int ring[2], written, taken, sum;

__global__ void pass() {
  if (blockIdx.x == 0) {
    for (int i = 0; i < 6; i++) {
#ifdef RIGHT
      while (atomicAdd(&written, 0) - atomicAdd(&taken, 0) == 2) __nanosleep(20);
      __threadfence();
#endif
      ring[i % 2] = i;  // finds race-exclusion
      __threadfence();
      atomicAdd(&written, 1);
    }
  } else {
    for (int i = 0; i < 6; i++) {
      while (atomicAdd(&written, 0) <= i) __nanosleep(20);
      __threadfence();
      sum += ring[i % 2];  // finds race-exclusion
      __threadfence();
      atomicAdd(&taken, 1);
    }
  }
}

int main() {
  pass<<<2, 1>>>();
  cudaDeviceSynchronize();
}
