// Kernels whose threads ask the clock until so many ticks have passed. On a GPU the threads of a block wait at the same time:
// a block of 512 is done after about one wait, not after 512. Here they run one after the other, and what the first has
// waited has passed for the others, too: they need not ask as often. Each still finds that its time has passed.
#include <cstdio>

constexpr int kThreads = 512, kBlocks = 3;
constexpr int kTicks = 1000000;

struct Wait {
  long long ticks;
  int questions;
};

__global__ void wait(Wait *waits) {
  Wait mine = {0, 0};
  const long long start = clock64();
  while (mine.ticks < kTicks) {
    mine.ticks = clock64() - start;
    mine.questions++;
  }
  waits[blockIdx.x * blockDim.x + threadIdx.x] = mine;
}

// In 32 bits, in a function, and each thread longer than the one before.
__device__ unsigned wait_for(unsigned ticks, int *questions) {
  const unsigned start = (unsigned)clock();
  unsigned passed = 0;
  do {
    passed = (unsigned)clock() - start;
    ++*questions;
  } while (passed < ticks);
  return passed;
}
__global__ void wait_longer(Wait *waits) {
  Wait mine = {0, 0};
  mine.ticks = wait_for(kTicks + 1000 * threadIdx.x, &mine.questions);
  __syncthreads();
  waits[blockIdx.x * blockDim.x + threadIdx.x] = mine;
}

// No waiting: each thread measures its own work, which is not nothing, and not what others did.
__global__ void measure(Wait *waits, int rounds) {
  volatile int x = 0;
  Wait mine = {1ll << 60, 0};
  for (int i = 0; i < 3; i++) {
    const long long start = clock64();
    for (int k = 0; k < rounds; k++) x = x + k;
    const long long took = clock64() - start;
    if (took < mine.ticks) mine.ticks = took;
  }
  waits[blockIdx.x * blockDim.x + threadIdx.x] = mine;
}

static int bad = 0;
static void check(bool right, const char *what) {
  if (!right) bad = 1, printf("%s\n", what);
}

// Of the threads, the first of each block excepted: how many asked a thousand times or more.
static int patient(const Wait *waits) {
  int count = 0;
  for (int i = 0; i < kBlocks * kThreads; i++) count += i % kThreads != 0 && waits[i].questions >= 1000;
  return count;
}

int main() {
  Wait *waits, got[kBlocks * kThreads];
  cudaMalloc(&waits, sizeof got);
  wait<<<kBlocks, kThreads>>>(waits);
  cudaMemcpy(got, waits, sizeof got, cudaMemcpyDeviceToHost);
  for (const Wait &one : got) check(one.ticks >= kTicks, "too short a wait");
#ifdef __CPU_DEVICE__
  check(patient(got) < kBlocks * kThreads / 2, "most threads wait although others have waited");
#endif
  wait_longer<<<kBlocks, kThreads>>>(waits);
  cudaMemcpy(got, waits, sizeof got, cudaMemcpyDeviceToHost);
  for (int i = 0; i < kBlocks * kThreads; i++) check(got[i].ticks >= kTicks + 1000 * (i % kThreads), "too short a longer wait");
#ifdef __CPU_DEVICE__
  check(patient(got) < kBlocks * kThreads / 2, "most threads wait longer although others have waited");
#endif
  measure<<<kBlocks, kThreads>>>(waits, 1000);
  cudaMemcpy(got, waits, sizeof got, cudaMemcpyDeviceToHost);
#ifdef __CPU_DEVICE__  // on a GPU all threads of a multiprocessor measure at once, and each waits for the others' memory
  int far = 0;
  for (const Wait &one : got) far += one.ticks < 100 || one.ticks > kTicks;
  check(far < kBlocks * kThreads / 2, "what a thread measures is not its own work");
#endif
  check(cudaDeviceSynchronize() == cudaSuccess, "an error");
  printf(bad ? "wrong\n" : "right\n");
  return bad;
}
