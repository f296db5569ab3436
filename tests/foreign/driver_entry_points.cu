// Functions of the driver interface by their names, as programs get them that do not link with libcuda.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>

#define EXPECT(condition)                                     \
  do {                                                        \
    if (!(condition)) {                                       \
      fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
      exit(1);                                                \
    }                                                         \
  } while (0)

typedef CUresult (*DeviceGetName)(char *, int, CUdevice);
typedef CUresult (*MemAlloc)(CUdeviceptr *, size_t);
typedef CUresult (*MemsetD32Async)(CUdeviceptr, unsigned int, size_t, CUstream);
typedef CUresult (*MemcpyDtoH)(void *, CUdeviceptr, size_t);
typedef CUresult (*CtxCreate)(CUcontext *, unsigned int, CUdevice);
typedef CUresult (*CtxCreate11040)(CUcontext *, void *, int, unsigned int, CUdevice);
typedef CUresult (*CtxCreate12050)(CUcontext *, CUctxCreateParams *, unsigned int, CUdevice);
typedef CUresult (*PoolCreate)(CUmemoryPool *, const CUmemPoolProps *);
typedef CUresult (*FromPool)(CUdeviceptr *, size_t, CUmemoryPool, CUstream);
typedef CUresult (*LaunchEx)(const CUlaunchConfig *, CUfunction, void **, void **);

template <typename Function>
Function driver(const char *name) {
  void *function = nullptr;
  cudaDriverEntryPointQueryResult found;
  EXPECT(cudaGetDriverEntryPointByVersion(name, &function, 12000, cudaEnableDefault, &found) == cudaSuccess);
  EXPECT(found == cudaDriverEntryPointSuccess && function != nullptr);
  return reinterpret_cast<Function>(function);
}

__global__ void fill(int *values, int value) { values[blockIdx.x * blockDim.x + threadIdx.x] = value; }

int main() {
  EXPECT(cudaSetDevice(0) == cudaSuccess);
  char name[100] = "";
  EXPECT(driver<DeviceGetName>("cuDeviceGetName")(name, sizeof name, 0) == CUDA_SUCCESS && strlen(name) > 0);

  CUdeviceptr memory = 0;
  int values[64];
  EXPECT(driver<MemAlloc>("cuMemAlloc")(&memory, sizeof values) == CUDA_SUCCESS);
  EXPECT(driver<MemsetD32Async>("cuMemsetD32Async")(memory, 7, 64, nullptr) == CUDA_SUCCESS);
  EXPECT(driver<MemcpyDtoH>("cuMemcpyDtoH")(values, memory, sizeof values) == CUDA_SUCCESS);
  EXPECT(values[0] == 7 && values[63] == 7);

  // A launch with a configuration; the kernel is one of the program.
  cudaFunction_t kernel;
  EXPECT(cudaGetFuncBySymbol(&kernel, reinterpret_cast<const void *>(fill)) == cudaSuccess);
  int value = 9;
  void *arguments[] = {&memory, &value};
  CUlaunchConfig how = {};
  how.gridDimX = 2;
  how.blockDimX = 32;
  how.gridDimY = how.gridDimZ = how.blockDimY = how.blockDimZ = 1;
  EXPECT(driver<LaunchEx>("cuLaunchKernelEx")(&how, kernel, arguments, nullptr) == CUDA_SUCCESS);
  EXPECT(cuMemcpyDtoH(values, memory, sizeof values) == CUDA_SUCCESS && values[63] == 9);

  // A pool of memory.
  CUmemPoolProps props = {};
  props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  props.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  CUmemoryPool pool;
  CUdeviceptr part;
  EXPECT(driver<PoolCreate>("cuMemPoolCreate")(&pool, &props) == CUDA_SUCCESS);
  EXPECT(driver<FromPool>("cuMemAllocFromPoolAsync")(&part, 4096, pool, nullptr) == CUDA_SUCCESS);
  cuuint64_t used = 0;
  EXPECT(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used) == CUDA_SUCCESS && used == 4096);
  EXPECT(cuMemFreeAsync(part, nullptr) == CUDA_SUCCESS);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && cuMemPoolDestroy(pool) == CUDA_SUCCESS);

  // By the driver's own function: cuCtxCreate() got other parameters with CUDA 11.4 and 12.5.
  void *function = nullptr;
  CUdriverProcAddressQueryResult found;
  CUcontext context;
  EXPECT(cuGetProcAddress("cuCtxCreate", &function, 11030, CU_GET_PROC_ADDRESS_DEFAULT, &found) == CUDA_SUCCESS);
  EXPECT(reinterpret_cast<CtxCreate>(function)(&context, 0, 0) == CUDA_SUCCESS);
  EXPECT(cuCtxDestroy(context) == CUDA_SUCCESS);
  for (int version : {11040, 12049}) {
    EXPECT(cuGetProcAddress("cuCtxCreate", &function, version, CU_GET_PROC_ADDRESS_DEFAULT, &found) == CUDA_SUCCESS);
    EXPECT(reinterpret_cast<CtxCreate11040>(function)(&context, nullptr, 0, CU_CTX_SCHED_SPIN, 0) == CUDA_SUCCESS);
    EXPECT(cuCtxDestroy(context) == CUDA_SUCCESS);
  }
  EXPECT(cuGetProcAddress("cuCtxCreate", &function, 12050, CU_GET_PROC_ADDRESS_DEFAULT, &found) == CUDA_SUCCESS);
  EXPECT(reinterpret_cast<CtxCreate12050>(function)(&context, nullptr, CU_CTX_SCHED_SPIN, 0) == CUDA_SUCCESS);
  EXPECT(cuCtxDestroy(context) == CUDA_SUCCESS);
  EXPECT(cuGetProcAddress("cuCtxCreate_v2", &function, 13000, CU_GET_PROC_ADDRESS_DEFAULT, &found) == CUDA_SUCCESS);
  EXPECT(found == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND && function == nullptr);
  EXPECT(cuGetProcAddress("cuNoSuchThing", &function, 12000, CU_GET_PROC_ADDRESS_DEFAULT, &found) == CUDA_SUCCESS);
  EXPECT(found == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND && function == nullptr);
#ifdef __CPU_DEVICE__
  // What CCCL's classes get in place of dlsym(): the names of the library, which have versions.
  for (const char* name : {"cuGetProcAddress", "cuGetProcAddress_v2", "cuMemAlloc_v2"}) EXPECT(cpu_device::driver_function(name) != nullptr);
  EXPECT(cpu_device::driver_function("cuNoSuchThing_v2") == nullptr);
#endif
  cuMemFree(memory);
  printf("all right\n");
}
