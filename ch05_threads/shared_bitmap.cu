// Draws spots of light: each thread reads what another thread has written to shared memory.
//
// Section 5.3.2 of the book. What to look at: each thread computes one value, and draws the value
// that the thread on the opposite side of its block has computed. The barrier between the write and
// the read makes sure that the value is there. Without it the picture is wrong: see
// shared_bitmap_broken.
//
//   ./course run shared_bitmap                            a window; Esc leaves
//   ./course run shared_bitmap --save shared_bitmap.png   a file

#include <math.h>

#include <vector>

#include "../common/cpu_bitmap.h"
#include "../common/program/device.h"
#include "../common/handle_error.h"
#include "../common/program/long_run.h"
#include "../common/program/options.h"
#include "../common/program/timing.h"
#include "../common/pictures/verify_picture.h"

constexpr int kTile = 16;          // threads per block in each dimension
constexpr float kPeriod = 128.0f;  // pixels from spot to spot
constexpr float kPi = 3.1415926535897932f;

// The brightness at (x, y), 0 to 255. The same code runs on the CPU and the device.
__host__ __device__ inline float spot(int x, int y) {
  const float wave_x = sinf(static_cast<float>(x) * 2.0f * kPi / kPeriod) + 1.0f;
  const float wave_y = sinf(static_cast<float>(y) * 2.0f * kPi / kPeriod) + 1.0f;
  return 255.0f * wave_x * wave_y / 4.0f;
}

// One thread per pixel. Threads beyond the edge of the picture draw nothing. But they must not
// return early, because others need their values and the barrier needs every thread.
__global__ void draw(uchar4* rgba, int size) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  __shared__ float shared[kTile][kTile];

  shared[threadIdx.x][threadIdx.y] = spot(x, y);
  __syncthreads();  // until the whole tile is written
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

// ---- Checking and timing, not the lesson.

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

// About how long main() takes: a picture by the CPU, and several by the device.
double estimate_s(int size) {
  const double once_s = course::estimate_picture_s(size, [](int part) {
    std::vector<unsigned char> rgba(4 * size_t(part) * part);
    shared_bitmap(rgba.data(), part);
  });
  return once_s + 1e-3 * course::measuring_ms(1e3 * once_s) +
         course::estimate_picture_s(size, [](int part) { shared_bitmap_reference(part); });
}

int main(int argc, char** argv) {
  int size = 1024;
  course::Options options("Draws spots of light that go through shared memory.");
  options.number("size", &size, 1, 32768, "pixels per side");
  options.picture();
  options.parse(argc, argv);
  const double bytes = 4.0 * size * size;
  course::require_memory(bytes, 3 * bytes);

  course::LongRun long_run(estimate_s(size), 4 * bytes);
  CPUBitmap bitmap(size, size);
  shared_bitmap(bitmap.get_ptr(), size);
  const std::vector<unsigned char> expected = shared_bitmap_reference(size);
  long_run.hide();

  printf("%d x %d pixels on %s\n", size, size, course::device_name().c_str());
  if (!course::verify_picture(bitmap.get_ptr(), expected.data(), size, size))
    return course::kExitWrong;
  const double ms = course::measure_host_ms([&] { shared_bitmap(bitmap.get_ptr(), size); });
  long_run.done();
  printf("end to end %.3f ms\n", ms);
  bitmap.display_and_exit();
  return 0;
}
