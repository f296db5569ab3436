// A barrier that can be used again: the last block to arrive begins a new round. It still needs all blocks at the same time.
// gpu: hangs
__device__ unsigned arrived;
__device__ volatile unsigned round_of_all;

__device__ void meet() {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    const unsigned round = round_of_all;
    if (atomicAdd(&arrived, 1) == gridDim.x - 1) {
      atomicExch(&arrived, 0u);
      __threadfence();
      round_of_all = round + 1;
    } else {
      while (round_of_all == round) {  // finds no-progress
      }
    }
    __threadfence();
  }
  __syncthreads();
}

__global__ void spread(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int step = 1; step < 4; step++) {
    const int left = data[(i + n - step) % n];
    meet();
    data[i] = left + 1;
    meet();
  }
}

int main() {
#ifdef RIGHT
  const int n = 8 * 32;
#else
  const int n = 5000 * 32;
#endif
  int* data;
  cudaMalloc(&data, n * sizeof(int));
  cudaMemset(data, 0, n * sizeof(int));
  spread<<<n / 32, 32>>>(data, n);
  cudaDeviceSynchronize();
  cudaFree(data);
}
