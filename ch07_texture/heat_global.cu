// Spreads heat on a plate: an animation that reads and writes global memory.
//
// The book's sections 7.3.2 and 7.3.3. What to look at: a cell's new temperature depends on the old
// ones of the cell and its neighbors. So there are two buffers, one to read and one to write, which
// are swapped after each step. At the edge a cell is its own neighbor: the kernel has four `if`s.
//
//   ./course run heat_global                                 a window; Esc closes it
//   ./course run heat_global --save heat.webp --frames 30    a file

#include <utility>

#include "../common/handle_error.h"
#include "heat_program.h"

// Resets the heaters to their temperatures.
__global__ void copy_const(float* in, const float* heaters, int size) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size || y >= size) return;
  const size_t offset = x + static_cast<size_t>(y) * size;
  if (heaters[offset] != 0) in[offset] = heaters[offset];
}

// One step: the new temperature of each cell.
__global__ void blend(float* out, const float* in, int size) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size || y >= size) return;
  const size_t offset = x + static_cast<size_t>(y) * size;

  size_t left = offset - 1, right = offset + 1;
  if (x == 0) left++;
  if (x == size - 1) right--;
  size_t top = offset - size, bottom = offset + size;
  if (y == 0) top += size;
  if (y == size - 1) bottom -= size;

  out[offset] = next_temperature(in[offset], in[top], in[left], in[right], in[bottom]);
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
  const dim3 grid = grid_for(d->size), block(kTile, kTile);
  copy_const<<<grid, block>>>(d->dev_in, d->dev_heaters, d->size);
  HANDLE_ERROR(cudaGetLastError());
  blend<<<grid, block>>>(d->dev_out, d->dev_in, d->size);
  HANDLE_ERROR(cudaGetLastError());
  std::swap(d->dev_in, d->dev_out);
}

void run_steps(DataBlock* d, int steps) {
  for (int i = 0; i < steps; i++) step(d);
}

// ---- Checking and timing, not the lesson: see heat_program.h.

Field temperatures(const DataBlock& d) { return {d.dev_in, static_cast<size_t>(d.size)}; }

int main(int argc, char** argv) {
  return heat_program<DataBlock>(argc, argv, "Spreads heat on a plate, with global memory.");
}
