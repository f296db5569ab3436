// Counts bytes with one column of counters per lane, so the threads of a warp never collide.
// Lane k uses only words of bank k: 32 atomics reach 32 banks at once, whatever the data are.
// Topic: histograms
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

__global__ void count_bytes(const unsigned char* data, size_t n, unsigned int* counts) {
  __shared__ unsigned int columns[256][32];  // [value][lane]: 32 KiB
  for (int i = threadIdx.x; i < 256 * 32; i += blockDim.x) columns[i / 32][i % 32] = 0;
  __syncthreads();

  const int lane = threadIdx.x % 32;
  const size_t stride = static_cast<size_t>(gridDim.x) * blockDim.x;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride)
    atomicAdd(&columns[data[i]][lane], 1);  // other warps use this column too: still atomic
  __syncthreads();

  for (int v = threadIdx.x; v < 256; v += blockDim.x) {
    unsigned int sum = 0;
    for (int k = 0; k < 32; k++) sum += columns[v][(lane + k) % 32];  // each lane its own bank
    if (sum > 0) atomicAdd(&counts[v], sum);
  }
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
  count_bytes<<<4, 1024>>>(dev_data, data.size(), dev_counts);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(counts, dev_counts, sizeof counts, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_data));
  HANDLE_ERROR(cudaFree(dev_counts));
  for (int v = 0; v < 256; v++)
    if (counts[v] != expected[v]) return printf("wrong count of %d\n", v), 1;
  printf("%zu bytes counted\n", data.size());
}
