// A kernel launches itself for two halves, and adds up what they leave. Wrong: the sum does not wait for the half that
// runs in a stream of its own.
// gpu: nvcc -rdc=true
__global__ void add_up(const int* part, int n, int* sum) {
  for (int i = 0; i < n; i++) *sum += part[i];  // finds race-kernels
}

__global__ void fill(int* part, int n) {
  if (n == 1) {
    *part = 1;  // finds race-kernels
    return;
  }
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  fill<<<1, 1, 0, stream>>>(part, n / 2);
  fill<<<1, 1>>>(part + n / 2, n - n / 2);
  cudaStreamDestroy(stream);
}

__global__ void fill_and_add(int* part, int n, int* sum) {
#ifdef RIGHT
  fill<<<1, 1>>>(part, n);
#else
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  fill<<<1, 1, 0, stream>>>(part, n);
  cudaStreamDestroy(stream);
#endif
  add_up<<<1, 1>>>(part, n, sum);
}

int main() {
  int *part, *sum, result;
  cudaMalloc(&part, 8 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  fill_and_add<<<1, 1>>>(part, 8, sum);
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(part);
  cudaFree(sum);
  return result != 8;
}
