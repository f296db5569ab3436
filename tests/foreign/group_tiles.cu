// In the manner of programs about cooperative groups: groups as parameters, tiles of tiles,
// partitions, large values passed around, tiles of several warps, scans.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstdio>
namespace cg = cooperative_groups;

struct Particle {
  double x, y, z;
  int id;
};

// Sums over any group.
__device__ int sum_of(cg::thread_group group, int *scratch, int value) {
  int lane = group.thread_rank();
  for (int i = group.size() / 2; i > 0; i /= 2) {
    scratch[lane] = value;
    group.sync();
    if (lane < i) value += scratch[lane + i];
    group.sync();
  }
  return value;
}

template <unsigned Size>
__device__ int sum_of_tile(cg::thread_block_tile<Size> tile, int value) {
  for (int i = tile.size() / 2; i > 0; i /= 2) value += tile.shfl_down(value, i);
  return value;
}

__device__ int aggregated_increment(int *counter) {
  cg::coalesced_group active = cg::coalesced_threads();
  int first = 0;
  if (active.thread_rank() == 0) first = atomicAdd(counter, active.size());
  return active.shfl(first, 0) + active.thread_rank();
}

__global__ void groups(int *failures, int *counter) {
  __shared__ int scratch[256];
  __shared__ cg::block_tile_memory<256> memory;
  cg::thread_block block = cg::this_thread_block(memory);
  const int rank = block.thread_rank();
#define REQUIRE(condition) \
  if (!(condition)) atomicAdd(&failures[__LINE__], 1)

  int all = sum_of(block, scratch, 1);
  if (rank == 0) REQUIRE(all == 256);
  block.sync();

  cg::thread_group tile4 = cg::tiled_partition(block, 4);
  int four = sum_of(tile4, scratch + rank / 4 * 4, rank);
  if (tile4.thread_rank() == 0) REQUIRE(four == 4 * rank + 6);

  auto warp = cg::tiled_partition<32>(block);
  auto half = cg::tiled_partition<16>(warp);
  int sum = sum_of_tile<16>(half, 1);
  if (half.thread_rank() == 0) REQUIRE(sum == 16);
  int sum32 = sum_of_tile<32>(warp, rank);
  if (warp.thread_rank() == 0) REQUIRE(sum32 == 32 * rank + 496);
  REQUIRE(warp.meta_group_rank() == rank / 32 && warp.meta_group_size() == 8);
  auto eight = cg::tiled_partition<8>(warp);  // counted within the warp
  REQUIRE(eight.meta_group_rank() == rank % 32 / 8 && eight.meta_group_size() == 4);
  cg::thread_block_tile<8> passed_on = eight;  // without its parent's type, still counted within the warp
  REQUIRE(passed_on.meta_group_rank() == rank % 32 / 8 && passed_on.meta_group_size() == 4);

  auto odd_or_even = cg::binary_partition(warp, rank & 1);
  REQUIRE(odd_or_even.size() == 16);
  REQUIRE(cg::reduce(odd_or_even, rank & 1, cg::plus<int>()) == (rank & 1) * 16);
  auto by_rest = cg::labeled_partition(warp, rank % 3);
  REQUIRE(by_rest.shfl(rank % 3, 0) == rank % 3);
  REQUIRE(by_rest.size() == 10u + (warp.thread_rank() % 3 != 2) || by_rest.size() >= 10);

  Particle mine = {rank * 1.0, rank * 2.0, rank * 3.0, rank};
  Particle other = warp.shfl_xor(mine, 1);
  REQUIRE(other.id == (rank ^ 1) && other.z == (rank ^ 1) * 3.0);

  auto quarter = cg::tiled_partition<64>(block);
  REQUIRE(cg::reduce(quarter, 1, cg::plus<int>()) == 64);
  REQUIRE(quarter.shfl(rank, 63) == rank / 64 * 64 + 63);
  REQUIRE(quarter.all(1) && !quarter.any(0));
  quarter.sync();

  REQUIRE(cg::inclusive_scan(warp, 1) == warp.thread_rank() + 1);
  REQUIRE(cg::exclusive_scan(warp, 2, cg::plus<int>()) == 2 * warp.thread_rank());
  REQUIRE(cg::reduce(warp, rank % 32, cg::greater<int>()) == 31);
  REQUIRE(warp.match_any(rank / 2) == 3u << (warp.thread_rank() & ~1u));

  if (rank % 3 == 0) aggregated_increment(counter);
  cg::sync(block);
}

int main() {
  int *failures, *counter, bad = 0;
  cudaMallocManaged(&failures, 1000 * sizeof(int));
  cudaMallocManaged(&counter, sizeof(int));
  cudaMemset(failures, 0, 1000 * sizeof(int));
  cudaMemset(counter, 0, sizeof(int));
  groups<<<1, 256>>>(failures, counter);
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    fprintf(stderr, "%s\n", cudaGetErrorString(error));
    return 1;
  }
  for (int line = 0; line < 1000; line++)
    if (failures[line]) {
      fprintf(stderr, "line %d: wrong in %d threads\n", line, failures[line]);
      bad = 1;
    }
  printf("counted %d\n", *counter);
  return bad || *counter != 86;
}
