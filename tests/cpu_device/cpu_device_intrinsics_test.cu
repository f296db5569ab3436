// Intrinsics against plain arithmetic in wider types, on random and on awkward values.
#include <doctest/doctest.h>

#include <cfloat>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <random>
#include <vector>

namespace {

std::vector<unsigned int> awkward_words() {
  std::vector<unsigned int> words{0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff,
                                  0x80000000, 0xffffffff, 0x01020304, 0x80ff7f01};
  std::mt19937 random(1);
  for (int i = 0; i < 30; i++) words.push_back(static_cast<unsigned int>(random()));
  return words;
}

// The float next to the exact value in the given direction. `exact` has more digits than a float.
float down(long double exact) {
  float near = static_cast<float>(exact);
  return near > exact ? std::nextafterf(near, -INFINITY) : near;
}
float up(long double exact) {
  float near = static_cast<float>(exact);
  return near < exact ? std::nextafterf(near, INFINITY) : near;
}
float to_zero(long double exact) { return exact < 0 ? up(exact) : down(exact); }

}  // namespace

TEST_CASE("fast exponentials and logarithms are within 1.5 ulp, for all kinds of numbers") {
  double of_exp = 0, of_log = 0;
  const auto error = [](float found, double exact) {
    const float near = static_cast<float>(exact);
    if (found == near || (std::isnan(found) && std::isnan(near))) return 0.0;
    return std::fabs(found - exact) / std::fabs(std::nextafterf(near, INFINITY) - near);
  };
  for (uint64_t word = 0; word <= 0xffffffffu; word += 4093) {
    const unsigned int bits = static_cast<unsigned int>(word);
    float x;
    memcpy(&x, &bits, sizeof x);
    of_exp = std::fmax(of_exp, error(__expf(x), std::exp(static_cast<double>(x))));
    of_log = std::fmax(of_log, error(__logf(x), std::log(static_cast<double>(x))));
  }
  for (const float x : {0.0f, -0.0f, INFINITY, -INFINITY, NAN, -1.0f, 88.72284f, -103.9f, -104.5f, 1e-45f, FLT_MIN, FLT_MAX, 1.0f}) {
    CHECK(error(__expf(x), std::exp(static_cast<double>(x))) < 1.5);
    CHECK(error(__logf(x), std::log(static_cast<double>(x))) < 1.5);
  }
  CHECK(of_exp < 1.5);
  CHECK(of_log < 1.5);
}

TEST_CASE("dot products of bytes") {
  for (unsigned int a : awkward_words())
    for (unsigned int b : awkward_words()) {
      long long with_sign = 5, without = 5, low = 5, high = 5;
      for (int i = 0; i < 4; i++) {
        with_sign += static_cast<signed char>(a >> 8 * i) * static_cast<signed char>(b >> 8 * i);
        without += static_cast<long long>(a >> 8 * i & 255) * (b >> 8 * i & 255);
      }
      for (int i = 0; i < 2; i++) {
        low += static_cast<short>(a >> 16 * i) * static_cast<signed char>(b >> 8 * i);
        high += static_cast<short>(a >> 16 * i) * static_cast<signed char>(b >> (16 + 8 * i));
      }
      CHECK(__dp4a(static_cast<int>(a), static_cast<int>(b), 5) == with_sign);
      CHECK(__dp4a(a, b, 5u) == without);
      CHECK(__dp2a_lo(static_cast<int>(a), static_cast<int>(b), 5) == low);
      CHECK(__dp2a_hi(static_cast<int>(a), static_cast<int>(b), 5) == high);
    }
  CHECK(__dp4a(make_char4(1, -2, 3, -4), make_char4(5, 6, -7, -8), 100) == 100 + 5 - 12 - 21 + 32);
  CHECK(__dp4a(-1, -1, INT_MAX) == INT_MIN + 3);  // wraps around
}

TEST_CASE("funnel shifts") {
  for (unsigned int low : awkward_words())
    for (unsigned int n = 0; n < 70; n++) {
      const unsigned int high = ~low * 2654435761u;
      const unsigned long long both = (static_cast<unsigned long long>(high) << 32) | low;
      CHECK(__funnelshift_l(low, high, n) == static_cast<unsigned int>((both << (n & 31)) >> 32));
      CHECK(__funnelshift_r(low, high, n) == static_cast<unsigned int>(both >> (n & 31)));
      const unsigned int clamped = n < 32 ? n : 32;
      CHECK(__funnelshift_lc(low, high, n) ==
            (clamped == 32 ? low : static_cast<unsigned int>((both << clamped) >> 32)));
      CHECK(__funnelshift_rc(low, high, n) == static_cast<unsigned int>(both >> clamped));
    }
}

TEST_CASE("bytes and halves in a word") {
  for (unsigned int a : awkward_words())
    for (unsigned int b : awkward_words())
      for (int i = 0; i < 4; i++) {
        const int x = static_cast<signed char>(a >> 8 * i), y = static_cast<signed char>(b >> 8 * i);
        const int ux = a >> 8 * i & 255, uy = b >> 8 * i & 255;
        const auto part = [i](unsigned int word) { return static_cast<int>(word >> 8 * i & 255); };
        const auto signed_part = [i](unsigned int w) { return static_cast<signed char>(w >> 8 * i); };
        CHECK(part(__vadd4(a, b)) == ((ux + uy) & 255));
        CHECK(part(__vsub4(a, b)) == ((ux - uy) & 255));
        CHECK(signed_part(__vaddss4(a, b)) == std::max(-128, std::min(127, x + y)));
        CHECK(part(__vaddus4(a, b)) == std::min(255, ux + uy));
        CHECK(part(__vsubus4(a, b)) == std::max(0, ux - uy));
        CHECK(part(__vmaxu4(a, b)) == std::max(ux, uy));
        CHECK(signed_part(__vmins4(a, b)) == std::min(x, y));
        CHECK(part(__vabsdiffu4(a, b)) == std::abs(ux - uy));
        CHECK(part(__vavgu4(a, b)) == (ux + uy + 1) / 2);
        CHECK(part(__vcmpgts4(a, b)) == (x > y ? 255 : 0));
        CHECK(part(__vseteq4(a, b)) == (ux == uy ? 1 : 0));
      }
  CHECK(__vadd2(0xffff0001u, 0x00010001u) == 0x00000002u);
  CHECK(__vsadu4(0x01020304u, 0x04030201u) == 8);
}

TEST_CASE("rounding that is spelled out") {
  std::mt19937 random(7);
  std::vector<float> values{1, -1, 3, -3, 0.1f, -0.1f, 1e-3f, 12345.678f, 0x1p-20f, 0x1.fffffep3f};
  for (int i = 0; i < 100; i++)
    values.push_back(std::ldexp(static_cast<float>(random()) - 2147483648.0f,
                                static_cast<int>(random() % 20) - 40));
  for (float x : values)
    for (float y : values) {
      if (x == 0 || y == 0) continue;
      const long double sum = static_cast<long double>(x) + y;  // exact: 64 bits are enough here
      CHECK(__fadd_rd(x, y) == down(sum));
      CHECK(__fadd_ru(x, y) == up(sum));
      CHECK(__fadd_rz(x, y) == to_zero(sum));
      CHECK(__fsub_rd(x, -y) == down(sum));
      const long double product = static_cast<long double>(x) * y;
      CHECK(__fmul_rd(x, y) == down(product));
      CHECK(__fmul_ru(x, y) == up(product));
      CHECK(__fmul_rz(x, y) == to_zero(product));
      // A quotient is not exact: it lies between the two, and they are neighbors or equal.
      const float low = __fdiv_rd(x, y), high = __fdiv_ru(x, y);
      CHECK((low == high || std::nextafterf(low, INFINITY) == high));
      CHECK(static_cast<long double>(low) <= static_cast<long double>(x) / y);
      CHECK(static_cast<long double>(high) >= static_cast<long double>(x) / y);
    }
  CHECK(__double2float_rd(0.1) < __double2float_ru(0.1));
  CHECK(__int2float_rz(0x7fffffff) == 2147483520.0f);
  CHECK(__int2float_ru(0x7fffffff) == 2147483648.0f);
  CHECK(__fmaf_rd(1, 1, -1) == 0);
  CHECK(__dadd_rd(1, 1e-30) == 1);
  CHECK(__dadd_ru(1, 1e-30) == 1 + DBL_EPSILON);
  CHECK(__dmul_rz(-1.0 - DBL_EPSILON, 1.0 + DBL_EPSILON) == -1 - 2 * DBL_EPSILON);
  CHECK(0.1f + 0.2f == 0.3f);  // and afterwards as before
}

TEST_CASE("inverse error functions") {
  for (double y = -0.999; y < 1; y += 0.0137) {
    CHECK(std::erf(erfinv(y)) == doctest::Approx(y).epsilon(1e-13));
    CHECK(std::erfc(erfcinv(1 + y)) == doctest::Approx(1 + y).epsilon(1e-13));
  }
  for (double y = 1e-300; y < 0.1; y *= 7)
    CHECK(std::erfc(erfcinv(y)) == doctest::Approx(y).epsilon(1e-11));
  CHECK(std::isinf(erfinv(1.0)));
  CHECK(std::isnan(erfinv(1.5)));
  for (double x : {-2.0, 0.0, 0.5, 4.9, 5.1, 10.0})
    CHECK(erfcx(x) == doctest::Approx(std::exp(x * x) * std::erfc(x)).epsilon(1e-12));
  for (double x = 5; x < 26; x += 0.37)
    CHECK(erfcx(x) == doctest::Approx(std::exp(x * x) * std::erfc(x)).epsilon(1e-11));
  for (double x = 20; x < 1e15; x *= 1.3) {  // Abramowitz and Stegun, 7.1.23
    const double t = 1 / (2 * x * x);
    CHECK(erfcx(x) == doctest::Approx((1 - t + 3 * t * t - 15 * t * t * t) / (x * std::sqrt(M_PI))).epsilon(1e-9));
  }
  CHECK(normcdf(normcdfinv(0.3)) == doctest::Approx(0.3));
}

namespace {
__device__ int device_int;
__global__ void look_at_addresses(unsigned int* answers, const int* global) {
  __shared__ int here;
  extern __shared__ int dynamic[];
  int mine = 0;
  answers[0] = __isShared(&here);
  answers[1] = __isShared(dynamic);
  answers[2] = __isShared(global) + __isShared(&device_int) + __isShared(&mine);
  answers[3] = __isGlobal(global) + __isGlobal(&device_int);
  answers[4] = __isGlobal(&here) + __isGlobal(&mine);
  answers[5] = __isLocal(&mine);
}
__global__ void ticks(long long* difference) {
  const clock_t a = clock();
  const long long b = clock64();
  *difference = b - a;
}
}  // namespace

TEST_CASE("which kind of memory an address is of") {
  unsigned int* answers;
  CHECK(cudaMallocManaged(&answers, 6 * sizeof(int)) == cudaSuccess);
  look_at_addresses<<<1, 1, 64>>>(answers, reinterpret_cast<int*>(answers));
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(answers[0] == 1);
  CHECK(answers[1] == 1);
  CHECK(answers[2] == 0);
  CHECK(answers[3] == 2);
  CHECK(answers[4] == 0);
  CHECK(answers[5] == 1);
  cudaFree(answers);
}

TEST_CASE("clock() in a kernel counts the same ticks as clock64(), on the host processor time") {
  long long* difference;
  CHECK(cudaMallocManaged(&difference, sizeof *difference) == cudaSuccess);
  ticks<<<1, 1>>>(difference);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(*difference >= 0);
  CHECK(*difference < 1000000000);
  cudaFree(difference);
  const clock_t before = std::clock();
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  CHECK(std::llabs(used.tv_sec * 1000000ll + used.tv_nsec / 1000 - before) < 1000000);
}
