// Only the odd lanes come to a sum whose mask names all lanes.
__device__ int results[32];

__global__ void sum_up() {
  const int lane = threadIdx.x;
  if (lane % 2 == 0) return;
#ifdef RIGHT
  results[lane] = __reduce_add_sync(0xaaaaaaaau, lane);
#else
  results[lane] = __reduce_add_sync(0xffffffffu, lane);  // finds shuffle
#endif
}

int main() {
  sum_up<<<1, 32>>>();
  cudaDeviceSynchronize();
}
