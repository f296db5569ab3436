// The copy to the host overwrites what lies behind a local array.
#include <cstdio>
int main() {
  int* d;
  cudaMalloc(&d, 64 * sizeof(int));
  cudaMemset(d, 0, 64 * sizeof(int));
#ifdef RIGHT
  int h[64];
#else
  int h[16];
#endif
  cudaMemcpy(h, d, 64 * sizeof(int), cudaMemcpyDeviceToHost);  // finds out-of-bounds
  printf("%d\n", h[3]);
}
