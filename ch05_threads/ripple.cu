// Draws waves on water: an animation with one thread per pixel.
//
// Section 5.2.2 of the book. What to look at: blocks and threads have two dimensions, like the
// picture. A block of 16 x 16 threads draws a tile of 16 x 16 pixels. The grid is rounded up to
// whole tiles, so threads beyond the right and the upper edge must do nothing.
//
//   ./course run ripple                                  a window; Esc leaves
//   ./course run ripple --save ripple.webp --frames 90   a file

#include <math.h>

#include <vector>

#include "../common/cpu_anim.h"
#include "../common/program/device.h"
#include "../common/handle_error.h"
#include "../common/program/long_run.h"
#include "../common/program/options.h"
#include "../common/program/timing.h"
#include "../common/pictures/verify_picture.h"

constexpr int kTile = 16;  // threads per block in each dimension

// The gray of pixel (x, y) at time `ticks`: a cosine that runs outwards and becomes flatter. The
// same code runs on the CPU and the device.
__host__ __device__ inline unsigned char ripple_gray(int x, int y, int size, int ticks) {
  const float fx = static_cast<float>(x - size / 2);
  const float fy = static_cast<float>(y - size / 2);
  const float distance = sqrtf(fx * fx + fy * fy);
  const float wave = cosf(distance / 10.0f - static_cast<float>(ticks) / 7.0f);
  return static_cast<unsigned char>(128.0f + 127.0f * wave / (distance / 10.0f + 1.0f));
}

// One thread per pixel.
__global__ void ripple(uchar4* rgba, int size, int ticks) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size || y >= size) return;
  const unsigned char gray = ripple_gray(x, y, size, ticks);
  rgba[size_t(y) * size + x] = make_uchar4(gray, gray, gray, 255);
}

struct DataBlock {
  int size = 1024;
  uchar4* dev_rgba = nullptr;
  unsigned char* rgba = nullptr;  // of the animation, or of a test
};

// Draws one frame on the device and copies it to the host: called by CPUAnimBitmap.
void generate_frame(void* data, int ticks) {
  const DataBlock* block = static_cast<DataBlock*>(data);
  const unsigned tiles = (block->size + kTile - 1) / kTile;
  ripple<<<dim3(tiles, tiles), dim3(kTile, kTile)>>>(block->dev_rgba, block->size, ticks);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(block->rgba, block->dev_rgba, 4 * size_t(block->size) * block->size,
                          cudaMemcpyDeviceToHost));
}

// Called when the animation ends.
void cleanup(void* data) { HANDLE_ERROR(cudaFree(static_cast<DataBlock*>(data)->dev_rgba)); }

// Draws one frame, size x size RGBA pixels, on the device.
std::vector<unsigned char> ripple_frame(int size, int ticks) {
  std::vector<unsigned char> rgba(4 * size_t(size) * size);
  if (size == 0) return rgba;
  DataBlock block;
  block.size = size;
  block.rgba = rgba.data();
  HANDLE_ERROR(cudaMalloc(&block.dev_rgba, rgba.size()));
  generate_frame(&block, ticks);
  cleanup(&block);
  return rgba;
}

// ---- Checking and timing, not the lesson.

// Draws the same on the CPU.
std::vector<unsigned char> ripple_reference(int size, int ticks) {
  std::vector<unsigned char> rgba(4 * size_t(size) * size, 255);
  for (int y = 0; y < size; y++)
    for (int x = 0; x < size; x++) {
      unsigned char* pixel = &rgba[4 * (size_t(y) * size + x)];
      pixel[0] = pixel[1] = pixel[2] = ripple_gray(x, y, size, ticks);
    }
  return rgba;
}

// Estimates the time until the animation begins: a frame by the CPU, and several by the device.
double estimate_s(int size) {
  const double frame_s = course::estimate_picture_s(
      size, [](int part) { ripple_frame(part, 1); }, 512);
  return frame_s + 2e-3 * course::measuring_ms(1e3 * frame_s) +
         course::estimate_picture_s(
             size, [](int part) { ripple_reference(part, 1); }, 512);
}

int main(int argc, char** argv) {
  DataBlock block;
  course::Options options("Draws waves on water, one thread per pixel.");
  options.number("size", &block.size, 1, 32768, "pixels per side");
  options.animation();
  options.parse(argc, argv);
  const size_t bytes = 4 * size_t(block.size) * block.size;
  course::require_memory(bytes, 3.0 * bytes);
  CPUAnimBitmap bitmap(block.size, block.size, &block);

  course::LongRun long_run(estimate_s(block.size), 4.0 * bytes);
  const std::vector<unsigned char> frame = ripple_frame(block.size, 1);
  const std::vector<unsigned char> expected = ripple_reference(block.size, 1);
  long_run.hide();
  printf("%d x %d pixels on %s\n", block.size, block.size, course::device_name().c_str());
  if (!course::verify_picture(frame.data(), expected.data(), block.size, block.size))
    return course::kExitWrong;

  block.rgba = bitmap.get_ptr();
  HANDLE_ERROR(cudaMalloc(&block.dev_rgba, bytes));
  const unsigned tiles = (block.size + kTile - 1) / kTile;
  const double kernel_ms = course::measure_device_ms(
      [=] { ripple<<<dim3(tiles, tiles), dim3(kTile, kTile)>>>(block.dev_rgba, block.size, 1); });
  const double frame_ms = course::measure_host_ms([&block] { generate_frame(&block, 1); });
  long_run.done();
  printf("a frame: kernel %.3f ms, with the copy to the host %.3f ms\n", kernel_ms, frame_ms);
  bitmap.anim_and_exit(generate_frame, cleanup);
  return 0;
}
