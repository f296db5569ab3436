// Every form of kernel, launch and shared memory that the rewriter must understand, compiled, run,
// and checked by its result. (rewriter_test.cpp compares the rewritten text.) NVIDIA's nvcc compiles
// this, too: nvcc -std=c++17 --extended-lambda -rdc=true -c
#include <doctest/doctest.h>

#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

static int* cell = nullptr;  // Kernels leave their result here.

static int take_result() {
  if (cudaDeviceSynchronize() != cudaSuccess) return -2;
  const int result = *cell;
  *cell = -1;
  return result;
}
#define EXPECT(expected) CHECK(take_result() == (expected))

// clang-format off

// --- Kernels
__global__ void set(int* out, int value) { *out = value; }
__global__ void set(int* out, float value) { *out = (int)(value * 10); }  // overloaded
static __global__ void set_static(int* out, int value = 42);              // declared first
__global__ static void set_static(int* out, int value) { *out = value; }
void __global__ set_after_void(int* out) { *out = 5; }
extern "C" __global__ void set_c(int* out) { *out = 6; }
extern "C" {
__global__ void set_in_c(int* out) { *out = 7; }
}
__global__ auto set_trailing(int* out) -> void { *out = 8; }
__global__ void __launch_bounds__(256, 2) set_bounds(int* out) { *out = 10; }
__global__ __attribute__((unused)) void set_attribute(int* out) { *out = 11; }
[[maybe_unused]] __global__ void set_attribute2(int* out) { *out = 12; }
__global__ void(set_parenthesized)(int* out) { *out = 13; }
__global__ void empty() {}
__global__
void
set_lines
(
  int
  *
  out
)
{
  *out = 14;
}

namespace ns {
namespace inner {
template <typename T, int N, bool B>
__global__ void set(T* out) {
  *out = N + (B ? 100 : 0);
}
}  // namespace inner
struct Config {
  static constexpr int blocks = 1;
  template <int N>
  struct Size {
    static constexpr int value = N;
  };
};
}  // namespace ns
namespace {
__global__ void set_anonymous(int* out) { *out = 15; }
}  // namespace
inline namespace v1 {
__global__ void set_inline_namespace(int* out) { *out = 16; }
}

template <typename T>
__global__ void set_template(T* out, T value) {
  *out = value;
}
template <>
__global__ void set_template<int>(int* out, int value) {
  *out = value + 1000;
}
template __global__ void set_template<long>(long* out, long value);
extern template __global__ void set_template<char>(char* out, char value);

template <template <typename, typename...> class C, typename T>
__global__ void set_template_template(T* out, C<T>* unused) {
  *out = unused == NULL ? 17 : 0;
}
template <typename... Args>
__global__ void sum(int* out, Args... args) {
  *out = (0 + ... + args);
}
template <typename T>
__global__ typename std::enable_if<std::is_integral<T>::value>::type set_sfinae(T* out) {
  *out = 18;
}
template <typename F>
__global__ void call(F f, int* out) {
  *out = f(20);
}
template <int... I>
__global__ void count(int* out, std::integer_sequence<int, I...>) {
  *out = sizeof...(I);
}
struct Big {
  int values[64];
  __host__ __device__ int last() const { return values[63]; }
};
__global__ void set_struct(int* out, const Big big, const int unused[4], int (*function)(int)) {
  *out = big.last() + (unused == nullptr) + function(1);
}
__device__ int twice(int x) { return 2 * x; }
__global__ void change_parameters(int* out, int n) {  // each thread has its own n
  __shared__ int counts[32];
  counts[threadIdx.x] = 0;
  while (n-- > 0) ++counts[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 31) *out = counts[0] + counts[30] + counts[31];
}
__global__ void name_of_kernel(int* out) {
  const char* name = __func__;
  const char* pretty = __PRETTY_FUNCTION__;
  *out = name[0] == 'n' && name[5] == 'o' && sizeof(__FUNCTION__) == 15 && pretty[0] == 'v';
}
__global__ void early_return(int* out) {
  if (threadIdx.x > 0) return;
  *out = 19;
}

#define DEFINE_KERNEL(name, body) \
  __global__ void name(int* out) { body }
DEFINE_KERNEL(set_macro, *out = 21; if (*out == 0) return;)
#define LAUNCH(kernel, grid, block, ...) kernel<<<grid, block, 0, NULL>>>(__VA_ARGS__)
#define CONFIGURATION <<<1, 1>>>

// --- Shared memory
template <typename A, typename B>
struct Pair {
  A first;
  B second;
};
__shared__ int at_namespace_scope[32];
extern __shared__ int dynamic_at_namespace_scope[];
namespace {
extern __shared__ int dynamic_in_anonymous_namespace[];
}
__device__ int through_device_function(int i) {
  __shared__ int buffer[32];
  buffer[i] = i;
  __syncthreads();
  return buffer[31 - i];
}
__global__ void shared_forms(int* out) {
  __shared__ int a, b[4], *c;
  static __shared__ int d;
  __shared__ static int e;
  volatile __shared__ int f;
  __shared__ volatile int g;
  __shared__ alignas(16) float h[4];
  alignas(32) __shared__ float h2[4];
  __shared__ __align__(16) float h3[4];
  int __shared__ i;
  unsigned __shared__ long j;
  __shared__ union { float as_float; unsigned as_bits; } k;
  __shared__ struct Local { int x; } l;
  __shared__ Pair<int, float> m[2];
  __shared__ typename std::conditional<(1 > 2), char, int>::type n;
  __shared__ float (*pointer)[4];
  if (threadIdx.x == 0) {
    a = 1; b[3] = 1; c = b; d = 1; e = 1; f = 1; g = 1; h[1] = h2[1] = h3[1] = 1; i = 1; j = 1;
    k.as_float = 1; l.x = 1; m[1].first = 1; n = 1; pointer = &h;
  }
  __syncthreads();
  if (threadIdx.x == 1) {
    *out = a + c[3] + d + e + f + g + (int)h[1] + i + (int)j + (k.as_bits == 0x3f800000) + l.x +
           m[1].first + n + (int)(*pointer)[1] + ((size_t)h % 16 == 0) + ((size_t)h2 % 32 == 0) +
           ((size_t)h3 % 16 == 0);
  }
}
template <typename T, int N>
__global__ void shared_template(T* out) {
  __shared__ T tile[N][N + 1];
  extern __shared__ T dynamic[];
  tile[threadIdx.x][0] = dynamic[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) *out = tile[N - 1][0] + dynamic[1];
}
__global__ void dynamic_forms(int* out) {
  extern __shared__ __align__(16) unsigned char raw[];
  extern volatile __shared__ int x[];
  extern __shared__ float t[][33];
  __shared__ extern int y[], z[];
  reinterpret_cast<int*>(raw)[5] = 1;
  *out = x[5] + y[5] + z[5] + ((void*)&t == (void*)raw) + ((char*)&t[2][1] - (char*)t) / 4;
}
__global__ void dynamic_in_lambda(int* out) {
  extern __shared__ int captured[];
  captured[0] = 30;
  auto by_value = [=](int i) { return captured[i]; };
  const int other = through_device_function(threadIdx.x);
  if (threadIdx.x == 0) *out = by_value(0) + other;
}
__global__ void dynamic_at_namespace(int* out) {
  dynamic_at_namespace_scope[3] = 40;
  at_namespace_scope[3] = 1;
  *out = dynamic_in_anonymous_namespace[3] + at_namespace_scope[3];
}
// All of them name the same memory: what one writes another reads.
extern __shared__ int one_of_three[], other_of_three[];
extern __shared__ float third_of_three[];
__global__ void names_of_one_memory(int* out) {
  dynamic_at_namespace_scope[3] = 1;
  dynamic_in_anonymous_namespace[3] = 40;
  *out = dynamic_at_namespace_scope[3];  // 40
  one_of_three[5] = 1;
  other_of_three[5] = 50;
  *out += one_of_three[5];  // 90
  one_of_three[5] = 1;
  third_of_three[5] = 1.0f;
  *out += one_of_three[5] == 0x3f800000;  // 91
}
__global__ void captured_names_of_one_memory(int* out) {
  extern __shared__ int first[];
  extern __shared__ int second[];
  first[0] = 1;
  second[0] = 30;
  *out = first[0];
  second[0] = 1;
  first[0] = 32;
  *out += [=](int i) { return first[i] + second[i]; }(0) - second[0];  // 62
}
__global__ void noninline_and_unroll(int* out);
__noinline__ __device__ int not_inlined(int x) { return x + 1; }
__attribute__((__noinline__)) static __device__ int not_inlined_either(int x) { return x + 1; }
__global__ void noninline_and_unroll(int* out) {
  int sum = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) sum = not_inlined(sum);
#pragma unroll 2
  for (int i = 0; i < 4; ++i) sum = not_inlined_either(sum);
#pragma unroll(4)
  while (sum < 10) ++sum;
  constexpr int factor = 4;
#pragma unroll factor
  do ++sum;
  while (sum < 5 * factor);
  _Pragma("unroll 8") for (int i = 0; i < 3; ++i) ++sum;
#pragma unroll 1
  for (int i : {1, 2}) sum += i;
#pragma nv_diag_suppress 177
#pragma unroll
  *out = sum;
}

// --- Launches
struct Owner {
  void (*kernel)(int*, int) = set;
  struct {
    void (*table[2])(int*, int) = {set, set};
  } nested;
  Owner* self() { return this; }
  void launch(int value) { kernel<<<1, 1>>>(cell, value); }
  void launch_this(int value) { this->kernel<<<1, 1>>>(cell, value); }
};
static auto choose(int) -> void (*)(int*, int) { return set; }
template <int N>
static void (*choose_template())(int*, int) { return set; }
template <typename T>
void launch_template(T value) {
  set_template<T><<<1, dim3(1, 1, 1)>>>((T*)cell, value);
  ns::inner::set<int, (sizeof(T) > 2), false><<<(sizeof(T) > 2 ? 1 : 2), 1>>>(cell);
}

struct Cell {
  Cell() {
    cudaMallocManaged(&cell, 4096);
    *cell = -1;
  }
  ~Cell() { cudaFree(cell); }
};

TEST_CASE_FIXTURE(Cell, "forms of kernels") {
  const int n = 4;
  dim3 grid(1), block(1);
  cudaStream_t stream;
  cudaStreamCreate(&stream);

  set<<<1, 1>>>(cell, 1); EXPECT(1);
  set<<<grid, block, 0, stream>>>(cell, 2.5f); EXPECT(25);
  set << <1, 1 >> > (cell, 3); EXPECT(3);
  set
      <<<
          dim3(n >> 2),  // a comment with >>> in it
          1 << 0
          >>>
      (
          cell,
          4
      );
  EXPECT(4);
  set_static<<<1, 1>>>(cell); EXPECT(42);
  set_after_void<<<1, 1>>>(cell); EXPECT(5);
  set_c<<<1, 1>>>(cell); EXPECT(6);
  ::set_in_c<<<1, 1>>>(cell); EXPECT(7);
  set_trailing<<<1, 1>>>(cell); EXPECT(8);
  set_bounds<<<1, 1>>>(cell); EXPECT(10);
  set_attribute<<<1, 1>>>(cell); EXPECT(11);
  set_attribute2<<<1, 1>>>(cell); EXPECT(12);
  set_parenthesized<<<1, 1>>>(cell); EXPECT(13);
  (set_parenthesized)<<<1, 1>>>(cell); EXPECT(13);
  empty<<<1, 1>>>(); EXPECT(-1);
  set_lines<<<1, 1>>>(cell); EXPECT(14);
  set_anonymous<<<1, 1>>>(cell); EXPECT(15);
  set_inline_namespace<<<1, 1>>>(cell); EXPECT(16);
  ns::inner::set<int, 3, (4 > 3)><<<1, 1>>>(cell); EXPECT(103);
  ns::inner::set<int, ((1 << 4) >> 2), 3 < 4><<<dim3(n >> 2), 1 << 0>>>(cell); EXPECT(104);
  ::ns::inner::template set<int, ns::Config::Size<8>::value, false><<<ns::Config::blocks,
      ns::Config::Size<ns::Config::Size<1>::value>::value>>>(cell); EXPECT(8);
  set_template<<<1, 1>>>(cell, 1); EXPECT(1001);
  set_template<unsigned><<<1, 1>>>((unsigned*)cell, 7); EXPECT(7);
  set_template_template<std::vector><<<1, 1>>>(cell, (std::vector<int>*)NULL); EXPECT(17);
  sum<<<1, 1>>>(cell, 1, (char)2, 3L); EXPECT(6);
  sum<int, int><<<1, 1>>>(cell, 4, 5); EXPECT(9);
  set_sfinae<<<1, 1>>>(cell); EXPECT(18);
  call<<<1, 1>>>([=] __device__(int x) { return x + n; }, cell); EXPECT(24);
  count<<<1, 1>>>(cell, std::make_integer_sequence<int, 5>{}); EXPECT(5);
  Big big{};
  big.values[63] = 70;
  set_struct<<<1, 1>>>(cell, big, NULL, twice); EXPECT(73);
  change_parameters<<<1, 32>>>(cell, 3); EXPECT(9);
  name_of_kernel<<<1, 1>>>(cell); EXPECT(1);
  early_return<<<1, 64>>>(cell); EXPECT(19);
  set_macro<<<1, 1>>>(cell); EXPECT(21);
  LAUNCH(set, 1, dim3(1, 1), cell, 22); EXPECT(22);
  set CONFIGURATION (cell, 23); EXPECT(23);
  cudaStreamDestroy(stream);
}

TEST_CASE_FIXTURE(Cell, "forms of shared memory") {
  shared_forms<<<1, 2>>>(cell); EXPECT(17);
  shared_template<int, 8><<<1, 8, 8 * sizeof(int)>>>(cell); EXPECT(8);
  shared_template<int, 4><<<1, 4, 4 * sizeof(int)>>>(cell); EXPECT(4);
  dynamic_forms<<<1, 1, 48>>>(cell); EXPECT(71);
  dynamic_in_lambda<<<1, 32, 4>>>(cell); EXPECT(61);
  dynamic_at_namespace<<<1, 1, 128>>>(cell); EXPECT(41);
  names_of_one_memory<<<1, 1, 128>>>(cell); EXPECT(91);
  captured_names_of_one_memory<<<1, 1, 128>>>(cell); EXPECT(62);
  noninline_and_unroll<<<1, 1>>>(cell); EXPECT(26);
}

TEST_CASE_FIXTURE(Cell, "forms of launches") {
  const int n = 4;
  void (*pointer)(int*, int) = set;
  void (*table[2][2])(int*, int) = {{set, set}, {set, set_static}};
  std::vector<void (*)(int*, int)> kernels(3, set);
  Owner owner, *owners = &owner;
  const int i = 1;
  pointer<<<1, 1>>>(cell, 31); EXPECT(31);
  (*pointer)<<<1, 1>>>(cell, 32); EXPECT(32);
  (*&set_static)<<<1, 1>>>(cell, 33); EXPECT(33);
  table[i][1 - i]<<<1, 1>>>(cell, 34); EXPECT(34);
  kernels[kernels.size() - 1]<<<1, 1>>>(cell, 35); EXPECT(35);
  kernels.at(0)<<<1, 1>>>(cell, 36); EXPECT(36);
  owner.kernel<<<1, 1>>>(cell, 37); EXPECT(37);
  owners->self()->nested.table[1]<<<1, 1>>>(cell, 38); EXPECT(38);
  Owner{}.kernel<<<1, 1>>>(cell, 39); EXPECT(39);
  owner.launch(40); EXPECT(40);
  owner.launch_this(41); EXPECT(41);
  choose(1)<<<1, 1>>>(cell, 42); EXPECT(42);
  choose_template<(3 > 2)>()<<<1, 1>>>(cell, 43); EXPECT(43);
  static_cast<void (*)(int*, int)>(set)<<<1, 1>>>(cell, 44); EXPECT(44);
  (i ? pointer : choose(2))<<<1, 1>>>(cell, 45); EXPECT(45);
  i ? set<<<1, 1>>>(cell, 46) : set_c<<<1, 1>>>(cell); EXPECT(46);
  if (i) set<<<1, 1>>>(cell, 47); else set<<<1, 1>>>(cell, 48);
  EXPECT(47);
  if (i) (*pointer)<<<1, 1>>>(cell, 49);
  EXPECT(49);
  for (int k = 0; k < 2; ++k) (pointer)<<<1, 1>>>(cell, 50 + k);
  EXPECT(51);
  set<<<1, 1>>>(cell, 52), set<<<1, 1>>>(cell, 53); EXPECT(53);
  (void)0, (void)(*pointer)<<<1, 1>>>(cell, 54); EXPECT(54);
  set<<<{1}, {1, 1}>>>(cell, 55); EXPECT(55);
  set<<<dim3{1, 1}, dim3{1}>>>(cell, 56); EXPECT(56);
  [&] { set<<<1, 1>>>(cell, 57); }(); EXPECT(57);
  std::function<void(int)> launcher = [](int v) { set<<<1, 1>>>(cell, v); };
  launcher(58); EXPECT(58);
  set<<<1, 1>>>(cell, [&] { return n + 55; }()); EXPECT(59);
  set<<<[&] { empty<<<1, 1>>>(); return 1; }(), 1>>>(cell, 60); EXPECT(60);
  launch_template<unsigned>(5); EXPECT(1);
  do set<<<1, 1>>>(cell, 61); while (0);
  EXPECT(61);
  switch (i) { case 1: set<<<1, 1>>>(cell, 62); break; default: set<<<1, 1>>>(cell, 63); }
  EXPECT(62);
  bool less = n < 5; int shift = 1 << 3 >> 2;
  set<<<less, shift >> 1, (n < 3) ? 4 : 0>>>(cell, 64); EXPECT(64);
  const char* text = "set<<<1, 1>>>(cell, 65); __global__ \" __shared__"; char c = '<'; c = '\'';
  const char* raw = R"x(set<<<1, 1>>>(cell, 66); )" __shared__ \)x"; long digits = 1'000'000;
  set<<<1, 1>>>(cell, text[0] == 's' && raw[3] == '<' && c == '\'' && digits == 1000000); EXPECT(1);
}
