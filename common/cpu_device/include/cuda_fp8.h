// 8-bit floating point: __nv_fp8_e4m3 (4 bits of exponent, up to 448, no infinity) and __nv_fp8_e5m2 (5 bits, up
// to 57344, with infinity), in ones, twos and fours. Types to store numbers in: what is computed is a float or
// a half. Conversions round to nearest even; NaN becomes 0x7f.
#pragma once

#define __CUDA_FP8_H__
#define __CUDA_FP8_TYPES_EXIST__

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
// What is too large becomes the largest number, or else infinity (NaN in E4M3).
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

namespace cpu_device {

struct Fp8Format {
  int mantissa_bits, bias;
  unsigned char largest, beyond;  // the largest finite number, and what follows an overflow
};
constexpr Fp8Format fp8_format(__nv_fp8_interpretation_t kind) {
  return kind == __NV_E4M3 ? Fp8Format{3, 7, 0x7e, 0x7f} : Fp8Format{2, 15, 0x7b, 0x7c};
}

inline double fp8_to_double(unsigned char bits, __nv_fp8_interpretation_t kind) {
  const Fp8Format format = fp8_format(kind);
  const int size = bits & 0x7f, mantissa = size & ((1 << format.mantissa_bits) - 1);
  const int exponent = size >> format.mantissa_bits;
  double x;
  if (size > format.largest)
    x = kind == __NV_E5M2 && size == format.beyond ? __builtin_inf() : __builtin_nan("");
  else if (exponent == 0)
    x = __builtin_ldexp(mantissa, 1 - format.bias - format.mantissa_bits);
  else
    x = __builtin_ldexp(mantissa + (1 << format.mantissa_bits), exponent - format.bias - format.mantissa_bits);
  return bits & 0x80 ? -x : x;
}

inline unsigned char double_to_fp8(double x, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind) {
  const Fp8Format format = fp8_format(kind);
  if (x != x) return 0x7f;
  const unsigned char sign = __builtin_signbit(x) ? 0x80 : 0;
  x = __builtin_fabs(x);
  const auto overflow = static_cast<unsigned char>(sign | (saturation == __NV_SATFINITE ? format.largest : format.beyond));
  if (x > 65536) return overflow;
  int exponent = 1 - format.bias;  // of the smallest normal number, below which the steps stay the same
  if (x >= __builtin_ldexp(1, exponent)) exponent = __builtin_ilogb(x);
  const int steps = static_cast<int>(__builtin_rint(__builtin_ldexp(x, format.mantissa_bits - exponent)));
  // A mantissa that was rounded up to the next power of two carries into the exponent.
  const int bits = ((exponent + format.bias - 1) << format.mantissa_bits) + steps;
  return bits > format.largest ? overflow : static_cast<unsigned char>(sign | bits);
}

}  // namespace cpu_device

static inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturation,
                                                        __nv_fp8_interpretation_t kind) {
  return cpu_device::double_to_fp8(x, saturation, kind);
}
static inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturation,
                                                       __nv_fp8_interpretation_t kind) {
  return cpu_device::double_to_fp8(x, saturation, kind);
}
static inline __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturation,
                                                         __nv_fp8_interpretation_t kind) {
  return cpu_device::double_to_fp8(float(__half(x)), saturation, kind);
}
static inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t saturation,
                                                             __nv_fp8_interpretation_t kind) {
  return cpu_device::double_to_fp8(float(__nv_bfloat16(x)), saturation, kind);
}
static inline __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 x, __nv_saturation_t saturation,
                                                             __nv_fp8_interpretation_t kind) {
  return static_cast<unsigned short>(cpu_device::double_to_fp8(x.x, saturation, kind) |
                                     cpu_device::double_to_fp8(x.y, saturation, kind) << 8);
}
static inline __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t saturation,
                                                            __nv_fp8_interpretation_t kind) {
  return __nv_cvt_double2_to_fp8x2(make_double2(x.x, x.y), saturation, kind);
}
static inline __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw x, __nv_saturation_t saturation,
                                                              __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float2_to_fp8x2(__half22float2(__half2(x)), saturation, kind);
}
static inline __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw x, __nv_saturation_t saturation,
                                                                  __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float2_to_fp8x2(__bfloat1622float2(__nv_bfloat162(x)), saturation, kind);
}
static inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
  return __half(cpu_device::fp8_to_double(x, kind));  // exact: a half has more bits of each
}
static inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t kind) {
  return {__nv_cvt_fp8_to_halfraw(static_cast<unsigned char>(x), kind).x,
          __nv_cvt_fp8_to_halfraw(static_cast<unsigned char>(x >> 8), kind).x};
}

#define CPU_DEVICE_FP8(NAME, KIND)                                                                       \
  struct __nv_fp8_##NAME {                                                                               \
    __nv_fp8_storage_t __x;                                                                              \
    __nv_fp8_##NAME() = default;                                                                         \
    explicit __nv_fp8_##NAME(double x) : __x(cpu_device::double_to_fp8(x, __NV_SATFINITE, KIND)) {}      \
    explicit __nv_fp8_##NAME(float x) : __nv_fp8_##NAME(double(x)) {}                                    \
    explicit __nv_fp8_##NAME(__half x) : __nv_fp8_##NAME(double(float(x))) {}                            \
    explicit __nv_fp8_##NAME(__nv_bfloat16 x) : __nv_fp8_##NAME(double(float(x))) {}                     \
    template <typename Integer, typename = std::enable_if_t<std::is_integral<Integer>::value>>           \
    explicit __nv_fp8_##NAME(Integer x) : __nv_fp8_##NAME(double(x)) {}                                  \
    explicit operator double() const { return cpu_device::fp8_to_double(__x, KIND); }                    \
    explicit operator float() const { return float(double(*this)); }                                     \
    explicit operator __half() const { return __half(double(*this)); }                                   \
    explicit operator __nv_bfloat16() const { return __nv_bfloat16(double(*this)); }                     \
    explicit operator bool() const { return (__x & 0x7f) != 0; }                                         \
    explicit operator int() const { return __float2int_rz(float(*this)); }                               \
    explicit operator unsigned int() const { return __float2uint_rz(float(*this)); }                     \
    explicit operator long long() const { return __float2ll_rz(float(*this)); }                          \
  };                                                                                                     \
  struct alignas(2) __nv_fp8x2_##NAME {                                                                  \
    __nv_fp8x2_storage_t __x;                                                                            \
    __nv_fp8x2_##NAME() = default;                                                                       \
    explicit __nv_fp8x2_##NAME(double2 x) : __x(__nv_cvt_double2_to_fp8x2(x, __NV_SATFINITE, KIND)) {}   \
    explicit __nv_fp8x2_##NAME(float2 x) : __x(__nv_cvt_float2_to_fp8x2(x, __NV_SATFINITE, KIND)) {}     \
    explicit __nv_fp8x2_##NAME(__half2 x) : __nv_fp8x2_##NAME(__half22float2(x)) {}                      \
    explicit __nv_fp8x2_##NAME(__nv_bfloat162 x) : __nv_fp8x2_##NAME(__bfloat1622float2(x)) {}           \
    explicit operator __half2() const { return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, KIND)); }         \
    explicit operator float2() const { return __half22float2(__half2(*this)); }                          \
  };                                                                                                     \
  struct alignas(4) __nv_fp8x4_##NAME {                                                                  \
    __nv_fp8x4_storage_t __x;                                                                            \
    __nv_fp8x4_##NAME() = default;                                                                       \
    explicit __nv_fp8x4_##NAME(float4 x)                                                                 \
        : __x(__nv_fp8x2_##NAME(make_float2(x.x, x.y)).__x |                                             \
              unsigned(__nv_fp8x2_##NAME(make_float2(x.z, x.w)).__x) << 16) {}                           \
    explicit __nv_fp8x4_##NAME(double4 x)                                                                \
        : __x(__nv_fp8x2_##NAME(make_double2(x.x, x.y)).__x |                                            \
              unsigned(__nv_fp8x2_##NAME(make_double2(x.z, x.w)).__x) << 16) {}                          \
    __nv_fp8x4_##NAME(__half2 low, __half2 high)                                                         \
        : __x(__nv_fp8x2_##NAME(low).__x | unsigned(__nv_fp8x2_##NAME(high).__x) << 16) {}               \
    __nv_fp8x4_##NAME(__nv_bfloat162 low, __nv_bfloat162 high)                                           \
        : __x(__nv_fp8x2_##NAME(low).__x | unsigned(__nv_fp8x2_##NAME(high).__x) << 16) {}               \
    explicit operator float4() const {                                                                   \
      const auto at = [this](int i) {                                                                    \
        return float(cpu_device::fp8_to_double(static_cast<unsigned char>(__x >> 8 * i), KIND));         \
      };                                                                                                 \
      return make_float4(at(0), at(1), at(2), at(3));                                                    \
    }                                                                                                    \
  };
CPU_DEVICE_FP8(e4m3, __NV_E4M3)
CPU_DEVICE_FP8(e5m2, __NV_E5M2)
#undef CPU_DEVICE_FP8
