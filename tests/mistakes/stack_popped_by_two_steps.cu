// The top of a stack is read, and its successor becomes the top by an exchange.
__device__ int top, below[9], owner[9];

__global__ void fill() {
  for (int i = 1; i < 9; i++) below[i] = i - 1;
  top = 8;
}

__global__ void pop() {
#ifdef RIGHT
  int node = atomicAdd(&top, 0), assumed;
  do {
    assumed = node;
    node = atomicCAS(&top, assumed, below[assumed]);
  } while (node != assumed);
#else
  const int node = atomicAdd(&top, 0);
  atomicExch(&top, below[node]);  // finds lost-update
#endif
  owner[node] = blockIdx.x;  // finds race-exclusion
}

int main() {
  fill<<<1, 1>>>();
  pop<<<6, 1>>>();
  cudaDeviceSynchronize();
}
