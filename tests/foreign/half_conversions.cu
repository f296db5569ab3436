// Conversions and functions of 16-bit numbers that programs call by name: to and from integers with each
// rounding, tanh in its fast form, complex multiplication.
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void convert(long long* out, float* real) {
  const __half h = __float2half(-2.5f), large = __float2half(2047.5f);
  int n = 0;
  out[n++] = __half2ll_rn(h), out[n++] = __half2ll_rd(h), out[n++] = __half2ll_ru(h), out[n++] = __half2ll_rz(h);
  out[n++] = __half2short_rd(h), out[n++] = __half2short_ru(h), out[n++] = __half2ushort_ru(large);
  out[n++] = __half2uint_rd(__float2half(7.5f)), out[n++] = __half2ull_ru(__float2half(7.5f));
  out[n++] = __bfloat162ll_rd(__float2bfloat16(-2.5f)), out[n++] = __bfloat162uint_ru(__float2bfloat16(6.5f));
  // 257 has no bfloat16: 256 and 258 are next to it.
  out[n++] = __bfloat162int_rn(__int2bfloat16_rd(257)), out[n++] = __bfloat162int_rn(__int2bfloat16_ru(257));
  out[n++] = __bfloat162int_rn(__int2bfloat16_rz(-257)), out[n++] = __bfloat162int_rn(__short2bfloat16_rd(-257));
  out[n++] = __bfloat162ll_rn(__ll2bfloat16_ru(257)), out[n++] = __bfloat162ll_rn(__ull2bfloat16_rz(257));

  const __half2 t = h2tanh_approx(__floats2half2_rn(0.5f, -20.0f));
  real[0] = __low2float(t), real[1] = __high2float(t);
  real[2] = __half2float(htanh_approx(__float2half(0.0f)));
  const __half2 product = __hcmadd(__floats2half2_rn(1, 2), __floats2half2_rn(3, 4), __floats2half2_rn(10, 20));
  real[3] = __low2float(product), real[4] = __high2float(product);  // (1 + 2i)(3 + 4i) + 10 + 20i
  const __half2 relu = __hfma2_relu(__floats2half2_rn(1, 1), __floats2half2_rn(-3, 3), __floats2half2_rn(0, 0));
  real[5] = __low2float(relu), real[6] = __high2float(relu);
  const __half2 sat = __hfma2_sat(__floats2half2_rn(1, 1), __floats2half2_rn(-3, 3), __floats2half2_rn(0, 0.5f));
  real[7] = __low2float(sat), real[8] = __high2float(sat);
}

int main() {
  const long long expected[] = {-2, -3, -2, -2, -3, -2, 2048, 7, 8, -3, 7, 256, 258, -256, -258, 258, 256};
  const float close[] = {0.4621f, -1, 0, 5, 30, 0, 3, 0, 1};
  long long* out;
  float* real;
  cudaMallocManaged(&out, sizeof expected);
  cudaMallocManaged(&real, sizeof close);
  convert<<<1, 1>>>(out, real);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  int wrong = 0;
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
    if (out[i] != expected[i]) printf("integer %zu: %lld, expected %lld\n", i, out[i], expected[i]), wrong++;
  for (size_t i = 0; i < sizeof close / sizeof *close; i++)
    if (!(real[i] >= close[i] - 0.001f && real[i] <= close[i] + 0.001f))
      printf("number %zu: %g, expected %g\n", i, real[i], close[i]), wrong++;
  return wrong != 0;
}
