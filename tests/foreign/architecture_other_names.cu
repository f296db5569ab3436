// A function that is written twice, for kernels of some architectures and for the rest, with other names of its
// parameters: one function, with the kernels' body in kernels.
#include <cstdint>
#include <cstdio>

#if (__CUDA_ARCH__ >= 500)
static __device__ __forceinline__ uint32_t choose(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t d;
  asm("lop3.b32 %0, %1, %2, %3, 0xca;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
#else
static __device__ __forceinline__ uint32_t choose(uint32_t e, uint32_t f, uint32_t g) { return (g ^ (e & (f ^ g))) + 1; }
#endif

// On the host and in kernels, the names in another order.
#ifdef __CUDA_ARCH__
__host__ __device__ int difference(int b, int a) { return 1000 + b - a; }
#else
__host__ __device__ int difference(int a, int b) { return a - b; }
#endif

// Overloads that differ in what they take stay apart.
#ifdef __CUDA_ARCH__
__device__ int size_of(unsigned int x) { return 4 + (x & 0); }
__device__ int size_of(unsigned long long y) { return 8 + (y & 0); }
#else
__device__ int size_of(unsigned int n) { return -4 - (n & 0); }
__device__ int size_of(unsigned long long n) { return -8 - (n & 0); }
#endif

__global__ void run(unsigned* out) {
  out[0] = choose(0xff00ff00u, 0x12345678u, 0x9abcdef0u);
  out[1] = difference(7, 3);
  out[2] = size_of(1u) * 10 + size_of(1ull);
}

int main() {
  unsigned* out;
  cudaMallocManaged(&out, 3 * sizeof *out);
  run<<<1, 1>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  printf("%08x %u %u, on the host %d\n", out[0], out[1], out[2], difference(7, 3));
  return out[0] == 0x12bc56f0u && out[1] == 1004 && out[2] == 48 && difference(7, 3) == 4 ? 0 : 1;
}
