// A lane reads what its neighbour wrote without a __syncwarp() between.
__device__ int results[32];

__global__ void swap_neighbours() {
  __shared__ int values[32];
  const int lane = threadIdx.x;
  values[lane] = 5 * lane;  // finds race-warp
#ifdef RIGHT
  __syncwarp();
#endif
  results[lane] = values[lane ^ 1];  // finds race-warp
}

int main() {
  swap_neighbours<<<1, 32>>>();
  cudaDeviceSynchronize();
}
