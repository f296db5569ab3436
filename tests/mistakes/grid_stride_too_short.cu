// trap: the grid-stride loop is right; with the block's size as stride, blocks meet.
__device__ int values[512];

__global__ void increment() {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef RIGHT
  const int stride = gridDim.x * blockDim.x;
#else
  const int stride = blockDim.x;
#endif
  for (int i = first; i < 512; i += stride) values[i]++;  // finds race-grid
}

int main() {
  increment<<<4, 32>>>();
  cudaDeviceSynchronize();
}
