// Label propagation in place: a neighbour's label is read while another block may change it.
__device__ int labels[2][128];

__global__ void propagate(int from, int to) {
  const int v = blockIdx.x * 32 + threadIdx.x;
  const int neighbour = (v + 32) % 128;
  labels[to][v] = min(labels[from][v], labels[from][neighbour]);  // finds race-grid
}

int main() {
#ifdef RIGHT
  propagate<<<4, 32>>>(0, 1);
  propagate<<<4, 32>>>(1, 0);
#else
  propagate<<<4, 32>>>(0, 0);
#endif
  cudaDeviceSynchronize();
}
