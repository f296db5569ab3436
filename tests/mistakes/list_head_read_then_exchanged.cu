// A node becomes the head of a list, and what others have put there since the head was read is lost.
__device__ int head = -1, next_of[64];

__global__ void insert() {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef RIGHT
  next_of[node] = atomicExch(&head, node);
#else
  next_of[node] = atomicAdd(&head, 0);
  atomicExch(&head, node);  // finds lost-update
#endif
}

int main() {
  insert<<<4, 16>>>();
  cudaDeviceSynchronize();
}
