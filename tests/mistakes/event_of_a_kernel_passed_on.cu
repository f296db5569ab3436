// Three streams of a kernel: the last one waits for the second, which waits for the first through another event.
// gpu: nvcc -rdc=true
__global__ void fill(int* values) {
  values[threadIdx.x] = threadIdx.x;  // finds race-kernels
}
__global__ void clear(int* sum) { *sum = 0; }
__global__ void add_up(const int* values, int* sum) {
  atomicAdd(sum, values[63 - threadIdx.x]);  // finds race-kernels
}

__global__ void fill_and_add(int* values, int* sum) {
  cudaStream_t streams[3];
  for (cudaStream_t& stream : streams) cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaEvent_t filled, cleared;
  cudaEventCreateWithFlags(&filled, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&cleared, cudaEventDisableTiming);
  fill<<<1, 64, 0, streams[0]>>>(values);
  cudaEventRecord(filled, streams[0]);
#ifdef RIGHT
  cudaStreamWaitEvent(streams[1], filled);
#endif
  clear<<<1, 1, 0, streams[1]>>>(sum);
  cudaEventRecord(cleared, streams[1]);
  cudaStreamWaitEvent(streams[2], cleared);
  add_up<<<1, 64, 0, streams[2]>>>(values, sum);
  cudaEventDestroy(filled);
  cudaEventDestroy(cleared);
  for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
}

int main() {
  int *values, *sum, result;
  cudaMalloc(&values, 64 * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  fill_and_add<<<1, 1>>>(values, sum);
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(values);
  cudaFree(sum);
  return result != 64 * 63 / 2;
}
