// The barrier stands before the write to shared memory, where it orders nothing that matters.
__device__ float values[64];

__global__ void rotate() {
  __shared__ float copy[64];
  const int t = threadIdx.x;
#ifndef RIGHT
  __syncthreads();
#endif
  copy[t] = values[t];  // finds race-block
#ifdef RIGHT
  __syncthreads();
#endif
  values[t] = copy[(t + 32) % 64];  // finds race-block
}

int main() {
  rotate<<<1, 64>>>();
  cudaDeviceSynchronize();
}
