// trap: two halves of a word may be written by two blocks; one of them writes the whole word.
__device__ alignas(4) short halves[64];

__global__ void set() {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) halves[2 * t + 1] = 7;  // finds race-grid
#ifdef RIGHT
  if (blockIdx.x == 1) halves[2 * t] = 5;
#else
  if (blockIdx.x == 1) reinterpret_cast<int*>(halves)[t] = 5;  // finds race-grid
#endif
}

int main() {
  set<<<2, 32>>>();
  cudaDeviceSynchronize();
}
