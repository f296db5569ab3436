// Instructions of warps and blocks in PTX (match, redux, bar.warp.sync, barrier.red), and those that change signs and bits or test
// a float, against plain C++ on the host.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

typedef uint32_t u32;
const int kThreads = 64;
struct Results {
  u32 match, sum, least, most, all, any, odd, neighbor, count, every, some, flipped, cleared;
  int negated, least_signed, most_signed;
  float opposite, signed_like;
  u32 tests;
};

#define REDUX(OP, TYPE, TO, X) asm volatile("redux.sync." OP "." TYPE " %0, %1, 0xffffffff;" : "=r"(TO) : "r"(X))
// One bit for each kind of number.
#define TESTP(KIND, BIT) \
  asm("{ .reg .pred p; testp." KIND ".f32 p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(is) : "f"(f)); r.tests |= is << BIT

__global__ void all(const u32 *in, const float *floats, Results *to) {
  __shared__ u32 kept[kThreads];
  const int t = threadIdx.x;
  const u32 x = in[t], key = x % 5;
  const float f = floats[t];
  Results r = {};
  u32 is;
  asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(r.match) : "r"(key));
  REDUX("add", "u32", r.sum, x); REDUX("min", "u32", r.least, x); REDUX("max", "u32", r.most, x);
  REDUX("and", "b32", r.all, x); REDUX("or", "b32", r.any, x); REDUX("xor", "b32", r.odd, x);
  REDUX("min", "s32", r.least_signed, int(x)); REDUX("max", "s32", r.most_signed, int(x));
  kept[t] = x;
  asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
  r.neighbor = kept[t ^ 1];
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; bar.red.popc.u32 %0, 0, p; }" : "=r"(r.count) : "r"(u32(key == 2)));
  asm volatile("{ .reg .pred p, q; setp.ne.u32 p, %1, 0; bar.red.and.pred q, 0, p; selp.u32 %0, 1, 0, q; }" : "=r"(r.every) : "r"(in[64]));
  asm volatile("{ .reg .pred p, q; setp.ne.u32 p, %1, 0; bar.red.or.pred q, 0, p; selp.u32 %0, 1, 0, q; }" : "=r"(r.some) : "r"(u32(x == in[5])));
  asm("not.b32 %0, %1;" : "=r"(r.flipped) : "r"(x));
  asm("cnot.b32 %0, %1;" : "=r"(r.cleared) : "r"(key));
  asm("neg.s32 %0, %1;" : "=r"(r.negated) : "r"(int(x)));
  asm("neg.f32 %0, %1;" : "=f"(r.opposite) : "f"(f));
  asm("copysign.f32 %0, %1, %2;" : "=f"(r.signed_like) : "f"(floats[(t + 1) % kThreads]), "f"(f));
  TESTP("finite", 0); TESTP("infinite", 1); TESTP("number", 2); TESTP("notanumber", 3); TESTP("normal", 4);
  TESTP("subnormal", 5);
  to[t] = r;
}

bool same(float a, float b) { return memcmp(&a, &b, 4) == 0 || (std::isnan(a) && std::isnan(b)); }

int main() {
  u32 *in;
  float *floats;
  Results *to;
  cudaMallocManaged(&in, 4 * (kThreads + 1)), cudaMallocManaged(&floats, 4 * kThreads), cudaMallocManaged(&to, kThreads * sizeof *to);
  const float kinds[] = {0.0f, -0.0f, 1.5f, -2.25f, INFINITY, -INFINITY, NAN, 1e-40f, -3e38f, 7.0f};
  u32 x = 12345;
  for (int i = 0; i < kThreads; i++) x = x * 1664525 + 1013904223, in[i] = i % 3 ? x : x | 0x80000000, floats[i] = kinds[i % 10];
  int wrong = 0;
  for (u32 whole = 0; whole < 2; whole++) {
    in[kThreads] = whole;
    all<<<1, kThreads>>>(in, floats, to);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    u32 count = 0;
    for (int i = 0; i < kThreads; i++) count += in[i] % 5 == 2;
    for (int t = 0; t < kThreads; t++) {
      const int first = t / 32 * 32;
      Results e = {};
      e.least = e.all = ~0u, e.least_signed = INT32_MAX, e.most_signed = INT32_MIN;
      for (int i = first; i < first + 32; i++) {
        const u32 v = in[i];
        e.match |= u32(v % 5 == in[t] % 5) << (i - first);
        e.sum += v, e.all &= v, e.any |= v, e.odd ^= v;
        if (v < e.least) e.least = v;
        if (v > e.most) e.most = v;
        if (int(v) < e.least_signed) e.least_signed = int(v);
        if (int(v) > e.most_signed) e.most_signed = int(v);
      }
      const Results &r = to[t];
      const float f = floats[t], next = floats[(t + 1) % kThreads];
      const u32 tests = u32(std::isfinite(f)) | u32(std::isinf(f)) << 1 | u32(!std::isnan(f)) << 2 | u32(std::isnan(f)) << 3 | u32(std::isnormal(f) || f == 0) << 4 |
                        u32(std::fpclassify(f) == FP_SUBNORMAL) << 5;  // zeros count as normal
      const bool warps = r.match == e.match && r.sum == e.sum && r.least == e.least && r.most == e.most && r.all == e.all && r.any == e.any &&
                         r.odd == e.odd && r.least_signed == e.least_signed && r.most_signed == e.most_signed && r.neighbor == in[t ^ 1];
      const bool blocks = r.count == count && r.every == whole && r.some == 1;
      const bool signs = r.flipped == ~in[t] && r.cleared == u32(in[t] % 5 == 0) && r.negated == int(0u - in[t]) && same(r.opposite, -f) &&
                         same(r.signed_like, std::copysign(f, next)) && r.tests == tests;
      if (!(warps && blocks && signs) && wrong++ < 5) printf("thread %d: %d %d %d, tests %x, expected %x\n", t, warps, blocks, signs, r.tests, tests);
    }
  }
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
