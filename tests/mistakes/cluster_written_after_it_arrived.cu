// What a thread writes between the halves of a cluster's barrier, the others need not see behind it.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(2, 1, 1) swap_halves(const int* in, int* out) {
  __shared__ int tile[64];
  const cg::cluster_group cluster = cg::this_cluster();
  const int i = blockIdx.x * 64 + threadIdx.x;
  const int value = in[i];
#ifdef RIGHT
  tile[threadIdx.x] = value;
  cluster.barrier_arrive();
#else
  cluster.barrier_arrive();
  tile[threadIdx.x] = value;  // finds race-grid
#endif
  out[i] = -value;  // nobody else's: it may come in between
  cluster.barrier_wait();
  const int* other = cluster.map_shared_rank(tile, cluster.block_rank() ^ 1);
  out[i] += other[63 - threadIdx.x];  // finds race-grid
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
