// Draws waves on water with a kernel, into a buffer that OpenGL draws from.
//
// The book's section 8.3. What to look at: compared with chapter 5's ripple, there is no copy to
// the host. GPUAnimBitmap maps OpenGL's buffer
// before each frame, passes the pointer to your function, and unmaps the buffer afterwards.
//
//   ./course run ripple_interop                                  a window; Esc closes it
//   ./course run ripple_interop --times --frames 20              the time of each part of a frame
//   ./course run ripple_interop --save ripple.webp --frames 90   a file

#include <vector>

#include "../common/program/device.h"
#include "../common/gpu_anim.h"
#include "../common/handle_error.h"
#include "../common/program/options.h"
#include "../common/pictures/verify_picture.h"
#include "ripple.h"

// One thread per pixel; the waves start in the middle.
__global__ void ripple(uchar4* pixels, int size, int ticks) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size || y >= size) return;
  pixels[x + static_cast<size_t>(y) * size] = ripple_color(x - size / 2, y - size / 2, ticks);
}

// Draws one frame: called by GPUAnimBitmap.
void generate_frame(uchar4* pixels, void* data, int ticks) {
  const int size = *static_cast<int*>(data);
  ripple<<<tiles_for(size), dim3(kTile, kTile)>>>(pixels, size, ticks);
  HANDLE_ERROR(cudaGetLastError());
}

int main(int argc, char** argv) {
  int size = 1024;
  course::Options options("Draws waves on water into a buffer that CUDA and OpenGL share.");
  options.number("size", &size, 1, 32768, "pixels per side");
  course::gpu_animation(options);
  options.parse(argc, argv);
  const double bytes = 4.0 * size * size;
  course::require_memory(2 * bytes, 4 * bytes);

  GPUAnimBitmap bitmap(size, size, &size);
  printf("%d x %d pixels on %s\n", size, size, course::device_name().c_str());
  const std::vector<unsigned char> frame = bitmap.read_frame(generate_frame, &size, 1);
  const std::vector<unsigned char> expected = ripple_reference(size, size / 2, size / 2, 1);
  if (!course::verify_picture(frame.data(), expected.data(), size, size)) return course::kExitWrong;

  bitmap.anim_and_exit(generate_frame, nullptr);
  return 0;
}
