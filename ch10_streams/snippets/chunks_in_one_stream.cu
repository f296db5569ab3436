// Copies, computes and copies back chunk by chunk in one stream: nothing overlaps.
// Topic: streams
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

// `rounds` steps of a random number generator per element stand for real work.
__global__ void work(unsigned int* data, int n, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned int value = data[i];
  for (int round = 0; round < rounds; round++) value = value * 1664525u + 1013904223u;
  data[i] = value;
}

// Works on n elements in pinned host memory, in chunks.
void work_in_one_stream(unsigned int* data, int n, int chunk, int rounds) {
  cudaStream_t stream;
  unsigned int* buffer;
  HANDLE_ERROR(cudaStreamCreate(&stream));
  HANDLE_ERROR(cudaMalloc(&buffer, chunk * sizeof(*data)));
  for (int i = 0; i < n; i += chunk) {
    const int count = std::min(chunk, n - i);
    const size_t bytes = count * sizeof(*data);
    HANDLE_ERROR(cudaMemcpyAsync(buffer, data + i, bytes, cudaMemcpyHostToDevice, stream));
    work<<<(count + 255) / 256, 256, 0, stream>>>(buffer, count, rounds);
    HANDLE_ERROR(cudaGetLastError());
    HANDLE_ERROR(cudaMemcpyAsync(data + i, buffer, bytes, cudaMemcpyDeviceToHost, stream));
  }
  HANDLE_ERROR(cudaStreamSynchronize(stream));  // before this, the results are not valid
  HANDLE_ERROR(cudaFree(buffer));
  HANDLE_ERROR(cudaStreamDestroy(stream));
}

int main() {
  const int n = 10000;
  unsigned int* data;
  HANDLE_ERROR(cudaHostAlloc(&data, n * sizeof(*data), cudaHostAllocDefault));
  for (int i = 0; i < n; i++) data[i] = i;
  work_in_one_stream(data, n, 3000, 1);
  int right = 0;
  for (int i = 0; i < n; i++) right += data[i] == i * 1664525u + 1013904223u;
  HANDLE_ERROR(cudaFreeHost(data));
  printf("%d of %d are right\n", right, n);
  return right == n ? 0 : 1;
}
