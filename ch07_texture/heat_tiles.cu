// Spreads heat on a plate with tiles: the neighbors of 1024 cells are loaded at once.
//
// Not in the book. What to look at: a tile has no neighbors of its own, so the kernel loads five
// tiles, each at different addresses. At the edge, min() and max() keep each neighbor's index
// within the plate. They replace the four `if`s of heat_global. Tile kernels need CUDA 13.3 or
// newer, and nvcc --enable-tile -std=c++20. TILES.md explains the model.
//
//   ./course run heat_tiles                                 a window; Esc closes it
//   ./course run heat_tiles --save heat.webp --frames 30    a file

#include <cuda_tile.h>

#include <utility>

#include "../common/handle_error.h"
#include "heat_program.h"

namespace ct = cuda::tiles;

constexpr int kRows = 8, kColumns = 128;  // cells per block
using Row = ct::tile<int, ct::shape<1, kColumns>>;
using Column = ct::tile<int, ct::shape<kRows, 1>>;

// Resets the heaters to their temperatures.
__tile_global__ void copy_const(float* in, const float* __restrict__ heaters, int size) {
  const Row x = int(ct::bid().x) * kColumns + ct::iota<Row>();
  const Column y = int(ct::bid().y) * kRows + ct::iota<Column>();
  const auto inside = x < size && y < size;
  const auto cell = y * size + x;  // kRows x kColumns indices, one for each cell
  const auto heater = ct::load_masked(heaters + cell, inside, 0.0f);
  ct::store_masked(in + cell, heater, heater != 0.0f);
}

// One step: the new temperature of each cell. See next_temperature() in heat.h.
__tile_global__ void blend(float* __restrict__ out, const float* __restrict__ in, int size) {
  const Row x = int(ct::bid().x) * kColumns + ct::iota<Row>();
  const Column y = int(ct::bid().y) * kRows + ct::iota<Column>();
  const auto inside = x < size && y < size;
  // A cell at the edge is its own neighbor.
  const Row left = ct::max(x - 1, 0), right = ct::min(x + 1, size - 1);
  const Column above = ct::max(y - 1, 0), below = ct::min(y + 1, size - 1);

  const auto cell = y * size + x;
  const auto center = ct::load_masked(in + cell, inside);
  const auto neighbors = ct::load_masked(in + (above * size + x), inside) +
                         ct::load_masked(in + (below * size + x), inside) +
                         ct::load_masked(in + (y * size + left), inside) +
                         ct::load_masked(in + (y * size + right), inside);
  ct::store_masked(out + cell, center + kSpeed * (neighbors - 4.0f * center), inside);
}

struct DataBlock : HeatFrames {
  float *dev_in, *dev_out, *dev_heaters;
};

void create_buffers(DataBlock* d) {
  const size_t bytes = sizeof(float) * d->size * d->size;
  HANDLE_ERROR(cudaMalloc(&d->dev_in, bytes));
  HANDLE_ERROR(cudaMalloc(&d->dev_out, bytes));
  HANDLE_ERROR(cudaMalloc(&d->dev_heaters, bytes));
  HANDLE_ERROR(
      cudaMemcpy(d->dev_heaters, make_heaters(d->size).data(), bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(
      cudaMemcpy(d->dev_in, start_temperatures(d->size).data(), bytes, cudaMemcpyHostToDevice));
}

void destroy_buffers(DataBlock* d) {
  HANDLE_ERROR(cudaFree(d->dev_in));
  HANDLE_ERROR(cudaFree(d->dev_out));
  HANDLE_ERROR(cudaFree(d->dev_heaters));
}

// One step. It swaps the buffers, so the next step reads what this one wrote.
void step(DataBlock* d) {
  const dim3 grid((d->size + kColumns - 1) / kColumns, (d->size + kRows - 1) / kRows);
  copy_const<<<grid, 1>>>(d->dev_in, d->dev_heaters, d->size);
  HANDLE_ERROR(cudaGetLastError());
  blend<<<grid, 1>>>(d->dev_out, d->dev_in, d->size);
  HANDLE_ERROR(cudaGetLastError());
  std::swap(d->dev_in, d->dev_out);
}

void run_steps(DataBlock* d, int steps) {
  for (int i = 0; i < steps; i++) step(d);
}

// ---- Checking and timing, not the lesson: see heat_program.h.

Field temperatures(const DataBlock& d) { return {d.dev_in, static_cast<size_t>(d.size)}; }

int main(int argc, char** argv) {
  return heat_program<DataBlock>(argc, argv, "Spreads heat on a plate, with tiles.");
}
