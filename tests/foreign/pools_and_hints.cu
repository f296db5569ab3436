// In the manner of programs for newer GPUs: stream-ordered memory, pools, persisting L2 windows,
// launch attributes. None of it changes the results.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                  \
  do {                                                                               \
    cudaError_t error = (call);                                                      \
    if (error != cudaSuccess) {                                                      \
      fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(error));         \
      exit(1);                                                                       \
    }                                                                                \
  } while (0)

__global__ void square(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * x[i];
}

int main() {
  const int n = 1000;
  int supported = 0, least, greatest;
  CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
  if (!supported) return 77;
  CHECK(cudaSetDeviceFlags(cudaDeviceBlockingSync));
  cudaStream_t stream;
  CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  CHECK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest));
  cudaMemPool_t pool;
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
  uint64_t threshold = UINT64_MAX;
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  float host[n];
  for (int i = 0; i < n; i++) host[i] = 0.5f * i;
  const float *x;
  float *y;
  CHECK(cudaMallocAsync((void **)&x, sizeof host, stream));
  CHECK(cudaMallocAsync(&y, sizeof host, stream));
  CHECK(cudaMemcpyAsync((void *)x, host, sizeof host, cudaMemcpyHostToDevice, stream));
  cudaStreamAttrValue window = {};
  window.accessPolicyWindow.base_ptr = (void *)x;
  window.accessPolicyWindow.num_bytes = sizeof host;
  window.accessPolicyWindow.hitRatio = 1.0f;
  window.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  window.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  CHECK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &window));
  cudaLaunchConfig_t config = {};
  config.gridDim = (n + 127) / 128;
  config.blockDim = 128;
  config.stream = stream;
  CHECK(cudaLaunchKernelEx(&config, square, x, y, n));
  CHECK(cudaMemcpyAsync(host, y, sizeof host, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaFreeAsync((void *)x, stream));
  CHECK(cudaFreeAsync(y, stream));
  CHECK(cudaStreamSynchronize(stream));
  for (int i = 0; i < n; i++)
    if (host[i] != 0.25f * i * i) return 1;
  CHECK(cudaStreamDestroy(stream));
  printf("as without the hints\n");
  return 0;
}
