// In the manner of warp-aggregated code: groups of any lanes of a warp, from a partition by a random vote, and what their threads
// exchange; and every member of a cluster of blocks in three dimensions. Compared with loops on the host.
#include <cooperative_groups.h>

#include <cstdio>
#include <random>
#include <vector>

namespace cg = cooperative_groups;
int wrong = 0;
void failed(const char *what, int a, int b, long long got, long long wanted) {
  if (wrong++ < 30) printf("%s, %d and %d: %lld instead of %lld\n", what, a, b, got, wanted);
}

// ---- lanes that have voted the same ----
struct Answers {
  unsigned rank, size, any, all, ballot, same, all_same, is_same;
  int from_third, above, below;
  double wide;
};
__global__ void ask(const unsigned *votes, const int *values, int rounds, Answers *out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int lane = threadIdx.x;
  for (int round = 0; round < rounds; round++) {
    const cg::coalesced_group group = cg::binary_partition(warp, (votes[round] >> lane & 1) != 0);
    const int value = values[32 * round + lane];
    Answers &to = out[32 * round + lane];
    to.rank = group.thread_rank(), to.size = group.size();
    to.any = group.any(value % 5 == 0), to.all = group.all(value % 5 != 1), to.ballot = group.ballot(value % 2);
    to.same = group.match_any(value % 3);
    int equal = 0;
    to.all_same = group.match_all(value / 64, equal), to.is_same = equal;
    to.from_third = group.shfl(value, 2 % group.size());
    to.above = group.shfl_down(value, round % 4 + 1), to.below = group.shfl_up(value, round % 3 + 1);
    to.wide = group.shfl(value + 0.5, group.size() - 1);
    group.sync();
  }
}
void lanes() {
  const int rounds = 200;
  unsigned *votes;
  int *values;
  Answers *out;
  cudaMallocManaged(&votes, rounds * sizeof *votes);
  cudaMallocManaged(&values, 32 * rounds * sizeof *values);
  cudaMallocManaged(&out, 32 * rounds * sizeof *out);
  std::mt19937 random(4);
  for (int i = 0; i < rounds; i++) {
    votes[i] = i == 0 ? 0 : i == 1 ? ~0u : i < 10 ? 1u << 3 * i : random();
    for (int k = 0; k < 32; k++) values[32 * i + k] = i % 4 == 0 ? i % 50 : random() % 100;
  }
  ask<<<1, 32>>>(votes, values, rounds, out);
  if (cudaDeviceSynchronize() != cudaSuccess) wrong++, printf("ask failed\n");
  for (int i = 0; i < rounds; i++)
    for (int lane = 0; lane < 32; lane++) {
      std::vector<int> mine;  // the values of the group
      unsigned rank = 0;
      for (int k = 0; k < 32; k++) {
        if ((votes[i] >> k & 1) != (votes[i] >> lane & 1)) continue;
        if (k == lane) rank = unsigned(mine.size());
        mine.push_back(values[32 * i + k]);
      }
      const int own = values[32 * i + lane], size = int(mine.size());
      unsigned any = 0, all = 1, ballot = 0, same = 0, is_same = 1;
      for (int k = 0; k < size; k++) {
        any |= mine[k] % 5 == 0, all &= mine[k] % 5 != 1, ballot |= unsigned(mine[k] % 2) << k;
        same |= unsigned(mine[k] % 3 == own % 3) << k, is_same &= mine[k] / 64 == own / 64;
      }
      const unsigned everyone = size == 32 ? ~0u : (1u << size) - 1;
      const Answers &got = out[32 * i + lane];
#define SAME(MEMBER, WANTED) \
  if (got.MEMBER != (WANTED)) failed(#MEMBER, i, lane, (long long)(got.MEMBER), (long long)(WANTED));
      SAME(rank, rank) SAME(size, unsigned(size)) SAME(ballot, ballot) SAME(same, same) SAME(from_third, mine[2 % size])
      SAME(wide, mine[size - 1] + 0.5)
      if ((got.any != 0) != (any != 0)) failed("any", i, lane, got.any, any);
      if ((got.all != 0) != (all != 0)) failed("all", i, lane, got.all, all);
      if ((got.is_same != 0) != (is_same != 0)) failed("match_all", i, lane, got.is_same, is_same);
      if (is_same) SAME(all_same, everyone)
      const int above = int(rank) + i % 4 + 1, below = int(rank) - i % 3 - 1;
      if (above < size) SAME(above, mine[above])
      if (below >= 0) SAME(below, mine[below])
    }
}

// ---- one thread for all: which one, is open ----
__global__ void once(int *calls) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<8>(block);
  cg::invoke_one(block, [=](int by) { atomicAdd(calls, by); }, 100);
  cg::invoke_one(tile, [=] { atomicAdd(calls + 1, 1); });
  const int of_all = cg::invoke_one_broadcast(tile, [=] { return atomicAdd(calls + 2, 1) * 1000 + int(tile.meta_group_rank()); });
  if (of_all % 1000 == int(tile.meta_group_rank())) atomicAdd(calls + 3, 1);
}

// ---- tiles: the lane with other bits ----
template <int Size>
__global__ void cross(int *out) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  for (int bits = 0; bits < Size; bits++) out[32 * bits + threadIdx.x] = tile.shfl_xor(int(threadIdx.x) * 3, bits);
}
template <int Size>
void tiles() {
  int *out;
  cudaMallocManaged(&out, 32 * 32 * sizeof *out);
  cross<Size><<<1, 32>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) wrong++, printf("cross failed\n");
  for (int bits = 0; bits < Size; bits++)
    for (int lane = 0; lane < 32; lane++)
      if (out[32 * bits + lane] != (lane ^ bits) * 3) failed("shfl_xor", Size, lane, out[32 * bits + lane], (lane ^ bits) * 3);
  cudaFree(out);
}

// ---- clusters ----
struct Place {
  unsigned thread_rank, threads, size, block_rank, blocks;
  uint3 block_index, thread_index, dim_blocks, dim_threads;
};
__global__ void places(Place *out) {
#if defined(__CPU_DEVICE__) || __CUDA_ARCH__ >= 900
  const cg::cluster_group cluster = cg::this_cluster();
  Place place;
  place.thread_rank = cluster.thread_rank(), place.threads = cluster.num_threads(), place.size = cluster.size();
  place.block_rank = cluster.block_rank(), place.blocks = cluster.num_blocks();
  const dim3 at = cluster.block_index(), thread = cluster.thread_index(), blocks = cluster.dim_blocks(), threads = cluster.dim_threads();
  place.block_index = at, place.thread_index = thread, place.dim_blocks = blocks, place.dim_threads = threads;
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned number = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  out[block * (blockDim.x * blockDim.y * blockDim.z) + number] = place;
#endif
}
void clusters(uint3 cluster, uint3 times, uint3 block) {
  const uint3 grid = {cluster.x * times.x, cluster.y * times.y, cluster.z * times.z};
  const unsigned threads = block.x * block.y * block.z, blocks = cluster.x * cluster.y * cluster.z;
  Place *out;
  cudaMallocManaged(&out, grid.x * grid.y * grid.z * threads * sizeof *out);
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = cluster.x, attribute.val.clusterDim.y = cluster.y, attribute.val.clusterDim.z = cluster.z;
  cudaLaunchConfig_t how = {};
  how.gridDim = dim3(grid), how.blockDim = dim3(block), how.attrs = &attribute, how.numAttrs = 1;
  const cudaError_t launched = cudaLaunchKernelEx(&how, places, out), done = cudaDeviceSynchronize();
  if (launched != cudaSuccess || done != cudaSuccess) wrong++, printf("places failed\n");
  const Place *got = out;
  for (unsigned z = 0; z < grid.z; z++)
    for (unsigned y = 0; y < grid.y; y++)
      for (unsigned x = 0; x < grid.x; x++)
        for (unsigned t = 0; t < threads; t++, got++) {
          const uint3 in = {x % cluster.x, y % cluster.y, z % cluster.z};
          const uint3 thread = {t % block.x, t / block.x % block.y, t / block.x / block.y};
          const unsigned rank = (in.z * cluster.y + in.y) * cluster.x + in.x;
          const unsigned wanted[] = {rank * threads + t, blocks * threads, blocks * threads, rank, blocks, in.x, in.y, in.z,
                                     in.x * block.x + thread.x, in.y * block.y + thread.y, in.z * block.z + thread.z,
                                     cluster.x, cluster.y, cluster.z, cluster.x * block.x, cluster.y * block.y, cluster.z * block.z};
          for (int i = 0; i < 17; i++) {
            const unsigned is = reinterpret_cast<const unsigned *>(got)[i];
            if (is != wanted[i]) failed("member of a cluster", i, int(t), is, wanted[i]);
          }
        }
  cudaFree(out);
}

int main() {
  lanes();
  tiles<1>(), tiles<2>(), tiles<4>(), tiles<8>(), tiles<16>(), tiles<32>();
  int *calls;
  cudaMallocManaged(&calls, 4 * sizeof *calls);
  cudaMemset(calls, 0, 4 * sizeof *calls);
  once<<<3, 64>>>(calls);
  if (cudaDeviceSynchronize() != cudaSuccess) wrong++, printf("once failed\n");
  const int times[] = {3 * 100, 3 * 8, 3 * 8, 3 * 64};
  for (int i = 0; i < 4; i++)
    if (calls[i] != times[i]) failed("invoke_one", i, 0, calls[i], times[i]);
  cudaDeviceProp properties;
  if (cudaGetDeviceProperties(&properties, 0) == cudaSuccess && properties.major >= 9) {
    clusters({2, 1, 1}, {3, 2, 2}, {4, 2, 1});
    clusters({1, 2, 2}, {2, 1, 3}, {3, 2, 5});
    clusters({2, 3, 1}, {1, 2, 1}, {1, 3, 2});
    clusters({1, 1, 1}, {2, 3, 1}, {2, 2, 2});
  }
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
