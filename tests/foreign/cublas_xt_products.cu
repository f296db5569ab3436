// In the manner of NVIDIA's simpleCUBLASXT: a product of matrices in the host's memory, and one of mixed places.
#include <cublasXt.h>

#include <cstdio>
#include <vector>

int main() {
  const size_t m = 7, n = 5, k = 9;
  std::vector<float> a(m * k), b(n * k), c(m * n, 3), wanted(m * n);
  for (size_t i = 0; i < a.size(); i++) a[i] = float(i % 11) - 4;
  for (size_t i = 0; i < b.size(); i++) b[i] = float(i % 7) - 2;
  const float alpha = 2, beta = 1;
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < n; j++) {
      float sum = 0;
      for (size_t l = 0; l < k; l++) sum += a[i + l * m] * b[j + l * n];  // B is transposed
      wanted[i + j * m] = alpha * sum + beta * 3;
    }
  cublasXtHandle_t handle;
  int devices[1] = {0}, size = 0;
  if (cublasXtCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 1;
  if (cublasXtDeviceSelect(handle, 1, devices) != CUBLAS_STATUS_SUCCESS) return 2;
  cublasXtSetBlockDim(handle, 64);
  if (cublasXtGetBlockDim(handle, &size) != CUBLAS_STATUS_SUCCESS || size != 64) return 3;
  if (cublasXtSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &alpha, a.data(), m, b.data(), n, &beta, c.data(), m) !=
      CUBLAS_STATUS_SUCCESS)
    return 4;
  if (c != wanted) return 5;
  // B on the device, where a queued copy puts it: the product waits.
  float *device_b, *pinned;
  cudaMalloc(&device_b, b.size() * sizeof(float));
  cudaMallocHost(&pinned, b.size() * sizeof(float));
  for (size_t i = 0; i < b.size(); i++) pinned[i] = b[i];
  cudaMemcpyAsync(device_b, pinned, b.size() * sizeof(float), cudaMemcpyHostToDevice);
  c.assign(m * n, 3);
  if (cublasXtSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &alpha, a.data(), m, device_b, n, &beta, c.data(), m) !=
      CUBLAS_STATUS_SUCCESS)
    return 6;
  if (c != wanted) return 7;
  cublasXtDestroy(handle);
  cudaFree(device_b);
  cudaFreeHost(pinned);
  puts("right");
  return 0;
}
