// __syncthreads() waits for the threads of one block; the rows of other blocks need a new kernel.
__device__ int rows[4][32], results[4][32];

__global__ void step(bool write, bool read) {
  const int t = threadIdx.x, b = blockIdx.x;
  if (write) rows[b][t] = b + t;  // finds race-grid
  __syncthreads();
  if (read) results[b][t] = rows[(b + 1) % 4][t];  // finds race-grid
}

int main() {
#ifdef RIGHT
  step<<<4, 32>>>(true, false);
  step<<<4, 32>>>(false, true);
#else
  step<<<4, 32>>>(true, true);
#endif
  cudaDeviceSynchronize();
}
