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

// ---- arithmetic: one number and two at once ----
#define CPU_DEVICE_HALF2(NAME)                                                \
  static inline __half2 NAME##2(__half2 a, __half2 b) { return {NAME(a.x, b.x), NAME(a.y, b.y)}; }
#define CPU_DEVICE_HALF_BINARY(NAME, EXPRESSION)                              \
  static inline __half NAME(__half a, __half b) {                                      \
    const float x = a, y = b;                                                 \
    return __half(static_cast<float>(EXPRESSION));                               \
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
static inline __half __hdiv(__half a, __half b) { return __half(static_cast<float>(a) / static_cast<float>(b)); }
static inline __half2 __h2div(__half2 a, __half2 b) { return {__hdiv(a.x, b.x), __hdiv(a.y, b.y)}; }
// In double the product is exact, and the sum is rounded once before the end.
static inline __half __hfma(__half a, __half b, __half c) {
  return __half(fma(static_cast<double>(static_cast<float>(a)), static_cast<float>(b),
                 static_cast<float>(c)));
}
static inline __half __hfma_sat(__half a, __half b, __half c) {
  return __half(__saturatef(__hfma(a, b, c)));
}
static inline __half __hfma_relu(__half a, __half b, __half c) {
  return __half(fmaxf(__hfma(a, b, c), 0.0f));
}
static inline __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
static inline __half __hneg(__half a) { return __half_raw{static_cast<unsigned short>(a.bits ^ 0x8000)}; }
static inline __half __habs(__half a) { return __half_raw{static_cast<unsigned short>(a.bits & 0x7fff)}; }
static inline __half2 __hneg2(__half2 a) { return {__hneg(a.x), __hneg(a.y)}; }
static inline __half2 __habs2(__half2 a) { return {__habs(a.x), __habs(a.y)}; }

// ---- comparisons; those that end in u are true for NaN ----
#define CPU_DEVICE_HALF_COMPARE(NAME, SIGN)                                                     \
  static inline bool __h##NAME(__half a, __half b) {                                                  \
    return static_cast<float>(a) SIGN static_cast<float>(b);                                    \
  }                                                                                             \
  static inline bool __h##NAME##u(__half a, __half b) {                                               \
    const float x = a, y = b;                                                                   \
    return x != x || y != y || x SIGN y;                                                        \
  }                                                                                             \
  static inline __half2 __h##NAME##2(__half2 a, __half2 b) {                                             \
    return {__half(__h##NAME(a.x, b.x) ? 1.0f : 0.0f), __half(__h##NAME(a.y, b.y) ? 1.0f : 0.0f)};    \
  }                                                                                             \
  static inline bool __hb##NAME##2(__half2 a, __half2 b) {                                            \
    return __h##NAME(a.x, b.x) && __h##NAME(a.y, b.y);                                          \
  }
CPU_DEVICE_HALF_COMPARE(eq, ==)
CPU_DEVICE_HALF_COMPARE(lt, <)
CPU_DEVICE_HALF_COMPARE(le, <=)
CPU_DEVICE_HALF_COMPARE(gt, >)
CPU_DEVICE_HALF_COMPARE(ge, >=)
static inline bool __hne(__half a, __half b) {  // false for NaN, unlike !=
  const float x = a, y = b;
  return x < y || x > y;
}
static inline bool __hneu(__half a, __half b) { return static_cast<float>(a) != static_cast<float>(b); }
static inline bool __hisnan(__half a) { return (a.bits & 0x7fff) > __half::Format::kInfinity; }
static inline int __hisinf(__half a) {
  return (a.bits & 0x7fff) != __half::Format::kInfinity ? 0 : a.bits & 0x8000 ? -1 : 1;
}

// ---- math ----
#define CPU_DEVICE_HALF_FUNCTION(NAME, CALL)                              \
  static inline __half h##NAME(__half a) { return __half(CALL(static_cast<float>(a))); } \
  static inline __half2 h2##NAME(__half2 a) { return {h##NAME(a.x), h##NAME(a.y)}; }
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
  static inline __half operator SIGN(const __half& a, const __half& b) { return FUNCTION(a, b); }      \
  static inline __half& operator SIGN##=(__half& a, const __half& b) { return a = FUNCTION(a, b); }    \
  static inline __half2 operator SIGN(const __half2& a, const __half2& b) { return FUNCTION2(a, b); }  \
  static inline __half2& operator SIGN##=(__half2& a, const __half2& b) { return a = FUNCTION2(a, b); }
CPU_DEVICE_HALF_OPERATOR(+, __hadd, __hadd2)
CPU_DEVICE_HALF_OPERATOR(-, __hsub, __hsub2)
CPU_DEVICE_HALF_OPERATOR(*, __hmul, __hmul2)
CPU_DEVICE_HALF_OPERATOR(/, __hdiv, __h2div)
static inline __half operator-(const __half& a) { return __hneg(a); }
static inline __half operator+(const __half& a) { return a; }
static inline __half2 operator-(const __half2& a) { return __hneg2(a); }
static inline __half& operator++(__half& a) { return a = __hadd(a, __half(1.0f)); }
static inline __half& operator--(__half& a) { return a = __hsub(a, __half(1.0f)); }
static inline bool operator==(const __half& a, const __half& b) { return __heq(a, b); }
static inline bool operator!=(const __half& a, const __half& b) { return __hneu(a, b); }
static inline bool operator<(const __half& a, const __half& b) { return __hlt(a, b); }
static inline bool operator<=(const __half& a, const __half& b) { return __hle(a, b); }
static inline bool operator>(const __half& a, const __half& b) { return __hgt(a, b); }
static inline bool operator>=(const __half& a, const __half& b) { return __hge(a, b); }
static inline bool operator==(const __half2& a, const __half2& b) { return __hbeq2(a, b); }

// ---- atomics, by the runtime's compare-and-swap ----
static inline __half atomicAdd(__half* address, __half value,
                            cpu_device::Site site = cpu_device::Site::here()) {
  return cpu_device::update(address, site, [value](__half old) { return __hadd(old, value); });
}
static inline __half2 atomicAdd(__half2* address, __half2 value,
                             cpu_device::Site site = cpu_device::Site::here()) {
  return cpu_device::update(address, site, [value](__half2 old) { return __hadd2(old, value); });
}
static inline __half __ldg(const __half* address) { return *address; }
static inline __half2 __ldg(const __half2* address) { return *address; }

#undef CPU_DEVICE_HALF2
#undef CPU_DEVICE_HALF_BINARY
#undef CPU_DEVICE_HALF_COMPARE
#undef CPU_DEVICE_HALF_FUNCTION
#undef CPU_DEVICE_HALF_OPERATOR

#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half(0x0000)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00)
