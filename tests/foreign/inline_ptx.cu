// In the manner of lectures and libraries that write PTX in asm: special registers, cache hints,
// carries, bits, predicates, votes and shuffles. Each value is compared with what PTX says it is.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

__device__ __forceinline__ unsigned lane_id() {
  unsigned id;
  asm("mov.u32 %0, %%laneid;" : "=r"(id));
  return id;
}
__device__ inline unsigned special(int which) {
  unsigned x = 0;
  switch (which) {
    case 0: asm("mov.u32 %0, %tid.x;" : "=r"(x)); break;
    case 1: asm("mov.u32 %0, %%ntid.x;" : "=r"(x)); break;
    case 2: asm("mov.u32 %0, %%ctaid.y;" : "=r"(x)); break;
    case 3: asm("mov.u32 %0, %%nctaid.y;" : "=r"(x)); break;
    case 4: asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(x)); break;
    case 5: asm volatile("mov.u32 %0, %%lanemask_ge;" : "=r"(x)); break;
  }
  return x;
}

template <typename T>
__device__ T load_cached(const T *p) {
  T x;
  if (sizeof(T) == 4)
    asm("ld.global.ca.u32 %0, [%1];" : "=r"(*(unsigned *)&x) : "l"(p));
  else
    asm("ld.global.nc.L1::no_allocate.u64 %0, [%1 + 8];"
        : "=l"(*(unsigned long long *)&x)
        : "l"(p - 1));
  return x;
}

__device__ uint32_t sum_low, sum_high;
__device__ void add_64(uint32_t a0, uint32_t a1, uint32_t b0, uint32_t b1) {
  asm("add.cc.u32 %0, %2, %4;\n\t"
      "addc.u32   %1, %3, %5;\n\t"
      : "=r"(sum_low), "=r"(sum_high)
      : "r"(a0), "r"(a1), "r"(b0), "r"(b1));
}

#define TWO(NAME, CODE)                                              \
  __device__ unsigned NAME(unsigned a, unsigned b) {                 \
    unsigned d;                                                      \
    asm(CODE " %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));             \
    return d;                                                        \
  }
TWO(mul24_lo, "mul24.lo.u32")
TWO(mul_hi_signed, "mul.hi.s32")
TWO(shift_right, "shr.s32")
TWO(shift_left, "shl.b32")
TWO(minimum, "min.s32")
TWO(and_bits, "and.b32")

// out: one element of each result.
// Branches: a loop, and a way around a part; %= makes the labels' names their own.
__device__ unsigned sum_below(unsigned n) {
  unsigned sum;
  asm("{\n .reg .u32 i, a;\n .reg .pred done;\n mov.u32 i, 0;\n mov.u32 a, 0;\n"
      "LOOP_%=:\n setp.ge.u32 done, i, %1;\n @done bra END_%=;\n"
      " add.u32 a, a, i;\n add.u32 i, i, 1;\n bra.uni LOOP_%=;\n"
      "END_%=:\n mov.u32 %0, a;\n}"
      : "=r"(sum)
      : "r"(n));
  return sum;
}

__global__ void arithmetic(unsigned *out, float *real, double *doubles, const unsigned *in) {
  int n = 0;
  const unsigned a = in[0], b = in[1], c = in[2];
  out[n++] = load_cached(in + 1);
  out[n++] = (unsigned)load_cached((const unsigned long long *)in + 1);
  out[n++] = mul24_lo(0x12345678, 0xff000003);
  out[n++] = mul_hi_signed((unsigned)-5, 0x40000000);
  out[n++] = shift_right(0x80000000u, 40);
  out[n++] = shift_left(1, 32);
  out[n++] = minimum((unsigned)-7, 3);
  out[n++] = and_bits(0xff00ff00u, 0x0ff00ff0u);
  unsigned d;
  asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[n++] = d;
  asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  out[n++] = d;
  asm("prmt.b32 %0, %1, %2, 0x4081;" : "=r"(d) : "r"(0x44332281u), "r"(0x88776655u));
  out[n++] = d;
  asm("bfe.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(0x00000f50u), "r"(4), "r"(8));
  out[n++] = d;
  asm("bfe.u32 %0, %1, 28, 8;" : "=r"(d) : "r"(0xf0000000u));
  out[n++] = d;
  asm("bfi.b32 %0, %1, %2, 8, 4;" : "=r"(d) : "r"(0xabu), "r"(0x11111111u));
  out[n++] = d;
  asm("popc.b32 %0, %1;" : "=r"(d) : "r"(0xf0f0u));
  out[n++] = d;
  asm("clz.b32 %0, %1;" : "=r"(d) : "r"(0x00010000u));
  out[n++] = d;
  asm("clz.b64 %0, %1;" : "=r"(d) : "l"(1ull << 40));
  out[n++] = d;
  asm("brev.b32 %0, %1;" : "=r"(d) : "r"(0x12345678u));
  out[n++] = d;
  asm("bfind.s32 %0, %1;" : "=r"(d) : "r"(-200));
  out[n++] = d;
  asm("{\n"
      "  .reg .pred p, q;  // two of them\n"
      "  .reg .u32 t<3>;\n"
      "  setp.lt.s32 p|q, %1, %2;\n"
      "  mov.u32 t0, 7;\n"
      "  @p mov.u32 t0, 11;\n"
      "  @!q add.u32 t0, t0, 100;  /* p again */\n"
      "  selp.u32 t1, 1000, 2000, q;\n"
      "  add.u32 %0, t0, t1;\n"
      "}"
      : "=r"(d)
      : "r"(-1), "r"(1));
  out[n++] = d;
  unsigned long long whole;
  asm("mov.b64 %0, {%1, %2};" : "=l"(whole) : "r"(a), "r"(b));
  out[n++] = whole == (a | (unsigned long long)b << 32);
  unsigned low, high;
  asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(0x1122334455667788ull));
  out[n++] = low ^ high;
  short h = -3;
  asm("mad.wide.s16 %0, %1, %2, %3;" : "=r"(d) : "h"(h), "h"((short)1000), "r"(5));
  out[n++] = d;
  int i = 10;
  asm("add.s32 %0, %0, %1;" : "+r"(i) : "n"(32));
  out[n++] = i;
  asm("cvt.rni.s32.f32 %0, %1;" : "=r"(i) : "f"(2.5f));
  out[n++] = i;
  asm("cvt.rzi.u32.f32 %0, %1;" : "=r"(d) : "f"(-3.7f));
  out[n++] = d;
  asm("cvt.sat.s8.s32 %0, %1;" : "=r"(i) : "r"(-300));
  out[n++] = i;
  asm("shf.l.wrap.b32 %0, %1, %2, 8;" : "=r"(d) : "r"(0xaabbccddu), "r"(0x11223344u));
  out[n++] = d;
  asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(i) : "r"(0x01ff0203), "r"(0x02020202), "r"(1));
  out[n++] = i;
  add_64(0xffffffffu, 1, 2, 3);
  out[n++] = sum_low;
  out[n++] = sum_high;
  asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(d) : "l"(out + 40), "r"(5) : "memory");
  asm volatile("red.global.max.u32 [%0], %1;" ::"l"(out + 41), "r"(77) : "memory");
  asm volatile("st.global.wb.v2.u32 [%0], {%1, %2};" ::"l"(out + 42), "r"(123), "r"(456) : "memory");
  out[n++] = d;

  n = 0;
  float x;
  asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(x) : "f"(3.f), "f"(4.f), "f"(0.5f));
  real[n++] = x;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(x) : "f"(4.f));
  real[n++] = x;
  asm("ex2.approx.f32 %0, %1;" : "=f"(x) : "f"(5.f));
  real[n++] = x;
  asm("lg2.approx.f32 %0, %1;" : "=f"(x) : "f"(32.f));
  real[n++] = x;
  asm("sin.approx.f32 %0, %1;" : "=f"(x) : "f"(1.f));
  real[n++] = x;
  asm("cos.approx.f32 %0, %1;" : "=f"(x) : "f"(1.f));
  real[n++] = x;
  asm("sqrt.rn.f32 %0, %1;" : "=f"(x) : "f"(2.f));
  real[n++] = x;
  asm("add.rz.f32 %0, %1, 0f3F800000;" : "=f"(x) : "f"(ldexpf(1.9f, -24)));
  real[n++] = x;
  asm("max.f32 %0, %1, %2;" : "=f"(x) : "f"(nanf("")), "f"(-2.f));
  real[n++] = x;
  asm("add.sat.f32 %0, %1, %2;" : "=f"(x) : "f"(0.75f), "f"(0.5f));
  real[n++] = x;
  asm("{ .reg .f64 t; cvt.f64.f32 t, %1; add.f64 %0, t, 0d3FE0000000000000; }"
      : "=d"(doubles[0])
      : "f"(1.25f));
}

__global__ void warps(unsigned *out, float *copy, const float *from) {
  __shared__ float tile[64];
  const unsigned t = threadIdx.x;
  unsigned clock1, clock2, sum = t, other, vote, flag;
  unsigned long long time1, time2;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(clock1)::"memory");
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time1));
  for (int d = 16; d > 0; d /= 2) {
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(other) : "r"(sum), "r"(d));
    sum += other;
  }
  asm volatile("{ .reg .pred p; setp.eq.u32 p, %1, 1; vote.sync.ballot.b32 %0, p, 0xffffffff; }" : "=r"(vote) : "r"(1));
  asm volatile("{ .reg .pred p, q; setp.gt.u32 p, %1, 5; vote.sync.any.pred q, p, -1;"
               " selp.u32 %0, 1, 0, q; }" : "=r"(flag) : "r"(t % 32));
  float moved;
  asm volatile("shfl.sync.down.b32 %0, %1, 1, 31, 0xffffffff;" : "=f"(moved) : "f"((float)t));
  // Addresses in shared memory have 32 bits.
  const unsigned at = (unsigned)__cvta_generic_to_shared(&tile[t]);
  asm volatile("st.shared.f32 [%0], %1;" ::"r"(at), "f"(from[t]) : "memory");
  asm volatile("bar.sync 0;" ::: "memory");
  float x;
  asm volatile("ld.shared.f32 %0, [%1];"
               : "=f"(x)
               : "r"((unsigned)__cvta_generic_to_shared(&tile[63 - t])));
  copy[t] = x;
  asm volatile("membar.gl;");
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
  asm volatile("nanosleep.u32 %0;" ::"r"(20));
  asm volatile("mov.u32 %0, %%clock;" : "=r"(clock2)::"memory");
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time2));
  bool right = lane_id() == t % 32 && special(0) == t && special(1) == 64 && special(2) == 0 &&
               special(3) == 1 && special(4) == (1u << t % 32) - 1 && special(5) == ~special(4);
  right = right && sum == (t < 32 ? 496 : 496 + 32 * 32) && flag == 1 &&
          moved == (t % 32 == 31 ? t : t + 1) && clock2 != clock1 && time2 >= time1;
  out[t] = right && vote == 0xffffffffu;
  right = right && sum_below(t) == t * (t - 1) / 2 && sum_below(3) == 3;
  if (t == 40) asm volatile("exit;");
  out[t] += 1;
}

int main() {
  unsigned *in, *out;
  float *real, *from;
  double *doubles;
  cudaMallocManaged(&in, 256);
  cudaMallocManaged(&out, 64 * sizeof(unsigned));
  cudaMallocManaged(&real, 64 * sizeof(float));
  cudaMallocManaged(&from, 64 * sizeof(float));
  cudaMallocManaged(&doubles, 64);
  const unsigned start[4] = {100, 7, 0x55, 9};
  memcpy(in, start, sizeof start);
  memset(out, 0, 64 * sizeof(unsigned));
  arithmetic<<<1, 1>>>(out, real, doubles, in);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  const unsigned expected[] = {
      7, 0x55, 0x345678u * 3, (unsigned)-2, 0xffffffffu, 0, (unsigned)-7, 0x0f000f00u & 0xff00ff00u,
      785, 100 ^ 7 ^ 0x55, 0x5581ff22u, (unsigned)-11, 15, 0x11111b11u, 8, 15, 23, 0x1e6a2c48u, 7, 1111 + 1000,
      1, 0x11223344u ^ 0x55667788u, (unsigned)-2995, 42, 2, 0, (unsigned)-128, 0x223344aau, 11,
      1, 5, 0};
  int wrong = 0;
  for (unsigned i = 0; i < sizeof expected / sizeof *expected; i++)
    if (out[i] != expected[i]) printf("%u: %#x, not %#x\n", i, out[i], expected[i]), wrong++;
  if (out[40] != 5 || out[41] != 77 || out[42] != 123 || out[43] != 456) printf("memory\n"), wrong++;
  const float reals[] = {12.5f, 0.25f, 32, 5, sinf(1), cosf(1), sqrtf(2), 1, -2, 1};
  for (int i = 0; i < 10; i++)
    if (!(fabsf(real[i] - reals[i]) < 1e-6f)) printf("real %d: %g, not %g\n", i, real[i], reals[i]), wrong++;
  if (doubles[0] != 1.75) printf("double: %g\n", doubles[0]), wrong++;

  for (int i = 0; i < 64; i++) from[i] = i;
  warps<<<1, 64>>>(out, real, from);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (unsigned i = 0; i < 64; i++)
    if (out[i] != (i == 40 ? 1u : 2u) || real[i] != 63 - i) printf("thread %u: %u %g\n", i, out[i], real[i]), wrong++;
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
