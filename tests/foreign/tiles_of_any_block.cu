// In the manner of programs that split a group into tiles, whatever its shape: blocks of one, two and three dimensions, and
// threads of a warp that came to a line together, of which the last tile is full or not. Ranks and counts are compared with
// the division that defines them.
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
namespace cg = cooperative_groups;

struct Place {
  int rank, tile, tiles, inner_rank, inner_tile, inner_tiles;
};
struct ActivePlace {
  int rank, members, tile, tiles, number, active;
};

template <int Size, int Inner>
__global__ void places(Place *out) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<Size>(block);
  const auto inner = cg::tiled_partition<Inner>(tile);
  out[block.thread_rank()] = {int(tile.thread_rank()),  int(tile.meta_group_rank()),  int(tile.meta_group_size()),
                              int(inner.thread_rank()), int(inner.meta_group_rank()), int(inner.meta_group_size())};
}

// The first `count` of the lanes 0, `step`, 2 * `step` ...
__global__ void places_of_active(int count, int step, int size, ActivePlace *out) {
  const int number = threadIdx.x / step;
  if (threadIdx.x % step != 0 || number >= count) return;
  const cg::coalesced_group active = cg::coalesced_threads();
  const cg::coalesced_group tile = cg::tiled_partition(active, size);
  out[number] = {int(tile.thread_rank()),     int(tile.size()),          int(tile.meta_group_rank()),
                 int(tile.meta_group_size()), int(active.thread_rank()), int(active.size())};
}

int wrong = 0;

void check_active(int count, int step, int size, ActivePlace *out) {
  places_of_active<<<1, 32>>>(count, step, size, out);
  if (cudaDeviceSynchronize() != cudaSuccess) std::exit(2);
  for (int t = 0; t < count; t++) {
    const ActivePlace &it = out[t];
    const int members = count - t / size * size < size ? count - t / size * size : size;
    if (it.rank == t % size && it.members == members && it.tile == t / size && it.tiles == (count + size - 1) / size &&
        it.number == t && it.active == count)
      continue;
    wrong++;
    fprintf(stderr, "thread %d of %d active ones, one lane of %d, tiles of %d: %d of %d in tile %d of %d, %d of %d\n", t, count, step, size,
            it.rank, it.members, it.tile, it.tiles, it.number, it.active);
  }
}

template <int Size, int Inner>
void check(dim3 shape, Place *out) {
  places<Size, Inner><<<1, shape>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) std::exit(2);
  const int threads = int(shape.x * shape.y * shape.z);
  for (int t = 0; t < threads; t++) {
    const Place &it = out[t];
    if (it.rank == t % Size && it.tile == t / Size && it.tiles == (threads + Size - 1) / Size && it.inner_rank == t % Inner &&
        it.inner_tile == t % Size / Inner && it.inner_tiles == Size / Inner)
      continue;
    wrong++;
    fprintf(stderr, "thread %d of %u x %u x %u, tiles of %d and %d: %d of tile %d of %d, %d of tile %d of %d\n", t, shape.x, shape.y,
            shape.z, Size, Inner, it.rank, it.tile, it.tiles, it.inner_rank, it.inner_tile, it.inner_tiles);
  }
}

int main() {
  Place *out;
  ActivePlace *active;
  if (cudaMallocManaged(&out, 1024 * sizeof(Place)) != cudaSuccess || cudaMallocManaged(&active, 32 * sizeof(ActivePlace)) != cudaSuccess) return 2;
  for (dim3 shape : {dim3(1), dim3(2), dim3(15), dim3(16), dim3(17), dim3(31), dim3(32), dim3(33), dim3(48), dim3(63), dim3(64),
                     dim3(100), dim3(1024), dim3(16, 3), dim3(5, 7), dim3(3, 4, 5), dim3(8, 4, 2), dim3(1, 1, 33)}) {
    check<32, 1>(shape, out);
    check<32, 8>(shape, out);
    check<16, 4>(shape, out);
    check<4, 2>(shape, out);
    check<2, 1>(shape, out);
  }
  for (int step : {1, 2, 3})
    for (int count = 1; count * step <= 32; count++)
      for (int size = 1; size <= 32; size *= 2) check_active(count, step, size, active);
  puts(wrong ? "wrong" : "right");
  return wrong != 0;
}
