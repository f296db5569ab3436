// Tensor cores by hand: ldmatrix and mma in PTX, against the same product in plain C++.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstdint>
#include <cstdio>

constexpr int kDepth = 32;

__device__ uint32_t shared_address(const void* p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

// One warp: 16 x 8 of c = a (16 x kDepth, by rows) * b (kDepth x 8, by columns, or by rows if `transposed`).
__global__ void multiply_half(const half* a, const half* b, float* c, bool transposed) {
  __shared__ __align__(16) half rows[16][16];
  __shared__ __align__(16) half columns[16][8];  // 8 x 16, or transposed 16 x 8
  const int lane = threadIdx.x;
  float d[4] = {};
  for (int k = 0; k < kDepth; k += 16) {
    for (int i = lane; i < 256; i += 32) rows[i / 16][i % 16] = a[i / 16 * kDepth + k + i % 16];
    half* flat = &columns[0][0];
    for (int i = lane; i < 128; i += 32)
      flat[i] = transposed ? b[(k + i / 8) + i % 8 * kDepth] : b[i / 16 * kDepth + k + i % 16];
    __syncwarp();
    uint32_t x[4], y[2];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"(shared_address(&rows[lane % 16][lane / 16 * 8])));
    if (transposed)
      asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                   : "=r"(y[0]), "=r"(y[1])
                   : "r"(shared_address(flat + lane % 16 * 8)));
    else
      asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                   : "=r"(y[0]), "=r"(y[1])
                   : "r"(shared_address(flat + lane % 8 * 16 + lane / 8 % 2 * 8)));
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    __syncwarp();
  }
  for (int i = 0; i < 4; i++) c[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = d[i];
}

// bf16 eight deep, and tf32, with operands straight from memory.
__global__ void multiply_others(const __nv_bfloat16* a, const __nv_bfloat16* b, float* c, const float* fa,
                                const float* fb, float* fc) {
  const int group = threadIdx.x / 4, inside = threadIdx.x % 4;
  float d[4] = {1, 1, 1, 1}, e[4] = {};
  const auto pair = [](const __nv_bfloat16* p) { return *reinterpret_cast<const uint32_t*>(p); };
  for (int k = 0; k < kDepth; k += 8) {
    const uint32_t low = pair(a + group * kDepth + k + 2 * inside), high = pair(a + (group + 8) * kDepth + k + 2 * inside);
    asm("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(low), "r"(high), "r"(pair(b + group * kDepth + k + 2 * inside)));
    uint32_t x[4], y[2];
    for (int i = 0; i < 4; i++) x[i] = __float_as_uint(fa[(group + i % 2 * 8) * kDepth + k + inside + i / 2 * 4]);
    for (int i = 0; i < 2; i++) y[i] = __float_as_uint(fb[group * kDepth + k + inside + 4 * i]);
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(e[0]), "+f"(e[1]), "+f"(e[2]), "+f"(e[3])
        : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
  }
  for (int i = 0; i < 4; i++) {
    const int at = (group + i / 2 * 8) * 8 + inside * 2 + i % 2;
    c[at] = d[i];
    fc[at] = e[i];
  }
}

template <typename T>
T* managed(int n) {
  T* memory;
  cudaMallocManaged(&memory, n * sizeof(T));
  return memory;
}

int main() {
  half *a = managed<half>(16 * kDepth), *b = managed<half>(8 * kDepth);
  auto *p = managed<__nv_bfloat16>(16 * kDepth), *q = managed<__nv_bfloat16>(8 * kDepth);
  float *fa = managed<float>(16 * kDepth), *fb = managed<float>(8 * kDepth);
  float* c[4];
  for (auto& one : c) one = managed<float>(128);
  // Small binary fractions: all products and sums are exact.
  for (int i = 0; i < 16 * kDepth; i++) {
    fa[i] = static_cast<float>(i * 7 % 29 - 14) / 8;
    a[i] = __float2half(fa[i]);
    p[i] = __float2bfloat16(fa[i]);
  }
  for (int i = 0; i < 8 * kDepth; i++) {
    fb[i] = static_cast<float>(i * 5 % 23 - 11) / 4;
    b[i] = __float2half(fb[i]);
    q[i] = __float2bfloat16(fb[i]);
  }
  a[3] = b[5] = __float2half(0x1p-20f);  // denormal numbers
  multiply_half<<<1, 32>>>(a, b, c[0], false);
  multiply_half<<<1, 32>>>(a, b, c[1], true);
  multiply_others<<<1, 32>>>(p, q, c[2], fa, fb, c[3]);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  int wrong = 0;
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < 8; j++) {
      double of_half = 0, of_others = 0;
      for (int k = 0; k < kDepth; k++) {
        of_half += double(__half2float(a[i * kDepth + k])) * double(__half2float(b[j * kDepth + k]));
        of_others += double(fa[i * kDepth + k]) * double(fb[j * kDepth + k]);
      }
      const int at = i * 8 + j;
      wrong += std::fabs(c[0][at] - of_half) > 1e-5 || c[0][at] != c[1][at];
      wrong += std::fabs(c[2][at] - of_others - 1) > 1e-5 || std::fabs(c[3][at] - of_others) > 1e-5;
    }
  printf("%d of 128 elements wrong\n", wrong);
  return wrong != 0;
}
