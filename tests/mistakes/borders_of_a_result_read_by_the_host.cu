// The kernel leaves the borders alone, and the host reads them, too. Who reads only the inner part, or a structure
// whose padding nobody writes, is right.
#include <cstdio>

struct Hit {
  bool is_hit;
  double distance;
};

__global__ void average(const float* in, float* out, Hit* hits, int n) {
  const int i = threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = (in[i - 1] + in[i + 1]) / 2;
  hits[i].is_hit = i % 3 == 0;
  hits[i].distance = i;
}

int main() {
  const int n = 64;
  float *in, *out, host[n], sum = 0;
  Hit *hits, best[n];
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMalloc(&hits, sizeof(best));
  cudaMemset(in, 0, sizeof(host));
  average<<<1, n>>>(in, out, hits, n);
  cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
  cudaMemcpy(best, hits, sizeof(best), cudaMemcpyDeviceToHost);
  for (int i = 1; i < n; i++)
    if (best[i].is_hit) best[0] = best[i];
#ifdef RIGHT
  for (int i = 1; i < n - 1; i++) sum += host[i];
#else
  for (int i = 0; i < n; i++) sum += host[i];  // finds unwritten-copy
#endif
  printf("%g %g\n", sum, best[0].distance);
  cudaFree(hits);
  cudaFree(out);
  cudaFree(in);
}
