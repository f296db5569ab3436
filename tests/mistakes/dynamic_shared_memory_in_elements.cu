// The launch gives the size of dynamic shared memory in elements where bytes are meant.
__device__ int results[64];

__global__ void fill() {
  extern __shared__ int values[];
  values[threadIdx.x] = threadIdx.x;  // finds out-of-bounds
  results[threadIdx.x] = threadIdx.x;
}

int main() {
#ifdef RIGHT
  fill<<<1, 64, 64 * sizeof(int)>>>();
#else
  fill<<<1, 64, 64>>>();
#endif
  cudaDeviceSynchronize();
}
