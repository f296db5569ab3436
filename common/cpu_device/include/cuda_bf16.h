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

// ---- arithmetic: one number and two at once ----
#define CPU_DEVICE_HALF2(NAME)                                                \
  static inline __nv_bfloat162 NAME##2(__nv_bfloat162 a, __nv_bfloat162 b) { return {NAME(a.x, b.x), NAME(a.y, b.y)}; }
#define CPU_DEVICE_HALF_BINARY(NAME, EXPRESSION)                              \
  static inline __nv_bfloat16 NAME(__nv_bfloat16 a, __nv_bfloat16 b) {                                      \
    const float x = a, y = b;                                                 \
    return __nv_bfloat16(static_cast<float>(EXPRESSION));                               \
  }                                                                           \
  CPU_DEVICE_HALF2(NAME)
CPU_DEVICE_HALF_BINARY(__hadd, x + y)
CPU_DEVICE_HALF_BINARY(__hsub, x - y)
CPU_DEVICE_HALF_BINARY(__hmul, x* y)
CPU_DEVICE_HALF_BINARY(__hadd_rn, x + y)
CPU_DEVICE_HALF_BINARY(__hsub_rn, x - y)
CPU_DEVICE_HALF_BINARY(__hmul_rn, x* y)
CPU_DEVICE_HALF_BINARY(__hadd_sat, __saturatef(x + y))
CPU_DEVICE_HALF_BINARY(__hsub_sat, __saturatef(x - y))
CPU_DEVICE_HALF_BINARY(__hmul_sat, __saturatef(x* y))
CPU_DEVICE_HALF_BINARY(__hmax, fmaxf(x, y))
CPU_DEVICE_HALF_BINARY(__hmin, fminf(x, y))
static inline __nv_bfloat16 __hdiv(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16(static_cast<float>(a) / static_cast<float>(b)); }
static inline __nv_bfloat162 __h2div(__nv_bfloat162 a, __nv_bfloat162 b) { return {__hdiv(a.x, b.x), __hdiv(a.y, b.y)}; }
// In double the product is exact, and the sum is rounded once before the end.
static inline __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  return __nv_bfloat16(fma(static_cast<double>(static_cast<float>(a)), static_cast<float>(b),
                 static_cast<float>(c)));
}
static inline __nv_bfloat16 __hfma_sat(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  return __nv_bfloat16(__saturatef(__hfma(a, b, c)));
}
static inline __nv_bfloat16 __hfma_relu(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  return __nv_bfloat16(fmaxf(__hfma(a, b, c), 0.0f));
}
static inline __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
static inline __nv_bfloat16 __hneg(__nv_bfloat16 a) { return __nv_bfloat16_raw{static_cast<unsigned short>(a.bits ^ 0x8000)}; }
static inline __nv_bfloat16 __habs(__nv_bfloat16 a) { return __nv_bfloat16_raw{static_cast<unsigned short>(a.bits & 0x7fff)}; }
static inline __nv_bfloat162 __hneg2(__nv_bfloat162 a) { return {__hneg(a.x), __hneg(a.y)}; }
static inline __nv_bfloat162 __habs2(__nv_bfloat162 a) { return {__habs(a.x), __habs(a.y)}; }

// ---- comparisons; those that end in u are true for NaN ----
#define CPU_DEVICE_HALF_COMPARE(NAME, SIGN)                                                     \
  static inline bool __h##NAME(__nv_bfloat16 a, __nv_bfloat16 b) {                                                  \
    return static_cast<float>(a) SIGN static_cast<float>(b);                                    \
  }                                                                                             \
  static inline bool __h##NAME##u(__nv_bfloat16 a, __nv_bfloat16 b) {                                               \
    const float x = a, y = b;                                                                   \
    return x != x || y != y || x SIGN y;                                                        \
  }                                                                                             \
  static inline __nv_bfloat162 __h##NAME##2(__nv_bfloat162 a, __nv_bfloat162 b) {                                             \
    return {__nv_bfloat16(__h##NAME(a.x, b.x) ? 1.0f : 0.0f), __nv_bfloat16(__h##NAME(a.y, b.y) ? 1.0f : 0.0f)};    \
  }                                                                                             \
  static inline bool __hb##NAME##2(__nv_bfloat162 a, __nv_bfloat162 b) {                                            \
    return __h##NAME(a.x, b.x) && __h##NAME(a.y, b.y);                                          \
  }
CPU_DEVICE_HALF_COMPARE(eq, ==)
CPU_DEVICE_HALF_COMPARE(lt, <)
CPU_DEVICE_HALF_COMPARE(le, <=)
CPU_DEVICE_HALF_COMPARE(gt, >)
CPU_DEVICE_HALF_COMPARE(ge, >=)
static inline bool __hne(__nv_bfloat16 a, __nv_bfloat16 b) {  // false for NaN, unlike !=
  const float x = a, y = b;
  return x < y || x > y;
}
static inline bool __hneu(__nv_bfloat16 a, __nv_bfloat16 b) { return static_cast<float>(a) != static_cast<float>(b); }
static inline bool __hisnan(__nv_bfloat16 a) { return (a.bits & 0x7fff) > __nv_bfloat16::Format::kInfinity; }
static inline int __hisinf(__nv_bfloat16 a) {
  return (a.bits & 0x7fff) != __nv_bfloat16::Format::kInfinity ? 0 : a.bits & 0x8000 ? -1 : 1;
}

// ---- math ----
#define CPU_DEVICE_HALF_FUNCTION(NAME, CALL)                              \
  static inline __nv_bfloat16 h##NAME(__nv_bfloat16 a) { return __nv_bfloat16(CALL(static_cast<float>(a))); } \
  static inline __nv_bfloat162 h2##NAME(__nv_bfloat162 a) { return {h##NAME(a.x), h##NAME(a.y)}; }
CPU_DEVICE_HALF_FUNCTION(sqrt, sqrtf)
CPU_DEVICE_HALF_FUNCTION(exp, expf)
CPU_DEVICE_HALF_FUNCTION(exp2, exp2f)
CPU_DEVICE_HALF_FUNCTION(exp10, ::exp10f)
CPU_DEVICE_HALF_FUNCTION(log, logf)
CPU_DEVICE_HALF_FUNCTION(log2, log2f)
CPU_DEVICE_HALF_FUNCTION(log10, log10f)
CPU_DEVICE_HALF_FUNCTION(sin, sinf)
CPU_DEVICE_HALF_FUNCTION(cos, cosf)
CPU_DEVICE_HALF_FUNCTION(tanh, tanhf)
CPU_DEVICE_HALF_FUNCTION(floor, floorf)
CPU_DEVICE_HALF_FUNCTION(ceil, ceilf)
CPU_DEVICE_HALF_FUNCTION(trunc, truncf)
CPU_DEVICE_HALF_FUNCTION(rint, rintf)
CPU_DEVICE_HALF_FUNCTION(rcp, 1.0f /)
CPU_DEVICE_HALF_FUNCTION(rsqrt, 1.0f / sqrtf)

// ---- operators ----
#define CPU_DEVICE_HALF_OPERATOR(SIGN, FUNCTION, FUNCTION2)                                   \
  static inline __nv_bfloat16 operator SIGN(const __nv_bfloat16& a, const __nv_bfloat16& b) { return FUNCTION(a, b); }      \
  static inline __nv_bfloat16& operator SIGN##=(__nv_bfloat16& a, const __nv_bfloat16& b) { return a = FUNCTION(a, b); }    \
  static inline __nv_bfloat162 operator SIGN(const __nv_bfloat162& a, const __nv_bfloat162& b) { return FUNCTION2(a, b); }  \
  static inline __nv_bfloat162& operator SIGN##=(__nv_bfloat162& a, const __nv_bfloat162& b) { return a = FUNCTION2(a, b); }
CPU_DEVICE_HALF_OPERATOR(+, __hadd, __hadd2)
CPU_DEVICE_HALF_OPERATOR(-, __hsub, __hsub2)
CPU_DEVICE_HALF_OPERATOR(*, __hmul, __hmul2)
CPU_DEVICE_HALF_OPERATOR(/, __hdiv, __h2div)
static inline __nv_bfloat16 operator-(const __nv_bfloat16& a) { return __hneg(a); }
static inline __nv_bfloat16 operator+(const __nv_bfloat16& a) { return a; }
static inline __nv_bfloat162 operator-(const __nv_bfloat162& a) { return __hneg2(a); }
static inline __nv_bfloat16& operator++(__nv_bfloat16& a) { return a = __hadd(a, __nv_bfloat16(1.0f)); }
static inline __nv_bfloat16& operator--(__nv_bfloat16& a) { return a = __hsub(a, __nv_bfloat16(1.0f)); }
static inline bool operator==(const __nv_bfloat16& a, const __nv_bfloat16& b) { return __heq(a, b); }
static inline bool operator!=(const __nv_bfloat16& a, const __nv_bfloat16& b) { return __hneu(a, b); }
static inline bool operator<(const __nv_bfloat16& a, const __nv_bfloat16& b) { return __hlt(a, b); }
static inline bool operator<=(const __nv_bfloat16& a, const __nv_bfloat16& b) { return __hle(a, b); }
static inline bool operator>(const __nv_bfloat16& a, const __nv_bfloat16& b) { return __hgt(a, b); }
static inline bool operator>=(const __nv_bfloat16& a, const __nv_bfloat16& b) { return __hge(a, b); }
static inline bool operator==(const __nv_bfloat162& a, const __nv_bfloat162& b) { return __hbeq2(a, b); }

// ---- atomics, by the runtime's compare-and-swap ----
static inline __nv_bfloat16 atomicAdd(__nv_bfloat16* address, __nv_bfloat16 value,
                            cpu_device::Site site = cpu_device::Site::here()) {
  return cpu_device::update(address, site, [value](__nv_bfloat16 old) { return __hadd(old, value); });
}
static inline __nv_bfloat162 atomicAdd(__nv_bfloat162* address, __nv_bfloat162 value,
                             cpu_device::Site site = cpu_device::Site::here()) {
  return cpu_device::update(address, site, [value](__nv_bfloat162 old) { return __hadd2(old, value); });
}
static inline __nv_bfloat16 __ldg(const __nv_bfloat16* address) { return *address; }
static inline __nv_bfloat162 __ldg(const __nv_bfloat162* address) { return *address; }

#undef CPU_DEVICE_HALF2
#undef CPU_DEVICE_HALF_BINARY
#undef CPU_DEVICE_HALF_COMPARE
#undef CPU_DEVICE_HALF_FUNCTION
#undef CPU_DEVICE_HALF_OPERATOR

#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80)
