// The block that holds the lock opens it with a plain store; the next one tries it with atomics.
__device__ int taken = 1;

__global__ void hand_over() {
  if (blockIdx.x == 0) {
#ifdef RIGHT
    atomicExch(&taken, 0);
#else
    taken = 0;  // finds race-atomic
#endif
  } else {
    while (atomicCAS(&taken, 0, 1) != 0) __nanosleep(20);  // finds race-atomic
  }
}

int main() {
  hand_over<<<2, 1>>>();
  cudaDeviceSynchronize();
}
