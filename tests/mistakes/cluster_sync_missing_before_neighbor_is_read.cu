// The blocks of a cluster read each other's shared memory after a barrier of their own block only.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) swap_halves(const int* in, int* out) {
  __shared__ int tile[64];
  const cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = in[i];  // finds race-grid
#ifdef RIGHT
  cluster.sync();
#else
  __syncthreads();
#endif
  const int* other = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1);
  out[i] = other[threadIdx.x];  // finds race-grid
  cluster.sync();
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 256 * sizeof(int));
  cudaMalloc(&out, 256 * sizeof(int));
  cudaMemset(in, 1, 256 * sizeof(int));
  swap_halves<<<4, 64>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
