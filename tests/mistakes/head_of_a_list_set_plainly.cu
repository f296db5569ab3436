// Threads put nodes in front of a list, by reading its head and writing it.
struct Node {
  int value, next;
};
__device__ int head = -1;
__device__ Node nodes[256];

__global__ void push() {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  nodes[i].value = i;
#ifdef RIGHT
  nodes[i].next = atomicExch(&head, i);
#else
  nodes[i].next = head;  // finds race-grid
  head = i;              // finds race-grid
#endif
}

int main() {
  push<<<2, 128>>>();
  cudaDeviceSynchronize();
}
