// Copies that bring memory which nobody has written, as in many a program: room to spare behind results, and buffers before
// any kernel. None of it is a mistake, so nothing may be said.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

__global__ void fill(int *out, int n) { out[threadIdx.x % n] = threadIdx.x % n; }

static int run() {
  int *a, *b, got[64];
  cudaMalloc(&a, sizeof got), cudaMalloc(&b, sizeof got);
  cudaMemcpy(got, b, sizeof got, cudaMemcpyDeviceToHost);  // as programs do that measure a bandwidth
  fill<<<1, 32>>>(a, 32);
  cudaMemcpy(got, a, sizeof got, cudaMemcpyDeviceToHost);  // the first half is written
  for (int i = 0; i < 32; i++)
    if (got[i] != i) return 1;
  return cudaDeviceSynchronize();
}

int main() {
  // Everything that the device says goes to stderr.
  const char *name = "said.txt";
  if (freopen(name, "w", stderr) == nullptr || run() != 0) return 1;
  fflush(stderr);
  FILE *said = fopen(name, "r");
  const bool silent = said != nullptr && fgetc(said) == EOF;
  printf(silent ? "right\n" : "the device says something\n");
  return !silent;
}
