// Memory that belongs to OpenGL, for kernels: mapped between two of OpenGL's uses of it. How it
// becomes known to CUDA, cudaGraphicsGLRegisterBuffer, is in cuda_gl_interop.h.
#pragma once

#include "api.h"
#include "arrays.h"

#define CPU_DEVICE_SITE cpu_device::Site site = cpu_device::Site::here()

struct cudaGraphicsResource;
typedef cudaGraphicsResource* cudaGraphicsResource_t;

enum cudaGraphicsRegisterFlags {
  cudaGraphicsRegisterFlagsNone = 0,
  cudaGraphicsRegisterFlagsReadOnly = 1,
  cudaGraphicsRegisterFlagsWriteDiscard = 2,
  cudaGraphicsRegisterFlagsSurfaceLoadStore = 4,
  cudaGraphicsRegisterFlagsTextureGather = 8
};
enum cudaGraphicsMapFlags {
  cudaGraphicsMapFlagsNone = 0,
  cudaGraphicsMapFlagsReadOnly = 1,
  cudaGraphicsMapFlagsWriteDiscard = 2
};

enum cudaGLDeviceList {
  cudaGLDeviceListAll = 1,
  cudaGLDeviceListCurrentFrame = 2,
  cudaGLDeviceListNextFrame = 3
};

cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t resource, CPU_DEVICE_SITE);
cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t resource, unsigned int flags,
                                            CPU_DEVICE_SITE);
// OpenGL may not use what is mapped; what it was asked to do before is done.
cudaError_t cudaGraphicsMapResources(int count, cudaGraphicsResource_t* resources,
                                     cudaStream_t stream = nullptr, CPU_DEVICE_SITE);
// Kernels may no longer use it. Those launched before have run.
cudaError_t cudaGraphicsUnmapResources(int count, cudaGraphicsResource_t* resources,
                                       cudaStream_t stream = nullptr, CPU_DEVICE_SITE);
// Valid until the resource is unmapped; may be another one the next time.
cudaError_t cudaGraphicsResourceGetMappedPointer(void** pointer, size_t* bytes,
                                                 cudaGraphicsResource_t resource, CPU_DEVICE_SITE);
// The same for images: one level as an array, and all of them. `index` is 0.
cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t* array,
                                                  cudaGraphicsResource_t resource,
                                                  unsigned int index, unsigned int level,
                                                  CPU_DEVICE_SITE);
cudaError_t cudaGraphicsResourceGetMappedMipmappedArray(cudaMipmappedArray_t* array,
                                                        cudaGraphicsResource_t resource,
                                                        CPU_DEVICE_SITE);

#undef CPU_DEVICE_SITE
