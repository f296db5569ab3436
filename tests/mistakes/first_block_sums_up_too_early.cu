// The first block adds the results of all blocks in the same kernel, without waiting for them.
__device__ int parts[8], total;

__global__ void work(bool compute, bool sum_up) {
  const int b = blockIdx.x;
  if (compute) parts[b] = b * b;  // finds race-grid
  if (sum_up && b == 0)
    for (int i = 0; i < 8; i++) total += parts[i];  // finds race-grid
}

int main() {
#ifdef RIGHT
  work<<<8, 1>>>(true, false);
  work<<<1, 1>>>(false, true);
#else
  work<<<8, 1>>>(true, true);
#endif
  cudaDeviceSynchronize();
}
