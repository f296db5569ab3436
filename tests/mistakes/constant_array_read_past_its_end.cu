// A filter of radius 2 has 5 weights; the loop asks for a sixth.
__constant__ float weights[5] = {1, 2, 3, 2, 1};
__device__ float results[32];

__global__ void filter(int taps) {
  float sum = 0;
  for (int k = 0; k < taps; k++) sum += weights[k];  // finds out-of-bounds
  results[threadIdx.x] = sum;
}

int main() {
#ifdef RIGHT
  filter<<<1, 32>>>(5);
#else
  filter<<<1, 32>>>(6);
#endif
  cudaDeviceSynchronize();
}
