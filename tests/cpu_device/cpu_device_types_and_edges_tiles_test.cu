// Tile C++ against rules that are written down here a second time: which types of elements combine,
// what each assumption allows, and what views do at the edges of an array.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_tile.h>
#include <doctest/doctest.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace ct = cuda::tiles;

namespace {

// ---- which types combine ----

template <typename... T>
struct List {};
// Of two types with the same values, the one farther right is the result.
using All = List<bool, char, signed char, char8_t, unsigned char, short, char16_t, unsigned short,
                 wchar_t, int, char32_t, unsigned, long, unsigned long, long long,
                 unsigned long long, __half, __nv_bfloat16, float, double>;
// Those whose values are also computed.
using Computed = List<bool, signed char, unsigned short, int, unsigned, long, unsigned long,
                      long long, __half, __nv_bfloat16, float, double>;

template <typename T, typename... Types>
constexpr int place_in(List<Types...>) {
  int place = 0, i = 0;
  ((place = std::is_same_v<T, Types> ? i : place, i++), ...);
  return place;
}
template <typename T>
constexpr bool kFloat = place_in<T>(All()) >= place_in<__half>(All());
// Bits of the exponent and of the fraction.
template <typename T>
constexpr int kExponent = std::is_same_v<T, __half>   ? 5
                          : std::is_same_v<T, double> ? 11
                                                      : 8;
template <typename T>
constexpr int kFraction = std::is_same_v<T, __half>          ? 10
                          : std::is_same_v<T, __nv_bfloat16> ? 7
                          : std::is_same_v<T, float>         ? 23
                                                             : 52;
// Whether `To` may take the place of `From`: it has all values, or it is a floating-point type for
// whole numbers.
template <typename From, typename To>
constexpr bool takes() {
  if constexpr (kFloat<From> && kFloat<To>)
    return kExponent<From> <= kExponent<To> && kFraction<From> <= kFraction<To>;
  else if constexpr (kFloat<From> || kFloat<To>)
    return kFloat<To>;
  else
    return std::numeric_limits<From>::digits <= std::numeric_limits<To>::digits &&
           (std::numeric_limits<To>::is_signed || !std::numeric_limits<From>::is_signed);
}
template <typename T, typename U>
constexpr bool kCombine = takes<T, U>() || takes<U, T>();
template <typename T, typename U>
using Result =
    std::conditional_t<!takes<U, T>() || (takes<T, U>() && place_in<T>(All()) < place_in<U>(All())),
                       U, T>;

template <typename T>
using Pair = ct::tile<T, ct::shape<2>>;

// Each is the type of an operation's result, or void where the operation does not compile.
#define TYPE_OF(NAME, EXPRESSION)                                      \
  template <typename T, typename U>                                    \
  auto NAME([[maybe_unused]] const T* x, [[maybe_unused]] const U* y)  \
      ->std::type_identity<std::remove_cvref_t<decltype(EXPRESSION)>>; \
  [[maybe_unused]] std::type_identity<void> NAME(...) { return {}; }
TYPE_OF(sum_of, *x + *y)
TYPE_OF(difference_of, *x - *y)
TYPE_OF(product_of, *x** y)
TYPE_OF(quotient_of, *x / *y)
TYPE_OF(remainder_of, *x % *y)
TYPE_OF(and_of, *x&* y)
TYPE_OF(or_of, *x | *y)
TYPE_OF(xor_of, *x ^ *y)
TYPE_OF(largest_of, ct::max(*x, *y))
TYPE_OF(smallest_of, ct::min(*x, *y))
TYPE_OF(less_of, *x < *y)
TYPE_OF(at_most_of, *x <= *y)
TYPE_OF(greater_of, *x > *y)
TYPE_OF(at_least_of, *x >= *y)
TYPE_OF(equal_of, *x == *y)
TYPE_OF(different_of, *x != *y)
#undef TYPE_OF

template <typename Got, typename Right>
constexpr bool kIs = std::is_same_v<typename Got::type, Right>;

template <typename T, typename U>
constexpr bool right_types() {
  using TT = Pair<T>;
  using UU = Pair<U>;
  using Sum = std::conditional_t<kCombine<T, U>, Pair<Result<T, U>>, void>;
  using Whole = std::conditional_t<kFloat<T> || kFloat<U>, void, Sum>;
  using Compared = std::conditional_t<kCombine<T, U>, Pair<bool>, void>;
  // A number takes the type of the tile, if the tile's type takes it.
  using WithNumber = std::conditional_t<takes<U, T>(), TT, void>;
  [[maybe_unused]] constexpr TT* tt = nullptr;
  [[maybe_unused]] constexpr UU* uu = nullptr;
  [[maybe_unused]] constexpr T* t = nullptr;
  [[maybe_unused]] constexpr U* u = nullptr;
  return kIs<decltype(sum_of(tt, uu)), Sum> && kIs<decltype(difference_of(tt, uu)), Sum> &&
         kIs<decltype(product_of(tt, uu)), Sum> && kIs<decltype(quotient_of(tt, uu)), Sum> &&
         kIs<decltype(largest_of(tt, uu)), Sum> && kIs<decltype(smallest_of(tt, uu)), Sum> &&
         kIs<decltype(remainder_of(tt, uu)), Whole> && kIs<decltype(and_of(tt, uu)), Whole> &&
         kIs<decltype(or_of(tt, uu)), Whole> && kIs<decltype(xor_of(tt, uu)), Whole> &&
         kIs<decltype(less_of(tt, uu)), Compared> && kIs<decltype(at_most_of(tt, uu)), Compared> &&
         kIs<decltype(greater_of(tt, uu)), Compared> &&
         kIs<decltype(at_least_of(tt, uu)), Compared> &&
         kIs<decltype(equal_of(tt, uu)), Compared> &&
         kIs<decltype(different_of(tt, uu)), Compared> &&
         kIs<decltype(sum_of(tt, u)), WithNumber> &&
         kIs<decltype(quotient_of(u, tt)), WithNumber> && kIs<decltype(less_of(tt, u)), Compared> &&
         kIs<decltype(equal_of(u, tt)), Compared>;
}
template <typename T, typename... U>
std::string wrong_types_with(List<U...>) {
  std::string wrong;
  ((right_types<T, U>() ? wrong
                        : wrong += std::to_string(place_in<T>(All())) + " with " +
                                   std::to_string(place_in<U>(All())) + "\n"),
   ...);
  return wrong;
}
template <typename... T>
std::string wrong_types(List<T...>) {
  return (wrong_types_with<T>(All()) + ...);
}
TEST_CASE("which types of elements combine, and into which") { CHECK(wrong_types(All()) == ""); }

// A floating-point type's bits of the significand and of the exponent: without a conversion that the program names, a tile
// becomes one whose elements hold all numbers of its own.
template <typename T>
constexpr int kBits[2] = {0, 0};
template <>
constexpr int kBits<__half>[2] = {11, 5};
template <>
constexpr int kBits<__nv_bfloat16>[2] = {8, 8};
template <>
constexpr int kBits<float>[2] = {24, 8};
template <>
constexpr int kBits<double>[2] = {53, 11};
template <typename T, typename... U>
std::string wrong_conversions(List<U...>) {
  std::string wrong;
  ((std::is_convertible_v<Pair<T>, Pair<U>> == (kBits<T>[0] <= kBits<U>[0] && kBits<T>[1] <= kBits<U>[1])
        ? wrong
        : wrong += std::to_string(kBits<T>[0]) + " bits to " + std::to_string(kBits<U>[0]) + "\n"),
   ...);
  return wrong;
}
TEST_CASE("which tiles of floating-point numbers convert without being asked") {
  using Floats = List<__half, __nv_bfloat16, float, double>;
  CHECK(wrong_conversions<__half>(Floats()) == "");
  CHECK(wrong_conversions<__nv_bfloat16>(Floats()) == "");
  CHECK(wrong_conversions<float>(Floats()) == "");
  CHECK(wrong_conversions<double>(Floats()) == "");
}

constexpr int kResults = 7;
// A large value of a type, or a small one where a floating-point number takes part.
template <typename T, bool kSmall>
T large() {
  if constexpr (kSmall)
    return static_cast<T>(std::is_same_v<T, bool> ? 1 : 6);
  else
    return static_cast<T>(std::is_same_v<T, bool> ? 1 : std::numeric_limits<T>::max() - 3);
}
template <typename T, typename U>
__tile_global__ void results_of(const T* x, const U* y, long long* out) {
  const Pair<T> a = ct::full<Pair<T>>(ct::load(x));
  const Pair<U> b = ct::full<Pair<U>>(ct::load(y));
  using R = Result<T, U>;
  const auto at = ct::iota<Pair<int>>();
  const auto put = [&](int i, const Pair<R>& result) {
    if constexpr (kFloat<R>)
      ct::store(out + (2 * i + at),
                ct::element_cast<long long>(ct::element_cast<double>(result) * 2.0));
    else
      ct::store(out + (2 * i + at), ct::element_cast<long long>(result));
  };
  put(0, a + b), put(1, a - b), put(2, a * b), put(3, a / b);
  const auto answer = [&](int i, const Pair<bool>& result) {
    ct::store(out + (2 * i + at), ct::element_cast<long long>(result));
  };
  answer(4, a < b), answer(5, a >= b), answer(6, a == b);
}
// The result as a number of so many bits.
long long wrapped(__int128 x, int bits, bool is_signed) {
  if (bits == 1) return x != 0;
  const __int128 all = __int128(1) << bits;
  x = ((x % all) + all) % all;
  return static_cast<long long>(is_signed && x >= all / 2 ? x - all : x);
}
struct Operands {
  int first_type, second_type;
  __int128 x, y;
  bool is_float;  // the result
  int bits;
  bool is_signed;
};
void check_results(const Operands& it, const long long* out) {
  long long got[2 * kResults];
  REQUIRE(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost) == cudaSuccess);
  const __int128 x = it.x, y = it.y;
  __int128 right[kResults] = {x + y, x - y, x * y, x / y, x < y, x >= y, x == y};
  for (int i = 0; i < 4; i++) {
    if (it.is_float)  // twice the result: a multiple of 1/2
      right[i] = i == 3 ? 2 * x / y : 2 * right[i];
    else
      right[i] = wrapped(right[i], it.bits, it.is_signed);
  }
  for (int i = 0; i < 2 * kResults; i++)
    CHECK_MESSAGE(got[i] == static_cast<long long>(right[i / 2]),
                  "types " << it.first_type << " and " << it.second_type << ", result " << i / 2);
}
template <typename T, typename U>
void check_values(long long* out, void* memory) {
  // (Both ways round, the types were compared above. Wrong ones fail there, and need not compile
  // here.)
  if constexpr (kCombine<T, U> && place_in<T>(All()) <= place_in<U>(All()) && right_types<T, U>()) {
    using R = Result<T, U>;
    constexpr bool kSmall = kFloat<R>;
    const T x = large<T, kSmall>();
    const U y = static_cast<U>(std::is_same_v<U, bool>                           ? 1
                               : !kFloat<U> && std::numeric_limits<U>::is_signed ? -4
                                                                                 : 4);
    T* const dev_x = static_cast<T*>(memory);
    U* const dev_y = reinterpret_cast<U*>(dev_x + 16);
    cudaMemcpy(dev_x, &x, sizeof x, cudaMemcpyHostToDevice);
    cudaMemcpy(dev_y, &y, sizeof y, cudaMemcpyHostToDevice);
    results_of<<<1, 1>>>(dev_x, dev_y, out);
    const auto whole = [](auto value) {
      if constexpr (kFloat<decltype(value)>)
        return static_cast<__int128>(static_cast<float>(value));
      else
        return static_cast<__int128>(value);
    };
    check_results(
        {place_in<T>(All()), place_in<U>(All()), whole(x), whole(y), kSmall,
         std::is_same_v<R, bool> ? 1 : 8 * int(sizeof(R)), std::numeric_limits<R>::is_signed},
        out);
  }
}
template <typename T, typename... U>
void check_values_with(long long* out, void* memory, List<U...>) {
  (check_values<T, U>(out, memory), ...);
}
template <typename... T>
void check_all_values(long long* out, void* memory, List<T...>) {
  (check_values_with<T>(out, memory, Computed()), ...);
}
TEST_CASE("values of each two types that combine") {
  long long* out;
  void* memory;
  REQUIRE(cudaMalloc(&out, 2 * kResults * sizeof *out) == cudaSuccess);
  REQUIRE(cudaMalloc(&memory, 512) == cudaSuccess);
  check_all_values(out, memory, Computed());
  cudaFree(out);
  cudaFree(memory);
}

// ---- kernels that end with a message ----

// A checked run ends with its first message: there, only what is right is tried.
#ifdef CPU_DEVICE_CHECK
constexpr bool kMessages = false;
#else
constexpr bool kMessages = true;
#endif

// The message of a kernel that ends early; "" if it ends well. The device starts again after a
// message.
std::string message_of(const std::function<void()>& launch) {
  char name[] = "/tmp/tiles_messageXXXXXX";
  const int file = mkstemp(name), before = dup(2);
  REQUIRE(file >= 0);
  unlink(name);
  fflush(stderr);
  dup2(file, 2);
  launch();
  const cudaError_t error = cudaDeviceSynchronize();
  fflush(stderr);
  dup2(before, 2);
  close(before);
  std::string text(static_cast<size_t>(lseek(file, 0, SEEK_END)), ' ');
  REQUIRE(pread(file, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()));
  close(file);
  CHECK((error == cudaSuccess) == text.empty());
  return text;
}

// ---- assumptions ----

constexpr int kAssumptions = 8;
template <typename T, int kWhich>
__tile_global__ void assumed(T x, T inside, T* out) {
  using Four = ct::tile<T, ct::shape<4>>;
  // Only the last element is x.
  const Four it = ct::select(ct::iota<ct::tile<int, ct::shape<4>>>() == 3, ct::full<Four>(x),
                             ct::full<Four>(inside));
  Four result = it;
  if constexpr (kWhich == 0) result = ct::assume_bounded_below(it, ct::integral_constant<5>{});
  if constexpr (kWhich == 1) result = ct::assume_bounded_above(it, ct::integral_constant<20>{});
  if constexpr (kWhich == 2)
    result = ct::assume_bounded(it, ct::integral_constant<5>{}, ct::integral_constant<20>{});
  if constexpr (kWhich == 3) result = ct::assume_bounded_below(it, ct::integral_constant<-5>{});
  if constexpr (kWhich == 4) result = ct::assume_bounded_above(it, ct::integral_constant<20u>{});
  if constexpr (kWhich == 5)
    result = ct::assume_bounded(it, ct::integral_constant<-5>{}, ct::integral_constant<100ull>{});
  if constexpr (kWhich == 6) result = ct::assume_divisible(it, ct::integral_constant<8>{});
  if constexpr (kWhich == 7) result = ct::assume_divisible(it, ct::integral_constant<256>{});
  ct::store(out + ct::iota<ct::tile<int, ct::shape<4>>>(), result);
}
// A type and how to call a kernel with it.
struct Assumption {
  __int128 min, max;
  size_t size;
  void (*launch)(__int128 x, int inside, void* out);
};
void check_assumption(int which, const Assumption& type) {
  const struct {
    const char* message;
    bool below, above;
    long long lower, upper, divisor;
  } rules[kAssumptions] = {
      {"assume_bounded_below(): a number is below the bound", true, false, 5, 0, 1},
      {"assume_bounded_above(): a number is above the bound", false, true, 0, 20, 1},
      {"assume_bounded(): a number is outside of the bounds", true, true, 5, 20, 1},
      {"assume_bounded_below(): a number is below the bound", true, false, -5, 0, 1},
      {"assume_bounded_above(): a number is above the bound", false, true, 0, 20, 1},
      {"assume_bounded(): a number is outside of the bounds", true, true, -5, 100, 1},
      {"assume_divisible(): a number is no multiple of the divisor", false, false, 0, 0, 8},
      {"assume_divisible(): a number is no multiple of the divisor", false, false, 0, 0, 256}};
  const auto& rule = rules[which];
  for (const __int128 x :
       {type.min, __int128(-256), __int128(-8), __int128(-6), __int128(-5), __int128(-4),
        __int128(0), __int128(4), __int128(5), __int128(8), __int128(12), __int128(19),
        __int128(20), __int128(21), __int128(100), __int128(101), __int128(256), type.max}) {
    if (x < type.min || x > type.max) continue;
    const bool allowed = (!rule.below || x >= rule.lower) && (!rule.above || x <= rule.upper) &&
                         x % rule.divisor == 0;
    if (!allowed && !kMessages) continue;
    void* out;
    REQUIRE(cudaMalloc(&out, 4 * type.size) == cudaSuccess);
    const std::string message =
        message_of([&] { type.launch(x, rule.divisor == 1 ? 10 : 0, out); });
    CAPTURE(which);
    CAPTURE(type.size);
    CAPTURE(static_cast<long long>(x));
    CAPTURE(message);
    CHECK(message.empty() == allowed);
    if (message.empty()) {
      __int128 got = 0;
      CHECK(cudaMemcpy(&got, static_cast<char*>(out) + 3 * type.size, type.size,
                       cudaMemcpyDeviceToHost) == cudaSuccess);
      CHECK(memcmp(&got, &x, type.size) == 0);
      cudaFree(out);
    } else {
      CHECK(message.find(rule.message) != std::string::npos);
      CHECK(cudaDeviceReset() == cudaSuccess);
    }
  }
}
template <typename T, int... kWhich>
void check_assumptions(std::integer_sequence<int, kWhich...>) {
  (check_assumption(
       kWhich, {std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), sizeof(T),
                [](__int128 x, int inside, void* out) {
                  assumed<T, kWhich>
                      <<<1, 1>>>(static_cast<T>(x), static_cast<T>(inside), static_cast<T*>(out));
                }}),
   ...);
}
template <typename... T>
void check_assumptions(List<T...>) {
  (check_assumptions<T>(std::make_integer_sequence<int, kAssumptions>()), ...);
}
TEST_CASE("assumptions inside, at and just beyond each bound") {
  check_assumptions(
      List<signed char, unsigned char, short, unsigned, int, long long, unsigned long>());
}

__tile_global__ void aligned(char* p, int offset) {
  using Four = ct::tile<int, ct::shape<4>>;
  const auto it = p + ct::select(ct::iota<Four>() == 2, ct::full<Four>(offset), ct::zeros<Four>());
  ct::store(ct::assume_aligned(it, ct::integral_constant<16>{}),
            ct::zeros<ct::tile<char, ct::shape<4>>>());
}
TEST_CASE("assume_aligned: each offset") {
  for (int offset = 0; offset <= 33; offset += kMessages ? 1 : 16) {
    char* p;
    REQUIRE(cudaMalloc(&p, 64) == cudaSuccess);
    const std::string message = message_of([&] { aligned<<<1, 1>>>(p, offset); });
    CAPTURE(offset);
    CHECK(message.empty() == (offset % 16 == 0));
    if (message.empty())
      cudaFree(p);
    else
      CHECK(cudaDeviceReset() == cudaSuccess);
  }
}

// The CPU device does not check these promises. They are true here, and change nothing.
__tile_global__ void strided_and_blocked(int* out) {
  using Eight = ct::tile<int, ct::shape<8>>;
  using Zero = ct::integral_constant<0>;
  using Four = ct::integral_constant<4>;
  const Eight i = ct::iota<Eight>();
  const auto to = ct::assume_aligned_strided(out + i, ct::integral_constant<16>{}, Four{}, Zero{});
  ct::store(to, ct::assume_blocked(ct::assume_divisible_strided(i, Four{}, Four{}, Zero{}),
                                   ct::shape<4>{}));
}
TEST_CASE("assumptions about every few elements") {
  int *out, got[8];
  REQUIRE(cudaMalloc(&out, sizeof got) == cudaSuccess);
  strided_and_blocked<<<1, 1>>>(out);
  REQUIRE(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost) == cudaSuccess);
  for (int i = 0; i < 8; i++) CHECK(got[i] == i);
  cudaFree(out);
}

// ---- views at the edges ----

template <typename E, ct::view_padding kPadding, typename View>
__tile__ void move(const View& from, const auto& to, E* out, bool masked, const auto... number) {
  using Tile = typename View::view_tile_type;
  const auto place = ct::iota<ct::tile<int, ct::tile_shape_t<Tile>>>();
  const auto values = ct::element_cast<E>(place + 100);
  if (masked) {
    ct::store(out + place, from.template load_masked<kPadding>(number...));
    to.store_masked(values, number...);
  } else {
    ct::store(out + place, from.load(number...));
    to.store(values, number...);
  }
}
// Step: strides, or void where the tiles lie side by side.
template <typename E, typename S, typename Step, ct::view_padding kPadding>
__tile_global__ void at_edges(E* in, E* out, E* stored, int masked, int n0, int n1, int n2, int i0,
                              int i1, int i2) {
  const auto both = [&](const auto& size, auto... number) {
    const auto view = [&](E* p) {
      if constexpr (std::is_void_v<Step>)
        return ct::partition_view{ct::tensor_span{p, size}, S{}};
      else
        return ct::strided_view{ct::tensor_span{p, size}, S{}, Step{}};
    };
    move<E, kPadding>(view(in), view(stored), out, masked != 0, number...);
  };
  if constexpr (S::rank() == 1) both(ct::extents{n0}, i0);
  if constexpr (S::rank() == 2) both(ct::extents{n0, n1}, i0, i1);
  if constexpr (S::rank() == 3) both(ct::extents{n0, n1, n2}, i0, i1, i2);
}

struct View {
  int rank, tile[3], step[3];  // of tiles along each dimension
  ct::view_padding padding;
};
template <typename E>
using Launch = void (*)(E* in, E* out, E* stored, bool masked, const int* size, const int* number);
template <typename E>
void check_place(const View& view, Launch<E> launch, bool masked, const int (&size)[3],
                 const int (&number)[3]) {
  const int rank = view.rank;
  const auto& tile = view.tile;
  int begin[3] = {}, count = 1, elements = 1;
  std::string covered, array;
  for (int d = 0; d < rank; d++) {
    begin[d] = number[d] * view.step[d];
    count *= size[d];
    elements *= tile[d];
    covered += (d > 0 ? ", " : "") + std::to_string(begin[d]) + " to " +
               std::to_string(begin[d] + tile[d] - 1);
    array += (d > 0 ? " x " : "") + std::to_string(size[d]);
  }
  std::vector<float> in(count), right_out, right_stored(count, -1);
  for (int i = 0; i < count; i++) in[i] = static_cast<float>(i + 1);
  const float paddings[] = {0.0f, -0.0f, INFINITY, -INFINITY, NAN};
  int inside = 0;
  for (int a = 0; a < tile[0]; a++)
    for (int b = 0; b < tile[1]; b++)
      for (int c = 0; c < tile[2]; c++) {
        const int at[] = {begin[0] + a, begin[1] + b, begin[2] + c};
        bool is_inside = true;
        int place = 0;
        for (int d = 0; d < rank; d++) {
          is_inside = is_inside && at[d] >= 0 && at[d] < size[d];
          place = place * size[d] + at[d];
        }
        inside += is_inside;
        if (is_inside) right_stored[place] = 100.0f + static_cast<float>(right_out.size());
        right_out.push_back(is_inside ? in[place] : paddings[static_cast<int>(view.padding)]);
      }

  const bool ends = inside == 0 || (!masked && inside < elements);
  if (ends && !kMessages) return;
  const auto to_device = [](const std::vector<float>& host) {
    std::vector<E> values;
    for (float x : host) values.push_back(static_cast<E>(x));
    E* p;
    REQUIRE(cudaMalloc(&p, values.size() * sizeof(E)) == cudaSuccess);
    cudaMemcpy(p, values.data(), values.size() * sizeof(E), cudaMemcpyHostToDevice);
    return p;
  };
  E *const dev_in = to_device(in), *const out = to_device(std::vector<float>(elements)),
           *const stored = to_device(std::vector<float>(count, -1));
  const std::string message =
      message_of([&] { launch(dev_in, out, stored, masked, size, number); });
  CAPTURE(masked);
  CAPTURE(covered);
  CAPTURE(array);
  CAPTURE(static_cast<int>(view.padding));
  CAPTURE(message);
  if (ends) {
    const std::string right =
        (masked ? "load_masked()" : "load()") +
        (" of a view: the tile covers elements (" + covered) +
        (inside == 0 ? "), all outside of the array of " : "), beyond the array of ") + array;
    CHECK(message.find(right) != std::string::npos);
    CHECK(cudaDeviceReset() == cudaSuccess);
    return;
  }
  CHECK(message == "");
  const auto check = [](const E* got, const std::vector<float>& right) {
    std::vector<E> values(right.size());
    CHECK(cudaMemcpy(values.data(), got, values.size() * sizeof(E), cudaMemcpyDeviceToHost) ==
          cudaSuccess);
    int wrong = 0;
    for (size_t i = 0; i < right.size(); i++) {
      const float x = static_cast<float>(values[i]), y = right[i];
      wrong +=
          !((x == y && std::signbit(x) == std::signbit(y)) || (std::isnan(x) && std::isnan(y)));
    }
    CHECK(wrong == 0);
  };
  check(out, right_out);
  check(stored, right_stored);
  cudaFree(dev_in);
  cudaFree(out);
  cudaFree(stored);
}
template <typename E>
void check_places(const View& view, Launch<E> launch) {
  unsigned state = 2463534242u;
  const auto any = [&](int below) {
    state ^= state << 13, state ^= state >> 17, state ^= state << 5;
    return static_cast<int>(state % static_cast<unsigned>(below));
  };
  for (int round = 0; round < 60; round++) {
    int size[3], number[3];
    for (int d = 0; d < 3; d++) size[d] = 1 + any(14), number[d] = any(6) - 2;
    check_place(view, launch, round % 4 != 0, size, number);
  }
}
template <typename E, typename S, typename Step, ct::view_padding... kPadding>
void check_view() {
  View view{static_cast<int>(S::rank()), {1, 1, 1}, {}, {}};
  for (size_t d = 0; d < S::rank(); d++) {
    view.step[d] = view.tile[d] = static_cast<int>(S::static_extent(d));
    if constexpr (!std::is_void_v<Step>) view.step[d] = static_cast<int>(Step::static_stride(d));
  }
  ((view.padding = kPadding,
    check_places<E>(view,
                    [](E* in, E* out, E* stored, bool masked, const int* size, const int* number) {
                      at_edges<E, S, Step, kPadding><<<1, 1>>>(in, out, stored, masked, size[0],
                                                               size[1], size[2], number[0],
                                                               number[1], number[2]);
                    })),
   ...);
}
template <typename S, typename Step>
void check_view_of_floats() {
  using enum ct::view_padding;
  check_view<float, S, Step, zero, negative_zero, positive_inf, negative_inf, nan>();
}
TEST_CASE("partition_view at each edge") {
  check_view_of_floats<ct::shape<4>, void>();
  check_view_of_floats<ct::shape<2, 4>, void>();
  check_view_of_floats<ct::shape<2, 2, 4>, void>();
}
TEST_CASE("strided_view at each edge") {
  check_view_of_floats<ct::shape<8>, ct::strides<uint32_t, 3>>();
  check_view_of_floats<ct::shape<4, 8>, ct::strides<uint32_t, 1, 3>>();
  check_view_of_floats<ct::shape<4, 2, 8>, ct::strides<uint32_t, 3, 1, 2>>();
  check_view_of_floats<ct::shape<2>, ct::strides<uint32_t, 5>>();
}
TEST_CASE("views of other types at each edge") {
  using enum ct::view_padding;
  check_view<int, ct::shape<4, 8>, ct::strides<uint32_t, 3, 5>, zero>();
  check_view<__half, ct::shape<8>, ct::strides<uint32_t, 3>, negative_zero, positive_inf, nan>();
  check_view<double, ct::shape<8>, ct::strides<uint32_t, 3>, negative_zero, negative_inf, nan>();
}

// Tiles of pointers with a mask and a padding, which may be a tile, a row or a number.
__tile_global__ void masked_pointers(const int* in, int* out, int* stored, int first, int n) {
  using Table = ct::tile<int, ct::shape<4, 8>>;
  const Table place = ct::iota<Table>();
  const Table at = first + place;
  const auto inside = at >= 0 && at < n;
  ct::store(out + place, ct::load_masked(in + at, inside, -7));
  ct::store(out + 32 + place,
            ct::load_masked(in + at, inside, ct::iota<ct::tile<int, ct::shape<1, 8>>>() - 20));
  ct::store_masked(stored + at, place, inside);
}
TEST_CASE("masks at each edge") {
  const int n = 50;
  std::vector<int> in(n);
  for (int i = 0; i < n; i++) in[i] = i + 1;
  int *dev_in, *out, *stored;
  REQUIRE(cudaMalloc(&dev_in, n * sizeof(int)) == cudaSuccess);
  REQUIRE(cudaMalloc(&out, 64 * sizeof(int)) == cudaSuccess);
  REQUIRE(cudaMalloc(&stored, n * sizeof(int)) == cudaSuccess);
  cudaMemcpy(dev_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  for (int first = -33; first <= n + 1; first++) {
    cudaMemset(stored, 0, n * sizeof(int));
    masked_pointers<<<1, 1>>>(dev_in, out, stored, first, n);
    std::vector<int> got(64), got_stored(n), right(64), right_stored(n);
    for (int i = 0; i < 32; i++) {
      const bool inside = first + i >= 0 && first + i < n;
      right[i] = inside ? in[first + i] : -7;
      right[32 + i] = inside ? in[first + i] : i % 8 - 20;
      if (inside) right_stored[first + i] = i;
    }
    CHECK(cudaMemcpy(got.data(), out, 64 * sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(cudaMemcpy(got_stored.data(), stored, n * sizeof(int), cudaMemcpyDeviceToHost) ==
          cudaSuccess);
    CAPTURE(first);
    CHECK(got == right);
    CHECK(got_stored == right_stored);
  }
  cudaFree(dev_in);
  cudaFree(out);
  cudaFree(stored);
}

}  // namespace
