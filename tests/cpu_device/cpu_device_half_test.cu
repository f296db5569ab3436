// half and bfloat16: every one of the 65,536 values, and what lies between them, against a conversion
// from the definition of the formats.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <doctest/doctest.h>

#include <climits>
#include <cmath>
#include <random>

namespace {

// Sign, exponent with its bias, digits after the point: IEEE 754's definition.
double value_of(unsigned bits, int exponent_bits) {
  const int digits = 15 - exponent_bits, bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = static_cast<int>(bits >> digits & ((1u << exponent_bits) - 1));
  const double fraction = std::ldexp(static_cast<double>(bits & ((1u << digits) - 1)), -digits);
  const double sign = bits >> 15 != 0 ? -1 : 1;
  if (exponent == (1 << exponent_bits) - 1) return fraction == 0 ? sign * INFINITY : NAN;
  if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias);
  return sign * std::ldexp(1 + fraction, exponent - bias);
}

template <typename Half, typename Raw>
Half from_bits(unsigned bits) {
  return Half(Raw{static_cast<unsigned short>(bits)});
}
unsigned bits_of(__half x) { return __half_as_ushort(x); }
unsigned bits_of(__nv_bfloat16 x) { return __bfloat16_as_ushort(x); }

template <typename Half, typename Raw>
void check_every_value(int exponent_bits) {
  const unsigned infinity = ((1u << exponent_bits) - 1) << (15 - exponent_bits);
  int wrong = 0;
  for (unsigned bits = 0; bits < 65536; bits++) {
    const double exact = value_of(bits, exponent_bits);
    const Half half = from_bits<Half, Raw>(bits);
    const float single = half;
    if (std::isnan(exact)) {
      wrong += !std::isnan(single) || bits_of(Half(single)) != 0x7fff || !__hisnan(half);
      continue;
    }
    wrong += static_cast<double>(single) != exact || std::signbit(single) != std::signbit(exact);
    wrong += bits_of(Half(single)) != bits || bits_of(Half(exact)) != bits;
    if ((bits & 0x7fff) >= infinity) continue;
    // Between this value and the next one away from 0: halfway goes to the even one.
    const double next = (bits & 0x7fff) + 1 == infinity
                            ? exact * 2 - value_of(bits - 1, exponent_bits)
                            : value_of(bits + 1, exponent_bits);
    const double middle = (exact + next) / 2;
    const double nearer = std::nextafter(middle, exact), farther = std::nextafter(middle, next);
    const unsigned even = bits % 2 == 0 ? bits : bits + 1;
    wrong += bits_of(Half(middle)) != even;
    wrong += bits_of(Half(nearer)) != bits || bits_of(Half(farther)) != bits + 1;
    const float middle_float = static_cast<float>(middle);
    if (static_cast<double>(middle_float) == middle) {
      wrong += bits_of(Half(middle_float)) != even;
      wrong += bits_of(Half(std::nextafterf(middle_float, static_cast<float>(exact)))) != bits;
      const float away = exact < 0 || std::signbit(exact) ? -INFINITY : INFINITY;
      wrong += bits_of(Half(std::nextafterf(middle_float, away))) != bits + 1;
    }
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("every half, and what lies between") { check_every_value<__half, __half_raw>(5); }
TEST_CASE("every bfloat16, and what lies between") {
  check_every_value<__nv_bfloat16, __nv_bfloat16_raw>(8);
}

TEST_CASE("other roundings") {
  int wrong = 0;
  std::mt19937 random(5);
  for (int i = 0; i < 100000; i++) {
    const float x = __uint_as_float(static_cast<unsigned>(random()));
    if (std::isnan(x)) continue;
    const float low = __float2half_rd(x), high = __float2half_ru(x), cut = __float2half_rz(x);
    wrong += !(low <= x && x <= high) || std::fabs(cut) > std::fabs(x);
    wrong += cut != (x < 0 ? high : low);
    const float low2 = __float2bfloat16_rd(x), high2 = __float2bfloat16_ru(x);
    wrong += !(low2 <= x && x <= high2);
  }
  CHECK(wrong == 0);
  CHECK(__half2float(__float2half_rz(70000.0f)) == 65504.0f);
  CHECK(std::isinf(__half2float(__float2half(70000.0f))));
  CHECK(__half2float(__float2half(65519.0f)) == 65504.0f);
}

TEST_CASE("arithmetic is the exact result, rounded once") {
  int wrong = 0;
  std::mt19937 random(6);
  for (int i = 0; i < 200000; i++) {
    const __half a = from_bits<__half, __half_raw>(random() & 0xffff);
    const __half b = from_bits<__half, __half_raw>(random() & 0xffff);
    const double x = value_of(bits_of(a), 5), y = value_of(bits_of(b), 5);
    const auto same = [](__half got, double exact) {
      return std::isnan(exact) ? __hisnan(got) : bits_of(got) == bits_of(__half(exact));
    };
    wrong += !same(a + b, x + y) || !same(a - b, x - y) || !same(a * b, x * y);
    wrong += y != 0 && !same(a / b, x / y);
    wrong += (a < b) != (x < y) || (a == b) != (x == y) || (a >= b) != (x >= y);
  }
  CHECK(wrong == 0);
}

TEST_CASE("two at once, and conversions") {
  const __half2 a = __floats2half2_rn(1.5f, -2.0f), b = __half2half2(__float2half(0.25f));
  const float2 sum = __half22float2(__hadd2(a, b)), product = __half22float2(a * b);
  CHECK(sum.x == 1.75f);
  CHECK(sum.y == -1.75f);
  CHECK(product.x == 0.375f);
  CHECK(__low2float(__hfma2(a, b, b)) == 0.625f);
  CHECK(__high2float(__lowhigh2highlow(a)) == 1.5f);
  CHECK(__half2int_rn(__float2half(2.5f)) == 2);
  CHECK(__half2int_rz(__float2half(-2.75f)) == -2);
  CHECK(__hbgt2(a, __floats2half2_rn(1.0f, -3.0f)));
  CHECK(!__hbgt2(a, b));
  const __nv_bfloat162 c = __floats2bfloat162_rn(3.0f, 4.0f);
  CHECK(__bfloat1622float2(__hmul2(c, c)).y == 16.0f);
  CHECK(__hisinf(from_bits<__half, __half_raw>(0xfc00)) == -1);
  CHECK(__half2float(hsqrt(__float2half(2.0f))) == __half2float(__float2half(1.41421356f)));
}

namespace {
__global__ void add_all(const __half* x, int n, __half* sum, __half2* pair) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) {
    atomicAdd(sum, x[i]);
    atomicAdd(pair, __half2half2(x[i]));
  }
}
}  // namespace

TEST_CASE("in a kernel, with atomics") {
  const int n = 1000;
  __half *x, *sum;
  __half2* pair;
  CHECK(cudaMallocManaged(&x, n * sizeof *x) == cudaSuccess);
  CHECK(cudaMallocManaged(&sum, sizeof *sum) == cudaSuccess);
  CHECK(cudaMallocManaged(&pair, sizeof *pair) == cudaSuccess);
  for (int i = 0; i < n; i++) x[i] = __float2half(i % 2 == 0 ? 1.0f : 0.5f);
  *sum = 0.0f;
  *pair = __floats2half2_rn(0.0f, 100.0f);
  add_all<<<8, 128>>>(x, n, sum, pair);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(__half2float(*sum) == 750.0f);
  CHECK(__low2float(*pair) == 750.0f);
  CHECK(__high2float(*pair) == 850.0f);
  cudaFree(x);
  cudaFree(sum);
  cudaFree(pair);
}

// Expected values: CUDA's math API, "Half Precision Conversion and Data Movement".
TEST_CASE("conversions to whole numbers saturate, and NaN becomes 0") {
  const __half large = __float2half(60000.0f), low = __float2half(-60000.0f);
  const __half nan = __ushort_as_half(0x7e00), infinity = __ushort_as_half(0x7c00);
  CHECK(__half2short_rn(large) == 32767);
  CHECK(__half2short_rz(low) == -32768);
  CHECK(static_cast<short>(large) == 32767);
  CHECK(__half2ushort_rd(infinity) == 65535);
  CHECK(__half2ushort_ru(low) == 0);
  CHECK(__half2char_rz(__float2half(200.0f)) == 127);
  CHECK(__half2char_rz(__float2half(-200.0f)) == -128);
  CHECK(__half2char_rz(__float2half(-3.9f)) == -3);
  CHECK(__half2uchar_rz(large) == 255);
  CHECK(__half2uchar_rz(low) == 0);
  CHECK(__half2int_rz(infinity) == INT_MAX);
  CHECK(__half2uint_rn(low) == 0u);
  CHECK(__half2ull_ru(infinity) == ULLONG_MAX);
  for (const int zero : {int(__half2short_rn(nan)), int(__half2ushort_rz(nan)), int(__half2char_rz(nan)),
                         int(__half2uchar_rz(nan)), __half2int_rd(nan)})
    CHECK(zero == 0);
  CHECK(__bfloat162short_rz(__float2bfloat16(1e30f)) == 32767);
  CHECK(__bfloat162char_rz(__float2bfloat16(-1e30f)) == -128);
}

TEST_CASE("whole numbers of 64 bits are rounded once") {
  // 2^62 + 2^54 is halfway between two numbers with 8 digits; a double does not hold the 1 after it.
  const long long middle = (1ll << 62) + (1ll << 54), above = middle + 1, below = middle - 1;
  const float lower = 4611686018427387904.0f, upper = lower + 36028797018963968.0f;
  CHECK(__bfloat162float(__ll2bfloat16_rn(middle)) == lower);  // the even one
  CHECK(__bfloat162float(__ll2bfloat16_rn(above)) == upper);
  CHECK(__bfloat162float(__ll2bfloat16_rn(below)) == lower);
  CHECK(__bfloat162float(__nv_bfloat16(above)) == upper);
  CHECK(__bfloat162float(__ll2bfloat16_rn(-above)) == -upper);
  CHECK(__bfloat162float(__ull2bfloat16_rn(static_cast<unsigned long long>(above))) == upper);
  CHECK(__bfloat162float(__ll2bfloat16_ru((1ll << 62) + 1)) == upper);
  CHECK(__bfloat162float(__ll2bfloat16_rd(-(1ll << 62) - 1)) == -upper);
  CHECK(__bfloat162float(__ll2bfloat16_rz(-(1ll << 62) - 1)) == -lower);
  CHECK(__bfloat162float(__ull2bfloat16_ru(ULLONG_MAX)) == 18446744073709551616.0f);
  CHECK(__half2float(__int2half_rz(2049)) == 2048.0f);
  CHECK(__half2float(__int2half_ru(2049)) == 2050.0f);
  CHECK(__half2float(__ll2half_rd(LLONG_MAX)) == 65504.0f);
  CHECK(__bfloat162float(__ll2bfloat16_rn(LLONG_MIN)) == -9223372036854775808.0f);
  CHECK(__half2float(__ull2half_rn(0)) == 0.0f);
}
