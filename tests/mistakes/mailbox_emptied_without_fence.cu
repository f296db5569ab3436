// The reader empties the box without a fence after its read: the next letter may come first.
__device__ int box, full, sum;

__global__ void send_two() {
  for (int i = 1; i <= 2; i++) {
    const int wanted = blockIdx.x == 0 ? 0 : 1;
    while (atomicAdd(&full, 0) != wanted) __nanosleep(20);
    __threadfence();
    if (blockIdx.x == 0) {
      box = i;  // finds race-fence
      __threadfence();
      atomicExch(&full, 1);
    } else {
      sum += box;  // finds race-fence
#ifdef RIGHT
      __threadfence();
#endif
      atomicExch(&full, 0);
    }
  }
}

int main() {
  send_two<<<2, 1>>>();
  cudaDeviceSynchronize();
}
