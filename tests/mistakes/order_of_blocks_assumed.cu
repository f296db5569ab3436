// Each block continues the sum of the block before it as if blocks ran one after the other.
__device__ int sums[9], parts[8];

__global__ void add(int first, int last) {
  for (int b = first; b < last; b++)
    if (b % gridDim.x == blockIdx.x) sums[b + 1] = sums[b] + parts[b];  // finds race-grid
}

int main() {
#ifdef RIGHT
  for (int b = 0; b < 8; b++) add<<<8, 1>>>(b, b + 1);
#else
  add<<<8, 1>>>(0, 8);
#endif
  cudaDeviceSynchronize();
}
