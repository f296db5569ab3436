// The launch forgets the size of the dynamic shared memory that the kernel uses.
__device__ float results[32];

__global__ void scale(float factor) {
  extern __shared__ float numbers[];
  numbers[threadIdx.x] = factor * threadIdx.x;  // finds out-of-bounds
  results[threadIdx.x] = factor;
}

int main() {
#ifdef RIGHT
  scale<<<1, 32, 32 * sizeof(float)>>>(2);
#else
  scale<<<1, 32>>>(2);
#endif
  cudaDeviceSynchronize();
}
