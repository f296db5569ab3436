// In the manner of programs that go through all devices: each function that takes a device's number, with each number that
// there is, and those next to them. Link with -lcuda on a GPU.
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <functional>

int wrong = 0;

// `call` with each number; one beyond the devices must give the error that an H200 gives, or any (kAny).
const int kAny = -1;
void check(const char *name, int count, int expected, const std::function<int(int)> &call) {
  for (int device = -3; device <= count + 2; device++) {
    const bool there = device >= 0 && device < count;
    const int error = call(device);
    cudaGetLastError();
    if (there ? error == 0 : expected == kAny ? error != 0 : error == expected) continue;
    wrong++;
    fprintf(stderr, "%s of device %d of %d: error %d\n", name, device, count, error);
  }
}

int main() {
  setenv("CPU_DEVICE_COUNT", "3", 1);  // for a machine without a GPU
  int count = 0, value = 0, last = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) return 77;
  last = count - 1;
  char text[100], *managed, *memory;
  size_t bytes = 0;
  cudaDeviceProp properties;
  cudaMemPool_t pool;
  cudaMallocManaged(&managed, 1000);
  cudaMalloc(&memory, 1000);

  check("cudaSetDevice", count, cudaErrorInvalidDevice, [](int d) { return cudaSetDevice(d); });
  cudaSetDevice(last);
  check("cudaGetDeviceProperties", count, cudaErrorInvalidDevice, [&](int d) { return cudaGetDeviceProperties(&properties, d); });
  check("cudaDeviceGetAttribute", count, cudaErrorInvalidDevice, [&](int d) { return cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, d); });
  check("cudaDeviceCanAccessPeer, first", count, cudaErrorInvalidDevice, [&](int d) { return cudaDeviceCanAccessPeer(&value, d, last); });
  check("cudaDeviceCanAccessPeer, second", count, cudaErrorInvalidDevice, [&](int d) { return cudaDeviceCanAccessPeer(&value, last, d); });
  check("cudaDeviceGetPCIBusId", count, cudaErrorInvalidDevice, [&](int d) { return cudaDeviceGetPCIBusId(text, sizeof text, d); });
  check("cudaDeviceGetDefaultMemPool", count, cudaErrorInvalidDevice, [&](int d) { return cudaDeviceGetDefaultMemPool(&pool, d); });
  check("cudaDeviceGetMemPool", count, cudaErrorInvalidValue, [&](int d) { return cudaDeviceGetMemPool(&pool, d); });
  check("cudaMemcpyPeer, to", count, cudaErrorInvalidDevice, [&](int d) { return cudaMemcpyPeer(managed, d, memory, 0, 10); });
  check("cudaMemcpyPeer, from", count, cudaErrorInvalidDevice, [&](int d) { return cudaMemcpyPeer(memory, 0, managed, d, 10); });
  check("cudaMemcpyPeerAsync, to", count, cudaErrorInvalidDevice, [&](int d) { return cudaMemcpyPeerAsync(managed, d, memory, 0, 10, 0); });
  check("cudaMemcpyPeerAsync, from", count, cudaErrorInvalidDevice, [&](int d) { return cudaMemcpyPeerAsync(memory, 0, managed, d, 10, 0); });
  check("cudaMemPoolCreate", count, kAny, [&](int d) {
    cudaMemPoolProps how = {};
    how.allocType = cudaMemAllocationTypePinned;
    how.location.type = cudaMemLocationTypeDevice;
    how.location.id = d;
    const cudaError_t error = cudaMemPoolCreate(&pool, &how);
    if (error == cudaSuccess) cudaMemPoolDestroy(pool);
    return error;
  });

  CUdevice device;
  CUcontext context;
  CUuuid uuid;
  unsigned flags = 0;
  cuInit(0);
  check("cuDeviceGet", count, cudaErrorInvalidDevice, [&](int d) { return cuDeviceGet(&device, d); });
  check("cuDeviceGetName", count, cudaErrorInvalidDevice, [&](int d) { return cuDeviceGetName(text, sizeof text, d); });
  check("cuDeviceTotalMem", count, cudaErrorInvalidDevice, [&](int d) { return cuDeviceTotalMem(&bytes, d); });
  check("cuDeviceGetAttribute", count, cudaErrorInvalidDevice, [&](int d) { return cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, d); });
  check("cuDeviceGetUuid", count, cudaErrorInvalidDevice, [&](int d) { return cuDeviceGetUuid(&uuid, d); });
  check("cuDevicePrimaryCtxGetState", count, cudaErrorInvalidDevice, [&](int d) { return cuDevicePrimaryCtxGetState(d, &flags, &value); });
  check("cuDevicePrimaryCtxRetain", count, cudaErrorInvalidDevice, [&](int d) { return cuDevicePrimaryCtxRetain(&context, d); });
  check("cuDevicePrimaryCtxRelease", count, cudaErrorInvalidDevice, [&](int d) { return cuDevicePrimaryCtxRelease(d); });
  check("cuDeviceCanAccessPeer, first", count, cudaErrorInvalidDevice, [&](int d) { return cuDeviceCanAccessPeer(&value, d, last); });
  check("cuDeviceCanAccessPeer, second", count, cudaErrorInvalidDevice, [&](int d) { return cuDeviceCanAccessPeer(&value, last, d); });
  check("cuMemCreate", count, kAny, [&](int d) {
    CUmemAllocationProp what = {};
    what.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    what.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    what.location.id = d;
    CUmemGenericAllocationHandle piece;
    const CUresult error = cuMemCreate(&piece, 2 << 20, &what, 0);
    if (error == CUDA_SUCCESS) cuMemRelease(piece);
    return error;
  });
  puts(wrong ? "wrong" : "right");
  return wrong != 0;
}
