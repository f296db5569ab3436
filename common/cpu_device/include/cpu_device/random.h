// Generators of random numbers, and what is made of them, for curand_kernel.h and the host's cuRAND.
// Sources: Philox4x32-10 (Salmon et al. 2011), xorwow (Marsaglia 2003), MRG32k3a (L'Ecuyer 1999),
// normal numbers by Box and Muller (1958), Poisson's by transformed rejection (Hoermann 1993).
#pragma once

#include <math.h>
#include <stdint.h>

#include "vector_types.h"

namespace cpu_device {

// Numbers in a row that have nothing to do with each other's beginning (splitmix64, Steele et al. 2014).
inline uint64_t mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

inline void multiply(uint32_t a, uint32_t b, uint32_t* high, uint32_t* low) {
  const uint64_t product = uint64_t(a) * b;
  *high = static_cast<uint32_t>(product >> 32);
  *low = static_cast<uint32_t>(product);
}

// Four random numbers from a counter of 128 bits and a key of 64.
inline uint4 philox(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; round++) {
    uint32_t high0, low0, high1, low1;
    multiply(0xD2511F53u, counter.x, &high0, &low0);
    multiply(0xCD9E8D57u, counter.z, &high1, &low1);
    counter = {high1 ^ counter.y ^ key.x, low1, high0 ^ counter.w ^ key.y, low0};
    key.x += 0x9E3779B9u;
    key.y += 0xBB67AE85u;
  }
  return counter;
}

// In (0, 1], never 0, as cuRAND has it.
inline float to_uniform(uint32_t x) {
  return static_cast<float>(x) * 2.3283064e-10f + 1.1641532e-10f;
}
// A double of one number of 32 bits, of one of 64, and of two of 32 as cuRAND's functions for threads take them.
inline double to_uniform_double(uint32_t x) { return static_cast<double>(x) * 0x1p-32 + 0x1p-32; }
inline double to_uniform_double(uint64_t x) { return static_cast<double>(x >> 11) * 0x1p-53 + 0x1p-54; }
inline double to_uniform_double(uint32_t x, uint32_t y) {
  return static_cast<double>(x ^ uint64_t(y) << 21) * 0x1p-53 + 0x1p-54;
}
// Two normal numbers from two uniform ones.
inline float2 to_normal(float u, float v) {
  const float radius = sqrtf(-2.0f * logf(u)), angle = 6.2831853f * v;
  return {radius * sinf(angle), radius * cosf(angle)};
}
inline double2 to_normal_double(double u, double v) {
  const double radius = sqrt(-2.0 * log(u)), angle = 6.283185307179586 * v;
  return {radius * sin(angle), radius * cos(angle)};
}

// A number of Poisson's distribution; uniform() gives doubles in (0, 1].
template <typename Uniform>
inline unsigned int to_poisson(double mean, Uniform uniform) {
  if (!(mean > 0)) return 0;
  if (mean < 30) {  // how many factors the product takes to fall below exp(-mean)
    const double limit = exp(-mean);
    unsigned int count = 0;
    for (double product = uniform(); product > limit; product *= uniform()) count++;
    return count;
  }
  const double b = 0.931 + 2.53 * sqrt(mean), a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), quick = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const double u = uniform() - 0.5, v = uniform(), distance = 0.5 - fabs(u);
    const double k = floor((2 * a / distance + b) * u + mean + 0.43);
    if (distance >= 0.07 && v <= quick) return static_cast<unsigned int>(k);
    if (k < 0 || (distance < 0.013 && v > distance)) continue;
    if (log(v * inverse_alpha / (a / (distance * distance) + b)) <=
        k * log(mean) - mean - lgamma(k + 1))
      return static_cast<unsigned int>(k);
  }
}

}  // namespace cpu_device
