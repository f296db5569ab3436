// In the manner of programs that ask before they work: about streams, managed memory, limits,
// occupancy, attributes; and of assert and std::function's relative without their headers.
#include <cuda.h>

#include <cstdio>
#include <nvfunctional>
#include <nvtx3/nvtx3.hpp>

#define EXPECT(condition)                                     \
  do {                                                        \
    if (!(condition)) {                                       \
      fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
      return 1;                                               \
    }                                                         \
  } while (0)

struct __builtin_align__(16) Point {
  float x, y, z;
};

extern "C" __global__ void scale(float *x, float by, int n) {
  assert(n > 0);
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}
__global__ void apply(float *x) {
  nvstd::function<float(float)> twice = [](float value) { return 2 * value; };
  *x = twice(*x);
}

int streams() {
  int least, greatest, priority;
  cudaDeviceGetStreamPriorityRange(&least, &greatest);
  EXPECT(least == 0 && greatest < 0);
  cudaStream_t stream;
  cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest);
  unsigned int flags;
  unsigned long long id;
  EXPECT(cudaStreamGetPriority(stream, &priority) == cudaSuccess && priority == greatest);
  EXPECT(cudaStreamGetFlags(stream, &flags) == cudaSuccess && flags == cudaStreamNonBlocking);
  EXPECT(cudaStreamGetId(stream, &id) == cudaSuccess);
  return 0;
}

int managed_memory() {
  float *x;
  cudaMallocManaged(&x, 4096);
  int device, value;
  cudaGetDevice(&device);
  cudaMemAdvise(x, 4096, cudaMemAdviseSetReadMostly, device);
  cudaMemAdvise(x, 4096, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId);
  cudaMemPrefetchAsync(x, 4096, device, 0);
  EXPECT(cudaMemRangeGetAttribute(&value, sizeof value, cudaMemRangeAttributeReadMostly, x, 4096) ==
             cudaSuccess &&
         value == 1);
  EXPECT(cudaMemRangeGetAttribute(&value, sizeof value, cudaMemRangeAttributePreferredLocation, x,
                                  4096) == cudaSuccess &&
         value == cudaCpuDeviceId);
  EXPECT(cudaMemRangeGetAttribute(&value, sizeof value, cudaMemRangeAttributeLastPrefetchLocation,
                                  x, 4096) == cudaSuccess &&
         value == device);
  cudaFree(x);
  return 0;
}

int limits() {
  size_t value;
  EXPECT(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 128 << 20) == cudaSuccess);
  EXPECT(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize) == cudaSuccess && value == 128 << 20);
  EXPECT(cudaOccupancyAvailableDynamicSMemPerBlock(&value, scale, 2, 128) == cudaSuccess);
  EXPECT(value > 0);
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  int width;
  cudaDeviceGetAttribute(&width, cudaDevAttrMaxSurface2DWidth, 0);
  EXPECT(width == properties.maxSurface2D[0]);
  return 0;
}

// A kernel of this program, launched by the driver interface.
int driver() {
  CUcontext context;
  CUdevice device;
  cuInit(0);
  cuDeviceGet(&device, 0);
  cuDevicePrimaryCtxRetain(&context, device);
  cuCtxSetCurrent(context);
  CUdeviceptr x;
  const int n = 100;
  float back[n] = {};
  EXPECT(cuMemAlloc(&x, sizeof back) == CUDA_SUCCESS);
  cuMemsetD32(x, 0x3f800000, n);
  cudaFunction_t found;
  EXPECT(cudaGetFuncBySymbol(&found, scale) == cudaSuccess);
  float by = 3;
  int count = n, threads;
  void *arguments[] = {&x, &by, &count};
  EXPECT(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, found) ==
         CUDA_SUCCESS);
  EXPECT(cuLaunchKernel(found, 1, 1, 1, 128, 1, 1, 0, 0, arguments, 0) == CUDA_SUCCESS);
  CUmemorytype type;
  EXPECT(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, x) == CUDA_SUCCESS);
  EXPECT(type == CU_MEMORYTYPE_DEVICE);
  CUDA_MEMCPY2D rows = {0};
  rows.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  rows.srcDevice = x;
  rows.srcPitch = rows.dstPitch = rows.WidthInBytes = 40;
  rows.dstMemoryType = CU_MEMORYTYPE_HOST;
  rows.dstHost = back;
  rows.Height = 10;
  EXPECT(cuMemcpy2D(&rows) == CUDA_SUCCESS);
  EXPECT(back[0] == 3 && back[n - 1] == 3);
  return 0;
}

int main() {
  NVTX3_FUNC_RANGE();
  nvtx3::scoped_range range{"main"};
  EXPECT(sizeof(Point) == 16);
  float *x;
  cudaMallocManaged(&x, sizeof *x);
  *x = 21;
  apply<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  EXPECT(*x == 42);
  if (streams() || managed_memory() || limits() || driver()) return 1;
  printf("right\n");
  return 0;
}
