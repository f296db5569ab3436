// Loops that wait for what another thread writes, in the ways of older programs: volatile variables, casts to volatile,
// loads in PTX. Each waits for another block, at a barrier of the whole grid that is used twice, and for another warp of its block.
#include <cstdio>

__device__ unsigned plain, arrived;
__device__ volatile unsigned flag;
__device__ volatile unsigned flags[4];
struct Holder {
  int other;
  volatile unsigned value;
};
__device__ Holder holder;

__device__ unsigned read(volatile unsigned *p) { return *p; }
__device__ unsigned read_acquired(const unsigned *p) {
  unsigned value;
  asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(value) : "l"(p) : "memory");
  return value;
}
__device__ unsigned read_volatile(const unsigned *p) {
  unsigned value;
  asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(value) : "l"(p) : "memory");
  return value;
}

// In each: `now` is what the others change, `round` what it was.
#define WAY(name, now, change, ...)                                   \
  struct name {                                                       \
    static __device__ unsigned get() { return now; }                  \
    static __device__ void next(unsigned round) { change = round + 1; } \
    static __device__ void wait(unsigned round) { __VA_ARGS__ }       \
  };
WAY(While, flag, flag, while (flag == round) {})
WAY(WithoutBraces, flag, flag, while (round == flag);)
WAY(Do, flag, flag, unsigned now; do { now = flag; } while (now == round);)
WAY(DoWithoutBraces, flag, flag, unsigned now; do now = flag; while (now == round);)
WAY(Break, flag, flag, while (true) { if (flag != round) break; })
WAY(Return, flag, flag, for (;;) if (flag != round) return;)
WAY(Set, flag, flag, bool done = false; while (!done) done = flag != round;)
WAY(For, flag, flag, for (unsigned now = flag; now == round; now = flag) {})
WAY(ForCondition, flag, flag, for (int turns = 0; flag == round; turns++) {})
WAY(Element, flags[2], flags[2], while (flags[2] == round) {})
WAY(Member, holder.value, holder.value, while (holder.value == round) { __threadfence(); })
WAY(Cast, *(volatile unsigned *)&plain, *(volatile unsigned *)&plain, while (*(volatile unsigned *)&plain == round) {})
WAY(StaticCast, *static_cast<volatile unsigned *>(&plain), *static_cast<volatile unsigned *>(&plain),
    while (*static_cast<volatile unsigned *>(&plain) == round) {})
WAY(Pointer, flag, flag, volatile unsigned *p = &flag; while (*p == round) {})
WAY(Function, read(&plain), *(volatile unsigned *)&plain, while (read(&plain) == round) {})
WAY(Acquire, read_acquired(&plain), *(volatile unsigned *)&plain, while (read_acquired(&plain) == round) {})
WAY(VolatileLoad, read_volatile(&plain), *(volatile unsigned *)&plain, while (read_volatile(&plain) == round) {})
WAY(NotCached, __ldcv(&plain), *(volatile unsigned *)&plain, while (__ldcv(&plain) == round) {})

template <typename Way>
__device__ void barrier_of_grid() {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    const unsigned round = Way::get();
    if (atomicAdd(&arrived, 1) == gridDim.x - 1) {
      atomicExch(&arrived, 0u);
      __threadfence();
      Way::next(round);
    } else {
      Way::wait(round);
    }
    __threadfence();
  }
  __syncthreads();
}

template <typename Way>
__global__ void neighbors(int *data) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  for (int step = 0; step < 2; step++) {
    const int left = *(volatile int *)&data[(i + n - 1) % n];
    barrier_of_grid<Way>();
    data[i] = left;
    barrier_of_grid<Way>();
  }
}

template <typename Way>
__global__ void between_warps(int *result) {
  __shared__ int handed_over;
  const unsigned round = Way::get();
  __syncthreads();
  if (threadIdx.x == 0) {
    Way::wait(round);
    __threadfence();
    *result = *(volatile int *)&handed_over;
  } else if (threadIdx.x == 40) {
    *(volatile int *)&handed_over = 5;
    __threadfence();
    Way::next(round);
  }
}

int wrong = 0;

template <typename Way>
void check(const char *name) {
  constexpr int kBlocks = 12, kThreads = 40, kCount = kBlocks * kThreads;
  int host[kCount], *data;
  for (int i = 0; i < kCount; i++) host[i] = i;
  cudaMalloc(&data, sizeof host);
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  neighbors<Way><<<kBlocks, kThreads>>>(data);
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  int bad = 0;
  for (int i = 0; i < kCount; i++) bad += host[i] != (i + kCount - 2) % kCount;
  cudaMemset(data, 0, sizeof host);
  between_warps<Way><<<1, 64>>>(data);
  cudaMemcpy(host, data, sizeof(int), cudaMemcpyDeviceToHost);
  const cudaError_t error = cudaGetLastError();
  if (bad > 0 || host[0] != 5 || error != cudaSuccess) {
    printf("%s: %d of %d values are wrong, %d between warps, %s\n", name, bad, kCount, host[0], cudaGetErrorName(error));
    wrong++;
  }
  cudaFree(data);
}
#define CHECK(name) check<name>(#name)

int main() {
  CHECK(While), CHECK(WithoutBraces), CHECK(Do), CHECK(DoWithoutBraces), CHECK(Break), CHECK(Return), CHECK(Set), CHECK(For), CHECK(ForCondition);
  CHECK(Element), CHECK(Member), CHECK(Cast), CHECK(StaticCast), CHECK(Pointer), CHECK(Function), CHECK(Acquire), CHECK(VolatileLoad), CHECK(NotCached);
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
