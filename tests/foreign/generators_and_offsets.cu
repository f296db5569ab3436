// In the manner of test suites for random numbers: the same numbers again after each kind of reset, with offsets, in pieces and on
// the host; how distributions depend on their parameters; moments, correlations and ends of ranges; each status.
#include <curand.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>
#include <vector>

int wrong = 0;
char now[200];  // what is tested
void failed(int line, const char *what) { wrong++, printf("line %d: %s: %s\n", line, now, what); }
#define EXPECT(...) ((__VA_ARGS__) ? void() : failed(__LINE__, #__VA_ARGS__))
#define GOOD(call) EXPECT((call) == CURAND_STATUS_SUCCESS)

const size_t n = 20000;
void *device;

// Each kind of number as doubles.
enum Kind { bits, uniform, uniform_double, normal, normal_double, log_normal, log_normal_double, poisson, kinds };
curandStatus_t generate(curandGenerator_t g, Kind kind, void *to, size_t count, double mean = 0, double deviation = 1) {
  auto *const f = static_cast<float *>(to);
  auto *const d = static_cast<double *>(to);
  auto *const u = static_cast<unsigned *>(to);
  switch (kind) {
    case bits:
      return curandGenerate(g, u, count);
    case uniform:
      return curandGenerateUniform(g, f, count);
    case uniform_double:
      return curandGenerateUniformDouble(g, d, count);
    case normal:
      return curandGenerateNormal(g, f, count, static_cast<float>(mean), static_cast<float>(deviation));
    case normal_double:
      return curandGenerateNormalDouble(g, d, count, mean, deviation);
    case log_normal:
      return curandGenerateLogNormal(g, f, count, static_cast<float>(mean), static_cast<float>(deviation));
    case log_normal_double:
      return curandGenerateLogNormalDouble(g, d, count, mean, deviation);
    default:
      return curandGeneratePoisson(g, u, count, mean > 0 ? mean : 4);
  }
}
size_t size_of(Kind kind) { return kind == uniform_double || kind == normal_double || kind == log_normal_double ? 8 : 4; }
std::vector<double> numbers(curandGenerator_t g, Kind kind, size_t count, double mean = 0, double deviation = 1) {
  std::vector<char> raw(count * 8 + 8, 0x55);
  cudaMemset(device, 0x55, count * 8 + 8);
  GOOD(generate(g, kind, device, count, mean, deviation));
  cudaMemcpy(raw.data(), device, raw.size(), cudaMemcpyDeviceToHost);
  std::vector<double> result(count);
  for (size_t i = 0; i < count; i++)
    if (size_of(kind) == 8)
      result[i] = reinterpret_cast<double *>(raw.data())[i];
    else if (kind == bits || kind == poisson)
      result[i] = reinterpret_cast<unsigned *>(raw.data())[i];
    else
      result[i] = reinterpret_cast<float *>(raw.data())[i];
  // Nothing is written behind the array.
  EXPECT(std::all_of(raw.begin() + count * size_of(kind), raw.end(), [](char c) { return c == 0x55; }));
  return result;
}
struct Moments {
  double mean = 0, deviation = 0, skew = 0, next = 0;  // `next`: the correlation with the next one
};
Moments of(const std::vector<double> &x) {
  Moments m;
  for (double value : x) m.mean += value / x.size();
  for (double value : x) m.deviation += (value - m.mean) * (value - m.mean) / x.size();
  m.deviation = std::sqrt(m.deviation);
  for (size_t i = 0; i + 1 < x.size(); i++) {
    const double a = (x[i] - m.mean) / m.deviation, b = (x[i + 1] - m.mean) / m.deviation;
    m.skew += a * a * a / x.size(), m.next += a * b / x.size();
  }
  return m;
}
bool near(double a, double b, double tolerance) { return std::fabs(a - b) <= tolerance; }

void sequences(curandRngType_t type) {
  curandGenerator_t g, other;
  GOOD(curandCreateGenerator(&g, type)), GOOD(curandCreateGenerator(&other, type));
  for (int k = 0; k < kinds; k++) {
    const auto kind = static_cast<Kind>(k);
    snprintf(now, sizeof now, "generator %d, kind %d", type, k);
    const auto from_start = [&](curandGenerator_t one, unsigned long long seed) {
      GOOD(curandSetPseudoRandomGeneratorSeed(one, seed)), GOOD(curandSetGeneratorOffset(one, 0));
      return numbers(one, kind, 1000);
    };
    const auto first = from_start(g, 7), more = numbers(g, kind, 1000);
    EXPECT(first == from_start(g, 7) && first == from_start(other, 7));
    EXPECT(more == numbers(g, kind, 1000) && more != first);
    EXPECT(first != from_start(g, 8) && first != from_start(g, 7 + (1ull << 32)) && first != from_start(g, 7 + (1ull << 63)));
    EXPECT(first == from_start(g, 7));
#ifdef __CPU_DEVICE__  // a GPU's order of numbers depends on the generator
    const std::vector<double> front = (GOOD(curandSetGeneratorOffset(g, 0)), numbers(g, kind, 10));
    std::vector<double> joined = front;
    for (const double x : numbers(g, kind, 990)) joined.push_back(x);
    EXPECT(joined == first);
    const unsigned draws = size_of(kind) == 8 ? 2 : 1;
    for (const unsigned long long offset : {2ull, 6ull, 1ull << 40}) {
      GOOD(curandSetGeneratorOffset(g, offset * draws));
      const auto later = numbers(g, kind, 500);
      if (offset < 100) EXPECT(std::equal(later.begin(), later.end(), first.begin() + static_cast<long>(offset)));
      if (offset > 100) EXPECT(later != std::vector<double>(first.begin(), first.begin() + 500));
    }
#endif
    const std::set<double> different(first.begin(), first.end());
    EXPECT(kind == poisson || different.size() > 990);
  }
  GOOD(curandDestroyGenerator(g)), GOOD(curandDestroyGenerator(other));
}

void distributions(curandRngType_t type) {
  curandGenerator_t g;
  GOOD(curandCreateGenerator(&g, type)), GOOD(curandSetPseudoRandomGeneratorSeed(g, 2024));
  for (const Kind kind : {uniform, uniform_double}) {
    snprintf(now, sizeof now, "generator %d, uniform, kind %d", type, kind);
    const auto x = numbers(g, kind, n);
    const Moments m = of(x);
    EXPECT(near(m.mean, 0.5, 0.01) && near(m.deviation, std::sqrt(1 / 12.0), 0.01) && near(m.skew, 0, 0.05) &&
           near(m.next, 0, 0.03));
    EXPECT(*std::min_element(x.begin(), x.end()) > 0 && *std::max_element(x.begin(), x.end()) <= 1);
    EXPECT(*std::min_element(x.begin(), x.end()) < 0.001 && *std::max_element(x.begin(), x.end()) > 0.999);
    std::vector<int> bins(20);
    for (double value : x) bins[std::min(19, static_cast<int>(value * 20))]++;
    for (int count : bins) EXPECT(near(count, n / 20.0, 160));
  }
  for (const Kind kind : {normal, normal_double}) {
    snprintf(now, sizeof now, "generator %d, normal, kind %d", type, kind);
    for (const double mean : {0.0, -3.0})
      for (const double deviation : {1.0, 2.5}) {
        const auto x = numbers(g, kind, n, mean, deviation);
        const Moments m = of(x);
        EXPECT(near(m.mean, mean, 0.03 * deviation) && near(m.deviation, deviation, 0.03 * deviation) && near(m.skew, 0, 0.1) &&
               near(m.next, 0, 0.03));
        const auto beyond = std::count_if(x.begin(), x.end(), [&](double value) { return value > mean + 2 * deviation; });
        EXPECT(near(static_cast<double>(beyond), 0.02275 * n, 90));
      }
    // Mean and deviation only move and stretch; logarithms of the other kind are the same numbers.
    const auto again = [&](Kind which, double mean, double deviation) {
      GOOD(curandSetGeneratorOffset(g, 0));
      return numbers(g, which, 1000, mean, deviation);
    };
    const auto plain = again(kind, 0, 1), moved = again(kind, 5, 3),
               logarithmic = again(kind == normal ? log_normal : log_normal_double, 0.5, 0.25);
    for (size_t i = 0; i < 1000; i++) {
      EXPECT(near(moved[i], 5 + 3 * plain[i], 1e-4));
      EXPECT(near(std::log(logarithmic[i]), 0.5 + 0.25 * plain[i], 1e-4));
    }
  }
  for (const double mean : {0.25, 1.0, 12.0, 70.0, 5000.0}) {
    snprintf(now, sizeof now, "generator %d, Poisson numbers around %g", type, mean);
    const Moments m = of(numbers(g, poisson, n, mean));
    EXPECT(near(m.mean, mean, 0.04 * std::sqrt(mean)) && near(m.deviation, std::sqrt(mean), 0.04 * std::sqrt(mean)));
    EXPECT(near(m.skew, 1 / std::sqrt(mean), 0.15) && near(m.next, 0, 0.03));
  }
  {
    snprintf(now, sizeof now, "generator %d, bits", type);
    const auto x = numbers(g, bits, n);
    for (int bit = 0; bit < 32; bit++) {
      size_t count = 0;
      for (double value : x) count += static_cast<unsigned long long>(value) >> bit & 1;
      EXPECT(near(static_cast<double>(count), n / 2.0, 350));
    }
  }
  GOOD(curandDestroyGenerator(g));
}

void statuses() {
  snprintf(now, sizeof now, "statuses");
  curandGenerator_t g;
  EXPECT(curandDestroyGenerator(nullptr) == CURAND_STATUS_NOT_INITIALIZED);
  EXPECT(curandSetStream(nullptr, nullptr) == CURAND_STATUS_NOT_INITIALIZED);
  EXPECT(curandSetGeneratorOffset(nullptr, 0) == CURAND_STATUS_NOT_INITIALIZED);
  EXPECT(curandSetPseudoRandomGeneratorSeed(nullptr, 0) == CURAND_STATUS_NOT_INITIALIZED);
  EXPECT(curandSetQuasiRandomGeneratorDimensions(nullptr, 1) == CURAND_STATUS_NOT_INITIALIZED);
  for (int k = 0; k < kinds; k++) EXPECT(generate(nullptr, static_cast<Kind>(k), device, 4) == CURAND_STATUS_NOT_INITIALIZED);
  for (const int type : {99, 102 - 3, 1000})
    EXPECT(curandCreateGenerator(&g, static_cast<curandRngType_t>(type)) == CURAND_STATUS_TYPE_ERROR);
  GOOD(curandCreateGenerator(&g, CURAND_RNG_PSEUDO_XORWOW));
  for (const Kind kind : {normal, normal_double, log_normal, log_normal_double}) {
    EXPECT(generate(g, kind, device, 5) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    GOOD(generate(g, kind, device, 6));
  }
  for (const double mean : {0.0, -1.0})
    EXPECT(curandGeneratePoisson(g, static_cast<unsigned *>(device), 4, mean) == CURAND_STATUS_OUT_OF_RANGE);
  GOOD(curandDestroyGenerator(g));
  // Quasirandom: as many of each dimension, the offset counts points.
  GOOD(curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL32)), GOOD(curandSetQuasiRandomGeneratorDimensions(g, 3));
  EXPECT(generate(g, uniform, device, 10) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  const auto first = numbers(g, uniform, 3 * 64), second = numbers(g, uniform, 3 * 64);
  GOOD(curandSetGeneratorOffset(g, 0));
  EXPECT(first == numbers(g, uniform, 3 * 64) && first != second);
  GOOD(curandSetGeneratorOffset(g, 64));
  EXPECT(second == numbers(g, uniform, 3 * 64));
  for (int d = 0; d < 3; d++) {  // of 64 points, one in each 64th
    std::set<int> places;
    for (int i = 0; i < 64; i++) places.insert(static_cast<int>(std::ceil(first[d * 64 + i] * 64)) - 1);
    EXPECT(places.size() >= 63);
  }
  GOOD(curandSetGeneratorOffset(g, 1));
  const auto inverse = numbers(g, normal, 3 * 64);
  GOOD(curandSetGeneratorOffset(g, 1));
  const auto of_uniform = numbers(g, uniform, 3 * 64);
  for (int i = 0; i < 3 * 64; i++) EXPECT(near(0.5 * std::erfc(-inverse[i] / std::sqrt(2.0)), of_uniform[i], 2e-5));
  GOOD(curandDestroyGenerator(g));
  // On the host: the numbers of the device, at once.
  curandGenerator_t host;
  GOOD(curandCreateGeneratorHost(&host, CURAND_RNG_PSEUDO_PHILOX4_32_10)),
      GOOD(curandCreateGenerator(&g, CURAND_RNG_PSEUDO_PHILOX4_32_10));
  GOOD(curandSetPseudoRandomGeneratorSeed(host, 5)), GOOD(curandSetPseudoRandomGeneratorSeed(g, 5));
  std::vector<unsigned> here(1001);
  GOOD(curandGenerate(host, here.data(), 1000));
  const auto there = numbers(g, bits, 1000);
  for (int i = 0; i < 1000; i++) EXPECT(here[i] == there[i]);
  EXPECT(here[1000] == 0);
  GOOD(curandDestroyGenerator(host)), GOOD(curandDestroyGenerator(g));
}

int main() {
  cudaMalloc(&device, n * 8 + 64);
  for (const curandRngType_t type : {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_PHILOX4_32_10})
    sequences(type), distributions(type);
  statuses();
  puts(wrong ? "wrong" : "right");
  return wrong != 0;
}
