// Every lane writes its own value to the same place.
__device__ int result;

__global__ void last_one_wins() {
  const int lane = threadIdx.x;
#ifdef RIGHT
  if (lane == 31)
#endif
    result = lane;  // finds race-warp
}

int main() {
  last_one_wins<<<1, 32>>>();
  cudaDeviceSynchronize();
}
