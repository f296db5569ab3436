// A __device__ array has 100 elements, and the threads of two blocks of 64 write it.
__device__ int values[100];

__global__ void fill(int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = i;  // finds out-of-bounds
}

int main() {
#ifdef RIGHT
  fill<<<2, 64>>>(100);
#else
  fill<<<2, 64>>>(128);
#endif
  cudaDeviceSynchronize();
}
