// A float with 10 digits behind the point instead of 23, as tensor cores multiply it. For tile kernels:
// cuda::tiles::element_cast<__nv_tf32>(...), then mma().
#pragma once

#define __CUDA_TF32_H__

#include <cuda_fp16.h>

#include <type_traits>

struct alignas(4) __nv_tf32 {
  float value;  // whose last 13 bits are 0

  __nv_tf32() = default;
  template <typename T, typename = std::enable_if_t<std::is_arithmetic<T>::value>>
  explicit __nv_tf32(T x) : value(rounded(static_cast<float>(x))) {}
  explicit __nv_tf32(__half x) : value(x) {}
  operator float() const { return value; }

 private:
  // To the nearest, halves to the even one. Infinities and NaN stay what they are.
  static float rounded(float x) {
    unsigned bits = __float_as_uint(x);
    if ((bits & 0x7f800000) == 0x7f800000) return x;
    bits += 0xfff + (bits >> 13 & 1);
    return __uint_as_float(bits & ~0x1fffu);
  }
};
