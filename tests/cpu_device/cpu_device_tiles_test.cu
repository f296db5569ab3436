// Tile C++: an example for each topic of its documentation, compared with plain loops. All of them
// also compile with the Toolkit's nvcc (13.3 or newer, --enable-tile -std=c++20).
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_tile.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

namespace ct = cuda::tiles;
using namespace ct::literals;

namespace {

// An array on the device that starts with the host's numbers.
template <typename T>
class Array {
 public:
  explicit Array(const std::vector<T>& host) : size_(host.size()) {
    REQUIRE(cudaMalloc(&data_, size_ * sizeof(T)) == cudaSuccess);
    REQUIRE(cudaMemcpy(data_, host.data(), size_ * sizeof(T), cudaMemcpyHostToDevice) == cudaSuccess);
  }
  explicit Array(size_t size, T value = T()) : Array(std::vector<T>(size, value)) {}
  ~Array() { cudaFree(data_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  operator T*() const { return data_; }
  std::vector<T> host() const {
    std::vector<T> result(size_);
    REQUIRE(cudaMemcpy(result.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost) == cudaSuccess);
    return result;
  }

 private:
  size_t size_;
  T* data_ = nullptr;
};

template <typename T = int>
std::vector<T> counted(size_t n) {
  std::vector<T> result(n);
  std::iota(result.begin(), result.end(), T());
  return result;
}
std::vector<float> floats(size_t n) {
  std::vector<float> result(n);
  for (size_t i = 0; i < n; i++) result[i] = static_cast<float>((i * 7919) % 1000) / 250 - 2;
  return result;
}
template <typename T, typename Function>
std::vector<T> expected(size_t n, const Function& function) {
  std::vector<T> result(n);
  for (size_t i = 0; i < n; i++) result[i] = static_cast<T>(function(i));
  return result;
}
void check_near(const std::vector<float>& got, const std::vector<float>& right, double tolerance = 2e-6) {
  REQUIRE(got.size() == right.size());
  for (size_t i = 0; i < got.size(); i++)
    CHECK_MESSAGE(std::fabs(got[i] - right[i]) <= tolerance * (1 + std::fabs(right[i])),
                  i << ": " << got[i] << ", expected " << right[i]);
}

using Ints8 = ct::tile<int, ct::shape<8>>;
using Ints16 = ct::tile<int, ct::shape<16>>;
using Floats16 = ct::tile<float, ct::shape<16>>;
using Ints4x8 = ct::tile<int, ct::shape<4, 8>>;
using Floats4x8 = ct::tile<float, ct::shape<4, 8>>;

// ---- tiles from nothing, and from memory ----

__tile_global__ void count_up(int* out) {
  const Ints16 i = ct::iota<Ints16>();
  ct::store(out + i, i * i);
}
TEST_CASE("iota, and a tile of pointers") {
  Array<int> out(16);
  count_up<<<1, 1>>>(out);
  CHECK(out.host() == expected<int>(16, [](size_t i) { return i * i; }));
}

__tile_global__ void constants(int* out) {
  const Ints8 i = ct::iota<Ints8>();
  ct::store(out + i, ct::full<Ints8>(7));
  ct::store(out + 8 + i, ct::zeros<Ints8>());
  ct::store(out + 16 + i, ct::ones<Ints8>());
}
TEST_CASE("full, zeros and ones") {
  Array<int> out(24, -1);
  constants<<<1, 1>>>(out);
  CHECK(out.host() == expected<int>(24, [](size_t i) { return i < 8 ? 7 : i < 16 ? 0 : 1; }));
}

__tile_global__ void listed(int* out) {
  constexpr Ints8 primes({2, 3, 5, 7, 11, 13, 17, 19});
  const ct::tile<int, ct::shape<2, 2>> square({{1, 2}, {3, 4}});
  ct::store(out + ct::iota<Ints8>(), primes);
  ct::store(out + 8 + ct::iota<ct::tile<int, ct::shape<2, 2>>>(), square);
}
TEST_CASE("a tile from a list of constants") {
  Array<int> out(12);
  listed<<<1, 1>>>(out);
  CHECK(out.host() == std::vector<int>{2, 3, 5, 7, 11, 13, 17, 19, 1, 2, 3, 4});
}

__tile_global__ void axpy(float a, const float* __restrict__ x, float* __restrict__ y, int n) {
  const Ints16 i = int(ct::bid().x) * 16 + ct::iota<Ints16>();
  const auto inside = i < n;
  const Floats16 sum = a * ct::load_masked(x + i, inside) + ct::load_masked(y + i, inside);
  ct::store_masked(y + i, sum, inside);
}
TEST_CASE("masks: a length that is no multiple of the tile's") {
  for (int n : {1, 15, 16, 17, 100}) {
    const auto x = floats(n), y = counted<float>(n);
    Array<float> dev_x(x), dev_y(y);
    axpy<<<(n + 15) / 16, 1>>>(0.5f, dev_x, dev_y, n);
    check_near(dev_y.host(), expected<float>(n, [&](size_t i) { return 0.5f * x[i] + y[i]; }));
  }
}

__tile_global__ void padded_load(const int* in, int* out, int n) {
  const Ints16 i = ct::iota<Ints16>();
  ct::store(out + i, ct::load_masked(in + i, i < n, -1));
}
TEST_CASE("a masked load with padding") {
  Array<int> in(counted(5)), out(16);
  padded_load<<<1, 1>>>(in, out, 5);
  CHECK(out.host() == expected<int>(16, [](size_t i) { return i < 5 ? int(i) : -1; }));
}

__tile_global__ void gather(const int* in, int* out) {
  const Ints8 i = ct::iota<Ints8>();
  ct::store(out + i, ct::load(in + (2 + 9 * i) % 16));
}
TEST_CASE("gather: any elements") {
  Array<int> in(counted(16)), out(8);
  gather<<<1, 1>>>(in, out);
  CHECK(out.host() == expected<int>(8, [](size_t i) { return (2 + 9 * i) % 16; }));
}

__tile_global__ void scatter(int* out) {
  const Ints8 i = ct::iota<Ints8>();
  ct::store_masked(out + 2 * i, i, i % 2 == 1);
}
TEST_CASE("scatter with a mask: what the mask leaves out stays") {
  Array<int> out(16, 77);
  scatter<<<1, 1>>>(out);
  CHECK(out.host() == expected<int>(16, [](size_t i) { return i % 4 == 2 ? i / 2 : 77; }));
}

__tile_global__ void one_number(const float* in, float* out) {
  const float x = ct::load(in);
  ct::store(out, x * 2);
  ct::store(out + 1, ct::sqrt(x));
  ct::store(out + 2, ct::max(x, 100.0f));
}
TEST_CASE("a number is a tile without dimensions") {
  Array<float> in(std::vector<float>{81}), out(3);
  one_number<<<1, 1>>>(in, out);
  CHECK(out.host() == std::vector<float>{162, 9, 100});
}

// ---- element by element ----

__tile_global__ void row_and_column(int* out) {
  const auto row = ct::iota<ct::tile<int, ct::shape<1, 8>>>();
  const auto column = ct::iota<ct::tile<int, ct::shape<4, 1>>>();
  const Ints4x8 table = 10 * column + row;
  ct::store(out + ct::iota<Ints4x8>(), table);
}
TEST_CASE("broadcast: a row and a column make a table") {
  Array<int> out(32);
  row_and_column<<<1, 1>>>(out);
  CHECK(out.host() == expected<int>(32, [](size_t i) { return 10 * (i / 8) + i % 8; }));
}

__tile_global__ void broadcast_3d(int* out) {
  const auto line = ct::iota<ct::tile<int, ct::shape<4>>>();
  const auto plane = ct::broadcast<ct::shape<2, 2, 4>>(line);
  const auto number = ct::broadcast(5, ct::shape<2, 2, 4>{});
  const auto middle = ct::iota<ct::tile<int, ct::shape<2, 1>>>();
  ct::store(out + ct::iota<ct::tile<int, ct::shape<2, 2, 4>>>(), plane + 10 * middle + 100 * number);
}
TEST_CASE("broadcast to three dimensions") {
  Array<int> out(16);
  broadcast_3d<<<1, 1>>>(out);
  CHECK(out.host() == expected<int>(16, [](size_t i) { return 500 + i % 4 + 10 * (i / 4 % 2); }));
}

// A row of 16 results for each operator, in the order of the names below.
__tile_global__ void whole_numbers(const int* in, int* out) {
  const Ints16 i = ct::iota<Ints16>();
  const Ints16 x = ct::load(in + i);
  ct::store(out + i, x << 3);
  ct::store(out + 16 + i, x >> 1);
  ct::store(out + 32 + i, ((x * 8) ^ (x - 1)) | (x & 5));
  ct::store(out + 48 + i, x / 3);
  ct::store(out + 64 + i, x % 3);
  ct::store(out + 80 + i, ct::ceildiv(x, 4));
  ct::store(out + 96 + i, ct::floordiv(x, 4));
  ct::store(out + 112 + i, ~x + -x);
  ct::store(out + 128 + i, ct::mulhi(x * 100000000, 1000));
}
TEST_CASE("operators of whole numbers") {
  struct Operator {
    std::string name;
    int (*right)(int x);
  };
  const Operator operators[] = {
      {"x << 3", [](int x) { return x * 8; }},
      {"x >> 1", [](int x) { return static_cast<int>(std::floor(x / 2.0)); }},
      {"((x * 8) ^ (x - 1)) | (x & 5)", [](int x) { return ((x * 8) ^ (x - 1)) | (x & 5); }},
      {"x / 3", [](int x) { return x / 3; }},
      {"x % 3", [](int x) { return x % 3; }},
      {"ceildiv(x, 4)", [](int x) { return static_cast<int>(std::ceil(x / 4.0)); }},
      {"floordiv(x, 4)", [](int x) { return static_cast<int>(std::floor(x / 4.0)); }},
      {"~x + -x", [](int x) { return ~x - x; }},
      // Of the bits as unsigned numbers, also for int.
      {"mulhi(x * 100000000, 1000)",
       [](int x) { return static_cast<int>((uint32_t(x * 100000000) * uint64_t(1000)) >> 32); }},
  };
  std::vector<int> in(16);
  for (int i = 0; i < 16; i++) in[i] = i - 8;
  Array<int> dev_in(in), out(16 * std::size(operators));
  whole_numbers<<<1, 1>>>(dev_in, out);
  const auto got = out.host();
  for (size_t i = 0; i < got.size(); i++) {
    const int x = in[i % 16], right = operators[i / 16].right(x);
    CHECK_MESSAGE(got[i] == right,
                  operators[i / 16].name << " of x = " << x << ": " << got[i] << ", expected " << right);
  }
}

__tile_global__ void clamp_and_flip(const float* in, float* out, int* signs) {
  const Ints16 i = ct::iota<Ints16>();
  const Floats16 x = ct::load(in + i);
  ct::store(out + i, ct::min(ct::max(x, -1.0f), 1.0f));
  ct::store(out + 16 + i, ct::select(x < 0.0f, -x, x));
  ct::store(signs + i, ct::select(x > 0.0f && !(x == 0.0f), ct::ones<Ints16>(),
                                  ct::select(x < 0.0f || x != x, ct::full<Ints16>(-1), ct::zeros<Ints16>())));
}
TEST_CASE("comparisons, logic, select, min and max") {
  auto in = floats(16);
  in[3] = 0;
  Array<float> dev_in(in), out(32);
  Array<int> signs(16);
  clamp_and_flip<<<1, 1>>>(dev_in, out, signs);
  CHECK(out.host() == expected<float>(32, [&](size_t i) {
          return i < 16 ? std::clamp(in[i], -1.0f, 1.0f) : std::fabs(in[i - 16]);
        }));
  CHECK(signs.host() == expected<int>(16, [&](size_t i) { return (in[i] > 0) - (in[i] < 0); }));
}

__tile_global__ void not_a_number(const float* in, int* out, float* extremes) {
  const Ints8 i = ct::iota<Ints8>();
  const auto x = ct::load(in + i);
  ct::store(out + i, ct::element_cast<int>(ct::isnan(x)) + 2 * ct::element_cast<int>(ct::isinf(x)));
  ct::store(extremes + i, ct::max(x, 0.0f));
  ct::store(extremes + 8 + i, ct::max(x, 0.0f, ct::propagate_nan_t{}));
}
TEST_CASE("NaN and infinity") {
  Array<float> in(std::vector<float>{1, NAN, INFINITY, -INFINITY, 0, -1, NAN, 3}), extremes(16);
  Array<int> out(8);
  not_a_number<<<1, 1>>>(in, out, extremes);
  CHECK(out.host() == std::vector<int>{0, 1, 2, 2, 0, 0, 1, 0});
  const auto result = extremes.host();
  CHECK(std::vector<float>(result.begin(), result.begin() + 8) ==
        std::vector<float>{1, 0, INFINITY, 0, 0, 0, 0, 3});
  CHECK((std::isnan(result[9]) && std::isnan(result[14]) && result[8] == 1 && result[11] == 0));
}

__tile_global__ void functions(const float* in, float* out) {
  const Ints16 i = ct::iota<Ints16>();
  const Floats16 x = ct::load(in + i);
  const Floats16 positive = ct::abs(x) + 0.5f;
  ct::store(out + i, ct::sin(x) + ct::cos(x) * ct::tan(x * 0.25f));
  ct::store(out + 16 + i, ct::exp(x) + ct::exp2(x) + ct::tanh(x));
  ct::store(out + 32 + i, ct::log(positive) + ct::log2(positive));
  ct::store(out + 48 + i, ct::sqrt(positive) + ct::rsqrt(positive));
  ct::store(out + 64 + i, ct::floor(x) + 10.0f * ct::ceil(x));
  ct::store(out + 80 + i, ct::pow(positive, x) + ct::powi(x, ct::full<Ints16>(3)));
  ct::store(out + 96 + i, ct::atan2(x, positive) + ct::fma(x, x, positive));
  ct::store(out + 112 + i, ct::sinh(x) - ct::cosh(x) + ct::remainder(x, 0.75f));
}
TEST_CASE("mathematical functions") {
  const auto in = floats(16);
  Array<float> dev_in(in), out(128);
  functions<<<1, 1>>>(dev_in, out);
  check_near(out.host(), expected<float>(128, [&](size_t at) {
               const double x = in[at % 16], p = std::fabs(x) + 0.5;
               switch (at / 16) {
                 case 0: return std::sin(x) + std::cos(x) * std::tan(x * 0.25);
                 case 1: return std::exp(x) + std::exp2(x) + std::tanh(x);
                 case 2: return std::log(p) + std::log2(p);
                 case 3: return std::sqrt(p) + 1 / std::sqrt(p);
                 case 4: return std::floor(x) + 10 * std::ceil(x);
                 case 5: return std::pow(p, x) + x * x * x;
                 case 6: return std::atan2(x, p) + x * x + p;
                 default: return std::sinh(x) - std::cosh(x) + std::fmod(x, 0.75);
               }
             }), 4e-6);
}

__tile_global__ void conversions(const float* in, int* ints, unsigned* bits, __half* halves, int8_t* bytes) {
  const Ints16 i = ct::iota<Ints16>();
  const Floats16 x = ct::load(in + i);
  ct::store(ints + i, ct::element_cast<int>(x * 10.0f));
  ct::store(bits + i, ct::element_bitcast<unsigned>(x));
  ct::store(halves + i, ct::element_cast<__half>(x));
  ct::store(bytes + i, ct::element_cast<int8_t>(x * 1000.0f, ct::saturate_finite_t{}));
}
TEST_CASE("conversions of elements") {
  const auto in = floats(16);
  Array<float> dev_in(in);
  Array<int> ints(16);
  Array<unsigned> bits(16);
  Array<__half> halves(16);
  Array<int8_t> bytes(16);
  conversions<<<1, 1>>>(dev_in, ints, bits, halves, bytes);
  CHECK(ints.host() == expected<int>(16, [&](size_t i) { return in[i] * 10.0f; }));
  CHECK(bits.host() == expected<unsigned>(16, [&](size_t i) {
          unsigned word;
          __builtin_memcpy(&word, &in[i], 4);
          return word;
        }));
  const auto half = halves.host();
  for (size_t i = 0; i < 16; i++) CHECK(__half2float(half[i]) == __half2float(__float2half(in[i])));
  CHECK(bytes.host() == expected<int8_t>(16, [&](size_t i) { return std::clamp(in[i] * 1000, -128.0f, 127.0f); }));
}

__tile_global__ void mixed(const int8_t* small, long long* out) {
  const Ints16 i = ct::iota<Ints16>();
  const auto x = ct::load(small + i);  // sums of small numbers stay small
  const auto wide = ct::element_cast<long long>(i);
  ct::store(out + i, wide * 1000000000LL + ct::element_cast<long long>(x + x));
}
TEST_CASE("types of mixed arithmetic: 8 bits stay 8 bits") {
  std::vector<int8_t> small(16, 100);
  Array<int8_t> dev_small(small);
  Array<long long> out(16);
  mixed<<<1, 1>>>(dev_small, out);
  CHECK(out.host() == expected<long long>(16, [](size_t i) { return i * 1000000000LL - 56; }));
}

// ---- along one dimension ----

__tile_global__ void sums(const int* in, int* rows, int* columns, int* all) {
  const auto x = ct::load(in + ct::iota<Ints4x8>());
  const auto by_row = ct::sum<1>(x);        // 4 x 1
  const auto by_column = ct::sum(x, 0_ic);  // 1 x 8
  ct::store(rows + ct::iota<ct::tile<int, ct::shape<4, 1>>>(), by_row);
  ct::store(columns + ct::iota<ct::tile<int, ct::shape<1, 8>>>(), by_column);
  ct::store(all, int(ct::sum<0>(by_row)));
}
TEST_CASE("sums of rows, of columns and of everything") {
  Array<int> in(counted(32)), rows(4), columns(8), all(1);
  sums<<<1, 1>>>(in, rows, columns, all);
  CHECK(rows.host() == std::vector<int>{28, 92, 156, 220});
  CHECK(columns.host() == expected<int>(8, [](size_t i) { return 48 + 4 * i; }));
  CHECK(all.host()[0] == 496);
}

__tile_global__ void reductions(const float* in, float* out, unsigned* places) {
  const Floats4x8 x = ct::load(in + ct::iota<Ints4x8>());
  const auto row = ct::iota<ct::tile<int, ct::shape<4, 1>>>();
  ct::store(out + row, ct::reduce_max<1>(x));
  ct::store(out + 4 + row, ct::reduce_min<1>(x));
  ct::store(out + 8 + row, ct::prod<1>(x));
  ct::store(places + row, ct::max_element<1>(x));
  ct::store(places + 4 + row, ct::min_element<1>(x));
}
TEST_CASE("largest, smallest, where they are, and products") {
  const auto in = floats(32);
  Array<float> dev_in(in), out(12);
  Array<unsigned> places(8);
  reductions<<<1, 1>>>(dev_in, out, places);
  const auto got = out.host();
  const auto at = places.host();
  for (size_t row = 0; row < 4; row++) {
    const auto first = in.begin() + 8 * row, last = first + 8;
    CHECK(got[row] == *std::max_element(first, last));
    CHECK(got[4 + row] == *std::min_element(first, last));
    CHECK(got[8 + row] == doctest::Approx(std::accumulate(first, last, 1.0, std::multiplies<>())));
    CHECK(at[row] == std::max_element(first, last) - first);
    CHECK(at[4 + row] == std::min_element(first, last) - first);
  }
}

// Where several are equal, it is the first, along either dimension.
__tile_global__ void places_of_equals(const int* in, unsigned* rows, unsigned* columns) {
  const Ints4x8 x = ct::load(in + ct::iota<Ints4x8>());
  const auto row = ct::iota<ct::tile<int, ct::shape<4, 1>>>();
  const auto column = ct::iota<ct::tile<int, ct::shape<1, 8>>>();
  ct::store(rows + row, ct::max_element<1>(x));
  ct::store(rows + 4 + row, ct::min_element<1>(x));
  ct::store(columns + column, ct::max_element<0>(x));
  ct::store(columns + 8 + column, ct::min_element<0>(x));
}
TEST_CASE("where the first of equal elements is") {
  for (int values = 1; values <= 3; values++)
    for (int shift = 0; shift < 8; shift++) {
      std::vector<int> in(32);
      for (int i = 0; i < 32; i++) in[i] = (i + shift) * (i + 3) / 5 % values;
      INFO(values << " values, shift " << shift);
      Array<int> dev_in(in);
      Array<unsigned> rows(8), columns(16);
      places_of_equals<<<1, 1>>>(dev_in, rows, columns);
      const auto in_row = rows.host(), in_column = columns.host();
      for (int row = 0; row < 4; row++) {
        const auto first = in.begin() + 8 * row;
        CHECK(in_row[row] == std::max_element(first, first + 8) - first);
        CHECK(in_row[4 + row] == std::min_element(first, first + 8) - first);
      }
      for (int column = 0; column < 8; column++) {
        std::vector<int> one;
        for (int row = 0; row < 4; row++) one.push_back(in[8 * row + column]);
        CHECK(in_column[column] == std::max_element(one.begin(), one.end()) - one.begin());
        CHECK(in_column[8 + column] == std::min_element(one.begin(), one.end()) - one.begin());
      }
    }
}

__tile_global__ void votes(const int* in, bool* out, int* bits) {
  const Ints4x8 x = ct::load(in + ct::iota<Ints4x8>());
  const auto row = ct::iota<ct::tile<int, ct::shape<4, 1>>>();
  ct::store(out + row, ct::all_of<1>(x < 20));
  ct::store(out + 4 + row, ct::any_of<1>(x % 7 == 6));
  ct::store(bits + row, ct::reduce_bitand<1>(x));
  ct::store(bits + 4 + row, ct::reduce_bitor<1>(x));
  ct::store(bits + 8 + row, ct::reduce_bitxor<1>(x * x));
}
TEST_CASE("all, any, and reductions of bits") {
  Array<int> in(counted(32)), bits(12);
  Array<unsigned char> out(8);
  votes<<<1, 1>>>(in, reinterpret_cast<bool*>(static_cast<unsigned char*>(out)), bits);
  const auto got = out.host();
  const auto words = bits.host();
  for (int row = 0; row < 4; row++) {
    bool all = true, any = false;
    int conjunction = -1, disjunction = 0, exclusive = 0;
    for (int i = 8 * row; i < 8 * row + 8; i++) {
      all = all && i < 20;
      any = any || i % 7 == 6;
      conjunction &= i;
      disjunction |= i;
      exclusive ^= i * i;
    }
    CHECK(got[row] == all);
    CHECK(got[4 + row] == any);
    CHECK(words[row] == conjunction);
    CHECK(words[4 + row] == disjunction);
    CHECK(words[8 + row] == exclusive);
  }
}

__tile_global__ void scans(const int* in, int* out) {
  const auto place = ct::iota<Ints4x8>();
  const Ints4x8 x = ct::load(in + place);
  ct::store(out + place, ct::partial_sum<1>(x));
  ct::store(out + 32 + place, ct::partial_sum<0>(x));
  ct::store(out + 64 + place, ct::partial_sum(x, 1_ic, ct::scan_backward_t{}));
  ct::store(out + 96 + place, ct::partial_prod<1>(x % 3 + 1));
}
TEST_CASE("scans: running sums and products") {
  Array<int> in(counted(32)), out(128);
  scans<<<1, 1>>>(in, out);
  CHECK(out.host() == expected<int>(128, [](size_t at) {
          const int row = static_cast<int>(at / 8 % 4), column = static_cast<int>(at % 8);
          int sum = 0, product = 1;
          for (int i = 0; i <= column; i++) product *= (8 * row + i) % 3 + 1;
          if (at < 32)
            for (int i = 0; i <= column; i++) sum += 8 * row + i;
          else if (at < 64)
            for (int i = 0; i <= row; i++) sum += 8 * i + column;
          else
            for (int i = column; i < 8; i++) sum += 8 * row + i;
          return at < 96 ? sum : product;
        }));
}

// ---- shapes ----

__tile_global__ void turned(const int* in, int* out) {
  const auto x = ct::load(in + ct::iota<ct::tile<int, ct::shape<2, 4, 8>>>());
  const auto turned = ct::permute(x, ct::dimension_map{2_ic, 0_ic, 1_ic});  // 8 x 2 x 4
  ct::store(out + ct::iota<ct::tile<int, ct::shape<8, 2, 4>>>(), turned);
  const auto flat = ct::reshape<ct::shape<8, 8>>(x);
  ct::store(out + 64 + ct::iota<ct::tile<int, ct::shape<8, 8>>>(), ct::transpose(flat));
}
TEST_CASE("permute, reshape and transpose") {
  Array<int> in(counted(64)), out(128);
  turned<<<1, 1>>>(in, out);
  CHECK(out.host() == expected<int>(128, [](size_t at) {
          if (at >= 64) return (at - 64) % 8 * 8 + (at - 64) / 8;
          const size_t i = at / 8, j = at / 4 % 2, k = at % 4;
          return j * 32 + k * 8 + i;
        }));
}

__tile_global__ void parts(const int* in, int* out) {
  const Ints4x8 x = ct::load(in + ct::iota<Ints4x8>());
  const auto part = ct::extract(x, ct::shape<2, 4>{}, 1, 0);  // rows 2 and 3, columns 0 to 3
  ct::store(out + ct::iota<ct::tile<int, ct::shape<2, 4>>>(), part);
  ct::store(out + 8 + ct::iota<Ints4x8>(), ct::insert(x, part, 0, 1));
  ct::store(out + 40 + ct::iota<ct::tile<int, ct::shape<2, 8>>>(), ct::cat<1>(part, part * 10));
}
TEST_CASE("extract, insert and cat") {
  Array<int> in(counted(32)), out(56);
  parts<<<1, 1>>>(in, out);
  CHECK(out.host() == expected<int>(56, [](size_t at) {
          const auto part = [](size_t row, size_t column) { return (2 + row) * 8 + column; };
          if (at < 8) return part(at / 4, at % 4);
          if (at < 40) {
            const size_t row = (at - 8) / 8, column = (at - 8) % 8;
            return row < 2 && column >= 4 ? part(row, column - 4) : row * 8 + column;
          }
          const size_t row = (at - 40) / 8, column = (at - 40) % 8;
          return column < 4 ? part(row, column) : 10 * part(row, column - 4);
        }));
}

// Parts of tiles with three and four dimensions, at each place, against their indices.
using Ints2x4x8 = ct::tile<int, ct::shape<2, 4, 8>>;
using Ints2x4x2x4 = ct::tile<int, ct::shape<2, 4, 2, 4>>;
__tile_global__ void parts_of_three(const int* in, int* out, int i, int j, int k) {
  const Ints2x4x8 x = ct::load(in + ct::iota<Ints2x4x8>());
  const auto part = ct::extract(x, ct::shape<1, 2, 4>{}, i, j, k);
  ct::store(out + ct::iota<ct::tile<int, ct::shape<1, 2, 4>>>(), part);
  ct::store(out + 8 + ct::iota<Ints2x4x8>(), ct::insert(x, part * 100, i, j, k));
}
__tile_global__ void parts_of_four(const int* in, int* out, int i, int j, int k, int l) {
  const Ints2x4x2x4 x = ct::load(in + ct::iota<Ints2x4x2x4>());
  const auto part = ct::extract(x, ct::shape<2, 2, 1, 2>{}, i, j, k, l);
  ct::store(out + ct::iota<ct::tile<int, ct::shape<2, 2, 1, 2>>>(), part);
  ct::store(out + 8 + ct::iota<Ints2x4x2x4>(), ct::insert(x, part * 100, i, j, k, l));
}
// The part of `whole` at `first`, in parts: what it holds, and the whole with this part times 100.
std::vector<int> part_and_whole(const std::vector<int>& whole, const std::vector<int>& part, const std::vector<int>& first) {
  std::vector<int> in_part, all(64);
  for (int at = 0; at < 64; at++) {
    bool inside = true;
    int rest = at;
    for (size_t d = whole.size(); d-- > 0; rest /= whole[d]) inside &= rest % whole[d] / part[d] == first[d];
    if (inside) in_part.push_back(at);
    all[at] = inside ? 100 * at : at;
  }
  in_part.insert(in_part.end(), all.begin(), all.end());
  return in_part;
}
TEST_CASE("extract and insert in three and four dimensions") {
  Array<int> in(counted(64)), out(72);
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      for (int k = 0; k < 2; k++) {
        CAPTURE(i);
        CAPTURE(j);
        CAPTURE(k);
        parts_of_three<<<1, 1>>>(in, out, i, j, k);
        CHECK(out.host() == part_and_whole({2, 4, 8}, {1, 2, 4}, {i, j, k}));
        parts_of_four<<<1, 1>>>(in, out, 0, j, k, i);
        CHECK(out.host() == part_and_whole({2, 4, 2, 4}, {2, 2, 1, 2}, {0, j, k, i}));
      }
}

// ---- views ----

__tile_global__ void copy_tiles(const int* in, int* out, int rows, int columns) {
  const ct::partition_view from{ct::tensor_span{in, ct::extents{rows, columns}}, ct::shape<4, 8>{}};
  const ct::partition_view to{ct::tensor_span{out, ct::extents{rows, columns}}, ct::shape<4, 8>{}};
  const int row = ct::bid().y, column = ct::bid().x;
  to.store_masked(from.load_masked(row, column) * 2, row, column);
}
TEST_CASE("partition_view: tiles side by side, masked at the edge") {
  for (int rows : {1, 4, 5, 13})
    for (int columns : {1, 8, 9, 31}) {
      const size_t count = size_t(rows) * columns;
      Array<int> in(counted(count)), out(count, -1);
      copy_tiles<<<dim3((columns + 7) / 8, (rows + 3) / 4), 1>>>(in, out, rows, columns);
      CHECK(out.host() == expected<int>(count, [](size_t i) { return 2 * i; }));
    }
}

__tile_global__ void paddings(const float* in, float* out) {
  const ct::partition_view view{ct::tensor_span{in, ct::extents{5}}, ct::shape<8>{}};
  const auto i = ct::iota<Ints8>();
  ct::store(out + i, view.load_masked(0));
  ct::store(out + 8 + i, view.load_masked<ct::view_padding::positive_inf>(0));
  ct::store(out + 16 + i, view.load_masked(ct::view_padding_nan_t{}, 0));
  ct::store(out + 24 + i, view.load_masked(ct::view_padding_negative_zero_t{}, 0));
}
TEST_CASE("what a view puts beyond the edge") {
  Array<float> in(counted<float>(5)), out(32, -1);
  paddings<<<1, 1>>>(in, out);
  const auto got = out.host();
  for (size_t i = 0; i < 32; i++) {
    if (i % 8 < 5)
      CHECK(got[i] == static_cast<float>(i % 8));
    else if (i < 8)
      CHECK((got[i] == 0 && !std::signbit(got[i])));
    else if (i < 16)
      CHECK(got[i] == INFINITY);
    else if (i < 24)
      CHECK(std::isnan(got[i]));
    else
      CHECK((got[i] == 0 && std::signbit(got[i])));
  }
}

__tile_global__ void moving_sums(const int* in, int* out, int n) {
  // Tiles of 4 that begin every 2 elements: they overlap.
  const ct::strided_view windows{ct::tensor_span{in, ct::extents{n}}, ct::shape<4>{}, ct::strides{2_ic}};
  const int window = ct::bid().x;
  ct::store(out + window, int(ct::sum<0>(windows.load(window))));
}
TEST_CASE("strided_view: tiles that overlap") {
  Array<int> in(counted(20)), out(9);
  moving_sums<<<9, 1>>>(in, out, 20);
  CHECK(out.host() == expected<int>(9, [](size_t i) { return 8 * i + 6; }));
}

__tile_global__ void chosen_rows(const int* table, const int* rows, int* out, int* scattered) {
  const auto numbers = ct::element_cast<unsigned>(ct::load(rows + ct::iota<ct::tile<int, ct::shape<4>>>()));
  const ct::gather_scatter_view from{ct::tensor_span{table, ct::extents{10, 8}}, ct::shape<4, 8>{}, 0_ic};
  const auto chosen = from.load(numbers, 0);
  ct::store(out + ct::iota<Ints4x8>(), chosen);
  const ct::gather_scatter_view to{ct::tensor_span{scattered, ct::extents{10, 8}}, ct::shape<4, 8>{}, 0_ic};
  to.store(chosen * 100, numbers, 0);
}
TEST_CASE("gather_scatter_view: rows in any order") {
  const std::vector<int> rows = {7, 0, 9, 3};
  Array<int> table(counted(80)), dev_rows(rows), out(32), scattered(80, -1);
  chosen_rows<<<1, 1>>>(table, dev_rows, out, scattered);
  CHECK(out.host() == expected<int>(32, [&](size_t i) { return rows[i / 8] * 8 + i % 8; }));
  CHECK(scattered.host() == expected<int>(80, [&](size_t i) {
          return std::count(rows.begin(), rows.end(), i / 8) ? int(i) * 100 : -1;
        }));
}

__tile_global__ void layouts(const int* in, int* out, int pitch) {
  const ct::extents size{4_ic, 8_ic};
  const auto place = ct::iota<Ints4x8>();
  const ct::partition_view by_columns{ct::tensor_span{in, size, ct::layout_left{}}, ct::shape<4, 8>{}};
  ct::store(out + place, by_columns.load(0, 0));
  using Mapping = ct::layout_strided_mapping<ct::extents<uint32_t, 4, 8>, ct::strides<uint32_t, ct::dynamic_stride, 1>>;
  const ct::tensor_span with_pitch{
      in, Mapping{ct::extents<uint32_t, 4, 8>{}, ct::strides<uint32_t, ct::dynamic_stride, 1>{pitch}}};
  ct::store(out + 32 + place, ct::partition_view{with_pitch, ct::shape<4, 8>{}}.load(0, 0));
}
TEST_CASE("layouts: columns first, and rows with a pitch") {
  Array<int> in(counted(64)), out(64);
  layouts<<<1, 1>>>(in, out, 11);
  CHECK(out.host() == expected<int>(64, [](size_t at) {
          const size_t row = at / 8 % 4, column = at % 8;
          return at < 32 ? column * 4 + row : row * 11 + column;
        }));
}

// Every layout of a table of any size: where each element lies, against the rule in words.
template <typename Mapping>
__tile__ void read_all(const int* in, int* out, const Mapping& mapping) {
  const ct::partition_view view{ct::tensor_span{in, mapping}, ct::shape<8, 16>{}};
  ct::store(out + ct::iota<ct::tile<int, ct::shape<8, 16>>>(), view.load_masked(0, 0));
}
__tile_global__ void each_layout(const int* in, int* out, int rows, int columns, int multiple, int far, int near) {
  using Size = ct::extents<uint32_t, ct::dynamic_extent, ct::dynamic_extent>;
  const Size size{rows, columns};
  read_all(in, out, ct::layout_right_mapping<Size>{size});
  read_all(in, out + 128, ct::layout_left_mapping<Size>{size});
  read_all(in, out + 256, ct::layout_right_padded_mapping{size, multiple});
  read_all(in, out + 384, ct::layout_left_padded_mapping{size, multiple});
  using Strides = ct::strides<uint32_t, ct::dynamic_stride, ct::dynamic_stride>;
  read_all(in, out + 512, ct::layout_strided_mapping<Size, Strides>{size, Strides{far, near}});
}
TEST_CASE("layouts: each size, padded to each multiple, and any strides") {
  Array<int> in(counted(1000)), out(640);
  for (const int rows : {1, 2, 3, 4, 7, 8})
    for (const int columns : {1, 3, 4, 5, 8, 12, 16})
      for (const int multiple : {1, 2, 3, 4, 8}) {
        const int far = 3 * multiple + columns, near = multiple;
        each_layout<<<1, 1>>>(in, out, rows, columns, multiple, far, near);
        const auto padded = [&](int n) { return (n % multiple == 0) ? n : n + multiple - n % multiple; };
        const auto place = [&](size_t which, int row, int column) {
          switch (which) {
            case 0: return row * columns + column;
            case 1: return column * rows + row;
            case 2: return row * padded(columns) + column;
            case 3: return column * padded(rows) + row;
            default: return row * far + column * near;
          }
        };
        CAPTURE(rows);
        CAPTURE(columns);
        CAPTURE(multiple);
        CHECK(out.host() == expected<int>(640, [&](size_t at) {
                const int row = int(at % 128 / 16), column = int(at % 16);
                return row < rows && column < columns ? place(at / 128, row, column) : 0;
              }));
      }
}

// ---- products ----

template <typename T, typename Sum, int M, int N, int K>
__tile_global__ void product(const T* a, const T* b, const Sum* c, Sum* out) {
  const auto x = ct::load(a + ct::iota<ct::tile<int, ct::shape<M, K>>>());
  const auto y = ct::load(b + ct::iota<ct::tile<int, ct::shape<K, N>>>());
  const auto place = ct::iota<ct::tile<int, ct::shape<M, N>>>();
  ct::store(out + place, ct::mma(x, y, ct::load(c + place)));
}
template <typename T, typename Sum, int M, int N, int K>
void check_product() {
  std::vector<T> a(M * K), b(K * N);
  std::vector<Sum> c(M * N);
  for (size_t i = 0; i < a.size(); i++) a[i] = static_cast<T>(static_cast<int>(i * 5 % 7) - 3);
  for (size_t i = 0; i < b.size(); i++) b[i] = static_cast<T>(static_cast<int>(i * 3 % 5) - 2);
  for (size_t i = 0; i < c.size(); i++) c[i] = static_cast<Sum>(static_cast<int>(i % 9));
  Array<T> dev_a(a), dev_b(b);
  Array<Sum> dev_c(c), out(M * N);
  product<T, Sum, M, N, K><<<1, 1>>>(dev_a, dev_b, dev_c, out);
  const auto got = out.host();
  for (int row = 0; row < M; row++)
    for (int column = 0; column < N; column++) {
      double sum = static_cast<double>(static_cast<float>(c[row * N + column]));
      for (int i = 0; i < K; i++)
        sum += static_cast<double>(static_cast<float>(a[row * K + i])) *
               static_cast<double>(static_cast<float>(b[i * N + column]));
      CHECK(static_cast<double>(static_cast<float>(got[row * N + column])) == sum);
    }
}
TEST_CASE("mma: products of matrices, of each type") {
  check_product<float, float, 32, 16, 64>();
  check_product<float, float, 4, 2, 8>();
  check_product<float, float, 1, 64, 32>();
  check_product<__half, float, 16, 32, 16>();
  check_product<__half, __half, 16, 16, 16>();
  check_product<__nv_bfloat16, float, 16, 16, 32>();
  check_product<double, double, 8, 16, 4>();
  check_product<int8_t, int32_t, 16, 16, 32>();
}

__tile_global__ void batches(const float* a, const float* b, float* out) {
  const auto many = ct::load(a + ct::iota<ct::tile<int, ct::shape<4, 8, 8>>>());
  const auto one = ct::load(b + ct::iota<ct::tile<int, ct::shape<1, 8, 8>>>());
  ct::store(out + ct::iota<ct::tile<int, ct::shape<4, 8, 8>>>(), ct::matmul(many, one));
}
TEST_CASE("matmul: a batch of matrices times one") {
  std::vector<float> a(256), b(64);
  for (size_t i = 0; i < a.size(); i++) a[i] = static_cast<float>(i % 11) - 5;
  for (size_t i = 0; i < b.size(); i++) b[i] = static_cast<float>(i % 3) - 1;
  Array<float> dev_a(a), dev_b(b), out(256);
  batches<<<1, 1>>>(dev_a, dev_b, out);
  CHECK(out.host() == expected<float>(256, [&](size_t at) {
          float sum = 0;
          for (size_t i = 0; i < 8; i++) sum += a[at / 8 * 8 + i] * b[i * 8 + at % 8];
          return sum;
        }));
}

// ---- atomics ----

__tile_global__ void count_digits(const int* in, int* counts, int n) {
  const Ints16 i = int(ct::bid().x) * 16 + ct::iota<Ints16>();
  const auto inside = i < n;
  const auto digit = ct::load_masked(in + i, inside, 0) % 10;
  ct::atomic_add_masked(counts + digit, ct::ones<Ints16>(), inside, ct::memory_order_relaxed_t{},
                        ct::thread_scope_device_t{});
}
TEST_CASE("atomic_add: a histogram, in which elements of one tile meet") {
  std::vector<int> in(1003), right(10);
  for (size_t i = 0; i < in.size(); i++) right[(in[i] = static_cast<int>(i * i % 1009)) % 10]++;
  Array<int> dev_in(in), counts(10);
  count_digits<<<63, 1>>>(dev_in, counts, 1003);
  CHECK(counts.host() == right);
}

__tile_global__ void other_atomics(int* words, float* sum, int* before) {
  const int block = ct::bid().x;
  constexpr auto relaxed = ct::memory_order_relaxed_t{};
  ct::atomic_max(words, block, relaxed);
  ct::atomic_min(words + 1, -block, relaxed);
  ct::atomic_or(words + 2, 1 << block, relaxed);
  ct::atomic_and(words + 3, ~(1 << block), relaxed);
  ct::atomic_xor(words + 4, block, relaxed);
  ct::atomic_sub(words + 5, block, relaxed);
  ct::store(before + block, ct::atomic_xchg(words + 6, block, relaxed));
  ct::atomic_compare_exchange(words + 7, block, 100 + block, relaxed);
  ct::atomic_add(sum, 0.5f, relaxed, ct::thread_scope_device_t{});
}
TEST_CASE("the other atomics") {
  Array<int> words(std::vector<int>{0, 0, 0, -1, 0, 0, 99, 3}), before(8);
  Array<float> sum(1);
  other_atomics<<<8, 1>>>(words, sum, before);
  const auto got = words.host();
  CHECK(std::vector<int>(got.begin(), got.begin() + 6) ==
        std::vector<int>{7, -7, 255, -256, 0 ^ 1 ^ 2 ^ 3 ^ 4 ^ 5 ^ 6 ^ 7, -28});
  CHECK(got[7] == 103);
  CHECK(sum.host()[0] == 4);
  auto exchanged = before.host();  // each number left the word once, but the last one
  exchanged.push_back(got[6]);
  std::sort(exchanged.begin(), exchanged.end());
  CHECK(exchanged == std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 99});
}

// Each atomic function with a mask: what it returns and leaves, against a loop over the elements.
__tile_global__ void masked_atomics(int* words, int* before, const int* values, const int* wanted, const int* mask) {
  const auto i = ct::iota<Ints16>();
  const auto chosen = ct::load(mask + i) != 0;
  const auto x = ct::load(values + i);
  constexpr auto relaxed = ct::memory_order_relaxed_t{};
  const auto put = [&](int which, const auto& old) { ct::store_masked(before + 16 * which + i, old, chosen); };
  put(0, ct::atomic_add_masked(words + i, x, chosen, relaxed));
  put(1, ct::atomic_sub_masked(words + 16 + i, x, chosen, relaxed));
  put(2, ct::atomic_and_masked(words + 32 + i, x, chosen, relaxed));
  put(3, ct::atomic_or_masked(words + 48 + i, x, chosen, relaxed));
  put(4, ct::atomic_xor_masked(words + 64 + i, x, chosen, relaxed));
  put(5, ct::atomic_max_masked(words + 80 + i, x, chosen, relaxed));
  put(6, ct::atomic_min_masked(words + 96 + i, x, chosen, relaxed));
  put(7, ct::atomic_xchg_masked(words + 112 + i, x, chosen, relaxed));
  put(8, ct::atomic_compare_exchange_masked(words + 128 + i, ct::load(wanted + i), x, chosen, relaxed));
}
TEST_CASE("atomics with a mask") {
  for (int round = 0; round < 20; round++) {
    const auto draw = [&, state = 12345u + 777u * unsigned(round)](int below) mutable {
      state = state * 1664525u + 1013904223u;
      return int((state >> 8) % unsigned(below));
    };
    auto any = draw;
    std::vector<int> words(144), values(16), wanted(16), mask(16), before(144, -1);
    for (int& word : words) word = any(100) - 50;
    for (size_t i = 0; i < 16; i++) {
      values[i] = any(100) - 50, mask[i] = any(3) != 0;
      wanted[i] = words[128 + i] + (any(2) != 0 ? 1 : 0);  // half of them are equal
    }
    Array<int> dev_words(words), dev_before(before), dev_values(values), dev_wanted(wanted), dev_mask(mask);
    masked_atomics<<<1, 1>>>(dev_words, dev_before, dev_values, dev_wanted, dev_mask);
    for (size_t at = 0; at < 144; at++) {
      const size_t i = at % 16;
      if (mask[i] == 0) continue;
      const int old = before[at] = words[at], x = values[i];
      const int results[] = {old + x, old - x, old & x, old | x, old ^ x, old > x ? old : x, old < x ? old : x, x,
                             old == wanted[i] ? x : old};
      words[at] = results[at / 16];
    }
    CAPTURE(round);
    CHECK(dev_words.host() == words);
    CHECK(dev_before.host() == before);
  }
}

__tile_global__ void add_to_tiles(float* sums, int n) {
  const ct::partition_view view{ct::tensor_span{sums, ct::extents{n}}, ct::shape<8>{}};
  const auto x = ct::element_cast<float>(ct::iota<Ints8>());
  view.atomic_add_masked(x, ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{}, int(ct::bid().x) % 2);
}
TEST_CASE("atomics on a tile of a view") {
  Array<float> sums(13);
  add_to_tiles<<<10, 1>>>(sums, 13);
  CHECK(sums.host() == expected<float>(13, [](size_t i) { return 5 * (i % 8); }));
}

__tile_global__ void hand_over(int* data, int* ready) {
  if (ct::bid().x == 0) {
    ct::store(data + ct::iota<Ints8>(), ct::iota<Ints8>() + 40);
    ct::atomic_store(ready, 1, ct::memory_order_release_t{}, ct::thread_scope_device_t{});
  } else {
    while (ct::atomic_load(ready, ct::memory_order_acquire_t{}, ct::thread_scope_device_t{}) == 0) {
    }
    ct::store(data + 8 + ct::iota<Ints8>(), ct::load(data + ct::iota<Ints8>()) * 2);
  }
}
TEST_CASE("atomic_store and atomic_load: one block waits for another") {
  Array<int> data(16), ready(1);
  hand_over<<<2, 1>>>(data, ready);
  CHECK(data.host() == expected<int>(16, [](size_t i) { return i < 8 ? 40 + i : 80 + 2 * (i - 8); }));
}

// ---- whole kernels ----

__tile_global__ void sum_by_tiles(const float* __restrict__ in, float* __restrict__ out, int n) {
  in = ct::assume_aligned(in, 16_ic);
  const ct::partition_view tiles{ct::tensor_span{in, ct::extents{n}}, ct::shape<64>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<64>>>();
  for (int i : ct::irange(int(ct::bid().x), (n + 63) / 64, int(ct::num_blocks().x)))
    sum = sum + tiles.load_masked(i);
  ct::atomic_add(out, float(ct::sum<0>(sum)), ct::memory_order_relaxed_t{}, ct::thread_scope_device_t{});
}
TEST_CASE("how many numbers an irange has") {
  for (const int first : {-7, 0, 3})
    for (const int end : {-9, -7, 0, 3, 10, 11, 12})
      for (const int step : {1, 2, 4, 30}) {
        const auto range = ct::irange(first, end, step);
        int count = 0;
        for (int i : range) count += i < end;
        CAPTURE(first);
        CAPTURE(end);
        CAPTURE(step);
        CHECK(static_cast<int>(range.size()) == count);
        CHECK(count == (end > first ? (end - first + step - 1) / step : 0));
      }
}

TEST_CASE("a reduction over an array, with irange") {
  std::vector<float> in(10007);
  for (size_t i = 0; i < in.size(); i++) in[i] = static_cast<float>(i % 17);
  Array<float> dev_in(in), out(1);
  sum_by_tiles<<<5, 1>>>(dev_in, out, 10007);
  CHECK(out.host()[0] == std::accumulate(in.begin(), in.end(), 0.0f));
}

template <int kColumns>
__tile_global__ void softmax(const float* in, float* out, int columns) {
  const auto column = ct::iota<ct::tile<int, ct::shape<kColumns>>>();
  const auto inside = column < columns;
  const int first = int(ct::bid().x) * columns;
  const auto x = ct::load_masked(in + (first + column), inside, -INFINITY);
  const auto e = ct::exp(x - ct::reduce_max<0>(x));
  ct::store_masked(out + (first + column), e / ct::sum<0>(e), inside);
}
TEST_CASE("softmax of rows") {
  const int rows = 5, columns = 100;
  const auto in = floats(rows * columns);
  Array<float> dev_in(in), out(rows * columns);
  softmax<128><<<rows, 1>>>(dev_in, out, columns);
  std::vector<float> right(rows * columns);
  for (int row = 0; row < rows; row++) {
    double sum = 0;
    for (int i = 0; i < columns; i++) sum += std::exp(double(in[row * columns + i]));
    for (int i = 0; i < columns; i++)
      right[row * columns + i] = static_cast<float>(std::exp(double(in[row * columns + i])) / sum);
  }
  check_near(out.host(), right);
}

__tile_global__ void normalize(const float* in, float* out) {
  const auto place = ct::iota<ct::tile<int, ct::shape<4, 32>>>();
  const auto x = ct::load(in + place);
  const auto mean = ct::sum<1>(x) / 32.0f;
  const auto centered = x - mean;
  const auto variance = ct::sum<1>(centered * centered) / 32.0f;
  ct::store(out + place, centered * ct::rsqrt(variance + 1e-5f));
}
TEST_CASE("normalization of rows") {
  const auto in = floats(128);
  Array<float> dev_in(in), out(128);
  normalize<<<1, 1>>>(dev_in, out);
  std::vector<float> right(128);
  for (int row = 0; row < 4; row++) {
    double mean = 0, variance = 0;
    for (int i = 0; i < 32; i++) mean += in[row * 32 + i] / 32.0;
    for (int i = 0; i < 32; i++) variance += (in[row * 32 + i] - mean) * (in[row * 32 + i] - mean) / 32;
    for (int i = 0; i < 32; i++)
      right[row * 32 + i] = static_cast<float>((in[row * 32 + i] - mean) / std::sqrt(variance + 1e-5));
  }
  check_near(out.host(), right, 1e-5);
}

// A function that tile kernels call, for tiles of any shape and for numbers.
template <typename T>
__tile__ T sigmoid(T x) {
  return 1.0f / (1.0f + ct::exp(-x));
}
__tile_global__ void swish(const float* in, float* out) {
  const auto i = ct::iota<Ints16>();
  const Floats16 x = ct::load(in + i);
  ct::store(out + i, x * sigmoid(x));
  ct::store(out + 16 + i, x + sigmoid(0.0f));
}
TEST_CASE("a __tile__ function") {
  const auto in = floats(16);
  Array<float> dev_in(in), out(32);
  swish<<<1, 1>>>(dev_in, out);
  check_near(out.host(), expected<float>(32, [&](size_t i) {
               const double x = in[i % 16];
               return i < 16 ? x / (1 + std::exp(-x)) : x + 0.5;
             }));
}

__tile_global__ void matrix_times_vector(const float* matrix, const float* x, float* y, int rows, int columns) {
  const ct::partition_view tiles{ct::tensor_span{matrix, ct::extents{rows, columns}}, ct::shape<8, 16>{}};
  const ct::partition_view parts{ct::tensor_span{x, ct::extents{columns}}, ct::shape<16>{}};
  const ct::partition_view results{ct::tensor_span{y, ct::extents{rows}}, ct::shape<8>{}};
  auto sum = ct::zeros<ct::tile<float, ct::shape<8, 16>>>();
  for (int step = 0; step < (columns + 15) / 16; step++)
    sum = sum + tiles.load_masked(int(ct::bid().x), step) * parts.load_masked(step);
  results.store_masked(ct::reshape<ct::shape<8>>(ct::sum<1>(sum)), int(ct::bid().x));
}
TEST_CASE("a matrix times a vector") {
  const int rows = 19, columns = 37;
  std::vector<float> matrix(rows * columns), x(columns);
  for (size_t i = 0; i < matrix.size(); i++) matrix[i] = static_cast<float>(i % 13) - 6;
  for (size_t i = 0; i < x.size(); i++) x[i] = static_cast<float>(i % 5) - 2;
  Array<float> dev_matrix(matrix), dev_x(x), y(rows);
  matrix_times_vector<<<3, 1>>>(dev_matrix, dev_x, y, rows, columns);
  CHECK(y.host() == expected<float>(rows, [&](size_t row) {
          float sum = 0;
          for (int i = 0; i < columns; i++) sum += matrix[row * columns + i] * x[i];
          return sum;
        }));
}

// Queries of one block against all keys, without ever storing the scores.
template <int kQueries, int kKeys, int kDepth>
__tile_global__ void attention(const float* q, const float* k, const float* v, float* out, int keys) {
  using Column = ct::tile<float, ct::shape<kQueries, 1>>;
  using Result = ct::tile<float, ct::shape<kQueries, kDepth>>;
  const auto span = [](auto* p, int rows) { return ct::tensor_span{p, ct::extents<uint32_t, ct::dynamic_extent, kDepth>{rows}}; };
  const int block = ct::bid().x, queries = int(ct::num_blocks().x) * kQueries;
  const auto mine = ct::partition_view{span(q, queries), ct::shape<kQueries, kDepth>{}}.load(block, 0);
  const ct::partition_view all_keys{span(k, keys), ct::shape<kKeys, kDepth>{}};
  const ct::partition_view all_values{span(v, keys), ct::shape<kKeys, kDepth>{}};
  auto largest = ct::full<Column>(-INFINITY), sum = ct::zeros<Column>();
  auto result = ct::zeros<Result>();
  for (int step : ct::irange(0, (keys + kKeys - 1) / kKeys)) {
    const auto scores = ct::mma(mine, ct::transpose(all_keys.load_masked(step, 0)),
                                ct::zeros<ct::tile<float, ct::shape<kQueries, kKeys>>>());
    const auto key = step * kKeys + ct::iota<ct::tile<int, ct::shape<1, kKeys>>>();
    const auto masked = ct::select(key < keys, scores, ct::full<ct::tile<float, ct::shape<kQueries, kKeys>>>(-INFINITY));
    const Column now = ct::max(largest, ct::reduce_max<1>(masked));
    const auto weights = ct::exp(masked - now);
    const Column shrink = ct::exp(largest - now);
    sum = sum * shrink + ct::sum<1>(weights);
    result = ct::mma(weights, all_values.load_masked(step, 0), result * shrink);
    largest = now;
  }
  ct::partition_view{span(out, queries), ct::shape<kQueries, kDepth>{}}.store(result / sum, block, 0);
}
TEST_CASE("attention: products, scans of the keys, and a running maximum") {
  const int queries = 16, keys = 37, depth = 8;
  const auto q = floats(queries * depth), k = floats(keys * depth);
  auto v = floats(keys * depth);
  std::reverse(v.begin(), v.end());
  Array<float> dev_q(q), dev_k(k), dev_v(v), out(queries * depth);
  attention<8, 16, 8><<<2, 1>>>(dev_q, dev_k, dev_v, out, keys);
  std::vector<float> right(queries * depth);
  for (int i = 0; i < queries; i++) {
    std::vector<double> weight(keys);
    double sum = 0;
    for (int j = 0; j < keys; j++) {
      for (int d = 0; d < depth; d++) weight[j] += double(q[i * depth + d]) * k[j * depth + d];
      sum += weight[j] = std::exp(weight[j]);
    }
    for (int d = 0; d < depth; d++) {
      double x = 0;
      for (int j = 0; j < keys; j++) x += weight[j] / sum * v[j * depth + d];
      right[i * depth + d] = static_cast<float>(x);
    }
  }
  check_near(out.host(), right, 1e-5);
}

[[cutile::hint(0, occupancy = 2)]] __tile_global__ void with_hint(int* out) {
  [[cutile::hint(0, latency = 4)]]
  ct::store(out + ct::iota<Ints8>(), ct::iota<Ints8>());
}
TEST_CASE("hints for a GPU's compiler") {
  Array<int> out(8, -1);
  with_hint<<<1, 1>>>(out);
  CHECK(out.host() == counted(8));
}

__tile_global__ void three_dimensions(int* out) {
  const auto block = ct::bid();
  const auto blocks = ct::num_blocks();
  const int number = int((block.z * blocks.y + block.y) * blocks.x + block.x);
  ct::store(out + number, number * 3);
}
TEST_CASE("a grid of three dimensions") {
  Array<int> out(24, -1);
  three_dimensions<<<dim3(2, 3, 4), 1>>>(out);
  CHECK(out.host() == expected<int>(24, [](size_t i) { return 3 * i; }));
}

TEST_CASE("what is known when the program is compiled") {
  static_assert(64_ic * 2_ic + 1_ic == 129);
  static_assert(1'024_ic == 1024);
  static_assert(ct::shape_size_v<ct::shape<4, 8, 2>> == 64);
  static_assert(std::is_same_v<decltype(ct::shape{4_ic, 8_ic}), ct::shape<4, 8>>);
  static_assert(ct::extents<uint32_t, 3, 5>::static_extent(1) == 5);
  static_assert(std::is_same_v<ct::shape_broadcast_t<ct::shape<4, 1>, ct::shape<8>>, ct::shape<4, 8>>);
  static_assert(!ct::shape_broadcast_compatible<ct::shape<4, 2>, ct::shape<8>>);
  static_assert(!ct::tile_shape<ct::shape<3>>);
  static_assert(ct::arithmetic_tile_convertible<Ints8, int> && !ct::arithmetic_tile_convertible<Ints8, float>);
  static_assert(ct::arithmetic_tile_convertible<ct::tile<float, ct::shape<8>>, int>);
  static_assert(!ct::arithmetic_tile_convertible<ct::tile<float, ct::shape<8>>, double>);
  static_assert(!ct::arithmetic_tile_convertible<Ints8, unsigned>);
  static_assert(std::is_same_v<ct::arithmetic_tile_conversion_t<ct::tile<char, ct::shape<8>>, ct::tile<char, ct::shape<8>>>,
                               ct::tile<char, ct::shape<8>>>);
  const ct::extents size{5, 64_ic};
  CHECK(size.extent(0) == 5);
  CHECK(size.extent(1) == 64);
  CHECK(sizeof(ct::tile<float, ct::shape<4, 4>>) == 64);
}

}  // namespace
