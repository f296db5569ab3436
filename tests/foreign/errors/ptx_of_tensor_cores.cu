// PTX that is not translated: the message names the instruction and its line.
// expect: ptx_of_tensor_cores.cu:10: error: PTX: 'mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32' is not supported on the CPU device
#include <cstdio>

__global__ void multiply(float *d) {
  float x = 0, y = 0, z = 0, w = 0;
  asm volatile(
      "{\n\t"
      ".reg .u32 t;\n\t"
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%4,%4}, {%0,%1,%2,%3};\n\t"
      "}"
      : "+f"(x), "+f"(y), "+f"(z), "+f"(w)
      : "r"(0));
  d[0] = x;
}

int main() {
  multiply<<<1, 32>>>(nullptr);
  return 0;
}
