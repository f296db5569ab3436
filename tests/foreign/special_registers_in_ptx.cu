// In the manner of libraries with inline PTX: each special register, asked by each thread of blocks and grids of several shapes,
// against what CUDA C++ has for it.
#include <cuda_runtime.h>

#include <cstdio>

#define ASKED(X)                                                                                                          \
  X("%tid.x", threadIdx.x) X("%tid.y", threadIdx.y) X("%tid.z", threadIdx.z)                                              \
  X("%ntid.x", blockDim.x) X("%ntid.y", blockDim.y) X("%ntid.z", blockDim.z)                                              \
  X("%ctaid.x", blockIdx.x) X("%ctaid.y", blockIdx.y) X("%ctaid.z", blockIdx.z)                                           \
  X("%nctaid.x", gridDim.x) X("%nctaid.y", gridDim.y) X("%nctaid.z", gridDim.z)                                           \
  X("%laneid", lane) X("%lanemask_eq", of_lanes(lane, lane)) X("%lanemask_lt", of_lanes(0, lane - 1))                     \
  X("%lanemask_le", of_lanes(0, lane)) X("%lanemask_gt", of_lanes(lane + 1, 31)) X("%lanemask_ge", of_lanes(lane, 31))    \
  X("%clusterid.x", blockIdx.x / per_cluster) X("%clusterid.y", blockIdx.y) X("%clusterid.z", blockIdx.z)                 \
  X("%nclusterid.x", gridDim.x / per_cluster) X("%nclusterid.y", gridDim.y) X("%nclusterid.z", gridDim.z)                 \
  X("%cluster_ctaid.x", blockIdx.x % per_cluster) X("%cluster_ctaid.y", 0) X("%cluster_ctaid.z", 0)                       \
  X("%cluster_nctaid.x", per_cluster) X("%cluster_nctaid.y", 1) X("%cluster_nctaid.z", 1)                                 \
  X("%cluster_ctarank", blockIdx.x % per_cluster) X("%cluster_nctarank", per_cluster)

enum Which {
#define COUNT(name, expected) +1
  kAsked = 0 ASKED(COUNT)
};
static const char* const kNames[] = {
#define NAME(name, expected) name,
    ASKED(NAME)};

// The bits `first` to `last`, one by one.
__device__ unsigned of_lanes(int first, int last) {
  unsigned mask = 0;
  for (int bit = 0; bit < 32; bit++)
    if (bit >= first && bit <= last) mask |= 1u << bit;
  return mask;
}

__device__ void ask(unsigned per_cluster, unsigned* wrong) {
  const int lane = ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) % 32;
  unsigned got;
  int number = 0;
#define ASK(name, expected)                        \
  asm volatile("mov.u32 %0, %" name ";" : "=r"(got)); \
  if (got != unsigned(expected)) atomicAdd(&wrong[number], 1);     \
  number++;
  ASKED(ASK)
  // What depends on the machine: within its limits, and clocks that go on.
  unsigned warp, warps, multiprocessor, multiprocessors, low;
  unsigned long long before, after, time, later;
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
  asm volatile("mov.u32 %0, %%nwarpid;" : "=r"(warps));
  asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
  asm volatile("mov.u32 %0, %%nsmid;" : "=r"(multiprocessors));
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(before));
  asm volatile("mov.u32 %0, %%clock;" : "=r"(low));
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(after));
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(later));
  const bool right = warp < warps && multiprocessor < multiprocessors && before <= after && time <= later &&
                     low - unsigned(before) <= unsigned(after - before);
  if (!right) atomicAdd(&wrong[kAsked], 1);
}
__global__ void alone(unsigned* wrong) { ask(1, wrong); }
__global__ void __cluster_dims__(2, 1, 1) in_clusters(unsigned* wrong) { ask(2, wrong); }

int main() {
  unsigned* wrong;
  cudaMallocManaged(&wrong, (kAsked + 1) * sizeof(unsigned));
  cudaMemset(wrong, 0, (kAsked + 1) * sizeof(unsigned));
  for (dim3 block : {dim3(64), dim3(5, 7, 3), dim3(33, 2), dim3(1, 1, 40)})
    for (bool cluster : {false, true}) {
      if (cluster)
        in_clusters<<<dim3(4, 3, 2), block>>>(wrong);
      else
        alone<<<dim3(3, 2, 4), block>>>(wrong);
      if (cudaDeviceSynchronize() != cudaSuccess) return 1;
      for (int i = 0; i <= kAsked; i++)
        if (wrong[i] != 0)
          return printf("%s: wrong for %u threads\n", i == kAsked ? "a clock or a number" : kNames[i], wrong[i]), 2;
    }
  printf("%d special registers\n", kAsked);
  return 0;
}
