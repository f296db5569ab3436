// One pinned buffer takes the input there and the result back. The host knows that the input has left it, but it reads the
// result while the second copy is still queued.
#include <cstdio>

__global__ void square(int* x) { *x *= *x; }

int main() {
  int *x, *buffer;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&x, sizeof(int));
  cudaMallocHost(&buffer, sizeof(int));
  *buffer = 12;
  cudaMemcpyAsync(x, buffer, sizeof(int), cudaMemcpyHostToDevice, stream);
  square<<<1, 1, 0, stream>>>(x);
  cudaStreamSynchronize(stream);
  cudaMemcpyAsync(buffer, x, sizeof(int), cudaMemcpyDeviceToHost, stream);  // finds race-host
#ifdef RIGHT
  cudaStreamSynchronize(stream);
#endif
  printf("%d\n", *buffer);  // finds race-host
  cudaStreamSynchronize(stream);
  cudaFree(x);
  cudaFreeHost(buffer);
  cudaStreamDestroy(stream);
}
