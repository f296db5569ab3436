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
  CPU_DEVICE_READY;
  return result(cudaStreamDestroy(stream, site));
}
CUresult cuStreamSynchronize(CUstream stream, Site site) {
  CPU_DEVICE_READY;
  return result(cudaStreamSynchronize(stream, site));
}
CUresult cuStreamQuery(CUstream stream, Site site) {
  CPU_DEVICE_READY;
  return result(cudaStreamQuery(stream, site));
}
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags, Site site) {
  CPU_DEVICE_READY;
  return result(cudaStreamWaitEvent(stream, event, flags, site));
}
CUresult cuEventCreate(CUevent* event, unsigned int flags, Site site) {
  CPU_DEVICE_READY;
  return result(cudaEventCreateWithFlags(event, flags, site));
}
CUresult cuEventDestroy(CUevent event, Site site) {
  CPU_DEVICE_READY;
  return result(cudaEventDestroy(event, site));
}
CUresult cuEventRecord(CUevent event, CUstream stream, Site site) {
  CPU_DEVICE_READY;
  return result(cudaEventRecord(event, stream, site));
}
CUresult cuEventSynchronize(CUevent event, Site site) {
  CPU_DEVICE_READY;
  return result(cudaEventSynchronize(event, site));
}
CUresult cuEventQuery(CUevent event, Site site) {
  CPU_DEVICE_READY;
  return result(cudaEventQuery(event, site));
}
CUresult cuEventElapsedTime(float* ms, CUevent start, CUevent stop, Site site) {
  CPU_DEVICE_READY;
  return result(cudaEventElapsedTime(ms, start, stop, site));
}

// ---- kernels of the program itself: cudaGetFuncBySymbol() gives them ----

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function,
                            Site site) {
  CPU_DEVICE_READY;
  cudaFuncAttributes all;
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
CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                        unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                        unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                        void** arguments, void** extra, Site site) {
  CPU_DEVICE_READY;
  std::vector<void*> unpacked;
  if (extra != nullptr) {
    if (!unpack_arguments(function, extra, &unpacked, site)) return CUDA_ERROR_INVALID_VALUE;
    arguments = unpacked.data();
  }
  return result(cudaLaunchKernel(static_cast<const void*>(function), dim3(grid_x, grid_y, grid_z),
                                 dim3(block_x, block_y, block_z), arguments, shared_bytes, stream,
                                 site));
}
