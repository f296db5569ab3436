// What CUDA 13 answers on an H200 to a block of more than 1,024 threads (invalid value, not invalid
// configuration); and a part of the L2 cache that is set aside, as in NVIDIA's sample of stream attributes.
#include <cstdio>

__global__ void touch(int* data, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) data[i] = i;
}

int main() {
  int* data;
  const int n = 100000;
  if (cudaMallocManaged(&data, n * sizeof(int)) != cudaSuccess) return 1;
  touch<<<79, 1280>>>(data, n);
  cudaError_t code = cudaGetLastError();
  if (code != cudaErrorInvalidValue) return printf("1,280 threads: %s\n", cudaGetErrorName(code)), 1;
  touch<<<79, dim3(32, 33)>>>(data, n);
  code = cudaGetLastError();
  if (code != cudaErrorInvalidValue) return printf("32 x 33 threads: %s\n", cudaGetErrorName(code)), 1;
  touch<<<0, 128>>>(data, n);
  code = cudaGetLastError();
  if (code != cudaErrorInvalidValue) return printf("no block: %s\n", cudaGetErrorName(code)), 1;

  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  const size_t most = static_cast<size_t>(properties.persistingL2CacheMaxSize);
  if (properties.l2CacheSize <= 0 || most == 0 || most > static_cast<size_t>(properties.l2CacheSize) ||
      properties.accessPolicyMaxWindowSize <= 0)
    return printf("L2 %d, of which %zu may persist\n", properties.l2CacheSize, most), 1;
  size_t limit = 0;
  if (cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, most) != cudaSuccess) return 1;
  if (cudaDeviceGetLimit(&limit, cudaLimitPersistingL2CacheSize) != cudaSuccess || limit != most) return 1;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamAttrValue value = {};
  value.accessPolicyWindow.base_ptr = data;
  value.accessPolicyWindow.num_bytes = n * sizeof(int);
  value.accessPolicyWindow.hitRatio = 1;
  value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  value.accessPolicyWindow.missProp = cudaAccessPropertyNormal;
  if (cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value) != cudaSuccess) return 1;
  touch<<<8, 256, 0, stream>>>(data, n);
  if (cudaStreamSynchronize(stream) != cudaSuccess || cudaCtxResetPersistingL2Cache() != cudaSuccess) return 1;
  return data[n - 1] == n - 1 ? 0 : 1;
}
