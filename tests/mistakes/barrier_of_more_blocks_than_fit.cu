// All blocks wait until all have arrived. A GPU starts a block only when another one has ended, once it is full.
// gpu: hangs
__device__ int arrived;

__global__ void reverse(int* data, int* reversed, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) data[i] = i;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&arrived, 1);
    while (atomicAdd(&arrived, 0) < gridDim.x) {}  // finds no-progress
    __threadfence();
  }
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) reversed[i] = data[n - 1 - i];
}

int main() {
  const int n = 160000;
  int *data, *reversed;
  cudaMalloc(&data, n * sizeof(int));
  cudaMalloc(&reversed, n * sizeof(int));
#ifdef RIGHT
  const int blocks = 8;
#else
  const int blocks = n / 32;
#endif
  reverse<<<blocks, 32>>>(data, reversed, n);
  cudaDeviceSynchronize();
  cudaFree(data);
  cudaFree(reversed);
}
