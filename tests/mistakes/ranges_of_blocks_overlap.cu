// The range of a block ends one too late, on the first element of the next block.
__device__ int values[4 * 64 + 1];

__global__ void double_all() {
  const int first = blockIdx.x * 64;
#ifdef RIGHT
  const int end = first + 64;
#else
  const int end = first + 65;
#endif
  for (int i = first; i < end; i++) values[i] *= 2;  // finds race-grid
}

int main() {
  double_all<<<4, 1>>>();
  cudaDeviceSynchronize();
}
