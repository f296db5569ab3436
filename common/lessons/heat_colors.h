// The colors of temperatures, and the book's kernels that turn a field of them into a picture.
#pragma once

#include <cuda_runtime.h>

// One channel, 0 to 255, of a color given by hue, lightness and saturation, where `low` and `high`
// are the channel's extremes (0 to 1) and `hue` is in degrees, already shifted by +120 for red, 0
// for green and -120 for blue. The usual conversion from HSL: the channel climbs from low to high
// within 60 degrees, stays there for 120, falls back within 60, and stays low for 120.
__host__ __device__ inline unsigned char value(float low, float high, int hue) {
  if (hue > 360) hue -= 360;
  if (hue < 0) hue += 360;
  float channel = low;
  if (hue < 60)
    channel = low + (high - low) * static_cast<float>(hue) / 60.0f;
  else if (hue < 180)
    channel = high;
  else if (hue < 240)
    channel = low + (high - low) * static_cast<float>(240 - hue) / 60.0f;
  return static_cast<unsigned char>(255.0f * channel);
}

// The color of a temperature from 0 to 1, fully saturated: cold is dark, hot is light, and the hue
// runs once around the circle, from 180 degrees (cyan) at 0.
__host__ __device__ inline uchar4 heat_color(float temperature) {
  const float saturation = 1.0f;
  const float lightness = temperature;
  const int hue = (180 + static_cast<int>(360.0f * temperature)) % 360;
  const float high = lightness <= 0.5f ? lightness * (1.0f + saturation)
                                       : lightness + saturation - lightness * saturation;
  const float low = 2.0f * lightness - high;
  return make_uchar4(value(low, high, hue + 120), value(low, high, hue),
                     value(low, high, hue - 120), 255);
}

// Kernels that turn a field of temperatures into colors, RGBA, one thread per pixel: launch with a
// 2-D grid that covers the picture exactly, as the book does.
[[maybe_unused]] static __global__ void float_to_color(unsigned char* optr, const float* outSrc) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const size_t offset = x + static_cast<size_t>(y) * blockDim.x * gridDim.x;
  const uchar4 color = heat_color(outSrc[offset]);
  optr[4 * offset + 0] = color.x;
  optr[4 * offset + 1] = color.y;
  optr[4 * offset + 2] = color.z;
  optr[4 * offset + 3] = color.w;
}

[[maybe_unused]] static __global__ void float_to_color(uchar4* optr, const float* outSrc) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const size_t offset = x + static_cast<size_t>(y) * blockDim.x * gridDim.x;
  optr[offset] = heat_color(outSrc[offset]);
}
