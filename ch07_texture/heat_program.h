// Not the lesson: what the book's heat programs share besides their buffers and steps. A program
// defines a DataBlock, which is a HeatFrames, and for it
//
//   void create_buffers(DataBlock*), destroy_buffers(DataBlock*)
//   void run_steps(DataBlock*, int steps)
//   Field temperatures(const DataBlock&)
//
// and calls heat_program<DataBlock>().
#pragma once

#include <vector>

#include "../common/cpu_anim.h"
#include "../common/program/device.h"
#include "../common/handle_error.h"
#include "../common/lessons/heat.h"
#include "../common/program/options.h"
#include "../common/program/timing.h"

// An animation of a plate.
struct HeatFrames {
  int size = 256, steps = 90;  // cells per side, steps per frame
  uchar4* dev_rgba = nullptr;
  CPUAnimBitmap* bitmap = nullptr;
  double total_ms = 0;
  int frames = 0;
};

// Temperatures on the device, whose rows start every `row` floats.
struct Field {
  const float* data;
  size_t row;
};

template <typename DataBlock>
void create(DataBlock* d) {
  create_buffers(d);
  HANDLE_ERROR(cudaMalloc(&d->dev_rgba, sizeof(uchar4) * d->size * d->size));
}

template <typename DataBlock>
void destroy(DataBlock* d) {
  destroy_buffers(d);
  HANDLE_ERROR(cudaFree(d->dev_rgba));
}

// Draws one frame: called by CPUAnimBitmap.
template <typename DataBlock>
void anim_gpu(void* data, int) {
  DataBlock* d = static_cast<DataBlock*>(data);
  course::EventTimer timer;
  timer.start();
  run_steps(d, d->steps);
  const Field field = temperatures(*d);
  paint<<<grid_for(d->size), dim3(kTile, kTile)>>>(d->dev_rgba, field.data, d->size, field.row);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(d->bitmap->get_ptr(), d->dev_rgba, d->bitmap->image_size(),
                          cudaMemcpyDeviceToHost));
  d->total_ms += timer.stop();
  d->frames++;
}

// Called when the animation ends.
template <typename DataBlock>
void anim_exit(void* data) {
  DataBlock* d = static_cast<DataBlock*>(data);
  printf("%s", frame_time_in_words(d->total_ms, d->frames).c_str());
  destroy(d);
}

// The temperatures of a plate of size x size cells after `steps` steps on the device.
template <typename DataBlock>
std::vector<float> heat(int size, int steps) {
  std::vector<float> result(size_t(size) * size);
  if (size == 0) return result;
  DataBlock d;
  d.size = size;
  create(&d);
  run_steps(&d, steps);
  const Field field = temperatures(d);
  const size_t bytes = size * sizeof(float);
  HANDLE_ERROR(cudaMemcpy2D(result.data(), bytes, field.data, field.row * sizeof(float), bytes,
                            size, cudaMemcpyDeviceToHost));
  destroy(&d);
  return result;
}

// main(). `require_size` ends the program if a plate of so many cells per side is not possible.
template <typename DataBlock>
int heat_program(int argc, char** argv, const char* purpose, void (*require_size)(int) = nullptr) {
  DataBlock d;
  course::Options options(purpose);
  options.number("size", &d.size, 1, 32768, "cells, and pixels, per side");
  options.number("steps", &d.steps, 0, 1000000, "steps per frame");
  options.animation();
  options.parse(argc, argv);
  const double cells = double(d.size) * d.size;
  if (require_size != nullptr) require_size(d.size);
  course::require_memory(16 * cells, 20 * cells);
  CPUAnimBitmap bitmap(d.size, d.size, &d);

  if (!verify_heat(d.size, d.steps, heat<DataBlock>)) return course::kExitWrong;
  create(&d);
  print_heat_times(d.size, d.steps, [&d] { run_steps(&d, d.steps); });
  if (course::runs_on_cpu_device()) printf("times on the CPU device say nothing about a GPU\n");
  destroy(&d);

  bitmap.default_frames = kDefaultFrames;
  d.bitmap = &bitmap;
  create(&d);
  bitmap.anim_and_exit(anim_gpu<DataBlock>, anim_exit<DataBlock>);
  return 0;
}
