// In the manner of bindings for other languages, which use only the driver interface: contexts on the stack, streams, events,
// memory of each kind, pools, libraries of kernels and their attributes. Each answer is compared with what was asked for, with the
// runtime's answer, or with the contents of memory. Link with -lcuda -lnvrtc on a GPU.
#include <cuda.h>
#include <cuda_runtime.h>
#include <nvrtc.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

int wrong = 0;
void failed(int line, const char *what) { wrong++, printf("line %d: %s\n", line, what); }
#define EXPECT(...) ((__VA_ARGS__) ? void() : failed(__LINE__, #__VA_ARGS__))
#define GOOD(call) EXPECT((call) == CUDA_SUCCESS)

CUcontext make_context(unsigned int flags) {
  CUcontext context = nullptr;
#if CUDA_VERSION >= 13000
  GOOD(cuCtxCreate(&context, nullptr, flags, 0));
#else
  GOOD(cuCtxCreate(&context, flags, 0));
#endif
  return context;
}

// Nothing works before cuInit(), and then not without a context.
void before() {
  int count = -1;
  CUdeviceptr memory;
  CUcontext context = reinterpret_cast<CUcontext>(8);
  EXPECT(cuDeviceGetCount(&count) == CUDA_ERROR_NOT_INITIALIZED);
  EXPECT(cuCtxGetCurrent(&context) == CUDA_ERROR_NOT_INITIALIZED);
  EXPECT(cuInit(1) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuDeviceGetCount(&count) == CUDA_ERROR_NOT_INITIALIZED);
  GOOD(cuInit(0));
  GOOD(cuDeviceGetCount(&count));
  EXPECT(count >= 1);
  GOOD(cuCtxGetCurrent(&context));
  EXPECT(context == nullptr);
  EXPECT(cuMemAlloc(&memory, 16) == CUDA_ERROR_INVALID_CONTEXT);
  CUdevice device = 5;
  EXPECT(cuCtxGetDevice(&device) == CUDA_ERROR_INVALID_CONTEXT);
  EXPECT(cuCtxSynchronize() == CUDA_ERROR_INVALID_CONTEXT);
  EXPECT(cuCtxPopCurrent(&context) == CUDA_ERROR_INVALID_CONTEXT);
}

void contexts() {
  CUcontext current = nullptr, primary = nullptr, again = nullptr;
  CUcontext first = make_context(CU_CTX_SCHED_YIELD), second = make_context(CU_CTX_SCHED_BLOCKING_SYNC);
  const auto expect_current = [&](CUcontext expected, int line) {
    if (cuCtxGetCurrent(&current) != CUDA_SUCCESS || current != expected) failed(line, "another context is current");
  };
  EXPECT(first != second);
  expect_current(second, __LINE__);
  unsigned int flags = 0, version = 0;
  GOOD(cuCtxGetFlags(&flags));
  EXPECT((flags & 7) == CU_CTX_SCHED_BLOCKING_SYNC);
  GOOD(cuCtxPopCurrent(&current));
  EXPECT(current == second);
  expect_current(first, __LINE__);
  GOOD(cuCtxGetFlags(&flags));
  EXPECT((flags & 7) == CU_CTX_SCHED_YIELD);
  GOOD(cuCtxGetApiVersion(first, &version));
  EXPECT(version >= 3010);
  CUdevice device = 9;
  GOOD(cuCtxGetDevice(&device));
  EXPECT(device == 0);
  // The same one may be there twice. Setting replaces the one on top.
  GOOD(cuCtxPushCurrent(second)), GOOD(cuCtxPushCurrent(first)), expect_current(first, __LINE__);
  GOOD(cuCtxSetCurrent(second)), expect_current(second, __LINE__);
  GOOD(cuCtxPopCurrent(&current)), expect_current(second, __LINE__);
  GOOD(cuCtxPopCurrent(nullptr)), expect_current(first, __LINE__);
  // Another thread has a stack of its own.
  std::thread([&] {
    CUcontext of_thread = first;
    GOOD(cuCtxGetCurrent(&of_thread));
    EXPECT(of_thread == nullptr);
    GOOD(cuCtxSetCurrent(first)), GOOD(cuCtxGetCurrent(&of_thread));
    EXPECT(of_thread == first);
  }).join();
  GOOD(cuCtxSynchronize());
  // The primary context is one for all who retain it.
  int active = 7;
  GOOD(cuDevicePrimaryCtxGetState(0, &flags, &active));
  EXPECT(active == 0);
  GOOD(cuDevicePrimaryCtxRetain(&primary, 0)), GOOD(cuDevicePrimaryCtxRetain(&again, 0));
  EXPECT(primary == again && primary != first);
  GOOD(cuDevicePrimaryCtxGetState(0, &flags, &active));
  EXPECT(active == 1);
  GOOD(cuDevicePrimaryCtxRelease(0));
  GOOD(cuDevicePrimaryCtxGetState(0, &flags, &active));
  EXPECT(active == 1);
  // Destroyed: gone from the stack, and no longer a context.
  GOOD(cuCtxDestroy(first)), expect_current(nullptr, __LINE__);
  GOOD(cuCtxDestroy(second));
  GOOD(cuCtxSetCurrent(primary)), expect_current(primary, __LINE__);
  for (const CUlimit limit : {CU_LIMIT_PRINTF_FIFO_SIZE, CU_LIMIT_MALLOC_HEAP_SIZE}) {
    size_t value = 0;
    const size_t mega = size_t(1) << 20;
    for (const size_t set : {4 * mega, 16 * mega, 8 * mega}) {
      GOOD(cuCtxSetLimit(limit, set)), GOOD(cuCtxGetLimit(&value, limit));
      EXPECT(value >= set && value < set + mega);
      size_t same = 0;
      GOOD((CUresult)cudaDeviceGetLimit(&same,
                                        limit == CU_LIMIT_PRINTF_FIFO_SIZE ? cudaLimitPrintfFifoSize : cudaLimitMallocHeapSize));
      EXPECT(same == value);
    }
  }
  int least = 5, greatest = 5, least_too = 6, greatest_too = 6;
  GOOD(cuCtxGetStreamPriorityRange(&least, &greatest));
  EXPECT(cudaDeviceGetStreamPriorityRange(&least_too, &greatest_too) == cudaSuccess && least == least_too &&
         greatest == greatest_too && greatest < least);
}

void devices() {
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  char text[64] = "", same[64] = "";
  GOOD(cuDeviceGetPCIBusId(text, sizeof text, 0));
  EXPECT(cudaDeviceGetPCIBusId(same, sizeof same, 0) == cudaSuccess && strcmp(text, same) == 0 && strlen(text) >= 12);
  CUdevice found = 7;
  int found_too = 7;
  GOOD(cuDeviceGetByPCIBusId(&found, text));
  EXPECT(cudaDeviceGetByPCIBusId(&found_too, text) == cudaSuccess && found == 0 && found_too == 0);
  EXPECT(cuDeviceGetByPCIBusId(&found, "FFFF:EE:1D.0") != CUDA_SUCCESS);
  CUuuid id;
  GOOD(cuDeviceGetUuid(&id, 0));
  EXPECT(memcmp(id.bytes, p.uuid.bytes, 16) == 0);
  int can = 7;
  GOOD(cuDeviceCanAccessPeer(&can, 0, 0));
  EXPECT(can == 0);
  const struct {
    CUdevice_attribute which;
    int value;
  } all[] = {{CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, p.maxThreadsPerBlock},
             {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, p.maxThreadsDim[0]},
             {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, p.maxThreadsDim[1]},
             {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, p.maxThreadsDim[2]},
             {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, p.maxGridSize[0]},
             {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, p.maxGridSize[1]},
             {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, p.maxGridSize[2]},
             {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, int(p.sharedMemPerBlock)},
             {CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY, int(p.totalConstMem)},
             {CU_DEVICE_ATTRIBUTE_WARP_SIZE, p.warpSize},
             {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, p.regsPerBlock},
             {CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT, int(p.textureAlignment)},
             {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, p.multiProcessorCount},
             {CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS, p.concurrentKernels},
             {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, p.maxThreadsPerMultiProcessor},
             {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, p.major},
             {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, p.minor},
             {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, int(p.sharedMemPerMultiprocessor)},
             {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, p.regsPerMultiprocessor},
             {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, int(p.sharedMemPerBlockOptin)},
             {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, p.l2CacheSize}};
  for (const auto &one : all) {
    int value = -1;
    GOOD(cuDeviceGetAttribute(&value, one.which, 0));
    if (value != one.value) wrong++, printf("attribute %d: %d, expected %d\n", one.which, value, one.value);
  }
#ifdef __CPU_DEVICE__  // no longer there in CUDA 13
  int major = 0, minor = -1;
  GOOD(cuDeviceComputeCapability(&major, &minor, 0));
  EXPECT(major == p.major && minor == p.minor);
  CUdevprop d = {};
  GOOD(cuDeviceGetProperties(&d, 0));
  EXPECT(d.maxThreadsPerBlock == p.maxThreadsPerBlock && d.maxThreadsDim[0] == p.maxThreadsDim[0] &&
         d.maxThreadsDim[1] == p.maxThreadsDim[1] && d.maxThreadsDim[2] == p.maxThreadsDim[2] &&
         d.maxGridSize[0] == p.maxGridSize[0] && d.maxGridSize[1] == p.maxGridSize[1] && d.maxGridSize[2] == p.maxGridSize[2] &&
         d.sharedMemPerBlock == int(p.sharedMemPerBlock) && d.totalConstantMemory == int(p.totalConstMem) &&
         d.SIMDWidth == p.warpSize && d.regsPerBlock == p.regsPerBlock && d.textureAlign == int(p.textureAlignment));
#endif
  // Names and words for errors; a number that is none has neither.
  const char *name = nullptr, *words = nullptr;
  GOOD(cuGetErrorName(CUDA_ERROR_INVALID_HANDLE, &name)), GOOD(cuGetErrorString(CUDA_ERROR_INVALID_HANDLE, &words));
  EXPECT(strcmp(name, "CUDA_ERROR_INVALID_HANDLE") == 0 && strcmp(words, "invalid resource handle") == 0);
  EXPECT(cuGetErrorName(static_cast<CUresult>(12345), &name) == CUDA_ERROR_INVALID_VALUE && name == nullptr);
  EXPECT(cuGetErrorString(static_cast<CUresult>(12345), &words) == CUDA_ERROR_INVALID_VALUE && words == nullptr);
}

void set_flag(void *flag) { ++*static_cast<int *>(flag); }
void CUDA_CB called(CUstream, CUresult status, void *flag) { *static_cast<int *>(flag) += status == CUDA_SUCCESS ? 10 : 1000; }

void streams() {
  CUstream plain, independent, urgent, other;
  GOOD(cuStreamCreate(&plain, CU_STREAM_DEFAULT)), GOOD(cuStreamCreate(&independent, CU_STREAM_NON_BLOCKING));
  EXPECT(cuStreamCreate(&other, 2) == CUDA_ERROR_INVALID_VALUE);
  int least = 0, greatest = 0;
  GOOD(cuCtxGetStreamPriorityRange(&least, &greatest));
  unsigned int flags = 7;
  int priority = 7;
  GOOD(cuStreamGetFlags(plain, &flags)), EXPECT(flags == CU_STREAM_DEFAULT);
  GOOD(cuStreamGetFlags(independent, &flags)), EXPECT(flags == CU_STREAM_NON_BLOCKING);
  GOOD(cuStreamGetPriority(plain, &priority)), EXPECT(priority == 0);
  // Beyond the range: the end of the range.
  for (const int wanted : {least + 1, least, -1, greatest, greatest - 1}) {
    GOOD(cuStreamCreateWithPriority(&urgent, CU_STREAM_NON_BLOCKING, wanted));
    GOOD(cuStreamGetPriority(urgent, &priority)), GOOD(cuStreamGetFlags(urgent, &flags));
    EXPECT(priority == (wanted > least ? least : wanted < greatest ? greatest : wanted) && flags == CU_STREAM_NON_BLOCKING);
    GOOD(cuStreamDestroy(urgent));
  }
  CUdevice device = 7;
  CUcontext context = nullptr, current = nullptr;
  unsigned long long a = 0, b = 0, a_again = 0;
  GOOD(cuStreamGetDevice(plain, &device)), EXPECT(device == 0);
  GOOD(cuStreamGetCtx(plain, &context)), GOOD(cuCtxGetCurrent(&current)), EXPECT(context == current);
  GOOD(cuStreamGetId(plain, &a)), GOOD(cuStreamGetId(independent, &b)), GOOD(cuStreamGetId(plain, &a_again));
  EXPECT(a != b && a == a_again);
  int count = 0;
  GOOD(cuLaunchHostFunc(plain, set_flag, &count)), GOOD(cuStreamAddCallback(plain, called, &count, 0)),
      GOOD(cuStreamSynchronize(plain));
  EXPECT(count == 11 && cuStreamQuery(plain) == CUDA_SUCCESS);
  // Events: what was not recorded is done; times only where both measure.
  CUevent first, second, silent;
  float ms = -1;
  GOOD(cuEventCreate(&first, CU_EVENT_DEFAULT)), GOOD(cuEventCreate(&second, CU_EVENT_BLOCKING_SYNC)),
      GOOD(cuEventCreate(&silent, CU_EVENT_DISABLE_TIMING));
  EXPECT(cuEventCreate(&first, 64) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuEventQuery(first) == CUDA_SUCCESS && cuEventSynchronize(first) == CUDA_SUCCESS);
  EXPECT(cuEventElapsedTime(&ms, first, second) == CUDA_ERROR_INVALID_HANDLE);
  GOOD(cuEventRecord(first, plain)), GOOD(cuStreamWaitEvent(independent, first, 0)),
      GOOD(cuLaunchHostFunc(independent, set_flag, &count));
  GOOD(cuEventRecord(second, independent)), GOOD(cuEventRecord(silent, independent)), GOOD(cuEventSynchronize(second));
  EXPECT(count == 12 && cuEventQuery(second) == CUDA_SUCCESS && cuEventQuery(first) == CUDA_SUCCESS);
  GOOD(cuEventElapsedTime(&ms, first, second));
  EXPECT(ms >= 0);
  GOOD(cuEventSynchronize(silent));
  EXPECT(cuEventElapsedTime(&ms, first, silent) == CUDA_ERROR_INVALID_HANDLE &&
         cuEventElapsedTime(&ms, silent, second) == CUDA_ERROR_INVALID_HANDLE);
  GOOD(cuEventElapsedTime(&ms, second, first));
  EXPECT(ms <= 0);
  for (CUevent event : {first, second, silent}) GOOD(cuEventDestroy(event));
  GOOD(cuStreamDestroy(plain)), GOOD(cuStreamDestroy(independent));
}

void memory() {
  const size_t n = 1000;
  std::vector<unsigned char> host(n), back(n);
  for (size_t i = 0; i < n; i++) host[i] = static_cast<unsigned char>(i * 7);
  CUdeviceptr a, b, base = 0, managed, mapped = 0;
  CUstream stream;
  size_t bytes = 0;
  GOOD(cuStreamCreate(&stream, 0));
  EXPECT(cuMemAlloc(&a, 0) == CUDA_ERROR_INVALID_VALUE);
  GOOD(cuMemAlloc(&a, n)), GOOD(cuMemAlloc(&b, n));
  GOOD(cuMemGetAddressRange(&base, &bytes, a + 17));
  EXPECT(base == a && bytes == n);
  GOOD(cuMemGetAddressRange(nullptr, &bytes, b)), GOOD(cuMemGetAddressRange(&base, nullptr, b + n - 1));
  EXPECT(base == b && bytes == n);
  const auto got = [&](CUdeviceptr from) {
    std::fill(back.begin(), back.end(), 0);
    GOOD(cuMemcpyDtoH(back.data(), from, n));
    return back;
  };
  // Each copy, of a part: from 100 on in the first to 50 on in the second.
  for (int way = 0; way < 5; way++) {
    GOOD(cuMemcpyHtoD(a, host.data(), n)), GOOD(cuMemsetD8(b, 1, n));
    std::vector<unsigned char> expected(n, 1);
    std::copy(host.begin() + 100, host.begin() + 120, expected.begin() + 50);
    if (way == 0) GOOD(cuMemcpy(b + 50, a + 100, 20));
    if (way == 1) GOOD(cuMemcpyAsync(b + 50, a + 100, 20, stream));
    if (way == 2) GOOD(cuMemcpyDtoD(b + 50, a + 100, 20));
    if (way == 3) GOOD(cuMemcpyDtoDAsync(b + 50, a + 100, 20, stream));
    if (way == 4) GOOD(cuMemcpyHtoDAsync(b + 50, host.data() + 100, 20, stream));
    GOOD(cuStreamSynchronize(stream)), GOOD(cuCtxSynchronize());
    EXPECT(got(b) == expected);
    EXPECT(got(a) == host);
  }
  std::vector<unsigned char> part(n, 3), expected(n, 3);
  std::copy(host.begin() + 10, host.begin() + 30, expected.begin() + 5);
  GOOD(cuMemcpyDtoHAsync(part.data() + 5, a + 10, 20, stream)), GOOD(cuStreamSynchronize(stream));
  EXPECT(part == expected);
  // Rows with a pitch; memory of both; memory of the host.
  CUdeviceptr rows;
  size_t pitch = 0;
  GOOD(cuMemAllocPitch(&rows, &pitch, 100, 7, 4));
  EXPECT(pitch >= 100 && pitch % 32 == 0 && rows % 256 == 0);
  GOOD(cuMemsetD8(rows, 4, pitch * 6 + 100)), GOOD(cuMemFree(rows));
  GOOD(cuMemAllocManaged(&managed, n, CU_MEM_ATTACH_GLOBAL));
  reinterpret_cast<unsigned char *>(managed)[n - 1] = 42;
  EXPECT(got(managed)[n - 1] == 42);
  void *pinned = nullptr, *own = malloc(4096);
  GOOD(cuMemAllocHost(&pinned, n));
  memset(pinned, 5, n);
  GOOD(cuMemHostGetDevicePointer(&mapped, pinned, 0));
  EXPECT(got(mapped) == std::vector<unsigned char>(n, 5));
  GOOD(cuMemFreeHost(pinned));
  GOOD(cuMemHostAlloc(&pinned, n, CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE));
  unsigned int flags = 0;
  GOOD(cuMemHostGetFlags(&flags, pinned)), EXPECT(flags == (CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_PORTABLE));
  unsigned int type = 0, is_managed = 7;
  const auto address = [](void *pointer) { return reinterpret_cast<CUdeviceptr>(pointer); };
  GOOD(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address(pinned)));
  EXPECT(type == CU_MEMORYTYPE_HOST);
  GOOD(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, a)),
      GOOD(cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, a));
  EXPECT(type == CU_MEMORYTYPE_DEVICE && is_managed == 0);
  GOOD(cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, managed));
  EXPECT(is_managed == 1);
  CUdeviceptr of_pointer = 0;
  void *of_host = nullptr;
  int ordinal = 7;
  GOOD(cuPointerGetAttribute(&of_pointer, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, a + 3)),
      GOOD(cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, a));
  GOOD(cuPointerGetAttribute(&of_host, CU_POINTER_ATTRIBUTE_HOST_POINTER, address(pinned)));
  EXPECT(of_pointer == a + 3 && ordinal == 0 && of_host == pinned);
  int local = 0;
  EXPECT(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address(&local)) == CUDA_ERROR_INVALID_VALUE);
  GOOD(cuMemFreeHost(pinned));
  GOOD(cuMemHostRegister(own, 4096, CU_MEMHOSTREGISTER_DEVICEMAP));
  EXPECT(cuMemHostRegister(own, 4096, 0) == CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  GOOD(cuMemHostUnregister(own));
  EXPECT(cuMemHostUnregister(own) == CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
  free(own);
  // In the order of a stream, from a pool of its own.
  CUdeviceptr ordered;
  GOOD(cuMemAllocAsync(&ordered, n, stream)), GOOD(cuMemsetD8Async(ordered, 6, n, stream)), GOOD(cuStreamSynchronize(stream));
  EXPECT(got(ordered) == std::vector<unsigned char>(n, 6));
  CUmemoryPool usual, current, pool, of_memory = nullptr;
  GOOD(cuDeviceGetDefaultMemPool(&usual, 0)), GOOD(cuDeviceGetMemPool(&current, 0));
  EXPECT(usual == current);
  GOOD(cuPointerGetAttribute(&of_memory, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, ordered));
  EXPECT(of_memory == usual);
  GOOD(cuMemFreeAsync(ordered, stream));
  CUmemPoolProps how = {};
  how.allocType = CU_MEM_ALLOCATION_TYPE_PINNED, how.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  GOOD(cuMemPoolCreate(&pool, &how)), GOOD(cuDeviceSetMemPool(0, pool)), GOOD(cuDeviceGetMemPool(&current, 0));
  EXPECT(current == pool);
  cuuint64_t threshold = 1, used = 7;
  for (const cuuint64_t set : {cuuint64_t(1) << 40, cuuint64_t(0), cuuint64_t(12345)}) {
    threshold = set;
    GOOD(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
    threshold = 7;
    GOOD(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
    EXPECT(threshold == set);
  }
  GOOD(cuMemPoolGetAttribute(usual, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
  EXPECT(threshold == 0);
  for (const auto which : {CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC,
                           CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES}) {
    int on = 7;
    GOOD(cuMemPoolGetAttribute(pool, which, &on)), EXPECT(on == 1);
    for (const int set : {0, 1, 0}) {
      on = set;
      GOOD(cuMemPoolSetAttribute(pool, which, &on));
      on = 7;
      GOOD(cuMemPoolGetAttribute(pool, which, &on)), EXPECT(on == set);
    }
    GOOD(cuMemPoolGetAttribute(usual, which, &on)), EXPECT(on == 1);
  }
  GOOD(cuMemAllocFromPoolAsync(&ordered, 4096, pool, stream)), GOOD(cuStreamSynchronize(stream));
  GOOD(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used)), EXPECT(used == 4096);
  GOOD(cuMemPoolGetAttribute(usual, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used)), EXPECT(used == 0);
  GOOD(cuMemFreeAsync(ordered, stream)), GOOD(cuStreamSynchronize(stream)), GOOD(cuMemPoolTrimTo(pool, 0));
  GOOD(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &used)), EXPECT(used == 0);
  GOOD(cuMemPoolGetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &used)), EXPECT(used == 4096);
  GOOD(cuMemPoolDestroy(pool)), GOOD(cuDeviceGetMemPool(&current, 0));
  EXPECT(current == usual && cuMemPoolDestroy(usual) == CUDA_ERROR_INVALID_VALUE);
  GOOD(cuMemFree(a)), GOOD(cuMemFree(b)), GOOD(cuMemFree(managed)), GOOD(cuStreamDestroy(stream));
  EXPECT(cuMemFree(a + 1) == CUDA_ERROR_INVALID_VALUE);
}

const char *text = R"(
extern "C" __global__ void scale(int *x, int factor, int offset) {
  __shared__ int kept[10];
  kept[threadIdx.x % 10] = factor;
  x[blockIdx.x * blockDim.x + threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x] * kept[threadIdx.x % 10] + offset;
}
__constant__ int table[5];
__managed__ int shared_with_host[3];
extern "C" __global__ void read(int *x) {
  x[threadIdx.x] = threadIdx.x < 5 ? table[threadIdx.x] : shared_with_host[threadIdx.x - 5];
}
)";

void libraries() {
  nvrtcProgram program;
  size_t bytes = 0;
  EXPECT(nvrtcCreateProgram(&program, text, "text.cu", 0, nullptr, nullptr) == NVRTC_SUCCESS);
  const char *lowered = nullptr;
  EXPECT(nvrtcAddNameExpression(program, "&table") == NVRTC_SUCCESS);
  EXPECT(nvrtcCompileProgram(program, 0, nullptr) == NVRTC_SUCCESS && nvrtcGetPTXSize(program, &bytes) == NVRTC_SUCCESS);
  std::vector<char> code(bytes);
  EXPECT(nvrtcGetPTX(program, code.data()) == NVRTC_SUCCESS);
  EXPECT(nvrtcGetLoweredName(program, "&table", &lowered) == NVRTC_SUCCESS);
  CUlibrary library, of_kernel = nullptr;
  CUkernel scale, read, none;
  CUfunction function, same;
  CUmodule module;
  GOOD(cuLibraryLoadData(&library, code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  GOOD(cuLibraryGetKernel(&scale, library, "scale")), GOOD(cuLibraryGetKernel(&read, library, "read"));
  EXPECT(scale != read && cuLibraryGetKernel(&none, library, "none") == CUDA_ERROR_NOT_FOUND);
  GOOD(cuKernelGetFunction(&function, scale)), GOOD(cuLibraryGetModule(&module, library)),
      GOOD(cuModuleGetFunction(&same, module, "scale"));
  GOOD(cuKernelGetLibrary(&of_kernel, scale));
  EXPECT(of_kernel == library);
  const char *name = nullptr;
  GOOD(cuKernelGetName(&name, scale)), EXPECT(strcmp(name, "scale") == 0);
  GOOD(cuFuncGetName(&name, same)), EXPECT(strcmp(name, "scale") == 0);
  GOOD(cuFuncLoad(function));
  int value = -1;
#ifndef __CPU_DEVICE__  // which does not know it of kernels from text
  GOOD(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function)), EXPECT(value == 40);
  GOOD(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, scale, 0)), EXPECT(value == 40);
#endif
  GOOD(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function)), EXPECT(value == 1024);
  GOOD(cuFuncSetAttribute(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 60000)),
      GOOD(cuFuncSetCacheConfig(function, CU_FUNC_CACHE_PREFER_L1));
  // Launches: the arguments one by one, or in one buffer.
  CUdeviceptr x;
  std::vector<int> host(64, 5), back(64);
  int *pointer, factor = 3, offset = 4;
  GOOD(cuMemAlloc(&x, 256)), GOOD(cuMemcpyHtoD(x, host.data(), 256));
  pointer = reinterpret_cast<int *>(x);
  void *arguments[] = {&pointer, &factor, &offset};
  GOOD(cuLaunchKernel(function, 2, 1, 1, 16, 1, 1, 0, nullptr, arguments, nullptr)), GOOD(cuCtxSynchronize()),
      GOOD(cuMemcpyDtoH(back.data(), x, 256));
  for (int i = 0; i < 64; i++) EXPECT(back[i] == (i < 32 ? 19 : 5));
  struct {
    int *x;
    int factor, offset;
  } packed = {pointer + 32, 2, 1};
  size_t size = sizeof packed;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  GOOD(cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, extra)), GOOD(cuCtxSynchronize()),
      GOOD(cuMemcpyDtoH(back.data(), x, 256));
  for (int i = 0; i < 64; i++) EXPECT(back[i] == (i < 32 ? 19 : 11));
  EXPECT(cuLaunchKernel(function, 1, 1, 1, 1025, 1, 1, 0, nullptr, arguments, nullptr) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cuLaunchKernel(function, 0, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr) == CUDA_ERROR_INVALID_VALUE);
  // Variables of the library.
  CUdeviceptr table, managed;
  const int five[] = {1, 2, 3, 4, 5};
  GOOD(cuLibraryGetGlobal(&table, &bytes, library, lowered)), EXPECT(bytes == sizeof five);
  GOOD(cuMemcpyHtoD(table, five, sizeof five));
  GOOD(cuLibraryGetManaged(&managed, &bytes, library, "shared_with_host")), EXPECT(bytes == 12);
  for (int i = 0; i < 3; i++) reinterpret_cast<int *>(managed)[i] = 6 + i;
  EXPECT(cuLibraryGetGlobal(&table, &bytes, library, "none") == CUDA_ERROR_NOT_FOUND);
  void *one[] = {&pointer};
  GOOD(cuKernelGetFunction(&function, read)), GOOD(cuLaunchKernel(function, 1, 1, 1, 8, 1, 1, 0, nullptr, one, nullptr)),
      GOOD(cuCtxSynchronize());
  GOOD(cuMemcpyDtoH(back.data(), x, 256));
  for (int i = 0; i < 8; i++) EXPECT(back[i] == i + 1);
  // How many blocks fit, as the runtime says it; more with less shared memory.
  int blocks = 0, fewer = 0, least = 0, size_of_block = 0;
  GOOD(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, 128, 0)),
      GOOD(cuOccupancyMaxActiveBlocksPerMultiprocessor(&fewer, function, 128, 40000));
  EXPECT(blocks > fewer && fewer >= 1);
  GOOD(cuOccupancyMaxPotentialBlockSize(&least, &size_of_block, function, nullptr, 0, 96));
  EXPECT(size_of_block > 0 && size_of_block <= 96 && least >= 1);
  GOOD(cuMemFree(x)), GOOD(cuLibraryUnload(library));
  nvrtcDestroyProgram(&program);
}

int main() {
  before();
  contexts(), devices(), streams(), memory(), libraries();
  puts(wrong ? "wrong" : "right");
  return wrong != 0;
}
