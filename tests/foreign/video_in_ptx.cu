// The video instructions of PTX on four bytes or two half words, as programs for stereo pictures use them.
#include <cstdio>
#include <cstdlib>
#include <cstring>

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

// Each operation on each pair of numbers next to the limits, with each combination of signs: its name in PTX, its types
// (of the result and of the two operands), and what becomes of the results in the lanes.
#define EACH_SIGN(X, op, lanes, end)                                                    \
  X("v" op lanes, "u32", "u32", "u32", end) X("v" op lanes, "s32", "s32", "s32", end) \
  X("v" op lanes, "u32", "s32", "s32", end) X("v" op lanes, "s32", "s32", "u32", end)
#define EACH_END(X, op, lanes) EACH_SIGN(X, op, lanes, "") EACH_SIGN(X, op, lanes, ".sat") EACH_SIGN(X, op, lanes, ".add")
#define EACH_WIDTH(X, op) EACH_END(X, op, "2") EACH_END(X, op, "4")
#define EACH(X) \
  EACH_WIDTH(X, "add") EACH_WIDTH(X, "sub") EACH_WIDTH(X, "avrg") EACH_WIDTH(X, "absdiff") EACH_WIDTH(X, "min") EACH_WIDTH(X, "max")

constexpr unsigned kSum = 0x80000005;
__global__ void edges(const uint2* pairs, int count, unsigned* out) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    unsigned* next = out + i;
#define ASK(name, d, a, b, end)                                                                                       \
  asm("{ .reg .u32 r; " name "." d "." a "." b end " r, %1, %2, %3; mov.u32 %0, r; }"                                 \
      : "=r"(*next) : "r"(pairs[i].x), "r"(pairs[i].y), "r"(kSum));                                                   \
  next += count;
    EACH(ASK)
  }
}

long long operation(const char* name, long long a, long long b) {
  const auto is = [&](const char* what) { return strncmp(name + 1, what, strlen(what)) == 0; };
  if (is("add")) return a + b;
  if (is("sub")) return a - b;
  if (is("avrg")) return (a + b + (a + b >= 0 ? 1 : -1)) / 2;  // halves go away from zero
  if (is("absdiff")) return llabs(a - b);
  return is("min") == (a < b) ? a : b;
}

unsigned answer(const char* name, const char* d, const char* as, const char* bs, const char* end, uint2 x) {
  const int lanes = name[strlen(name) - 1] - '0', bits = 32 / lanes;
  const long long range = 1LL << bits;
  const bool adds = strcmp(end, ".add") == 0, saturates = strcmp(end, ".sat") == 0;
  unsigned result = adds ? kSum : 0;
  for (int lane = 0; lane < lanes; lane++) {
    const auto of = [&](unsigned word, const char* type) {
      const long long value = word >> (bits * lane) & (range - 1);
      return *type == 's' && value >= range / 2 ? value - range : value;
    };
    long long value = operation(name, of(x.x, as), of(x.y, bs));
    const long long low = *d == 's' ? -range / 2 : 0, high = low + range - 1;
    if (saturates) value = value < low ? low : value > high ? high : value;
    result = adds ? result + static_cast<unsigned>(value) : result | static_cast<unsigned>(value & (range - 1)) << (bits * lane);
  }
  return result;
}

int wrong_at_edges() {
  const unsigned bytes[] = {0, 1, 2, 0x7f, 0x80, 0xfe, 0xff, 0x40}, halves[] = {0, 1, 3, 0x7fff, 0x8000, 0xfffe, 0xffff, 0x4000};
  constexpr int kCount = 64;
  uint2* pairs;
  unsigned* out;
  int questions = 0, wrong = 0;
#define COUNT(...) questions++;
  EACH(COUNT)
  cudaMallocManaged(&pairs, kCount * sizeof *pairs);
  cudaMallocManaged(&out, questions * kCount * sizeof *out);
  for (int i = 0; i < kCount / 2; i++) {
    pairs[i] = pairs[kCount / 2 + i] = make_uint2(0, 0);
    for (int lane = 0; lane < 4; lane++) {
      const int which = (4 * i + lane) % 64;
      pairs[i].x |= bytes[which / 8] << (8 * lane), pairs[i].y |= bytes[which % 8] << (8 * lane);
    }
    for (int lane = 0; lane < 2; lane++) {
      const int which = 2 * i + lane;
      pairs[kCount / 2 + i].x |= halves[which / 8] << (16 * lane), pairs[kCount / 2 + i].y |= halves[which % 8] << (16 * lane);
    }
  }
  edges<<<1, 64>>>(pairs, kCount, out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  const unsigned* next = out;
#define COMPARE(name, d, a, b, end)                                                                                    \
  for (int i = 0; i < kCount; i++, next++)                                                                             \
    if (*next != answer(name, d, a, b, end, pairs[i]) && wrong++ < 20)                                                 \
      printf("%s.%s.%s.%s%s of %08x and %08x: %08x, expected %08x\n", name, d, a, b, end, pairs[i].x, pairs[i].y, *next, \
             answer(name, d, a, b, end, pairs[i]));
  EACH(COMPARE)
  return wrong;
}

int main() {
  if (const int wrong = wrong_at_edges()) return printf("%d wrong\n", wrong), 1;
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
