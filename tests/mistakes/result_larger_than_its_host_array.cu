// The copy to the host is larger than the array that takes it.
#include <cstdio>
int main() {
  float* d;
  cudaMalloc(&d, 1000 * sizeof(float));
  cudaMemset(d, 0, 1000 * sizeof(float));
#ifdef RIGHT
  float* h = new float[1000];
#else
  float* h = new float[100];
#endif
  cudaMemcpy(h, d, 1000 * sizeof(float), cudaMemcpyDeviceToHost);  // finds out-of-bounds
  printf("%g\n", h[5]);
  delete[] h;
}
