// Verdict: no kernel wrote it
// A loop of the host, and a kernel that does nothing.
__global__ void nothing() {}

void vector_add(const float* a, const float* b, float* c, int n) {
  for (int i = 0; i < n; i++) c[i] = a[i] + b[i];
  nothing<<<1, 32>>>();
  cudaDeviceSynchronize();
}
