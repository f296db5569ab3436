// Each block writes its sum to a volatile array and counts itself. The last block adds all, without fences.
__device__ volatile int sums[8];
__device__ int done, total;

__global__ void add() {
  sums[blockIdx.x] = blockIdx.x + 1;  // finds race-volatile
#ifdef RIGHT
  __threadfence();
#endif
  if (atomicAdd(&done, 1) != gridDim.x - 1) return;
#ifdef RIGHT
  __threadfence();
#endif
  const int first = sums[0];  // finds race-volatile
  total = first;
}

int main() {
  add<<<8, 1>>>();
  cudaDeviceSynchronize();
}
