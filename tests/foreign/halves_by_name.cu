// In the manner of a test suite for the headers of 16 and 8 bits: each function by its name, for half and for bfloat16. What is
// right comes from the table of all 65536 values, which the format's definition gives.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <type_traits>
#include <vector>

int wrong = 0;
void failed(const char *what, double got, double wanted, double a, double b) {
  if (wrong++ < 40) printf("%s of %g, %g: %.10g, expected %.10g\n", what, a, b, got, wanted);
}
template <typename T>
T *managed(size_t n) {
  T *data;
  if (cudaMallocManaged(&data, n * sizeof(T)) != cudaSuccess) exit(1);
  return data;
}
void done(const char *what) {
  if (cudaDeviceSynchronize() != cudaSuccess) wrong++, printf("%s failed\n", what);
}

// ---- a format of 16 bits ----
enum Mode { rn, rz, rd, ru };
struct Format {
  int mantissa;  // bits
  std::vector<double> values;   // of all words
  std::vector<unsigned> order;  // the finite words, by value, without -0
  explicit Format(int bits) : mantissa(bits) {
    const int bias = (1 << (14 - bits)) - 1, most = (1 << (15 - bits)) - 1;
    for (unsigned word = 0; word < 65536; word++) {
      const int exponent = (word & 0x7fff) >> bits, rest = word & ((1 << bits) - 1);
      double value = exponent == 0 ? std::ldexp(rest, 1 - bias - bits) : std::ldexp(rest + (1 << bits), exponent - bias - bits);
      if (exponent == most) value = rest == 0 ? INFINITY : NAN;
      values.push_back(word & 0x8000 ? -value : value);
      if (exponent < most && word != 0x8000) order.push_back(word);
    }
    std::sort(order.begin(), order.end(), [this](unsigned a, unsigned b) { return values[a] < values[b]; });
  }
  // What `exact` becomes.
  double rounded(long double exact, Mode mode) const {
    if (!std::isfinite(exact)) return static_cast<double>(exact);
    const auto above = std::lower_bound(order.begin(), order.end(), exact, [this](unsigned word, long double x) { return values[word] < x; });
    const double largest = values[order.back()];
    // The next power of two counts as the number after the largest.
    const double next = std::ldexp(1.0, std::ilogb(largest) + 1);
    const long double high = above == order.end() ? next : values[*above];
    const long double low = above == order.begin() ? -next : values[*(above - 1)];
    double result;
    if (high == exact)
      result = static_cast<double>(high);
    else if (mode == rd || (mode == rz && exact > 0))
      result = static_cast<double>(low);
    else if (mode == ru || mode == rz)
      result = static_cast<double>(high);
    else if (exact - low != high - exact)
      result = static_cast<double>(exact - low < high - exact ? low : high);
    else  // even: one of two neighbors has an even word, and so has what comes after the largest
      result = static_cast<double>(std::fabs(low) == next || (above != order.begin() && above != order.end() && *(above - 1) % 2 == 0) ? low : high);
    if (mode == rz || (mode == rd && exact > 0) || (mode == ru && exact < 0)) return std::min(std::max(result, -largest), largest);
    return result >= next ? INFINITY : result <= -next ? -INFINITY : result;
  }
};

// ---- from whole numbers and from double ----
// X(type, function, mode)
#define EACH_MODE(X, TYPE, NAME, N) X(TYPE, NAME##2##N##_rn, rn) X(TYPE, NAME##2##N##_rz, rz) X(TYPE, NAME##2##N##_rd, rd) X(TYPE, NAME##2##N##_ru, ru)
#define FROM_WHOLE(X, N)                                                                                                     \
  EACH_MODE(X, short, __short, N) EACH_MODE(X, unsigned short, __ushort, N) EACH_MODE(X, int, __int, N) EACH_MODE(X, unsigned, __uint, N) \
  EACH_MODE(X, long long, __ll, N) EACH_MODE(X, unsigned long long, __ull, N)
#define FROM_REAL(X, N) EACH_MODE(X, float, __float, N) X(float, __float2##N, rn) X(double, __double2##N, rn)

// ---- pairs ----
// X(function, what x, y of the result are): a = (a0, a1), b = (b0, b1)
#define PAIRS(X, N, TYPE)                                                                                    \
  X(__lows2##N##2(a, b), a0, b0) X(__highs2##N##2(a, b), a1, b1) X(__low2##N##2(a), a0, a0)                  \
  X(__high2##N##2(a), a1, a1) X(__lowhigh2highlow(a), a1, a0) X(__halves2##N##2(__low2##N(a), __high2##N(b)), a0, b1) \
  X(make_##N##2(__high2##N(b), __low2##N(a)), b1, a0) X(__##N##2##N##2(__high2##N(a)), a1, a1)               \
  X(__float2##N##2_rn(float(a1)), a1, a1) X(__floats2##N##2_rn(__high2float(a), __low2float(b)), a1, b0)     \
  X(__float22##N##2_rn(make_float2(float(a0), float(b1))), a0, b1)                                           \
  X(__float22##N##2_rn(__##N##22float2(b)), b0, b1)                                                          \
  X(TYPE##2(__short_as_##N(__##N##_as_short(a.x)), __ushort_as_##N(__##N##_as_ushort(a.y))), a0, a1)         \
  X(__hadd2(a, b), R(a0 + b0), R(a1 + b1)) X(__hsub2(a, b), R(a0 - b0), R(a1 - b1)) X(__hmul2(a, b), R(a0 *b0), R(a1 *b1)) \
  X(__hadd2_rn(a, b), R(a0 + b0), R(a1 + b1)) X(__hsub2_rn(a, b), R(a0 - b0), R(a1 - b1)) X(__hmul2_rn(a, b), R(a0 *b0), R(a1 *b1)) \
  X(__hadd2_sat(a, b), S(a0 + b0), S(a1 + b1)) X(__hsub2_sat(a, b), S(a0 - b0), S(a1 - b1)) X(__hmul2_sat(a, b), S(a0 *b0), S(a1 *b1)) \
  X(TYPE##2(__hadd_rn(a.x, b.x), __hadd_sat(a.x, b.x)), R(a0 + b0), S(a0 + b0))                              \
  X(TYPE##2(__hsub_rn(a.x, b.x), __hsub_sat(a.x, b.x)), R(a0 - b0), S(a0 - b0))                              \
  X(TYPE##2(__hmul_rn(a.x, b.x), __hmul_sat(a.x, b.x)), R(a0 *b0), S(a0 *b0))                                \
  X(__hmax2(a, b), L(a0, b0), L(a1, b1)) X(__hmin2(a, b), -L(-a0, -b0), -L(-a1, -b1))                        \
  X(__hmax2_nan(a, b), a0 + b0 != a0 + b0 ? NAN : L(a0, b0), a1 + b1 != a1 + b1 ? NAN : L(a1, b1))           \
  X(__hmin2_nan(a, b), a0 + b0 != a0 + b0 ? NAN : -L(-a0, -b0), a1 + b1 != a1 + b1 ? NAN : -L(-a1, -b1))     \
  X(__hneg2(a), -a0, -a1) X(__habs2(a), std::fabs(a0), std::fabs(a1))                                        \
  X(TYPE##2(hceil(a.x), hfloor(a.x)), std::ceil(a0), std::floor(a0))                                         \
  X(TYPE##2(htrunc(a.x), hrint(a.x)), std::trunc(a0), std::rint(a0))                                         \
  X(h2ceil(a), std::ceil(a0), std::ceil(a1)) X(h2floor(a), std::floor(a0), std::floor(a1))                   \
  X(h2trunc(a), std::trunc(a0), std::trunc(a1)) X(h2rint(a), std::rint(a0), std::rint(a1))

// ---- comparisons ----
#define COMPARED(X, NAME, WANTED) X(NAME, (WANTED), false) X(NAME##u, (WANTED), true)
#define COMPARISONS(X) \
  COMPARED(X, eq, x == y) COMPARED(X, ne, x < y || x > y) COMPARED(X, lt, x < y) COMPARED(X, le, x <= y) COMPARED(X, gt, x > y) COMPARED(X, ge, x >= y)

// ---- functions that are near the right value: of numbers between 0.1 and 4 ----
#define FUNCTIONS(X)                                                                                                \
  X(exp, std::exp(x)) X(exp2, std::exp2(x)) X(exp10, std::pow(10, x)) X(log, std::log(x)) X(log2, std::log2(x))     \
  X(log10, std::log10(x)) X(sin, std::sin(x)) X(cos, std::cos(x)) X(sqrt, std::sqrt(x)) X(rsqrt, 1 / std::sqrt(x)) X(rcp, 1 / x)

const int kPairs = 2048, kPerPair = 40, kWholes = 256;
#define KERNELS(N, TYPE)                                                                                        \
  __global__ void pairs_##N(const TYPE##2 * x, const TYPE##2 * y, TYPE##2 * out) {                              \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                                                        \
    const TYPE##2 a = x[i], b = y[i];                                                                           \
    const float a0 = __low2float(a), a1 = __high2float(a), b0 = __low2float(b), b1 = __high2float(b);           \
    (void)a0, (void)a1, (void)b0, (void)b1;                                                                     \
    TYPE##2 *to = out + kPerPair * i;                                                                           \
    PAIRS(PUT, N, TYPE)                                                                                         \
  }                                                                                                             \
  __global__ void compare_##N(const TYPE##2 * x, const TYPE##2 * y, unsigned *out) {                            \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                                                        \
    const TYPE##2 a = x[i], b = y[i];                                                                           \
    unsigned *to = out + kPerPair * i;                                                                          \
    COMPARISONS(PUT_COMPARISON)                                                                                 \
  }                                                                                                             \
  __global__ void near_##N(const TYPE##2 * x, TYPE##2 * out) {                                                  \
    const TYPE##2 a = x[threadIdx.x];                                                                           \
    TYPE##2 *to = out + kPerPair * threadIdx.x;                                                                 \
    FUNCTIONS(PUT_FUNCTION)                                                                                     \
  }
#define PUT(CALL, X, Y) *to++ = CALL;
#define PUT_COMPARISON(NAME, WANTED, U)                                                                         \
  *to++ = (__h##NAME(a.x, b.x) ? 1u : 0u) + (__hb##NAME##2(a, b) ? 2u : 0u) + (__low2float(__h##NAME##2(a, b)) == 1 ? 4u : 0u) + \
          (__high2float(__h##NAME##2(a, b)) == 1 ? 8u : 0u) + (__h##NAME##2_mask(a, b) & 0x00800010u);
#define PUT_FUNCTION(NAME, WANTED) *to++ = h2##NAME(a), (to - 1)->y = h##NAME(a.y);
KERNELS(half, __half)
KERNELS(bfloat16, __nv_bfloat16)
#define CONVERT(FROM, NAME, MODE) \
  __global__ void k_##NAME(const FROM *x, float *out) { out[threadIdx.x] = float(NAME(x[threadIdx.x])); }
FROM_WHOLE(CONVERT, half)
FROM_REAL(CONVERT, half)
FROM_WHOLE(CONVERT, bfloat16)
FROM_REAL(CONVERT, bfloat16)

template <typename T>
std::vector<T> numbers() {
  std::mt19937_64 random(sizeof(T));
  std::vector<T> all;
  if (std::is_floating_point<T>::value) {
    const double fixed[] = {0, 1, -1, 65504, 65519.9, 65520, -65520, 70000, 1e-8, 6e-8, -2.9e-8, 3.39e38, -3.4e38, 1e-40, 0.1, 2049, 2051, 257, 259};
    for (const double x : fixed) all.push_back(T(x));
    while (all.size() < kWholes) all.push_back(T(std::ldexp(double(random() % 20000) - 10000, int(random() % 40) - 30)));
    return all;
  }
  const long long fixed[] = {0, 1, -1, 255, 256, 257, 258, 259, 2047, 2048, 2049, 2050, 2051, -2049, -257, 32767, -32768, 65503, 65504, 65505, 65519, 65520, 65536, -65520};
  for (const long long x : fixed) all.push_back(static_cast<T>(x));
  while (all.size() < kWholes) all.push_back(static_cast<T>(random() >> random() % 60));
  return all;
}
template <typename From>
void convert(const char *name, void (*kernel)(const From *, float *), const Format &format, Mode mode) {
  static From *const in = managed<From>(kWholes);
  static float *const out = managed<float>(kWholes);
  const std::vector<From> all = numbers<From>();
  std::copy(all.begin(), all.end(), in);
  kernel<<<1, kWholes>>>(in, out);
  done(name);
  for (int i = 0; i < kWholes; i++) {
    const double wanted = format.rounded(static_cast<long double>(all[i]), mode);
    if (out[i] != wanted) failed(name, out[i], wanted, double(all[i]), 0);
  }
}

bool same(double got, double wanted) { return got == wanted || (got != got && wanted != wanted); }

#define TEST(N, TYPE, ALLOWED)                                                                                            \
  void test_##N(const Format &format) {                                                                                           \
    const auto R = [&](double x) { return format.rounded(x, rn); };                                                               \
    const auto S = [&](double x) { return x != x ? 0 : R(std::min(std::max(x, 0.0), 1.0)); };                                     \
    const auto L = [](double x, double y) { return x != x ? y : y != y ? x : std::max(x, y); };                                   \
    std::mt19937 random(3);                                                                                                       \
    unsigned *const words = managed<unsigned>(2 * kPairs), *const flags = managed<unsigned>(kPerPair * kPairs);                   \
    for (int i = 0; i < 2 * kPairs; i++) words[i] = random();                                                                     \
    for (int i = 0; i < kPairs; i += 3) words[kPairs + i] = words[i] ^ (i % 2 == 0 ? 0 : 0x80000000u >> i % 32);                  \
    for (int i = 0; i < 2 * kPairs; i += 5) words[i] = (words[i] & 0xffff) | (i % 3 == 0 ? 0x7fff0000u : i % 3 == 1 ? 0x3c000000u : 0x80000000u); \
    const auto at = [&](int i, int half) { return format.values[words[i] >> 16 * half & 0xffff]; };                               \
    TYPE##2 *const x = reinterpret_cast<TYPE##2 *>(words), *const out = managed<TYPE##2>(kPerPair * kPairs);                      \
    pairs_##N<<<kPairs / 128, 128>>>(x, x + kPairs, out);                                                                         \
    done("pairs");                                                                                                                \
    compare_##N<<<kPairs / 128, 128>>>(x, x + kPairs, flags);                                                                     \
    done("compare");                                                                                                              \
    for (int i = 0; i < kPairs; i++) {                                                                                            \
      const double a0 = at(i, 0), a1 = at(i, 1), b0 = at(kPairs + i, 0), b1 = at(kPairs + i, 1);                                  \
      const TYPE##2 *to = out + kPerPair * i;                                                                                     \
      const unsigned *flag = flags + kPerPair * i;                                                                                \
      PAIRS(CHECK_PAIR, N, TYPE)                                                                                                  \
      COMPARISONS(CHECK_COMPARISON)                                                                                               \
    }                                                                                                                             \
    for (int i = 0; i < 2 * 128; i++) reinterpret_cast<TYPE *>(words)[i] = TYPE(0.1f + 3.9f * (random() % 1000) / 1000);          \
    near_##N<<<1, 128>>>(x, out);                                                                                                 \
    done("near");                                                                                                                 \
    for (int i = 0; i < 128; i++) {                                                                                               \
      const TYPE##2 *to = out + kPerPair * i;                                                                                     \
      const double allowed = ALLOWED;                                                                                             \
      FUNCTIONS(CHECK_FUNCTION)                                                                                                   \
    }                                                                                                                             \
  }
#define CHECK_PAIR(CALL, X, Y)                                                              \
  {                                                                                         \
    const double wanted0 = X, wanted1 = Y;                                                  \
    if (!same(__low2float(*to), wanted0)) failed(#CALL, __low2float(*to), wanted0, a0, b0); \
    if (!same(__high2float(*to), wanted1)) failed(#CALL, __high2float(*to), wanted1, a1, b1); \
    to++;                                                                                   \
  }
#define CHECK_COMPARISON(NAME, WANTED, U)                                                                                    \
  {                                                                                                                          \
    const auto compared = [](double x, double y) { return x != x || y != y ? U : WANTED; };                                  \
    const bool low = compared(a0, b0), high = compared(a1, b1);                                                              \
    const unsigned wanted = (low ? 1u : 0u) + (low && high ? 2u : 0u) + (low ? 4u : 0u) + (high ? 8u : 0u) + (low ? 0x10u : 0u) + (high ? 0x800000u : 0u); \
    if (*flag != wanted) failed("comparison " #NAME, *flag, wanted, low ? a0 : a1, low ? b0 : b1);                           \
    flag++;                                                                                                                  \
  }
#define CHECK_FUNCTION(NAME, WANTED)                                                                              \
  {                                                                                                               \
    const auto wanted_of = [](double x) -> double { return WANTED; };                                             \
    const double wanted0 = wanted_of(at(i, 0)), wanted1 = wanted_of(at(i, 1));                                    \
    const double far0 = std::fabs(__low2float(*to) - wanted0), far1 = std::fabs(__high2float(*to) - wanted1);     \
    if (!(far0 <= allowed * (std::fabs(wanted0) + 0.1))) failed("h2" #NAME, __low2float(*to), wanted0, at(i, 0), 0); \
    if (!(far1 <= allowed * (std::fabs(wanted1) + 0.1))) failed("h" #NAME, __high2float(*to), wanted1, at(i, 1), 0); \
    to++;                                                                                                         \
  }
TEST(half, __half, 3e-3)
TEST(bfloat16, __nv_bfloat16, 2e-2)

// ---- 8 bits: from 16 bits and from double as from float, two as one ----
struct Eight {
  unsigned char by_float, by_half, by_double, by_bfloat, of_bfloat;
  unsigned short two_floats, two_doubles, two_halves, two_bfloats, other_two;
};
__global__ void to_eight(Eight *out, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const __half h = __ushort_as_half(static_cast<unsigned short>(i)), other = __float2half(-1.5f);
  const __nv_bfloat16 b = __ushort_as_bfloat16(static_cast<unsigned short>(i)), one = __float2bfloat16(-1.5f);
  const float x = __half2float(h), y = __bfloat162float(b);
  Eight &to = out[i];
  to.by_float = __nv_cvt_float_to_fp8(x, saturation, kind), to.by_half = __nv_cvt_halfraw_to_fp8(h, saturation, kind);
  to.by_double = __nv_cvt_double_to_fp8(x, saturation, kind);
  to.by_bfloat = __nv_cvt_bfloat16raw_to_fp8(b, saturation, kind), to.of_bfloat = __nv_cvt_float_to_fp8(y, saturation, kind);
  to.two_floats = __nv_cvt_float2_to_fp8x2(make_float2(x, -1.5f), saturation, kind);
  to.two_doubles = __nv_cvt_double2_to_fp8x2(make_double2(x, -1.5), saturation, kind);
  to.two_halves = __nv_cvt_halfraw2_to_fp8x2(__halves2half2(h, other), saturation, kind);
  to.two_bfloats = __nv_cvt_bfloat16raw2_to_fp8x2(__halves2bfloat162(b, one), saturation, kind);
  to.other_two = __nv_cvt_float_to_fp8(-1.5f, saturation, kind);
}
__global__ void from_eight(unsigned *both, unsigned *alone, __nv_fp8_interpretation_t kind) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const __half2_raw two = __nv_cvt_fp8x2_to_halfraw2(static_cast<__nv_fp8x2_storage_t>(i), kind);
  both[i] = two.x | unsigned(two.y) << 16;
  alone[i] = __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(i & 255), kind).x |
             unsigned(__nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(i >> 8), kind).x) << 16;
}
void eight_bits(const Format &half, const Format &bfloat) {
  Eight *const out = managed<Eight>(65536);
  unsigned *const both = managed<unsigned>(65536), *const alone = managed<unsigned>(65536);
  for (const auto kind : {__NV_E4M3, __NV_E5M2}) {
    for (const auto saturation : {__NV_NOSAT, __NV_SATFINITE}) {
      to_eight<<<256, 256>>>(out, saturation, kind);
      done("to_eight");
      for (unsigned i = 0; i < 65536; i++) {
        const Eight &e = out[i];
        const unsigned high = e.other_two << 8;
        if (half.values[i] == half.values[i]) {
          if (e.by_half != e.by_float) failed("8 bits of half", e.by_half, e.by_float, half.values[i], kind);
          if (e.by_double != e.by_float) failed("8 bits of double", e.by_double, e.by_float, half.values[i], kind);
          if (e.two_floats != (e.by_float | high)) failed("8 bits of float2", e.two_floats, e.by_float | high, half.values[i], kind);
          if (e.two_doubles != (e.by_float | high)) failed("8 bits of double2", e.two_doubles, e.by_float | high, half.values[i], kind);
          if (e.two_halves != (e.by_float | high)) failed("8 bits of half2", e.two_halves, e.by_float | high, half.values[i], kind);
        }
        if (bfloat.values[i] == bfloat.values[i]) {
          if (e.by_bfloat != e.of_bfloat) failed("8 bits of bfloat16", e.by_bfloat, e.of_bfloat, bfloat.values[i], kind);
          if (e.two_bfloats != (e.of_bfloat | high)) failed("8 bits of bfloat162", e.two_bfloats, e.of_bfloat | high, bfloat.values[i], kind);
        }
      }
    }
    from_eight<<<256, 256>>>(both, alone, kind);
    done("from_eight");
    for (unsigned i = 0; i < 65536; i++)
      if (both[i] != alone[i]) failed("two of 8 bits", both[i], alone[i], i, kind);
  }
}

int main() {
  const Format half(10), bfloat16(7);
#define CONVERTED(FROM, NAME, MODE) convert<FROM>(#NAME, k_##NAME, format, MODE);
  {
    const Format &format = half;
    FROM_WHOLE(CONVERTED, half)
    FROM_REAL(CONVERTED, half)
  }
  {
    const Format &format = bfloat16;
    FROM_WHOLE(CONVERTED, bfloat16)
    FROM_REAL(CONVERTED, bfloat16)
  }
  test_half(half);
  test_bfloat16(bfloat16);
  eight_bits(half, bfloat16);
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
