// The second device fetches a result from the first without waiting for the kernel there.
// environment: CPU_DEVICE_COUNT=2
__global__ void produce(int* values) {
  values[threadIdx.x] = threadIdx.x;  // finds race-kernels
}

int main() {
  const size_t bytes = 32 * sizeof(int);
  int *there, *here;
  cudaStream_t first, second;
  cudaEvent_t produced;
  cudaSetDevice(0);
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&produced, cudaEventDisableTiming);
  cudaMalloc(&there, bytes);
  cudaMemset(there, 0, bytes);
  cudaDeviceSynchronize();
  produce<<<1, 32, 0, first>>>(there);
  cudaEventRecord(produced, first);
  cudaSetDevice(1);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaMalloc(&here, bytes);
#ifdef RIGHT
  cudaStreamWaitEvent(second, produced, 0);
#endif
  cudaMemcpyPeerAsync(here, 1, there, 0, bytes, second);  // finds race-kernels
  cudaStreamSynchronize(second);
  cudaFree(here);
  cudaStreamDestroy(second);
  cudaSetDevice(0);
  cudaStreamSynchronize(first);
  cudaFree(there);
  cudaEventDestroy(produced);
  cudaStreamDestroy(first);
}
