// A shuffle makes lanes meet, but it orders no memory; __syncwarp() does.
__device__ int results[32];

__global__ void gather() {
  __shared__ int values[32];
  const int lane = threadIdx.x;
  values[lane] = lane * lane;  // finds race-warp
  const int from = __shfl_xor_sync(0xffffffffu, lane, 3);
#ifdef RIGHT
  __syncwarp();
#endif
  results[lane] = values[from];  // finds race-warp
}

int main() {
  gather<<<1, 32>>>();
  cudaDeviceSynchronize();
}
