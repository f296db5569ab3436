// Edges of a graph, one per thread: two edges end at the same vertex, and both count there.
__device__ int degrees[64], ends[128];

__global__ void make_edges() {
  const int edge = blockIdx.x * 64 + threadIdx.x;
  ends[edge] = edge * 5 % 64;
}

__global__ void count() {
  const int edge = blockIdx.x * 64 + threadIdx.x;
#ifdef RIGHT
  atomicAdd(&degrees[ends[edge]], 1);
#else
  degrees[ends[edge]]++;  // finds race-grid
#endif
}

int main() {
  make_edges<<<2, 64>>>();
  count<<<2, 64>>>();
  cudaDeviceSynchronize();
}
