// Every thread that finds the value sets the same flag.
__global__ void search(const int* data, int wanted, int* found) {
#ifdef RIGHT
  if (data[threadIdx.x] == wanted) atomicExch(found, 1);
#else
  if (data[threadIdx.x] == wanted) *found = 1;  // finds race-same-value
#endif
}

int main() {
  int *data, *found;
  cudaMalloc(&data, 64 * sizeof(int));
  cudaMemset(data, 0, 64 * sizeof(int));
  cudaMalloc(&found, sizeof(int));
  cudaMemset(found, 0, sizeof(int));
  search<<<1, 64>>>(data, 0, found);
  cudaDeviceSynchronize();
  cudaFree(data);
  cudaFree(found);
}
