// In the manner of courses about host memory: mapped, registered, write-combined and portable memory, a producer and a consumer
// through system-wide atomics, 2-D and 3-D copies with offsets, symbols, and error handling that recovers.
#include <cuda/atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#define TRY(x)                                                                             \
  do {                                                                                     \
    cudaError_t e = (x);                                                                   \
    if (e != cudaSuccess) {                                                                \
      fprintf(stderr, "%s:%d '%s' -> %s\n", __FILE__, __LINE__, #x, cudaGetErrorString(e)); \
      return __LINE__ & 0x7f ? __LINE__ & 0x7f : 1;                                        \
    }                                                                                      \
  } while (0)

__constant__ float coefficients[8];
__device__ float device_table[16];
__device__ int device_result;

__global__ void increment(int* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i]++;
}
__global__ void polynomial() {
  float x = 0.5f, sum = 0;
  for (int i = 7; i >= 0; i--) sum = sum * x + coefficients[i];
  device_table[threadIdx.x] = sum + threadIdx.x;
  if (threadIdx.x == 0) device_result = 42;
}
__global__ void answer(cuda::atomic<int, cuda::thread_scope_system>* flag, volatile int* data) {
  while (flag->load(cuda::memory_order_acquire) != 1) {
  }
  *data *= 2;
  flag->store(2, cuda::memory_order_release);
}
__global__ void sum_volume(cudaPitchedPtr p, cudaExtent e, int* sum) {
  for (size_t z = threadIdx.x; z < e.depth; z += blockDim.x)
    for (size_t y = 0; y < e.height; y++) {
      const int* row = (const int*)((const char*)p.ptr + (z * e.height + y) * p.pitch);
      for (size_t x = 0; x < e.width / sizeof(int); x++) atomicAdd(sum, row[x]);
    }
}
__global__ void fault(int* p) { p[threadIdx.x] = 1; }

int main() {
  cudaDeviceProp prop;
  TRY(cudaGetDeviceProperties(&prop, 0));
  if (!prop.canMapHostMemory) return 77;
  TRY(cudaSetDeviceFlags(cudaDeviceMapHost | cudaDeviceScheduleBlockingSync));
  // Mapped, and registered.
  const int n = 1000;
  int *mapped, *on_device, *combined;
  TRY(cudaHostAlloc((void**)&mapped, n * sizeof(int), cudaHostAllocMapped | cudaHostAllocPortable));
  TRY(cudaHostAlloc((void**)&combined, n * sizeof(int), cudaHostAllocWriteCombined | cudaHostAllocMapped));
  for (int i = 0; i < n; i++) mapped[i] = i, combined[i] = -i;
  TRY(cudaHostGetDevicePointer((void**)&on_device, mapped, 0));
  increment<<<(n + 127) / 128, 128>>>(on_device, n);
  std::vector<int> ordinary(n, 7);
  TRY(cudaHostRegister(ordinary.data(), n * sizeof(int), cudaHostRegisterMapped));
  int* registered;
  TRY(cudaHostGetDevicePointer((void**)&registered, ordinary.data(), 0));
  increment<<<(n + 127) / 128, 128>>>(registered, n);
  TRY(cudaDeviceSynchronize());
  TRY(cudaHostUnregister(ordinary.data()));
  unsigned flags = 0;
  TRY(cudaHostGetFlags(&flags, mapped));
  if ((flags & cudaHostAllocMapped) == 0) return 2;
  for (int i = 0; i < n; i++)
    if (mapped[i] != i + 1 || ordinary[i] != 8) return 3;

  // Symbols.
  float host[8] = {1, 2, 3, 4, 5, 6, 7, 8}, table[16];
  TRY(cudaMemcpyToSymbol(coefficients, host, 4 * sizeof(float)));
  TRY(cudaMemcpyToSymbol(coefficients, host + 4, 4 * sizeof(float), 4 * sizeof(float), cudaMemcpyHostToDevice));
  polynomial<<<1, 16>>>();
  TRY(cudaMemcpyFromSymbol(table, device_table, 8 * sizeof(float), 8 * sizeof(float)));
  int result = 0, *address;
  size_t bytes;
  TRY(cudaGetSymbolAddress((void**)&address, device_result));
  TRY(cudaGetSymbolSize(&bytes, device_table));
  TRY(cudaMemcpy(&result, address, sizeof(int), cudaMemcpyDeviceToHost));
  float expected = 0;
  for (int i = 7; i >= 0; i--) expected = expected * 0.5f + host[i];
  if (result != 42 || bytes != 64 || table[0] != expected + 8) return 4;

  // A conversation with a kernel.
  using Flag = cuda::atomic<int, cuda::thread_scope_system>;
  Flag* flag;
  int* data;
  TRY(cudaMallocHost(&flag, sizeof(Flag)));
  TRY(cudaMallocHost(&data, sizeof(int)));
  new (flag) Flag(0);
  *data = 0;
  answer<<<1, 1>>>(flag, data);
  std::thread producer([&] {
    *data = 21;
    flag->store(1, cuda::memory_order_release);
  });
  producer.join();
  while (flag->load(cuda::memory_order_acquire) != 2) {
  }
  if (*data != 42) return 5;
  TRY(cudaDeviceSynchronize());

  // Volumes.
  cudaExtent extent = make_cudaExtent(10 * sizeof(int), 6, 4);
  cudaPitchedPtr volume;
  TRY(cudaMalloc3D(&volume, extent));
  TRY(cudaMemset3D(volume, 0, extent));
  std::vector<int> box(3 * 2 * 2);
  for (size_t i = 0; i < box.size(); i++) box[i] = i + 1;
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(box.data(), 3 * sizeof(int), 3, 2);
  copy.dstPtr = volume;
  copy.dstPos = make_cudaPos(2 * sizeof(int), 1, 1);
  copy.extent = make_cudaExtent(3 * sizeof(int), 2, 2);
  copy.kind = cudaMemcpyHostToDevice;
  TRY(cudaMemcpy3DAsync(&copy, 0));
  int *sum, total;
  TRY(cudaMalloc(&sum, sizeof(int)));
  TRY(cudaMemset(sum, 0, sizeof(int)));
  sum_volume<<<1, 4>>>(volume, extent, sum);
  TRY(cudaMemcpy(&total, sum, sizeof(int), cudaMemcpyDeviceToHost));
  int row[10];
  TRY(cudaMemcpy2D(row, sizeof row, (char*)volume.ptr + (1 * 6 + 2) * volume.pitch, volume.pitch, sizeof row, 1, cudaMemcpyDeviceToHost));
  if (total != 78 || row[2] != 4 || row[4] != 6 || row[5] != 0) return 6;

  // Errors that are not sticky.
  increment<<<1, 2048>>>(mapped, n);
  const cudaError_t refused = cudaGetLastError();  // an H200 with CUDA 13 says cudaErrorInvalidValue
  if ((refused != cudaErrorInvalidConfiguration && refused != cudaErrorInvalidValue) || cudaGetLastError() != cudaSuccess) return 7;
  void* too_much = nullptr;
  if (cudaMalloc(&too_much, size_t(1) << 50) != cudaErrorMemoryAllocation) return 8;
  if (cudaPeekAtLastError() != cudaErrorMemoryAllocation || cudaGetLastError() != cudaErrorMemoryAllocation) return 9;
  if (cudaMemcpy(sum, mapped, sizeof(int), (cudaMemcpyKind)77) != cudaErrorInvalidMemcpyDirection) return 10;
  if (cudaSetDevice(99) != cudaErrorInvalidDevice) return 11;
  if (strcmp(cudaGetErrorName(cudaErrorInvalidDevice), "cudaErrorInvalidDevice")) return 12;
  cudaGetLastError();
  increment<<<1, 32>>>(sum, 1);
  TRY(cudaDeviceSynchronize());
  TRY(cudaFreeHost(mapped));
  TRY(cudaFreeHost(combined));
  TRY(cudaFree(volume.ptr));
  puts("all right");
  return 0;
}
