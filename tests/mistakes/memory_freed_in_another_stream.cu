// The memory is freed in a stream that does not wait for the kernel that uses it.
__global__ void fill(int* values) { values[threadIdx.x] = 1; }

int main() {
  cudaStream_t first, second;
  int* values;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaMallocAsync(&values, 32 * sizeof(int), first);
  fill<<<1, 32, 0, first>>>(values);
#ifdef RIGHT
  cudaFreeAsync(values, first);
#else
  cudaFreeAsync(values, second);  // finds freed-in-use
#endif
  cudaDeviceSynchronize();
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}
