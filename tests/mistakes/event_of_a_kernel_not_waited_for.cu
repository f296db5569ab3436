// A kernel launches into two streams of its own. Only an event orders the second launch after the first one.
// gpu: nvcc -rdc=true
__global__ void fill(int* values) {
  values[threadIdx.x] = threadIdx.x;  // finds race-kernels
}
__global__ void add_up(const int* values, int* sum) {
  atomicAdd(sum, values[63 - threadIdx.x]);  // finds race-kernels
}

__global__ void fill_and_add(int* values, int* sum) {
  cudaStream_t first, second;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEvent_t filled;
  cudaEventCreateWithFlags(&filled, cudaEventDisableTiming);
  fill<<<1, 64, 0, first>>>(values);
  cudaEventRecord(filled, first);
#ifdef RIGHT
  cudaStreamWaitEvent(second, filled);
#endif
  add_up<<<1, 64, 0, second>>>(values, sum);
  cudaEventDestroy(filled);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}

int main() {
  int *values, *sum, result;
  cudaMalloc(&values, 64 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  fill_and_add<<<1, 1>>>(values, sum);
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(values);
  cudaFree(sum);
  return result != 64 * 63 / 2;
}
