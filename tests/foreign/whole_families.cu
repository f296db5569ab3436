// In the manner of a test suite that leaves out no member of a family: bytes and halves of a word, vectors and what makes them,
// complex numbers, loads and stores with a hint, atomics of each scope, addresses, random numbers by fours. Each for random and
// extreme values, against plain C++ on the host.
#include <cuComplex.h>
#include <curand_kernel.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstring>
#include <random>
#include <type_traits>
#include <vector>

#if defined(__NVCC__) && !defined(__CPU_DEVICE__)
#pragma nv_diag_suppress 1444  // double4 and its like are old names since CUDA 13
#endif
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

int wrong = 0;
void failed(const char *name, long long got, long long wanted, unsigned a, unsigned b) {
  if (wrong++ < 40) printf("%s(%#x, %#x): %lld (%#llx), expected %lld (%#llx)\n", name, a, b, got, got, wanted, wanted);
}
void expect(bool is_right, const char *what) {
  if (!is_right && wrong++ < 40) printf("%s\n", what);
}
#define EXPECT(...) expect(__VA_ARGS__, #__VA_ARGS__)
void done(const char *what) { expect(cudaDeviceSynchronize() == cudaSuccess, what); }

template <typename T>
struct Managed {
  T *data;
  explicit Managed(size_t n) {
    if (cudaMallocManaged(&data, n * sizeof(T)) != cudaSuccess) exit(1);
    memset(static_cast<void *>(data), 0, n * sizeof(T));
  }
  ~Managed() { cudaFree(data); }
  T &operator[](size_t i) { return data[i]; }
};

// ---- two halves or four bytes of a word ----
// X(name, number of parts, signed, what a part of the result is of the parts x and y). A part of the result is cut off to its size.
#define COMPARED(X, NAME, SIGN, YES)                                                                          \
  X(NAME##s2, 2, true, x SIGN y ? YES : 0) X(NAME##u2, 2, false, x SIGN y ? YES : 0)                        \
  X(NAME##s4, 4, true, x SIGN y ? YES : 0) X(NAME##u4, 4, false, x SIGN y ? YES : 0)
#define OF_ALL_SIZES(X, NAME, RESULT)                                                                        \
  X(NAME##s2, 2, true, RESULT) X(NAME##u2, 2, false, RESULT) X(NAME##s4, 4, true, RESULT) X(NAME##u4, 4, false, RESULT)
#define SATURATED(X, NAME, RESULT)                                                                           \
  X(NAME##ss2, 2, true, within(-32768, RESULT, 32767)) X(NAME##us2, 2, false, within(0, RESULT, 65535))       \
  X(NAME##ss4, 4, true, within(-128, RESULT, 127)) X(NAME##us4, 4, false, within(0, RESULT, 255))
#define PARTS(X)                                                                                             \
  COMPARED(X, __vcmpge, >=, -1) COMPARED(X, __vcmpgt, >, -1) COMPARED(X, __vcmple, <=, -1) COMPARED(X, __vcmplt, <, -1) \
  COMPARED(X, __vsetge, >=, 1) COMPARED(X, __vsetgt, >, 1) COMPARED(X, __vsetle, <=, 1) COMPARED(X, __vsetlt, <, 1) \
  X(__vcmpeq2, 2, false, x == y ? -1 : 0) X(__vcmpeq4, 4, false, x == y ? -1 : 0)                           \
  X(__vcmpne2, 2, false, x != y ? -1 : 0) X(__vcmpne4, 4, false, x != y ? -1 : 0)                           \
  X(__vseteq2, 2, false, x == y) X(__vseteq4, 4, false, x == y)                                             \
  X(__vsetne2, 2, false, x != y) X(__vsetne4, 4, false, x != y)                                             \
  X(__vadd2, 2, false, x + y) X(__vadd4, 4, false, x + y) X(__vsub2, 2, false, x - y) X(__vsub4, 4, false, x - y) \
  SATURATED(X, __vadd, x + y) SATURATED(X, __vsub, x - y)                                                   \
  OF_ALL_SIZES(X, __vmax, std::max(x, y)) OF_ALL_SIZES(X, __vmin, std::min(x, y))                           \
  OF_ALL_SIZES(X, __vabsdiff, std::max(x, y) - std::min(x, y))                                              \
  X(__vavgu2, 2, false, (x + y + 1) / 2) X(__vavgu4, 4, false, (x + y + 1) / 2)                             \
  X(__vhaddu2, 2, false, (x + y) / 2) X(__vhaddu4, 4, false, (x + y) / 2)
#define PARTS_OF_ONE(X)                                                                                      \
  X(__vabs2, 2, true, std::abs(x)) X(__vabs4, 4, true, std::abs(x))                                          \
  X(__vabsss2, 2, true, std::min(std::abs(x), 32767ll)) X(__vabsss4, 4, true, std::min(std::abs(x), 127ll)) \
  X(__vneg2, 2, true, -x) X(__vneg4, 4, true, -x)                                                           \
  X(__vnegss2, 2, true, std::min(-x, 32767ll)) X(__vnegss4, 4, true, std::min(-x, 127ll))
// Sums of all parts.
#define SUMS(X)                                                                                              \
  X(__vsads2, 2, true) X(__vsads4, 4, true) X(__vsadu2, 2, false) X(__vsadu4, 4, false)

long long within(long long low, long long x, long long high) { return std::min(std::max(low, x), high); }
long long part_of(unsigned word, int parts, int i, bool is_signed) {
  const long long size = parts == 2 ? 65536 : 256;
  long long all = word;
  for (; i > 0; i--) all /= size;
  all %= size;
  return is_signed && all >= size / 2 ? all - size : all;
}
template <typename Function>
unsigned by_parts(unsigned a, unsigned b, int parts, bool is_signed, Function function) {
  const long long size = parts == 2 ? 65536 : 256;
  unsigned result = 0;
  for (int i = parts - 1; i >= 0; i--) {
    long long value = function(part_of(a, parts, i, is_signed), part_of(b, parts, i, is_signed)) % size;
    if (value < 0) value += size;
    result = static_cast<unsigned>(result * size + value);
  }
  return result;
}
const int kWords = 512;
#define DEFINE(NAME, COUNT, SIGNED, RESULT) \
  __global__ void k##NAME(const unsigned *a, const unsigned *b, unsigned *out) { out[threadIdx.x] = NAME(a[threadIdx.x], b[threadIdx.x]); }
#define DEFINE_ONE(NAME, COUNT, SIGNED, RESULT) \
  __global__ void k##NAME(const unsigned *a, const unsigned *, unsigned *out) { out[threadIdx.x] = NAME(a[threadIdx.x]); }
#define DEFINE_SUM(NAME, COUNT, SIGNED) DEFINE(NAME, COUNT, SIGNED, 0)
PARTS(DEFINE)
PARTS_OF_ONE(DEFINE_ONE)
SUMS(DEFINE_SUM)

using Words = void (*)(const unsigned *, const unsigned *, unsigned *);
unsigned *first, *second, *answers;
template <typename Model>
void compare(const char *name, Words kernel, Model model) {
  kernel<<<1, kWords>>>(first, second, answers);
  done(name);
  for (int i = 0; i < kWords; i++) {
    const unsigned wanted = model(first[i], second[i]);
    if (answers[i] != wanted) failed(name, answers[i], wanted, first[i], second[i]);
  }
}
void parts_of_words() {
#define COMPARE(NAME, COUNT, SIGNED, RESULT)                                                   \
  compare(#NAME, k##NAME, [](unsigned a, unsigned b) {                                         \
    return by_parts(a, b, COUNT, SIGNED, [](long long x, long long y) -> long long { return (void)y, RESULT; }); \
  });
#define COMPARE_SUM(NAME, COUNT, SIGNED)                                                       \
  compare(#NAME, k##NAME, [](unsigned a, unsigned b) {                                         \
    long long sum = 0;                                                                         \
    for (int i = 0; i < COUNT; i++) sum += std::abs(part_of(a, COUNT, i, SIGNED) - part_of(b, COUNT, i, SIGNED)); \
    return static_cast<unsigned>(sum);                                                         \
  });
  PARTS(COMPARE)
  PARTS_OF_ONE(COMPARE)
  SUMS(COMPARE_SUM)
}

// ---- whole numbers ----
long long smaller(long long x, long long y) { return x < y ? x : y; }
long long larger(long long x, long long y) { return x > y ? x : y; }
#define SIGNED_SUM static_cast<int>(static_cast<unsigned>(x) + static_cast<unsigned>(y))
#define UNSIGNED_SUM static_cast<unsigned>(x + y)
#define WHOLE(X)                                                                                  \
  X(vimax3_u32, unsigned, __vimax3_u32(a, b, c), larger(larger(x, y), z))                         \
  X(vimin3_u32, unsigned, __vimin3_u32(a, b, c), smaller(smaller(x, y), z))                       \
  X(vimax3_s32, int, __vimax3_s32(a, b, c), larger(larger(x, y), z))                              \
  X(vimin3_s32, int, __vimin3_s32(a, b, c), smaller(smaller(x, y), z))                            \
  X(viaddmax_u32, unsigned, __viaddmax_u32(a, b, c), larger(UNSIGNED_SUM, z))                     \
  X(viaddmin_u32, unsigned, __viaddmin_u32(a, b, c), smaller(UNSIGNED_SUM, z))                    \
  X(viaddmax_s32, int, __viaddmax_s32(a, b, c), larger(SIGNED_SUM, z))                            \
  X(viaddmin_s32, int, __viaddmin_s32(a, b, c), smaller(SIGNED_SUM, z))                           \
  X(vibmax_s32, int, __vibmax_s32(a, b, &is_first), larger(x, y) ^ (x >= y ? 0x55 : 0))        \
  X(vibmin_s32, int, __vibmin_s32(a, b, &is_first), smaller(x, y) ^ (x <= y ? 0x55 : 0))       \
  X(vibmax_u32, unsigned, __vibmax_u32(a, b, &is_first), larger(x, y) ^ (x >= y ? 0x55 : 0))   \
  X(vibmin_u32, unsigned, __vibmin_u32(a, b, &is_first), smaller(x, y) ^ (x <= y ? 0x55 : 0))  \
  X(min_of_mixed, unsigned, min(int(a), b), smaller(x, y))                                        \
  X(max_of_mixed, unsigned, max(a, int(b)), larger(x, y))                                         \
  X(min_of_mixed_too, unsigned, min(a, int(b)), smaller(x, y))                                    \
  X(max_of_mixed_too, unsigned, max(int(a), b), larger(x, y))                                     \
  X(dp2a_lo_u, unsigned, __dp2a_lo(a, b, c), z + (x & 65535) * (y & 255) + (x >> 16) * (y >> 8 & 255))                  \
  X(dp2a_hi_u, unsigned, __dp2a_hi(a, b, c), z + (x & 65535) * (y >> 16 & 255) + (x >> 16) * (y >> 24))
#define DEFINE_WHOLE(NAME, TYPE, CALL, RESULT)                                            \
  __global__ void k_##NAME(const unsigned *p, const unsigned *q, unsigned *out) {         \
    const TYPE a = p[threadIdx.x], b = q[threadIdx.x], c = p[(threadIdx.x + 7) % kWords]; \
    bool is_first = false;                                                                \
    const TYPE result = CALL;                                                             \
    (void)c;                                                                              \
    out[threadIdx.x] = result ^ (is_first ? 0x55 : 0);                                    \
  }
WHOLE(DEFINE_WHOLE)
void whole_numbers() {
#define COMPARE_WHOLE(NAME, TYPE, CALL, RESULT)                                                                   \
  k_##NAME<<<1, kWords>>>(first, second, answers);                                                                \
  done(#NAME);                                                                                                    \
  for (int i = 0; i < kWords; i++) {                                                                              \
    const long long x = static_cast<TYPE>(first[i]), y = static_cast<TYPE>(second[i]),                            \
                    z = static_cast<TYPE>(first[(i + 7) % kWords]);                                               \
    (void)z;                                                                                                      \
    const unsigned wanted = static_cast<unsigned>(RESULT);                                                        \
    if (answers[i] != wanted) failed(#NAME, answers[i], wanted, first[i], second[i]);                             \
  }
  WHOLE(COMPARE_WHOLE)
}

// ---- vectors: their parts, and how they are aligned (the table of the programming guide) ----
#define VECTORS(X)                                                                                                     \
  X(char, signed char, 1, 2, 4) X(uchar, unsigned char, 1, 2, 4) X(short, short, 2, 4, 8) X(ushort, unsigned short, 2, 4, 8) \
  X(int, int, 4, 8, 16) X(uint, unsigned, 4, 8, 16) X(float, float, 4, 8, 16) X(long, long, 8, 16, 16)                \
  X(ulong, unsigned long, 8, 16, 16) X(longlong, long long, 8, 16, 16) X(ulonglong, unsigned long long, 8, 16, 16)    \
  X(double, double, 8, 16, 16)
#define ALIGNED_VECTORS(X) X(long4, long) X(ulong4, unsigned long) X(longlong4, long long) X(ulonglong4, unsigned long long) X(double4, double)
template <typename T, typename V>
__host__ __device__ bool is_vector(const V &v, int parts) {
  bool right = sizeof v == parts * sizeof(T);
  for (int i = 0; i < parts; i++) right &= reinterpret_cast<const T *>(&v)[i] == T(100 + 7 * i);
  return right;
}
__host__ __device__ int vectors_made() {
  int bad = 0;
#define MAKE(NAME, TYPE, ALIGN1, ALIGN2, ALIGN4)                                                                     \
  {                                                                                                                  \
    const NAME##1 one = make_##NAME##1(100);                                                                         \
    const NAME##2 two = make_##NAME##2(100, 107);                                                                    \
    const NAME##3 three = make_##NAME##3(100, 107, 114);                                                             \
    const NAME##4 four = make_##NAME##4(100, 107, 114, 121);                                                         \
    bad += !is_vector<TYPE>(one, 1) + !is_vector<TYPE>(two, 2) + !is_vector<TYPE>(three, 3) + !is_vector<TYPE>(four, 4); \
    bad += one.x != 100 || two.y != 107 || three.z != 114 || four.w != 121;                                          \
    static_assert(alignof(NAME##1) == ALIGN1 && alignof(NAME##2) == ALIGN2 && alignof(NAME##3) == ALIGN1 &&          \
                      alignof(NAME##4) == ALIGN4, "alignment");                                                      \
  }
  VECTORS(MAKE)
#if CUDART_VERSION >= 13000
#define MAKE_ALIGNED(NAME, TYPE)                                                                             \
  bad += !is_vector<TYPE>(make_##NAME##_16a(100, 107, 114, 121), 4) + !is_vector<TYPE>(make_##NAME##_32a(100, 107, 114, 121), 4); \
  static_assert(alignof(NAME##_16a) == 16 && alignof(NAME##_32a) == 32, "alignment");
  ALIGNED_VECTORS(MAKE_ALIGNED)
#endif
  return bad;
}
__global__ void make_vectors(int *bad) { *bad = vectors_made(); }

// ---- complex numbers ----
template <typename C>
void near(const char *what, C got, std::complex<double> wanted, double allowed) {
  const double far = std::abs(std::complex<double>(got.x, got.y) - wanted);
  if (!(far <= allowed * std::abs(wanted)) && wrong++ < 40) printf("%s: %g %g, expected %g %g\n", what, double(got.x), double(got.y), wanted.real(), wanted.imag());
}
#define COMPLEX_NUMBERS(F, TYPE, REAL, ALLOWED)                                                                           \
  void complex_numbers(TYPE) {                                                                                            \
    std::mt19937 random(5);                                                                                               \
    std::uniform_real_distribution<REAL> any(-4, 4);                                                                      \
    for (int i = 0; i < 200; i++) {                                                                                       \
      const TYPE a = {any(random), any(random)}, b = {any(random), any(random)}, c = {any(random), any(random)};          \
      const std::complex<double> A(a.x, a.y), B(b.x, b.y), C(c.x, c.y);                                                   \
      near("cuCadd" #F, cuCadd##F(a, b), A + B, 10 * ALLOWED), near("cuCsub" #F, cuCsub##F(a, b), A - B, 10 * ALLOWED);   \
      near("cuCmul" #F, cuCmul##F(a, b), A * B, ALLOWED), near("cuCdiv" #F, cuCdiv##F(a, b), A / B, ALLOWED);             \
      near("cuConj" #F, cuConj##F(a), std::conj(A), 0), near("cuCfma" #F, cuCfma##F(a, b, c), A * B + C, 100 * ALLOWED);  \
      near("cuCabs" #F, TYPE{cuCabs##F(a), 0}, std::abs(A), ALLOWED);                                                     \
      near("parts " #F, TYPE{cuCreal##F(a), cuCimag##F(a)}, A, 0);                                                        \
    }                                                                                                                     \
  }
COMPLEX_NUMBERS(f, cuFloatComplex, float, 1e-6)
COMPLEX_NUMBERS(, cuDoubleComplex, double, 1e-14)

// ---- loads and stores with a hint are loads and stores ----
template <typename T>
__global__ void hinted(const T *from, T *to) {
  to[0] = __ldca(from), to[1] = __ldcg(from + 1), to[2] = __ldcs(from + 2), to[3] = __ldlu(from + 3), to[4] = __ldcv(from + 4);
  to[5] = __ldg(from + 5);
  __stwb(to + 6, from[6]), __stcg(to + 7, from[7]), __stcs(to + 8, from[8]), __stwt(to + 9, from[9]);
}
template <typename T>
void hints(const char *type) {
  Managed<unsigned char> from(10 * sizeof(T)), to(10 * sizeof(T));
  for (size_t i = 0; i < 10 * sizeof(T); i++) from[i] = static_cast<unsigned char>(i * 37 + 1);
  hinted<<<1, 1>>>(reinterpret_cast<const T *>(from.data), reinterpret_cast<T *>(to.data));
  done(type);
  expect(memcmp(from.data, to.data, 10 * sizeof(T)) == 0, type);
}

// ---- where an address is, and its form for inline PTX ----
__device__ int of_device = 5;
__global__ void addresses(int *wrong_ones) {
  __shared__ int of_block;
  int own = 3;
  of_block = 4;
  int bad = 0;
  bad += __isShared(&of_block) == 0 || __isShared(&of_device) != 0 || __isShared(&own) != 0;
  bad += __isGlobal(&of_device) == 0 || __isGlobal(wrong_ones) == 0 || __isGlobal(&of_block) != 0 || __isGlobal(&own) != 0;
  bad += __isLocal(&own) == 0 || __isLocal(&of_block) != 0 || __isLocal(&of_device) != 0;
  bad += __isConstant(&own) != 0 || __isConstant(&of_block) != 0 || __isConstant(&of_device) != 0;
  bad += __cvta_shared_to_generic(__cvta_generic_to_shared(&of_block)) != &of_block;
  bad += __cvta_global_to_generic(__cvta_generic_to_global(&of_device)) != &of_device;
  bad += __cvta_local_to_generic(__cvta_generic_to_local(&own)) != &own;
  *wrong_ones = bad;
}

// ---- atomics: for each type, operation and scope, what was there and what is there then ----
template <typename T>
T limited_inc(T old, T value) { return old >= value ? T(0) : T(old + 1); }
template <typename T>
T limited_dec(T old, T value) { return old == 0 || old > value ? value : T(old - 1); }
// X(function, type, result)
#define SCOPES(X, NAME, TYPE, RESULT) X(NAME, TYPE, RESULT) X(NAME##_block, TYPE, RESULT) X(NAME##_system, TYPE, RESULT)
#define BITS(X, TYPE) \
  SCOPES(X, atomicAnd, TYPE, old & b) SCOPES(X, atomicOr, TYPE, old | b) SCOPES(X, atomicXor, TYPE, old ^ b)
#define EXTREMES(X, TYPE) SCOPES(X, atomicMin, TYPE, std::min(old, b)) SCOPES(X, atomicMax, TYPE, std::max(old, b))
#define ATOMICS(X)                                                                                                      \
  BITS(X, int) BITS(X, Unsigned) BITS(X, Long) BITS(X, Signed) EXTREMES(X, int) EXTREMES(X, Unsigned) EXTREMES(X, Long) EXTREMES(X, Signed) \
  SCOPES(X, atomicAdd, int, int(Unsigned(old) + Unsigned(b))) SCOPES(X, atomicAdd, Unsigned, old + b)                   \
  SCOPES(X, atomicAdd, Long, old + b) SCOPES(X, atomicAdd, float, old + b) SCOPES(X, atomicAdd, double, old + b)        \
  SCOPES(X, atomicSub, int, int(Unsigned(old) - Unsigned(b))) SCOPES(X, atomicSub, Unsigned, old - b)                   \
  SCOPES(X, atomicInc, Unsigned, limited_inc(old, b)) SCOPES(X, atomicDec, Unsigned, limited_dec(old, b))               \
  SCOPES(X, atomicExch, int, b) SCOPES(X, atomicExch, Unsigned, b) SCOPES(X, atomicExch, Long, b)                       \
  SCOPES(X, atomicExch, float, b)
#define SWAPS(X)                                                                                                        \
  X(atomicCAS, int) X(atomicCAS_block, int) X(atomicCAS_system, int) X(atomicCAS, Unsigned) X(atomicCAS_block, Unsigned) \
  X(atomicCAS_system, Unsigned) X(atomicCAS, Long) X(atomicCAS_block, Long) X(atomicCAS_system, Long) X(atomicCAS, Small)
// Those of the compiler, which have an order. X(operation, type, result)
#define BUILT_IN_OF(X, TYPE)                                                                                           \
  X(add, TYPE, old + b) X(sub, TYPE, old - b) X(and, TYPE, old & b) X(or, TYPE, old | b) X(xor, TYPE, old ^ b)         \
  X(min, TYPE, std::min(old, b)) X(max, TYPE, std::max(old, b))
#define BUILT_IN(X) BUILT_IN_OF(X, Unsigned) BUILT_IN_OF(X, Long)

using Unsigned = unsigned;
using Long = unsigned long long;
using Signed = long long;
using Small = unsigned short;
const int kOperands = 64;
#define DEFINE_ATOMIC(NAME, TYPE, RESULT)                                                                        \
  __global__ void a_##NAME##TYPE(TYPE *p, const TYPE *values, TYPE *before, int n) {                             \
    for (int i = 0; i < n; i++) before[i] = NAME(p, values[i]), values[i] == before[i] ? *p += 1 : 0;            \
  }
#define DEFINE_SWAP(NAME, TYPE)                                                                                  \
  __global__ void s_##NAME##TYPE(TYPE *p, const TYPE *values, TYPE *before, int n) {                             \
    for (int i = 0; i < n; i++) before[i] = NAME(p, values[i / 2], TYPE(values[i] + i));                         \
  }
#define DEFINE_BUILT_IN(NAME, TYPE, RESULT)                                                                      \
  __global__ void b_##NAME##TYPE(TYPE *p, const TYPE *values, TYPE *before, int n) {                             \
    for (int i = 0; i < n; i++) {                                                                                \
      before[i] = __nv_atomic_fetch_##NAME(p, values[i], __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);         \
      __nv_atomic_##NAME(p, values[n - 1 - i], __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);                    \
    }                                                                                                            \
  }
ATOMICS(DEFINE_ATOMIC)
SWAPS(DEFINE_SWAP)
BUILT_IN(DEFINE_BUILT_IN)
template <typename T>
__global__ void built_in_exchanges(T *p, T *values, T *results, int n) {
  for (int i = 0; i < n; i++) {
    T found = 0;
    __nv_atomic_store(p, values + i, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_load(p, results + 4 * i, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    T wanted = values[n - 1 - i];
    __nv_atomic_exchange(p, &wanted, &found, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    results[4 * i + 1] = found;
    // Equal only every second time. What is there comes back if it is not.
    T expected = T(wanted + i % 2), desired = T(i);
    const bool swapped = __nv_atomic_compare_exchange(p, &expected, &desired, false, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED,
                                                      __NV_THREAD_SCOPE_DEVICE);
    results[4 * i + 2] = T(expected + swapped);
    results[4 * i + 3] = *p;
  }
}

template <typename T>
std::vector<T> operands(unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<T> all;
  for (int i = 0; i < kOperands; i++)
    all.push_back(std::is_floating_point<T>::value ? T(static_cast<int>(random() % 2000) - 1000) : T(random() >> (i % 4 == 0 ? 60 : 0)));
  return all;
}
template <typename T, typename Kernel, typename Model>
void compare_atomic(const char *name, Kernel kernel, Model model, bool grows) {
  const std::vector<T> values = operands<T>(unsigned(sizeof(T)) + 3);
  Managed<T> place(3), in(kOperands), before(kOperands);
  std::copy(values.begin(), values.end(), in.data);
  place[0] = 11, place[1] = 5, place[2] = 13;
  kernel<<<1, 1>>>(place.data + 1, in.data, before.data, kOperands);
  done(name);
  T now = 5;
  for (int i = 0; i < kOperands; i++) {
    if (before[i] != now) failed(name, static_cast<long long>(before[i]), static_cast<long long>(now), unsigned(i), 0);
    const T old = now;
    now = model(now, values, i);
    if (grows && values[i] == old) now = T(now + 1);
  }
  if (place[1] != now) failed(name, static_cast<long long>(place[1]), static_cast<long long>(now), kOperands, 0);
  if (place[0] != 11 || place[2] != 13) failed(name, static_cast<long long>(place[0]), 11, 1, 1);
}
template <typename T>
void compare_exchanges() {
  std::vector<T> values = operands<T>(9);
  Managed<T> place(1), in(kOperands), results(4 * kOperands);
  std::copy(values.begin(), values.end(), in.data);
  built_in_exchanges<<<1, 1>>>(place.data, in.data, results.data, kOperands);
  done("built_in_exchanges");
  for (int i = 0; i < kOperands; i++) {
    const T wanted = values[kOperands - 1 - i], all[] = {values[i], values[i], i % 2 == 0 ? T(wanted + 1) : wanted, i % 2 == 0 ? T(i) : wanted};
    for (int k = 0; k < 4; k++)
      if (results[4 * i + k] != all[k]) failed("__nv_atomic exchange", results[4 * i + k], all[k], unsigned(i), unsigned(k));
  }
}
void atomics() {
#define COMPARE_ATOMIC(NAME, TYPE, RESULT) \
  compare_atomic<TYPE>(#NAME " of " #TYPE, a_##NAME##TYPE, [](TYPE old, const std::vector<TYPE> &all, int i) -> TYPE { const TYPE b = all[i]; return (void)old, (void)b, RESULT; }, true);
#define COMPARE_SWAP(NAME, TYPE)                                                                            \
  compare_atomic<TYPE>(#NAME " of " #TYPE, s_##NAME##TYPE,                                                  \
                       [](TYPE old, const std::vector<TYPE> &all, int i) { return old == all[i / 2] ? TYPE(all[i] + i) : old; }, false);
#define COMPARE_BUILT_IN(NAME, TYPE, RESULT)                                                                \
  compare_atomic<TYPE>("__nv_atomic_" #NAME " of " #TYPE, b_##NAME##TYPE, [](TYPE old, const std::vector<TYPE> &all, int i) { \
    TYPE b = all[i];                                                                                        \
    old = RESULT;                                                                                           \
    b = all[kOperands - 1 - i];                                                                             \
    return TYPE(RESULT);                                                                                    \
  }, false);
  ATOMICS(COMPARE_ATOMIC)
  SWAPS(COMPARE_SWAP)
  BUILT_IN(COMPARE_BUILT_IN)
  compare_exchanges<unsigned>();
  compare_exchanges<Long>();
}

// ---- random numbers by fours and twos are those one by one ----
__global__ void fours(int *bad) {
  curandStatePhilox4_32_10 one, four;
  for (int round = 0; round < 8; round++) {
    curand_init(7, round, 4 * round, &one);
    four = one;
    const float4 u = curand_uniform4(&four);
    const float by_one[] = {curand_uniform(&one), curand_uniform(&one), curand_uniform(&one), curand_uniform(&one)};
    *bad += (u.x != by_one[0]) + (u.y != by_one[1]) + (u.z != by_one[2]) + (u.w != by_one[3]);
    four = one;
    const float4 n = curand_normal4(&four);
    const float2 low = curand_normal2(&one), high = curand_normal2(&one);
    *bad += (n.x != low.x) + (n.y != low.y) + (n.z != high.x) + (n.w != high.y);
    one = four;
    const float4 l = curand_log_normal4(&four, 0.5f, 0.25f);
    const float4 m = curand_normal4(&one);
    const auto differ = [](float a, float b) { return !(fabsf(a - b) <= 1e-5f * b); };
    *bad += differ(l.x, expf(0.5f + 0.25f * m.x)) + differ(l.y, expf(0.5f + 0.25f * m.y)) + differ(l.z, expf(0.5f + 0.25f * m.z)) +
            differ(l.w, expf(0.5f + 0.25f * m.w));
  }
}

// ---- lengths ----
__global__ void lengths(const double *x, const float *f, double *out) {
  for (int n = 1; n <= 6; n++) {
    out[4 * n] = norm(n, x), out[4 * n + 1] = rnorm(n, x), out[4 * n + 2] = normf(n, f), out[4 * n + 3] = rnormf(n, f);
  }
}

// ---- of a float, a function has the same result by either name ----
__global__ void float_names(int *bad) {
  const auto differ = [](auto by_one, auto by_other) { return !(sizeof by_one == 4 && by_one == by_other); };
  for (float x = 0.0625f; x < 1; x += 0.0625f) {
    *bad += differ(rcbrt(x), rcbrtf(x)) + differ(exp10(x), exp10f(x)) + differ(sinpi(x), sinpif(x)) + differ(cospi(x), cospif(x)) +
            differ(normcdf(x), normcdff(x)) + differ(normcdfinv(x), normcdfinvf(x)) + differ(erfinv(x), erfinvf(x)) +
            differ(erfcinv(x), erfcinvf(x)) + differ(erfcx(x), erfcxf(x)) + differ(j0(x), j0f(x)) + differ(j1(x), j1f(x)) +
            differ(jn(2, x), jnf(2, x)) + differ(y0(x), y0f(x)) + differ(y1(x), y1f(x)) + differ(yn(2, x), ynf(2, x)) +
            differ(cyl_bessel_i0(x), cyl_bessel_i0f(x)) + differ(cyl_bessel_i1(x), cyl_bessel_i1f(x)) + differ(rsqrt(x), rsqrtf(x));
    float s, c, other_s, other_c;
    sincos(x, &s, &c), sincosf(x, &other_s, &other_c);
    *bad += differ(s, other_s) + differ(c, other_c);
    sincospi(x, &s, &c), sincospif(x, &other_s, &other_c);
    *bad += differ(s, other_s) + differ(c, other_c);
  }
}

// ---- vectors of floats are added part by part ----
__global__ void add_vectors(float4 *sums) {
#if defined(__CPU_DEVICE__) || __CUDA_ARCH__ >= 900
  float2 *const twos = reinterpret_cast<float2 *>(sums + 3);
  float old = 0;
  old += atomicAdd(sums, make_float4(1, 2, 3, 4)).w + atomicAdd_block(sums + 1, make_float4(1, 2, 3, 4)).z;
  old += atomicAdd_system(sums + 2, make_float4(1, 2, 3, 4)).y;
  old += atomicAdd(twos, make_float2(1, 2)).y + atomicAdd_block(twos + 1, make_float2(1, 2)).x;
  old += atomicAdd_system(twos + 2, make_float2(1, 2)).y;
  twos[3] = make_float2(old, 0);
#endif
}

int main() {
  Managed<unsigned> a(kWords), b(kWords), c(kWords);
  first = a.data, second = b.data, answers = c.data;
  const unsigned edges[] = {0, 0xffffffff, 0x80808080, 0x7f7f7f7f, 0x80008000, 0x7fff7fff, 0x01010101, 0xff00ff00, 0x00017fff, 0x80000000};
  std::mt19937 random(1);
  for (int i = 0; i < kWords; i++) {
    first[i] = i < 100 ? edges[i / 10] : random(), second[i] = i < 100 ? edges[i % 10] : i % 5 == 0 ? first[i] ^ (255u << i % 25) : random();
    if (i % 7 == 0 && i >= 100) second[i] = first[i];
  }
  parts_of_words();
  whole_numbers();
  Managed<int> bad(1);
  make_vectors<<<1, 1>>>(bad.data);
  done("make_vectors");
  EXPECT(bad[0] == 0);
  EXPECT(vectors_made() == 0);
  complex_numbers(cuFloatComplex{});
  complex_numbers(cuDoubleComplex{});
  hints<char>("char"), hints<short>("short"), hints<int>("int"), hints<long long>("long long"), hints<float>("float"), hints<double>("double");
  hints<uchar4>("uchar4"), hints<float2>("float2"), hints<float4>("float4"), hints<double2>("double2"), hints<int4>("int4");
  addresses<<<1, 1>>>(bad.data);
  done("addresses");
  EXPECT(bad[0] == 0);
  atomics();
  bad[0] = 0;
  fours<<<1, 1>>>(bad.data);
  done("fours");
  EXPECT(bad[0] == 0);
  float_names<<<1, 1>>>(bad.data);
  done("float_names");
  EXPECT(bad[0] == 0);
  Managed<float> sums(20);
  for (int i = 0; i < 18; i++) sums[i] = 10.0f * i;
  add_vectors<<<1, 1>>>(reinterpret_cast<float4 *>(sums.data));
  done("add_vectors");
  if (sums[18] != 0) {  // not on a GPU that lacks them
    for (int i = 0; i < 18; i++) EXPECT(sums[i] == 10.0f * i + (i < 12 ? i % 4 : i % 2) + 1);
    EXPECT(sums[18] == 30 + 60 + 90 + 130 + 140 + 170);
  }
  Managed<double> x(6), out(28);
  Managed<float> f(6);
  for (int i = 0; i < 6; i++) x[i] = i * 1.5 - 3.25, f[i] = float(x[i]);
  lengths<<<1, 1>>>(x.data, f.data, out.data);
  done("lengths");
  double squares = 0;
  for (int n = 1; n <= 6; n++) {
    squares += x[n - 1] * x[n - 1];
    const double length = std::sqrt(squares);
    EXPECT(std::fabs(out[4 * n] - length) <= 1e-14 * length && std::fabs(out[4 * n + 1] * length - 1) <= 1e-14);
    EXPECT(std::fabs(out[4 * n + 2] - length) <= 1e-6 * length && std::fabs(out[4 * n + 3] * length - 1) <= 1e-6);
  }
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
