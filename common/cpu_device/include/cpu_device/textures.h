// Textures: arrays, texture objects, the functions by which kernels read them, and the texture
// references that CUDA 12 removed. How coordinates become elements is in texture_sample.h.
#pragma once

#include <stddef.h>

#include "api.h"
#include "errors.h"
#include "site.h"
#include "texture_sample.h"
#include "vector_types.h"

#define CPU_DEVICE_SITE cpu_device::Site site = cpu_device::Site::here()

// ---- arrays: memory whose layout is the device's business ----
struct cudaArray;
typedef cudaArray* cudaArray_t;
typedef const cudaArray* cudaArray_const_t;
struct cudaMipmappedArray;
typedef cudaMipmappedArray* cudaMipmappedArray_t;

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
cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width,
                            size_t height = 0, unsigned int flags = 0, CPU_DEVICE_SITE);
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format,
                              cudaExtent extent, unsigned int flags = 0, CPU_DEVICE_SITE);
cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent, CPU_DEVICE_SITE);
cudaError_t cudaFreeArray(cudaArray_t array, CPU_DEVICE_SITE);
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
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* what, CPU_DEVICE_SITE);
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* what, cudaStream_t stream = nullptr,
                              CPU_DEVICE_SITE);

// ---- texture objects ----
enum cudaResourceType {
  cudaResourceTypeArray = 0,
  cudaResourceTypeMipmappedArray = 1,
  cudaResourceTypeLinear = 2,
  cudaResourceTypePitch2D = 3
};
struct cudaResourceDesc {
  cudaResourceType resType;
  union {
    struct {
      cudaArray_t array;
    } array;
    struct {
      cudaMipmappedArray_t mipmap;
    } mipmap;
    struct {
      void* devPtr;
      cudaChannelFormatDesc desc;
      size_t sizeInBytes;
    } linear;
    struct {
      void* devPtr;
      cudaChannelFormatDesc desc;
      size_t width, height, pitchInBytes;
    } pitch2D;
    struct {
      int reserved[32];
    } reserved;
  } res;
  unsigned int flags;
};
struct cudaTextureDesc {
  cudaTextureAddressMode addressMode[3];
  cudaTextureFilterMode filterMode;
  cudaTextureReadMode readMode;
  int sRGB;
  float borderColor[4];
  int normalizedCoords;
  unsigned int maxAnisotropy;
  cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  int disableTrilinearOptimization;
  int seamlessCubemap;
};
struct cudaResourceViewDesc;  // other views of a resource's format are not supported

typedef unsigned long long cudaTextureObject_t;

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* how, const cudaResourceViewDesc* view,
                                    CPU_DEVICE_SITE);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object, CPU_DEVICE_SITE);
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t object,
                                             CPU_DEVICE_SITE);
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* how, cudaTextureObject_t object,
                                            CPU_DEVICE_SITE);

// ---- reading: T is the element's type, or float (float2, float4) if it is read normalized ----
template <typename T>
inline T tex1Dfetch(cudaTextureObject_t object, int i, CPU_DEVICE_SITE) {
  return cpu_device::fetch<T>(cpu_device::texture_of(object), i, site);
}
template <typename T>
inline T tex1D(cudaTextureObject_t object, float x, CPU_DEVICE_SITE) {
  return cpu_device::sample<T>(cpu_device::texture_of(object), 1, x, 0, 0, site);
}
template <typename T>
inline T tex2D(cudaTextureObject_t object, float x, float y, CPU_DEVICE_SITE) {
  return cpu_device::sample_2d<T>(cpu_device::texture_of(object), x, y, site);
}
template <typename T>
inline T tex3D(cudaTextureObject_t object, float x, float y, float z, CPU_DEVICE_SITE) {
  return cpu_device::sample<T>(cpu_device::texture_of(object), 3, x, y, z, site);
}
template <typename T>
inline void tex1Dfetch(T* result, cudaTextureObject_t object, int i, CPU_DEVICE_SITE) {
  *result = tex1Dfetch<T>(object, i, site);
}
template <typename T>
inline void tex1D(T* result, cudaTextureObject_t object, float x, CPU_DEVICE_SITE) {
  *result = tex1D<T>(object, x, site);
}
template <typename T>
inline void tex2D(T* result, cudaTextureObject_t object, float x, float y, CPU_DEVICE_SITE) {
  *result = tex2D<T>(object, x, y, site);
}
template <typename T>
inline void tex3D(T* result, cudaTextureObject_t object, float x, float y, float z,
                  CPU_DEVICE_SITE) {
  *result = tex3D<T>(object, x, y, z, site);
}

// ---- texture references: global variables that are bound to memory, until CUDA 11 ----
#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03

struct textureReference {
  int normalized = 0;
  cudaTextureFilterMode filterMode = cudaFilterModePoint;
  cudaTextureAddressMode addressMode[3] = {cudaAddressModeClamp, cudaAddressModeClamp,
                                           cudaAddressModeClamp};
  cudaChannelFormatDesc channelDesc = {};
  int sRGB = 0;
  cudaTextureObject_t bound = 0;  // ours: the object that reads what it is bound to
};

namespace cpu_device {

// What a kernel sees: `texture<float, 2> name;` in a program is this, with CUDA's defaults.
template <typename T, int dimensions = cudaTextureType1D,
          cudaTextureReadMode mode = cudaReadModeElementType>
struct TextureReference : textureReference {
  explicit TextureReference(int normalized_coordinates = 0,
                            cudaTextureFilterMode filter = cudaFilterModePoint,
                            cudaTextureAddressMode address = cudaAddressModeClamp)
      : TextureReference(normalized_coordinates, filter, address, cudaCreateChannelDesc<T>()) {}
  TextureReference(int normalized_coordinates, cudaTextureFilterMode filter,
                   cudaTextureAddressMode address, cudaChannelFormatDesc format) {
    normalized = normalized_coordinates;
    filterMode = filter;
    for (cudaTextureAddressMode& one : addressMode) one = address;
    channelDesc = format;
  }
};

// What reading one gives.
template <typename T, cudaTextureReadMode mode>
struct ReadAs {
  typedef T type;
};
template <typename T>
struct ReadAs<T, cudaReadModeNormalizedFloat> {
  typedef typename TexelFormat<T>::Normalized type;
};

// Makes `reference` read `resource`, until it is bound anew.
cudaError_t bind(textureReference& reference, const cudaResourceDesc& resource,
                 cudaTextureReadMode mode, Site site);
cudaError_t unbind(textureReference& reference, Site site);
size_t bytes_from(const void* pointer);  // to the end of its allocation

// A texture reference is const in CUDA's interface although binding changes it.
template <typename T, int dimensions, cudaTextureReadMode mode>
inline textureReference& changeable(const TextureReference<T, dimensions, mode>& reference) {
  return const_cast<TextureReference<T, dimensions, mode>&>(reference);
}

}  // namespace cpu_device

// The name `texture` itself is left to the rewriter, so that a program's own variables may have it.

template <typename T, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture(
    size_t* offset, const cpu_device::TextureReference<T, dimensions, mode>& reference,
    const void* pointer, const cudaChannelFormatDesc& format, size_t bytes = 0xffffffffu,
    CPU_DEVICE_SITE) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = const_cast<void*>(pointer);
  resource.res.linear.desc = format;
  resource.res.linear.sizeInBytes = bytes == 0xffffffffu ? cpu_device::bytes_from(pointer) : bytes;
  if (offset != nullptr) *offset = 0;
  return cpu_device::bind(cpu_device::changeable(reference), resource, mode, site);
}
template <typename T, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture(
    size_t* offset, const cpu_device::TextureReference<T, dimensions, mode>& reference,
    const void* pointer, size_t bytes = 0xffffffffu, CPU_DEVICE_SITE) {
  return cudaBindTexture(offset, reference, pointer, reference.channelDesc, bytes, site);
}
template <typename T, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture2D(
    size_t* offset, const cpu_device::TextureReference<T, dimensions, mode>& reference,
    const void* pointer, const cudaChannelFormatDesc& format, size_t width, size_t height,
    size_t pitch, CPU_DEVICE_SITE) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = const_cast<void*>(pointer);
  resource.res.pitch2D.desc = format;
  resource.res.pitch2D.width = width;
  resource.res.pitch2D.height = height;
  resource.res.pitch2D.pitchInBytes = pitch;
  if (offset != nullptr) *offset = 0;
  return cpu_device::bind(cpu_device::changeable(reference), resource, mode, site);
}
template <typename T, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture2D(
    size_t* offset, const cpu_device::TextureReference<T, dimensions, mode>& reference,
    const void* pointer, size_t width, size_t height, size_t pitch, CPU_DEVICE_SITE) {
  return cudaBindTexture2D(offset, reference, pointer, reference.channelDesc, width, height, pitch,
                           site);
}
template <typename T, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToArray(
    const cpu_device::TextureReference<T, dimensions, mode>& reference, cudaArray_const_t array,
    CPU_DEVICE_SITE) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = const_cast<cudaArray_t>(array);
  return cpu_device::bind(cpu_device::changeable(reference), resource, mode, site);
}
template <typename T, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToArray(
    const cpu_device::TextureReference<T, dimensions, mode>& reference, cudaArray_const_t array,
    const cudaChannelFormatDesc&, CPU_DEVICE_SITE) {
  return cudaBindTextureToArray(reference, array, site);  // the array knows its format
}
template <typename T, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaUnbindTexture(
    const cpu_device::TextureReference<T, dimensions, mode>& reference, CPU_DEVICE_SITE) {
  return cpu_device::unbind(cpu_device::changeable(reference), site);
}

template <typename T, cudaTextureReadMode mode>
inline typename cpu_device::ReadAs<T, mode>::type tex1Dfetch(
    const cpu_device::TextureReference<T, cudaTextureType1D, mode>& reference, int i,
    CPU_DEVICE_SITE) {
  return tex1Dfetch<typename cpu_device::ReadAs<T, mode>::type>(reference.bound, i, site);
}
template <typename T, cudaTextureReadMode mode>
inline typename cpu_device::ReadAs<T, mode>::type tex1D(
    const cpu_device::TextureReference<T, cudaTextureType1D, mode>& reference, float x,
    CPU_DEVICE_SITE) {
  return tex1D<typename cpu_device::ReadAs<T, mode>::type>(reference.bound, x, site);
}
template <typename T, cudaTextureReadMode mode>
inline typename cpu_device::ReadAs<T, mode>::type tex2D(
    const cpu_device::TextureReference<T, cudaTextureType2D, mode>& reference, float x, float y,
    CPU_DEVICE_SITE) {
  return tex2D<typename cpu_device::ReadAs<T, mode>::type>(reference.bound, x, y, site);
}
template <typename T, cudaTextureReadMode mode>
inline typename cpu_device::ReadAs<T, mode>::type tex3D(
    const cpu_device::TextureReference<T, cudaTextureType3D, mode>& reference, float x, float y,
    float z, CPU_DEVICE_SITE) {
  return tex3D<typename cpu_device::ReadAs<T, mode>::type>(reference.bound, x, y, z, site);
}

#undef CPU_DEVICE_SITE
