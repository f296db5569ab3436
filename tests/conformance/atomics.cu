// Records what atomics return and leave behind: each width, each operation, edge values.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "rows.h"

// X(name, type, values to start and to operate with, the call with `p`, the address, and `b`)
#define ATOMICS(X)                                                          \
  X(add_int, int, ints, atomicAdd(p, b))                                    \
  X(add_unsigned, unsigned, unsigneds, atomicAdd(p, b))                     \
  X(add_ull, unsigned long long, longs, atomicAdd(p, b))                    \
  X(add_float, float, floats, atomicAdd(p, b))                              \
  X(add_double, double, doubles, atomicAdd(p, b))                           \
  X(sub_int, int, ints, atomicSub(p, b))                                    \
  X(sub_unsigned, unsigned, unsigneds, atomicSub(p, b))                     \
  X(exch_int, int, ints, atomicExch(p, b))                                  \
  X(exch_unsigned, unsigned, unsigneds, atomicExch(p, b))                   \
  X(exch_float, float, floats, atomicExch(p, b))                            \
  X(exch_ull, unsigned long long, longs, atomicExch(p, b))                  \
  X(min_int, int, ints, atomicMin(p, b))                                    \
  X(min_unsigned, unsigned, unsigneds, atomicMin(p, b))                     \
  X(min_ull, unsigned long long, longs, atomicMin(p, b))                    \
  X(min_ll, long long, signed_longs, atomicMin(p, b))                       \
  X(max_int, int, ints, atomicMax(p, b))                                    \
  X(max_unsigned, unsigned, unsigneds, atomicMax(p, b))                     \
  X(max_ull, unsigned long long, longs, atomicMax(p, b))                    \
  X(max_ll, long long, signed_longs, atomicMax(p, b))                       \
  X(inc, unsigned, unsigneds, atomicInc(p, b))                              \
  X(dec, unsigned, unsigneds, atomicDec(p, b))                              \
  X(and_int, int, ints, atomicAnd(p, b))                                    \
  X(and_ull, unsigned long long, longs, atomicAnd(p, b))                    \
  X(or_unsigned, unsigned, unsigneds, atomicOr(p, b))                       \
  X(or_ull, unsigned long long, longs, atomicOr(p, b))                      \
  X(xor_int, int, ints, atomicXor(p, b))                                    \
  X(xor_ull, unsigned long long, longs, atomicXor(p, b))                    \
  X(cas_int, int, ints, atomicCAS(p, 7, b))                                 \
  X(cas_unsigned, unsigned, unsigneds, atomicCAS(p, 7u, b))                 \
  X(cas_ull, unsigned long long, longs, atomicCAS(p, 7ull, b))              \
  X(cas_short, unsigned short, shorts, atomicCAS(p, (unsigned short)7, b))  \
  X(add_int_block, int, ints, atomicAdd_block(p, b))                        \
  X(max_unsigned_system, unsigned, unsigneds, atomicMax_system(p, b))       \
  X(cas_int_system, int, ints, atomicCAS_system(p, 7, b))

const int ints[] = {0, 1, -1, 7, 100, 2147483647, -2147483647 - 1};
const unsigned unsigneds[] = {0, 1, 7, 8, 0x7fffffff, 0x80000000, 0xffffffff};
const unsigned long long longs[] = {0, 1, 7, 0xffffffff, 0x100000000ull, 0x8000000000000000ull, ~0ull};
const long long signed_longs[] = {0, 1, -1, 7, 0x100000000ll, 0x7fffffffffffffffll, -0x7fffffffffffffffll - 1};
const float floats[] = {0.0f, -0.0f, 1.5f, 1e-45f, 3e38f, -3e38f, 16777216.0f};
const double doubles[] = {0.0, -0.0, 1.5, 5e-324, 1.7e308, -1.7e308, 9007199254740992.0};
const unsigned short shorts[] = {0, 1, 7, 255, 256, 32768, 65535};
constexpr int kCount = 7;

// Neighbors on both sides show whether anything else was written.
template <typename T>
struct Guarded {
  T before, value, after;
};

#define X(NAME, TYPE, VALUES, CALL)                                                        \
  template <bool kShared>                                                                  \
  __global__ void k_##NAME(Guarded<TYPE>* memory, TYPE b, TYPE* old) {                     \
    __shared__ Guarded<TYPE> tile;                                                         \
    tile = *memory;                                                                        \
    TYPE* p = kShared ? &tile.value : &memory->value;                                      \
    *old = CALL;                                                                           \
    if (kShared) *memory = tile;                                                           \
  }
ATOMICS(X)
#undef X

template <typename T>
void rows(const char* name, const T (&values)[kCount], void (*global)(Guarded<T>*, T, T*), void (*shared)(Guarded<T>*, T, T*)) {
  auto* memory = results<Guarded<T>>(1);
  T* old = results<T>(1);
  for (const bool in_shared : {false, true})
    for (const T start : values) {
      printf("atomic %s %s %llx =", name, in_shared ? "shared" : "global", bits(start));
      for (const T operand : values) {
        *memory = {start, start, start};
        (in_shared ? shared : global)<<<1, 1>>>(memory, operand, old);
        NEEDED(cudaDeviceSynchronize());
        printf(" %llx/%llx%s", bits(*old), bits(memory->value),
               bits(memory->before) == bits(start) && bits(memory->after) == bits(start) ? "" : "!");
      }
      printf("\n");
    }
}

// 16-bit sums at both places of a word, and pairs.
template <typename Half>
__global__ void add_half(Half* memory, float start, float operand, int place, Half* old) {
  for (int i = 0; i < 4; i++) memory[i] = Half(start);
  *old = atomicAdd(&memory[place], Half(operand));
}

template <typename Half>
void half_rows(const char* name) {
  auto* memory = results<Half>(4);
  auto* old = results<Half>(1);
  for (const float start : {0.0f, 1.0f, 0.1f, 2048.0f, 60000.0f, -3.0f})
    for (const float operand : {1.0f, 0.0625f, -1.0f, 10000.0f, 1e-6f}) {
      printf("atomic %s %g %g =", name, start, operand);
      for (int place = 0; place < 4; place++) {
        add_half<<<1, 1>>>(memory, start, operand, place, old);
        NEEDED(cudaDeviceSynchronize());
        printf(" %llx/", bits(*old));
        for (int i = 0; i < 4; i++) printf("%s%llx", i > 0 ? "," : "", bits(memory[i]));
      }
      printf("\n");
    }
}

int main() {
#define X(NAME, TYPE, VALUES, CALL) rows<TYPE>(#NAME, VALUES, k_##NAME<false>, k_##NAME<true>);
  ATOMICS(X)
#undef X
  half_rows<__half>("add_half");
  half_rows<__nv_bfloat16>("add_bfloat16");
  return 0;
}
