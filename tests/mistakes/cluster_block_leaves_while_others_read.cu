// A block of a cluster ends while others still read its shared memory, which goes with it.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4, 1, 1) take_from_next(const int* in, int* out) {
  __shared__ int tile[64];
  const cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = in[i];
  cluster.sync();
  const int* next = cluster.map_shared_rank(tile, (cluster.block_rank() + 1) % cluster.num_blocks());
  out[i] = next[threadIdx.x];  // finds race-grid
#ifdef RIGHT
  cluster.sync();
#endif
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 512 * sizeof(int));
  cudaMalloc(&out, 512 * sizeof(int));
  cudaMemset(in, 1, 512 * sizeof(int));
  take_from_next<<<8, 64>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
