// The sender does not wait until its last message was taken.
__device__ int full, message, sum;

__global__ void pass() {
  for (int i = 0; i < 3; i++) {
    if (blockIdx.x == 0) {
#ifdef RIGHT
      while (atomicAdd(&full, 0) != 0) __nanosleep(20);
      __threadfence();
#endif
      message = i;  // finds race-exclusion
      __threadfence();
      atomicExch(&full, 1);  // finds lost-update
    } else {
      for (int tries = 0; tries < 100 && atomicAdd(&full, 0) == 0; tries++) __nanosleep(20);
      __threadfence();
      if (atomicAdd(&full, 0) == 0) return;
      sum += message;  // finds race-exclusion
      __threadfence();
      atomicExch(&full, 0);
    }
  }
}

int main() {
  pass<<<2, 1>>>();
  cudaDeviceSynchronize();
}
