// In the manner of alignments of genes: two numbers of 16 bits in each word, by the functions for dynamic programming
// (the largest of three, of a sum and a number, which of two it was), in kernels and on the host, against whole
// numbers.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>

constexpr int kWords = 512;
int wrong = 0;

template <typename T>
long long add(long long x, long long y) {
  return T(x + y);
}
long long largest(long long x, long long y) { return x > y ? x : y; }
long long least(long long x, long long y) { return x < y ? x : y; }

// name, type of a half, call, and for a half's x, y, z: its result. high and low: which was the first.
#define CASES(X)                                                                                     \
  X(viaddmax_s, int16_t, __viaddmax_s16x2(a, b, c), largest(add<int16_t>(x, y), z))                  \
  X(viaddmin_s, int16_t, __viaddmin_s16x2(a, b, c), least(add<int16_t>(x, y), z))                    \
  X(viaddmax_u, uint16_t, __viaddmax_u16x2(a, b, c), largest(add<uint16_t>(x, y), z))                \
  X(viaddmin_u, uint16_t, __viaddmin_u16x2(a, b, c), least(add<uint16_t>(x, y), z))                  \
  X(viaddmax_r, int16_t, __viaddmax_s16x2_relu(a, b, c), largest(largest(add<int16_t>(x, y), z), 0)) \
  X(viaddmin_r, int16_t, __viaddmin_s16x2_relu(a, b, c), largest(least(add<int16_t>(x, y), z), 0))   \
  X(vimax3_s, int16_t, __vimax3_s16x2(a, b, c), largest(largest(x, y), z))                           \
  X(vimin3_s, int16_t, __vimin3_s16x2(a, b, c), least(least(x, y), z))                               \
  X(vimax3_u, uint16_t, __vimax3_u16x2(a, b, c), largest(largest(x, y), z))                          \
  X(vimin3_u, uint16_t, __vimin3_u16x2(a, b, c), least(least(x, y), z))                              \
  X(vimax3_r, int16_t, __vimax3_s16x2_relu(a, b, c), largest(largest(largest(x, y), z), 0))          \
  X(vimin3_r, int16_t, __vimin3_s16x2_relu(a, b, c), largest(least(least(x, y), z), 0))              \
  X(vimax_r, int16_t, __vimax_s16x2_relu(a, b), largest(largest(x, y), 0))                           \
  X(vimin_r, int16_t, __vimin_s16x2_relu(a, b), largest(least(x, y), 0))                             \
  X(vibmax_s, int16_t, __vibmax_s16x2(a, b, &high, &low), (first = x >= y, largest(x, y)))           \
  X(vibmin_s, int16_t, __vibmin_s16x2(a, b, &high, &low), (first = x <= y, least(x, y)))             \
  X(vibmax_u, uint16_t, __vibmax_u16x2(a, b, &high, &low), (first = x >= y, largest(x, y)))          \
  X(vibmin_u, uint16_t, __vibmin_u16x2(a, b, &high, &low), (first = x <= y, least(x, y)))

struct Answer {
  unsigned word;
  bool high, low;
};
#define DEFINE(NAME, TYPE, CALL, RESULT)                                                           \
  __host__ __device__ Answer call_##NAME(unsigned a, unsigned b, unsigned c) {                     \
    bool high = false, low = false;                                                                \
    (void)c;                                                                                       \
    const unsigned word = CALL;                                                                    \
    return {word, high, low};                                                                      \
  }                                                                                                \
  __global__ void k_##NAME(const unsigned *a, const unsigned *b, const unsigned *c, Answer *out) { \
    out[threadIdx.x] = call_##NAME(a[threadIdx.x], b[threadIdx.x], c[threadIdx.x]);                \
  }
CASES(DEFINE)

__global__ void not_numbers(float2 *out) {
  out[0] = __half22float2(__hisnan2(__floats2half2_rn(1.0f, nanf(""))));
  out[1] = __half22float2(__hisnan2(__floats2half2_rn(nanf(""), INFINITY)));
  out[2] = __bfloat1622float2(__hisnan2(__floats2bfloat162_rn(1.0f, nanf(""))));
  out[3] = __bfloat1622float2(__hisnan2(__floats2bfloat162_rn(nanf(""), INFINITY)));
}

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess) devices = 0;
  static unsigned a[kWords], b[kWords], c[kWords];
  std::mt19937 random(16);
  const unsigned ends[] = {0, 0x7fff7fff, 0x80008000, 0xffffffff, 0x00010001, 0x7fff8000, 0x8000ffff};
  for (int i = 0; i < kWords; i++)
    for (unsigned *word : {a, b, c}) word[i] = random() % 3 == 0 ? ends[random() % 7] : unsigned(random());
  unsigned *words = nullptr;
  Answer *out = nullptr;
  if (devices > 0) {
    cudaMalloc(&words, 3 * sizeof a);
    cudaMalloc(&out, kWords * sizeof *out);
    cudaMemcpy(words, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(words + kWords, b, sizeof b, cudaMemcpyHostToDevice);
    cudaMemcpy(words + 2 * kWords, c, sizeof c, cudaMemcpyHostToDevice);
  }
#define CHECK(NAME, TYPE, CALL, RESULT)                                                                               \
  for (const bool on_host : {true, false}) {                                                                          \
    if (!on_host && devices == 0) continue;                                                                           \
    static Answer got[kWords];                                                                                        \
    if (on_host) {                                                                                                    \
      for (int i = 0; i < kWords; i++) got[i] = call_##NAME(a[i], b[i], c[i]);                                        \
    } else {                                                                                                          \
      k_##NAME<<<1, kWords>>>(words, words + kWords, words + 2 * kWords, out);                                        \
      if (cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost) != cudaSuccess) wrong++;                           \
    }                                                                                                                 \
    for (int i = 0; i < kWords; i++) {                                                                                \
      unsigned word = 0;                                                                                              \
      bool is_first[2] = {false, false};                                                                              \
      for (int part = 0; part < 2; part++) {                                                                          \
        const long long x = TYPE(a[i] >> 16 * part), y = TYPE(b[i] >> 16 * part), z = TYPE(c[i] >> 16 * part);        \
        bool first = false;                                                                                           \
        word |= (unsigned(RESULT) & 0xffffu) << 16 * part;                                                            \
        (void)z, is_first[part] = first;                                                                              \
      }                                                                                                               \
      if (got[i].word == word && got[i].low == is_first[0] && got[i].high == is_first[1]) continue;                   \
      if (wrong++ < 20) printf("%s of %08x %08x %08x: %08x, not %08x\n", #NAME, a[i], b[i], c[i], got[i].word, word); \
    }                                                                                                                 \
  }
  CASES(CHECK)
  if (devices > 0) {
    float2 *flags, on_host[4];
    cudaMalloc(&flags, sizeof on_host);
    not_numbers<<<1, 1>>>(flags);
    if (cudaMemcpy(on_host, flags, sizeof on_host, cudaMemcpyDeviceToHost) != cudaSuccess) wrong++;
    for (int i = 0; i < 4; i++)
      if (on_host[i].x != i % 2 || on_host[i].y != 1 - i % 2) wrong++, printf("__hisnan2, %d\n", i);
  }
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
