// A node is linked once to what was the head of the list. If another block comes first, its node is lost.
__device__ int head, next[9];

__global__ void insert() {
  const int node = 1 + blockIdx.x;
  int old = atomicAdd(&head, 0), assumed;
#ifndef RIGHT
  next[node] = old;
#endif
  do {
    assumed = old;
#ifdef RIGHT
    next[node] = assumed;
#endif
    __threadfence();
    old = atomicCAS(&head, assumed, node);  // finds lost-update
  } while (old != assumed);
}

int main() {
  insert<<<6, 1>>>();
  cudaDeviceSynchronize();
}
