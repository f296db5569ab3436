// In the manner of programs that look for errors once, at the end: an error stays the last one whatever succeeds after it, until
// somebody takes it, and then it is gone.
#include <cuda_runtime.h>

#include <cstdio>
#include <thread>

int wrong = 0;
void failed(const char *call, const char *what, int got) { wrong++, printf("%s: %s (%d)\n", call, what, got); }

__global__ void nothing(int *p) {
  if (p != nullptr) *p += 1;
}
__device__ int variable;
__constant__ float numbers[4];

// A call that succeeds, between an error and the question for it. It is made twice: what it takes away, it makes again.
template <typename Call>
void keeps(const char *name, Call call) {
  for (const int code : {int(cudaErrorInvalidDevice), int(cudaErrorInvalidValue)}) {
    const cudaError_t error = code == cudaErrorInvalidDevice ? cudaSetDevice(-1) : cudaMalloc(static_cast<void **>(nullptr), 4);
    if (error != code) failed(name, "the wrong error to begin with", error);
    const cudaError_t done = call();
    if (done != cudaSuccess) failed(name, "it failed", done);
    const cudaError_t peeked = cudaPeekAtLastError(), taken = cudaGetLastError(), after = cudaGetLastError();
    if (peeked != code) failed(name, "peeked", peeked);
    if (taken != code) failed(name, "taken", taken);
    if (after != cudaSuccess) failed(name, "still there", after);
  }
}
#define KEEPS(...) keeps(#__VA_ARGS__, [&] { return __VA_ARGS__; });

int main() {
  int *memory, *other, *managed, count, value;
  void *pinned;
  size_t bytes, pitch;
  int host[64] = {};
  cudaStream_t stream, second;
  cudaEvent_t event, later;
  cudaGraph_t graph, captured;
  cudaGraphExec_t ready;
  cudaGraphNode_t node;
  cudaArray_t array;
  cudaTextureObject_t texture;
  cudaSurfaceObject_t surface;
  cudaFuncAttributes attributes;
  cudaPointerAttributes about;
  cudaDeviceProp properties;
  cudaMemPool_t pool;
  void *address;
  float ms;

  KEEPS(cudaGetDeviceCount(&count)) KEEPS(cudaGetDevice(&value)) KEEPS(cudaSetDevice(0)) KEEPS(cudaFree(nullptr))
  KEEPS(cudaGetDeviceProperties(&properties, 0)) KEEPS(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0))
  KEEPS(cudaMalloc(&memory, 256)) KEEPS(cudaMallocPitch(&other, &pitch, 64, 4)) KEEPS(cudaMallocManaged(&managed, 256))
  KEEPS(cudaMallocHost(&pinned, 256)) KEEPS(cudaMemGetInfo(&bytes, &bytes)) KEEPS(cudaMemset(memory, 0, 256))
  KEEPS(cudaMemcpy(memory, host, 256, cudaMemcpyHostToDevice)) KEEPS(cudaMemcpy2D(other, pitch, host, 64, 64, 4, cudaMemcpyDefault))
  KEEPS(cudaMemcpyToSymbol(variable, host, 4)) KEEPS(cudaMemcpyFromSymbol(host, numbers, 16))
  KEEPS(cudaGetSymbolAddress(&address, variable)) KEEPS(cudaGetSymbolSize(&bytes, numbers))
  KEEPS(cudaPointerGetAttributes(&about, memory)) KEEPS(cudaFuncGetAttributes(&attributes, nothing))
#ifdef __CPU_DEVICE__  // on an H200 it takes the error away
  KEEPS(cudaFuncSetAttribute(nothing, cudaFuncAttributePreferredSharedMemoryCarveout, 50))
#endif
  KEEPS(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, nothing, 64, 0))
  KEEPS(cudaOccupancyMaxPotentialBlockSize(&count, &value, nothing, 0, 0))
  KEEPS(cudaStreamCreate(&stream)) KEEPS(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking)) KEEPS(cudaEventCreate(&event))
  KEEPS(cudaEventCreate(&later)) KEEPS(cudaEventRecord(event, stream)) KEEPS(cudaStreamWaitEvent(second, event, 0))
  KEEPS(cudaMemsetAsync(memory, 1, 16, stream)) KEEPS(cudaMemcpyAsync(pinned, memory, 16, cudaMemcpyDeviceToHost, stream))
  KEEPS(cudaLaunchHostFunc(stream, [](void *) {}, nullptr)) KEEPS(cudaEventRecord(later, stream)) KEEPS(cudaStreamSynchronize(stream))
  KEEPS(cudaEventSynchronize(later)) KEEPS(cudaEventQuery(later)) KEEPS(cudaStreamQuery(stream)) KEEPS(cudaEventElapsedTime(&ms, event, later))
  void *none[] = {&memory};
  KEEPS(cudaLaunchKernel(reinterpret_cast<void *>(nothing), dim3(1), dim3(32), none, 0, stream))
  KEEPS(nothing<<<1, 32, 0, stream>>>(memory), cudaSuccess)
  KEEPS(cudaDeviceSynchronize())

  cudaKernelNodeParams kernel = {};
  kernel.func = reinterpret_cast<void *>(nothing), kernel.gridDim = kernel.blockDim = dim3(1), kernel.kernelParams = none;
  cudaMemsetParams fill = {};
  fill.dst = memory, fill.elementSize = 4, fill.width = 8, fill.height = 1;
  KEEPS(cudaGraphCreate(&graph, 0)) KEEPS(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &kernel))
  KEEPS(cudaGraphAddMemsetNode(&node, graph, &node, 1, &fill))
  KEEPS(cudaGraphAddMemcpyNode1D(&node, graph, &node, 1, pinned, memory, 16, cudaMemcpyDefault))
  KEEPS(cudaGraphAddEmptyNode(&node, graph, &node, 1)) KEEPS(cudaGraphGetNodes(graph, nullptr, &bytes))
  KEEPS(cudaGraphInstantiate(&ready, graph, 0)) KEEPS(cudaGraphLaunch(ready, stream)) KEEPS(cudaStreamSynchronize(stream))
  KEEPS(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), cudaMemsetAsync(memory, 0, 16, stream),
        nothing<<<1, 1, 0, stream>>>(memory), cudaStreamEndCapture(stream, &captured))
  KEEPS(cudaGraphExecDestroy(ready), cudaGraphInstantiate(&ready, graph, 0))
  KEEPS(cudaGraphDestroy(graph), cudaGraphCreate(&graph, 0))

  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  KEEPS(cudaMallocArray(&array, &format, 8, 4, cudaArraySurfaceLoadStore))
  KEEPS(cudaMemcpy2DToArray(array, 0, 0, host, 32, 32, 2, cudaMemcpyHostToDevice))
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray, resource.res.array.array = array;
  cudaTextureDesc how = {};
  how.readMode = cudaReadModeElementType;
  KEEPS(cudaCreateTextureObject(&texture, &resource, &how, nullptr)) KEEPS(cudaCreateSurfaceObject(&surface, &resource))
  KEEPS(cudaGetTextureObjectResourceDesc(&resource, texture))
  KEEPS(cudaDestroyTextureObject(texture), cudaCreateTextureObject(&texture, &resource, &how, nullptr))
  KEEPS(cudaDestroySurfaceObject(surface), cudaCreateSurfaceObject(&surface, &resource))
  KEEPS(cudaDestroyTextureObject(texture), cudaDestroySurfaceObject(surface), cudaFreeArray(array),
        cudaMallocArray(&array, &format, 8, 4, cudaArraySurfaceLoadStore), resource.res.array.array = array,
        cudaCreateTextureObject(&texture, &resource, &how, nullptr), cudaCreateSurfaceObject(&surface, &resource))
  KEEPS(cudaDeviceGetDefaultMemPool(&pool, 0)) KEEPS(cudaMallocAsync(&address, 64, stream)) KEEPS(cudaStreamSynchronize(stream))
  KEEPS(cudaFree(memory), cudaMalloc(&memory, 64)) KEEPS(cudaFreeHost(pinned), cudaMallocHost(&pinned, 64))
  KEEPS(cudaEventDestroy(event), cudaEventCreate(&event)) KEEPS(cudaStreamDestroy(second), cudaStreamCreate(&second))
  KEEPS(cudaDeviceGetLimit(&bytes, cudaLimitStackSize)) KEEPS(cudaDeviceSetCacheConfig(cudaFuncCachePreferNone))
  KEEPS(cudaRuntimeGetVersion(&value)) KEEPS(cudaDriverGetVersion(&value))

  // The newest error counts, and each host thread has its own.
  cudaSetDevice(-1);
  if (cudaStreamCreateWithFlags(&second, 12345) != cudaErrorInvalidValue) failed("flags", "not refused", 0);
  std::thread([] {
    if (cudaPeekAtLastError() != cudaSuccess) failed("another thread", "has an error", cudaPeekAtLastError());
    cudaSetDevice(-1);
  }).join();
  const cudaError_t last = cudaGetLastError();
  if (last != cudaErrorInvalidValue) failed("two errors", "not the newest", last);
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
