// In the manner of libraries of templates: functions called with arguments of different types. Each result must be that of the
// overload for the type of the result: max(1.0f, 0.1) is fmax(double(1.0f), 0.1), and no part of it is rounded to float.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <type_traits>

#ifdef __CPU_DEVICE__
#define TWO(X) \
  X(min) X(max) X(fmin) X(fmax) X(pow) X(fmod) X(fdim) X(hypot) X(atan2) X(copysign) X(remainder) X(nextafter)
#else  // with arguments of different types, the others are the C++ library's, which the Toolkit takes for functions of the host
#define TWO(X) X(min) X(max)
#endif

struct Wrong {
  int count, line;
  double got, expected;
};

template <typename T>
__device__ bool differ(T a, T b) {
  return a != b && !(a != a && b != b);
}
template <typename T>
__device__ void compare(Wrong& wrong, int line, T got, T expected) {
  if (!differ(got, expected)) return;
  if (wrong.count++ == 0) wrong.line = line, wrong.got = double(got), wrong.expected = double(expected);
}

template <typename A, typename B>
__device__ void two(Wrong* wrong, A a, B b) {
  int line = 0;
#define COMPARE(f)                                                                                          \
  static_assert(std::is_same<decltype(f(a, b)), decltype(a + b)>::value, #f " has a result of another type"); \
  compare(*wrong, line++, f(a, b), f(decltype(a + b)(a), decltype(a + b)(b)));
  TWO(COMPARE)
  // min and max by their definition, too.
  using Value = decltype(a + b);
  compare(*wrong, 100, max(a, b), Value(a) < Value(b) ? Value(b) : Value(a));
  compare(*wrong, 101, min(a, b), Value(b) < Value(a) ? Value(b) : Value(a));
}

__constant__ double kValues[] = {3.141592653589793, 1.0 / 3, 2.0, -0.1, 7.000000000001, 123456.7890625, -2.5, 0.0};
__global__ void all(Wrong* wrong) {
  for (double x : kValues)
    for (double y : kValues) two(wrong, float(x), y), two(wrong, x, float(y)), two(wrong, x, y), two(wrong, float(x), float(y));
}

int main() {
  Wrong* wrong;
  cudaMallocManaged(&wrong, sizeof(Wrong));
  *wrong = {};
  all<<<1, 1>>>(wrong);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  if (wrong->count > 0)
    return printf("function %d and %d others: %.17g, expected %.17g\n", wrong->line, wrong->count - 1, wrong->got, wrong->expected), 2;
  return 0;
}
