// Devices: how many there are, what they can do, which one is current.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

#include <unistd.h>

#include "../driver/runtime_use.h"
#include "../faults/error_messages.h"
#include "calls.h"
#include "device.h"
#include "host_lock.h"
#include "settings.h"

namespace cpu_device {

HostLock& host_lock() {
  static HostLock* lock = new HostLock;
  return *lock;
}

static thread_local int current = 0;

int current_device() { return current; }

Device& device(int index) {
  static auto* devices = [] {
    auto* all = new std::vector<Device>(static_cast<size_t>(std::max(1, settings().devices)));
    for (Device& one : *all) one.peers.resize(all->size());
    // Where there is no device, whatever is asked of it ends in this error.
    if (settings().devices == 0) all->front().broken = cudaErrorNoDevice;
    return all;
  }();
  return (*devices)[static_cast<size_t>(index)];
}

// The processor's name and clock (kHz) as the system reports them.
static void processor(std::string* name, int* clock_khz) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(": ");
    if (colon == std::string::npos) continue;
    if (line.compare(0, 10, "model name") == 0 && name->empty()) *name = line.substr(colon + 2);
    if (line.compare(0, 7, "cpu MHz") == 0 && *clock_khz == 0)
      *clock_khz = static_cast<int>(atof(line.c_str() + colon + 2) * 1000);
  }
  if (name->empty()) *name = "unknown processor";
}

// The cache that all cores share.
static size_t last_cache_bytes() {
  for (const int level : {_SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE}) {
    const long bytes = sysconf(level);
    if (bytes > 0) return static_cast<size_t>(std::min<long>(bytes, INT32_MAX));
  }
  return size_t(4) << 20;
}

// The limits are those of a recent GPU (compute capability 9.0), so that a program which fits here
// fits there.
static cudaDeviceProp make_properties() {
  cudaDeviceProp p;
  memset(&p, 0, sizeof p);
  std::string name;
  processor(&name, &p.clockRate);
  snprintf(p.name, sizeof p.name, "CPU device (%s)", name.c_str());
  p.totalGlobalMem = settings().memory;
  p.sharedMemPerBlock = 48 * 1024;
  p.sharedMemPerBlockOptin = kMaxShared;
  p.sharedMemPerMultiprocessor = 228 * 1024;
  p.reservedSharedMemPerBlock = 1024;
  p.regsPerBlock = p.regsPerMultiprocessor = 65536;
  p.warpSize = 32;
  p.memPitch = 2147483647;
  p.maxThreadsPerBlock = static_cast<int>(kMaxThreads);
  p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024;
  p.maxThreadsDim[2] = 64;
  p.maxGridSize[0] = 2147483647;
  p.maxGridSize[1] = p.maxGridSize[2] = 65535;
  p.totalConstMem = 64 * 1024;
  p.major = 9;
  p.minor = 0;
  p.textureAlignment = 512;
  p.texturePitchAlignment = 32;
  p.multiProcessorCount = settings().multiprocessors;
  p.maxThreadsPerMultiProcessor = 2048;
  p.maxBlocksPerMultiProcessor = 32;
  p.integrated = 1;
  p.canMapHostMemory = 1;
  p.maxTexture1D = 131072;
  p.maxTexture1DMipmap = 32768;
  p.maxTexture1DLinear = 268435456;
  p.maxTexture2D[0] = 131072;
  p.maxTexture2D[1] = 65536;
  p.maxTexture2DLinear[0] = p.maxTexture2DLinear[1] = 131072;
  p.maxTexture2DLinear[2] = 2097120;
  p.maxTexture3D[0] = p.maxTexture3D[1] = p.maxTexture3D[2] = 16384;
  p.maxTexture2DMipmap[0] = p.maxTexture2DMipmap[1] = 32768;
  p.maxTexture2DGather[0] = p.maxTexture2DGather[1] = 32768;
  p.maxTexture3DAlt[0] = p.maxTexture3DAlt[1] = 8192;
  p.maxTexture3DAlt[2] = 32768;
  p.maxTextureCubemap = p.maxTextureCubemapLayered[0] = 32768;
  p.maxTextureCubemapLayered[1] = 2046;
  p.maxTexture1DLayered[0] = 32768;
  p.maxTexture1DLayered[1] = 2048;
  p.maxTexture2DLayered[0] = p.maxTexture2DArray[0] = 32768;
  p.maxTexture2DLayered[1] = p.maxTexture2DArray[1] = 32768;
  p.maxTexture2DLayered[2] = p.maxTexture2DArray[2] = 2048;
  p.maxSurface1D = p.maxSurface1DLayered[0] = 32768;
  p.maxSurface1DLayered[1] = 2048;
  p.maxSurface2D[0] = 131072;
  p.maxSurface2D[1] = 65536;
  p.maxSurface3D[0] = p.maxSurface3D[1] = p.maxSurface3D[2] = 16384;
  p.maxSurface2DLayered[0] = p.maxSurface2DLayered[1] = 32768;
  p.maxSurface2DLayered[2] = 2048;
  p.maxSurfaceCubemap = p.maxSurfaceCubemapLayered[0] = 32768;
  p.maxSurfaceCubemapLayered[1] = 2046;
  p.surfaceAlignment = 512;
  p.concurrentKernels = 1;
  p.asyncEngineCount = 2;
  p.deviceOverlap = 1;
  p.unifiedAddressing = 1;
  p.memoryBusWidth = 64;
  // The part that may be set aside for data which stays is 5/8, as on a GPU of this compute capability; which
  // data that is decides the processor, so it changes no times here.
  p.l2CacheSize = static_cast<int>(last_cache_bytes());
  p.persistingL2CacheMaxSize = p.l2CacheSize / 8 * 5;
  p.accessPolicyMaxWindowSize = 128 << 20;
  p.managedMemory = 1;
  p.hostNativeAtomicSupported = 1;
  p.hostRegisterSupported = 1;
  p.singleToDoublePrecisionPerfRatio = 2;
  p.streamPrioritiesSupported = 1;
  p.cooperativeLaunch = 1;
  p.clusterLaunch = 1;
  p.memoryPoolsSupported = 1;
  p.canUseHostPointerForRegisteredMem = 1;
  p.unifiedFunctionPointers = 1;
  return p;
}

const cudaDeviceProp& properties() {
  static const cudaDeviceProp p = make_properties();
  return p;
}

bool check_device(int index, Site site, const char* what) {
  if (index >= 0 && index < settings().devices) return true;
  if (settings().devices == 0) {
    fail(cudaErrorNoDevice);
    return false;
  }
  fail(cudaErrorInvalidDevice, site,
       format("%s: device %d does not exist, only 0 to %d", what, index, settings().devices - 1),
       "set CPU_DEVICE_COUNT=4 in the environment to have four devices.");
  return false;
}

static cudaError_t device_error() {
  return settings().devices == 0 ? cudaErrorNoDevice : cudaErrorInvalidDevice;
}

}  // namespace cpu_device

using namespace cpu_device;

cudaError_t cudaGetDeviceCount(int* count) {
  if (count == nullptr) return fail(cudaErrorInvalidValue);
  *count = settings().devices;
  return *count == 0 ? fail(cudaErrorNoDevice) : cudaSuccess;
}

cudaError_t cudaGetDevice(int* index) {
  if (index == nullptr) return fail(cudaErrorInvalidValue);
  *index = current;
  return settings().devices == 0 ? fail(cudaErrorNoDevice) : cudaSuccess;
}

cudaError_t cudaSetDevice(int index, Site site) {
  if (!check_device(index, site, "cudaSetDevice")) return device_error();
  if (calls::wanted()) {
    const Guard guard(host_lock());
    calls::note("set device %d", index);
  }
  current = index;
  note_runtime_use();
  return cudaSuccess;
}

static cudaDeviceProp properties_of(int index) {
  cudaDeviceProp p = properties();
  p.pciBusID = index;
  p.uuid.bytes[15] = static_cast<char>(index);
  return p;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int index, Site site) {
  if (!check_device(index, site, "cudaGetDeviceProperties")) return device_error();
  *p = properties_of(index);
  return cudaSuccess;
}

static int attribute_value(const cudaDeviceProp& p, cudaDeviceAttr attribute) {
  switch (attribute) {
#include "attributes.inc"
    // What is no field of cudaDeviceProp.
    case cudaDevAttrHostMemoryPoolsSupported: return 1;
    case cudaDevAttrHostNumaMemoryPoolsSupported:
    case cudaDevAttrCanFlushRemoteWrites:
    case cudaDevAttrGPUDirectRDMAFlushWritesOptions:
    case cudaDevAttrGPUDirectRDMAWritesOrdering:
    case cudaDevAttrNumaConfig: return 0;
    case cudaDevAttrNumaId: return -1;
  }
  return -1;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int index, Site site) {
  if (!check_device(index, site, "cudaDeviceGetAttribute")) return device_error();
  if (value == nullptr || attribute < 1) return fail(cudaErrorInvalidValue);
  *value = attribute_value(properties_of(index), attribute);
  return cudaSuccess;
}

// Which fields CUDA compares is not documented beyond "best match"; here each property that is asked
// for and met counts one.
cudaError_t cudaChooseDevice(int* chosen, const cudaDeviceProp* wanted) {
  if (settings().devices == 0) return fail(cudaErrorNoDevice);
  (void)wanted;   // all devices here are alike, so all match equally well
  *chosen = 0;
  return cudaSuccess;
}

cudaError_t cudaSetValidDevices(int*, int) { return cudaSuccess; }
cudaError_t cudaSetDeviceFlags(unsigned int) { return cudaSuccess; }
cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  *flags = cudaDeviceMapHost;
  return cudaSuccess;
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
cudaError_t cudaDriverGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}

// Nothing is limited by them: they are only remembered. A device of compute capability 9.0 has no depth of synchronization.
static std::atomic<size_t> limits[] = {256 * 1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};
static bool has_limit(cudaLimit limit) {
  return limit != cudaLimitDevRuntimeSyncDepth && static_cast<size_t>(limit) < std::size(limits);
}
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  if (!has_limit(limit)) return fail(cudaErrorUnsupportedLimit);
  if (limit == cudaLimitPersistingL2CacheSize)
    value = std::min(value, static_cast<size_t>(properties().persistingL2CacheMaxSize));
  limits[limit] = value;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  if (!has_limit(limit)) return fail(cudaErrorUnsupportedLimit);
  *value = limits[limit];
  return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int index) {
  if (index < 0 || index >= settings().devices) return fail(device_error());
  snprintf(text, static_cast<size_t>(length), "0000:%02x:00.0", index);
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  const Guard guard(host_lock());
  if (settings().devices == 0) return fail(cudaErrorNoDevice);
  *total_bytes = settings().memory;
  *free_bytes = settings().memory - device(current).memory_used;
  return cudaSuccess;
}
