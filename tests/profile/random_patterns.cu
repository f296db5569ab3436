// Random access patterns: element sizes 1 to 16, strides -40 to 40, partial broadcasts, pairs on one bank, lanes without
// an access, threads that return early, local memory, divergent branches, and the shared memory that limits occupancy.
// ncu counts them on a GPU, ./course profile here: tests/profile/random_patterns_check.py compares.
//
//   random_patterns [FIRST [END]]     launches the patterns FIRST to END - 1, and prints a line for each
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <set>
#include <string>

#define NEEDED(call)                                                                 \
  do {                                                                               \
    const cudaError_t error = (call);                                                \
    if (error != cudaSuccess) {                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      exit(1);                                                                       \
    }                                                                                \
  } while (0)

// Which element each thread accesses, and which lanes do so.
struct Places {
  int first, stride;
  unsigned shift, times, flip, wrap;  // equal for neighbors, scattered, exchanged, repeated
  unsigned lanes;

  __host__ __device__ int at(unsigned thread) const {
    return first + stride * static_cast<int>((((thread >> shift) * times) ^ flip) & wrap);
  }
  __device__ bool takes_part(unsigned thread) const { return lanes >> thread % 32 & 1; }
};

constexpr int kWays = 6;
struct Pattern {
  Places load, store, shared_store, shared_load;
  unsigned leave_from;      // threads from this one on return at once
  unsigned lanes[kWays];    // of branches
  unsigned rounds, varying; // of loops: the same for all, and how many more there may be
  unsigned impossible;      // what no sum of elements that are all 0 can be
};

__device__ unsigned thread_of_block() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

// ---- elements: all of each is used ----

__host__ __device__ unsigned total(unsigned char v) { return v; }
__host__ __device__ unsigned total(unsigned short v) { return v; }
__host__ __device__ unsigned total(unsigned v) { return v; }
__host__ __device__ unsigned total(unsigned long long v) { return static_cast<unsigned>(v ^ v >> 32); }
template <typename T>
__host__ __device__ auto total(T v) -> decltype(v.w, 0u) {
  return total(v.x) ^ total(v.y) * 3 ^ total(v.z) * 5 ^ total(v.w) * 7;
}
__host__ __device__ unsigned total(uchar2 v) { return total(v.x) ^ total(v.y) * 3; }
__host__ __device__ unsigned total(ushort2 v) { return total(v.x) ^ total(v.y) * 3; }
__host__ __device__ unsigned total(uint2 v) { return total(v.x) ^ total(v.y) * 3; }
__host__ __device__ unsigned total(ulonglong2 v) { return total(v.x) ^ total(v.y) * 3; }
__host__ __device__ unsigned total(uchar3 v) { return total(v.x) ^ total(v.y) * 3 ^ total(v.z) * 5; }
__host__ __device__ unsigned total(ushort3 v) { return total(v.x) ^ total(v.y) * 3 ^ total(v.z) * 5; }
__host__ __device__ unsigned total(uint3 v) { return total(v.x) ^ total(v.y) * 3 ^ total(v.z) * 5; }

template <typename T>
__device__ T made(unsigned);
#define MADE(TYPE, ...) \
  template <>           \
  __device__ TYPE made<TYPE>(unsigned v) { return __VA_ARGS__; }
MADE(unsigned char, static_cast<unsigned char>(v))
MADE(unsigned short, static_cast<unsigned short>(v))
MADE(unsigned, v)
MADE(unsigned long long, v)
MADE(uchar2, make_uchar2(v, v + 1))
MADE(ushort2, make_ushort2(v, v + 1))
MADE(uint2, make_uint2(v, v + 1))
MADE(ulonglong2, make_ulonglong2(v, v + 1))
MADE(uchar3, make_uchar3(v, v + 1, v + 2))
MADE(ushort3, make_ushort3(v, v + 1, v + 2))
MADE(uint3, make_uint3(v, v + 1, v + 2))
MADE(uchar4, make_uchar4(v, v + 1, v + 2, v + 3))
MADE(ushort4, make_ushort4(v, v + 1, v + 2, v + 3))
MADE(uint4, make_uint4(v, v + 1, v + 2, v + 3))

// ---- kernels ----

extern __shared__ __align__(16) unsigned char shared_bytes[];

// Loads, stores, and both in shared memory, each in its own pattern.
template <typename T>
__global__ void accesses(const __grid_constant__ Pattern p, const T* in, T* out, unsigned* never) {
  T* const tile = reinterpret_cast<T*>(shared_bytes);
  const unsigned thread = thread_of_block();
  if (thread >= p.leave_from) return;
  unsigned sum = 0;
  if (p.load.takes_part(thread)) sum = total(in[p.load.at(thread)]);
  if (p.shared_store.takes_part(thread)) tile[p.shared_store.at(thread)] = made<T>(thread);
  if (p.shared_load.takes_part(thread)) sum ^= total(tile[p.shared_load.at(thread)]);
  if (p.store.takes_part(thread)) out[p.store.at(thread)] = made<T>(p.rounds);
  if (sum == p.impossible) *never = sum;  // so that no load can be left out
}

// Adds to counters in global memory, and does not use what was there.
template <typename T>
__global__ void additions(const __grid_constant__ Pattern p, T* out) {
  const unsigned thread = thread_of_block();
  if (thread >= p.leave_from) return;
  if (p.store.takes_part(thread)) atomicAdd(&out[p.store.at(thread)], made<T>(1));
}

// An array of each thread's own, with an index that only the run knows, between accesses to global memory.
__global__ void local_memory(const __grid_constant__ Pattern p, const unsigned* in, unsigned* out) {
  const unsigned thread = thread_of_block();
  if (thread >= p.leave_from) return;
  unsigned own[40];
#pragma unroll 1
  for (unsigned i = 0; i < p.rounds; i++) own[(i * p.load.times) % 40] = in[p.load.at(thread + i)];
  unsigned sum = 0;
#pragma unroll 1
  for (unsigned i = 0; i < p.rounds; i++) sum ^= own[(i * p.store.times + thread % 4) % 40];
  if (p.store.takes_part(thread)) out[p.store.at(thread)] = sum;
}

// Too long to be computed on both sides of a branch.
__device__ unsigned work(unsigned x, unsigned rounds) {
#pragma unroll 1
  for (unsigned i = 0; i < rounds; i++) x = x * 1664525u + (x >> 7) + 1013904223u;
  return x;
}

enum Shape { if_else, if_alone, nested, in_a_row, loop, loop_of_branches, loop_left, loops, cases, early_return, shapes };
const char* const shape_names[] = {"if_else", "if_alone", "nested", "in_a_row", "loop", "loop_of_branches", "loop_left",
                                   "loops", "cases", "early_return"};

template <Shape shape>
__global__ void branches(const __grid_constant__ Pattern p, unsigned* out) {
  const unsigned thread = thread_of_block(), lane = thread % 32, n = p.rounds;
  if (thread >= p.leave_from) return;
  const auto is_in = [&](int way) { return (p.lanes[way] >> lane & 1) != 0; };
  unsigned x = thread;
  if (shape == if_else) {
    if (is_in(0))
      x = work(x, n);
    else
      x = work(x + 1, n) ^ 5;
  }
  if (shape == if_alone) {
    if (is_in(0)) x = work(x, n);
  }
  if (shape == nested) {
    if (is_in(0)) {
      if (is_in(1))
        x = work(x, n) + 3;
      else
        x = work(x + 2, n + 1);
    } else if (is_in(2)) {
      x = work(x ^ 7, n + 2);
    }
  }
  if (shape == in_a_row) {
    if (is_in(0)) x = work(x, n);
    if (is_in(1)) x = work(x ^ 3, n + 1);
    if (is_in(2)) x = work(x + 5, n);
  }
  if (shape == loop) x = work(x, p.lanes[0] * (lane + 1) % p.varying + 1);
  if (shape == loop_of_branches) {
#pragma unroll 1
    for (int i = 0; i < kWays; i++) {
      if (is_in(i))
        x = work(x, n);
      else
        x = work(x + 9, n + 1);
    }
  }
  if (shape == loop_left) {
#pragma unroll 1
    for (int i = 0; i < kWays; i++) {
      if (is_in(i)) break;
      x = work(x, n);
    }
  }
  if (shape == loops) {
    const unsigned times = (p.lanes[0] >> lane & 3) + 1;
#pragma unroll 1
    for (unsigned i = 0; i < times; i++) x = work(x + i, p.lanes[1] * (lane + i) % p.varying + 1);
  }
  if (shape == cases) {
    switch (p.lanes[0] * (lane + 3) >> 9 & 3) {
      case 0: x = work(x, n); break;
      case 1: x = work(x ^ 1, n + 1); break;
      case 2: x = work(x + 2, n + 2); break;
      default: x = work(x * 3, n + 3);
    }
  }
  if (shape == early_return) {
    if (is_in(0)) {
      out[thread] = work(x, n);
      return;
    }
    if (is_in(1)) x = work(x + 4, n);
  }
  out[thread] = x;
}

// ---- patterns from a seed: the same on every machine ----

constexpr int kElements = 1 << 15, kElementBytes = 16;
int number = 0, first = 0, end = 0;
std::mt19937 engine;
std::set<size_t> used_sizes;
void *in, *out;
unsigned* never;

unsigned below(unsigned count) { return static_cast<unsigned>((static_cast<unsigned long long>(engine()) * count) >> 32); }
bool one_in(unsigned count) { return below(count) == 0; }

unsigned random_lanes() {
  switch (below(6)) {
    case 0: return engine();
    case 1: return 0xffffffffu << below(32);
    case 2: return 0x11111111u << below(4);
    case 3: return 1u << below(32) | 1u << below(32);
    case 4: return 0x0ff00ff0u >> below(5);
    default: return 0x55555555u << below(2);
  }
}

// Below `elements`, of which there are more than 40 * 31.
Places random_places(unsigned elements) {
  Places p{};
  p.stride = static_cast<int>(below(81)) - 40;
  if (one_in(3)) p.stride = static_cast<int>(below(5)) - 2;
  p.shift = one_in(4) ? below(5) : 0;
  p.times = one_in(3) ? 2 * below(16) + 1 : 1;
  p.flip = one_in(4) ? below(32) : 0;
  p.wrap = one_in(4) ? (2u << below(5)) - 1 : 255;
  while (p.wrap > 31 && static_cast<unsigned>(abs(p.stride)) * p.wrap >= elements) p.wrap /= 2;
  const unsigned span = static_cast<unsigned>(abs(p.stride)) * p.wrap;
  p.first = static_cast<int>(below(std::min(100u, elements - span)));
  if (p.stride < 0) p.first += static_cast<int>(span);
  p.lanes = one_in(3) ? random_lanes() : 0xffffffffu;
  return p;
}

Pattern random_pattern(unsigned threads, unsigned shared_elements) {
  Pattern p{};
  p.load = random_places(kElements / 2);
  p.store = random_places(kElements / 2);
  p.shared_store = random_places(shared_elements);
  p.shared_load = random_places(shared_elements);
  p.leave_from = one_in(4) ? below(threads) + 1 : threads;
  for (unsigned& lanes : p.lanes) lanes = random_lanes();
  p.rounds = 3 + below(6);
  p.varying = 2 + below(30);
  p.impossible = 0xffffffff;
  return p;
}

dim3 random_block() {
  static const dim3 blocks[] = {32, 64, 256, 40, 7, 128, 96, 100, dim3(8, 16), dim3(16, 16), dim3(4, 4, 4), dim3(33, 3)};
  return blocks[below(sizeof blocks / sizeof *blocks)];
}

unsigned threads_of(dim3 block) { return block.x * block.y * block.z; }

// At least so many, and not what another pattern has: it tells the launches apart.
size_t random_shared_bytes(size_t least) {
  size_t bytes;
  do {
    bytes = least + (one_in(3) ? below(200000 - static_cast<unsigned>(least)) : below(5000));
  } while (!used_sizes.insert(bytes).second);
  return bytes;
}

std::string words(const char* name, const Places& p) {
  char text[200];
  snprintf(text, sizeof text, " %s[%d%+d*(t>>%u)*%u^%u&%u lanes %08x]", name, p.first, p.stride, p.shift, p.times, p.flip,
           p.wrap, p.lanes);
  return text;
}

// Launches it if it is one of those that are wanted.
template <typename Kernel, typename... Arguments>
void launch(const char* name, const std::string& what, Kernel* kernel, const Pattern& p, unsigned grid, dim3 block, size_t shared,
            Arguments... arguments) {
  const int own = number++;
  if (own < first || own >= end) return;
  printf("%d\t%s\t%u\t%u %u %u\t%zu\tfrom %u leave;%s\n", own, name, grid, block.x, block.y, block.z, shared, p.leave_from,
         what.c_str());
  NEEDED(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)));
  kernel<<<grid, block, shared>>>(p, arguments...);
  NEEDED(cudaGetLastError());
}

template <typename T>
void random_accesses(const char* type, int count) {
  for (int i = 0; i < count; i++) {
    const dim3 block = random_block();
    const unsigned grid = 1 + below(3), elements = 40 * 31 + 1 + below(400);
    const Pattern p = random_pattern(threads_of(block), elements);
    const size_t shared = random_shared_bytes(elements * sizeof(T));
    launch("accesses", std::string(" ") + type + words("load", p.load) + words("store", p.store) +
           words("shared_store", p.shared_store) + words("shared_load", p.shared_load),
           accesses<T>, p, grid, block, shared, static_cast<const T*>(in), static_cast<T*>(out), never);
  }
}

template <typename T>
void random_additions(const char* type, int count) {
  for (int i = 0; i < count; i++) {
    const dim3 block = random_block();
    const unsigned grid = 1 + below(3);
    const Pattern p = random_pattern(threads_of(block), 2000);
    const size_t shared = random_shared_bytes(0);
    launch("additions", std::string(" ") + type + words("add", p.store), additions<T>, p, grid, block, shared, static_cast<T*>(out));
  }
}

template <Shape shape>
void random_branches(int count) {
  for (int i = 0; i < count; i++) {
    const dim3 block = random_block();
    const unsigned grid = 1 + below(3);
    const Pattern p = random_pattern(threads_of(block), 2000);
    const size_t shared = random_shared_bytes(0);
    char text[200];
    snprintf(text, sizeof text, " %s rounds %u varying %u lanes %08x %08x %08x %08x %08x %08x", shape_names[shape], p.rounds,
             p.varying, p.lanes[0], p.lanes[1], p.lanes[2], p.lanes[3], p.lanes[4], p.lanes[5]);
    launch("branches", text, branches<shape>, p, grid, block, shared, static_cast<unsigned*>(out));
  }
  if constexpr (shape + 1 < shapes) random_branches<static_cast<Shape>(shape + 1)>(count);
}

void random_local_memory(int count) {
  for (int i = 0; i < count; i++) {
    const dim3 block = random_block();
    const unsigned grid = 1 + below(3);
    const Pattern p = random_pattern(threads_of(block), 2000);
    const size_t shared = random_shared_bytes(0);
    launch("local_memory", " rounds " + std::to_string(p.rounds) + words("load", p.load) + words("store", p.store), local_memory,
           p, grid, block, shared, static_cast<const unsigned*>(in), static_cast<unsigned*>(out));
  }
}

int main(int count, char** arguments) {
  first = count > 1 ? atoi(arguments[1]) : 0;
  end = count > 2 ? atoi(arguments[2]) : 1 << 30;
  const size_t bytes = static_cast<size_t>(kElements) * kElementBytes;
  NEEDED(cudaMalloc(&in, bytes));
  NEEDED(cudaMalloc(&out, bytes));
  NEEDED(cudaMalloc(&never, sizeof *never));
  NEEDED(cudaMemset(in, 0, bytes));
  NEEDED(cudaMemset(out, 0, bytes));
  random_accesses<unsigned char>("uchar", 12);
  random_accesses<unsigned short>("ushort", 12);
  random_accesses<unsigned>("uint", 20);
  random_accesses<unsigned long long>("ulonglong", 14);
  random_accesses<uint4>("uint4", 14);
  random_accesses<uint2>("uint2", 6);
  random_accesses<ulonglong2>("ulonglong2", 4);
  random_accesses<uchar2>("uchar2", 4);
  random_accesses<uchar4>("uchar4", 4);
  random_accesses<ushort2>("ushort2", 4);
  random_accesses<ushort4>("ushort4", 4);
  random_accesses<uchar3>("uchar3", 4);
  random_accesses<ushort3>("ushort3", 4);
  random_accesses<uint3>("uint3", 8);
  random_additions<unsigned>("uint", 16);
  random_additions<unsigned long long>("ulonglong", 10);
  random_branches<if_else>(8);
  random_local_memory(10);
  NEEDED(cudaDeviceSynchronize());
  return 0;
}
