// Heaters as one bit per cell. Once a heater's cell has its temperature, leaving it unchanged is
// the same as changing and resetting it. So a step does not read the heaters' temperatures, 4 bytes
// per cell, but only whether a cell is a heater.
#pragma once

#include <algorithm>
#include <vector>

#include "../common/cpu_anim.h"
#include "../common/handle_error.h"
#include "../common/lessons/heat.h"

constexpr int kCells = 8;  // neighboring cells, whose bits form one byte

// A plate on the device. Rows are padded to whole bytes of bits, so that each row starts at an
// address from which several cells can be read at once.
struct Plate {
  int size = 256, steps = 90;  // cells per side, steps per frame
  int row = 0;                  // cells from one row to the next, a multiple of kCells
  float *dev_in = nullptr, *dev_out = nullptr, *dev_heaters = nullptr;
  unsigned char* dev_frozen = nullptr;  // one bit per cell: a heater keeps its temperature
  uchar4* dev_rgba = nullptr;           // the picture, only where one is drawn
  CPUAnimBitmap* bitmap = nullptr;
  double total_ms = 0;
  int frames = 0;

  size_t cells() const { return size_t(row) * size; }
};

// Resets the heaters before the first step of a frame: the last step of the previous frame may have
// changed them.
static __global__ void copy_const(float* in, const float* heaters, size_t cells) {
  const size_t stride = size_t(blockDim.x) * gridDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < cells; i += stride)
    if (heaters[i] != 0) in[i] = heaters[i];
}

inline void copy_to_rows(float* dev_rows, const std::vector<float>& values, const Plate& p) {
  HANDLE_ERROR(cudaMemset(dev_rows, 0, p.cells() * sizeof(float)));
  HANDLE_ERROR(cudaMemcpy2D(dev_rows, p.row * sizeof(float), values.data(), p.size * sizeof(float),
                            p.size * sizeof(float), p.size, cudaMemcpyHostToDevice));
}

inline void create(Plate* p) {
  p->row = (p->size + kCells - 1) / kCells * kCells;
  const std::vector<float> heaters = make_heaters(p->size);
  std::vector<unsigned char> frozen(p->cells() / kCells, 0);
  for (int y = 0; y < p->size; y++)
    for (int x = 0; x < p->size; x++)
      if (heaters[x + size_t(y) * p->size] != 0)
        frozen[(x + size_t(y) * p->row) / kCells] |= 1 << x % kCells;
  HANDLE_ERROR(cudaMalloc(&p->dev_in, p->cells() * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&p->dev_out, p->cells() * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&p->dev_heaters, p->cells() * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&p->dev_frozen, frozen.size()));
  copy_to_rows(p->dev_in, start_temperatures(p->size), *p);
  copy_to_rows(p->dev_heaters, heaters, *p);
  HANDLE_ERROR(cudaMemset(p->dev_out, 0, p->cells() * sizeof(float)));
  HANDLE_ERROR(cudaMemcpy(p->dev_frozen, frozen.data(), frozen.size(), cudaMemcpyHostToDevice));
  if (p->bitmap != nullptr)
    HANDLE_ERROR(cudaMalloc(&p->dev_rgba, sizeof(uchar4) * p->size * p->size));
}

inline void destroy(Plate* p) {
  HANDLE_ERROR(cudaFree(p->dev_in));
  HANDLE_ERROR(cudaFree(p->dev_out));
  HANDLE_ERROR(cudaFree(p->dev_heaters));
  HANDLE_ERROR(cudaFree(p->dev_frozen));
  HANDLE_ERROR(cudaFree(p->dev_rgba));
}

inline void set_heaters(Plate* p) {
  const size_t blocks = std::min<size_t>((p->cells() + 255) / 256, 4096);
  copy_const<<<static_cast<unsigned>(blocks), 256>>>(p->dev_in, p->dev_heaters, p->cells());
  HANDLE_ERROR(cudaGetLastError());
}

void run_steps(Plate* p, int steps);  // each program's own

// Draws one frame: called by CPUAnimBitmap.
inline void anim_gpu(void* data, int) {
  Plate* p = static_cast<Plate*>(data);
  course::EventTimer timer;
  timer.start();
  run_steps(p, p->steps);
  paint<<<grid_for(p->size), dim3(kTile, kTile)>>>(p->dev_rgba, p->dev_in, p->size, p->row);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(p->bitmap->get_ptr(), p->dev_rgba, p->bitmap->image_size(),
                          cudaMemcpyDeviceToHost));
  p->total_ms += timer.stop();
  p->frames++;
}

// Called when the animation ends.
inline void anim_exit(void* data) {
  Plate* p = static_cast<Plate*>(data);
  printf("%s", frame_time_in_words(p->total_ms, p->frames).c_str());
  destroy(p);
}

// The temperatures of a plate of size x size cells after `steps` steps on the device.
inline std::vector<float> heat(int size, int steps) {
  std::vector<float> temperatures(size_t(size) * size);
  if (size == 0) return temperatures;
  Plate p;
  p.size = size;
  create(&p);
  run_steps(&p, steps);
  HANDLE_ERROR(cudaMemcpy2D(temperatures.data(), size * sizeof(float), p.dev_in,
                            p.row * sizeof(float), size * sizeof(float), size,
                            cudaMemcpyDeviceToHost));
  destroy(&p);
  return temperatures;
}

// main() of the programs.
inline int heat_program(int argc, char** argv, const char* purpose) {
  Plate p;
  course::Options options(purpose);
  options.number("size", &p.size, 1, 32768, "cells, and pixels, per side");
  options.number("steps", &p.steps, 0, 1000000, "steps per frame");
  options.animation();
  options.parse(argc, argv);
  const double cells = double(p.size + kCells) * p.size;
  course::require_memory(17 * cells, 20 * cells);
  CPUAnimBitmap bitmap(p.size, p.size, &p);

  if (!verify_heat(p.size, p.steps, heat)) return course::kExitWrong;
  create(&p);
  print_heat_times(p.size, p.steps, [&p] { run_steps(&p, p.steps); });
  if (course::runs_on_cpu_device()) printf("times on the CPU device say nothing about a GPU\n");
  destroy(&p);

  bitmap.default_frames = kDefaultFrames;
  p.bitmap = &bitmap;
  create(&p);
  bitmap.anim_and_exit(anim_gpu, anim_exit);
  return 0;
}
