// Streams, events and launches of the driver interface.
#include <vector>

#include "../execution/kernels.h"
#include "../faults/error_messages.h"
#include "driver.h"

using namespace cpu_device;

// ---- streams and events ----

CUresult cuStreamCreate(CUstream* stream, unsigned int flags, Site site) {
  CPU_DEVICE_READY;
  return result(cudaStreamCreateWithFlags(stream, flags, site));
}
CUresult cuStreamDestroy(CUstream stream, Site site) {
  CPU_DEVICE_READY_WITH(stream);
  return result(cudaStreamDestroy(stream, site));
}
CUresult cuStreamSynchronize(CUstream stream, Site site) {
  CPU_DEVICE_READY_FOR(stream);
  return result(cudaStreamSynchronize(stream, site));
}
CUresult cuStreamQuery(CUstream stream, Site site) {
  CPU_DEVICE_READY_FOR(stream);
  return result(cudaStreamQuery(stream, site));
}
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags, Site site) {
  CPU_DEVICE_READY_FOR(stream);
  return result(cudaStreamWaitEvent(stream, event, flags, site));
}
CUresult cuEventCreate(CUevent* event, unsigned int flags, Site site) {
  CPU_DEVICE_READY;
  return result(cudaEventCreateWithFlags(event, flags, site));
}
CUresult cuEventDestroy(CUevent event, Site site) {
  CPU_DEVICE_READY_WITH(event);
  return result(cudaEventDestroy(event, site));
}
CUresult cuEventRecord(CUevent event, CUstream stream, Site site) {
  CPU_DEVICE_READY_FOR(stream);
  return result(cudaEventRecord(event, stream, site));
}
CUresult cuEventSynchronize(CUevent event, Site site) {
  CPU_DEVICE_READY_WITH(event);
  return result(cudaEventSynchronize(event, site));
}
CUresult cuEventQuery(CUevent event, Site site) {
  CPU_DEVICE_READY_WITH(event);
  return result(cudaEventQuery(event, site));
}
CUresult cuEventElapsedTime(float* ms, CUevent start, CUevent stop, Site site) {
  CPU_DEVICE_READY_WITH(start);
  return result(cudaEventElapsedTime(ms, start, stop, site));
}

// ---- kernels of the program itself: cudaGetFuncBySymbol() gives them ----

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function,
                            Site site) {
  if (function == nullptr && !driver_initialized()) return CUDA_ERROR_INVALID_HANDLE;
  CPU_DEVICE_READY;
  cudaFuncAttributes all = {};
  get_kernel_attributes(&all, function);
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = all.maxThreadsPerBlock; break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      *value = static_cast<int>(all.sharedSizeBytes);
      break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = all.numRegs; break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION: *value = all.ptxVersion; break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = all.binaryVersion; break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      *value = all.maxDynamicSharedSizeBytes;
      break;
    default: *value = 0;
  }
  return CUDA_SUCCESS;
}
CUresult cuFuncSetAttribute(CUfunction, CUfunction_attribute attribute, int value, Site site) {
  CPU_DEVICE_READY;
  return result(set_kernel_attribute(static_cast<cudaFuncAttribute>(attribute), value, site));
}
// `extra` names one buffer in which the arguments lie as the members of a struct do.
static bool unpack_arguments(CUfunction function, void** extra, std::vector<void*>* arguments,
                             Site site) {
  char* buffer = nullptr;
  size_t bytes = 0;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER) buffer = static_cast<char*>(extra[1]);
    if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE) bytes = *static_cast<size_t*>(extra[1]);
  }
  size_t needed = 0;
  for (const size_t offset : kernel_offsets(function, &needed)) arguments->push_back(buffer + offset);
  if (bytes >= needed) return true;
  fail(cudaErrorInvalidValue, site,
       format("the buffer has %zu bytes, but the kernel's arguments need %zu", bytes, needed));
  return false;
}
// cuLaunchKernel() and cuLaunchKernelEx() of a kernel with either form of arguments.
static CUresult launch(CUfunction function, dim3 grid, dim3 block, unsigned int shared_bytes, CUstream stream,
                       void** arguments, void** extra, bool cooperative, dim3 cluster, Site site) {
  CPU_DEVICE_READY_FOR(stream);
  std::vector<void*> unpacked;
  if (extra != nullptr) {
    if (!unpack_arguments(function, extra, &unpacked, site)) return CUDA_ERROR_INVALID_VALUE;
    arguments = unpacked.data();
  }
  return result(launch_by_address(static_cast<const void*>(function), grid, block, arguments, shared_bytes, stream,
                                  cooperative, cluster, site));
}
CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                        unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                        unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                        void** arguments, void** extra, Site site) {
  return launch(function, dim3(grid_x, grid_y, grid_z), dim3(block_x, block_y, block_z), shared_bytes, stream,
                arguments, extra, false, {1, 1, 1}, site);
}
CUresult cuLaunchKernelEx(const CUlaunchConfig* how, CUfunction function, void** arguments, void** extra, Site site) {
  if (how == nullptr) return result(fail(cudaErrorInvalidValue));
  bool cooperative = false;
  dim3 cluster;
  for (unsigned int i = 0; i < how->numAttrs; i++) {
    const CUlaunchAttributeValue& value = how->attrs[i].value;
    if (how->attrs[i].id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) cooperative = value.cooperative != 0;
    if (how->attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
      cluster = {value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
  }
  return launch(function, dim3(how->gridDimX, how->gridDimY, how->gridDimZ),
                dim3(how->blockDimX, how->blockDimY, how->blockDimZ), how->sharedMemBytes, how->hStream, arguments,
                extra, cooperative, cluster, site);
}
CUresult cuGraphAddKernelNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after, size_t count,
                              const CUDA_KERNEL_NODE_PARAMS* what, Site site) {
  CPU_DEVICE_READY;
  if (what == nullptr) return result(fail(cudaErrorInvalidValue));
  const cudaKernelNodeParams same{what->func,
                                  dim3(what->gridDimX, what->gridDimY, what->gridDimZ),
                                  dim3(what->blockDimX, what->blockDimY, what->blockDimZ),
                                  what->sharedMemBytes,
                                  what->kernelParams,
                                  what->extra};
  return result(cudaGraphAddKernelNode(node, graph, after, count, &same, site));
}
CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel) {
  if (function == nullptr || kernel == nullptr) return result(fail(cudaErrorInvalidValue));
  *function = reinterpret_cast<CUfunction>(kernel);
  return CUDA_SUCCESS;
}
CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel kernel, CUdevice, Site site) {
  return cuFuncGetAttribute(value, attribute, reinterpret_cast<CUfunction>(kernel), site);
}
CUresult cuKernelGetName(const char** name, CUkernel kernel, Site site) {
  return cuFuncGetName(name, reinterpret_cast<CUfunction>(kernel), site);
}
CUresult cuFuncGetName(const char** name, CUfunction function, Site site) {
  if (function == nullptr && !driver_initialized()) return CUDA_ERROR_INVALID_VALUE;
  CPU_DEVICE_READY;
  return result(cudaFuncGetName(name, static_cast<const void*>(function), site));
}
// All kernels are in memory from the start.
CUresult cuFuncLoad(CUfunction function) {
  return is_kernel(function) ? CUDA_SUCCESS : result(fail(cudaErrorInvalidResourceHandle));
}
