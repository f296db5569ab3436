// Copies run ahead by one, and two of them are left open by the wait.
#include <cuda_pipeline.h>

__global__ void sum(const int* in, int* out, int tiles) {
  __shared__ int buffer[2][32];
  const int t = threadIdx.x;
  int total = 0;
  for (int i = 0; i <= tiles; i++) {
    if (i < tiles) __pipeline_memcpy_async(&buffer[i % 2][t], &in[i * 32 + t], sizeof(int));  // finds race-block
    __pipeline_commit();
    if (i == 0) continue;
#ifdef RIGHT
    __pipeline_wait_prior(1);
#else
    __pipeline_wait_prior(2);
#endif
    total += buffer[(i - 1) % 2][t];  // finds race-block
  }
  out[t] = total;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 320 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(in, 1, 320 * sizeof(int));
  sum<<<1, 32>>>(in, out, 10);
  cudaDeviceSynchronize();
  cudaFree(out);
  cudaFree(in);
}
