// Intrinsics beyond the ones that the course uses: address spaces, dot products of bytes, SIMD in a
// word, the shuffles and votes of CUDA 8.
#pragma once

#include "device_math.h"
#include "warp.h"

// ---- address spaces: there is one here ----
static inline size_t __cvta_generic_to_shared(const void* p) { return reinterpret_cast<size_t>(p); }
static inline size_t __cvta_generic_to_global(const void* p) { return reinterpret_cast<size_t>(p); }
static inline size_t __cvta_generic_to_local(const void* p) { return reinterpret_cast<size_t>(p); }
static inline size_t __cvta_generic_to_constant(const void* p) { return reinterpret_cast<size_t>(p); }
static inline void* __cvta_shared_to_generic(size_t p) { return reinterpret_cast<void*>(p); }
static inline void* __cvta_global_to_generic(size_t p) { return reinterpret_cast<void*>(p); }
static inline void* __cvta_local_to_generic(size_t p) { return reinterpret_cast<void*>(p); }
static inline void* __cvta_constant_to_generic(size_t p) { return reinterpret_cast<void*>(p); }
namespace cpu_device {
bool is_shared(const void* address);  // static or dynamic shared memory of the calling thread's block
bool is_on_stack(const void* address);
}  // namespace cpu_device
static inline unsigned int __isShared(const void* p) { return cpu_device::is_shared(p); }
static inline unsigned int __isLocal(const void* p) { return cpu_device::is_on_stack(p); }
static inline unsigned int __isConstant(const void*) { return 0; }
static inline unsigned int __isGlobal(const void* p) {
  return !cpu_device::is_shared(p) && !cpu_device::is_on_stack(p);
}

// ---- minimum and maximum of mixed 8-byte integers, as CUDA overloads them ----
#ifdef __CUDACC__
#define CPU_DEVICE_MIN_MAX(SIGNED, UNSIGNED)                                  \
  static inline constexpr UNSIGNED min(SIGNED a, UNSIGNED b) {                \
    return min(static_cast<UNSIGNED>(a), b);                                  \
  }                                                                           \
  static inline constexpr UNSIGNED min(UNSIGNED a, SIGNED b) {                \
    return min(a, static_cast<UNSIGNED>(b));                                  \
  }                                                                           \
  static inline constexpr UNSIGNED max(SIGNED a, UNSIGNED b) {                \
    return max(static_cast<UNSIGNED>(a), b);                                  \
  }                                                                           \
  static inline constexpr UNSIGNED max(UNSIGNED a, SIGNED b) {                \
    return max(a, static_cast<UNSIGNED>(b));                                  \
  }
CPU_DEVICE_MIN_MAX(long, unsigned long)
CPU_DEVICE_MIN_MAX(long long, unsigned long long)
#undef CPU_DEVICE_MIN_MAX
#endif

// ---- arithmetic with the rounding spelled out: _rd down, _ru up, _rz towards zero ----
namespace cpu_device {
enum class Rounding { down, up, zero };
// Operands and results pass through memory that the compiler cannot look into, so that nothing is
// computed before the rounding is set or after it is reset.
int begin_rounding(Rounding how);  // returns what end_rounding wants
void end_rounding(int before);
}  // namespace cpu_device
#define CPU_DEVICE_ROUNDED(SUFFIX, HOW, REAL, NAME, EXPRESSION, PARAMETERS, FENCE)        \
  static inline REAL NAME##_##SUFFIX PARAMETERS {                                         \
    const int before = cpu_device::begin_rounding(cpu_device::Rounding::HOW);             \
    FENCE;                                                                                \
    REAL result = EXPRESSION;                                                             \
    __asm__ volatile("" : "+m"(result));                                                  \
    cpu_device::end_rounding(before);                                                     \
    return result;                                                                        \
  }
#define CPU_DEVICE_ROUNDED3(REAL, NAME, EXPRESSION, PARAMETERS, FENCE)                    \
  CPU_DEVICE_ROUNDED(rd, down, REAL, NAME, EXPRESSION, PARAMETERS, FENCE)                 \
  CPU_DEVICE_ROUNDED(ru, up, REAL, NAME, EXPRESSION, PARAMETERS, FENCE)                   \
  CPU_DEVICE_ROUNDED(rz, zero, REAL, NAME, EXPRESSION, PARAMETERS, FENCE)
#define CPU_DEVICE_ARITHMETIC(REAL, PREFIX, FMA_NAME, FMA, SQRT)                                            \
  CPU_DEVICE_ROUNDED3(REAL, __##PREFIX##add, x + y, (REAL x, REAL y),                             \
                      __asm__ volatile("" : "+m"(x), "+m"(y)))                                    \
  CPU_DEVICE_ROUNDED3(REAL, __##PREFIX##sub, x - y, (REAL x, REAL y),                             \
                      __asm__ volatile("" : "+m"(x), "+m"(y)))                                    \
  CPU_DEVICE_ROUNDED3(REAL, __##PREFIX##mul, x * y, (REAL x, REAL y),                             \
                      __asm__ volatile("" : "+m"(x), "+m"(y)))                                    \
  CPU_DEVICE_ROUNDED3(REAL, __##PREFIX##div, x / y, (REAL x, REAL y),                             \
                      __asm__ volatile("" : "+m"(x), "+m"(y)))                                    \
  CPU_DEVICE_ROUNDED3(REAL, __##PREFIX##rcp, 1 / x, (REAL x), __asm__ volatile("" : "+m"(x)))     \
  CPU_DEVICE_ROUNDED3(REAL, __##PREFIX##sqrt, SQRT(x), (REAL x), __asm__ volatile("" : "+m"(x)))  \
  CPU_DEVICE_ROUNDED3(REAL, FMA_NAME, FMA(x, y, z), (REAL x, REAL y, REAL z),                      \
                      __asm__ volatile("" : "+m"(x), "+m"(y), "+m"(z)))
CPU_DEVICE_ARITHMETIC(double, d, __fma, fma, sqrt)
CPU_DEVICE_ARITHMETIC(float, f, __fmaf, fmaf, sqrtf)
#undef CPU_DEVICE_ARITHMETIC
static inline double __drcp_rn(double x) { return 1 / x; }
// Conversions: to float and to double from what is wider.
#define CPU_DEVICE_CONVERT(TO, NAME, FROM) \
  CPU_DEVICE_ROUNDED3(TO, NAME, static_cast<TO>(x), (FROM x), __asm__ volatile("" : "+m"(x)))
CPU_DEVICE_CONVERT(float, __double2float, double)
CPU_DEVICE_CONVERT(float, __int2float, int)
CPU_DEVICE_CONVERT(float, __uint2float, unsigned int)
CPU_DEVICE_CONVERT(float, __ll2float, long long)
CPU_DEVICE_CONVERT(float, __ull2float, unsigned long long)
CPU_DEVICE_CONVERT(double, __ll2double, long long)
CPU_DEVICE_CONVERT(double, __ull2double, unsigned long long)
#undef CPU_DEVICE_CONVERT
#undef CPU_DEVICE_ROUNDED3
#undef CPU_DEVICE_ROUNDED
static inline double __uint2double_rn(unsigned int x) { return x; }
static inline double __ull2double_rn(unsigned long long x) { return static_cast<double>(x); }

// ---- integers ----
static inline unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int n) {
  return n >= 32 ? low : __funnelshift_l(low, high, n);
}
static inline unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int n) {
  return n >= 32 ? high : __funnelshift_r(low, high, n);
}
static inline unsigned int __usad(unsigned int x, unsigned int y, unsigned int z) {
  return z + (x > y ? x - y : y - x);
}
static inline unsigned int __uhadd(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(x) + y) >> 1);
}
static inline unsigned int __urhadd(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(x) + y + 1) >> 1);
}
// Products of bytes (of halves and bytes), added up: what networks with 8-bit weights are made of.
namespace cpu_device {
template <typename Byte, typename Sum>  // auto: see word_of() in atomics.h
static inline auto dot4(unsigned int a, unsigned int b, Sum c) {
  for (int i = 0; i < 4; i++)
    c = static_cast<Sum>(static_cast<unsigned int>(c) +
                         static_cast<unsigned int>(static_cast<Byte>(a >> 8 * i) *
                                                   static_cast<Byte>(b >> 8 * i)));
  return c;
}
template <typename Half, typename Byte, typename Sum>
static inline auto dot2(unsigned int a, unsigned int b, Sum c) {
  for (int i = 0; i < 2; i++)
    c = static_cast<Sum>(static_cast<unsigned int>(c) +
                         static_cast<unsigned int>(static_cast<Sum>(static_cast<Half>(a >> 16 * i)) *
                                                   static_cast<Sum>(static_cast<Byte>(b >> 8 * i))));
  return c;
}
}  // namespace cpu_device
static inline int __dp4a(int a, int b, int c) {
  return cpu_device::dot4<signed char>(static_cast<unsigned>(a), static_cast<unsigned>(b), c);
}
static inline unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) {
  return cpu_device::dot4<unsigned char>(a, b, c);
}
static inline int __dp4a(char4 a, char4 b, int c) {
  return __dp4a(cpu_device::bits<int>(a), cpu_device::bits<int>(b), c);
}
static inline unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c) {
  return __dp4a(cpu_device::bits<unsigned int>(a), cpu_device::bits<unsigned int>(b), c);
}
static inline int __dp2a_lo(int a, int b, int c) {
  return cpu_device::dot2<short, signed char>(static_cast<unsigned>(a), static_cast<unsigned>(b), c);
}
static inline unsigned int __dp2a_lo(unsigned int a, unsigned int b, unsigned int c) {
  return cpu_device::dot2<unsigned short, unsigned char>(a, b, c);
}
static inline int __dp2a_hi(int a, int b, int c) {
  return cpu_device::dot2<short, signed char>(static_cast<unsigned>(a),
                                              static_cast<unsigned>(b) >> 16, c);
}
static inline unsigned int __dp2a_hi(unsigned int a, unsigned int b, unsigned int c) {
  return cpu_device::dot2<unsigned short, unsigned char>(a, b >> 16, c);
}

// ---- four bytes or two halves in a word, each on its own ----
namespace cpu_device {
template <typename Part, typename Function>
static inline auto each_part(unsigned int a, unsigned int b, Function function) {
  constexpr int bits = 8 * sizeof(Part);
  unsigned int result = 0;
  for (int shift = 0; shift < 32; shift += bits) {
    const long long value =
        function(static_cast<long long>(static_cast<Part>(a >> shift)),
                 static_cast<long long>(static_cast<Part>(b >> shift)));
    result |= (static_cast<unsigned int>(value) & ((1u << bits) - 1)) << shift;
  }
  return result;
}
// What fits into the part, or the nearest value that does.
template <typename Part>
static inline auto clamp_to(long long x) {
  constexpr long long low = Part(-1) < Part(0) ? -(1ll << (8 * sizeof(Part) - 1)) : 0;
  constexpr long long high = low + (1ll << 8 * sizeof(Part)) - 1;
  return x < low ? low : x > high ? high : x;
}
}  // namespace cpu_device
#define CPU_DEVICE_PARTS1(NAME, PART, EXPRESSION)                                                  \
  static inline unsigned int NAME(unsigned int x, unsigned int y) {                                \
    return cpu_device::each_part<PART>(x, y, [](long long a, long long b) -> long long {           \
      return EXPRESSION;                                                                           \
    });                                                                                            \
  }
#define CPU_DEVICE_PARTS(NAME, EXPRESSION, EXPRESSION_UNSIGNED, S, U)  \
  CPU_DEVICE_PARTS1(NAME##S##4, signed char, EXPRESSION)               \
  CPU_DEVICE_PARTS1(NAME##U##4, unsigned char, EXPRESSION_UNSIGNED)    \
  CPU_DEVICE_PARTS1(NAME##S##2, short, EXPRESSION)                     \
  CPU_DEVICE_PARTS1(NAME##U##2, unsigned short, EXPRESSION_UNSIGNED)
#define CPU_DEVICE_SATURATED(NAME, EXPRESSION)                                              \
  CPU_DEVICE_PARTS1(NAME##ss4, signed char, cpu_device::clamp_to<signed char>(EXPRESSION))  \
  CPU_DEVICE_PARTS1(NAME##us4, unsigned char, cpu_device::clamp_to<unsigned char>(EXPRESSION)) \
  CPU_DEVICE_PARTS1(NAME##ss2, short, cpu_device::clamp_to<short>(EXPRESSION))              \
  CPU_DEVICE_PARTS1(NAME##us2, unsigned short, cpu_device::clamp_to<unsigned short>(EXPRESSION))
CPU_DEVICE_PARTS1(__vadd4, unsigned char, a + b)
CPU_DEVICE_PARTS1(__vadd2, unsigned short, a + b)
CPU_DEVICE_PARTS1(__vsub4, unsigned char, a - b)
CPU_DEVICE_PARTS1(__vsub2, unsigned short, a - b)
CPU_DEVICE_SATURATED(__vadd, a + b)
CPU_DEVICE_SATURATED(__vsub, a - b)
CPU_DEVICE_PARTS(__vmax, a > b ? a : b, a > b ? a : b, s, u)
CPU_DEVICE_PARTS(__vmin, a < b ? a : b, a < b ? a : b, s, u)
CPU_DEVICE_PARTS(__vavg, (a + b + (a + b >= 0)) >> 1, (a + b + 1) >> 1, s, u)
CPU_DEVICE_PARTS(__vabsdiff, a > b ? a - b : b - a, a > b ? a - b : b - a, s, u)
CPU_DEVICE_PARTS(__vcmpgt, a > b ? -1 : 0, a > b ? -1 : 0, s, u)
CPU_DEVICE_PARTS(__vcmpge, a >= b ? -1 : 0, a >= b ? -1 : 0, s, u)
CPU_DEVICE_PARTS(__vcmplt, a < b ? -1 : 0, a < b ? -1 : 0, s, u)
CPU_DEVICE_PARTS(__vcmple, a <= b ? -1 : 0, a <= b ? -1 : 0, s, u)
CPU_DEVICE_PARTS(__vsetgt, a > b, a > b, s, u)
CPU_DEVICE_PARTS(__vsetlt, a < b, a < b, s, u)
CPU_DEVICE_PARTS1(__vcmpeq4, unsigned char, a == b ? -1 : 0)
CPU_DEVICE_PARTS1(__vcmpeq2, unsigned short, a == b ? -1 : 0)
CPU_DEVICE_PARTS1(__vcmpne4, unsigned char, a != b ? -1 : 0)
CPU_DEVICE_PARTS1(__vcmpne2, unsigned short, a != b ? -1 : 0)
CPU_DEVICE_PARTS1(__vseteq4, unsigned char, a == b)
CPU_DEVICE_PARTS1(__vseteq2, unsigned short, a == b)
static inline unsigned int __vsadu4(unsigned int x, unsigned int y) {
  return __dp4a(__vabsdiffu4(x, y), 0x01010101u, 0u);
}
static inline unsigned int __vabs4(unsigned int x) {
  return cpu_device::each_part<signed char>(x, 0, [](long long a, long long) { return a < 0 ? -a : a; });
}
static inline unsigned int __vneg4(unsigned int x) { return __vsub4(0, x); }
static inline unsigned int __vneg2(unsigned int x) { return __vsub2(0, x); }
static inline unsigned int __vnegss4(unsigned int x) { return __vsubss4(0, x); }
static inline unsigned int __vnegss2(unsigned int x) { return __vsubss2(0, x); }
static inline unsigned int __vabs2(unsigned int x) {
  return cpu_device::each_part<short>(x, 0, [](long long a, long long) { return a < 0 ? -a : a; });
}
static inline unsigned int __vabsss4(unsigned int x) {
  return cpu_device::each_part<signed char>(
      x, 0, [](long long a, long long) { return a == -128 ? 127 : a < 0 ? -a : a; });
}
static inline unsigned int __vabsss2(unsigned int x) {
  return cpu_device::each_part<short>(
      x, 0, [](long long a, long long) { return a == -32768 ? 32767 : a < 0 ? -a : a; });
}
CPU_DEVICE_PARTS1(__vhaddu4, unsigned char, (a + b) >> 1)
CPU_DEVICE_PARTS1(__vhaddu2, unsigned short, (a + b) >> 1)
CPU_DEVICE_PARTS(__vsetge, a >= b, a >= b, s, u)
CPU_DEVICE_PARTS(__vsetle, a <= b, a <= b, s, u)
CPU_DEVICE_PARTS1(__vsetne4, unsigned char, a != b)
CPU_DEVICE_PARTS1(__vsetne2, unsigned short, a != b)
static inline unsigned int __vsads4(unsigned int x, unsigned int y) {
  return __dp4a(__vabsdiffs4(x, y), 0x01010101u, 0u);
}
static inline unsigned int __vsadu2(unsigned int x, unsigned int y) {
  const unsigned int both = __vabsdiffu2(x, y);
  return (both & 0xffffu) + (both >> 16);
}
static inline unsigned int __vsads2(unsigned int x, unsigned int y) {
  const unsigned int both = __vabsdiffs2(x, y);
  return (both & 0xffffu) + (both >> 16);
}

// ---- the larger and smaller of two or three, of a sum and another; _relu: and of 0 ----
#define CPU_DEVICE_LARGER(NAME, TYPE, SUFFIX)                                                       \
  static inline TYPE __vi##NAME##3_##SUFFIX(TYPE a, TYPE b, TYPE c) { return NAME(NAME(a, b), c); }  \
  static inline TYPE __viadd##NAME##_##SUFFIX(TYPE a, TYPE b, TYPE c) {                              \
    return NAME(static_cast<TYPE>(static_cast<unsigned int>(a) + static_cast<unsigned int>(b)), c); \
  }                                                                                                \
  static inline TYPE __vib##NAME##_##SUFFIX(TYPE a, TYPE b, bool* is_first) {                        \
    const TYPE result = NAME(a, b);                                                                \
    *is_first = result == a;                                                                       \
    return result;                                                                                 \
  }
#ifdef __CUDACC__
CPU_DEVICE_LARGER(max, int, s32)
CPU_DEVICE_LARGER(min, int, s32)
CPU_DEVICE_LARGER(max, unsigned int, u32)
CPU_DEVICE_LARGER(min, unsigned int, u32)
static inline int __vimax_s32_relu(int a, int b) { return max(max(a, b), 0); }
static inline int __vimin_s32_relu(int a, int b) { return max(min(a, b), 0); }
static inline int __vimax3_s32_relu(int a, int b, int c) { return max(__vimax3_s32(a, b, c), 0); }
static inline int __vimin3_s32_relu(int a, int b, int c) { return max(__vimin3_s32(a, b, c), 0); }
static inline int __viaddmax_s32_relu(int a, int b, int c) { return max(__viaddmax_s32(a, b, c), 0); }
static inline int __viaddmin_s32_relu(int a, int b, int c) { return max(__viaddmin_s32(a, b, c), 0); }
// The same of two numbers of 16 bits.
#define CPU_DEVICE_LARGER_OF_TWO(NAME, PARTS, SUFFIX)                                                   \
  static inline unsigned int __vi##NAME##3_##SUFFIX(unsigned int a, unsigned int b, unsigned int c) {   \
    return PARTS(PARTS(a, b), c);                                                                       \
  }                                                                                                     \
  static inline unsigned int __viadd##NAME##_##SUFFIX(unsigned int a, unsigned int b, unsigned int c) { \
    return PARTS(__vadd2(a, b), c);                                                                     \
  }                                                                                                     \
  static inline unsigned int __vib##NAME##_##SUFFIX(unsigned int a, unsigned int b, bool* high_is_first, \
                                                    bool* low_is_first) {                               \
    const unsigned int result = PARTS(a, b);                                                            \
    *high_is_first = result >> 16 == a >> 16;                                                           \
    *low_is_first = (result & 0xffffu) == (a & 0xffffu);                                                \
    return result;                                                                                      \
  }
CPU_DEVICE_LARGER_OF_TWO(max, __vmaxs2, s16x2)
CPU_DEVICE_LARGER_OF_TWO(min, __vmins2, s16x2)
CPU_DEVICE_LARGER_OF_TWO(max, __vmaxu2, u16x2)
CPU_DEVICE_LARGER_OF_TWO(min, __vminu2, u16x2)
#undef CPU_DEVICE_LARGER_OF_TWO
static inline unsigned int __vimax_s16x2_relu(unsigned int a, unsigned int b) { return __vmaxs2(__vmaxs2(a, b), 0); }
static inline unsigned int __vimin_s16x2_relu(unsigned int a, unsigned int b) { return __vmaxs2(__vmins2(a, b), 0); }
#define CPU_DEVICE_RELU_OF_TWO(NAME)                                                                  \
  static inline unsigned int NAME##_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) {      \
    return __vmaxs2(NAME##_s16x2(a, b, c), 0);                                                        \
  }
CPU_DEVICE_RELU_OF_TWO(__vimax3)
CPU_DEVICE_RELU_OF_TWO(__vimin3)
CPU_DEVICE_RELU_OF_TWO(__viaddmax)
CPU_DEVICE_RELU_OF_TWO(__viaddmin)
#undef CPU_DEVICE_RELU_OF_TWO
#endif
#undef CPU_DEVICE_LARGER

// The place of the n-th bit that is set in `mask`, counted from `base` upwards (n > 0) or downwards.
static inline unsigned int __fns(unsigned int mask, unsigned int base, int offset) {
  if (offset == 0) return mask >> base & 1 ? base : 0xffffffffu;
  const int step = offset > 0 ? 1 : -1;
  int left = offset > 0 ? offset : -offset;
  for (int bit = static_cast<int>(base); bit >= 0 && bit < 32; bit += step)
    if ((mask >> bit & 1) && --left == 0) return static_cast<unsigned int>(bit);
  return 0xffffffffu;
}
static inline unsigned short __nv_bswap16(unsigned short x) { return __builtin_bswap16(x); }
static inline unsigned int __nv_bswap32(unsigned int x) { return __builtin_bswap32(x); }
static inline unsigned long long __nv_bswap64(unsigned long long x) { return __builtin_bswap64(x); }
static inline void __brkpt() {}
static inline int __isfinitef(float x) { return std::isfinite(x); }
static inline int __isfinited(double x) { return std::isfinite(x); }
static inline int __isnand(double x) { return std::isnan(x); }
static inline int __isinfd(double x) { return std::isinf(x); }
#undef CPU_DEVICE_SATURATED
#undef CPU_DEVICE_PARTS
#undef CPU_DEVICE_PARTS1

// ---- math functions that the C library lacks ----
#ifdef __CUDACC__
double erfinv(double y);
double erfcinv(double y);
double erfcx(double x);
static inline float erfinvf(float y) { return static_cast<float>(erfinv(static_cast<double>(y))); }
static inline float erfinv(float y) { return erfinvf(y); }
static inline float erfcinvf(float y) { return static_cast<float>(erfcinv(static_cast<double>(y))); }
static inline float erfcinv(float y) { return erfcinvf(y); }
static inline float erfcxf(float x) { return static_cast<float>(erfcx(static_cast<double>(x))); }
static inline float erfcx(float x) { return erfcxf(x); }
static inline double normcdfinv(double p) { return -M_SQRT2 * erfcinv(2 * p); }
static inline float normcdfinvf(float p) { return static_cast<float>(normcdfinv(static_cast<double>(p))); }
static inline float normcdfinv(float p) { return normcdfinvf(p); }
static inline double norm4d(double x, double y, double z, double w) {
  return hypot(hypot(x, y), hypot(z, w));
}
static inline double rnorm3d(double x, double y, double z) { return 1 / norm3d(x, y, z); }
static inline double norm(int count, const double* x) {
  double length = 0;
  for (int i = 0; i < count; i++) length = hypot(length, x[i]);
  return length;
}
static inline double rnorm4d(double x, double y, double z, double w) { return 1 / norm4d(x, y, z, w); }
static inline float normf(int count, const float* x) {
  double sum = 0;
  for (int i = 0; i < count; i++) sum += static_cast<double>(x[i]) * x[i];
  return static_cast<float>(sqrt(sum));
}
static inline double rnorm(int count, const double* x) { return 1 / norm(count, x); }
static inline float rnormf(int count, const float* x) { return 1 / normf(count, x); }
static inline float rnorm4df(float x, float y, float z, float w) { return 1 / norm4df(x, y, z, w); }
// From 714 on they are infinite; the standard library throws for numbers that are much larger.
static inline double cyl_bessel_i0(double x) { return fabs(x) > 720 ? HUGE_VAL : std::cyl_bessel_i(0.0, fabs(x)); }
static inline float cyl_bessel_i0f(float x) { return static_cast<float>(cyl_bessel_i0(static_cast<double>(x))); }
static inline float cyl_bessel_i0(float x) { return cyl_bessel_i0f(x); }
static inline double cyl_bessel_i1(double x) {
  return fabs(x) > 720 ? copysign(HUGE_VAL, x) : x < 0 ? -std::cyl_bessel_i(1.0, -x) : std::cyl_bessel_i(1.0, x);
}
static inline float cyl_bessel_i1f(float x) { return static_cast<float>(cyl_bessel_i1(static_cast<double>(x))); }
static inline float cyl_bessel_i1(float x) { return cyl_bessel_i1f(x); }
#endif

// ---- shuffles and votes without _sync: removed since CUDA 9 for GPUs since Volta ----
#define CPU_DEVICE_OLD(NAME)                                                                     \
  __attribute__((deprecated("GPUs since Volta need " #NAME                                       \
                            "_sync() with a mask of the lanes that take part")))
#define CPU_DEVICE_SITE cpu_device::Site site = cpu_device::Site::here()
template <typename T>
CPU_DEVICE_OLD(__shfl) inline T __shfl(T value, int source, int width = 32, CPU_DEVICE_SITE) {
  return __shfl_sync(0xffffffffu, value, source, width, site);
}
template <typename T>
CPU_DEVICE_OLD(__shfl_up)
inline T __shfl_up(T value, unsigned int delta, int width = 32, CPU_DEVICE_SITE) {
  return __shfl_up_sync(0xffffffffu, value, delta, width, site);
}
template <typename T>
CPU_DEVICE_OLD(__shfl_down)
inline T __shfl_down(T value, unsigned int delta, int width = 32, CPU_DEVICE_SITE) {
  return __shfl_down_sync(0xffffffffu, value, delta, width, site);
}
template <typename T>
CPU_DEVICE_OLD(__shfl_xor)
inline T __shfl_xor(T value, int lanes, int width = 32, CPU_DEVICE_SITE) {
  return __shfl_xor_sync(0xffffffffu, value, lanes, width, site);
}
CPU_DEVICE_OLD(__ballot) inline unsigned int __ballot(int predicate, CPU_DEVICE_SITE) {
  return __ballot_sync(0xffffffffu, predicate, site);
}
CPU_DEVICE_OLD(__any) inline int __any(int predicate, CPU_DEVICE_SITE) {
  return __any_sync(0xffffffffu, predicate, site);
}
CPU_DEVICE_OLD(__all) inline int __all(int predicate, CPU_DEVICE_SITE) {
  return __all_sync(0xffffffffu, predicate, site);
}
#undef CPU_DEVICE_OLD
#undef CPU_DEVICE_SITE
