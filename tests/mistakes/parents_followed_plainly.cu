// Connected components: one thread follows parents with plain reads while others lower them.
__device__ int parents[64];

__global__ void set_up() { parents[threadIdx.x] = threadIdx.x; }

__global__ void hook() {
  const int v = threadIdx.x, neighbour = (v * 5 + 1) % 64;
#ifdef RIGHT
  const int parent = atomicAdd(&parents[neighbour], 0);
#else
  const int parent = parents[neighbour];  // finds race-atomic
#endif
  atomicMin(&parents[v], parent);  // finds race-atomic
}

int main() {
  set_up<<<1, 64>>>();
  hook<<<1, 64>>>();
  cudaDeviceSynchronize();
}
