// Half of the shared memory that the kernel needs: where it is left, in two lines, is one mistake.
extern __shared__ float buffer[];

__global__ void reverse(float* a) {
  const int t = threadIdx.x;
  buffer[t] = a[t];  // finds out-of-bounds
  __syncthreads();
  a[t] = buffer[blockDim.x - 1 - t];  // finds out-of-bounds
}

int main() {
  float* a;
  cudaMalloc(&a, 256);
  cudaMemset(a, 0, 256);
#ifdef RIGHT
  reverse<<<1, 64, 64 * sizeof(float)>>>(a);
#else
  reverse<<<1, 64, 32 * sizeof(float)>>>(a);
#endif
  cudaDeviceSynchronize();
  cudaFree(a);
}
