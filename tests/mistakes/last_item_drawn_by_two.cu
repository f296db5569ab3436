// Two blocks see that one item is left, and both take one away.
__device__ int left = 3, items[3], results[3];

__global__ void work() {
#ifdef RIGHT
  const int item = atomicSub(&left, 1) - 1;
  if (item >= 0) results[item] = items[item] + 1;
#else
  if (atomicAdd(&left, 0) > 0) {
    const int item = atomicSub(&left, 1) - 1;
    results[item] = items[item] + 1;  // finds out-of-bounds
  }
#endif
}

int main() {
  work<<<6, 1>>>();
  cudaDeviceSynchronize();
}
