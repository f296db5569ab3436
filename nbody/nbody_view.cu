// Watch the bodies move: two discs of stars collide.
//
// What to look at: the picture is a histogram, one bin per pixel (chapter 9): every body adds its
// light to the pixels under it with atomicAdd, in whole numbers, so that the order does not matter;
// then every pixel is exposed like film. Drag with the mouse to turn the view.
//
//   ./course run nbody_view --size 16384
//   ./course run nbody_view --size 16384 --frames 90 --save discs.webp

#include <math.h>
#include <stdio.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "../common/book.h"
#include "../common/cpu_anim.h"
#include "../common/device.h"
#include "../common/options.h"
#include "gravity_registers.h"
#include "program.h"
#include "simulation.h"

namespace nbody {

// From where the bodies are seen: two rows of a rotation, and the scale.
struct Camera {
  float right[3], up[3];  // the picture's axes, in the bodies' space
  float pixels_per_length;
};

// Turned by `yaw` around the y axis, then by `pitch` around the x axis (radians).
inline Camera make_camera(float yaw, float pitch, float pixels_per_length) {
  const float cy = cosf(yaw), sy = sinf(yaw), cp = cosf(pitch), sp = sinf(pitch);
  return {{cy, 0, sy}, {sy * sp, cp, -cy * sp}, pixels_per_length};
}

// Where a body appears, in pixels from the picture's lower left corner.
__host__ __device__ inline float2 project(const Camera& camera, float4 body, int pixels) {
  const float x = camera.right[0] * body.x + camera.right[1] * body.y + camera.right[2] * body.z;
  const float y = camera.up[0] * body.x + camera.up[1] * body.y + camera.up[2] * body.z;
  return make_float2(0.5f * pixels + camera.pixels_per_length * x,
                     0.5f * pixels + camera.pixels_per_length * y);
}

// A body's light, shared by the four pixels around it, so that it glides instead of jumping from
// pixel to pixel. In parts of kLight, because whole numbers add up the same in any order. Bodies
// from number `second` on are of the other color.
constexpr int kLight = 256;
static __global__ void collect_light(const float4* bodies, int n, int second, Camera camera,
                                     int pixels, unsigned int* light) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float2 place = project(camera, bodies[i], pixels);
  // False for NaN and for what a body far away would be as an int.
  if (!(place.x > -1 && place.x < pixels + 1.0f && place.y > -1 && place.y < pixels + 1.0f)) return;
  const float left = floorf(place.x - 0.5f), bottom = floorf(place.y - 0.5f);
  const float fx = place.x - 0.5f - left, fy = place.y - 0.5f - bottom;
  for (int corner = 0; corner < 4; corner++) {
    const int x = static_cast<int>(left) + (corner & 1),
              y = static_cast<int>(bottom) + (corner >> 1);
    if (x < 0 || x >= pixels || y < 0 || y >= pixels) continue;
    const float share = ((corner & 1) ? fx : 1 - fx) * ((corner >> 1) ? fy : 1 - fy);
    const size_t pixel = x + static_cast<size_t>(y) * pixels;
    atomicAdd(&light[2 * pixel + (i >= second)], static_cast<unsigned int>(kLight * share + 0.5f));
  }
}

// The color of a pixel with that much light of each kind: film blackens as 1 - exp(-light), and
// where many bodies are, both kinds turn white.
__host__ __device__ inline uchar4 expose(unsigned int warm, unsigned int cool, float exposure) {
  const float a = exposure * warm / kLight, b = exposure * cool / kLight;
  return make_uchar4(static_cast<unsigned char>(255 * (1 - expf(-(1.0f * a + 0.3f * b)))),
                     static_cast<unsigned char>(255 * (1 - expf(-(0.55f * a + 0.55f * b)))),
                     static_cast<unsigned char>(255 * (1 - expf(-(0.25f * a + 1.0f * b)))), 255);
}

static __global__ void expose_kernel(const unsigned int* light, int pixels, float exposure,
                                     uchar4* rgba) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= pixels || y >= pixels) return;
  const size_t pixel = x + static_cast<size_t>(y) * pixels;
  rgba[pixel] = expose(light[2 * pixel], light[2 * pixel + 1], exposure);
}

// Draws bodies in device memory into a picture of pixels x pixels in host memory, bottom row first.
class Painter {
 public:
  explicit Painter(int pixels) : pixels_(pixels) {
    const size_t count = static_cast<size_t>(pixels) * pixels;
    HANDLE_ERROR(cudaMalloc(&light_, 2 * count * sizeof(unsigned int)));
    HANDLE_ERROR(cudaMalloc(&rgba_, count * sizeof(uchar4)));
  }
  ~Painter() {
    cudaFree(light_);
    cudaFree(rgba_);
  }
  Painter(const Painter&) = delete;
  Painter& operator=(const Painter&) = delete;

  // Memory for a picture, in bytes. The host needs less.
  static double device_bytes(int pixels) {
    return (2.0 * sizeof(unsigned int) + sizeof(uchar4)) * pixels * pixels;
  }

  void draw(const float4* bodies, int n, const Camera& camera, float exposure,
            unsigned char* picture, cudaStream_t stream) {
    const size_t count = static_cast<size_t>(pixels_) * pixels_;
    HANDLE_ERROR(cudaMemsetAsync(light_, 0, 2 * count * sizeof(unsigned int), stream));
    if (n > 0) {
      collect_light<<<blocks_for(n, 256), 256, 0, stream>>>(bodies, n, n - n / 2, camera, pixels_,
                                                            light_);
      HANDLE_ERROR(cudaGetLastError());
    }
    const dim3 threads(16, 16);
    const dim3 blocks(blocks_for(pixels_, 16), blocks_for(pixels_, 16));
    expose_kernel<<<blocks, threads, 0, stream>>>(light_, pixels_, exposure, rgba_);
    HANDLE_ERROR(cudaGetLastError());
    HANDLE_ERROR(
        cudaMemcpyAsync(picture, rgba_, count * sizeof(uchar4), cudaMemcpyDeviceToHost, stream));
    HANDLE_ERROR(cudaStreamSynchronize(stream));
  }

 private:
  int pixels_;
  unsigned int* light_ = nullptr;
  uchar4* rgba_ = nullptr;
};

// Distance from the origin within which 95 of 100 bodies are; 1 if there is none.
inline float extent(const Bodies& bodies) {
  std::vector<float> distances;
  for (const float4 p : bodies.positions)
    distances.push_back(sqrtf(p.x * p.x + p.y * p.y + p.z * p.z));
  if (distances.empty()) return 1;
  const size_t rank = distances.size() * 95 / 100;
  std::nth_element(distances.begin(), distances.begin() + rank, distances.end());
  return distances[rank] > 0 ? distances[rank] : 1;
}

// What the callbacks of the animation share.
struct View {
  std::unique_ptr<Simulation> simulation;
  std::unique_ptr<Painter> painter;
  CPUAnimBitmap* bitmap = nullptr;
  int steps_per_frame = 1;
  float yaw = 0, pitch = 0.5f;  // radians
  float pixels_per_length = 1;
  float exposure = 1;

  void draw_frame() {
    painter->draw(simulation->device_bodies(), simulation->count(),
                  make_camera(yaw, pitch, pixels_per_length), exposure, bitmap->get_ptr(),
                  simulation->stream());
  }
};

inline void next_frame(void* data, int) {
  View* view = static_cast<View*>(data);
  view->simulation->step(view->steps_per_frame);
  view->yaw += 0.005f;  // slowly, by itself
  view->draw_frame();
}

// Half a turn for a drag across the window.
inline void turn(void* data, int from_x, int from_y, int to_x, int to_y) {
  View* view = static_cast<View*>(data);
  const float radians_per_pixel = static_cast<float>(M_PI) / view->bitmap->width;
  view->yaw += radians_per_pixel * (to_x - from_x);
  view->pitch += radians_per_pixel * (to_y - from_y);
}

inline void leave(void* data) {
  View* view = static_cast<View*>(data);
  view->painter.reset();
  view->simulation.reset();
}

}  // namespace nbody

int main(int argc, char** argv) {
  nbody::Request request;
  request.start.initial = "discs";
  request.start.size = 2048;
  request.settings.dt = 0.01f;
  int pixels = 512, steps = 6;
  std::string integrator = "leapfrog";
  course::Options options("Draws bodies under their own gravity; drag to turn the view.");
  options.animation();
  request.add_options(options);
  options.number("pixels", &pixels, 1, 8192, "width and height of the picture")
      .number("steps", &steps, 0, 100000, "steps per frame")
      .choice("integrator", &integrator, {"leapfrog", "euler"}, "leapfrog or symplectic Euler");
  options.parse(argc, argv);
  request.settings.integrator = nbody::integrator_of(integrator);

  const nbody::Bodies bodies =
      request.make_bodies({nbody::kRegisters}, nbody::Painter::device_bytes(pixels));
  nbody::View view;
  view.simulation =
      std::make_unique<nbody::Simulation>(bodies, nbody::kRegisters, request.settings);
  if (!nbody::verify_accelerations("at the start", bodies.positions,
                                   view.simulation->accelerations(), request.settings.softening))
    return course::kExitWrong;

  CPUAnimBitmap bitmap(pixels, pixels, &view);
  view.bitmap = &bitmap;
  view.painter = std::make_unique<nbody::Painter>(pixels);
  view.steps_per_frame = steps;
  view.pixels_per_length = 0.4f * pixels / nbody::extent(bodies);
  // Few bodies shine one by one, many only together.
  view.exposure = std::clamp(0.3f * pixels * pixels / std::max(1, bodies.count()), 0.02f, 2.0f);
  bitmap.click_drag(nbody::turn);
  bitmap.anim_and_exit(nbody::next_frame, nbody::leave);
  return 0;
}
