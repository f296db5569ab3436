// The shared array is made for 128 threads per block; the launch has 256.
const int threads = 128;
__device__ int results[256];

__global__ void copy() {
  __shared__ int values[threads];
  values[threadIdx.x] = threadIdx.x;  // finds out-of-bounds
  __syncthreads();
  if (threadIdx.x < threads) results[threadIdx.x] = values[threads - 1 - threadIdx.x];
}

int main() {
#ifdef RIGHT
  copy<<<1, threads>>>();
#else
  copy<<<1, 2 * threads>>>();
#endif
  cudaDeviceSynchronize();
}
