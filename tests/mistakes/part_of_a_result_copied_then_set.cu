// The kernel covers a quarter of the array; the host copies a piece of the rest away, then sets some
// elements of it and reads one more than it has set.
#include <cstdio>
#include <cstring>

__global__ void fill(int* out) { out[threadIdx.x] = 1; }

int main() {
  int *d, h[256], piece[32];
  cudaMalloc(&d, sizeof h);
  fill<<<1, 64>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  memcpy(piece, h + 100, sizeof piece);
  h[110] = 0;
  for (int i = 140; i >= 132; i--) h[i] = 0;
#ifdef RIGHT
  const int end = 141;
#else
  const int end = 142;
#endif
  int sum = 0;
  for (int i = 132; i < end; i++) sum += h[i];  // finds unwritten-copy
  printf("%d\n", sum);
  cudaFree(d);
}
