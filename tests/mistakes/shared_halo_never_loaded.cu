// The two outermost elements of a shared array are read and never written.
__device__ float in[66], out[64];

__global__ void smooth() {
  __shared__ float values[66];
  const int i = threadIdx.x + 1;
  values[i] = in[i];
#ifdef RIGHT
  if (threadIdx.x == 0) values[0] = in[0];
  if (threadIdx.x == 63) values[65] = in[65];
#endif
  __syncthreads();
  out[threadIdx.x] = values[i - 1] + values[i + 1];  // finds uninitialized
}

int main() {
  smooth<<<1, 64>>>();
  cudaDeviceSynchronize();
}
