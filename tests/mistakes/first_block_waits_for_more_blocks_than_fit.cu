// Each block says that it is there, and waits until the first block has seen all of them.
// gpu: hangs
__device__ int present[4096];
__device__ int go;

__global__ void start_together(int* order) {
  if (blockIdx.x == 0) {
    for (int i = 1 + threadIdx.x; i < gridDim.x; i += blockDim.x)
      while (atomicAdd(&present[i], 0) == 0) {
      }
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(&go, 1);
  } else if (threadIdx.x == 0) {
    atomicExch(&present[blockIdx.x], 1);
    while (atomicAdd(&go, 0) == 0) {  // finds no-progress
    }
  }
  if (threadIdx.x == 0) order[blockIdx.x] = 1;
}

int main() {
#ifdef RIGHT
  const int blocks = 8;
#else
  const int blocks = 4096;
#endif
  int* order;
  cudaMalloc(&order, blocks * sizeof(int));
  start_together<<<blocks, 32>>>(order);
  cudaDeviceSynchronize();
  cudaFree(order);
}
