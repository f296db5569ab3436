// Arrays: memory whose layout is the device's business, read by textures, read and written by
// surfaces; and copies to and from it.
#pragma once

#include <stddef.h>

#include "api.h"
#include "errors.h"
#include "site.h"
#include "texture_sample.h"

#define CPU_DEVICE_SITE cpu_device::Site site = cpu_device::Site::here()

struct cudaArray;
typedef cudaArray* cudaArray_t;
typedef const cudaArray* cudaArray_const_t;
struct cudaMipmappedArray;
typedef cudaMipmappedArray* cudaMipmappedArray_t;
typedef const cudaMipmappedArray* cudaMipmappedArray_const_t;

struct cudaExtent {
  size_t width, height, depth;
};
struct cudaPos {
  size_t x, y, z;
};
struct cudaPitchedPtr {
  void* ptr;
  size_t pitch, xsize, ysize;
};
inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  return {width, height, depth};
}
inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return {x, y, z}; }
inline cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t width,
                                          size_t height) {
  return {pointer, pitch, width, height};
}
// A copy of a box between arrays and pitched memory. With an array on either side the extent and
// that side's position count elements, otherwise bytes.
struct cudaMemcpy3DParms {
  cudaArray_t srcArray;
  cudaPos srcPos;
  cudaPitchedPtr srcPtr;
  cudaArray_t dstArray;
  cudaPos dstPos;
  cudaPitchedPtr dstPtr;
  cudaExtent extent;
  cudaMemcpyKind kind;
};

// Layered: the last dimension counts layers, which are not filtered together. Cubemap: six layers
// (or six for each cube of a layered one), the faces +x, -x, +y, -y, +z, -z.
enum {
  cudaArrayDefault = 0,
  cudaArrayLayered = 1,
  cudaArraySurfaceLoadStore = 2,
  cudaArrayCubemap = 4,
  cudaArrayTextureGather = 8
};

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind);
template <typename T>
inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  using Format = cpu_device::TexelFormat<T>;
  constexpr int n = Format::channels, bits = Format::bits;
  return cudaCreateChannelDesc(bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0,
                               Format::kind);
}
// Floats of 16 bits, which kernels read as float.
inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() { return cudaCreateChannelDescHalf(); }
inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}
cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width,
                            size_t height = 0, unsigned int flags = 0, CPU_DEVICE_SITE);
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format,
                              cudaExtent extent, unsigned int flags = 0, CPU_DEVICE_SITE);
cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent, CPU_DEVICE_SITE);
cudaError_t cudaFreeArray(cudaArray_t array, CPU_DEVICE_SITE);
// An array and smaller ones, each dimension half of the one before; `levels` is cut to what is
// possible.
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array,
                                     const cudaChannelFormatDesc* format, cudaExtent extent,
                                     unsigned int levels, unsigned int flags = 0, CPU_DEVICE_SITE);
// One of them, which lives as long as the whole.
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* level_array, cudaMipmappedArray_const_t array,
                                       unsigned int level, CPU_DEVICE_SITE);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array, CPU_DEVICE_SITE);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned int* flags,
                             cudaArray_t array, CPU_DEVICE_SITE);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array,
                               CPU_DEVICE_SITE);

// Offsets and widths in x are bytes, those in y rows.
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from,
                                size_t from_pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                CPU_DEVICE_SITE);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                     size_t from_pitch, size_t width, size_t height,
                                     cudaMemcpyKind kind, cudaStream_t stream = nullptr,
                                     CPU_DEVICE_SITE);
cudaError_t cudaMemcpy2DFromArray(void* to, size_t to_pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                                  CPU_DEVICE_SITE);
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t to_pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream = nullptr, CPU_DEVICE_SITE);
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t from_x, size_t from_y,
                                     size_t width, size_t height,
                                     cudaMemcpyKind kind = cudaMemcpyDeviceToDevice,
                                     CPU_DEVICE_SITE);
// A run of bytes that goes on in the next row.
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                              cudaMemcpyKind kind, CPU_DEVICE_SITE);
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind, CPU_DEVICE_SITE);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                   size_t bytes, cudaMemcpyKind kind, cudaStream_t stream = nullptr,
                                   CPU_DEVICE_SITE);
cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y,
                                     size_t bytes, cudaMemcpyKind kind,
                                     cudaStream_t stream = nullptr, CPU_DEVICE_SITE);
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* what, CPU_DEVICE_SITE);
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* what, cudaStream_t stream = nullptr,
                              CPU_DEVICE_SITE);

#undef CPU_DEVICE_SITE
