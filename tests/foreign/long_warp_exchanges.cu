// In the manner of code from before Volta: lanes exchange values through volatile shared memory
// without barriers, in 1 to 30 steps and in four ways. The model moves all lanes together. notes:
// warp-synchronous code in kernel
#include <cstdio>
#include <vector>

#define S1(STEP) STEP(1)
#define S2(STEP) S1(STEP) STEP(2)
#define S3(STEP) S2(STEP) STEP(3)
#define S4(STEP) S3(STEP) STEP(4)
#define S5(STEP) S4(STEP) STEP(5)
#define S6(STEP) S5(STEP) STEP(6)
#define S7(STEP) S6(STEP) STEP(7)
#define S8(STEP) S7(STEP) STEP(8)
#define S10(STEP) S8(STEP) STEP(9) STEP(10)
#define S15(STEP) S10(STEP) STEP(11) STEP(12) STEP(13) STEP(14) STEP(15)
#define S20(STEP) S15(STEP) STEP(16) STEP(17) STEP(18) STEP(19) STEP(20)
#define S25(STEP) S20(STEP) STEP(21) STEP(22) STEP(23) STEP(24) STEP(25)
#define S30(STEP) S25(STEP) STEP(26) STEP(27) STEP(28) STEP(29) STEP(30)

// Each lane reads what another one has written, writes into another one's place, writes only in
// some lanes, or adds.
#define READS(n) \
  s[t] = v;      \
  v = 3 * v + s[(t + n) & 31];
#define WRITES(n)          \
  s[(t + 5 * n) & 31] = v; \
  v = 5 * v - s[t];
#define SOME(n)                     \
  if (t % 3 == n % 3) s[t] = v + n; \
  v += 7 * s[t ^ n];
#define ADDS(n) s[t] += s[t ^ n];

#define KERNEL(way, count)                        \
  __global__ void way##_##count(unsigned *data) { \
    __shared__ volatile unsigned s[32];           \
    unsigned t = threadIdx.x, v = data[t];        \
    s[t] = v;                                     \
    S##count(way) data[t] = v + s[t];             \
  }
#define WAYS(count) \
  KERNEL(READS, count) KERNEL(WRITES, count) KERNEL(SOME, count) KERNEL(ADDS, count)
// clang-format off
WAYS(1)
WAYS(2)
WAYS(3)
WAYS(4)
WAYS(5)
WAYS(6)
WAYS(7)
WAYS(8)
WAYS(10)
WAYS(15)
WAYS(20)
WAYS(25)
WAYS(30)
// clang-format on

// All lanes take each of a step's accesses together.
std::vector<unsigned> model(int way, int count, const std::vector<unsigned> &data) {
  std::vector<unsigned> v = data, s = data, before;
  for (int n = 1; n <= count; n++) {
    before = s;
    for (int t = 0; t < 32; t++) {
      if (way == 0) s[t] = v[t];
      if (way == 1) s[(t + 5 * n) & 31] = v[t];
      if (way == 2 && t % 3 == n % 3) s[t] = v[t] + n;
      if (way == 3) s[t] = before[t] + before[t ^ n];
    }
    for (int t = 0; t < 32; t++) {
      if (way == 0) v[t] = 3 * v[t] + s[(t + n) & 31];
      if (way == 1) v[t] = 5 * v[t] - s[t];
      if (way == 2) v[t] += 7 * s[t ^ n];
    }
  }
  for (int t = 0; t < 32; t++) v[t] += s[t];
  return v;
}

int main() {
  struct {
    const char *name;
    void (*kernel)(unsigned *);
    int way, count;
  } const all[] = {
#define ROWS(count)                                                         \
  {"READS", READS_##count, 0, count}, {"WRITES", WRITES_##count, 1, count}, \
      {"SOME", SOME_##count, 2, count}, {"ADDS", ADDS_##count, 3, count},
      ROWS(1) ROWS(2) ROWS(3) ROWS(4) ROWS(5) ROWS(6) ROWS(7) ROWS(8) ROWS(10) ROWS(15) ROWS(20)
          ROWS(25) ROWS(30)};
  unsigned *device;
  int wrong = 0;
  cudaMalloc(&device, 32 * sizeof(unsigned));
  for (const auto &one : all) {
    std::vector<unsigned> data(32), got(32);
    for (int t = 0; t < 32; t++) data[t] = t * t % 37 + one.count;
    cudaMemcpy(device, data.data(), 32 * sizeof(unsigned), cudaMemcpyHostToDevice);
    one.kernel<<<1, 32>>>(device);
    cudaMemcpy(got.data(), device, 32 * sizeof(unsigned), cudaMemcpyDeviceToHost);
    if (got == model(one.way, one.count, data)) continue;
    wrong++;
    printf("%s in %d steps: wrong\n", one.name, one.count);
  }
  printf("%d of %zu wrong\n", wrong, sizeof all / sizeof *all);
#ifdef __CPU_DEVICE__
  return wrong != 0;
#else
  return 0;  // Since Volta, nothing is promised.
#endif
}
