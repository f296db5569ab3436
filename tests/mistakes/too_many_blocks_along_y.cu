// A grid may have 65,535 blocks along y: with one more the launch fails, and nobody asks.
__device__ int count;

__global__ void nothing() {
  if (blockIdx.x + blockIdx.y == 0) count = 1;
}

int main() {
#ifdef RIGHT
  nothing<<<dim3(2, 4), 1>>>();
#else
  nothing<<<dim3(1, 65536), 1>>>();  // finds unchecked
#endif
  cudaDeviceSynchronize();
}
