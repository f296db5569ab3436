// The lock compares with the wrong value, and the threads of the block are all inside at once.
__global__ void add(int* total) {
  __shared__ int mutex;
  if (threadIdx.x == 0) atomicExch(&mutex, 0);
  __syncthreads();
#ifdef RIGHT
  while (atomicCAS(&mutex, 0, 1) != 0) {
  }
#else
  while (atomicCAS(&mutex, 2, 1) == 2) {
  }
#endif
  __threadfence_block();
  *total += 1;  // finds race-exclusion
  __threadfence_block();
  atomicExch(&mutex, 0);
}

int main() {
  int* total;
  cudaMalloc(&total, sizeof(int));
  cudaMemset(total, 0, sizeof(int));
  add<<<1, 64>>>(total);
  cudaDeviceSynchronize();
  cudaFree(total);
}
