// In the manner of "device query" programs and of wrappers that set everything: the figures of compute capability 9.0 and the
// attribute of each, settings that are made twice, flags of streams, events and memory, how many blocks fit for all sizes of
// blocks, accounts of pools, and which error is seen how often.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

int wrong = 0;
char now[200] = "";  // what is tested
void failed(int line, const char *what) { wrong++, printf("line %d: %s %s\n", line, now, what); }
#define EXPECT(...) ((__VA_ARGS__) ? void() : failed(__LINE__, #__VA_ARGS__))
#define GOOD(call) EXPECT((call) == cudaSuccess)
// An error that is returned, and then once the last one.
#define REFUSED(error, call)                                                                                   \
  (EXPECT((call) == (error)), EXPECT(cudaPeekAtLastError() == (error)), EXPECT(cudaGetLastError() == (error)), \
   EXPECT(cudaGetLastError() == cudaSuccess))

__global__ void nothing() {}
__global__ void kept(int *to) {
  __shared__ int part[1000];
  part[threadIdx.x] = to[threadIdx.x];
  __syncthreads();
  to[threadIdx.x] = part[blockDim.x - 1 - threadIdx.x];
}
__global__ void __launch_bounds__(256) bounded(int *to) { *to = 1; }
__global__ void fail_later(int *to) { *to = 1; }

void figures() {
  cudaDeviceProp p;
  GOOD(cudaGetDeviceProperties(&p, 0));
  if (p.major != 9 || p.minor != 0) return;
  const struct {
    const char *name;
    long long got, expected;
    int attribute;  // or 0
  } all[] = {{"threads of a block", p.maxThreadsPerBlock, 1024, cudaDevAttrMaxThreadsPerBlock},
             {"x of a block", p.maxThreadsDim[0], 1024, cudaDevAttrMaxBlockDimX},
             {"y of a block", p.maxThreadsDim[1], 1024, cudaDevAttrMaxBlockDimY},
             {"z of a block", p.maxThreadsDim[2], 64, cudaDevAttrMaxBlockDimZ},
             {"x of a grid", p.maxGridSize[0], 2147483647, cudaDevAttrMaxGridDimX},
             {"y of a grid", p.maxGridSize[1], 65535, cudaDevAttrMaxGridDimY},
             {"z of a grid", p.maxGridSize[2], 65535, cudaDevAttrMaxGridDimZ},
             {"shared memory of a block", (long long)p.sharedMemPerBlock, 49152, cudaDevAttrMaxSharedMemoryPerBlock},
             {"that it may ask for", (long long)p.sharedMemPerBlockOptin, 232448, cudaDevAttrMaxSharedMemoryPerBlockOptin},
             {"shared memory of a multiprocessor", (long long)p.sharedMemPerMultiprocessor, 233472,
              cudaDevAttrMaxSharedMemoryPerMultiprocessor},
             {"reserved for the system", (long long)p.reservedSharedMemPerBlock, 1024, cudaDevAttrReservedSharedMemoryPerBlock},
             {"registers of a block", p.regsPerBlock, 65536, cudaDevAttrMaxRegistersPerBlock},
             {"registers of a multiprocessor", p.regsPerMultiprocessor, 65536, cudaDevAttrMaxRegistersPerMultiprocessor},
             {"lanes", p.warpSize, 32, cudaDevAttrWarpSize},
             {"constant memory", (long long)p.totalConstMem, 65536, cudaDevAttrTotalConstantMemory},
             {"pitch", (long long)p.memPitch, 2147483647, cudaDevAttrMaxPitch},
             {"alignment", (long long)p.textureAlignment, 512, cudaDevAttrTextureAlignment},
             {"alignment of rows", (long long)p.texturePitchAlignment, 32, cudaDevAttrTexturePitchAlignment},
             {"threads of a multiprocessor", p.maxThreadsPerMultiProcessor, 2048, cudaDevAttrMaxThreadsPerMultiProcessor},
             {"blocks of a multiprocessor", p.maxBlocksPerMultiProcessor, 32, cudaDevAttrMaxBlocksPerMultiprocessor},
             {"1D texture", p.maxTexture1D, 131072, cudaDevAttrMaxTexture1DWidth},
             {"1D mipmap", p.maxTexture1DMipmap, 32768, cudaDevAttrMaxTexture1DMipmappedWidth},
             {"2D texture, x", p.maxTexture2D[0], 131072, cudaDevAttrMaxTexture2DWidth},
             {"2D texture, y", p.maxTexture2D[1], 65536, cudaDevAttrMaxTexture2DHeight},
             {"2D gather, x", p.maxTexture2DGather[0], 32768, cudaDevAttrMaxTexture2DGatherWidth},
             {"2D gather, y", p.maxTexture2DGather[1], 32768, cudaDevAttrMaxTexture2DGatherHeight},
             {"2D linear, x", p.maxTexture2DLinear[0], 131072, cudaDevAttrMaxTexture2DLinearWidth},
             {"2D linear, pitch", p.maxTexture2DLinear[2], 2097120, cudaDevAttrMaxTexture2DLinearPitch},
             {"3D texture, x", p.maxTexture3D[0], 16384, cudaDevAttrMaxTexture3DWidth},
             {"3D texture, z", p.maxTexture3D[2], 16384, cudaDevAttrMaxTexture3DDepth},
             {"cube", p.maxTextureCubemap, 32768, cudaDevAttrMaxTextureCubemapWidth},
             {"cube layers", p.maxTextureCubemapLayered[1], 2046, cudaDevAttrMaxTextureCubemapLayeredLayers},
             {"1D layers, x", p.maxTexture1DLayered[0], 32768, cudaDevAttrMaxTexture1DLayeredWidth},
             {"1D layers", p.maxTexture1DLayered[1], 2048, cudaDevAttrMaxTexture1DLayeredLayers},
             {"2D layers, y", p.maxTexture2DLayered[1], 32768, cudaDevAttrMaxTexture2DLayeredHeight},
             {"2D layers", p.maxTexture2DLayered[2], 2048, cudaDevAttrMaxTexture2DLayeredLayers},
             {"1D surface", p.maxSurface1D, 32768, cudaDevAttrMaxSurface1DWidth},
             {"2D surface, x", p.maxSurface2D[0], 131072, cudaDevAttrMaxSurface2DWidth},
             {"2D surface, y", p.maxSurface2D[1], 65536, cudaDevAttrMaxSurface2DHeight},
             {"3D surface, y", p.maxSurface3D[1], 16384, cudaDevAttrMaxSurface3DHeight},
             {"cube surface layers", p.maxSurfaceCubemapLayered[1], 2046, cudaDevAttrMaxSurfaceCubemapLayeredLayers},
             {"surface alignment", (long long)p.surfaceAlignment, 512, cudaDevAttrSurfaceAlignment},
             {"several kernels", p.concurrentKernels, 1, cudaDevAttrConcurrentKernels},
             {"one address space", p.unifiedAddressing, 1, cudaDevAttrUnifiedAddressing},
             {"maps host memory", p.canMapHostMemory, 1, cudaDevAttrCanMapHostMemory},
             {"managed memory", p.managedMemory, 1, cudaDevAttrManagedMemory},
             {"priorities", p.streamPrioritiesSupported, 1, cudaDevAttrStreamPrioritiesSupported},
             {"cooperative", p.cooperativeLaunch, 1, cudaDevAttrCooperativeLaunch},
             {"clusters", p.clusterLaunch, 1, cudaDevAttrClusterLaunch},
             {"pools", p.memoryPoolsSupported, 1, cudaDevAttrMemoryPoolsSupported},
             {"windows", p.accessPolicyMaxWindowSize, 128 << 20, cudaDevAttrMaxAccessPolicyWindowSize}};
  for (const auto &one : all) {
    int value = -1;
    GOOD(cudaDeviceGetAttribute(&value, cudaDeviceAttr(one.attribute), 0));
    if (one.got != one.expected || value != one.expected)
      wrong++, printf("%s: %lld, as an attribute %d, expected %lld\n", one.name, one.got, value, one.expected);
  }
  int value = -1;
  GOOD(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0)), EXPECT(value == p.multiProcessorCount && value >= 1);
  GOOD(cudaDeviceGetAttribute(&value, cudaDevAttrL2CacheSize, 0)), EXPECT(value == p.l2CacheSize);
  GOOD(cudaDeviceGetAttribute(&value, cudaDevAttrMaxPersistingL2CacheSize, 0)),
      EXPECT(value == p.persistingL2CacheMaxSize && value <= p.l2CacheSize);
  REFUSED(cudaErrorInvalidDevice, cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, -1));
  int count = 0, device = 7;
  GOOD(cudaGetDeviceCount(&count)), GOOD(cudaGetDevice(&device)), EXPECT(device == 0);
  REFUSED(cudaErrorInvalidDevice, cudaSetDevice(count));
  REFUSED(cudaErrorInvalidDevice, cudaGetDeviceProperties(&p, count));
  GOOD(cudaGetDevice(&device)), EXPECT(device == 0);
  char id[32] = "";
  GOOD(cudaDeviceGetPCIBusId(id, sizeof id, 0)), GOOD(cudaDeviceGetByPCIBusId(&device, id)), EXPECT(device == 0);
  REFUSED(cudaErrorInvalidDevice, cudaDeviceGetPCIBusId(id, sizeof id, count));
  GOOD(cudaInitDevice(0, 0, 0));
  int version = 0, driver = 0;
  GOOD(cudaRuntimeGetVersion(&version)), GOOD(cudaDriverGetVersion(&driver)),
      EXPECT(version == CUDART_VERSION && driver >= version);
  unsigned int flags = 0;
  GOOD(cudaGetDeviceFlags(&flags)), EXPECT((flags & cudaDeviceMapHost) != 0);
}

// Independently of the runtime's formula: warps, blocks, and shared memory in pieces of 128 bytes with 1 KiB for the system.
void occupancy() {
  cudaDeviceProp p;
  GOOD(cudaGetDeviceProperties(&p, 0));
  // The most with which so many blocks fit, and one byte more.
  std::vector<size_t> sizes = {0, 1, 127, 128, 129, 1024, 10000, 49152, 49153, 232448};
  for (int blocks = 5; blocks <= 32; blocks++)
    for (const size_t more : {0, 1}) sizes.push_back((233472 / blocks - 1024) / 128 * 128 + more);
  for (const int threads :
       {1, 31, 32, 33, 63, 64, 65, 96, 127, 128, 160, 255, 256, 257, 333, 512, 513, 683, 768, 1000, 1023, 1024, 1025, 2048})
    for (const size_t shared : sizes) {
      int fit = 0;
      for (int blocks = 1; blocks <= 32; blocks++) {
        const long long warps = (threads + 31) / 32,
                        bytes = shared == 0 ? 0 : blocks * static_cast<long long>((shared + 127) / 128 * 128 + 1024);
        if (threads <= 1024 && blocks * warps <= 64 && bytes <= 233472 && shared <= 49152) fit = blocks;
      }
      int got = -1, same = -1;
      GOOD(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&got, nothing, threads, shared));
      GOOD(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&same, nothing, threads, shared, cudaOccupancyDefault));
      if (got != fit || same != fit)
        wrong++, printf("blocks of %d threads and %zu bytes: %d %d, expected %d\n", threads, shared, got, same, fit);
    }
  int got = 0;
  REFUSED(cudaErrorInvalidValue, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&got, nothing, 0, 0));
  // 4000 bytes of its own: 4096 + 1024 each.
  GOOD(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&got, kept, 32, 0)), EXPECT(got == 32);
  GOOD(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&got, kept, 32, 20000)), EXPECT(got == 233472 / (24064 + 1024));
  for (const int limit : {0, 1, 100, 256, 1024, 5000}) {
    int grid = -1, size = -1, with_flags = -1, variable = -1, grid_of_variable = -1;
    GOOD(cudaOccupancyMaxPotentialBlockSize(&grid, &size, nothing, 0, limit));
    EXPECT(size == (limit == 0 ? 1024 : limit == 100 ? 64 : std::min(limit, 1024)));  // 32 blocks of 64 have more threads than 16 of 100
    GOOD(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&got, nothing, size, 0)), EXPECT(grid == got * p.multiProcessorCount);
    GOOD(cudaOccupancyMaxPotentialBlockSizeWithFlags(&grid, &with_flags, nothing, 0, limit, 0)), EXPECT(with_flags == size);
    GOOD(cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        &grid_of_variable, &variable, nothing, [](int) { return size_t(0); }, limit));
    EXPECT(variable == size && grid_of_variable == grid);
    GOOD(cudaOccupancyMaxPotentialBlockSize(&grid, &size, bounded, 0, limit)),
        EXPECT(size == (limit == 0 ? 256 : limit == 100 ? 64 : std::min(limit, 256)));
  }
  cudaFuncAttributes about;
  GOOD(cudaFuncGetAttributes(&about, kept)), EXPECT(about.sharedSizeBytes == 4000 && about.maxThreadsPerBlock == 1024);
  GOOD(cudaFuncGetAttributes(&about, bounded)), EXPECT(about.sharedSizeBytes == 0 && about.maxThreadsPerBlock == 256);
}

void streams_and_events() {
  int least = 7, greatest = 7, priority = 7;
  GOOD(cudaDeviceGetStreamPriorityRange(&least, &greatest)), EXPECT(least == 0 && greatest < 0);
  cudaStream_t stream;
  unsigned int flags = 7;
  for (const unsigned int set : {cudaStreamDefault, cudaStreamNonBlocking})
    for (const int wanted : {5, 0, -1, greatest, greatest - 3}) {
      GOOD(cudaStreamCreateWithPriority(&stream, set, wanted)), GOOD(cudaStreamGetPriority(stream, &priority)),
          GOOD(cudaStreamGetFlags(stream, &flags));
      EXPECT(priority == std::min(least, std::max(greatest, wanted)) && flags == set);
      GOOD(cudaStreamDestroy(stream));
    }
  for (const unsigned int bad : {2u, 3u, 4u}) REFUSED(cudaErrorInvalidValue, cudaStreamCreateWithFlags(&stream, bad));
  cudaEvent_t event, other;
  for (unsigned int set = 0; set < 16; set++) {
    const bool without_time = (set & cudaEventDisableTiming) != 0;
    const bool good = set < 8 && ((set & cudaEventInterprocess) == 0 || without_time);
    if (!good && set < 8) continue;
    if (!good) {
      REFUSED(cudaErrorInvalidValue, cudaEventCreateWithFlags(&event, set));
      continue;
    }
    snprintf(now, sizeof now, "event with flags %u:", set);
    GOOD(cudaEventCreateWithFlags(&event, set)), GOOD(cudaEventCreate(&other)), GOOD(cudaEventRecord(event)),
        GOOD(cudaEventRecord(other));
    GOOD(cudaEventSynchronize(other)), GOOD(cudaEventQuery(event));
    float ms = -1;
    if (without_time)
      REFUSED(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, event, other));
    else
      GOOD(cudaEventElapsedTime(&ms, event, other)), EXPECT(ms >= 0);
    GOOD(cudaEventDestroy(event)), GOOD(cudaEventDestroy(other));
  }
  now[0] = 0;
}

void host_memory() {
  void *memory;
  unsigned int flags = 99;
  for (const unsigned int set : {0u, 1u, 2u, 3u, 4u, 7u}) {
    GOOD(cudaHostAlloc(&memory, 100, set)), GOOD(cudaHostGetFlags(&flags, memory));
    EXPECT((flags & ~unsigned(cudaHostAllocMapped)) == (set & ~unsigned(cudaHostAllocMapped)));  // all is mapped
    GOOD(cudaFreeHost(memory));
  }
  REFUSED(cudaErrorInvalidValue, cudaHostAlloc(&memory, 100, 8));
  int *managed;
  for (const unsigned int set : {cudaMemAttachGlobal, cudaMemAttachHost})
    GOOD(cudaMallocManaged(&managed, 100, set)), GOOD(cudaFree(managed));
  for (const unsigned int set : {0u, 3u, 4u, 8u}) REFUSED(cudaErrorInvalidValue, cudaMallocManaged(&managed, 100, set));
  void *mapped;
  GOOD(cudaHostAlloc(&memory, 100, cudaHostAllocMapped)), GOOD(cudaHostGetDevicePointer(&mapped, memory, 0));
  for (const unsigned int set : {1u, 2u}) REFUSED(cudaErrorInvalidValue, cudaHostGetDevicePointer(&mapped, memory, set));
  GOOD(cudaFreeHost(memory));
  GOOD(cudaFree(nullptr)), GOOD(cudaFreeHost(nullptr));
  char *device;
  cudaPointerAttributes about;
  GOOD(cudaMalloc(&device, 100)), GOOD(cudaPointerGetAttributes(&about, device + 99));
  EXPECT(about.type == cudaMemoryTypeDevice && about.device == 0 && about.devicePointer == device + 99);
  REFUSED(cudaErrorInvalidValue, cudaFree(device + 1));
  GOOD(cudaFree(device));
  int local = 0;
  GOOD(cudaPointerGetAttributes(&about, &local)), EXPECT(about.type == cudaMemoryTypeUnregistered);
}

void pools() {
  cudaStream_t stream;
  GOOD(cudaStreamCreate(&stream));
  cudaMemPoolProps how = {};
  how.allocType = cudaMemAllocationTypePinned, how.location.type = cudaMemLocationTypeDevice;
  cudaMemPool_t a, b;
  GOOD(cudaMemPoolCreate(&a, &how)), GOOD(cudaMemPoolCreate(&b, &how));
  const auto get = [](cudaMemPool_t pool, cudaMemPoolAttr which) {
    uint64_t value = 0;
    GOOD(cudaMemPoolGetAttribute(pool, which, &value));
    return value;
  };
  for (const uint64_t set : {uint64_t(5) << 33, ~uint64_t(0), uint64_t(0), uint64_t(77)}) {
    uint64_t value = set;
    GOOD(cudaMemPoolSetAttribute(a, cudaMemPoolAttrReleaseThreshold, &value));
    EXPECT(get(a, cudaMemPoolAttrReleaseThreshold) == set && get(b, cudaMemPoolAttrReleaseThreshold) == 0);
  }
  for (const auto which :
       {cudaMemPoolReuseFollowEventDependencies, cudaMemPoolReuseAllowOpportunistic, cudaMemPoolReuseAllowInternalDependencies})
    for (const int set : {0, 1, 0}) {
      int value = set, got = 7;
      GOOD(cudaMemPoolSetAttribute(a, which, &value)), GOOD(cudaMemPoolGetAttribute(a, which, &got)), EXPECT(got == set);
      GOOD(cudaMemPoolGetAttribute(b, which, &got)), EXPECT(got == 1);
    }
  // The account of each: what is used now, and the most since the mark was reset.
  void *first, *second, *third;
  GOOD(cudaMallocFromPoolAsync(&first, 4096, a, stream)), GOOD(cudaMallocFromPoolAsync(&second, 8192, a, stream));
  GOOD(cudaMallocFromPoolAsync(&third, 1024, b, stream)), GOOD(cudaStreamSynchronize(stream));
  EXPECT(get(a, cudaMemPoolAttrUsedMemCurrent) == 12288 && get(a, cudaMemPoolAttrUsedMemHigh) == 12288);
  EXPECT(get(a, cudaMemPoolAttrReservedMemCurrent) >= 12288 && get(a, cudaMemPoolAttrReservedMemHigh) >= 12288);
  EXPECT(get(b, cudaMemPoolAttrUsedMemCurrent) == 1024 && get(b, cudaMemPoolAttrUsedMemHigh) == 1024);
  GOOD(cudaFreeAsync(second, stream)), GOOD(cudaStreamSynchronize(stream));
  EXPECT(get(a, cudaMemPoolAttrUsedMemCurrent) == 4096 && get(a, cudaMemPoolAttrUsedMemHigh) == 12288);
  uint64_t zero = 0, one = 1;
  GOOD(cudaMemPoolSetAttribute(a, cudaMemPoolAttrUsedMemHigh, &zero));
  EXPECT(get(a, cudaMemPoolAttrUsedMemHigh) == 4096 && get(a, cudaMemPoolAttrUsedMemCurrent) == 4096 &&
         get(b, cudaMemPoolAttrUsedMemHigh) == 1024);
  GOOD(cudaMemPoolSetAttribute(a, cudaMemPoolAttrReservedMemHigh, &zero));
  EXPECT(get(a, cudaMemPoolAttrReservedMemHigh) == get(a, cudaMemPoolAttrReservedMemCurrent));
  REFUSED(cudaErrorInvalidValue, cudaMemPoolSetAttribute(a, cudaMemPoolAttrUsedMemHigh, &one));
  for (const auto which : {cudaMemPoolAttrUsedMemCurrent, cudaMemPoolAttrReservedMemCurrent})
    REFUSED(cudaErrorInvalidValue, cudaMemPoolSetAttribute(a, which, &zero));
  GOOD(cudaMallocFromPoolAsync(&second, 2048, a, stream)), GOOD(cudaStreamSynchronize(stream));
  EXPECT(get(a, cudaMemPoolAttrUsedMemHigh) == 6144);
  GOOD(cudaFreeAsync(first, stream)), GOOD(cudaFreeAsync(second, stream)), GOOD(cudaFreeAsync(third, stream)),
      GOOD(cudaStreamSynchronize(stream));
  EXPECT(get(a, cudaMemPoolAttrUsedMemCurrent) == 0 && get(b, cudaMemPoolAttrUsedMemCurrent) == 0 &&
         get(a, cudaMemPoolAttrUsedMemHigh) == 6144);
  GOOD(cudaMemPoolTrimTo(a, 0)), GOOD(cudaMemPoolDestroy(a)), GOOD(cudaMemPoolDestroy(b)), GOOD(cudaStreamDestroy(stream));
  cudaMemPool_t usual;
  GOOD(cudaDeviceGetDefaultMemPool(&usual, 0));
  REFUSED(cudaErrorInvalidValue, cudaMemPoolDestroy(usual));
}

// The last value that a launch takes in each direction, and the first that it does not; an error stays until it is asked for.
void launches() {
  const dim3 good[] = {dim3(1024), dim3(1, 1024), dim3(1, 1, 64), dim3(16, 8, 8), dim3(512, 2)};
  const dim3 bad[] = {dim3(1025), dim3(1, 1025), dim3(1, 1, 65), dim3(16, 8, 9), dim3(512, 3), dim3(0), dim3(1, 0), dim3(1, 1, 0)};
  for (const dim3 block : good) {
    nothing<<<1, block>>>();
    GOOD(cudaGetLastError());
  }
  for (const dim3 block : bad) {
    nothing<<<1, block>>>();
    GOOD(cudaDeviceSynchronize());  // of what ran; the launch itself failed
    nothing<<<1, 1>>>();            // and a good one changes nothing
    EXPECT(cudaPeekAtLastError() == cudaErrorInvalidValue && cudaGetLastError() == cudaErrorInvalidValue &&
           cudaGetLastError() == cudaSuccess);
  }
  for (const dim3 grid : {dim3(1, 65536), dim3(1, 1, 65536), dim3(0), dim3(1, 0), dim3(1, 1, 0)}) {
    nothing<<<grid, 1>>>();
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  }
  nothing<<<1, 1, 49152>>>();
  GOOD(cudaGetLastError());
  nothing<<<1, 1, 49153>>>();
  EXPECT(cudaGetLastError() != cudaSuccess);
#ifndef __CPU_DEVICE__  // which does not add what the kernel declares
  kept<<<1, 1, 49152 - 4000 + 1>>>(nullptr);
  EXPECT(cudaGetLastError() != cudaSuccess);
#endif
  // Clusters of up to so many blocks, and a whole number of them in each direction.
#ifdef __CPU_DEVICE__
  const unsigned int most = 16;  // which a GPU must be asked for
#else
  const unsigned int most = 8;
#endif
  for (const dim3 size : {dim3(8), dim3(2, 2, 2), dim3(1, 4), dim3(most), dim3(17), dim3(5, 5), dim3(1, 1, 17)})
    for (const dim3 grid : {dim3(8, 8, 2), dim3(16, 2), dim3(5, 5, 17), dim3(17, 1, 17)}) {
      cudaLaunchAttribute attribute = {};
      attribute.id = cudaLaunchAttributeClusterDimension;
      attribute.val.clusterDim.x = size.x, attribute.val.clusterDim.y = size.y, attribute.val.clusterDim.z = size.z;
      cudaLaunchConfig_t how = {};
      how.gridDim = grid, how.blockDim = dim3(1), how.attrs = &attribute, how.numAttrs = 1;
      const bool possible =
          size.x * size.y * size.z <= most && grid.x % size.x == 0 && grid.y % size.y == 0 && grid.z % size.z == 0;
      const cudaError_t error = cudaLaunchKernelExC(&how, reinterpret_cast<const void *>(nothing), nullptr);
      if ((error == cudaSuccess) != possible)
        wrong++, printf("cluster %u %u %u of %u: %d\n", size.x, size.y, size.z, grid.x, error);
      cudaGetLastError();
    }
  bounded<<<1, 257>>>(nullptr);
  EXPECT(cudaGetLastError() != cudaSuccess);
  // More than 48 KiB after it was asked for, and not more than there are.
  REFUSED(cudaErrorInvalidValue, cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 232449));
  REFUSED(cudaErrorInvalidValue, cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
  GOOD(cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448));
  nothing<<<1, 1, 232448>>>();
  GOOD(cudaGetLastError());
  nothing<<<1, 1, 232449>>>();
  EXPECT(cudaGetLastError() != cudaSuccess);
  GOOD(cudaDeviceSynchronize());
}

void limits_and_configurations() {
  for (const cudaLimit limit : {cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize}) {
    size_t before = 0, got = 0;
    GOOD(cudaDeviceGetLimit(&before, limit));
    for (const size_t set : {size_t(32) << 20, size_t(16) << 20, before}) {
      GOOD(cudaDeviceSetLimit(limit, set)), GOOD(cudaDeviceGetLimit(&got, limit));
      EXPECT(got >= set && got < set + (1 << 20));
    }
  }
  for (const cudaFuncCache set : {cudaFuncCachePreferShared, cudaFuncCachePreferL1, cudaFuncCachePreferNone})
    GOOD(cudaDeviceSetCacheConfig(set));
  GOOD(cudaFuncSetCacheConfig(nothing, cudaFuncCachePreferL1));
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  GOOD(cudaThreadExchangeStreamCaptureMode(&mode)), EXPECT(mode == cudaStreamCaptureModeGlobal);
  mode = cudaStreamCaptureModeThreadLocal;
  GOOD(cudaThreadExchangeStreamCaptureMode(&mode)), EXPECT(mode == cudaStreamCaptureModeRelaxed);
  mode = cudaStreamCaptureModeGlobal;
  GOOD(cudaThreadExchangeStreamCaptureMode(&mode)), EXPECT(mode == cudaStreamCaptureModeThreadLocal);
}

int main() {
  figures(), occupancy(), streams_and_events(), host_memory(), pools(), limits_and_configurations(), launches();
  puts(wrong ? "wrong" : "right");
  return wrong != 0;
}
