// The math functions that CUDA adds to the C library's: names and results are those of the CUDA
// Math API; intrinsics (__sinf ...) are at least as accurate here as on a GPU.
#pragma once

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmath>

#include "builtins.h"

#ifdef __CUDACC__  // as with nvcc, C++ files that include cuda_runtime.h get none of these
// ---- minimum, maximum, absolute value: global, for mixed types too, as in CUDA ----
#define CPU_DEVICE_MIN_MAX(TYPE)                                             \
  static inline constexpr TYPE min(TYPE a, TYPE b) { return b < a ? b : a; } \
  static inline constexpr TYPE max(TYPE a, TYPE b) { return a < b ? b : a; }
CPU_DEVICE_MIN_MAX(int)
CPU_DEVICE_MIN_MAX(unsigned int)
CPU_DEVICE_MIN_MAX(long)
CPU_DEVICE_MIN_MAX(unsigned long)
CPU_DEVICE_MIN_MAX(long long)
CPU_DEVICE_MIN_MAX(unsigned long long)
#undef CPU_DEVICE_MIN_MAX
// For floating point, a NaN loses against a number, as with fminf.
static inline float min(float a, float b) { return fminf(a, b); }
static inline float max(float a, float b) { return fmaxf(a, b); }
static inline double min(double a, double b) { return fmin(a, b); }
static inline double max(double a, double b) { return fmax(a, b); }
static inline double min(float a, double b) { return fmin(a, b); }
static inline double max(float a, double b) { return fmax(a, b); }
static inline double min(double a, float b) { return fmin(a, b); }
static inline double max(double a, float b) { return fmax(a, b); }
static inline constexpr unsigned int min(int a, unsigned int b) {
  return min(static_cast<unsigned int>(a), b);
}
static inline constexpr unsigned int max(int a, unsigned int b) {
  return max(static_cast<unsigned int>(a), b);
}
static inline constexpr unsigned int min(unsigned int a, int b) {
  return min(a, static_cast<unsigned int>(b));
}
static inline constexpr unsigned int max(unsigned int a, int b) {
  return max(a, static_cast<unsigned int>(b));
}
static inline unsigned int umin(unsigned int a, unsigned int b) { return min(a, b); }
static inline long long llmin(long long a, long long b) { return a < b ? a : b; }
static inline long long llmax(long long a, long long b) { return a < b ? b : a; }
static inline unsigned long long ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
static inline unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a < b ? b : a; }
static inline unsigned int umax(unsigned int a, unsigned int b) { return max(a, b); }
using std::abs;

// ---- single and double precision functions that C does not have ----
// But newer C libraries have some of them.
#ifdef __GLIBC__
#define CPU_DEVICE_GLIBC(MINOR) __GLIBC_PREREQ(2, MINOR)
#else
#define CPU_DEVICE_GLIBC(MINOR) 0
#endif
#if CPU_DEVICE_GLIBC(42)  // A call of its rsqrt() would keep loops from being vectorized.
#define CPU_DEVICE_RSQRT extern inline __attribute__((gnu_inline, always_inline))
#else
#define CPU_DEVICE_RSQRT static inline
#endif
CPU_DEVICE_RSQRT float rsqrtf(float x) noexcept { return 1.0f / sqrtf(x); }
CPU_DEVICE_RSQRT double rsqrt(double x) noexcept { return 1.0 / sqrt(x); }
#undef CPU_DEVICE_RSQRT
#if !CPU_DEVICE_GLIBC(41)
static inline double sinpi(double x) { return sin(M_PI * fmod(x, 2.0)); }
static inline double cospi(double x) { return cos(M_PI * fmod(x, 2.0)); }
static inline float sinpif(float x) { return static_cast<float>(sinpi(static_cast<double>(x))); }
static inline float cospif(float x) { return static_cast<float>(cospi(static_cast<double>(x))); }
#endif
#undef CPU_DEVICE_GLIBC
static inline float rsqrt(float x) { return rsqrtf(x); }
static inline float rcbrtf(float x) { return 1.0f / cbrtf(x); }
static inline double rcbrt(double x) { return 1.0 / cbrt(x); }
static inline float fdividef(float x, float y) { return x / y; }
static inline void sincospi(double x, double* s, double* c) {
  *s = sinpi(x);
  *c = cospi(x);
}
static inline void sincospif(float x, float* s, float* c) {
  *s = sinpif(x);
  *c = cospif(x);
}
static inline double norm3d(double x, double y, double z) { return hypot(hypot(x, y), z); }
static inline float norm3df(float x, float y, float z) {
  return static_cast<float>(sqrt(double(x) * x + double(y) * y + double(z) * z));
}
static inline float norm4df(float x, float y, float z, float w) {
  return static_cast<float>(sqrt(double(x) * x + double(y) * y + double(z) * z + double(w) * w));
}
static inline float rnorm3df(float x, float y, float z) { return 1.0f / norm3df(x, y, z); }
static inline float rhypotf(float x, float y) { return 1.0f / hypotf(x, y); }
static inline double rhypot(double x, double y) { return 1.0 / hypot(x, y); }
static inline double normcdf(double x) { return 0.5 * erfc(-x * M_SQRT1_2); }
static inline float normcdff(float x) { return static_cast<float>(normcdf(static_cast<double>(x))); }
// As in CUDA, a float's function has a float as its result by either name.
static inline float rcbrt(float x) { return rcbrtf(x); }
static inline float exp10(float x) { return exp10f(x); }
static inline float sinpi(float x) { return sinpif(x); }
static inline float cospi(float x) { return cospif(x); }
static inline void sincos(float x, float* s, float* c) { sincosf(x, s, c); }
static inline void sincospi(float x, float* s, float* c) { sincospif(x, s, c); }
static inline float normcdf(float x) { return normcdff(x); }
static inline float j0(float x) { return j0f(x); }
static inline float j1(float x) { return j1f(x); }
static inline float jn(int n, float x) { return jnf(n, x); }
static inline float y0(float x) { return y0f(x); }
static inline float y1(float x) { return y1f(x); }
static inline float yn(int n, float x) { return ynf(n, x); }

#endif
// ---- intrinsics: fast approximations on a GPU ----
static inline float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
static inline float __fdividef(float x, float y) { return x / y; }
// glibc's internal symbols have some of these names, declared or not: macros would reach them, so
// functions of C++ linkage are used.
// Without a call, so that loops over the threads of a block become vector instructions. Within 1 ulp, and defined for all numbers.
// The polynomials are those of Moshier's Cephes library (1992).
static inline float cpu_device_expf(float x) {  // 2^whole * e^rest
  constexpr float kToInteger = 12582912.0f;     // 1.5 * 2^23: a sum with it has no fraction
  const float at = x < 89.0f ? (x > -104.0f ? x : -104.0f) : 89.0f;
  const float n = (at * 1.44269504f + kToInteger) - kToInteger;
  const float rest = (at - n * 0.693359375f) + n * 2.12194440e-4f;
  const float p = ((((1.9875691500e-4f * rest + 1.3981999507e-3f) * rest + 8.3334519073e-3f) * rest + 4.1665795894e-2f) * rest +
                   1.6666665459e-1f) * rest + 5.0000001201e-1f;
  const int whole = static_cast<int>(n), half = whole >> 1;  // in two factors, as 2^whole may be no number
  const int bits = (half + 127) << 23, more = (whole - half + 127) << 23;
  float factor, other;
  __builtin_memcpy(&factor, &bits, sizeof factor);
  __builtin_memcpy(&other, &more, sizeof other);
  return x == x ? (p * (rest * rest) + rest + 1.0f) * factor * other : x;
}
static inline float cpu_device_logf(float x) {  // ln(2) * exponent + ln(1 + f)
  const bool is_tiny = x < __FLT_MIN__;
  const float at = is_tiny ? x * 8388608.0f : x;
  unsigned bits;  // those of a negative number, too, are taken apart; what comes of them is not used
  __builtin_memcpy(&bits, &at, sizeof bits);
  const int exponent = static_cast<int>(bits - 0x3f3504f3u) >> 23;  // of the root of one half
  bits -= static_cast<unsigned>(exponent) << 23;
  float mantissa;
  __builtin_memcpy(&mantissa, &bits, sizeof mantissa);
  const float f = mantissa - 1.0f, n = static_cast<float>(exponent) - (is_tiny ? 23.0f : 0.0f);
  const float p = ((((((((7.0376836292e-2f * f - 1.1514610310e-1f) * f + 1.1676998740e-1f) * f - 1.2420140846e-1f) * f +
                       1.4249322787e-1f) * f - 1.6668057665e-1f) * f + 2.0000714765e-1f) * f - 2.4999993993e-1f) * f +
                   3.3333331174e-1f) * f * (f * f);
  const float y = f + ((p - 2.12194440e-4f * n) - 0.5f * (f * f)) + 0.693359375f * n;
  const float other = x == 0.0f ? -__builtin_inff() : (x > 0.0f ? x : __builtin_nanf(""));
  return x > 0.0f && x <= __FLT_MAX__ ? y : other;
}
#define CPU_DEVICE_INTRINSIC(NAME, CALL) \
  static inline float cpu_device_##NAME(float x) { return CALL(x); }
CPU_DEVICE_INTRINSIC(sinf, sinf)
CPU_DEVICE_INTRINSIC(cosf, cosf)
CPU_DEVICE_INTRINSIC(tanf, tanf)
CPU_DEVICE_INTRINSIC(exp10f, exp10f)
CPU_DEVICE_INTRINSIC(log2f, log2f)
CPU_DEVICE_INTRINSIC(log10f, log10f)
#undef CPU_DEVICE_INTRINSIC
#define __sinf cpu_device_sinf
#define __cosf cpu_device_cosf
#define __tanf cpu_device_tanf
#define __expf cpu_device_expf
#define __exp10f cpu_device_exp10f
#define __logf cpu_device_logf
#define __log2f cpu_device_log2f
#define __log10f cpu_device_log10f
static inline float cpu_device_powf(float x, float y) { return powf(x, y); }
#define __powf cpu_device_powf
static inline void cpu_device_sincosf(float x, float* s, float* c) { sincosf(x, s, c); }
#define __sincosf cpu_device_sincosf

// ---- arithmetic with the rounding spelled out: never fused with a neighbor ----
namespace cpu_device {
// A value that the compiler must take as it is, so that no multiply-add is formed across it.
template <typename T>
static inline __attribute__((always_inline)) T opaque(T x) {
#if defined(__x86_64__)
  __asm__("" : "+x"(x));
#elif defined(__aarch64__)
  __asm__("" : "+w"(x));
#else
  volatile T kept = x;
  x = kept;
#endif
  return x;
}
}  // namespace cpu_device
static inline float __fadd_rn(float x, float y) { return cpu_device::opaque(x + y); }
static inline float __fsub_rn(float x, float y) { return cpu_device::opaque(x - y); }
static inline float __fmul_rn(float x, float y) { return cpu_device::opaque(x * y); }
static inline float __fdiv_rn(float x, float y) { return x / y; }
static inline float __fmaf_rn(float x, float y, float z) { return fmaf(x, y, z); }
static inline float __frcp_rn(float x) { return 1.0f / x; }
static inline float __fsqrt_rn(float x) { return sqrtf(x); }
static inline float __frsqrt_rn(float x) { return static_cast<float>(1.0 / sqrt(double(x))); }
static inline double __dadd_rn(double x, double y) { return cpu_device::opaque(x + y); }
static inline double __dsub_rn(double x, double y) { return cpu_device::opaque(x - y); }
static inline double __dmul_rn(double x, double y) { return cpu_device::opaque(x * y); }
static inline double __ddiv_rn(double x, double y) { return x / y; }
static inline double __fma_rn(double x, double y, double z) { return fma(x, y, z); }
static inline double __dsqrt_rn(double x) { return sqrt(x); }

// ---- integers and bits ----
static inline int __popc(unsigned int x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned int>(x)); }
static inline int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline int __ffsll(long long x) { return __builtin_ffsll(x); }
static inline unsigned int __brev(unsigned int x) {
  x = (x >> 16) | (x << 16);
  x = ((x & 0xff00ff00u) >> 8) | ((x & 0x00ff00ffu) << 8);
  x = ((x & 0xf0f0f0f0u) >> 4) | ((x & 0x0f0f0f0fu) << 4);
  x = ((x & 0xccccccccu) >> 2) | ((x & 0x33333333u) << 2);
  return ((x & 0xaaaaaaaau) >> 1) | ((x & 0x55555555u) << 1);
}
static inline unsigned long long __brevll(unsigned long long x) {
  return (static_cast<unsigned long long>(__brev(static_cast<unsigned int>(x))) << 32) |
         __brev(static_cast<unsigned int>(x >> 32));
}
// Bytes of the 8-byte value (y:x) chosen by the four low nibbles of the selector.
static inline unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) {
  const unsigned long long source = (static_cast<unsigned long long>(y) << 32) | x;
  unsigned int result = 0;
  for (int i = 0; i < 4; i++) {
    const unsigned int chosen = (selector >> (4 * i)) & 7;  // prmt's fourth bit, the sign, is not asked
    result |= (static_cast<unsigned int>(source >> (8 * chosen)) & 0xff) << (8 * i);
  }
  return result;
}
static inline int __mul24(int x, int y) {
  return ((x << 8) >> 8) * ((y << 8) >> 8);
}
static inline unsigned int __umul24(unsigned int x, unsigned int y) {
  return (x & 0xffffffu) * (y & 0xffffffu);
}
static inline int __mulhi(int x, int y) {
  return static_cast<int>((static_cast<long long>(x) * y) >> 32);
}
static inline unsigned int __umulhi(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(x) * y) >> 32);
}
static inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return static_cast<unsigned long long>((static_cast<unsigned __int128>(x) * y) >> 64);
}
static inline long long __mul64hi(long long x, long long y) {
  return static_cast<long long>((static_cast<__int128>(x) * y) >> 64);
}
static inline unsigned int __sad(int x, int y, unsigned int z) {
  return z + static_cast<unsigned int>(x > y ? x - y : y - x);
}
static inline int __hadd(int x, int y) {
  return static_cast<int>((static_cast<long long>(x) + y) >> 1);
}
static inline int __rhadd(int x, int y) {
  return static_cast<int>((static_cast<long long>(x) + y + 1) >> 1);
}
static inline unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int n) {
  n &= 31;
  return n == 0 ? high : (high << n) | (low >> (32 - n));
}
static inline unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int n) {
  n &= 31;
  return n == 0 ? low : (low >> n) | (high << (32 - n));
}

// ---- conversions as on a GPU: out of range gives the nearest value. NaN gives 0 from a float to 32 bits, otherwise the
// number with only the highest bit ----
namespace cpu_device {
template <typename Integer, typename Real>  // auto: see word_of() in atomics.h
static inline auto to_integer(Real x) {
  constexpr Integer low = static_cast<Integer>(Integer(-1) < Integer(0)
                                                   ? Integer(1) << (8 * sizeof(Integer) - 1)
                                                   : Integer(0));
  constexpr Integer high = static_cast<Integer>(~low);
  if (x != x) return sizeof(Integer) + sizeof(Real) == 8 ? Integer(0) : static_cast<Integer>(1ull << (8 * sizeof(Integer) - 1));
  if (x <= static_cast<Real>(low)) return low;
  if (x >= static_cast<Real>(high)) return high;
  return static_cast<Integer>(x);
}
template <typename To, typename From>
static inline auto bits(From x) {
  static_assert(sizeof(To) == sizeof(From), "same size");
  To result;
  __builtin_memcpy(&result, &x, sizeof(To));
  return result;
}
}  // namespace cpu_device
#define CPU_DEVICE_TO_INTEGER(NAME, REAL, INTEGER)                                              \
  static inline INTEGER NAME##_rn(REAL x) { return cpu_device::to_integer<INTEGER>(std::nearbyint(x)); } \
  static inline INTEGER NAME##_rz(REAL x) { return cpu_device::to_integer<INTEGER>(std::trunc(x)); }     \
  static inline INTEGER NAME##_rd(REAL x) { return cpu_device::to_integer<INTEGER>(std::floor(x)); }     \
  static inline INTEGER NAME##_ru(REAL x) { return cpu_device::to_integer<INTEGER>(std::ceil(x)); }
CPU_DEVICE_TO_INTEGER(__float2int, float, int)
CPU_DEVICE_TO_INTEGER(__float2uint, float, unsigned int)
CPU_DEVICE_TO_INTEGER(__float2ll, float, long long)
CPU_DEVICE_TO_INTEGER(__float2ull, float, unsigned long long)
CPU_DEVICE_TO_INTEGER(__double2int, double, int)
CPU_DEVICE_TO_INTEGER(__double2uint, double, unsigned int)
CPU_DEVICE_TO_INTEGER(__double2ll, double, long long)
CPU_DEVICE_TO_INTEGER(__double2ull, double, unsigned long long)
#undef CPU_DEVICE_TO_INTEGER
static inline float __int2float_rn(int x) { return static_cast<float>(x); }
static inline float __uint2float_rn(unsigned int x) { return static_cast<float>(x); }
static inline float __ll2float_rn(long long x) { return static_cast<float>(x); }
static inline float __ull2float_rn(unsigned long long x) { return static_cast<float>(x); }
static inline float __double2float_rn(double x) { return static_cast<float>(x); }
static inline double __int2double_rn(int x) { return x; }
static inline double __ll2double_rn(long long x) { return static_cast<double>(x); }
static inline int __float_as_int(float x) { return cpu_device::bits<int>(x); }
static inline unsigned int __float_as_uint(float x) { return cpu_device::bits<unsigned int>(x); }
static inline float __int_as_float(int x) { return cpu_device::bits<float>(x); }
static inline float __uint_as_float(unsigned int x) { return cpu_device::bits<float>(x); }
static inline long long __double_as_longlong(double x) { return cpu_device::bits<long long>(x); }
static inline double __longlong_as_double(long long x) { return cpu_device::bits<double>(x); }
static inline int __double2hiint(double x) {
  return static_cast<int>(cpu_device::bits<long long>(x) >> 32);
}
static inline int __double2loint(double x) {
  return static_cast<int>(cpu_device::bits<long long>(x));
}
static inline double __hiloint2double(int high, int low) {
  return cpu_device::bits<double>((static_cast<long long>(high) << 32) |
                                  static_cast<unsigned int>(low));
}

// ---- loads and stores with a cache hint: plain ones here ----
template <typename T>
static inline T __ldg(const T* address) {
  return *address;
}
template <typename T>
static inline T __ldcg(const T* address) {
  return *address;
}
template <typename T>
static inline T __ldca(const T* address) {
  return *address;
}
template <typename T>
static inline T __ldcs(const T* address) {
  return *address;
}
template <typename T>
static inline T __ldcv(const T* address, cpu_device::Site site = cpu_device::Site::here()) {
  cpu_device::polls(reinterpret_cast<unsigned long long>(address), site);
  if constexpr (__is_class(T)) {  // a vector: it cannot be copied from a volatile one
    __asm__ volatile("" ::: "memory");
    return *address;
  } else {
    return *const_cast<const volatile T*>(address);
  }
}
template <typename T>
static inline T __ldlu(const T* address) {
  return *address;
}
template <typename T>
static inline void __stwb(T* address, T value) {
  *address = value;
}
template <typename T>
static inline void __stwt(T* address, T value) {
  *address = value;
}
template <typename T>
static inline void __stcg(T* address, T value) {
  *address = value;
}
template <typename T>
static inline void __stcs(T* address, T value) {
  *address = value;
}
