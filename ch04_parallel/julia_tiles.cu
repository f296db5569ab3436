// Draws a Julia set with tiles: a block computes a rectangle of pixels as if it were one number.
//
// Not in the book. What to look at: `x` is a row of numbers and `y` a column. Where they meet in an
// operation, the row is repeated down and the column across, so `re` has one number for each pixel.
// There is no `if` for a pixel that has left the set. The mask `stays` remembers it, and the loop
// ends when no pixel of the tile is left. Tile kernels need CUDA 13.3 or newer, and
// nvcc --enable-tile -std=c++20. TILES.md explains the model.
//
//   ./course run julia_tiles --save julia.png
//   ./course run julia_tiles --re -0.4 --im 0.6 --scale 1.2

#include <cuda_tile.h>

#include "../common/handle_error.h"
#include "julia_program.h"

namespace ct = cuda::tiles;

constexpr int kRows = 8, kColumns = 32;  // pixels per block
template <typename T>
using Pixels = ct::tile<T, ct::shape<kRows, kColumns>>;

// A product that is rounded before it is added to anything, as on the CPU (julia.h). The compiler
// turns a product and a sum into one instruction, which rounds once. max() between them prevents
// that.
template <typename T>
__tile__ T rounded_product(T a, T b) {
  return ct::max(a * b, -INFINITY);
}

// Each pixel is 4 bytes: red, green, blue, alpha.
__tile_global__ void draw(int size, float scale, float c_re, float c_im,
                          unsigned* __restrict__ rgba) {
  const int first_x = ct::bid().x * kColumns, first_y = ct::bid().y * kRows;
  const auto x = first_x + ct::iota<ct::tile<int, ct::shape<1, kColumns>>>();
  const auto y = first_y + ct::iota<ct::tile<int, ct::shape<kRows, 1>>>();
  const float half = size / 2.0f;
  auto re = ct::broadcast<ct::shape<kRows, kColumns>>(scale * (half - ct::element_cast<float>(x)) / half);
  auto im = ct::broadcast<ct::shape<kRows, kColumns>>(scale * (half - ct::element_cast<float>(y)) / half);
  auto stays = ct::full<Pixels<bool>>(true);
  for (int step = 0; step < 200; step++) {
    const Pixels<float> next = rounded_product(re, re) - rounded_product(im, im) + c_re;
    im = rounded_product(im, re) + rounded_product(re, im) + c_im;
    re = next;
    stays = stays && rounded_product(re, re) + rounded_product(im, im) <= 1000.0f;
    if (step % 8 == 7 && !bool(ct::any_of<1>(ct::any_of<0>(stays)))) break;
  }
  const auto color = ct::select(stays, ct::full<Pixels<unsigned>>(0xff0000ff),
                                ct::full<Pixels<unsigned>>(0xff000000));
  const auto inside = x < size && y < size;
  ct::store_masked(rgba + (y * size + x), color, inside);
}

void launch(const View& view, unsigned char* dev_rgba) {
  const dim3 grid((view.size + kColumns - 1) / kColumns, (view.size + kRows - 1) / kRows);
  draw<<<grid, 1>>>(view.size, view.scale, view.c.re, view.c.im,
                    reinterpret_cast<unsigned*>(dev_rgba));
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
  return julia_program(argc, argv, "Draws a Julia set on the device, with tiles.",
                       {{"tiles of 32 x 8", dim3(kColumns, kRows), draw_on_device, launch}});
}
