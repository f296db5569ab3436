// PTX for memory: an mbarrier with any sequence of operations, against a model; asynchronous copies of each size; and loads,
// stores, atomics and moves of each type, against C++. For sm_90 and later.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

int wrong = 0;
void failed(int line, const char *what) {
  if (wrong++ < 30) printf("line %d: %s\n", line, what);
}
#define EXPECT(...) ((__VA_ARGS__) ? void() : failed(__LINE__, #__VA_ARGS__))
#define GOOD(...) EXPECT((__VA_ARGS__) == cudaSuccess)

std::mt19937 engine(23);
unsigned below(unsigned n) { return engine() % n; }

__device__ uint32_t shared_address(const void *p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

// ---- mbarrier ----

enum Operation { arrive, arrive_some, arrive_drop, arrive_expect, expect, complete, pending, test_state, test_parity };
struct Step {
  Operation what;
  unsigned number;  // of arrivals or bytes, or which parity
};
__global__ void run_barrier(unsigned count, const Step *steps, int n, unsigned *results) {
  __shared__ alignas(8) uint64_t barrier;
  const uint32_t at = shared_address(&barrier);
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at), "r"(count) : "memory");
  uint64_t state = 0;
  for (int i = 0; i < n; i++) {
    const unsigned number = steps[i].number;
    unsigned result = 0;
    switch (steps[i].what) {
      case arrive: asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory"); break;
      case arrive_some:
        asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1], %2;" : "=l"(state) : "r"(at), "r"(number) : "memory");
        break;
      case arrive_drop:
        asm volatile("mbarrier.arrive_drop.shared::cta.b64 %0, [%1], %2;" : "=l"(state) : "r"(at), "r"(number) : "memory");
        break;
      case arrive_expect:
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 %0, [%1], %2;" : "=l"(state) : "r"(at), "r"(number) : "memory");
        break;
      case expect:
        asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(at), "r"(number) : "memory");
        break;
      case complete:
        asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(at), "r"(number) : "memory");
        break;
      case pending: asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(result) : "l"(state)); break;
      case test_state:
        asm volatile("{ .reg .pred p; mbarrier.test_wait.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(result) : "r"(at), "l"(state) : "memory");
        break;
      case test_parity:
        asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(result) : "r"(at), "r"(number) : "memory");
        break;
    }
    results[i] = result;
  }
  asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(at) : "memory");
}

void barriers() {
  Step *steps;
  unsigned *results;
  GOOD(cudaMallocManaged(&steps, 200 * sizeof(Step)));
  GOOD(cudaMallocManaged(&results, 200 * sizeof(unsigned)));
  for (int round = 0; round < 150; round++) {
    const unsigned first = below(3) == 0 ? (1u << 20) - 1 - below(3) : 1 + below(6);
    unsigned expected = first, left = first, phase = 0, before = 0, phase_before = 0;
    long bytes = 0;
    bool any = false;
    std::vector<unsigned> wanted;
    const auto next_phase = [&] {
      if (left == 0 && bytes == 0) left = expected, phase++;
    };
    int n = 0;
    while (n < 200) {
      Step step = {static_cast<Operation>(below(9)), 0};
      unsigned result = 0;
      switch (step.what) {
        case arrive:
        case arrive_some:
        case arrive_drop:
        case arrive_expect: {
          if (left == 0) continue;
          const bool alone = step.what == arrive || step.what == arrive_expect;
          const unsigned most = below(2) == 0 ? left : left < 4 ? left : 4, come = alone ? 1 : 1 + below(most);
          if (step.what == arrive_drop && (come >= expected || expected - come < 1)) continue;
          before = left, phase_before = phase, any = true;
          step.number = come;
          if (step.what == arrive_expect) {
            step.number = 16 * below(below(4) == 0 ? 30000 : 20);
            if (bytes + step.number >= 1 << 20) continue;
            bytes += step.number;
          }
          if (step.what == arrive_drop) expected -= come;
          left -= come;
          next_phase();
          break;
        }
        case expect:
          step.number = 1 + below(1000);
          if (bytes + step.number >= 1 << 20) continue;
          bytes += step.number;
          break;
        case complete:
          if (bytes == 0) continue;
          step.number = below(2) == 0 ? static_cast<unsigned>(bytes) : 1 + below(static_cast<unsigned>(bytes));
          bytes -= step.number;
          next_phase();
          break;
        case pending:
          if (!any) continue;
          result = before;
          break;
        case test_state:
          if (!any || phase - phase_before > 1) continue;  // of the phase now, or the one before
          result = phase != phase_before;
          break;
        case test_parity:
          step.number = below(2);
          result = (phase & 1) != step.number;
          break;
      }
      steps[n++] = step;
      wanted.push_back(result);
    }
    run_barrier<<<1, 1>>>(first, steps, n, results);
    GOOD(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++)
      if (results[i] != wanted[i]) {
        printf("mbarrier for %u, step %d: operation %d with %u gives %u, not %u\n", first, i, steps[i].what, steps[i].number, results[i], wanted[i]);
        wrong++;
        break;
      }
  }
  GOOD(cudaFree(steps));
  GOOD(cudaFree(results));
}

// ---- asynchronous copies ----

__global__ void copies(const unsigned char *from, unsigned char *to, unsigned *passed) {
  __shared__ alignas(16) unsigned char room[256];
  __shared__ alignas(8) uint64_t barrier;
  const uint32_t at = shared_address(room), bar = shared_address(&barrier);
  for (int i = 0; i < 256; i++) room[i] = 0xee;
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 2;" ::"r"(bar) : "memory");
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(from) : "memory");
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(at + 8), "l"(from + 8) : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
  asm volatile("cp.async.ca.shared.global [%0+32], [%1+16], 16;" ::"r"(at), "l"(from) : "memory");
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at + 48), "l"(from + 32) : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
  asm volatile("cp.async.wait_group 1;" ::: "memory");
  to[0] = room[3], to[1] = room[15];
  asm volatile("cp.async.wait_group %0;" ::"n"(0) : "memory");
  to[2] = room[47], to[3] = room[63];
  // Fewer bytes than there is room for: the others are 0.
  for (unsigned bytes = 0; bytes <= 16; bytes++) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at + 64), "l"(from + 48), "r"(bytes) : "memory");
    if (bytes <= 8) asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(at + 80), "l"(from + 64), "r"(bytes) : "memory");
    if (bytes <= 4) asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(at + 88), "l"(from + 72), "r"(bytes) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    for (int i = 0; i < 28; i++) to[256 + 28 * bytes + i] = room[64 + i];
  }
  // With an mbarrier: as one more arrival, or as one of those that it counts.
  const auto test = [&](unsigned parity) {
    unsigned result;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(result) : "r"(bar), "r"(parity) : "memory");
    return result;
  };
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(at + 96), "l"(from + 80) : "memory");
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(bar) : "memory");
  passed[0] = test(0);
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(bar) : "memory");
  while (!test(0)) {
  }
  passed[1] = 1, to[4] = room[111];
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 48;" ::"r"(bar) : "memory");
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(bar) : "memory");
  passed[2] = test(1);
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at + 112), "l"(from + 96), "r"(32), "r"(bar) : "memory");
  passed[3] = test(1);
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 16, [%2];" ::"r"(at + 144), "l"(from + 128), "r"(bar) : "memory");
  while (!test(1)) {
  }
  to[5] = room[112], to[6] = room[159], to[7] = room[160];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 16;" ::"l"(to + 16), "r"(at + 112) : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
void asynchronous() {
  unsigned char *from, *to;
  unsigned *passed;
  GOOD(cudaMallocManaged(&from, 256));
  GOOD(cudaMallocManaged(&to, 1024));
  GOOD(cudaMallocManaged(&passed, 16));
  for (int i = 0; i < 256; i++) from[i] = static_cast<unsigned char>(i + 1);
  memset(to, 0xdd, 1024);
  copies<<<1, 1>>>(from, to, passed);
  GOOD(cudaDeviceSynchronize());
  const int wanted[] = {4, 16, 32, 48, 96, 97, 144, 0xee};
  for (int i = 0; i < 8; i++) EXPECT(to[i] == wanted[i]);
  for (int i = 0; i < 16; i++) EXPECT(to[16 + i] == 97 + i);
  EXPECT(to[15] == 0xdd && to[32] == 0xdd);
  for (int bytes = 0; bytes <= 16; bytes++)
    for (int i = 0; i < 28; i++) {
      const int first = i < 16 ? 0 : i < 24 ? 16 : 24, most = i < 16 ? 16 : i < 24 ? 8 : 4, count = bytes < most ? bytes : most;
      EXPECT(to[256 + 28 * bytes + i] == (i - first < count ? 49 + i : 0));
    }
  EXPECT(passed[0] == 0 && passed[1] == 1 && passed[2] == 0 && passed[3] == 0);
  GOOD(cudaFree(from));
  GOOD(cudaFree(to));
  GOOD(cudaFree(passed));
}

// ---- loads and stores ----

// Each reads four elements from `from`, alone, in twos and in fours, at offsets, from global and from shared memory, and
// writes them in the same ways. A narrow element in a wide register has its sign, or none.
#define ACCESSES(NAME, PTX, TYPE, WIDE, CONSTRAINT, QUALIFIER)                                                              \
  __global__ void NAME(const TYPE *from, TYPE *to, WIDE *wide) {                                                            \
    __shared__ alignas(16) TYPE room[8];                                                                                    \
    const uint32_t at = shared_address(room);                                                                               \
    WIDE a, b, c, d;                                                                                                        \
    asm volatile("ld.global" QUALIFIER "." PTX " %0, [%1];" : "=" CONSTRAINT(a) : "l"(from) : "memory");                    \
    asm volatile("ld" QUALIFIER "." PTX " %0, [%1];" : "=" CONSTRAINT(b) : "l"(from + 1) : "memory");                       \
    wide[0] = a, wide[1] = b;                                                                                               \
    asm volatile("ld.global.v2." PTX " {%0, %1}, [%2];" : "=" CONSTRAINT(c), "=" CONSTRAINT(d) : "l"(from + 2) : "memory"); \
    wide[2] = c, wide[3] = d;                                                                                               \
    asm volatile("st.global" QUALIFIER "." PTX " [%0], %1;" ::"l"(to), CONSTRAINT(b) : "memory");                           \
    asm volatile("st.global.v2." PTX " [%0], {%1, %2};" ::"l"(to + 2), CONSTRAINT(d), CONSTRAINT(a) : "memory");            \
    asm volatile("st.shared.v2." PTX " [%0], {%1, %2};" ::"r"(at), CONSTRAINT(a), CONSTRAINT(c) : "memory");                \
    asm volatile("st.shared" QUALIFIER "." PTX " [%0], %1;"                                                                 \
                 ::"r"(at + static_cast<uint32_t>(2 * sizeof(TYPE))), CONSTRAINT(d) : "memory");                            \
    room[3] = from[1];                                                                                                      \
    asm volatile("ld.shared.v2." PTX " {%0, %1}, [%2];"                                                                     \
                 : "=" CONSTRAINT(b), "=" CONSTRAINT(a) : "r"(at + static_cast<uint32_t>(2 * sizeof(TYPE))) : "memory");    \
    wide[4] = b, wide[5] = a;                                                                                               \
    to[4] = room[0], to[5] = room[1], to[6] = room[2], to[7] = room[3];                                                     \
  }
ACCESSES(as_u8, "u8", uint8_t, unsigned, "r", "")
ACCESSES(as_s8, "s8", int8_t, int, "r", ".volatile")
ACCESSES(as_u16, "u16", uint16_t, unsigned, "r", ".relaxed.gpu")
ACCESSES(as_s16, "s16", int16_t, int, "r", "")
ACCESSES(as_u32, "u32", uint32_t, unsigned, "r", ".volatile")
ACCESSES(as_s32, "s32", int, int, "r", ".relaxed.cta")
ACCESSES(as_u64, "u64", uint64_t, unsigned long long, "l", "")
ACCESSES(as_s64, "s64", long long, long long, "l", ".volatile")
ACCESSES(as_f32, "f32", float, float, "f", "")
ACCESSES(as_f64, "f64", double, double, "d", ".volatile")

template <typename T, typename Wide>
void accesses(void (*kernel)(const T *, T *, Wide *), const char *name) {
  T *from, *to;
  Wide *wide;
  GOOD(cudaMallocManaged(&from, 16 * sizeof(T)));
  GOOD(cudaMallocManaged(&to, 16 * sizeof(T)));
  GOOD(cudaMallocManaged(&wide, 16 * sizeof(Wide)));
  for (int round = 0; round < 10; round++) {
    for (int i = 0; i < 4; i++) from[i] = static_cast<T>((engine() % 2 ? -1.0 : 1.0) * (engine() % 120) - (round == 0 ? 0 : i));
    memset(to, 0x77, 16 * sizeof(T));
    const T untouched = to[1];
    kernel<<<1, 1>>>(from, to, wide);
    GOOD(cudaDeviceSynchronize());
    const int read[] = {0, 1, 2, 3, 3, 1}, written[] = {1, -1, 3, 0, 0, 2, 3, 1};
    for (int i = 0; i < 6; i++)
      if (wide[i] != static_cast<Wide>(from[read[i]])) printf("%s: value %d of those read\n", name, i), wrong++;
    for (int i = 0; i < 8; i++)
      if (to[i] != (written[i] < 0 ? untouched : from[written[i]])) printf("%s: value %d of those written\n", name, i), wrong++;
  }
  GOOD(cudaFree(from));
  GOOD(cudaFree(to));
  GOOD(cudaFree(wide));
}

__global__ void fours(const uint32_t *from, uint32_t *to) {
  __shared__ alignas(16) uint32_t room[8];
  const uint32_t at = shared_address(room);
  uint32_t a, b, c, d;
  asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4+16];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(from));
  asm volatile("st.shared.v4.u32 [%0+16], {%1, %2, %3, %4};" ::"r"(at), "r"(d), "r"(a), "r"(b), "r"(c) : "memory");
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(at + 16) : "memory");
  asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(a), "r"(b), "r"(c), "r"(d) : "memory");
  // Words from their parts, and parts of words.
  uint64_t both, halves;
  uint32_t low, high, word;
  uint16_t p, q, r, s;
  asm("mov.b64 %0, {%1, %2};" : "=l"(both) : "r"(from[0]), "r"(from[1]));
  asm("mov.b64 {%0, %1}, %2;" : "=r"(low), "=r"(high) : "l"(both));
  asm("mov.b64 {%0, %1, %2, %3}, %4;" : "=h"(p), "=h"(q), "=h"(r), "=h"(s) : "l"(both));
  asm("mov.b64 %0, {%1, %2, %3, %4};" : "=l"(halves) : "h"(s), "h"(r), "h"(q), "h"(p));
  asm("mov.b32 %0, {%1, %2};" : "=r"(word) : "h"(p), "h"(s));
  to[4] = low, to[5] = high, to[6] = p, to[7] = q, to[8] = r, to[9] = s, to[10] = word;
  to[11] = static_cast<uint32_t>(halves), to[12] = static_cast<uint32_t>(halves >> 32);
  asm("mov.b32 {%0, %1}, %2;" : "=h"(p), "=h"(q) : "r"(from[2]));
  to[13] = p, to[14] = q;
}
void moves() {
  uint32_t *from, *to;
  GOOD(cudaMallocManaged(&from, 64));
  GOOD(cudaMallocManaged(&to, 64));
  for (int i = 0; i < 16; i++) from[i] = static_cast<uint32_t>(engine());
  fours<<<1, 1>>>(from, to);
  GOOD(cudaDeviceSynchronize());
  const uint32_t x = from[0], y = from[1], z = from[2];
  const uint32_t wanted[] = {from[7], from[4], from[5], from[6], x, y, x & 0xffff, x >> 16, y & 0xffff, y >> 16,
                             (x & 0xffff) | (y >> 16 << 16), y >> 16 | y << 16, x >> 16 | x << 16, z & 0xffff, z >> 16};
  for (int i = 0; i < 15; i++)
    if (to[i] != wanted[i]) printf("word %d of the moves: %x, not %x\n", i, to[i], wanted[i]), wrong++;
  GOOD(cudaFree(from));
  GOOD(cudaFree(to));
}

// ---- atomics ----

#define ATOMIC(NAME, PTX, RED, TYPE, CONSTRAINT)                                                                      \
  __global__ void NAME(TYPE *p, TYPE value, TYPE *out) {                                                              \
    __shared__ TYPE own;                                                                                              \
    own = *p;                                                                                                         \
    TYPE old, old_shared;                                                                                             \
    asm volatile("atom.shared." PTX " %0, [%1], %2;" : "=" CONSTRAINT(old_shared) : "r"(shared_address(&own)), CONSTRAINT(value) : "memory"); \
    asm volatile("atom.global." PTX " %0, [%1], %2;" : "=" CONSTRAINT(old) : "l"(p), CONSTRAINT(value) : "memory");   \
    out[0] = old, out[1] = *p, out[2] = old_shared, out[3] = own;                                                     \
    asm volatile(RED " [%0], %1;" ::"l"(p), CONSTRAINT(value) : "memory");                                            \
    out[4] = *p;                                                                                                      \
  }
ATOMIC(add_u32, "add.u32", "red.global.add.u32", unsigned, "r")
ATOMIC(add_s32, "add.s32", "red.global.gpu.add.s32", int, "r")
ATOMIC(add_u64, "add.u64", "red.relaxed.sys.global.add.u64", unsigned long long, "l")
ATOMIC(add_f32, "add.f32", "red.global.add.f32", float, "f")
ATOMIC(add_f64, "add.f64", "red.global.add.f64", double, "d")
ATOMIC(min_u32, "min.u32", "red.global.min.u32", unsigned, "r")
ATOMIC(max_u32, "max.u32", "red.global.max.u32", unsigned, "r")
ATOMIC(min_s32, "min.s32", "red.global.min.s32", int, "r")
ATOMIC(max_s32, "max.s32", "red.global.max.s32", int, "r")
ATOMIC(min_u64, "min.u64", "red.global.min.u64", unsigned long long, "l")
ATOMIC(max_u64, "max.u64", "red.global.max.u64", unsigned long long, "l")
ATOMIC(min_s64, "min.s64", "red.global.min.s64", long long, "l")
ATOMIC(max_s64, "max.s64", "red.global.max.s64", long long, "l")
ATOMIC(and_b32, "and.b32", "red.global.and.b32", unsigned, "r")
ATOMIC(or_b32, "or.b32", "red.release.gpu.global.or.b32", unsigned, "r")
ATOMIC(xor_b32, "xor.b32", "red.global.xor.b32", unsigned, "r")
ATOMIC(and_b64, "and.b64", "red.global.and.b64", unsigned long long, "l")
ATOMIC(or_b64, "or.b64", "red.global.or.b64", unsigned long long, "l")
ATOMIC(xor_b64, "xor.b64", "red.global.xor.b64", unsigned long long, "l")
ATOMIC(inc_u32, "inc.u32", "red.global.inc.u32", unsigned, "r")
ATOMIC(dec_u32, "dec.u32", "red.global.dec.u32", unsigned, "r")
__global__ void exchanges(unsigned *p, unsigned long long *q, unsigned value, unsigned long long wide, unsigned long long *out) {
  unsigned old;
  unsigned long long old_wide;
  asm volatile("atom.global.exch.b32 %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(value) : "memory");
  asm volatile("atom.global.exch.b64 %0, [%1], %2;" : "=l"(old_wide) : "l"(q), "l"(wide) : "memory");
  out[0] = old, out[1] = old_wide;
  asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;" : "=r"(old) : "l"(p), "r"(value + 1), "r"(7) : "memory");
  out[2] = old, out[3] = *p;
  asm volatile("atom.acq_rel.gpu.global.cas.b32 %0, [%1], %2, %3;" : "=r"(old) : "l"(p), "r"(value), "r"(9) : "memory");
  out[4] = old, out[5] = *p;
  asm volatile("atom.global.cas.b64 %0, [%1], %2, %3;" : "=l"(old_wide) : "l"(q), "l"(wide ^ (1ull << 40)), "l"(7ull) : "memory");
  out[6] = old_wide, out[7] = *q;
  asm volatile("atom.global.cas.b64 %0, [%1], %2, %3;" : "=l"(old_wide) : "l"(q), "l"(wide), "l"(1ull << 50) : "memory");
  out[8] = old_wide, out[9] = *q;
}

template <typename T, typename Apply>
void atomic(void (*kernel)(T *, T, T *), const char *name, const Apply &apply) {
  T *p, *out;
  GOOD(cudaMallocManaged(&p, sizeof(T)));
  GOOD(cudaMallocManaged(&out, 5 * sizeof(T)));
  for (int round = 0; round < 12; round++) {
    const T values[] = {T(0), T(1), T(2), T(3), T(100), static_cast<T>(-1), static_cast<T>(-5), static_cast<T>(1 << 30)};
    const T first = values[below(8)], value = values[below(8)];
    *p = first;
    kernel<<<1, 1>>>(p, value, out);
    GOOD(cudaDeviceSynchronize());
    const T once = apply(first, value), twice = apply(once, value);
    if (out[0] != first || out[1] != once || out[2] != first || out[3] != once || out[4] != twice) printf("%s\n", name), wrong++;
  }
  GOOD(cudaFree(p));
  GOOD(cudaFree(out));
}
void atomics() {
  const auto sum = [](auto a, auto b) { return static_cast<decltype(a)>(sizeof a == 4 && a - a == 0 && static_cast<decltype(a)>(0.5) == 0 ? static_cast<unsigned>(a) + static_cast<unsigned>(b) : a + b); };
  const auto least = [](auto a, auto b) { return b < a ? b : a; };
  const auto most = [](auto a, auto b) { return b > a ? b : a; };
  const auto both = [](auto a, auto b) { return a & b; };
  const auto any = [](auto a, auto b) { return a | b; };
  const auto one = [](auto a, auto b) { return a ^ b; };
  atomic(add_u32, "add.u32", sum), atomic(add_s32, "add.s32", sum), atomic(add_u64, "add.u64", sum);
  atomic(add_f32, "add.f32", sum), atomic(add_f64, "add.f64", sum);
  atomic(min_u32, "min.u32", least), atomic(min_s32, "min.s32", least), atomic(min_u64, "min.u64", least), atomic(min_s64, "min.s64", least);
  atomic(max_u32, "max.u32", most), atomic(max_s32, "max.s32", most), atomic(max_u64, "max.u64", most), atomic(max_s64, "max.s64", most);
  atomic(and_b32, "and.b32", both), atomic(and_b64, "and.b64", both), atomic(or_b32, "or.b32", any), atomic(or_b64, "or.b64", any);
  atomic(xor_b32, "xor.b32", one), atomic(xor_b64, "xor.b64", one);
  atomic(inc_u32, "inc.u32", [](unsigned a, unsigned b) { return a >= b ? 0 : a + 1; });
  atomic(dec_u32, "dec.u32", [](unsigned a, unsigned b) { return a == 0 || a > b ? b : a - 1; });
  unsigned *p;
  unsigned long long *q, *out;
  GOOD(cudaMallocManaged(&p, sizeof *p));
  GOOD(cudaMallocManaged(&q, sizeof *q));
  GOOD(cudaMallocManaged(&out, 10 * sizeof *out));
  *p = 3000000000u, *q = 1ull << 45;
  exchanges<<<1, 1>>>(p, q, 5, 6ull << 40, out);
  GOOD(cudaDeviceSynchronize());
  const unsigned long long wanted[] = {3000000000u, 1ull << 45, 5, 5, 5, 9, 6ull << 40, 6ull << 40, 6ull << 40, 1ull << 50};
  for (int i = 0; i < 10; i++) EXPECT(out[i] == wanted[i]);
  GOOD(cudaFree(p));
  GOOD(cudaFree(q));
  GOOD(cudaFree(out));
}

int main() {
  barriers();
  asynchronous();
  accesses(as_u8, "u8"), accesses(as_s8, "s8"), accesses(as_u16, "u16"), accesses(as_s16, "s16"), accesses(as_u32, "u32");
  accesses(as_s32, "s32"), accesses(as_u64, "u64"), accesses(as_s64, "s64"), accesses(as_f32, "f32"), accesses(as_f64, "f64");
  moves();
  atomics();
  if (wrong != 0) printf("%d wrong\n", wrong);
  return wrong != 0;
}
