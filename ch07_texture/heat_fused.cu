// Spreads heat at memory bandwidth: one kernel per step, and one bit per cell for heaters.
//
// Not in the book. A step must read and write each cell, which takes 8 bytes. heat_global moves
// half as much again: it reads the heaters and writes them onto the plate. Only then does it take
// the step, and it reads 4 bytes at a time. What to look at: here a step skips the heaters' cells
// (frozen.h explains why the result is the same), which takes one bit per cell. A thread reads and
// writes 4 neighboring cells as one float4 and moves down a few rows. The row below becomes the
// middle row, then the row above.
//
//   ./course run heat_fused --size 16384 --frames 1 --save heat.png

#include <utility>

#include "../common/program/device.h"
#include "../common/program/options.h"
#include "../common/program/timing.h"
#include "frozen.h"

constexpr int kWide = 4;   // a thread's cells in a row
constexpr int kRows = 4;   // a thread's rows
constexpr int kThreadsX = 128, kThreadsY = 2;

// `frozen`: a bit for each cell that keeps its temperature, or NULL if none does.
__global__ void step_kernel(float* out, const float* in, const unsigned char* frozen, int size,
                            int row) {
  const int x = (blockIdx.x * blockDim.x + threadIdx.x) * kWide;
  const int first = (blockIdx.y * blockDim.y + threadIdx.y) * kRows;
  if (x >= size || first >= size) return;
  const float* at = in + x + size_t(first) * row;  // the thread's cells in a row
  float4 above = *reinterpret_cast<const float4*>(first > 0 ? at - row : at);
  float4 here = *reinterpret_cast<const float4*>(at);
#pragma unroll
  for (int k = 0; k < kRows; k++) {
    const int y = first + k;
    if (y >= size) return;
    const float4 below = *reinterpret_cast<const float4*>(y < size - 1 ? at + row : at);
    const float left = x > 0 ? at[-1] : here.x;
    // The last cell of a row is its own right neighbor, whichever of the four it is.
    const float y_right = x + 1 < size ? here.y : here.x, z_right = x + 2 < size ? here.z : here.y,
                w_right = x + 3 < size ? here.w : here.z,
                beyond = x + 4 < size ? at[4] : here.w;
    const size_t place = x + size_t(y) * row;
    float4 next;
    next.x = next_temperature(here.x, above.x, left, y_right, below.x);
    next.y = next_temperature(here.y, above.y, here.x, z_right, below.y);
    next.z = next_temperature(here.z, above.z, here.y, w_right, below.z);
    next.w = next_temperature(here.w, above.w, here.z, beyond, below.w);
    const int bits = frozen == nullptr ? 0 : frozen[place / kCells] >> x % kCells;
    if (bits & 1) next.x = here.x;
    if (bits & 2) next.y = here.y;
    if (bits & 4) next.z = here.z;
    if (bits & 8) next.w = here.w;
    *reinterpret_cast<float4*>(out + place) = next;
    above = here;
    here = below;
    at += row;
  }
}

// The last step also changes the heaters' cells, as in heat_global. The next frame resets them.
void run_steps(Plate* p, int steps) {
  if (steps > 0) set_heaters(p);
  const dim3 block(kThreadsX, kThreadsY);
  const dim3 grid((p->size + kWide * kThreadsX - 1) / (kWide * kThreadsX),
                  (p->size + kRows * kThreadsY - 1) / (kRows * kThreadsY));
  for (int i = 0; i < steps; i++) {
    step_kernel<<<grid, block>>>(p->dev_out, p->dev_in, i < steps - 1 ? p->dev_frozen : nullptr,
                                 p->size, p->row);
    HANDLE_ERROR(cudaGetLastError());
    std::swap(p->dev_in, p->dev_out);
  }
}
// ---- Checking and timing, not the lesson.

int main(int argc, char** argv) {
  return heat_program(argc, argv, "Spreads heat on a plate, with one kernel per step.");
}
