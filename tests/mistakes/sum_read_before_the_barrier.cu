// The sum of a block is read by its last thread before all others have surely added to it.
__device__ float result;

__global__ void add() {
  __shared__ float sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, 0.25f);  // finds race-atomic
#ifdef RIGHT
  __syncthreads();
#endif
  if (threadIdx.x == 63) result = sum;  // finds race-atomic
}

int main() {
  add<<<1, 64>>>();
  cudaDeviceSynchronize();
}
