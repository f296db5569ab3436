// A stencil in place: a lane overwrites what its neighbour has yet to read.
__device__ float values[34];

__global__ void smooth() {
  const int i = threadIdx.x + 1;
#ifdef RIGHT
  const float mean = 0.5f * (values[i - 1] + values[i + 1]);
  __syncwarp();
  values[i] = mean;
#else
  values[i] = 0.5f * (values[i - 1] + values[i + 1]);  // finds race-warp
#endif
}

int main() {
  smooth<<<1, 32>>>();
  cudaDeviceSynchronize();
}
