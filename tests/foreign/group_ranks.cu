// In the manner of code that numbers its work with cooperative groups: ranks, sizes and indices of threads, blocks, tiles and
// the whole grid in one to three dimensions, no two of which are equal. Compared with the built-in variables' arithmetic.
#include <cooperative_groups.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

struct Ranks {
  unsigned long long grid_rank, grid_threads, block_of_grid, blocks;
  unsigned block_rank, block_threads, tile_rank, tile_of_block, tiles, quarter, quarter_of_tile, quarters;
  uint3 block_index, thread_index;
  dim3 grid_dim, block_dim;
};

__global__ void ask(Ranks *out) {
  const cg::grid_group grid = cg::this_grid();
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<16>(block);
  const auto quarter = cg::tiled_partition<4>(tile);
  Ranks r;
  r.grid_rank = grid.thread_rank();
  r.grid_threads = grid.size();
  r.block_of_grid = grid.block_rank();
  r.blocks = grid.num_blocks();
  r.block_rank = block.thread_rank();
  r.block_threads = block.num_threads();
  r.tile_rank = tile.thread_rank();
  r.tile_of_block = tile.meta_group_rank();
  r.tiles = tile.meta_group_size();
  r.quarter = quarter.thread_rank();
  r.quarter_of_tile = quarter.meta_group_rank();
  r.quarters = quarter.meta_group_size();
  const dim3 at = block.group_index(), t = block.thread_index();
  r.block_index = make_uint3(at.x, at.y, at.z);
  r.thread_index = make_uint3(t.x, t.y, t.z);
  r.grid_dim = grid.group_dim();
  r.block_dim = block.group_dim();
  const unsigned in_block = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned number = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  out[number * (blockDim.x * blockDim.y * blockDim.z) + in_block] = r;
}

static int wrong = 0;
static void expect(unsigned long long got, unsigned long long wanted, const char *what, dim3 grid, dim3 block, unsigned at) {
  if (got == wanted || wrong++ > 9) return;
  printf("grid %u x %u x %u, block %u x %u x %u, thread %u: %s is %llu, not %llu\n", grid.x, grid.y, grid.z, block.x, block.y, block.z, at, what, got,
         wanted);
}

int main() {
  const dim3 grids[] = {{1, 1, 1}, {5, 1, 1}, {2, 3, 1}, {3, 2, 1}, {1, 4, 3}, {4, 1, 2}, {2, 3, 5}, {5, 2, 3}};
  const dim3 blocks[] = {{16, 1, 1}, {96, 1, 1}, {8, 6, 1}, {2, 4, 6}, {4, 2, 10}, {1, 16, 3}, {32, 2, 1}};
  for (const dim3 grid : grids)
    for (const dim3 block : blocks) {
      const unsigned in_block = block.x * block.y * block.z, in_grid = grid.x * grid.y * grid.z;
      Ranks *device;
      std::vector<Ranks> ranks(in_block * in_grid);
      cudaMalloc(&device, ranks.size() * sizeof(Ranks));
      ask<<<grid, block>>>(device);
      if (cudaMemcpy(ranks.data(), device, ranks.size() * sizeof(Ranks), cudaMemcpyDeviceToHost) != cudaSuccess) return printf("a launch failed\n"), 1;
      cudaFree(device);
      unsigned at = 0;
      for (unsigned bz = 0; bz < grid.z; bz++)
        for (unsigned by = 0; by < grid.y; by++)
          for (unsigned bx = 0; bx < grid.x; bx++)
            for (unsigned z = 0; z < block.z; z++)
              for (unsigned y = 0; y < block.y; y++)
                for (unsigned x = 0; x < block.x; x++, at++) {
                  const Ranks &r = ranks[at];
                  const auto same = [&](unsigned long long got, unsigned long long wanted, const char *what) {
                    expect(got, wanted, what, grid, block, at);
                  };
                  const unsigned rank = at % in_block;
                  same(r.grid_rank, at, "the rank in the grid");
                  same(r.grid_threads, in_block * in_grid, "the grid's size");
                  same(r.block_of_grid, at / in_block, "the rank of the block");
                  same(r.blocks, in_grid, "the number of blocks");
                  same(r.block_rank, rank, "the rank in the block");
                  same(r.block_threads, in_block, "the block's size");
                  same(r.tile_rank, rank % 16, "the rank in the tile");
                  same(r.tile_of_block, rank / 16, "the rank of the tile");
                  same(r.tiles, in_block / 16, "the number of tiles");
                  same(r.quarter, rank % 4, "the rank in the quarter");
                  same(r.quarter_of_tile, rank % 16 / 4, "the rank of the quarter");
                  same(r.quarters, 4, "the number of quarters");
                  same(r.block_index.x, bx, "group_index().x"), same(r.block_index.y, by, "group_index().y");
                  same(r.block_index.z, bz, "group_index().z");
                  same(r.thread_index.x, x, "thread_index().x"), same(r.thread_index.y, y, "thread_index().y");
                  same(r.thread_index.z, z, "thread_index().z");
                  same(r.grid_dim.x, grid.x, "the grid's x"), same(r.grid_dim.y, grid.y, "the grid's y"), same(r.grid_dim.z, grid.z, "the grid's z");
                  same(r.block_dim.x, block.x, "the block's x"), same(r.block_dim.y, block.y, "the block's y");
                  same(r.block_dim.z, block.z, "the block's z");
                }
    }
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
