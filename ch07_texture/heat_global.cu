// Heat spreads on a plate: an animation that reads and writes global memory.
//
// The book's sections 7.3.2 and 7.3.3. What to look at: a cell's new temperature depends on the old
// ones around it, so there are two buffers, one to read and one to write, that change places after
// every step. At the edge a cell is its own neighbor, and the kernel needs four `if`s for it.
//
//   ./course run heat_global                                 a window; Esc leaves
//   ./course run heat_global --save heat.webp --frames 60    a file

#include <vector>

#include "../common/book.h"
#include "../common/cpu_anim.h"
#include "../common/device.h"
#include "../common/heat.h"
#include "../common/options.h"
#include "../common/timing.h"

// Puts the heaters' temperatures onto the plate.
__global__ void copy_const(float* in, const float* heaters, int size) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= size || y >= size) return;
  const size_t offset = x + static_cast<size_t>(y) * size;
  if (heaters[offset] != 0) in[offset] = heaters[offset];
}

// One step: the new temperature of every cell.
__global__ void blend(float* out, const float* in, int size) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x;
  const int y = threadIdx.y + blockIdx.y * blockDim.y;
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

struct DataBlock {
  int size = 1024, steps = 90;  // cells per side, steps per frame
  float *dev_in = nullptr, *dev_out = nullptr, *dev_heaters = nullptr;
  uchar4* dev_rgba = nullptr;
  CPUAnimBitmap* bitmap = nullptr;
  cudaEvent_t start, stop;
  double total_ms = 0;
  int frames = 0;
};

void create(DataBlock* d) {
  const size_t cells = size_t(d->size) * d->size, bytes = cells * sizeof(float);
  HANDLE_ERROR(cudaMalloc(&d->dev_in, bytes));
  HANDLE_ERROR(cudaMalloc(&d->dev_out, bytes));
  HANDLE_ERROR(cudaMalloc(&d->dev_heaters, bytes));
  HANDLE_ERROR(cudaMalloc(&d->dev_rgba, cells * sizeof(uchar4)));
  HANDLE_ERROR(
      cudaMemcpy(d->dev_heaters, make_heaters(d->size).data(), bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(
      cudaMemcpy(d->dev_in, start_temperatures(d->size).data(), bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaEventCreate(&d->start));
  HANDLE_ERROR(cudaEventCreate(&d->stop));
}

void destroy(DataBlock* d) {
  HANDLE_ERROR(cudaFree(d->dev_in));
  HANDLE_ERROR(cudaFree(d->dev_out));
  HANDLE_ERROR(cudaFree(d->dev_heaters));
  HANDLE_ERROR(cudaFree(d->dev_rgba));
  HANDLE_ERROR(cudaEventDestroy(d->start));
  HANDLE_ERROR(cudaEventDestroy(d->stop));
}

// One step. What was written is what the next step reads, however many steps there are.
void step(DataBlock* d) {
  const dim3 grid = grid_for(d->size), block(kTile, kTile);
  copy_const<<<grid, block>>>(d->dev_in, d->dev_heaters, d->size);
  HANDLE_ERROR(cudaGetLastError());
  blend<<<grid, block>>>(d->dev_out, d->dev_in, d->size);
  HANDLE_ERROR(cudaGetLastError());
  swap(d->dev_in, d->dev_out);
}

// Draws one frame: called by CPUAnimBitmap.
void anim_gpu(void* data, int) {
  DataBlock* d = static_cast<DataBlock*>(data);
  HANDLE_ERROR(cudaEventRecord(d->start));
  for (int i = 0; i < d->steps; i++) step(d);
  paint<<<grid_for(d->size), dim3(kTile, kTile)>>>(d->dev_rgba, d->dev_in, d->size, d->size);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(d->bitmap->get_ptr(), d->dev_rgba, d->bitmap->image_size(),
                          cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaEventRecord(d->stop));
  HANDLE_ERROR(cudaEventSynchronize(d->stop));
  float ms = 0;
  HANDLE_ERROR(cudaEventElapsedTime(&ms, d->start, d->stop));
  d->total_ms += ms;
  d->frames++;
}

// Called when the animation ends.
void anim_exit(void* data) {
  DataBlock* d = static_cast<DataBlock*>(data);
  if (d->frames > 0) printf("Average Time per frame: %3.1f ms\n", d->total_ms / d->frames);
  destroy(d);
}

// The temperatures of a plate of size x size cells after `steps` steps on the device.
std::vector<float> heat(int size, int steps) {
  std::vector<float> temperatures(size_t(size) * size);
  if (size == 0) return temperatures;
  DataBlock d;
  d.size = size;
  create(&d);
  for (int i = 0; i < steps; i++) step(&d);
  HANDLE_ERROR(cudaMemcpy(temperatures.data(), d.dev_in, temperatures.size() * sizeof(float),
                          cudaMemcpyDeviceToHost));
  destroy(&d);
  return temperatures;
}

int main(int argc, char** argv) {
  DataBlock d;
  course::Options options("Heat spreads on a plate, with global memory.");
  options.number("size", &d.size, 1, 32768, "cells, and pixels, per side");
  options.number("steps", &d.steps, 0, 1000000, "steps per frame");
  options.animation();
  options.parse(argc, argv);
  const double cells = double(d.size) * d.size;
  course::require_memory(16 * cells, 20 * cells);
  CPUAnimBitmap bitmap(d.size, d.size, &d);

  if (!verify_heat(d.size, d.steps, heat)) return course::kExitWrong;
  create(&d);
  print_heat_times(d.size, d.steps, [&d] {
    for (int i = 0; i < d.steps; i++) step(&d);
  });
  destroy(&d);

  bitmap.default_frames = kDefaultFrames;
  d.bitmap = &bitmap;
  create(&d);
  bitmap.anim_and_exit(anim_gpu, anim_exit);
  return 0;
}
