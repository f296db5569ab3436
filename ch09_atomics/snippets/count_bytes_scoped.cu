// Counts bytes with cuda::atomic_ref, which states the scope and the memory order of each atomic.
// Scope: which threads take part. Order: which other accesses it orders (relaxed: none).
// Topic: histograms
#include <cstdio>
#include <cstdlib>
#include <cuda/atomic>
#include <vector>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

using BlockAtomic = cuda::atomic_ref<unsigned int, cuda::thread_scope_block>;
using DeviceAtomic = cuda::atomic_ref<unsigned int, cuda::thread_scope_device>;

__global__ void count_bytes(const unsigned char* data, int n, unsigned int* counts) {
  __shared__ unsigned int block_counts[256];
  for (int v = threadIdx.x; v < 256; v += blockDim.x) block_counts[v] = 0;
  __syncthreads();

  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    BlockAtomic(block_counts[data[i]]).fetch_add(1, cuda::memory_order_relaxed);
  __syncthreads();

  for (int v = threadIdx.x; v < 256; v += blockDim.x)
    DeviceAtomic(counts[v]).fetch_add(block_counts[v], cuda::memory_order_relaxed);
}

int main() {
  std::vector<unsigned char> data(100000);
  for (size_t i = 0; i < data.size(); i++) data[i] = static_cast<unsigned char>(i * i / 7);
  unsigned int counts[256], expected[256] = {}, *dev_counts;
  for (unsigned char byte : data) expected[byte]++;
  unsigned char* dev_data;
  HANDLE_ERROR(cudaMalloc(&dev_data, data.size()));
  HANDLE_ERROR(cudaMalloc(&dev_counts, sizeof counts));
  HANDLE_ERROR(cudaMemcpy(dev_data, data.data(), data.size(), cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemset(dev_counts, 0, sizeof counts));
  count_bytes<<<16, 256>>>(dev_data, static_cast<int>(data.size()), dev_counts);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(counts, dev_counts, sizeof counts, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_data));
  HANDLE_ERROR(cudaFree(dev_counts));
  for (int v = 0; v < 256; v++)
    if (counts[v] != expected[v]) return printf("wrong count of %d\n", v), 1;
  printf("%zu bytes counted\n", data.size());
}
