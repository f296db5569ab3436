// cudaFree() does not wait for kernels that use memory of cudaMallocAsync().
__global__ void fill(int* values) { values[threadIdx.x] = 1; }

int main() {
  cudaStream_t stream;
  int* values;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMallocAsync(&values, 32 * sizeof(int), stream);
  fill<<<1, 32, 0, stream>>>(values);
#ifdef RIGHT
  cudaStreamSynchronize(stream);
#endif
  cudaFree(values);  // finds freed-in-use
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
}
