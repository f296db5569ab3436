// Sums up on the device with the same bits in every run: the last block adds the partial sums.
// Topic: reductions
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

__device__ unsigned int finished = 0;  // blocks that have stored their partial sum

__global__ void sum_of(const float* data, int n, float* partial, float* result) {
  __shared__ float cache[256];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += data[i];
  cache[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x != 0) return;
  partial[blockIdx.x] = cache[0];
  __threadfence();  // the partial sum is visible before the count
  if (atomicAdd(&finished, 1) != gridDim.x - 1) return;
  __threadfence();  // the other blocks' sums are read after the count
  float total = 0;
  for (unsigned block = 0; block < gridDim.x; block++) total += partial[block];
  *result = total;
  finished = 0;  // for the next launch
}

int main() {
  const int n = 10000, blocks = 20;
  std::vector<float> data(n, 0.5f);
  float result = 0, *dev_data, *partial, *dev_result;
  HANDLE_ERROR(cudaMalloc(&dev_data, n * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&partial, blocks * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&dev_result, sizeof(float)));
  HANDLE_ERROR(cudaMemcpy(dev_data, data.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  for (int launch = 0; launch < 2; launch++) {  // the second one needs the reset
    HANDLE_ERROR(cudaMemset(dev_result, 0, sizeof(float)));
    sum_of<<<blocks, 256>>>(dev_data, n, partial, dev_result);
    HANDLE_ERROR(cudaGetLastError());
  }
  HANDLE_ERROR(cudaMemcpy(&result, dev_result, sizeof(float), cudaMemcpyDeviceToHost));
  for (float* memory : {dev_data, partial, dev_result}) HANDLE_ERROR(cudaFree(memory));
  printf("sum: %g\n", result);
  return result == 5000 ? 0 : 1;
}
