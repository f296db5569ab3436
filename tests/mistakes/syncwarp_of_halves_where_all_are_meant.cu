// Each half of the warp waits for itself, but reads what the other half wrote.
__device__ int results[32];

__global__ void mirror() {
  __shared__ int values[32];
  const int lane = threadIdx.x;
  values[lane] = lane + 1;  // finds race-warp
#ifdef RIGHT
  __syncwarp();
#else
  __syncwarp(lane < 16 ? 0x0000ffffu : 0xffff0000u);
#endif
  results[lane] = values[31 - lane];  // finds race-warp
}

int main() {
  mirror<<<1, 32>>>();
  cudaDeviceSynchronize();
}
