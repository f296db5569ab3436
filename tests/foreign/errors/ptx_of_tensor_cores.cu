// PTX that is not translated: the message names the instruction and its line.
// expect: ptx_of_tensor_cores.cu:10: error: PTX: 'mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32' is not supported on the CPU device
#include <cstdio>

__global__ void multiply(unsigned *d) {
  unsigned x = 0, y = 0;
  asm volatile(
      "{\n\t"
      ".reg .u32 t;\n\t"
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%0,%1}, {%2,%2,%2,%2}, {%2,%2}, {%0,%1,%0,%1};\n\t"
      "}"
      : "+r"(x), "+r"(y)
      : "r"(0));
  d[0] = x;
}

int main() {
  multiply<<<1, 32>>>(nullptr);
  return 0;
}
