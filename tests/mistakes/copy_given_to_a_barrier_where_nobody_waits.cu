// A copy to shared memory is given to a cuda::barrier, and the block meets at __syncthreads() instead.
#include <cooperative_groups.h>

#include <cuda/barrier>

__global__ void twice(const int* in, int* out) {
  __shared__ int tile[64];
  __shared__ cuda::barrier<cuda::thread_scope_block> copied;
  if (threadIdx.x == 0) init(&copied, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(cooperative_groups::this_thread_block(), tile, in, sizeof(tile), copied);  // finds race-block
#ifdef RIGHT
  copied.arrive_and_wait();
#else
  __syncthreads();
#endif
  out[threadIdx.x] = 2 * tile[63 - threadIdx.x];  // finds race-block
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
