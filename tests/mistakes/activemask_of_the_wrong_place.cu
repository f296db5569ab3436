// The mask is taken before the branch, where all lanes still are.
__device__ int results[32];

__global__ void broadcast() {
  const int lane = threadIdx.x;
  const unsigned int before = __ballot_sync(0xffffffffu, 1);
  const unsigned int small = __ballot_sync(0xffffffffu, lane < 10);
#ifdef RIGHT
  const unsigned int mask = before & small;
#else
  const unsigned int mask = before | small;
#endif
  if (lane < 10) results[lane] = __shfl_sync(mask, 5 * lane, 3);  // finds shuffle
}

int main() {
  broadcast<<<1, 32>>>();
  cudaDeviceSynchronize();
}
