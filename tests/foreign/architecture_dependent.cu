// In the manner of headers that serve both sides: code that depends on __CUDA_ARCH__. Kernels and
// what they call see a value, host code none, and a __host__ __device__ function is what its caller
// needs.
#include <cmath>
#include <cstdio>

#define HD __host__ __device__

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#else
__device__ double atomicAdd(double *address, double value) {
  unsigned long long *bits = (unsigned long long *)address, old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed,
                    __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}
#endif

// The whole body of a kernel.
__global__ void sum(double *total) {
#if __CUDA_ARCH__ >= 700
  atomicAdd(total, 1.0);
#endif
}

// A function that only one side has, and one that each side has in a way of its own.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 350
__device__ int only_in_kernels() { return 350; }
#endif
#ifdef __CUDA_ARCH__
__device__ inline int side() { return 1; }
#else
inline int side() { return 2; }
#endif

HD inline int who() {
#ifdef __CUDA_ARCH__
  return 10 + side();
#else
  return 20 + side();
#endif
}

// Constants and macros.
#ifdef __CUDA_ARCH__
static const int tile = 64;
#define TIMES 3
#else
static const int tile = 16;
#define TIMES 5
#endif
HD int tiles() { return TIMES * tile; }
HD constexpr int twice(int x) {
#ifdef __CUDA_ARCH__
  return x + x;
#else
  return 2 * x;
#endif
}
static_assert(twice(4) == 8, "also when it is compiled");

namespace both {
template <typename T>
struct Value {
  T x;
  HD explicit Value(T start) : x(start) {
#ifdef __CUDA_ARCH__
    x += 100;
#endif
  }
  HD T get() const {
#ifndef __CUDA_ARCH__
    return x;
#else
    return x * 2;
#endif
  }
  HD ~Value() {
#ifndef __CUDA_ARCH__
    x = 0;
#endif
  }
};
}  // namespace both

__device__ int architecture() {
#if __CUDA_ARCH__ >= 800
  return 800;
#elif __CUDA_ARCH__ >= 700
  return 700;
#else
  return 0;
#endif
}

template <typename F>
__global__ void call(int *result, F function) {
  *result = function(*result);
}

struct Step {
  HD int operator()(int x) const {
#ifdef __CUDA_ARCH__
    return x + 1;
#else
    return x - 1;
#endif
  }
};

__global__ void look(int *values) {
  values[0] = who();
  values[1] = tiles();
  values[2] = both::Value<int>(5).get();
  values[3] = architecture() >= 700;
#if __CUDA_ARCH__
  values[4] = only_in_kernels();
  __shared__ int area[tile];
  area[0] = sizeof(area) / sizeof(int);
  values[5] = area[0];
  values[6] = __CUDA_ARCH__ / 100 >= 7;
#endif
  values[7] = __LINE__;
}
static const int line_of_values_7 = __LINE__ - 2;

#ifndef __CUDA_ARCH__
#include <vector>
static std::vector<int> expected() { return {11, 192, 210, 1, 350, 64, 1, line_of_values_7}; }
#endif

int main() {
  int *values;
  double *total;
  cudaMallocManaged(&values, 8 * sizeof(int));
  cudaMallocManaged(&total, sizeof(double));
  *total = 0;
  sum<<<4, 64>>>(total);
  look<<<1, 1>>>(values);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  int wrong = *total != 256;
#ifdef __CUDA_ARCH__
  wrong += 1000;
#else
  for (int i = 0; i < 8; i++)
    if (values[i] != expected()[i]) {
      printf("kernel: value %d is %d, not %d\n", i, values[i], expected()[i]);
      wrong++;
    }
#endif
  if (who() != 22 || tiles() != 80 || both::Value<int>(5).get() != 5 || Step()(7) != 6) {
    printf("host: %d %d %d %d\n", who(), tiles(), both::Value<int>(5).get(), Step()(7));
    wrong++;
  }
  *values = 7;
  call<<<1, 1>>>(values, Step());
  cudaDeviceSynchronize();
  if (*values != 8) printf("a function object in a kernel: %d\n", *values), wrong++;
  *values = 7;
  call<<<1, 1>>>(values, Step());
  cudaDeviceSynchronize();
  printf("total %.0f, %d wrong\n", *total, wrong);
  return wrong != 0;
}
