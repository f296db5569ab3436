// Waves on water: what the ripples of this chapter share.
#pragma once

#include <math.h>

#include <vector>


constexpr int kTile = 16;  // threads per block in each dimension

// The grid that covers size x size pixels with tiles.
inline dim3 tiles_for(int size) {
  const unsigned tiles = static_cast<unsigned>((size + kTile - 1) / kTile);
  return dim3(tiles, tiles);
}

// The formula, for the CPU and the device: the color at (dx, dy) pixels from the center of the
// waves, at time `ticks`. A cosine runs outwards and becomes flatter on its way.
__host__ __device__ inline uchar4 ripple_color(int dx, int dy, int ticks) {
  const float fx = static_cast<float>(dx), fy = static_cast<float>(dy);
  const float distance = sqrtf(fx * fx + fy * fy);
  const float wave = cosf(distance / 10.0f - static_cast<float>(ticks) / 7.0f);
  const unsigned char gray =
      static_cast<unsigned char>(128.0f + 127.0f * wave / (distance / 10.0f + 1.0f));
  return make_uchar4(gray, gray, gray, 255);
}

// A frame of size x size pixels, computed by the CPU: RGBA, bottom row first.
inline std::vector<unsigned char> ripple_reference(int size, int center_x, int center_y,
                                                   int ticks) {
  std::vector<unsigned char> rgba;
  rgba.reserve(4 * static_cast<size_t>(size) * size);
  for (int y = 0; y < size; y++)
    for (int x = 0; x < size; x++) {
      const uchar4 color = ripple_color(x - center_x, y - center_y, ticks);
      rgba.insert(rgba.end(), {color.x, color.y, color.z, color.w});
    }
  return rgba;
}
