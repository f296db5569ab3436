// The video instructions of PTX on four bytes or two half words, as programs for stereo pictures use them.
#include <cstdio>

__device__ unsigned differences(unsigned a, unsigned b, unsigned sum) {
  unsigned result;
  asm volatile("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(sum));
  return result;
}

__global__ void run(unsigned* out) {
  const unsigned a = 0x01ff8010, b = 0x03017f20;
  unsigned r;
  int n = 0;
  out[n++] = differences(a, b, 1000);  // 2 + 254 + 1 + 16 + 1000
  asm("vabsdiff4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(0));
  out[n++] = r;
  asm("vadd4.u32.u32.u32.sat %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(0));
  out[n++] = r;
  asm("vsub4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(0));
  out[n++] = r;
  asm("vmax4.s32.s32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(0));
  out[n++] = r;  // 0xff and 0x80 are negative
  asm("vavrg2.u32.u32.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(0x00020003), "r"(0x00030006), "r"(0));
  out[n++] = r;
  asm("vabsdiff2.s32.s32.s32.add %0, %1, %2, %3;" : "=r"(r) : "r"(0xffff0005), "r"(0x0001000a), "r"(1));
  out[n++] = r;  // |-1 - 1| + |5 - 10| + 1
}

int main() {
  const unsigned expected[] = {1273, 0x02fe0110, 0x04ffff30, 0xfefe01f0, 0x03017f20, 0x00030005, 8};
  const int n = sizeof expected / sizeof *expected;
  unsigned* out;
  cudaMallocManaged(&out, sizeof expected);
  run<<<1, 1>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  int wrong = 0;
  for (int i = 0; i < n; i++)
    if (out[i] != expected[i]) printf("%d: %08x, expected %08x\n", i, out[i], expected[i]), wrong++;
  return wrong != 0;
}
