// Half precision: the types __half and __half2 with the operators and intrinsics of CUDA's header.
// Round to nearest even; comparisons with NaN as IEEE 754 has them.
#pragma once

#define __CUDA_FP16_H__

#include "cpu_device/half.h"

struct __half_raw {
  unsigned short x;
};
struct __half2_raw {
  unsigned short x, y;
};

struct alignas(2) __half {
  unsigned short bits;

  using Format = cpu_device::Float16<10>;
  __half() = default;
  constexpr __half(const __half_raw& raw) : bits(raw.x) {}
  __half(float x) : bits(Format::from_float(x)) {}
  __half(double x) : bits(Format::from_double(x)) {}
  __half(int x) : bits(Format::from_double(x)) {}
  __half(unsigned int x) : bits(Format::from_double(x)) {}
  __half(short x) : bits(Format::from_double(x)) {}
  __half(unsigned short x) : bits(Format::from_double(x)) {}
  __half(long x) : bits(Format::from_double(static_cast<double>(x))) {}
  __half(unsigned long x) : bits(Format::from_double(static_cast<double>(x))) {}
  __half(long long x) : bits(Format::from_double(static_cast<double>(x))) {}
  __half(unsigned long long x) : bits(Format::from_double(static_cast<double>(x))) {}
  operator float() const { return Format::to_float(bits); }
  operator __half_raw() const { return {bits}; }
  explicit operator bool() const { return (bits & 0x7fff) != 0; }
  explicit operator int() const { return __float2int_rz(*this); }
  explicit operator unsigned int() const { return __float2uint_rz(*this); }
  explicit operator short() const { return static_cast<short>(__float2int_rz(*this)); }
  explicit operator long long() const { return __float2ll_rz(*this); }
  __half& operator=(float x) { return *this = __half(x); }
  __half& operator=(double x) { return *this = __half(x); }
  __half& operator=(int x) { return *this = __half(x); }
};
typedef __half half;

struct alignas(4) __half2 {
  __half x, y;
  __half2() = default;
  __half2(const __half& low, const __half& high) : x(low), y(high) {}
  __half2(const __half2_raw& raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
};
typedef __half2 half2;

// ---- conversions ----
static inline __half __float2half(float x) { return __half(x); }
static inline __half __float2half_rn(float x) { return __half(x); }
static inline __half __float2half_rz(float x) { return __half_raw{__half::Format::from_double(x, __half::Format::zero)}; }
static inline __half __float2half_rd(float x) { return __half_raw{__half::Format::from_double(x, __half::Format::down)}; }
static inline __half __float2half_ru(float x) { return __half_raw{__half::Format::from_double(x, __half::Format::up)}; }
static inline __half __double2half(double x) { return __half(x); }
static inline float __half2float(__half x) { return x; }
static inline __half __int2half_rn(int x) { return __half(x); }
static inline __half __uint2half_rn(unsigned int x) { return __half(x); }
static inline __half __short2half_rn(short x) { return __half(x); }
static inline __half __ushort2half_rn(unsigned short x) { return __half(x); }
static inline __half __ll2half_rn(long long x) { return __half(x); }
static inline int __half2int_rn(__half x) { return __float2int_rn(x); }
static inline int __half2int_rz(__half x) { return __float2int_rz(x); }
static inline int __half2int_rd(__half x) { return __float2int_rd(x); }
static inline int __half2int_ru(__half x) { return __float2int_ru(x); }
static inline unsigned int __half2uint_rn(__half x) { return __float2uint_rn(x); }
static inline unsigned int __half2uint_rz(__half x) { return __float2uint_rz(x); }
static inline short __half2short_rn(__half x) { return static_cast<short>(__float2int_rn(x)); }
static inline unsigned short __half2ushort_rn(__half x) {
  return static_cast<unsigned short>(__float2uint_rn(x));
}
static inline long long __half2ll_rn(__half x) { return __float2ll_rn(x); }
static inline unsigned long long __half2ull_rn(__half x) { return __float2ull_rn(x); }
static inline long long __half2ll_rd(__half x) { return __float2ll_rd(x); }
static inline unsigned long long __half2ull_rd(__half x) { return __float2ull_rd(x); }
static inline long long __half2ll_ru(__half x) { return __float2ll_ru(x); }
static inline unsigned long long __half2ull_ru(__half x) { return __float2ull_ru(x); }
static inline long long __half2ll_rz(__half x) { return __float2ll_rz(x); }
static inline unsigned long long __half2ull_rz(__half x) { return __float2ull_rz(x); }
static inline unsigned int __half2uint_rd(__half x) { return __float2uint_rd(x); }
static inline unsigned int __half2uint_ru(__half x) { return __float2uint_ru(x); }
static inline short __half2short_rd(__half x) { return static_cast<short>(__float2int_rd(x)); }
static inline unsigned short __half2ushort_rd(__half x) {
  return static_cast<unsigned short>(__float2uint_rd(x));
}
static inline short __half2short_ru(__half x) { return static_cast<short>(__float2int_ru(x)); }
static inline unsigned short __half2ushort_ru(__half x) {
  return static_cast<unsigned short>(__float2uint_ru(x));
}
static inline short __half2short_rz(__half x) { return static_cast<short>(__float2int_rz(x)); }
static inline unsigned short __half2ushort_rz(__half x) {
  return static_cast<unsigned short>(__float2uint_rz(x));
}
static inline short __half_as_short(__half x) { return static_cast<short>(x.bits); }
static inline unsigned short __half_as_ushort(__half x) { return x.bits; }
static inline __half __short_as_half(short x) { return __half_raw{static_cast<unsigned short>(x)}; }
static inline __half __ushort_as_half(unsigned short x) { return __half_raw{x}; }
static inline __half2 __float2half2_rn(float x) { return {__half(x), __half(x)}; }
static inline __half2 __floats2half2_rn(float x, float y) { return {__half(x), __half(y)}; }
static inline __half2 __float22half2_rn(float2 v) { return {__half(v.x), __half(v.y)}; }
static inline float2 __half22float2(__half2 v) { return {v.x, v.y}; }
static inline float __low2float(__half2 v) { return v.x; }
static inline float __high2float(__half2 v) { return v.y; }
static inline __half __low2half(__half2 v) { return v.x; }
static inline __half __high2half(__half2 v) { return v.y; }
static inline __half2 __half2half2(__half x) { return {x, x}; }
static inline __half2 __halves2half2(__half x, __half y) { return {x, y}; }
static inline __half2 make_half2(__half x, __half y) { return {x, y}; }
static inline __half2 __low2half2(__half2 v) { return {v.x, v.x}; }
static inline __half2 __high2half2(__half2 v) { return {v.y, v.y}; }
static inline __half2 __lowhigh2highlow(__half2 v) { return {v.y, v.x}; }
static inline __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
static inline __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }

#define CPU_DEVICE_HALF __half
#define CPU_DEVICE_HALF2 __half2
#define CPU_DEVICE_RAW __half_raw
#include "cpu_device/half_arithmetic.h"

#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half(0x0000)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00)
