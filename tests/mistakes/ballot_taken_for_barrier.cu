// A vote makes lanes meet, but it orders no memory; __syncwarp() does.
__device__ int results[32];

__global__ void compact() {
  __shared__ int values[32];
  const int lane = threadIdx.x;
  const bool odd = lane % 2 == 1;
  const unsigned int votes = __ballot_sync(0xffffffffu, odd);
  values[lane] = 0;
  __syncwarp();
  if (odd) values[__popc(votes & ((1u << lane) - 1))] = lane;  // finds race-warp
  __ballot_sync(0xffffffffu, 1);
#ifdef RIGHT
  __syncwarp();
#endif
  results[lane] = values[lane];  // finds race-warp
}

int main() {
  compact<<<1, 32>>>();
  cudaDeviceSynchronize();
}
