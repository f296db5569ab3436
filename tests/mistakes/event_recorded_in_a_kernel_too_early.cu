// A kernel records the event before the launch that it stands for, so the wait is for what was there before.
// gpu: nvcc -rdc=true
__global__ void prepare(int* values) { values[threadIdx.x] = -1; }
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
  prepare<<<1, 64, 0, first>>>(values);
#ifndef RIGHT
  cudaEventRecord(filled, first);
#endif
  fill<<<1, 64, 0, first>>>(values);
#ifdef RIGHT
  cudaEventRecord(filled, first);
#endif
  cudaStreamWaitEvent(second, filled);
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
