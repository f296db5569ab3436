// Draws waves on water that start where you drag the mouse.
//
// The book mentions that GPUAnimBitmap can report mouse events, but does not use them. What to look
// at: a function called for two events changes two numbers, and the next frame's kernel gets them
// as parameters. Until the first drag, the center of the waves moves in a circle.
//
//   ./course run ripple_mouse                                  a window; Esc closes it
//   ./course run ripple_mouse --save ripple.webp --frames 90   a file, without a mouse

#include <math.h>

#include <vector>

#include "../common/program/device.h"
#include "../common/gpu_anim.h"
#include "../common/handle_error.h"
#include "../common/program/options.h"
#include "../common/pictures/verify_picture.h"
#include "ripple.h"

// One thread per pixel; the waves start at (center_x, center_y).
__global__ void ripple(uchar4* pixels, int size, int center_x, int center_y, int ticks) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size || y >= size) return;
  pixels[x + static_cast<size_t>(y) * size] = ripple_color(x - center_x, y - center_y, ticks);
}

struct DataBlock {
  int size = 1024;
  bool dragged = false;
  int center_x = 0, center_y = 0;  // after the first drag; in pixels from the lower left corner
};

// The center before the first drag: one circle takes two periods of the waves.
void run_in_circle(DataBlock* block, int ticks) {
  const double angle = ticks / 14.0;
  block->center_x = static_cast<int>(lround(block->size * (0.5 + 0.25 * cos(angle))));
  block->center_y = static_cast<int>(lround(block->size * (0.5 + 0.25 * sin(angle))));
}

// Draws one frame: called by GPUAnimBitmap.
void generate_frame(uchar4* pixels, void* data, int ticks) {
  DataBlock* block = static_cast<DataBlock*>(data);
  if (!block->dragged) run_in_circle(block, ticks);
  ripple<<<tiles_for(block->size), dim3(kTile, kTile)>>>(pixels, block->size, block->center_x,
                                                         block->center_y, ticks);
  HANDLE_ERROR(cudaGetLastError());
}

// Moves the center to the mouse, at (x, y) from the picture's upper left corner. Called by
// GPUAnimBitmap.
void move_center(void* data, int, int, int x, int y) {
  DataBlock* block = static_cast<DataBlock*>(data);
  block->dragged = true;
  block->center_x = x;
  block->center_y = block->size - 1 - y;  // rows are counted from the bottom
}

int main(int argc, char** argv) {
  DataBlock block;
  course::Options options("Draws waves on water that start where you drag the mouse.");
  options.number("size", &block.size, 1, 32768, "pixels per side");
  course::gpu_animation(options);
  options.parse(argc, argv);
  const double bytes = 4.0 * block.size * block.size;
  course::require_memory(2 * bytes, 4 * bytes);

  GPUAnimBitmap bitmap(block.size, block.size, &block);
  printf("%d x %d pixels on %s\n", block.size, block.size, course::device_name().c_str());
  const std::vector<unsigned char> frame = bitmap.read_frame(generate_frame, &block, 1);
  const std::vector<unsigned char> expected =
      ripple_reference(block.size, block.center_x, block.center_y, 1);
  if (!course::verify_picture(frame.data(), expected.data(), block.size, block.size))
    return course::kExitWrong;

  bitmap.click_drag(move_center);   // at the end of a drag
  bitmap.drag_motion(move_center);  // and on the way, so that the center follows the mouse
  bitmap.anim_and_exit(generate_frame, nullptr);
  return 0;
}
