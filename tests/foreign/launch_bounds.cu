// A kernel with __launch_bounds__ takes no larger blocks, wherever the bound is written and however it is
// computed; its attributes and the occupancy functions know it, a launch in vain changes nothing.
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

#define THREADS 192
constexpr int kFew = 64, kMany = 2 * kFew;
__device__ void note(int *x) {
  if (threadIdx.x + threadIdx.y == 0) x[0] = blockDim.x;
}
struct Tuning {
  static constexpr int threads = 96;
};

__global__ void __launch_bounds__(128) in_the_middle(int *x) { note(x); }
__launch_bounds__(kMany, 2) __global__ void in_front(int *x) { note(x); }
extern "C" __global__ __launch_bounds__(THREADS) void by_macro(int *x) { note(x); }
template <int N>
__global__ void __launch_bounds__(2 * N) by_number(int *x) { note(x); }
template <typename T>
__global__ void __launch_bounds__(T::threads, 1) by_type(int *x) { note(x); }
__global__ void __launch_bounds__(kFew) declared(int *x);
__global__ void declared(int *x) { note(x); }
__global__ void __maxnreg__(32) registers(int *x) { note(x); }
__global__ void plain(int *x) { note(x); }
__global__ void __launch_bounds__(128) with_a_structure(dim3 size, int *x) { note(x); }
namespace deep {
__global__ void __launch_bounds__(kFew) in_a_namespace(int *x) { note(x); }
}

static int wrong = 0;
static void expect(bool right, const char *what) {
  if (!right) {
    printf("wrong: %s\n", what);
    wrong++;
  }
}

static int *x;

static void check(void (*kernel)(int *), int bound, const char *name) {
  cudaFuncAttributes attributes;
  expect(cudaFuncGetAttributes(&attributes, kernel) == cudaSuccess, name);
  expect(attributes.maxThreadsPerBlock == bound, name);
  int blocks = -1, least = 0, size = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, bound, 0);
  expect(blocks > 0, name);
  cudaOccupancyMaxPotentialBlockSize(&least, &size, kernel, 0, 0);
  expect(size <= bound && size > 0, name);

  *x = 0;
  kernel<<<1, bound>>>(x);
  expect(cudaGetLastError() == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess && *x == bound, name);
  kernel<<<1, dim3(bound, 2)>>>(x);
  expect(cudaGetLastError() != cudaSuccess, name);
  expect(cudaDeviceSynchronize() == cudaSuccess && *x == bound, name);
}

int main() {
  cudaMallocManaged(&x, sizeof(int));
  check(in_the_middle, 128, "in_the_middle");
  check(in_front, 128, "in_front");
  check(by_macro, 192, "by_macro");
  check(by_number<40>, 80, "by_number<40>");
  check(by_number<256>, 512, "by_number<256>");
  check(by_type<Tuning>, 96, "by_type");
  check(declared, 64, "declared");
  check(registers, 1024, "registers");
  check(plain, 1024, "plain");
  check(deep::in_a_namespace, 64, "in_a_namespace");

  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, with_a_structure);
  expect(attributes.maxThreadsPerBlock == 128, "with_a_structure");
  cudaFuncGetAttributes(&attributes, (const void *)by_macro);
  expect(attributes.maxThreadsPerBlock == 192, "by address");
  int *argument = x;
  void *arguments[] = {&argument};
  expect(cudaLaunchKernel((const void *)by_macro, 1, 256, arguments, 0, 0) != cudaSuccess, "launch by address");
  cudaGetLastError();

  cudaFunction_t function;
  int value = 0;
  cuInit(0);
  cudaGetFuncBySymbol(&function, (const void *)in_front);
  cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function);
  expect(value == 128, "driver interface");
  return wrong;
}
