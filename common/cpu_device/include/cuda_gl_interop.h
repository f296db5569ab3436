// Buffers and textures of OpenGL, shared with kernels: what `#include <cuda_gl_interop.h>` finds. Every OpenGL
// will do, because the CPU's memory is its own; no library but the program's OpenGL is needed.
#pragma once

#include <GL/gl.h>

#include "cuda_runtime.h"

#define CPU_DEVICE_SITE cpu_device::Site site = cpu_device::Site::here()

// The devices that draw what this thread's OpenGL context draws: the first CPU device.
cudaError_t cudaGLGetDevices(unsigned int* count, int* devices, unsigned int size,
                             cudaGLDeviceList list, CPU_DEVICE_SITE);

// The buffer must have its storage already (glBufferData).
cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource** resource, GLuint buffer,
                                         unsigned int flags, CPU_DEVICE_SITE);

// Textures of two dimensions (GL_TEXTURE_2D, GL_TEXTURE_RECTANGLE), which must have their storage already
// (glTexImage2D); others are not supported, and it says so.
cudaError_t cudaGraphicsGLRegisterImage(cudaGraphicsResource** resource, GLuint image,
                                        GLenum target, unsigned int flags, CPU_DEVICE_SITE);

// Since CUDA 5 nothing but cudaSetDevice; deprecated.
inline cudaError_t cudaGLSetGLDevice(int device, CPU_DEVICE_SITE) {
  return cudaSetDevice(device, site);
}

#undef CPU_DEVICE_SITE
