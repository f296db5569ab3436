// In the manner of programs that rely on what nvcc includes by itself (time, rand, memset, max), on
// rounding and byte intrinsics, on references and on pointers to constants.
#include <stdio.h>

#include "sm_30_intrinsics.h"

struct Element {
  int key;
  float value;
};

__global__ void intrinsics(unsigned *out, float *real) {
  out[0] = __dp4a(0x01020304, 0x01010101, 5);
  out[1] = __funnelshift_l(0x80000000u, 1, 1);
  out[2] = __byte_perm(0x33221100, 0x77665544, 0x7531);
  out[3] = __vadd4(0x01ff01ff, 0x01010101);
  out[4] = max(3u, __sad(-3, 4, 0));
  out[5] = __fns(0xff00, 0, 3) + __vimax3_s32(1, 7, 3) + __viaddmin_s32(2, 3, 9);
  out[6] = __nv_bswap32(0x01020304) + __ldcv(out) + llmax(1, 2);
  real[0] = __fadd_rd(1.0f, 1e-10f);
  real[1] = __fadd_ru(1.0f, 1e-10f);
  real[2] = __fmaf_rn(2.0f, 3.0f, 4.0f);
  real[3] = rsqrtf(4.0f);
}

// Lanes that take no part give 0: the sum of the first eight is right.
__global__ void sum_of_first_lanes(float *sum) {
  if (threadIdx.x >= 8) return;
  float value = threadIdx.x + 1;
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xff, value, offset);
  if (threadIdx.x == 0) *sum = value;
}

// A reference, to managed memory.
__global__ void change(Element &e) {
  e.key += 1;
  e.value *= 2;
}
__global__ void copy_key(const Element &e, int *out) { *out = e.key; }

int main() {
  srand((unsigned)time(NULL));
  int below = rand() % 10, bad = below < 0;
  unsigned *out;
  float *real;
  const float *constant;
  Element *e;
  int *key;
  cudaMallocManaged(&out, 8 * sizeof(unsigned));
  cudaMallocManaged(&real, 8 * sizeof(float));
  cudaMalloc(&constant, 16);
  cudaMallocManaged(&e, sizeof(Element));
  cudaMallocManaged(&key, sizeof(int));
  memset(out, 0, 8 * sizeof(unsigned));
  e->key = 41;
  e->value = 1.5f;
  intrinsics<<<1, 1>>>(out, real);
  sum_of_first_lanes<<<1, 32>>>(real + 4);
  change<<<1, 1>>>(*e);
  copy_key<<<1, 1>>>(*e, key);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  const unsigned expected[] = {15, 3, 0x77553311, 0x02000200, 7, 10 + 7 + 5, 0x04030201 + 15 + 2};
  for (int i = 0; i < 7; i++)
    if (out[i] != expected[i]) bad = 1, printf("%d: %#x\n", i, out[i]);
  if (real[0] != 1.0f || !(real[1] > 1.0f) || real[2] != 10 || real[3] != 0.5f) bad = 1, printf("rounding\n");
  if (real[4] != 36) bad = 1, printf("sum of the first lanes: %g\n", real[4]);
  if (e->key != 42 || e->value != 3 || *key != 42) bad = 1, printf("reference: %d %g %d\n", e->key, e->value, *key);
  cudaFree((void *)constant);
  printf(bad ? "wrong\n" : "right\n");
  return bad;
}
