// In the manner of what runs on a GPU by luck or by rules that few know: a forgotten `return`, a clock()
// that counts ticks, memory that the host polls, a copy whose direction is wrong, managed memory larger
// than the device's.
#include <cstdio>
#include <ctime>

// The Toolkit leaves host code unoptimized: this returns anything, and goes on behind its call.
bool greet() { printf("hello\n"); }
int print_sum(int a, int b) {
  if (a > b) return a;
  printf("%d\n", a + b);
}

// out[0] is measured around out[1]: it is never less, and little more unless something came between.
__global__ void clocks(long long *out) {
  const clock_t ticks = clock();
  const long long start = clock64();
  volatile float x = 0;
  for (int i = 0; i < 100000; i++) x += i;
  out[1] = clock64() - start;
  out[0] = (long long)(clock() - ticks);
  const clock_t from = clock();
  while (clock() - from < 1000000) {
  }
}

__global__ void raise_flag(volatile int *flag) { *flag = 1; }

int main() {
  int bad = 0;
  greet();
  print_sum(1, 2);

  long long *ticks;
  cudaMallocManaged(&ticks, 2 * sizeof *ticks);
  bool near_once = false;
  for (int attempt = 0; attempt < 100 && !near_once; attempt++) {
    clocks<<<1, 1>>>(ticks);
    cudaDeviceSynchronize();
    if (ticks[0] < ticks[1]) bad = 1;
    near_once = ticks[0] <= 2 * ticks[1];
  }
  if (bad || !near_once) bad = 1, printf("clock(): %lld ticks, clock64(): %lld\n", ticks[0], ticks[1]);

  int *flag, *flag_on_device;
  cudaHostAlloc(&flag, sizeof *flag, cudaHostAllocMapped);
  *flag = 0;
  cudaHostGetDevicePointer(&flag_on_device, flag, 0);
  raise_flag<<<1, 1>>>(flag_on_device);
  while (*(volatile int *)flag == 0) {
  }

  int *pinned, *device, back = 0;
  cudaMallocHost(&pinned, sizeof *pinned);
  cudaMalloc(&device, sizeof *device);
  *pinned = 42;
  if (cudaMemcpyAsync(device, pinned, sizeof *pinned, cudaMemcpyDeviceToHost, 0) != cudaSuccess)
    bad = 1, printf("an asynchronous copy in the wrong direction\n");
  cudaMemcpy(&back, device, sizeof back, cudaMemcpyDeviceToHost);
  if (back != 42) bad = 1, printf("%d was copied\n", back);

  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  if (!properties.streamPrioritiesSupported) bad = 1, printf("no priorities\n");

  size_t free_bytes, total;
  cudaMemGetInfo(&free_bytes, &total);
  char *large;
  if (cudaMallocManaged(&large, total + (1 << 20)) != cudaSuccess) {
    bad = 1;
    printf("managed memory larger than the device's\n");
  } else {
    large[total] = 5;
    if (large[total] != 5) bad = 1;
    cudaFree(large);
  }
  printf(bad ? "wrong\n" : "right\n");
  return bad;
}
