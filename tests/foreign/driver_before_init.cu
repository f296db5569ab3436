// In the manner of programs that load the driver interface themselves: every call before cuInit() says so, and
// what needs a context says so while there is none. Link with -lcuda on a GPU.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

int wrong = 0;
// What a call may write into: it must stay as it is.
alignas(16) unsigned char there[1024];
template <typename T>
T *into() { return reinterpret_cast<T *>(there); }
void check(const char *call, CUresult got, CUresult wanted) {
  bool untouched = true;
#ifdef __CPU_DEVICE__  // a GPU's driver often writes a 0 before it looks for a context
  for (const unsigned char byte : there) untouched &= byte == 0xa5;
#endif
  if (got == wanted && untouched) return;
  wrong++;
  printf("%s: %d instead of %d%s\n", call, got, wanted, untouched ? "" : ", and it wrote something");
  memset(there, 0xa5, sizeof there);
}

// Only for a call that fails: with whatever values.
#define NEED_A_CONTEXT(X)                                                                                           \
  X(cuCtxGetDevice(into<CUdevice>())) X(cuCtxGetFlags(into<unsigned>())) X(cuCtxSynchronize())                      \
  X(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096))                                                                      \
  X(cuMemGetInfo(into<size_t>(), into<size_t>() + 1)) X(cuMemAlloc(into<CUdeviceptr>(), 64))                        \
  X(cuMemAllocPitch(into<CUdeviceptr>(), into<size_t>() + 1, 64, 4, 4))                                             \
  X(cuMemAllocManaged(into<CUdeviceptr>(), 64, CU_MEM_ATTACH_GLOBAL)) X(cuMemAllocHost(into<void *>(), 64))         \
  X(cuMemHostAlloc(into<void *>(), 64, 0)) X(cuMemHostRegister(of_host, sizeof of_host, 0))                         \
  X(cuStreamCreate(into<CUstream>(), CU_STREAM_DEFAULT)) X(cuStreamCreateWithPriority(into<CUstream>(), CU_STREAM_DEFAULT, 0)) \
  X(cuEventCreate(into<CUevent>(), CU_EVENT_DEFAULT)) X(cuArrayCreate(into<CUarray>(), &form))                      \
  X(cuModuleLoadData(into<CUmodule>(), ""))
#define NEED_INIT(X)                                                                                                \
  X(cuModuleLoad(into<CUmodule>(), "no_such_file.cubin")) X(cuCtxGetStreamPriorityRange(into<int>(), into<int>() + 1)) \
  X(cuCtxGetLimit(into<size_t>(), CU_LIMIT_STACK_SIZE))                                                             \
  X(cuDeviceGet(into<CUdevice>(), 0)) X(cuDeviceGetCount(into<int>())) X(cuDeviceGetName(into<char>(), 100, 0))     \
  X(cuDeviceGetUuid(into<CUuuid>(), 0)) X(cuDeviceTotalMem(into<size_t>(), 0))                                      \
  X(cuDeviceGetAttribute(into<int>(), CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0)) X(cuDeviceGetPCIBusId(into<char>(), 100, 0)) \
  X(cuDeviceGetByPCIBusId(into<CUdevice>(), "0000:01:00.0")) X(cuDeviceCanAccessPeer(into<int>(), 0, 0))            \
  X(cuDevicePrimaryCtxRetain(into<CUcontext>(), 0)) X(cuDevicePrimaryCtxRelease(0)) X(cuDevicePrimaryCtxReset(0))   \
  X(cuDevicePrimaryCtxGetState(0, into<unsigned>(), into<int>() + 1)) X(cuDevicePrimaryCtxSetFlags(0, 0))           \
  X(cuDeviceGetDefaultMemPool(into<CUmemoryPool>(), 0)) X(cuDeviceGetMemPool(into<CUmemoryPool>(), 0))              \
  X(cuCtxGetCurrent(into<CUcontext>())) X(cuCtxSetCurrent(nullptr)) X(cuCtxPopCurrent(into<CUcontext>()))           \
  X(cuMemFree(address)) X(cuMemFreeHost(of_host)) X(cuMemHostUnregister(of_host))                                   \
  X(cuMemHostGetDevicePointer(into<CUdeviceptr>(), of_host, 0)) X(cuMemHostGetFlags(into<unsigned>(), of_host))     \
  X(cuMemGetAddressRange(into<CUdeviceptr>(), into<size_t>() + 1, address))                                         \
  X(cuPointerGetAttribute(into<int>(), CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address))                                  \
  X(cuMemcpy(address, address, 4)) X(cuMemcpyHtoD(address, of_host, 4)) X(cuMemcpyDtoH(of_host, address, 4))        \
  X(cuMemcpyDtoD(address, address, 4)) X(cuMemcpyAsync(address, address, 4, nullptr))                               \
  X(cuMemcpyHtoDAsync(address, of_host, 4, nullptr)) X(cuMemcpyDtoHAsync(of_host, address, 4, nullptr))             \
  X(cuMemcpyDtoDAsync(address, address, 4, nullptr)) X(cuMemcpy2D(&copy)) X(cuMemcpy2DAsync(&copy, nullptr))        \
  X(cuMemsetD8(address, 1, 4)) X(cuMemsetD16(address, 1, 4)) X(cuMemsetD32(address, 1, 4))                          \
  X(cuMemsetD8Async(address, 1, 4, nullptr)) X(cuMemsetD16Async(address, 1, 4, nullptr))                            \
  X(cuMemsetD32Async(address, 1, 4, nullptr)) X(cuMemAllocAsync(into<CUdeviceptr>(), 64, nullptr))                  \
  X(cuMemFreeAsync(address, nullptr)) X(cuStreamSynchronize(nullptr)) X(cuStreamQuery(nullptr))                     \
  X(cuStreamGetFlags(nullptr, into<unsigned>())) X(cuStreamGetPriority(nullptr, into<int>()))                       \
  X(cuMemGetAllocationGranularity(into<size_t>(), &what, CU_MEM_ALLOC_GRANULARITY_MINIMUM))                         \
  X(cuMemAddressReserve(into<CUdeviceptr>(), 1 << 21, 0, 0, 0)) X(cuMemAddressFree(address, 1 << 21))               \
  X(cuMemCreate(into<CUmemGenericAllocationHandle>(), 1 << 21, &what, 0)) X(cuMemUnmap(address, 1 << 21))           \
  X(cuLibraryLoadData(into<CUlibrary>(), "", nullptr, nullptr, 0, nullptr, nullptr, 0))                             \
  X(cuLibraryLoadFromFile(into<CUlibrary>(), "no_such_file", nullptr, nullptr, 0, nullptr, nullptr, 0))             \
  X(cuModuleLoadDataEx(into<CUmodule>(), "", 0, nullptr, nullptr)) X(cuModuleLoadFatBinary(into<CUmodule>(), ""))   \
  X(cuMemRelease(7)) X(cuMemMap(address, 1 << 21, 0, 7, 0)) X(cuMemSetAccess(address, 1 << 21, &access, 1))         \
  X(cuMemGetAccess(into<unsigned long long>(), &what.location, address))                                            \
  X(cuMemRetainAllocationHandle(into<CUmemGenericAllocationHandle>(), of_host))                                     \
  X(cuMemGetAllocationPropertiesFromHandle(into<CUmemAllocationProp>(), 7))                                         \
  X(cuArray3DCreate(into<CUarray>(), &form_3d)) X(cuArrayDestroy(nullptr))                                          \
  X(cuMemcpyHtoA(nullptr, 0, of_host, 4)) X(cuMemcpyAtoH(of_host, nullptr, 0, 4))                                   \
  X(cuTexObjectCreate(into<CUtexObject>(), &resource, &how, nullptr)) X(cuTexObjectDestroy(0))                      \
  X(cuSurfObjectCreate(into<CUsurfObject>(), &resource)) X(cuSurfObjectDestroy(0))                                  \
  X(cuStreamWaitEvent(nullptr, nullptr, 0)) X(cuEventRecord(nullptr, nullptr))                                      \
  X(cuStreamAddCallback(nullptr, called, nullptr, 0))                                                               \
  X(cuLaunchHostFunc(nullptr, called_too, nullptr)) X(cuStreamGetId(nullptr, into<unsigned long long>()))           \
  X(cuFuncSetAttribute(nullptr, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 4))                                \
  X(cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr))                                        \
  X(cuMemPoolCreate(into<CUmemoryPool>(), &pool)) X(cuMemAllocFromPoolAsync(into<CUdeviceptr>(), 64, nullptr, nullptr)) \
  X(cuPointerGetAttributes(1, &type, &somewhere, address)) X(cuDeviceSetMemPool(0, nullptr))                        \
  X(cuCtxPushCurrent(nullptr))
// Of a null handle, or a value, the answer comes before that about the driver: as measured.
#define NEED_A_HANDLE(X) \
  X(cuArrayGetDescriptor(into<CUDA_ARRAY_DESCRIPTOR>(), nullptr)) X(cuArray3DGetDescriptor(into<CUDA_ARRAY3D_DESCRIPTOR>(), nullptr)) \
  X(cuStreamDestroy(nullptr)) X(cuEventDestroy(nullptr)) \
  X(cuEventSynchronize(nullptr)) X(cuEventQuery(nullptr)) \
  X(cuEventElapsedTime(into<float>(), nullptr, nullptr)) X(cuFuncGetAttribute(into<int>(), CU_FUNC_ATTRIBUTE_NUM_REGS, nullptr))
#define NEED_A_VALUE(X) X(cuFuncGetName(into<const char *>(), nullptr)) X(cuCtxDestroy(nullptr))
// The same device in each: one that does not exist.
#define NEED_A_DEVICE(X)                                                                                            \
  X(cuDeviceGet(into<CUdevice>(), device)) X(cuDeviceGetName(into<char>(), 100, device))                            \
  X(cuDeviceGetUuid(into<CUuuid>(), device)) X(cuDeviceTotalMem(into<size_t>(), device))                            \
  X(cuDeviceGetAttribute(into<int>(), CU_DEVICE_ATTRIBUTE_WARP_SIZE, device))                                       \
  X(cuDeviceGetPCIBusId(into<char>(), 100, device)) X(cuDeviceCanAccessPeer(into<int>(), device, 0))                \
  X(cuDeviceComputeCapability(into<int>(), into<int>() + 1, device))                                                \
  X(cuDeviceGetProperties(into<CUdevprop>(), device)) X(cuDevicePrimaryCtxRetain(into<CUcontext>(), device))        \
  X(cuDevicePrimaryCtxRelease(device)) X(cuDevicePrimaryCtxReset(device)) X(cuDevicePrimaryCtxSetFlags(device, 0))  \
  X(cuDevicePrimaryCtxGetState(device, into<unsigned>(), into<int>() + 1))                                          \
  X(cuDeviceGetDefaultMemPool(into<CUmemoryPool>(), device))                                                        \
  X(create_context(into<CUcontext>(), device))

void called(CUstream, CUresult, void *) {}
void called_too(void *) {}
CUresult create_context(CUcontext *context, CUdevice device) {
#if CUDA_VERSION >= 13000
  return cuCtxCreate(context, nullptr, 0, device);
#else
  return cuCtxCreate(context, 0, device);
#endif
}

int main() {
  memset(there, 0xa5, sizeof there);
  static int of_host[16];
  const CUdeviceptr address = reinterpret_cast<CUdeviceptr>(of_host);
  CUDA_ARRAY_DESCRIPTOR form = {};
  form.Width = 32, form.Format = CU_AD_FORMAT_SIGNED_INT32, form.NumChannels = 1;
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = of_host, copy.dstHost = of_host + 4, copy.WidthInBytes = 4, copy.Height = 1;
  CUmemAllocationProp what = {};
  what.type = CU_MEM_ALLOCATION_TYPE_PINNED, what.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  CUmemAccessDesc access = {};
  access.location = what.location, access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  CUDA_ARRAY3D_DESCRIPTOR form_3d = {};
  form_3d.Width = form_3d.Height = form_3d.Depth = 4, form_3d.Format = form.Format, form_3d.NumChannels = 1;
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_LINEAR, resource.res.linear.devPtr = address;
  resource.res.linear.format = form.Format, resource.res.linear.numChannels = 1, resource.res.linear.sizeInBytes = 64;
  CUDA_TEXTURE_DESC how = {};
  CUmemPoolProps pool = {};
  pool.allocType = CU_MEM_ALLOCATION_TYPE_PINNED, pool.location = what.location;
  CUpointer_attribute type = CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
  void *somewhere = there;
  CUdevice device = 0;
  (void)copy, (void)form, (void)what, (void)address, (void)device;

  // These three work at any time.
  int version = 0;
  const char *words = nullptr;
  if (cuDriverGetVersion(&version) != CUDA_SUCCESS || version < 12000) wrong++, printf("cuDriverGetVersion: %d\n", version);
  if (cuGetErrorName(CUDA_ERROR_NOT_INITIALIZED, &words) != CUDA_SUCCESS || strcmp(words, "CUDA_ERROR_NOT_INITIALIZED") != 0)
    wrong++, printf("cuGetErrorName\n");
  if (cuGetErrorString(CUDA_ERROR_NOT_INITIALIZED, &words) != CUDA_SUCCESS || strcmp(words, "initialization error") != 0)
    wrong++, printf("cuGetErrorString: %s\n", words);

#define BEFORE_INIT(...) check(#__VA_ARGS__, __VA_ARGS__, CUDA_ERROR_NOT_INITIALIZED);
  NEED_INIT(BEFORE_INIT)
  NEED_A_CONTEXT(BEFORE_INIT)
  NEED_A_DEVICE(BEFORE_INIT)
#define OF_NO_HANDLE(...) check(#__VA_ARGS__, __VA_ARGS__, CUDA_ERROR_INVALID_HANDLE);
  NEED_A_HANDLE(OF_NO_HANDLE)
#define OF_NO_VALUE(...) check(#__VA_ARGS__, __VA_ARGS__, CUDA_ERROR_INVALID_VALUE);
  NEED_A_VALUE(OF_NO_VALUE)
  if (of_host[0] != 0 || of_host[4] != 0) wrong++, printf("memory was written\n");

  if (cuInit(1) != CUDA_ERROR_INVALID_VALUE) wrong++, printf("cuInit(1)\n");
  const CUresult begun = cuInit(0);
  if (begun == CUDA_ERROR_NO_DEVICE) return 77;
  if (begun != CUDA_SUCCESS) wrong++, printf("cuInit: %d\n", begun);
#define WITHOUT_A_CONTEXT(...) check(#__VA_ARGS__, __VA_ARGS__, CUDA_ERROR_INVALID_CONTEXT);
  NEED_A_CONTEXT(WITHOUT_A_CONTEXT)
#define OF_NO_DEVICE(...) check(#__VA_ARGS__, __VA_ARGS__, CUDA_ERROR_INVALID_DEVICE);
  int devices = 0;
  if (cuDeviceGetCount(&devices) != CUDA_SUCCESS || devices < 1) wrong++, printf("%d devices\n", devices);
  for (const CUdevice none : {-1, devices, devices + 1}) {
    device = none;
    NEED_A_DEVICE(OF_NO_DEVICE)
    OF_NO_VALUE(cuDeviceGetMemPool(into<CUmemoryPool>(), device))
  }

  // And with one, the second time as the first.
  for (int round = 0; round < 2; round++) {
    CUcontext context = nullptr, current = nullptr;
    CUdeviceptr memory = 0;
    if (cuDevicePrimaryCtxRetain(&context, 0) != CUDA_SUCCESS || cuCtxSetCurrent(context) != CUDA_SUCCESS) wrong++, printf("no context\n");
    if (cuMemAlloc(&memory, 64) != CUDA_SUCCESS || cuMemsetD32(memory, 5, 16) != CUDA_SUCCESS || cuMemFree(memory) != CUDA_SUCCESS)
      wrong++, printf("no memory, round %d\n", round);
    if (cuCtxSetCurrent(nullptr) != CUDA_SUCCESS || cuCtxGetCurrent(&current) != CUDA_SUCCESS || current != nullptr)
      wrong++, printf("the context is still there\n");
    if (cuDevicePrimaryCtxRelease(0) != CUDA_SUCCESS) wrong++, printf("not released\n");
    NEED_A_CONTEXT(WITHOUT_A_CONTEXT)
  }
  // The runtime interface makes the device's primary context current.
  CUcontext current = nullptr;
  if (cudaFree(nullptr) != cudaSuccess || cuCtxSynchronize() != CUDA_SUCCESS || cuCtxGetCurrent(&current) != CUDA_SUCCESS || current == nullptr)
    wrong++, printf("no context after a call of the runtime interface\n");
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
