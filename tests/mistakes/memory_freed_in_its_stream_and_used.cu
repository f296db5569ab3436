// The memory is freed in the order of a stream, before a kernel that the same stream runs later.
__global__ void fill(int* values) {
  values[threadIdx.x] = 1;  // finds use-after-free
}

int main() {
  cudaStream_t stream;
  int* values;
  cudaStreamCreate(&stream);
  cudaMallocAsync(&values, 32 * sizeof(int), stream);
#ifdef RIGHT
  fill<<<1, 32, 0, stream>>>(values);
  cudaFreeAsync(values, stream);
#else
  cudaFreeAsync(values, stream);
  fill<<<1, 32, 0, stream>>>(values);
#endif
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
}
