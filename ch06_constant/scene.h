// Spheres, rays and colors: the formulas of the ray tracers, for the CPU and the device.
#pragma once

#include <cuda_runtime.h>
#include <math.h>
#include <stddef.h>

#include <vector>

#include "../common/program/random.h"

constexpr int kTile = 16;  // threads per block in each dimension

struct Sphere {
  float r, g, b;  // color, 0 to 1
  float radius;
  float x, y, z;  // center; the ray of the middle pixel is the z axis

  // Whether the ray through (ray_x, ray_y), parallel to the z axis, hits the sphere. If so, *z_hit
  // is the depth of the hit (a larger z is nearer), and *facing how much the surface there faces
  // the viewer: 1 in the middle, 0 at the edge.
  __host__ __device__ bool hit(float ray_x, float ray_y, float* z_hit, float* facing) const {
    const float dx = ray_x - x;
    const float dy = ray_y - y;
    const float squared = dx * dx + dy * dy;
    if (squared >= radius * radius) return false;
    const float dz = sqrtf(radius * radius - squared);
    *z_hit = z + dz;
    *facing = dz / radius;
    return true;
  }
};

// All of constant memory, which is 64 KB.
constexpr int kMaxSpheres = 65536 / static_cast<int>(sizeof(Sphere));

// The color of pixel (x, y) in a picture of size x size pixels: that of the nearest of `count`
// spheres on its ray, darker towards the edge of the sphere, or black.
__host__ __device__ inline uchar4 trace(const Sphere* spheres, int count, int x, int y, int size) {
  const float ray_x = static_cast<float>(x - size / 2);
  const float ray_y = static_cast<float>(y - size / 2);
  float r = 0, g = 0, b = 0;
  float nearest = -2e10f;  // farther than any sphere
  for (int i = 0; i < count; i++) {
    float z, facing;
    if (spheres[i].hit(ray_x, ray_y, &z, &facing) && z > nearest) {
      nearest = z;
      r = spheres[i].r * facing;
      g = spheres[i].g * facing;
      b = spheres[i].b * facing;
    }
  }
  return make_uchar4(static_cast<unsigned char>(255 * r), static_cast<unsigned char>(255 * g),
                     static_cast<unsigned char>(255 * b), 255);
}

// Whether the color of a pixel depends only on the spheres that its row meets. The CPU's picture
// then skips the others, because thousands of them would take minutes. Set it to false if trace()
// follows a ray that leaves the row, such as a reflection.
constexpr bool kRaysStayInTheirRow = true;

// Returns `count` spheres in a cube of 1000, with radius 20 to 119, the same on every machine.
// Centers and radii are whole numbers, so squares of distances are exact in float, however a
// compiler orders the operations. Every device then draws the same picture to the last bit.
inline std::vector<Sphere> random_spheres(int count) {
  course::Random random(6);
  std::vector<Sphere> spheres(count);
  for (Sphere& sphere : spheres) {
    sphere.r = random.uniform();
    sphere.g = random.uniform();
    sphere.b = random.uniform();
    sphere.x = static_cast<float>(random.below(1000)) - 500;
    sphere.y = static_cast<float>(random.below(1000)) - 500;
    sphere.z = static_cast<float>(random.below(1000)) - 500;
    sphere.radius = static_cast<float>(20 + random.below(100));
  }
  return spheres;
}

// Returns the picture, size x size RGBA pixels, drawn by the CPU.
inline std::vector<unsigned char> ray_reference(const std::vector<Sphere>& spheres, int size) {
  std::vector<unsigned char> rgba;
  rgba.reserve(4 * size_t(size) * size);
  for (int y = 0; y < size; y++) {
    std::vector<Sphere> reaching;
    for (const Sphere& sphere : spheres)
      if (!kRaysStayInTheirRow ||
          fabsf(static_cast<float>(y - size / 2) - sphere.y) < sphere.radius)
        reaching.push_back(sphere);
    for (int x = 0; x < size; x++) {
      const uchar4 color = trace(reaching.data(), static_cast<int>(reaching.size()), x, y, size);
      rgba.insert(rgba.end(), {color.x, color.y, color.z, color.w});
    }
  }
  return rgba;
}
