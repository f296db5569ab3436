// Workers look at the head of a queue with a plain read before they take from it with an atomic.
__device__ int head, results[16];

__global__ void work() {
#ifdef RIGHT
  while (atomicAdd(&head, 0) < 16) {
#else
  while (head < 16) {  // finds race-atomic
#endif
    const int item = atomicAdd(&head, 1);  // finds race-atomic
    if (item < 16) results[item] = item;
  }
}

int main() {
  work<<<4, 1>>>();
  cudaDeviceSynchronize();
}
