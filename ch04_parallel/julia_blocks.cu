// Draws a Julia set on the device with one block of one thread per pixel.
//
// Section 4.2.2 of the book. What to look at: the loops over x and y are gone. The grid has two
// dimensions instead. Functions that the kernel calls are marked `__device__`. (The book's listing
// lacks it for the constructor of its complex number, so nvcc rejects it.) One thread per block is
// slow on a GPU, because 31 of the 32 lanes of a warp are idle. julia_threads fixes that.
//
//   ./course run julia_blocks --save julia.png
//   ./course run julia_blocks --re -0.4 --im 0.6 --scale 1.2

#include "../common/handle_error.h"
#include "julia_program.h"

// One block of one thread per pixel.
__global__ void draw(View view, unsigned char* rgba) {
  const int x = blockIdx.x;
  const int y = blockIdx.y;
  if (x < view.size && y < view.size) draw_pixel(x, y, view, rgba);
}

void launch(const View& view, unsigned char* dev_rgba) {
  const dim3 grid(view.size, view.size);
  draw<<<grid, 1>>>(view, dev_rgba);
  HANDLE_ERROR(cudaGetLastError());
}

// Draws the whole picture on the device.
void draw_on_device(const View& view, unsigned char* rgba) {
  const size_t bytes = 4 * size_t(view.size) * view.size;
  unsigned char* dev_rgba;
  HANDLE_ERROR(cudaMalloc(&dev_rgba, bytes));
  launch(view, dev_rgba);
  HANDLE_ERROR(cudaMemcpy(rgba, dev_rgba, bytes, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_rgba));
}

// ---- Checking and timing, not the lesson.

int main(int argc, char** argv) {
  return julia_program(argc, argv, "Draws a Julia set on the device, one block per pixel.",
                       {{"1 thread per block", dim3(1, 1), draw_on_device, launch}});
}
