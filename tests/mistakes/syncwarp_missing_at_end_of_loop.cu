// A lane overwrites its element in the next turn while its neighbour may still read the last one.
__device__ int results[32];

__global__ void pass_around() {
  __shared__ int values[32];
  const int lane = threadIdx.x;
  int sum = lane;
  for (int step = 0; step < 4; step++) {
    values[lane] = sum;  // finds race-warp
    __syncwarp();
    sum += values[(lane + 1) % 32];  // finds race-warp
#ifdef RIGHT
    __syncwarp();
#endif
  }
  results[lane] = sum;
}

int main() {
  pass_around<<<1, 32>>>();
  cudaDeviceSynchronize();
}
