// The compare-and-swap that puts a node in front is not repeated when another block was faster.
__device__ int head = -1, next_of[64];

__global__ void insert() {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  int old = atomicAdd(&head, 0);
#ifdef RIGHT
  int assumed;
  do {
    assumed = old;
    next_of[node] = assumed;
    old = atomicCAS(&head, assumed, node);
  } while (old != assumed);
#else
  next_of[node] = old;
  atomicCAS(&head, old, node);  // finds lost-update
#endif
}

int main() {
  insert<<<4, 16>>>();
  cudaDeviceSynchronize();
}
