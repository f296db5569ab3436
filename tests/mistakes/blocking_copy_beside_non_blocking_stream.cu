// cudaMemcpy() waits for the default stream, and not for a kernel in a non-blocking stream.
#include <cstdio>

__global__ void produce(int* values) {
  values[threadIdx.x] = threadIdx.x;  // finds race-kernels
}

int main() {
  cudaStream_t stream;
  int *values, host[64];
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMalloc(&values, sizeof(host));
  cudaMemset(values, 0, sizeof(host));
  cudaDeviceSynchronize();
  produce<<<1, 64, 0, stream>>>(values);
#ifdef RIGHT
  cudaStreamSynchronize(stream);
#endif
  cudaMemcpy(host, values, sizeof(host), cudaMemcpyDeviceToHost);  // finds race-kernels
  printf("%d\n", host[63]);
  cudaStreamSynchronize(stream);
  cudaFree(values);
  cudaStreamDestroy(stream);
}
