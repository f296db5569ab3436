// In the manner of programs in half precision and bfloat16: sums of products, conversions and atomics.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstdio>

const int n = 1024;

__global__ void axpy(__half a, const __half *x, __half *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hfma(a, x[i], y[i]);
}
__global__ void axpy2(__half2 a, const __half2 *x, __half2 *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) y[i] = a * x[i] + y[i];
}
__global__ void narrow(const float *x, __nv_bfloat16 *y, float *sum) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = __float2bfloat16(x[i]);
  float back = __bfloat162float(y[i]);
  for (int d = 16; d > 0; d /= 2) back += __shfl_down_sync(0xffffffff, back, d);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, back);
}
__global__ void greater(const __half *x, int *count) {
  if (__hgt(x[threadIdx.x], __float2half(0.5f)) && x[threadIdx.x] < __half(1.0f)) atomicAdd(count, 1);
}

// Constants, and the length of a vector of any dimension.
__global__ void constants(int *right) {
  const float x[] = {3, 0, 4};
  *right = __half2float(CUDART_ONE_FP16) == 1 && __bfloat162float(CUDART_ONE_BF16) == 1 &&
           __hisinf(CUDART_INF_FP16) && __hisnan(CUDART_NAN_BF16) && normf(3, x) == 5;
}

int main() {
  __half *x, *y;
  __nv_bfloat16 *narrowed;
  float *wide, *sum;
  int *count, bad = 0;
  cudaMallocManaged(&x, n * sizeof(__half));
  cudaMallocManaged(&y, n * sizeof(__half));
  cudaMallocManaged(&narrowed, n * sizeof(__nv_bfloat16));
  cudaMallocManaged(&wide, n * sizeof(float));
  cudaMallocManaged(&sum, sizeof(float));
  cudaMallocManaged(&count, sizeof(int));
  for (int i = 0; i < n; i++) {
    x[i] = __float2half(i % 8 / 8.0f);
    y[i] = __float2half(i % 16);
    wide[i] = i % 100;
  }
  *sum = 0, *count = 0;
  axpy<<<n / 128, 128>>>(__float2half(2.0f), x, y);
  axpy2<<<n / 128, 64>>>(__float2half2_rn(3.0f), (__half2 *)x, (__half2 *)y);
  narrow<<<n / 128, 128>>>(wide, narrowed, sum);
  greater<<<1, 64>>>(x, count);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  float expected = 0;
  for (int i = 0; i < n; i++) {
    expected += wide[i];  // up to 99: exact in 8 bits
    if (__half2float(y[i]) != 5 * (i % 8 / 8.0f) + i % 16 || __bfloat162float(narrowed[i]) != wide[i])
      bad++;
  }
  if (*sum != expected || *count != 24) bad++;
  constants<<<1, 1>>>(count);
  if (cudaDeviceSynchronize() != cudaSuccess || *count != 1) bad++;
  printf("%d wrong\n", bad);
  return bad != 0;
}
