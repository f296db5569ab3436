// A histogram spread over a cluster: a block counts in its neighbor's part, which that one may not have cleared yet.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void count(const int* values, int n, int* bins) {
  extern __shared__ int part[];
  const cg::cluster_group cluster = cg::this_cluster();
  part[threadIdx.x] = 0;  // finds race-atomic
#ifdef RIGHT
  cluster.sync();
#else
  __syncthreads();
#endif
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int bin = values[i] % 128;
    atomicAdd(cluster.map_shared_rank(part, bin / 64) + bin % 64, 1);  // finds race-atomic
  }
  cluster.sync();
  atomicAdd(bins + cluster.block_rank() * 64 + threadIdx.x, part[threadIdx.x]);
}

int main() {
  const int n = 512;
  int *values, *bins;
  cudaMallocManaged(&values, n * sizeof(int));
  for (int i = 0; i < n; i++) values[i] = 7 * i;
  cudaMalloc(&bins, 128 * sizeof(int));
  cudaMemset(bins, 0, 128 * sizeof(int));
  cudaLaunchAttribute clusters;
  clusters.id = cudaLaunchAttributeClusterDimension;
  clusters.val.clusterDim.x = 2;
  clusters.val.clusterDim.y = clusters.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = 4;
  config.blockDim = 64;
  config.dynamicSmemBytes = 64 * sizeof(int);
  config.attrs = &clusters;
  config.numAttrs = 1;
  if (cudaLaunchKernelEx(&config, count, static_cast<const int*>(values), n, bins) != cudaSuccess) return 2;
  cudaDeviceSynchronize();
  cudaFree(values);
  cudaFree(bins);
}
