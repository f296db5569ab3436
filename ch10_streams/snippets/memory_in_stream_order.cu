// Allocates and frees device memory in the order of a stream, from a pool.
// Topic: streams
#include <cstdio>
#include <cstdlib>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

__global__ void square(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * in[i];
}

// Queues everything, allocations included; `in` and `out` are pinned host memory.
void square_in_stream(const int* in, int* out, int n, cudaStream_t stream) {
  const size_t bytes = n * sizeof(int);
  int *dev_in, *dev_out;
  HANDLE_ERROR(cudaMallocAsync(&dev_in, bytes, stream));
  HANDLE_ERROR(cudaMallocAsync(&dev_out, bytes, stream));
  HANDLE_ERROR(cudaMemcpyAsync(dev_in, in, bytes, cudaMemcpyHostToDevice, stream));
  square<<<(n + 255) / 256, 256, 0, stream>>>(dev_in, dev_out, n);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpyAsync(out, dev_out, bytes, cudaMemcpyDeviceToHost, stream));
  HANDLE_ERROR(cudaFreeAsync(dev_in, stream));
  HANDLE_ERROR(cudaFreeAsync(dev_out, stream));
}

int main() {
  const int n = 1000;
  int *in, *out;
  cudaStream_t stream;
  HANDLE_ERROR(cudaHostAlloc(&in, n * sizeof(int), cudaHostAllocDefault));
  HANDLE_ERROR(cudaHostAlloc(&out, n * sizeof(int), cudaHostAllocDefault));
  HANDLE_ERROR(cudaStreamCreate(&stream));
  for (int i = 0; i < n; i++) in[i] = i;
  square_in_stream(in, out, n, stream);
  HANDLE_ERROR(cudaStreamSynchronize(stream));
  const int last = out[n - 1];
  HANDLE_ERROR(cudaStreamDestroy(stream));
  HANDLE_ERROR(cudaFreeHost(in));
  HANDLE_ERROR(cudaFreeHost(out));
  printf("999 * 999 = %d\n", last);
  return last == 999 * 999 ? 0 : 1;
}
