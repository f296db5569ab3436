// trap: work of a blocking stream waits for the default stream's; a non-blocking one does not.
__global__ void use(int* values) {
  values[threadIdx.x] += 1;  // finds race-kernels
}

int main() {
  cudaStream_t stream;
#ifdef RIGHT
  cudaStreamCreate(&stream);
#else
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
#endif
  int* values;
  cudaMalloc(&values, 32 * sizeof(int));
  cudaMemsetAsync(values, 0, 32 * sizeof(int));  // finds race-kernels
  use<<<1, 32, 0, stream>>>(values);
  cudaDeviceSynchronize();
  cudaFree(values);
  cudaStreamDestroy(stream);
}
