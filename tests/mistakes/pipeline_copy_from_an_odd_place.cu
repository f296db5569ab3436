// Copies of 16 bytes in the background take addresses that are multiples of 16, on both sides.
#include <cuda_pipeline.h>

__global__ void shift(const float* in, float* out) {
  __shared__ __align__(16) float tile[132];
#ifdef RIGHT
  const int first = 4;
#else
  const int first = 1;
#endif
  __pipeline_memcpy_async(&tile[4 * threadIdx.x], in + first + 4 * threadIdx.x, 16);  // finds misaligned
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = tile[4 * threadIdx.x];
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 256 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMemset(in, 0, 256 * sizeof(float));
  shift<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
