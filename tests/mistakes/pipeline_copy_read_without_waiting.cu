// A thread reads what it has asked to be copied to shared memory, and has not waited for the copy.
#include <cuda_pipeline.h>

__global__ void twice(const int* in, int* out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &in[t], sizeof(int));  // finds race-block
  __pipeline_commit();
#ifdef RIGHT
  __pipeline_wait_prior(0);
#endif
  out[t] = 2 * tile[t];  // finds race-block
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(in, 1, 64 * sizeof(int));
  twice<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(out);
  cudaFree(in);
}
