// In the manner of programs that print what a kernel needs: the __shared__ memory that it declares, by the
// runtime's and by the driver's question, for kernels of all sorts.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>

__global__ void two_arrays(float *x) {
  __shared__ float tile[16][16], row[32];
  tile[threadIdx.y][threadIdx.x] = row[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = tile[0][threadIdx.x + 1] + row[threadIdx.x + 1];
}
template <typename T, int N>
__global__ void by_template(T *x) {
  __shared__ T all[N];
  all[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = all[(threadIdx.x + 1) % N];
}
extern "C" __global__ void plain_name(int *x) {
  __shared__ int few[8];
  few[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = few[7 - threadIdx.x];
}
namespace {
__global__ void hidden(double *x) {
  if (x != nullptr) {
    __shared__ double sum[4];
    sum[threadIdx.x] = *x;
    __syncthreads();
    *x = sum[0];
  }
}
}  // namespace
// Its name begins as another's does.
__global__ void plain_name_of_another(int *x) { *x = 1; }
__global__ void dynamic(int *x) {
  extern __shared__ int as_asked[];
  as_asked[0] = *x;
  *x = as_asked[0];
}

static int wrong = 0;
template <typename Kernel>
static void expect(const char *name, Kernel *kernel, size_t bytes) {
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, kernel);
  cudaFunction_t function;
  int by_driver = -1;
  cudaGetFuncBySymbol(&function, reinterpret_cast<const void *>(kernel));
  cuFuncGetAttribute(&by_driver, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function);
  if (attributes.sharedSizeBytes == bytes && by_driver == static_cast<int>(bytes)) return;
  fprintf(stderr, "%s: %zu and %d bytes, not %zu\n", name, attributes.sharedSizeBytes, by_driver, bytes);
  wrong++;
}

int main() {
  cuInit(0);
  cudaFree(nullptr);
  expect("two_arrays", two_arrays, 16 * 16 * 4 + 32 * 4);
  expect("by_template<double, 32>", by_template<double, 32>, 256);
  expect("by_template<char, 64>", by_template<char, 64>, 64);
  expect("plain_name", plain_name, 32);
  expect("hidden", hidden, 32);
  expect("plain_name_of_another", plain_name_of_another, 0);
  expect("dynamic", dynamic, 0);
  return wrong != 0;
}
