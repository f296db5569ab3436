// Computes the dot product of two vectors with tiles: the tree of dot.cu is one function here.
//
// Not in the book. What to look at: a block adds products as tiles, element by element, and ct::sum
// adds the elements of a tile at the end. There is no shared memory and no barrier, so none can be
// in the wrong place (dot_broken shows what happens then). The number of elements of a tile is part
// of its type. So there is one kernel for each size, and --tile chooses. Tile kernels need CUDA
// 13.3 or newer, and nvcc --enable-tile -std=c++20. TILES.md explains the model.
//
//   ./course run dot_tiles --size 268435456 --blocks 1056 --tile 1024

#include <cuda_tile.h>

#include <cmath>

#include "../common/handle_error.h"
#include "dot_by_launch.h"

namespace ct = cuda::tiles;

// Each block stores the sum of its products in partial[block].
template <int kTile>
__tile_global__ void dot_kernel(const float* __restrict__ a, const float* __restrict__ b, size_t n,
                                float* __restrict__ partial) {
  using Floats = ct::tile<float, ct::shape<kTile>>;
  using Indices = ct::tile<size_t, ct::shape<kTile>>;
  const size_t block = ct::bid().x, blocks = ct::num_blocks().x;
  auto sums = ct::zeros<Floats>();
  for (size_t first = block * kTile; first < n; first += blocks * kTile) {
    const auto i = first + ct::iota<Indices>();
    const auto inside = i < n;
    sums = sums + ct::load_masked(a + i, inside, 0.0f) * ct::load_masked(b + i, inside, 0.0f);
  }
  ct::store(partial + block, float(ct::sum<0>(sums)));
}

// Launches the kernel for tiles of `tile` elements.
template <int kTile = kMaxThreads>
void launch_for(const DotVectors& vectors, int tile) {
  if (tile == kTile)
    dot_kernel<kTile><<<vectors.blocks, 1>>>(vectors.a, vectors.b, vectors.n, vectors.partial);
  else if constexpr (kTile > 1)
    launch_for<kTile / 2>(vectors, tile);
}
void launch(const DotVectors& vectors, int tile) {
  launch_for(vectors, tile);
  HANDLE_ERROR(cudaGetLastError());
}

// ---- Checking and timing, not the lesson.

// CUDA does not say in which order ct::sum adds. The bound assumes a tree with short chains at
// its leaves.
double block_additions(int tile) { return 2 * std::log2(tile); }

int main(int argc, char** argv) {
  return dot_program(argc, argv, "The dot product of two vectors, with tiles.", Threads::kTile);
}
