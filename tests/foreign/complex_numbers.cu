// In the manner of fractal programs that use CUDA's complex numbers, with NVTX ranges around it all.
#include <cuComplex.h>
#include <math_constants.h>
#include <nvtx3/nvToolsExt.h>
#include <cstdio>
#include <cmath>

__global__ void roots_of_unity(cuDoubleComplex *z, int n) {
  int k = threadIdx.x;
  cuDoubleComplex w = make_cuDoubleComplex(cos(2 * CUDART_PI / n), sin(2 * CUDART_PI / n));
  cuDoubleComplex power = make_cuDoubleComplex(1, 0);
  for (int i = 0; i < k; i++) power = cuCmul(power, w);
  z[k] = power;
}

int main() {
  nvtxRangePushA("everything");
  const int n = 16;
  cuDoubleComplex *device, host[n], sum = make_cuDoubleComplex(0, 0);
  cudaMalloc(&device, sizeof host);
  roots_of_unity<<<1, n>>>(device, n);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  for (int k = 0; k < n; k++) {
    if (fabs(cuCabs(host[k]) - 1) > 1e-12) return 1;
    sum = cuCadd(sum, host[k]);
  }
  if (cuCabs(sum) > 1e-12) return 1;
  cuFloatComplex a = make_cuFloatComplex(3, 4), b = make_cuFloatComplex(1, -2);
  cuFloatComplex q = cuCdivf(cuCmulf(a, b), b);
  if (fabsf(cuCrealf(q) - 3) > 1e-6f || fabsf(cuCimagf(q) - 4) > 1e-6f) return 1;
  if (cuCabsf(make_cuFloatComplex(3e30f, 4e30f)) != 5e30f) return 1;
  cudaFree(device);
  nvtxRangePop();
  printf("the roots of unity add up to 0\n");
  return 0;
}
