// Breadth-first search: vertices in two blocks have the same neighbour, and both mark it.
__device__ int neighbours[128][2], frontier[128], next[128];

__global__ void connect() {
  const int v = blockIdx.x * 32 + threadIdx.x;
  neighbours[v][0] = (v + 32) % 128;
  neighbours[v][1] = (v + 96) % 128;
  frontier[v] = v >= 64 || v < 32;
}

__global__ void visit() {
  const int v = blockIdx.x * 32 + threadIdx.x;
  if (frontier[v] == 0) return;
  for (int n : neighbours[v])
#ifdef RIGHT
    atomicExch(&next[n], 1);
#else
    next[n] = 1;  // finds race-same-value
#endif
}

int main() {
  connect<<<4, 32>>>();
  visit<<<4, 32>>>();
  cudaDeviceSynchronize();
}
