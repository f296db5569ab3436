// cuda_fp8.h: all 256 values of both formats against tables made from the formats' definition, and floats
// around each value and each middle of two neighbors, rounded by a search for the nearest.
#include <cmath>
#include <cstdio>
#include <cuda_fp8.h>
#include <vector>

struct Result {
  unsigned char e4m3, e5m2, e4m3_infinite, e5m2_infinite, from_half;
};

__global__ void widen(float *e4m3, float *e5m2, float *by_raw) {
  const int i = threadIdx.x;
  __nv_fp8_e4m3 a;
  __nv_fp8_e5m2 b;
  a.__x = b.__x = static_cast<__nv_fp8_storage_t>(i);
  e4m3[i] = float(a);
  e5m2[i] = float(b);
  by_raw[i] = __half2float(__half(__nv_cvt_fp8_to_halfraw(a.__x, __NV_E4M3)));
}

__global__ void narrow(const float *x, Result *results, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  results[i].e4m3 = __nv_fp8_e4m3(x[i]).__x;
  results[i].e5m2 = __nv_fp8_e5m2(x[i]).__x;
  results[i].e4m3_infinite = __nv_cvt_float_to_fp8(x[i], __NV_NOSAT, __NV_E4M3);
  results[i].e5m2_infinite = __nv_cvt_float_to_fp8(x[i], __NV_NOSAT, __NV_E5M2);
  results[i].from_half = __nv_cvt_halfraw_to_fp8(__float2half(x[i]), __NV_SATFINITE, __NV_E4M3);
}

__global__ void in_pairs(unsigned *result, float4 *back) {
  const __nv_fp8x4_e4m3 four(make_float4(1, -2, 0.5f, 1000));
  result[0] = four.__x;
  back[0] = static_cast<float4>(four);
  const __nv_fp8x2_e5m2 two(make_float2(1, -2));
  result[1] = two.__x;
  const float2 again = static_cast<float2>(two);
  result[2] = again.x == 1 && again.y == -2;
  const __half2 halves = static_cast<__half2>(two);
  result[3] = __high2float(halves) == -2;
  const __nv_fp8x4_e4m3 of_pairs(__floats2bfloat162_rn(1, -2), __floats2bfloat162_rn(0.5f, 1000));
  result[4] = of_pairs.__x == four.__x;
}

static int wrong = 0;
static void expect(bool right, const char *what, double x) {
  if (right || wrong++ > 10) return;
  printf("wrong: %s at %g\n", what, x);
}

// The value of 7 bits without a sign: sum of powers of two, from the bits one by one.
static double value(int bits, int mantissa, int bias) {
  double x = bits >> mantissa ? 1 : 0;
  for (int i = 0; i < mantissa; i++)
    if (bits >> i & 1) x += pow(2.0, i - mantissa);
  return x * pow(2.0, (bits >> mantissa ? bits >> mantissa : 1) - bias);
}
// The nearest by trying all; of two as near, the even one. `last`: the largest finite; one step beyond it lies
// what overflow begins at.
static int nearest(double x, int mantissa, int bias, int last, int overflow) {
  if (std::isnan(x)) return 0x7f;
  const int sign = std::signbit(x) ? 0x80 : 0;
  x = fmin(fabs(x), 1e6);  // so that the distances below are exact
  int best = 0;
  for (int i = 1; i <= last + 1; i++) {
    const double here = fabs(value(i, mantissa, bias) - x), there = fabs(value(best, mantissa, bias) - x);
    if (here < there || (here == there && i % 2 == 0)) best = i;
  }
  return sign | (best > last ? overflow : best);
}

int main() {
  float *e4m3, *e5m2, *raw, *x;
  cudaMallocManaged(&e4m3, 256 * sizeof(float));
  cudaMallocManaged(&e5m2, 256 * sizeof(float));
  cudaMallocManaged(&raw, 256 * sizeof(float));
  widen<<<1, 256>>>(e4m3, e5m2, raw);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  std::vector<float> inputs = {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 1e30f, -1e30f, 1e-30f, -1e-30f, 3.4e38f};
  for (int i = 0; i < 256; i++) {
    const double sign = i & 0x80 ? -1 : 1;
    const int size = i & 0x7f;
    if (size == 0x7f)
      expect(std::isnan(e4m3[i]), "e4m3 NaN", i);
    else
      expect(e4m3[i] == sign * value(size, 3, 7) && std::signbit(e4m3[i]) == (sign < 0), "e4m3", i);
    if (size == 0x7c)
      expect(e5m2[i] == sign * INFINITY, "e5m2 infinity", i);
    else if (size > 0x7c)
      expect(std::isnan(e5m2[i]), "e5m2 NaN", i);
    else
      expect(e5m2[i] == sign * value(size, 2, 15) && std::signbit(e5m2[i]) == (sign < 0), "e5m2", i);
    expect(raw[i] == e4m3[i] || size == 0x7f, "through a half", i);
    for (const double here : {sign * value(size, 3, 7), sign * value(size, 2, 15)}) {
      const double step = sign * (value(size + 1, 3, 7) - value(size, 3, 7)) / 2;
      const double step2 = sign * (value(size + 1, 2, 15) - value(size, 2, 15)) / 2;
      for (const double y : {here, here + step, here + step2}) {
        const float f = static_cast<float>(y);
        inputs.insert(inputs.end(), {f, nextafterf(f, 1e38f), nextafterf(f, -1e38f)});
      }
    }
  }
  const int n = static_cast<int>(inputs.size());
  Result *results;
  cudaMallocManaged(&x, n * sizeof(float));
  cudaMallocManaged(&results, n * sizeof(Result));
  for (int i = 0; i < n; i++) x[i] = inputs[i];
  narrow<<<(n + 127) / 128, 128>>>(x, results, n);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int i = 0; i < n; i++) {
    expect(results[i].e4m3 == nearest(x[i], 3, 7, 0x7e, 0x7e), "to e4m3", x[i]);
    expect(results[i].e5m2 == nearest(x[i], 2, 15, 0x7b, 0x7b), "to e5m2", x[i]);
    expect(results[i].e4m3_infinite == nearest(x[i], 3, 7, 0x7e, 0x7f), "to e4m3, not saturated", x[i]);
    expect(results[i].e5m2_infinite == nearest(x[i], 2, 15, 0x7b, 0x7c), "to e5m2, not saturated", x[i]);
    const double half = __half2float(__float2half(x[i]));
    expect(results[i].from_half == nearest(half, 3, 7, 0x7e, 0x7e), "from a half", x[i]);
  }

  unsigned *bits;
  float4 *back;
  cudaMallocManaged(&bits, 5 * sizeof(unsigned));
  cudaMallocManaged(&back, sizeof(float4));
  in_pairs<<<1, 1>>>(bits, back);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  expect(bits[0] == 0x7e30c038 && bits[1] == 0xc03c && bits[2] && bits[3] && bits[4], "pairs", bits[0]);
  expect(back->x == 1 && back->y == -2 && back->z == 0.5f && back->w == 448, "fours", back->w);
  printf("%d numbers, %d wrong\n", n, wrong);
  return wrong != 0;
}
