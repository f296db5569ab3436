// The owner of a deque takes from its bottom and a thief from its top: they meet at the last item.
__device__ int top, bottom = 3, results[3];

__device__ void process(int item) {
  results[item] += item;  // finds race-exclusion
}

__global__ void work() {
  if (blockIdx.x == 0) {
    for (int i = 0; i < 3; i++) {
      const int item = atomicSub(&bottom, 1) - 1;
      __threadfence();
      const int first = atomicAdd(&top, 0);
      if (first > item) return;
#ifdef RIGHT
      if (first == item && atomicCAS(&top, first, first + 1) != first) return;
#endif
      process(item);
#ifdef RIGHT
      if (first == item) return;
#endif
    }
  } else {
    const int item = atomicAdd(&top, 0);
    __threadfence();
    if (item < atomicAdd(&bottom, 0) && atomicCAS(&top, item, item + 1) == item) process(item);
  }
}

int main() {
  work<<<3, 1>>>();
  cudaDeviceSynchronize();
}
