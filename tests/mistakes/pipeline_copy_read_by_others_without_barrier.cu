// Each thread waits for its own copy to shared memory, and then reads that of another thread.
#include <cuda_pipeline.h>

__global__ void reverse(const int* in, int* out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], &in[t], sizeof(int));  // finds race-block
  __pipeline_commit();
  __pipeline_wait_prior(0);
#ifdef RIGHT
  __syncthreads();
#endif
  out[t] = tile[63 - t];  // finds race-block
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(in, 1, 64 * sizeof(int));
  reverse<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(out);
  cudaFree(in);
}
