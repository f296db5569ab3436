// bfloat16: the types __nv_bfloat16 and __nv_bfloat162 with the operators and intrinsics of CUDA's header.
// Round to nearest even; comparisons with NaN as IEEE 754 has them.
#pragma once

#define __CUDA_BF16_H__

#include "cpu_device/half.h"

struct __nv_bfloat16_raw {
  unsigned short x;
};
struct __nv_bfloat162_raw {
  unsigned short x, y;
};

struct alignas(2) __nv_bfloat16 {
  unsigned short bits;

  using Format = cpu_device::Float16<7>;
  __nv_bfloat16() = default;
  constexpr __nv_bfloat16(const __nv_bfloat16_raw& raw) : bits(raw.x) {}
  __nv_bfloat16(float x) : bits(Format::from_float(x)) {}
  __nv_bfloat16(double x) : bits(Format::from_double(x)) {}
  __nv_bfloat16(int x) : bits(Format::from_double(x)) {}
  __nv_bfloat16(unsigned int x) : bits(Format::from_double(x)) {}
  __nv_bfloat16(short x) : bits(Format::from_double(x)) {}
  __nv_bfloat16(unsigned short x) : bits(Format::from_double(x)) {}
  __nv_bfloat16(long x) : bits(Format::from_double(static_cast<double>(x))) {}
  __nv_bfloat16(unsigned long x) : bits(Format::from_double(static_cast<double>(x))) {}
  __nv_bfloat16(long long x) : bits(Format::from_double(static_cast<double>(x))) {}
  __nv_bfloat16(unsigned long long x) : bits(Format::from_double(static_cast<double>(x))) {}
  operator float() const { return Format::to_float(bits); }
  operator __nv_bfloat16_raw() const { return {bits}; }
  explicit operator bool() const { return (bits & 0x7fff) != 0; }
  explicit operator int() const { return __float2int_rz(*this); }
  explicit operator unsigned int() const { return __float2uint_rz(*this); }
  explicit operator short() const { return static_cast<short>(__float2int_rz(*this)); }
  explicit operator long long() const { return __float2ll_rz(*this); }
  __nv_bfloat16& operator=(float x) { return *this = __nv_bfloat16(x); }
  __nv_bfloat16& operator=(double x) { return *this = __nv_bfloat16(x); }
  __nv_bfloat16& operator=(int x) { return *this = __nv_bfloat16(x); }
};
typedef __nv_bfloat16 nv_bfloat16;

struct alignas(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  __nv_bfloat162(const __nv_bfloat16& low, const __nv_bfloat16& high) : x(low), y(high) {}
  __nv_bfloat162(const __nv_bfloat162_raw& raw) : x(__nv_bfloat16_raw{raw.x}), y(__nv_bfloat16_raw{raw.y}) {}
};
typedef __nv_bfloat162 nv_bfloat162;

// ---- conversions ----
static inline __nv_bfloat16 __float2bfloat16(float x) { return __nv_bfloat16(x); }
static inline __nv_bfloat16 __float2bfloat16_rn(float x) { return __nv_bfloat16(x); }
static inline __nv_bfloat16 __float2bfloat16_rz(float x) { return __nv_bfloat16_raw{__nv_bfloat16::Format::from_double(x, __nv_bfloat16::Format::zero)}; }
static inline __nv_bfloat16 __float2bfloat16_rd(float x) { return __nv_bfloat16_raw{__nv_bfloat16::Format::from_double(x, __nv_bfloat16::Format::down)}; }
static inline __nv_bfloat16 __float2bfloat16_ru(float x) { return __nv_bfloat16_raw{__nv_bfloat16::Format::from_double(x, __nv_bfloat16::Format::up)}; }
static inline __nv_bfloat16 __double2bfloat16(double x) { return __nv_bfloat16(x); }
static inline float __bfloat162float(__nv_bfloat16 x) { return x; }
static inline __nv_bfloat16 __int2bfloat16_rn(int x) { return __nv_bfloat16(x); }
static inline __nv_bfloat16 __uint2bfloat16_rn(unsigned int x) { return __nv_bfloat16(x); }
static inline __nv_bfloat16 __short2bfloat16_rn(short x) { return __nv_bfloat16(x); }
static inline __nv_bfloat16 __ushort2bfloat16_rn(unsigned short x) { return __nv_bfloat16(x); }
static inline __nv_bfloat16 __ll2bfloat16_rn(long long x) { return __nv_bfloat16(x); }
static inline __nv_bfloat16 __int2bfloat16_rz(int x) { return __nv_bfloat16_raw{__nv_bfloat16::Format::from_double(x, __nv_bfloat16::Format::zero)}; }
static inline __nv_bfloat16 __uint2bfloat16_rz(unsigned int x) { return __nv_bfloat16_raw{__nv_bfloat16::Format::from_double(x, __nv_bfloat16::Format::zero)}; }
static inline __nv_bfloat16 __short2bfloat16_rz(short x) { return __nv_bfloat16_raw{__nv_bfloat16::Format::from_double(x, __nv_bfloat16::Format::zero)}; }
static inline __nv_bfloat16 __ushort2bfloat16_rz(unsigned short x) { return __nv_bfloat16_raw{__nv_bfloat16::Format::from_double(x, __nv_bfloat16::Format::zero)}; }
static inline __nv_bfloat16 __ll2bfloat16_rz(long long x) {
  return __nv_bfloat16_raw{__nv_bfloat16::Format::from_double(__ll2double_rz(x), __nv_bfloat16::Format::zero)};
}
static inline __nv_bfloat16 __ull2bfloat16_rz(unsigned long long x) {
  return __nv_bfloat16_raw{__nv_bfloat16::Format::from_double(__ull2double_rz(x), __nv_bfloat16::Format::zero)};
}
static inline __nv_bfloat16 __int2bfloat16_rd(int x) { return __nv_bfloat16_raw{__nv_bfloat16::Format::from_double(x, __nv_bfloat16::Format::down)}; }
static inline __nv_bfloat16 __uint2bfloat16_rd(unsigned int x) { return __nv_bfloat16_raw{__nv_bfloat16::Format::from_double(x, __nv_bfloat16::Format::down)}; }
static inline __nv_bfloat16 __short2bfloat16_rd(short x) { return __nv_bfloat16_raw{__nv_bfloat16::Format::from_double(x, __nv_bfloat16::Format::down)}; }
static inline __nv_bfloat16 __ushort2bfloat16_rd(unsigned short x) { return __nv_bfloat16_raw{__nv_bfloat16::Format::from_double(x, __nv_bfloat16::Format::down)}; }
static inline __nv_bfloat16 __ll2bfloat16_rd(long long x) {
  return __nv_bfloat16_raw{__nv_bfloat16::Format::from_double(__ll2double_rd(x), __nv_bfloat16::Format::down)};
}
static inline __nv_bfloat16 __ull2bfloat16_rd(unsigned long long x) {
  return __nv_bfloat16_raw{__nv_bfloat16::Format::from_double(__ull2double_rd(x), __nv_bfloat16::Format::down)};
}
static inline __nv_bfloat16 __int2bfloat16_ru(int x) { return __nv_bfloat16_raw{__nv_bfloat16::Format::from_double(x, __nv_bfloat16::Format::up)}; }
static inline __nv_bfloat16 __uint2bfloat16_ru(unsigned int x) { return __nv_bfloat16_raw{__nv_bfloat16::Format::from_double(x, __nv_bfloat16::Format::up)}; }
static inline __nv_bfloat16 __short2bfloat16_ru(short x) { return __nv_bfloat16_raw{__nv_bfloat16::Format::from_double(x, __nv_bfloat16::Format::up)}; }
static inline __nv_bfloat16 __ushort2bfloat16_ru(unsigned short x) { return __nv_bfloat16_raw{__nv_bfloat16::Format::from_double(x, __nv_bfloat16::Format::up)}; }
static inline __nv_bfloat16 __ll2bfloat16_ru(long long x) {
  return __nv_bfloat16_raw{__nv_bfloat16::Format::from_double(__ll2double_ru(x), __nv_bfloat16::Format::up)};
}
static inline __nv_bfloat16 __ull2bfloat16_ru(unsigned long long x) {
  return __nv_bfloat16_raw{__nv_bfloat16::Format::from_double(__ull2double_ru(x), __nv_bfloat16::Format::up)};
}
static inline __nv_bfloat16 __ull2bfloat16_rn(unsigned long long x) { return __nv_bfloat16(x); }
static inline int __bfloat162int_rn(__nv_bfloat16 x) { return __float2int_rn(x); }
static inline int __bfloat162int_rz(__nv_bfloat16 x) { return __float2int_rz(x); }
static inline int __bfloat162int_rd(__nv_bfloat16 x) { return __float2int_rd(x); }
static inline int __bfloat162int_ru(__nv_bfloat16 x) { return __float2int_ru(x); }
static inline unsigned int __bfloat162uint_rn(__nv_bfloat16 x) { return __float2uint_rn(x); }
static inline unsigned int __bfloat162uint_rz(__nv_bfloat16 x) { return __float2uint_rz(x); }
static inline short __bfloat162short_rn(__nv_bfloat16 x) { return static_cast<short>(__float2int_rn(x)); }
static inline unsigned short __bfloat162ushort_rn(__nv_bfloat16 x) {
  return static_cast<unsigned short>(__float2uint_rn(x));
}
static inline long long __bfloat162ll_rn(__nv_bfloat16 x) { return __float2ll_rn(x); }
static inline unsigned long long __bfloat162ull_rn(__nv_bfloat16 x) { return __float2ull_rn(x); }
static inline long long __bfloat162ll_rd(__nv_bfloat16 x) { return __float2ll_rd(x); }
static inline unsigned long long __bfloat162ull_rd(__nv_bfloat16 x) { return __float2ull_rd(x); }
static inline long long __bfloat162ll_ru(__nv_bfloat16 x) { return __float2ll_ru(x); }
static inline unsigned long long __bfloat162ull_ru(__nv_bfloat16 x) { return __float2ull_ru(x); }
static inline long long __bfloat162ll_rz(__nv_bfloat16 x) { return __float2ll_rz(x); }
static inline unsigned long long __bfloat162ull_rz(__nv_bfloat16 x) { return __float2ull_rz(x); }
static inline unsigned int __bfloat162uint_rd(__nv_bfloat16 x) { return __float2uint_rd(x); }
static inline unsigned int __bfloat162uint_ru(__nv_bfloat16 x) { return __float2uint_ru(x); }
static inline short __bfloat162short_rd(__nv_bfloat16 x) { return static_cast<short>(__float2int_rd(x)); }
static inline unsigned short __bfloat162ushort_rd(__nv_bfloat16 x) {
  return static_cast<unsigned short>(__float2uint_rd(x));
}
static inline short __bfloat162short_ru(__nv_bfloat16 x) { return static_cast<short>(__float2int_ru(x)); }
static inline unsigned short __bfloat162ushort_ru(__nv_bfloat16 x) {
  return static_cast<unsigned short>(__float2uint_ru(x));
}
static inline short __bfloat162short_rz(__nv_bfloat16 x) { return static_cast<short>(__float2int_rz(x)); }
static inline unsigned short __bfloat162ushort_rz(__nv_bfloat16 x) {
  return static_cast<unsigned short>(__float2uint_rz(x));
}
static inline short __bfloat16_as_short(__nv_bfloat16 x) { return static_cast<short>(x.bits); }
static inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) { return x.bits; }
static inline __nv_bfloat16 __short_as_bfloat16(short x) { return __nv_bfloat16_raw{static_cast<unsigned short>(x)}; }
static inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short x) { return __nv_bfloat16_raw{x}; }
static inline __nv_bfloat162 __float2bfloat162_rn(float x) { return {__nv_bfloat16(x), __nv_bfloat16(x)}; }
static inline __nv_bfloat162 __floats2bfloat162_rn(float x, float y) { return {__nv_bfloat16(x), __nv_bfloat16(y)}; }
static inline __nv_bfloat162 __float22bfloat162_rn(float2 v) { return {__nv_bfloat16(v.x), __nv_bfloat16(v.y)}; }
static inline float2 __bfloat1622float2(__nv_bfloat162 v) { return {v.x, v.y}; }
static inline float __low2float(__nv_bfloat162 v) { return v.x; }
static inline float __high2float(__nv_bfloat162 v) { return v.y; }
static inline __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
static inline __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
static inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) { return {x, x}; }
static inline __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
static inline __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return {x, y}; }
static inline __nv_bfloat162 __low2bfloat162(__nv_bfloat162 v) { return {v.x, v.x}; }
static inline __nv_bfloat162 __high2bfloat162(__nv_bfloat162 v) { return {v.y, v.y}; }
static inline __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 v) { return {v.y, v.x}; }
static inline __nv_bfloat162 __lows2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return {a.x, b.x}; }
static inline __nv_bfloat162 __highs2bfloat162(__nv_bfloat162 a, __nv_bfloat162 b) { return {a.y, b.y}; }

#define CPU_DEVICE_HALF __nv_bfloat16
#define CPU_DEVICE_HALF2 __nv_bfloat162
#define CPU_DEVICE_RAW __nv_bfloat16_raw
#include "cpu_device/half_arithmetic.h"

#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80)
