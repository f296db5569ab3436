// In the manner of hand-written inner loops: PTX that selects, compares, clamps and shifts, with operands at the edges of
// their types. Each result is compared with what the PTX manual says, in plain C++ on the host.
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

constexpr int kResults = 16;

__global__ void compute(const unsigned *a, const unsigned *b, const unsigned *c, unsigned *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned x = a[i], y = b[i], z = c[i];
  unsigned r[kResults];
  asm("slct.s32.s32 %0, %1, %2, %3;" : "=r"(r[0]) : "r"(x), "r"(y), "r"(z));
  asm("slct.b32.s32 %0, %1, %2, %3;" : "=r"(r[1]) : "r"(x), "r"(y), "r"(z));
  asm("slct.u32.f32 %0, %1, %2, %3;" : "=r"(r[2]) : "r"(x), "r"(y), "f"(__uint_as_float(z)));
  unsigned long long wide;
  asm("slct.u64.s32 %0, %1, %2, %3;" : "=l"(wide) : "l"((unsigned long long)x << 32 | y), "l"((unsigned long long)y << 32 | x), "r"(z));
  r[3] = (unsigned)(wide >> 32);
  asm("{ .reg .pred p; setp.ge.s32 p, %3, 0; selp.b32 %0, %1, %2, p; }" : "=r"(r[4]) : "r"(x), "r"(y), "r"(z));
  asm("{ .reg .pred p; setp.hi.u32 p, %3, %1; selp.b32 %0, %1, %2, p; }" : "=r"(r[5]) : "r"(x), "r"(y), "r"(z));
  asm("min.s32 %0, %1, %2;" : "=r"(r[6]) : "r"(x), "r"(y));
  asm("max.u32 %0, %1, %2;" : "=r"(r[7]) : "r"(x), "r"(y));
  asm("shl.b32 %0, %1, %2;" : "=r"(r[8]) : "r"(x), "r"(z));
  asm("shr.s32 %0, %1, %2;" : "=r"(r[9]) : "r"(x), "r"(z));
  asm("shr.u32 %0, %1, %2;" : "=r"(r[10]) : "r"(x), "r"(z));
  asm("set.lt.u32.s32 %0, %1, %2;" : "=r"(r[11]) : "r"(x), "r"(y));
  asm("sub.sat.s32 %0, %1, %2;" : "=r"(r[12]) : "r"(x), "r"(y));
  asm("add.sat.s32 %0, %1, %2;" : "=r"(r[13]) : "r"(x), "r"(y));
  asm("sad.s32 %0, %1, %2, %3;" : "=r"(r[14]) : "r"(x), "r"(y), "r"(z));
  asm("abs.s32 %0, %1;" : "=r"(r[15]) : "r"(x));
  for (int k = 0; k < kResults; k++) out[i * kResults + k] = r[k];
}

static unsigned saturated(long long value) { return (unsigned)(int)(value > INT_MAX ? INT_MAX : value < INT_MIN ? INT_MIN : value); }

int main() {
  float f;
  const unsigned edges[] = {0,          1,          2,          31,         32,         33,         64,         255,        0x7fffffffu, 0x80000000u, 0x80000001u,
                            0xffffffffu, 0xfffffffeu, 0x3f800000u, 0xbf800000u, 0x7f800000u, 0xff800000u, 0x00800000u, 0xcafe1234u};
  std::vector<unsigned> a, b, c;
  for (const unsigned x : edges)
    for (const unsigned y : edges)
      for (const unsigned z : edges) a.push_back(x), b.push_back(y), c.push_back(z);
  const int n = (int)a.size();
  unsigned *d[4];
  for (unsigned *&p : d) cudaMalloc(&p, n * kResults * sizeof(unsigned));
  cudaMemcpy(d[0], a.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
  cudaMemcpy(d[1], b.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
  cudaMemcpy(d[2], c.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
  compute<<<(n + 127) / 128, 128>>>(d[0], d[1], d[2], d[3], n);
  std::vector<unsigned> got(n * kResults);
  if (cudaMemcpy(got.data(), d[3], got.size() * sizeof(unsigned), cudaMemcpyDeviceToHost) != cudaSuccess) return printf("failed\n"), 1;
  const char *const names[] = {"slct.s32.s32", "slct.b32.s32", "slct.u32.f32", "slct.u64.s32", "setp.ge.s32", "setp.hi.u32", "min.s32", "max.u32",
                               "shl.b32",      "shr.s32",      "shr.u32",      "set.lt",       "sub.sat",     "add.sat",     "sad.s32", "abs.s32"};
  int wrong = 0;
  for (int i = 0; i < n; i++) {
    const unsigned x = a[i], y = b[i], z = c[i];
    const int sx = (int)x, sy = (int)y, sz = (int)z;
    memcpy(&f, &z, sizeof f);
    const long long apart = sx > sy ? (long long)sx - sy : (long long)sy - sx;
    const unsigned by = z > 32 ? 32 : z;  // what is shifted further is gone
    const unsigned expected[] = {sz >= 0 ? x : y,
                                 sz >= 0 ? x : y,
                                 f >= 0 ? x : y,
                                 sz >= 0 ? x : y,
                                 sz >= 0 ? x : y,
                                 z > x ? x : y,
                                 sx < sy ? x : y,
                                 x > y ? x : y,
                                 (unsigned)((uint64_t)x << by),
                                 (unsigned)((int64_t)sx >> by),
                                 (unsigned)((uint64_t)x >> by),
                                 sx < sy ? 0xffffffffu : 0u,
                                 saturated((long long)sx - sy),
                                 saturated((long long)sx + sy),
                                 z + (unsigned)apart,
                                 sx < 0 ? 0u - x : x};
    for (int k = 0; k < kResults; k++)
      if (got[i * kResults + k] != expected[k] && wrong++ < 10)
        printf("%s of %08x, %08x, %08x: %08x, not %08x\n", names[k], x, y, z, got[i * kResults + k], expected[k]);
  }
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
