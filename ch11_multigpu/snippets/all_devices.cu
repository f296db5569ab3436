// Splits work among all devices, driven by one host thread: queue everywhere, then wait everywhere.
// Topic: devices
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

__global__ void square(float* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= data[i];
}

// Device d of `count` gets the elements from n * d / count on. `data` is pinned.
void square_on_all_devices(float* data, int n) {
  int count = 0;
  HANDLE_ERROR(cudaGetDeviceCount(&count));
  std::vector<float*> buffer(count);
  std::vector<cudaStream_t> stream(count);
  const auto begin = [=](int d) { return static_cast<int>(static_cast<long long>(n) * d / count); };
  for (int d = 0; d < count; d++) {
    const int size = begin(d + 1) - begin(d);
    const size_t bytes = size * sizeof(float);
    float* part = data + begin(d);
    HANDLE_ERROR(cudaSetDevice(d));  // all calls below go to this device
    HANDLE_ERROR(cudaStreamCreate(&stream[d]));
    HANDLE_ERROR(cudaMalloc(&buffer[d], bytes));
    HANDLE_ERROR(cudaMemcpyAsync(buffer[d], part, bytes, cudaMemcpyHostToDevice, stream[d]));
    if (size > 0) square<<<(size + 255) / 256, 256, 0, stream[d]>>>(buffer[d], size);
    HANDLE_ERROR(cudaGetLastError());
    HANDLE_ERROR(cudaMemcpyAsync(part, buffer[d], bytes, cudaMemcpyDeviceToHost, stream[d]));
  }
  // A second loop: waiting in the first one would make the devices take turns.
  for (int d = 0; d < count; d++) {
    HANDLE_ERROR(cudaSetDevice(d));
    HANDLE_ERROR(cudaStreamSynchronize(stream[d]));
    HANDLE_ERROR(cudaFree(buffer[d]));
    HANDLE_ERROR(cudaStreamDestroy(stream[d]));
  }
}

int main() {
  const int n = 10007;
  float* data;
  HANDLE_ERROR(cudaHostAlloc(&data, n * sizeof(float), cudaHostAllocDefault));
  for (int i = 0; i < n; i++) data[i] = static_cast<float>(i % 1000);
  square_on_all_devices(data, n);
  int right = 0;
  for (int i = 0; i < n; i++) right += data[i] == static_cast<float>((i % 1000) * (i % 1000));
  HANDLE_ERROR(cudaFreeHost(data));
  printf("%d of %d are right\n", right, n);
  return right == n ? 0 : 1;
}
