// Clusters of blocks: fixed by the kernel, and by the launch; shared memory of other blocks, read
// and added to; and a grid that is not made of whole clusters.
#include <cooperative_groups.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

// Each block keeps a part of the bins in its shared memory, and all of a cluster count into all
// parts.
__global__ void count_values(const int* values, int count, int* bins, int bins_of_block) {
  extern __shared__ int part[];
  const cg::cluster_group cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < bins_of_block; i += blockDim.x) part[i] = 0;
  cluster.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    int* there = cluster.map_shared_rank(part, values[i] / bins_of_block);
    atomicAdd(&there[values[i] % bins_of_block], 1);
  }
  cluster.sync();
  for (int i = threadIdx.x; i < bins_of_block; i += blockDim.x)
    atomicAdd(&bins[cluster.block_rank() * bins_of_block + i], part[i]);
}

// What the blocks of a cluster of 2 x 2 know of each other.
__global__ void __cluster_dims__(2, 2) sum_of_cluster(int* sums) {
  __shared__ int mine;
  const auto cluster = cg::this_cluster();
  const int block = blockIdx.y * gridDim.x + blockIdx.x;
  if (threadIdx.x == 0) mine = 10 * block + static_cast<int>(cluster.block_rank());
  cluster.sync();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (unsigned int rank = 0; rank < cluster.num_blocks(); rank++)
      sum += *cluster.map_shared_rank(&mine, static_cast<int>(rank));
    sums[block] = sum;
  }
  cluster.sync();
}

static bool counts_are_right() {
  constexpr int kCount = 10000, kBins = 60, kBlocks = 4;
  std::vector<int> values(kCount), expected(kBins), got(kBins);
  for (int i = 0; i < kCount; i++) expected[values[i] = i * 7919 % 1009 % kBins]++;
  int *device_values, *bins;
  cudaMalloc(&device_values, kCount * sizeof(int));
  cudaMalloc(&bins, kBins * sizeof(int));
  cudaMemset(bins, 0, kBins * sizeof(int));
  cudaMemcpy(device_values, values.data(), kCount * sizeof(int), cudaMemcpyHostToDevice);
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = kBlocks;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t how = {};
  how.gridDim = 3 * kBlocks;
  how.blockDim = 64;
  how.dynamicSmemBytes = kBins / kBlocks * sizeof(int);
  how.attrs = &attribute;
  how.numAttrs = 1;
  if (cudaLaunchKernelEx(&how, count_values, device_values, kCount, bins, kBins / kBlocks) !=
      cudaSuccess)
    return false;
  cudaMemcpy(got.data(), bins, kBins * sizeof(int), cudaMemcpyDeviceToHost);
  return got == expected;
}

static bool sums_are_right() {
  int* sums;
  cudaMallocManaged(&sums, 16 * sizeof(int));
  sum_of_cluster<<<dim3(4, 4), 32>>>(sums);
  if (cudaDeviceSynchronize() != cudaSuccess) return false;
  for (int y = 0; y < 4; y++)
    for (int x = 0; x < 4; x++) {
      const int first = y / 2 * 2 * 4 + x / 2 * 2;
      if (sums[4 * y + x] != 10 * (4 * first + 1 + 4 + 5) + 0 + 1 + 2 + 3) return false;
    }
  sum_of_cluster<<<3, 32>>>(sums);
  return cudaGetLastError() != cudaSuccess;
}

int main() {
  const bool right = counts_are_right() && sums_are_right();
  puts(right ? "right" : "wrong");
  return right ? 0 : 1;
}
