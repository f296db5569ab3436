// Bodies as soft points of light, drawn by kernels into a picture on the device.
//
// Every body adds its light to the pixels around it with atomicAdd, in integers. So the order does
// not matter, and the same bodies give the same picture (chapter 9). Then every pixel is exposed,
// so that dark and bright places are both visible.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "../common/handle_error.h"
#include "body.h"
#include "periodic.h"
#include "state.h"

namespace nbody {

// The view: two rows of a rotation, the scale, and the point in the middle.
struct Camera {
  float right[3], up[3];  // the picture's axes, in the bodies' space
  float pixels_per_length;
  float3 center;
};

// Turned by `yaw` around the y axis, then by `pitch` around the x axis (radians).
inline Camera make_camera(float yaw, float pitch, float pixels_per_length,
                          float3 center = float3{0, 0, 0}) {
  const float cy = cosf(yaw), sy = sinf(yaw), cp = cosf(pitch), sp = sinf(pitch);
  return {{cy, 0, sy}, {sy * sp, cp, -cy * sp}, pixels_per_length, center};
}

// What is drawn, and how.
struct Shot {
  Camera camera;
  int pixels;         // width and height of the picture
  float ahead;        // time since the moment of the positions: bodies move on by that time
  bool box;           // the bodies are in a periodic box around the center
  bool speed_colors;  // otherwise they have the color of their group
  float usual_speed;  // neither fast nor slow
  float radius;       // of a star, in pixels
};

// Where a body is seen from the center.
__host__ __device__ inline float3 seen(const Shot& shot, float4 body, float3 velocity) {
  float3 place = make_float3(body.x + shot.ahead * velocity.x - shot.camera.center.x,
                             body.y + shot.ahead * velocity.y - shot.camera.center.y,
                             body.z + shot.ahead * velocity.z - shot.camera.center.z);
  if (!shot.box) return place;
  return make_float3(wrap(place.x + 0.5f) - 0.5f, wrap(place.y + 0.5f) - 0.5f,
                     wrap(place.z + 0.5f) - 0.5f);
}

// Where that is in the picture, in pixels from its lower left corner.
__host__ __device__ inline float2 project(const Camera& camera, float3 place, int pixels) {
  const float x = camera.right[0] * place.x + camera.right[1] * place.y + camera.right[2] * place.z;
  const float y = camera.up[0] * place.x + camera.up[1] * place.y + camera.up[2] * place.z;
  return make_float2(0.5f * pixels + camera.pixels_per_length * x,
                     0.5f * pixels + camera.pixels_per_length * y);
}

// The color of a star's light.
__host__ __device__ inline float3 light_color(Origin origin) {
  switch (origin) {
    case kOtherStar:
      return make_float3(0.4f, 0.7f, 1.3f);
    case kBulge:
      return make_float3(1.2f, 0.8f, 0.5f);
    case kOtherBulge:
      return make_float3(0.8f, 0.8f, 1.1f);
    case kHalo:
      return make_float3(0.008f, 0.006f, 0.012f);
    case kSun:
      return make_float3(12, 10, 6);
    case kPlanet:
      return make_float3(3, 4, 6);
    default:
      return make_float3(1.3f, 0.75f, 0.35f);
  }
}

// The color by its speed, like that of hot objects: slow is red, fast is blue. The halo stays dark.
__host__ __device__ inline float3 speed_color(float speed, float usual_speed, Origin origin) {
  const float hot = fminf(speed / (2 * usual_speed), 1.0f);  // false for NaN
  const float low = fminf(2 * hot, 1.0f), high = fmaxf(2 * hot - 1, 0.0f);
  const float strength = origin == kHalo ? 0.01f : 1.0f;
  return make_float3(strength * (1.3f - 0.9f * high), strength * (0.25f + 0.6f * low - 0.1f * high),
                     strength * (0.1f + 0.4f * low + 0.9f * high));
}

__host__ __device__ inline float splat_radius(float radius, Origin origin) {
  return origin == kSun ? 4 * radius : origin == kPlanet ? 2 * radius : radius;
}

// How much of a splat's brightness is at a distance from its middle, both squared: soft, and
// nothing at its edge.
__host__ __device__ inline float splat_share(float distance_squared, float radius_squared) {
  const float left = fmaxf(0.0f, 1 - distance_squared / radius_squared);
  return left * left;
}

// One body's light, in parts of kLight: red, green and blue of each pixel, one after the other.
constexpr int kLight = 256;
static __global__ void splat_kernel(const float4* bodies, const float3* velocities,
                                    const Origin* origins, int n, Shot shot, unsigned int* light) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float3 v = velocities[i];
  const Origin origin = origins[i];
  const float2 middle = project(shot.camera, seen(shot, bodies[i], v), shot.pixels);
  const float radius = splat_radius(shot.radius, origin);
  // False for NaN, and for bodies so far away that an int would overflow.
  if (!(middle.x > -radius && middle.x < shot.pixels + radius && middle.y > -radius &&
        middle.y < shot.pixels + radius))
    return;
  const float speed = sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
  const float3 color =
      shot.speed_colors ? speed_color(speed, shot.usual_speed, origin) : light_color(origin);
  const int left = max(0, static_cast<int>(middle.x - radius)),
            right = min(shot.pixels - 1, static_cast<int>(middle.x + radius)),
            bottom = max(0, static_cast<int>(middle.y - radius)),
            top = min(shot.pixels - 1, static_cast<int>(middle.y + radius));
  for (int y = bottom; y <= top; y++)
    for (int x = left; x <= right; x++) {
      const float dx = x + 0.5f - middle.x, dy = y + 0.5f - middle.y;
      const float share = kLight * splat_share(dx * dx + dy * dy, radius * radius);
      if (share == 0) continue;
      unsigned int* const pixel = &light[3 * (x + static_cast<size_t>(y) * shot.pixels)];
      atomicAdd(&pixel[0], static_cast<unsigned int>(share * color.x + 0.5f));
      atomicAdd(&pixel[1], static_cast<unsigned int>(share * color.y + 0.5f));
      atomicAdd(&pixel[2], static_cast<unsigned int>(share * color.z + 0.5f));
    }
}

// The color of a pixel with that much light. It always stays below white. Half of the screen's
// range goes to the darkest quarter, where the eye sees best.
__host__ __device__ inline uchar4 expose(unsigned int red, unsigned int green, unsigned int blue,
                                         float exposure) {
  const float r = exposure * red / kLight, g = exposure * green / kLight,
              b = exposure * blue / kLight;
  const float scale = 1 / (1 + (r + g + b) / 3);
  return make_uchar4(static_cast<unsigned char>(255 * sqrtf(fminf(scale * r, 1.0f)) + 0.5f),
                     static_cast<unsigned char>(255 * sqrtf(fminf(scale * g, 1.0f)) + 0.5f),
                     static_cast<unsigned char>(255 * sqrtf(fminf(scale * b, 1.0f)) + 0.5f), 255);
}

static __global__ void expose_kernel(const unsigned int* light, int pixels, float exposure,
                                     uchar4* rgba) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= pixels || y >= pixels) return;
  const size_t pixel = x + static_cast<size_t>(y) * pixels;
  rgba[pixel] = expose(light[3 * pixel], light[3 * pixel + 1], light[3 * pixel + 2], exposure);
}

// Distances are sorted into bins, 32 of them from each power of two to the next.
constexpr int kBinsPerOctave = 32, kFirstOctave = -20, kBins = 64 * kBinsPerOctave;
__host__ __device__ inline int bin_of(float distance) {
  const float place = (log2f(distance) - kFirstOctave) * kBinsPerOctave;
  return static_cast<int>(fminf(fmaxf(place, 0.0f), kBins - 1.0f));  // 0 also for NaN
}
inline float end_of_bin(int bin) { return exp2f(kFirstOctave + (bin + 1.0f) / kBinsPerOctave); }

// How many bodies are at which distance from the center, without those of the invisible halo.
static __global__ void distances_kernel(const float4* bodies, const float3* velocities,
                                        const Origin* origins, int n, Shot shot,
                                        unsigned int* bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || origins[i] == kHalo) return;
  const float3 place = seen(shot, bodies[i], velocities[i]);
  const float squared = place.x * place.x + place.y * place.y + place.z * place.z;
  atomicAdd(&bins[bin_of(sqrtf(squared))], 1u);
}

// The distance within which 95 % of the bodies are, or all, if there are fewer than 20. 1 if there
// are none.
inline float extent(const unsigned int* bins) {
  long long count = 0, within = 0;
  for (int bin = 0; bin < kBins; bin++) count += bins[bin];
  if (count == 0) return 1;
  const long long rank = count * 95 / 100;
  int bin = 0;
  while (bin < kBins - 1 && (within += bins[bin]) <= rank) bin++;
  return bin == 0 ? 1 : end_of_bin(bin);
}

// Draws into a picture of pixels x pixels in device memory, bottom row first, and measures the
// extent of what it draws.
class Painter {
 public:
  // Belongs to the current device, and works in `stream`.
  Painter(int pixels, cudaStream_t stream) : pixels_(pixels), stream_(stream) {
    HANDLE_ERROR(cudaMalloc(&light_, light_bytes()));
    HANDLE_ERROR(cudaMalloc(&bins_, kBins * sizeof(unsigned int)));
    HANDLE_ERROR(cudaMallocHost(&host_bins_, kBins * sizeof(unsigned int)));
    std::fill_n(host_bins_, kBins, 0u);
  }
  ~Painter() {
    cudaFree(light_);
    cudaFree(bins_);
    cudaFreeHost(host_bins_);
  }
  Painter(const Painter&) = delete;
  Painter& operator=(const Painter&) = delete;

  // Device memory for a picture, in bytes.
  static double device_bytes(int pixels) { return 3.0 * sizeof(unsigned int) * pixels * pixels; }

  // Queues the drawing.
  void draw(const float4* bodies, const float3* velocities, const Origin* origins, int n,
            const Shot& shot, float exposure, uchar4* rgba) {
    HANDLE_ERROR(cudaMemsetAsync(light_, 0, light_bytes(), stream_));
    HANDLE_ERROR(cudaMemsetAsync(bins_, 0, kBins * sizeof(unsigned int), stream_));
    if (n > 0) {
      const int blocks = blocks_for(n, 256);
      splat_kernel<<<blocks, 256, 0, stream_>>>(bodies, velocities, origins, n, shot, light_);
      HANDLE_ERROR(cudaGetLastError());
      distances_kernel<<<blocks, 256, 0, stream_>>>(bodies, velocities, origins, n, shot, bins_);
      HANDLE_ERROR(cudaGetLastError());
    }
    const dim3 threads(16, 16);
    const dim3 blocks(blocks_for(pixels_, 16), blocks_for(pixels_, 16));
    expose_kernel<<<blocks, threads, 0, stream_>>>(light_, pixels_, exposure, rgba);
    HANDLE_ERROR(cudaGetLastError());
    HANDLE_ERROR(cudaMemcpyAsync(host_bins_, bins_, kBins * sizeof(unsigned int),
                                 cudaMemcpyDeviceToHost, stream_));
  }

  // The extent of the bodies drawn last, after the drawing is done.
  float extent() const { return nbody::extent(host_bins_); }

 private:
  size_t light_bytes() const { return 3 * sizeof(unsigned int) * pixels_ * size_t(pixels_); }

  int pixels_;
  cudaStream_t stream_;
  unsigned int *light_ = nullptr, *bins_ = nullptr, *host_bins_ = nullptr;
};

}  // namespace nbody
