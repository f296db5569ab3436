// Spreads heat on a plate: one launch performs all steps of a frame; its blocks wait for each
// other.
//
// Not in the book. In heat_global, a step takes two launches because blocks can wait for all other
// blocks only at the end of a kernel. A cooperative launch (CUDA 9, 2017) fails if the grid has
// more blocks than fit on the device at once. So all of them run, and can meet in the middle of a
// kernel: grid.sync(). What to look at: there may be fewer threads than cells, so each thread has a
// grid-stride loop. The two buffers are swapped inside the kernel.
//
//   ./course run heat_grid_sync

#include <cooperative_groups.h>

#include <algorithm>
#include <utility>

#include "../common/program/device.h"
#include "../common/handle_error.h"
#include "heat_program.h"

namespace cg = cooperative_groups;

constexpr int kThreads = 256;  // per block

// All steps. The result is in `out` if their number is odd, else in `in`.
__global__ void all_steps(float* in, float* out, const float* heaters, int size, int steps) {
  const cg::grid_group grid = cg::this_grid();
  const size_t cells = static_cast<size_t>(size) * size;
  for (int step = 0; step < steps; step++) {
    for (size_t offset = grid.thread_rank(); offset < cells; offset += grid.size())
      if (heaters[offset] != 0) in[offset] = heaters[offset];
    grid.sync();  // all heaters are reset before any thread reads a neighbor

    for (size_t offset = grid.thread_rank(); offset < cells; offset += grid.size()) {
      const int x = offset % size, y = offset / size;
      size_t left = offset - 1, right = offset + 1;
      if (x == 0) left++;
      if (x == size - 1) right--;
      size_t top = offset - size, bottom = offset + size;
      if (y == 0) top += size;
      if (y == size - 1) bottom -= size;
      out[offset] = next_temperature(in[offset], in[top], in[left], in[right], in[bottom]);
    }
    // In heat_global, the second kernel ends here. The next step's barrier would be enough: until
    // then a thread writes only cells that it wrote itself, and the last step ends with the kernel.
    // With this one, each step is complete on its own.
    grid.sync();
    float* const written = out;
    out = in;
    in = written;
  }
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

// As many blocks as can run at the same time, or fewer if there is less work.
int blocks_for(size_t cells) {
  int blocks_each = 0;
  HANDLE_ERROR(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_each, all_steps, kThreads, 0));
  const size_t most = size_t(blocks_each) * course::multiprocessors();
  return static_cast<int>(std::min((cells + kThreads - 1) / kThreads, most));
}

// A cooperative launch is a function call. It takes an array of the addresses of the arguments.
void run_steps(DataBlock* d, int steps) {
  void* arguments[] = {&d->dev_in, &d->dev_out, &d->dev_heaters, &d->size, &steps};
  const int blocks = blocks_for(static_cast<size_t>(d->size) * d->size);
  HANDLE_ERROR(cudaLaunchCooperativeKernel(all_steps, blocks, kThreads, arguments));
  if (steps % 2 == 1) std::swap(d->dev_in, d->dev_out);
}

// ---- Checking and timing, not the lesson: see heat_program.h.

Field temperatures(const DataBlock& d) { return {d.dev_in, static_cast<size_t>(d.size)}; }

int main(int argc, char** argv) {
  return heat_program<DataBlock>(argc, argv, "Spreads heat on a plate, a frame with one launch.");
}
