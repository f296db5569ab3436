// Draws a Julia set in blocks of 16 x 16 threads, and compares with one thread per block.
//
// Section 4.2.2 of the book, with the threads of the next chapter. What to look at: the same kernel
// is launched with two shapes of blocks. Only the launch decides how many lanes of each warp have
// work. The grid is rounded up if 16 does not divide the size, so the kernel needs its guard.
//
//   ./course run julia_threads --save julia.png
//   ./course run julia_threads --size 2000 --re -0.4 --im 0.6 --scale 1.2

#include "../common/handle_error.h"
#include "julia_program.h"

// One thread per pixel, in blocks of any shape.
__global__ void draw(View view, unsigned char* rgba) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < view.size && y < view.size) draw_pixel(x, y, view, rgba);
}

void launch(const View& view, dim3 threads, unsigned char* dev_rgba) {
  const dim3 grid((view.size + threads.x - 1) / threads.x, (view.size + threads.y - 1) / threads.y);
  draw<<<grid, threads>>>(view, dev_rgba);
  HANDLE_ERROR(cudaGetLastError());
}

// Draws the whole picture on the device, in blocks of threads.x * threads.y threads.
void draw_on_device(const View& view, dim3 threads, unsigned char* rgba) {
  const size_t bytes = 4 * size_t(view.size) * view.size;
  unsigned char* dev_rgba;
  HANDLE_ERROR(cudaMalloc(&dev_rgba, bytes));
  launch(view, threads, dev_rgba);
  HANDLE_ERROR(cudaMemcpy(rgba, dev_rgba, bytes, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_rgba));
}

// ---- Checking and timing, not the lesson.

Shape shape(const char* name, dim3 threads) {
  return {name, threads,
          [=](const View& view, unsigned char* rgba) { draw_on_device(view, threads, rgba); },
          [=](const View& view, unsigned char* dev_rgba) { launch(view, threads, dev_rgba); }};
}

int main(int argc, char** argv) {
  return julia_program(
      argc, argv, "Draws a Julia set on the device, in two shapes of blocks.",
      {shape("1 thread per block", dim3(1, 1)), shape("16 x 16 threads", dim3(16, 16))});
}
