// In the manner of samples with inline PTX: special registers, carries, predicates in braces, vector loads with cache hints,
// volatile and acquire loads, bit fields, a multiply with 128 bits, atomics and prefetches.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#define CK(x) do { if (cudaError_t e = (x)) { fprintf(stderr, "%d: %s\n", __LINE__, cudaGetErrorString(e)); exit(1); } } while (0)

__device__ __forceinline__ unsigned lane_id() { unsigned r; asm volatile("mov.u32 %0, %laneid;" : "=r"(r)); return r; }
__device__ __forceinline__ unsigned warp_id() { unsigned r; asm volatile("mov.u32 %0, %%warpid;" : "=r"(r)); return r; }
__device__ __forceinline__ uint4 load_streaming(const uint4* p) {
  uint4 v;
  asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p));
  return v;
}
__device__ __forceinline__ void add128(uint64_t& lo, uint64_t& hi, uint64_t a, uint64_t b) {
  asm("add.cc.u64 %0, %0, %2;\n\t"
      "addc.u64 %1, %1, %3;" : "+l"(lo), "+l"(hi) : "l"(a), "l"(b));
}
__device__ __forceinline__ uint64_t mul_hi(uint64_t a, uint64_t b) { uint64_t r; asm("mul.hi.u64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b)); return r; }
__device__ int clamp_positive(int x) {
  int r;
  asm("{\n\t"
      ".reg .pred p;\n\t"
      ".reg .s32 t;\n\t"
      "mov.s32 t, 0;\n\t"
      "setp.lt.s32 p, %1, t;\n\t"
      "selp.s32 %0, t, %1, p;\n\t"
      "}" : "=r"(r) : "r"(x));
  return r;
}
__device__ unsigned field(unsigned x, unsigned at, unsigned bits) { unsigned r; asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(x), "r"(at), "r"(bits)); return r; }
__device__ unsigned insert(unsigned x, unsigned into, unsigned at, unsigned bits) { unsigned r; asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(x), "r"(into), "r"(at), "r"(bits)); return r; }
__device__ float fast_exp2(float x) { float r; asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x)); return r; }
__device__ double fma_down(double a, double b, double c) { double r; asm("fma.rm.f64 %0, %1, %2, %3;" : "=d"(r) : "d"(a), "d"(b), "d"(c)); return r; }

__global__ void ptx(const uint4* in, unsigned* out, uint64_t* wide, unsigned* counter, float* floats, volatile int* flag) {
  __shared__ unsigned tile[64];
  const unsigned t = threadIdx.x;
  asm volatile("prefetch.global.L2 [%0];" ::"l"(in + t));
  const uint4 v = load_streaming(in + t);
  unsigned address = (unsigned)__cvta_generic_to_shared(&tile[t]);
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(address), "r"(v.x + v.w) : "memory");
  asm volatile("bar.sync 0;" ::: "memory");
  unsigned neighbor;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(neighbor) : "r"((unsigned)__cvta_generic_to_shared(&tile[(t + 1) % 64])));
  out[t] = neighbor + lane_id() * 1000;
  uint64_t lo = ~0ull - t, hi = 7;
  add128(lo, hi, 32, 1);
  wide[2 * t] = lo, wide[2 * t + 1] = hi + mul_hi(1ull << 40, (uint64_t)t << 30);
  unsigned old;
  asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(counter), "r"(2u) : "memory");
  asm volatile("red.global.max.u32 [%0], %1;" ::"l"(counter + 1), "r"(t) : "memory");
  unsigned combined;
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(combined) : "r"(t), "r"(0xf0u), "r"(0x0fu));
  out[64 + t] = combined + clamp_positive((int)t - 32) + field(0xabcd1234u, 8, 8) + insert(3, 0, 4, 2);
  floats[t] = fast_exp2((float)(int)t - 10);
  floats[64 + t] = (float)fma_down(0.1, 3.0, (double)t);
  if (t == 63) {
    int seen;
    asm volatile("ld.volatile.global.s32 %0, [%1];" : "=r"(seen) : "l"(flag));
    asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(flag), "r"(seen + 1) : "memory");
    asm volatile("membar.gl;" ::: "memory");
  }
  unsigned mask, ballot, shuffled;
  asm volatile("activemask.b32 %0;" : "=r"(mask));
  asm volatile("{ .reg .pred q; setp.ne.u32 q, %1, 0; vote.sync.ballot.b32 %0, q, 0xffffffff; }" : "=r"(ballot) : "r"(t & 1));
  asm volatile("shfl.sync.bfly.b32 %0, %1, 1, 31, -1;" : "=r"(shuffled) : "r"(t));
  if (mask != 0xffffffffu || ballot != 0xaaaaaaaau || shuffled != (t ^ 1)) out[t] = 0;
}

int main() {
  uint4 in[64];
  for (unsigned i = 0; i < 64; i++) in[i] = make_uint4(i, 1, 2, 100 * i);
  uint4* d_in; unsigned *d_out, *d_counter; uint64_t* d_wide; float* d_floats; int* d_flag;
  CK(cudaMalloc(&d_in, sizeof in)); CK(cudaMalloc(&d_out, 128 * 4)); CK(cudaMalloc(&d_wide, 128 * 8));
  CK(cudaMalloc(&d_counter, 8)); CK(cudaMalloc(&d_floats, 128 * 4)); CK(cudaMalloc(&d_flag, 4));
  CK(cudaMemset(d_counter, 0, 8)); CK(cudaMemset(d_flag, 0, 4));
  CK(cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice));
  ptx<<<1, 64>>>(d_in, d_out, d_wide, d_counter, d_floats, d_flag);
  CK(cudaDeviceSynchronize());
  unsigned out[128], counter[2]; uint64_t wide[128]; float floats[128]; int flag;
  CK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost)); CK(cudaMemcpy(wide, d_wide, sizeof wide, cudaMemcpyDeviceToHost));
  CK(cudaMemcpy(counter, d_counter, 8, cudaMemcpyDeviceToHost)); CK(cudaMemcpy(floats, d_floats, sizeof floats, cudaMemcpyDeviceToHost));
  CK(cudaMemcpy(&flag, d_flag, 4, cudaMemcpyDeviceToHost));
  int wrong = counter[0] != 128 || counter[1] != 63 || flag != 1;
  for (unsigned t = 0; t < 64; t++) {
    const unsigned next = (t + 1) % 64;
    wrong += out[t] != 101 * next + t % 32 * 1000;
    wrong += out[64 + t] != (t ^ 0xff) + (t > 32 ? t - 32 : 0) + 0x12 + 0x30;
    const uint64_t lo = (~0ull - t) + 32, hi = 8 + (lo < 32);
    wrong += wide[2 * t] != lo || wide[2 * t + 1] != hi + (uint64_t)(((unsigned __int128)t << 70) >> 64);
    wrong += floats[t] < 0.999f * (t < 10 ? 1.0f / (1 << (10 - t)) : (float)(1ull << (t - 10)));
    wrong += floats[64 + t] < t + 0.29f || floats[64 + t] > t + 0.31f;
  }
  printf("%d wrong\n", wrong);
  return wrong ? 1 : 0;
}
