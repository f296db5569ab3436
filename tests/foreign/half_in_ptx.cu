// In the manner of kernels that write PTX for numbers of 16 bits: in registers of one and of two, and tensor cores whose
// sums have 16 bits, too.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

__global__ void arithmetic(const float *in, unsigned short *one, unsigned *two, float *wide) {
  unsigned short a, b, c;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(a) : "f"(in[0]));
  asm("{ cvt.rn.f16.f32 %0, %1; }" : "=h"(b) : "f"(in[1]));
  asm("fma.rn.f16 %0, %1, %2, %1;" : "=h"(one[0]) : "h"(a), "h"(b));
  asm("add.f16 %0, %1, %2;" : "=h"(one[1]) : "h"(a), "h"(b));
  asm("max.f16 %0, %1, %2;" : "=h"(one[2]) : "h"(a), "h"(b));
  asm("neg.f16 %0, %1;" : "=h"(c) : "h"(a));
  asm("abs.f16 %0, %1;" : "=h"(one[3]) : "h"(c));
  asm("cvt.f32.f16 %0, %1;" : "=f"(wide[0]) : "h"(c));
  asm("cvt.rz.f16.f32 %0, %1;" : "=h"(one[4]) : "f"(2049.9f));
  unsigned x, y, z;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(x) : "f"(in[0]), "f"(in[1]));  // the first is the upper half
  asm("mov.b32 %0, {%1, %2};" : "=r"(y) : "h"(a), "h"(b));
  asm("mul.f16x2 %0, %1, %2;" : "=r"(two[0]) : "r"(x), "r"(y));
  asm("sub.f16x2 %0, %1, %2;" : "=r"(two[1]) : "r"(x), "r"(y));
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(z) : "f"(in[2]), "f"(in[1]));
  asm("fma.rn.bf16x2 %0, %1, %1, %1;" : "=r"(two[2]) : "r"(z));
  asm("min.bf16x2 %0, %1, %2;" : "=r"(two[3]) : "r"(z), "r"(two[2]));
  asm("cvt.rn.relu.bf16.f32 %0, %1;" : "=h"(one[5]) : "f"(-3.f));
}

// 16 x 8 = 16 x 8 times 8 x 8, and a sum.
__global__ void multiply(const half *a, const half *b, half *c) {
  const int group = threadIdx.x / 4, inside = threadIdx.x % 4;
  const auto pair = [](const half *p) { return *reinterpret_cast<const unsigned *>(p); };
  unsigned d0 = pair(c + 8 * group + 2 * inside), d1 = pair(c + 8 * (group + 8) + 2 * inside);
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %3}, {%4}, {%0, %1};"
               : "+r"(d0), "+r"(d1)
               : "r"(pair(a + 8 * group + 2 * inside)), "r"(pair(a + 8 * (group + 8) + 2 * inside)),
                 "r"(pair(b + 8 * group + 2 * inside)));
  *reinterpret_cast<unsigned *>(c + 8 * group + 2 * inside) = d0;
  *reinterpret_cast<unsigned *>(c + 8 * (group + 8) + 2 * inside) = d1;
}

int wrong = 0;
void expect(const char *what, float got, float value) {
  if (got == value) return;
  printf("%s: %g, not %g\n", what, got, value);
  wrong++;
}
float half_of(unsigned bits) {
  half h;
  const unsigned short low = static_cast<unsigned short>(bits);
  memcpy(&h, &low, sizeof h);
  return __half2float(h);
}
float bfloat_of(unsigned bits) {
  bits <<= 16;
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

int main() {
  float *in, *wide;
  unsigned short *one;
  unsigned *two;
  half *a, *b, *c;
  cudaMallocManaged(&in, 3 * sizeof *in);
  cudaMallocManaged(&wide, sizeof *wide);
  cudaMallocManaged(&one, 6 * sizeof *one);
  cudaMallocManaged(&two, 4 * sizeof *two);
  in[0] = 1.5f, in[1] = -2.25f, in[2] = 3;
  arithmetic<<<1, 1>>>(in, one, two, wide);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  const float ones[] = {1.5f * -2.25f + 1.5f, -0.75f, 1.5f, 1.5f, 2048};
  for (int i = 0; i < 5; i++) expect("one", half_of(one[i]), ones[i]);
  expect("relu", bfloat_of(one[5]), 0);
  expect("wide", wide[0], -1.5f);
  expect("mul low", half_of(two[0]), -2.25f * 1.5f);
  expect("mul high", half_of(two[0] >> 16), 1.5f * -2.25f);
  expect("sub low", half_of(two[1]), -3.75f);
  expect("sub high", half_of(two[1] >> 16), 3.75f);
  expect("fma low", bfloat_of(two[2] & 0xffff), 2.8125f);
  expect("fma high", bfloat_of(two[2] >> 16), 12);
  expect("min low", bfloat_of(two[3] & 0xffff), -2.25f);
  expect("min high", bfloat_of(two[3] >> 16), 3);

  cudaMallocManaged(&a, 16 * 8 * sizeof *a);
  cudaMallocManaged(&b, 8 * 8 * sizeof *b);
  cudaMallocManaged(&c, 16 * 8 * sizeof *c);
  for (int i = 0; i < 128; i++) a[i] = __float2half(i % 7 - 3), c[i] = __float2half(i % 5);
  for (int i = 0; i < 64; i++) b[i] = __float2half(i % 3 - 1);  // by columns
  multiply<<<1, 32>>>(a, b, c);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int row = 0; row < 16; row++)
    for (int column = 0; column < 8; column++) {
      float sum = (8 * row + column) % 5;
      for (int k = 0; k < 8; k++) sum += ((8 * row + k) % 7 - 3) * ((8 * column + k) % 3 - 1);
      expect("product", __half2float(c[8 * row + column]), sum);
    }
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
