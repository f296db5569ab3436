// A vector that was never made large enough.
#include <cstdio>
#include <vector>
int main() {
  float* d;
  cudaMalloc(&d, 1000 * sizeof(float));
  cudaMemset(d, 0, 1000 * sizeof(float));
#ifdef RIGHT
  std::vector<float> h(1000);
#else
  std::vector<float> h(10);
  h.resize(5);
#endif
  cudaMemcpy(h.data(), d, 1000 * sizeof(float), cudaMemcpyDeviceToHost);  // finds out-of-bounds
  printf("%g\n", h[4]);
}
