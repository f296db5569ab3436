// In the manner of monitors within programs: no call with another device, its number, its handle, or a stream, event,
// pool or pointer of it, changes the current device. Link with -lcuda -lnvidia-ml on a GPU.
#include <cuda.h>
#include <cuda_runtime.h>
#include <nvml.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <utility>
#include <vector>

__global__ void kernel() {}

int main() {
  setenv("CPU_DEVICE_COUNT", "3", 1);  // for a machine without a GPU
  int devices = 0, wrong = 0, calls = 0;
  cudaGetDeviceCount(&devices);
  if (cuInit(0) != CUDA_SUCCESS || nvmlInit() != NVML_SUCCESS) return 1;
  struct Things {
    nvmlDevice_t handle;
    cudaStream_t stream;
    cudaEvent_t event;
    cudaMemPool_t pool;
    void *memory;
    cudaGraphExec_t graph;
  };
  std::vector<Things> things(devices);
  for (int i = 0; i < devices; i++) {
    Things &t = things[i];
    cudaSetDevice(i);
    nvmlDeviceGetHandleByIndex(unsigned(i), &t.handle);
    cudaStreamCreate(&t.stream);
    cudaEventCreate(&t.event);
    cudaEventRecord(t.event, t.stream);
    cudaDeviceGetDefaultMemPool(&t.pool, i);
    cudaMalloc(&t.memory, 1 << 16);
    cudaGraph_t graph;
    cudaStreamBeginCapture(t.stream, cudaStreamCaptureModeGlobal);
    cudaMemsetAsync(t.memory, 1, 64, t.stream);
    cudaStreamEndCapture(t.stream, &graph);
    cudaGraphInstantiate(&t.graph, graph, 0);
    cudaGraphDestroy(graph);
    cudaDeviceSynchronize();
  }
  char text[128];
  int current = 0, n = 0, m = 0;
  unsigned u = 0;
  size_t size = 0, all = 0;
  uint64_t wide = 0;
  unsigned long long number = 0;
  cudaDeviceProp properties;
  nvmlMemory_t memory;
  nvmlUtilization_t load;
  cudaPointerAttributes of_pointer;
  cudaMemPool_t pool;
  nvmlDevice_t handle;
  CUdevice device;
  CUuuid uuid;
  CUcontext context;
  CUdeviceptr start;
  cudaMemLocation location = {};
  location.type = cudaMemLocationTypeDevice;
  void *extra;
  float milliseconds;
  cudaMemAccessFlags access;
#define CALL(...) {#__VA_ARGS__, [&](int i, Things &t) { (void)i, (void)t, (void)(__VA_ARGS__); }}
  const std::vector<std::pair<const char *, std::function<void(int, Things &)>>> queries{
      CALL(nvmlDeviceGetCount(&u)),
      CALL(nvmlSystemGetDriverVersion(text, sizeof text)),
      CALL(nvmlSystemGetCudaDriverVersion(&n)),
      CALL(nvmlDeviceGetHandleByIndex(unsigned(i), &handle)),
      CALL(nvmlDeviceGetHandleByIndex_v2(unsigned(i), &handle)),
      CALL(nvmlDeviceGetIndex(t.handle, &u)),
      CALL(nvmlDeviceGetName(t.handle, text, sizeof text)),
      CALL(nvmlDeviceGetUUID(t.handle, text, sizeof text)),
      CALL(nvmlDeviceGetMemoryInfo(t.handle, &memory)),
      CALL(nvmlDeviceGetCudaComputeCapability(t.handle, &n, &m)),
      CALL(nvmlDeviceGetUtilizationRates(t.handle, &load)),
      CALL(nvmlDeviceGetTemperature(t.handle, NVML_TEMPERATURE_GPU, &u)),
      CALL(nvmlDeviceGetPowerUsage(t.handle, &u)),
      CALL(nvmlDeviceGetTotalEnergyConsumption(t.handle, &number)),
      CALL(nvmlDeviceGetClockInfo(t.handle, NVML_CLOCK_SM, &u)),
      CALL(nvmlDeviceGetMaxClockInfo(t.handle, NVML_CLOCK_MEM, &u)),
      CALL(nvmlDeviceGetFanSpeed(t.handle, &u)),
      CALL(cudaGetDeviceProperties(&properties, i)),
      CALL(cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, i)),
      CALL(cudaDeviceCanAccessPeer(&n, i, (i + 1) % devices)),
      CALL(cudaDeviceGetP2PAttribute(&n, cudaDevP2PAttrAccessSupported, i, (i + 1) % devices)),
      CALL(cudaDeviceGetPCIBusId(text, sizeof text, i), cudaDeviceGetByPCIBusId(&n, text)),
      CALL(cudaChooseDevice(&n, &properties)),
      CALL(cudaDeviceGetDefaultMemPool(&pool, i)),
      CALL(cudaDeviceGetMemPool(&pool, i)),
      CALL(cudaMemPoolGetAttribute(t.pool, cudaMemPoolAttrUsedMemCurrent, &wide)),
      CALL(cudaPointerGetAttributes(&of_pointer, t.memory)),
      CALL(cudaMemGetInfo(&size, &all)),
      CALL(cudaStreamQuery(t.stream)),
      CALL(cudaStreamGetFlags(t.stream, &u)),
      CALL(cudaStreamGetPriority(t.stream, &n)),
      CALL(cudaStreamSynchronize(t.stream)),
      CALL(cudaInitDevice(i, 0, 0)),
      CALL(cudaMemPoolTrimTo(t.pool, 0)),
      CALL(cudaMemPoolGetAccess(&access, t.pool, &location)),
      CALL(location.id = i, cudaMemPoolGetAccess(&access, things[current].pool, &location)),
      CALL(cudaMallocFromPoolAsync(&extra, 4096, t.pool, t.stream), cudaFreeAsync(extra, t.stream)),
      CALL(cudaMallocAsync(&extra, 4096, t.stream), cudaFreeAsync(extra, t.stream), cudaStreamSynchronize(t.stream)),
      CALL(cudaMemsetAsync(t.memory, 1, 64, t.stream), cudaStreamSynchronize(t.stream)),
      CALL(cudaMemset(t.memory, 2, 64)),
      CALL(cudaMemcpyAsync(&n, t.memory, 4, cudaMemcpyDeviceToHost, t.stream), cudaStreamSynchronize(t.stream)),
      CALL(cudaLaunchHostFunc(t.stream, [](void *) {}, nullptr), cudaStreamSynchronize(t.stream)),
      CALL(cudaStreamWaitEvent(things[(i + 1) % devices].stream, t.event, 0)),
      CALL(cudaEventRecord(t.event, t.stream), cudaEventSynchronize(t.event)),
      CALL(cudaEventElapsedTime(&milliseconds, t.event, t.event)),
      CALL(cudaGraphLaunch(t.graph, t.stream), cudaStreamSynchronize(t.stream)),
      CALL(i == current || cudaDeviceEnablePeerAccess(i, 0) || cudaDeviceDisablePeerAccess(i)),
      CALL(cudaEventQuery(t.event)),
      CALL(cudaEventSynchronize(t.event)),
      CALL(cudaMemcpy(&n, t.memory, 4, cudaMemcpyDeviceToHost)),
      CALL(cudaMemcpyPeer(t.memory, i, things[(i + 1) % devices].memory, (i + 1) % devices, 64)),
      CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, kernel, 128, 0)),
      CALL(cuDeviceGet(&device, i)),
      CALL(cuDeviceGetCount(&n)),
      CALL(cuDeviceGetName(text, sizeof text, i)),
      CALL(cuDeviceGetAttribute(&n, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, i)),
      CALL(cuDeviceTotalMem(&size, i)),
      CALL(cuDeviceGetUuid(&uuid, i)),
      CALL(cuDeviceGetDefaultMemPool(&pool, i)),
      CALL(cuDeviceGetMemPool(&pool, i)),
      CALL(cuDevicePrimaryCtxGetState(i, &u, &n)),
      CALL(cuMemPoolGetAttribute(t.pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &wide)),
      CALL(cuPointerGetAttribute(&n, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, reinterpret_cast<CUdeviceptr>(t.memory))),
      CALL(cuMemGetAddressRange(&start, &size, reinterpret_cast<CUdeviceptr>(t.memory))),
      CALL(cuStreamGetCtx(t.stream, &context)),
      CALL(cuStreamGetFlags(t.stream, &u)),
      CALL(cuStreamQuery(t.stream)),
      CALL(cuEventQuery(t.event)),
      CALL(cuDevicePrimaryCtxRetain(&context, i), cuDevicePrimaryCtxRelease(i)),
      CALL(cuDevicePrimaryCtxRetain(&context, i), cuCtxPushCurrent(context), cuCtxPopCurrent(&context),
           cuDevicePrimaryCtxRelease(i)),
  };
  for (current = 0; current < devices; current++)
    for (const auto &query : queries)
      for (int asked = 0; asked < devices; asked++) {
        cudaSetDevice(current);
        query.second(asked, things[asked]);
        cudaGetLastError();
        int after = -1;
        cudaGetDevice(&after);
        CUdevice by_driver = -1;
        cuCtxGetDevice(&by_driver);
        void *fresh = nullptr;
        cudaMalloc(&fresh, 64);
        cudaPointerGetAttributes(&of_pointer, fresh);
        cudaFree(fresh);
        calls++;
        if (after == current && by_driver == current && of_pointer.device == current) continue;
        if (wrong++ < 10) printf("%s of device %d: device %d is current, not %d\n", query.first, asked, after, current);
      }
  printf("%d calls, %d wrong\n", calls, wrong);
  return wrong != 0 || calls == 0;
}
