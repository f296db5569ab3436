// All lanes of a warp increment one counter with ++.
__device__ int counter;

__global__ void count() {
#ifdef RIGHT
  atomicAdd(&counter, 1);
#else
  counter++;  // finds race-warp
#endif
}

int main() {
  count<<<1, 32>>>();
  cudaDeviceSynchronize();
}
