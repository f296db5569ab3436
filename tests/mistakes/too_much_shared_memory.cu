// More shared memory than a block may have: the launch fails, and nobody asks.
__device__ float results[32];

__global__ void use() {
  extern __shared__ float memory[];
  memory[threadIdx.x] = 1;
  results[threadIdx.x] = memory[threadIdx.x];
}

int main() {
#ifdef RIGHT
  use<<<1, 32, 32 * sizeof(float)>>>();
#else
  use<<<1, 32, 1 << 20>>>();  // finds unchecked
#endif
  cudaDeviceSynchronize();
}
