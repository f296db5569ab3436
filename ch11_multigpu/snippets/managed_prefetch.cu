// Moves managed memory to the device before a kernel needs it, with CUDA 12 and 13.
// Topic: memory
#include <cstdio>
#include <cstdlib>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

__global__ void square(float* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= data[i];
}

// A hint: it affects speed, not correctness.
void prefetch(const void* memory, size_t bytes, int device) {
  int can_migrate = 0;  // whether pages can move while kernels run
  HANDLE_ERROR(cudaDeviceGetAttribute(&can_migrate, cudaDevAttrConcurrentManagedAccess, device));
  if (!can_migrate) return;
#if CUDART_VERSION >= 13000
  cudaMemLocation location = {};
  location.type = cudaMemLocationTypeDevice;
  location.id = device;
  HANDLE_ERROR(cudaMemPrefetchAsync(memory, bytes, location, 0, 0));
#else
  HANDLE_ERROR(cudaMemPrefetchAsync(memory, bytes, device, 0));
#endif
}

int main() {
  const int n = 10000;
  float* data;  // one address for the host and the device
  HANDLE_ERROR(cudaMallocManaged(&data, n * sizeof(float)));
  for (int i = 0; i < n; i++) data[i] = 3;
  prefetch(data, n * sizeof(float), 0);
  square<<<(n + 255) / 256, 256>>>(data, n);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaDeviceSynchronize());  // before the host reads
  int right = 0;
  for (int i = 0; i < n; i++) right += data[i] == 9;
  HANDLE_ERROR(cudaFree(data));
  printf("%d of %d are right\n", right, n);
  return right == n ? 0 : 1;
}
