// Two blocks find the same root of a union-find forest, and hook it to different ones: one edge is lost.
__device__ int parent[8] = {0, 1, 2, 3, 4, 5, 6, 7};

__device__ int find(int node) {
  for (int up = atomicAdd(&parent[node], 0); up != node; up = atomicAdd(&parent[node], 0)) node = up;
  return node;
}

__global__ void unite() {
  int low = find(blockIdx.x), high = find(7);
#ifdef RIGHT
  while (low != high) {
    if (low > high) {
      const int other = low;
      low = high;
      high = other;
    }
    const int old = atomicCAS(&parent[high], high, low);
    if (old == high) break;
    high = find(old);
    low = find(low);
  }
#else
  if (low != high) atomicExch(&parent[high], low);  // finds lost-update
#endif
}

int main() {
  unite<<<4, 1>>>();
  cudaDeviceSynchronize();
}
