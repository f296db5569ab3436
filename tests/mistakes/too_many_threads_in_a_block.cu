// A block of 2,048 threads is more than there may be: the launch fails, and nobody asks.
__device__ int values[2048];

__global__ void fill() {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[i] = i;
}

int main() {
#ifdef RIGHT
  fill<<<2, 1024>>>();
#else
  fill<<<1, 2048>>>();  // finds unchecked
#endif
  cudaDeviceSynchronize();
}
