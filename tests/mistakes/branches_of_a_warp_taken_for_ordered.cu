// The lanes of the second branch read what those of the first wrote: branches have no order.
__device__ int results[16];

__global__ void hand_over() {
  __shared__ int values[16];
  const int lane = threadIdx.x;
  if (lane < 16) values[lane] = 2 * lane;  // finds race-warp
#ifdef RIGHT
  __syncwarp();
#endif
  if (lane >= 16) results[lane - 16] = values[lane - 16];  // finds race-warp
}

int main() {
  hand_over<<<1, 32>>>();
  cudaDeviceSynchronize();
}
