// Counts how often each byte value occurs, with one atomicAdd per byte in global memory.
// Correct, but slow: all threads of the grid compete for the same 256 counters.
// Topic: histograms
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

__global__ void count_bytes(const unsigned char* data, size_t n, unsigned int* counts) {
  const size_t stride = static_cast<size_t>(gridDim.x) * blockDim.x;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride)
    atomicAdd(&counts[data[i]], 1);
}

// counts[v]: how many of the n bytes are v.
void histogram(const unsigned char* data, size_t n, unsigned int* counts) {
  unsigned char* dev_data;
  unsigned int* dev_counts;
  HANDLE_ERROR(cudaMalloc(&dev_data, n));
  HANDLE_ERROR(cudaMalloc(&dev_counts, 256 * sizeof(unsigned int)));
  HANDLE_ERROR(cudaMemcpy(dev_data, data, n, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemset(dev_counts, 0, 256 * sizeof(unsigned int)));
  count_bytes<<<264, 256>>>(dev_data, n, dev_counts);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(counts, dev_counts, 256 * sizeof(unsigned int), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_data));
  HANDLE_ERROR(cudaFree(dev_counts));
}

int main() {
  std::vector<unsigned char> data(100000);
  for (size_t i = 0; i < data.size(); i++) data[i] = static_cast<unsigned char>(i * i / 7);
  unsigned int counts[256], expected[256] = {};
  for (unsigned char byte : data) expected[byte]++;
  histogram(data.data(), data.size(), counts);
  for (int v = 0; v < 256; v++)
    if (counts[v] != expected[v]) return printf("wrong count of %d\n", v), 1;
  printf("%zu bytes counted\n", data.size());
}
