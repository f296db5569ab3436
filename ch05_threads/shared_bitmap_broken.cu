// WRONG ON PURPOSE: draws spots of light without the barrier.
//
// Section 5.3.2 of the book. What to look at: a thread reads what the thread on the opposite side
// of its block writes, and nothing makes it wait. Of the two, the thread that runs first reads an
// old value.
//
// The behavior is undefined. The CPU device runs the threads of a block one after the other, so
// half of the pixels are read too early in every order (CPU_DEVICE_ORDER). On a GPU it depends on
// which warp is faster. compute-sanitizer --tool racecheck and ./course check find the mistake.
//
//   ./course run shared_bitmap_broken --save broken.png   (./course check shared_bitmap_broken)

#include <math.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../common/program/broken_on_purpose.h"
#include "../common/cpu_bitmap.h"
#include "../common/handle_error.h"
#include "../common/program/options.h"
#include "../common/program/watchdog.h"

constexpr int kTile = 16;          // threads per block in each dimension
constexpr float kPeriod = 128.0f;  // pixels from spot to spot
constexpr float kPi = 3.1415926535897932f;
constexpr double kTimeLimit = 20;  // seconds

// The brightness at (x, y), 0 to 255. The same code runs on the CPU and the device.
__host__ __device__ inline float spot(int x, int y) {
  const float wave_x = sinf(static_cast<float>(x) * 2.0f * kPi / kPeriod) + 1.0f;
  const float wave_y = sinf(static_cast<float>(y) * 2.0f * kPi / kPeriod) + 1.0f;
  return 255.0f * wave_x * wave_y / 4.0f;
}

// One thread per pixel.
__global__ void draw(uchar4* rgba, int size) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  __shared__ float shared[kTile][kTile];

  shared[threadIdx.x][threadIdx.y] = spot(x, y);
  // WRONG: a __syncthreads() is missing here
  const float opposite = shared[kTile - 1 - threadIdx.x][kTile - 1 - threadIdx.y];

  if (x >= size || y >= size) return;
  rgba[size_t(y) * size + x] = make_uchar4(0, static_cast<unsigned char>(opposite), 0, 255);
}

// Draws size x size RGBA pixels on the device.
void shared_bitmap(unsigned char* rgba, int size) {
  if (size == 0) return;
  const size_t bytes = 4 * size_t(size) * size;
  const unsigned tiles = (size + kTile - 1) / kTile;
  uchar4* dev_rgba;
  HANDLE_ERROR(cudaMalloc(&dev_rgba, bytes));
  draw<<<dim3(tiles, tiles), dim3(kTile, kTile)>>>(dev_rgba, size);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(rgba, dev_rgba, bytes, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_rgba));
}

// ---- Checking, not the lesson.

// Draws the same on the CPU, without tiles: each pixel shows the value of the opposite one.
std::vector<unsigned char> shared_bitmap_reference(int size) {
  std::vector<unsigned char> rgba(4 * size_t(size) * size, 0);
  for (int y = 0; y < size; y++)
    for (int x = 0; x < size; x++) {
      unsigned char* pixel = &rgba[4 * (size_t(y) * size + x)];
      const int corner_x = x / kTile * kTile, corner_y = y / kTile * kTile;
      pixel[1] = static_cast<unsigned char>(
          spot(corner_x + kTile - 1 - x % kTile, corner_y + kTile - 1 - y % kTile));
      pixel[3] = 255;
    }
  return rgba;
}

int main(int argc, char** argv) {
  int size = 1024;
  course::Options options("Wrong on purpose: spots of light, drawn before they are computed.");
  // In a smaller picture, all pixels could belong to threads that run later.
  options.number("size", &size, kTile, 8192, "pixels per side");
  options.picture();
  options.parse(argc, argv);
  const size_t pixels = size_t(size) * size;

  // In a child process: if it hangs, this program does not. Its shared arrays are also new.
  course::SharedArray<unsigned char> rgba(4 * pixels);
  const course::Attempt attempt =
      course::attempt([&] { shared_bitmap(rgba.data(), size); }, kTimeLimit);
  course::leave_like(attempt);
  if (attempt.hung || attempt.signal != 0 || attempt.exit_code != 0) return course::kExitWrong;

  const std::vector<unsigned char> expected = shared_bitmap_reference(size);
  size_t wrong = 0;  // by more than the rounding of sinf()
  for (size_t i = 0; i < pixels; i++)
    if (abs(rgba[4 * i + 1] - expected[4 * i + 1]) > 2) wrong++;
  const int exit_code = course::broken_as_intended(
      wrong > 0, std::to_string(wrong) + " of " + std::to_string(pixels) + " pixels are wrong",
      "the threads on the opposite side happened to be faster every time");
  if (exit_code != 0) return exit_code;

  CPUBitmap bitmap(size, size);
  std::copy(rgba.data(), rgba.data() + 4 * pixels, bitmap.get_ptr());
  bitmap.display_and_exit();
  return 0;
}
