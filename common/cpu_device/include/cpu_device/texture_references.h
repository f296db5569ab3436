// Texture references: global variables that are bound to memory, until CUDA 11.
#pragma once

#include <stddef.h>

#include "errors.h"
#include "site.h"
#include "texture_sample.h"
#include "textures.h"

#define CPU_DEVICE_SITE cpu_device::Site site = cpu_device::Site::here()

namespace cpu_device {
// What a reference begins with, to tell its address from its name.
constexpr unsigned int kReferenceSign = 0x7ef5e4d1;
}  // namespace cpu_device

struct textureReference {
  unsigned int sign = cpu_device::kReferenceSign;  // ours
  int normalized = 0;
  cudaTextureFilterMode filterMode = cudaFilterModePoint;
  cudaTextureAddressMode addressMode[3] = {cudaAddressModeClamp, cudaAddressModeClamp,
                                           cudaAddressModeClamp};
  cudaChannelFormatDesc channelDesc = {};
  int sRGB = 0;
  unsigned int maxAnisotropy = 0;
  cudaTextureFilterMode mipmapFilterMode = cudaFilterModePoint;
  float mipmapLevelBias = 0, minMipmapLevelClamp = 0, maxMipmapLevelClamp = 0;
  int disableTrilinearOptimization = 0;
  // Ours: how it is read, the object that reads what it is bound to, and at which byte that begins.
  cudaTextureReadMode read_mode = cudaReadModeElementType;
  cudaTextureObject_t bound = 0;
  size_t offset = 0;
};

namespace cpu_device {

// What a kernel sees: `texture<float, 2> name;` in a program is this, with CUDA's defaults. The
// name `texture` itself is left to the rewriter, so that a program's own variables may have it.
template <typename T, int type = cudaTextureType1D,
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
    read_mode = mode;
  }
};

// What reading one gives, and what gathering from one gives.
template <typename T, cudaTextureReadMode mode>
struct ReadAs {
  typedef T type;
};
template <typename T>
struct ReadAs<T, cudaReadModeNormalizedFloat> {
  typedef typename TexelFormat<T>::Normalized type;
};
template <typename T, cudaTextureReadMode mode>
struct GatheredAs {
  typedef typename TexelFormat<T>::Four type;
};
template <typename T>
struct GatheredAs<T, cudaReadModeNormalizedFloat> {
  typedef float4 type;
};

}  // namespace cpu_device

// CUDA's interface has a reference const although binding changes it.

// Makes the reference read memory, until it is bound again. With a place for an offset the memory
// need not be aligned: the element that was meant to be the first is then `offset` bytes behind the
// first.
cudaError_t cudaBindTexture(size_t* offset, const textureReference* reference, const void* pointer,
                            const cudaChannelFormatDesc* format, size_t bytes = 0xffffffffu,
                            CPU_DEVICE_SITE);
cudaError_t cudaBindTexture2D(size_t* offset, const textureReference* reference,
                              const void* pointer, const cudaChannelFormatDesc* format,
                              size_t width, size_t height, size_t pitch, CPU_DEVICE_SITE);
cudaError_t cudaBindTextureToArray(const textureReference* reference, cudaArray_const_t array,
                                   const cudaChannelFormatDesc* format, CPU_DEVICE_SITE);
cudaError_t cudaBindTextureToMipmappedArray(const textureReference* reference,
                                            cudaMipmappedArray_const_t array,
                                            const cudaChannelFormatDesc* format, CPU_DEVICE_SITE);
cudaError_t cudaUnbindTexture(const textureReference* reference, CPU_DEVICE_SITE);
cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const textureReference* reference,
                                          CPU_DEVICE_SITE);
// `symbol`: the address of the variable.
cudaError_t cudaGetTextureReference(const textureReference** reference, const void* symbol,
                                    CPU_DEVICE_SITE);

template <typename T, int type, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture(size_t* offset,
                                   const cpu_device::TextureReference<T, type, mode>& reference,
                                   const void* pointer, const cudaChannelFormatDesc& format,
                                   size_t bytes = 0xffffffffu, CPU_DEVICE_SITE) {
  return cudaBindTexture(offset, &reference, pointer, &format, bytes, site);
}
template <typename T, int type, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture(size_t* offset,
                                   const cpu_device::TextureReference<T, type, mode>& reference,
                                   const void* pointer, size_t bytes = 0xffffffffu,
                                   CPU_DEVICE_SITE) {
  return cudaBindTexture(offset, &reference, pointer, &reference.channelDesc, bytes, site);
}
template <typename T, int type, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture2D(size_t* offset,
                                     const cpu_device::TextureReference<T, type, mode>& reference,
                                     const void* pointer, const cudaChannelFormatDesc& format,
                                     size_t width, size_t height, size_t pitch, CPU_DEVICE_SITE) {
  return cudaBindTexture2D(offset, &reference, pointer, &format, width, height, pitch, site);
}
template <typename T, int type, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture2D(size_t* offset,
                                     const cpu_device::TextureReference<T, type, mode>& reference,
                                     const void* pointer, size_t width, size_t height, size_t pitch,
                                     CPU_DEVICE_SITE) {
  return cudaBindTexture2D(offset, &reference, pointer, &reference.channelDesc, width, height,
                           pitch, site);
}
// Without a format it is the array's.
template <typename T, int type, cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToArray(
    const cpu_device::TextureReference<T, type, mode>& reference, cudaArray_const_t array,
    CPU_DEVICE_SITE) {
  return cudaBindTextureToArray(&reference, array, nullptr, site);
}
template <typename T, int type, cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToArray(
    const cpu_device::TextureReference<T, type, mode>& reference, cudaArray_const_t array,
    const cudaChannelFormatDesc& format, CPU_DEVICE_SITE) {
  return cudaBindTextureToArray(&reference, array, &format, site);
}
template <typename T, int type, cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToMipmappedArray(
    const cpu_device::TextureReference<T, type, mode>& reference, cudaMipmappedArray_const_t array,
    CPU_DEVICE_SITE) {
  return cudaBindTextureToMipmappedArray(&reference, array, nullptr, site);
}
template <typename T, int type, cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToMipmappedArray(
    const cpu_device::TextureReference<T, type, mode>& reference, cudaMipmappedArray_const_t array,
    const cudaChannelFormatDesc& format, CPU_DEVICE_SITE) {
  return cudaBindTextureToMipmappedArray(&reference, array, &format, site);
}
template <typename T, int type, cudaTextureReadMode mode>
inline cudaError_t cudaUnbindTexture(const cpu_device::TextureReference<T, type, mode>& reference,
                                     CPU_DEVICE_SITE) {
  return cudaUnbindTexture(&reference, site);
}
template <typename T, int type, cudaTextureReadMode mode>
inline cudaError_t cudaGetTextureAlignmentOffset(
    size_t* offset, const cpu_device::TextureReference<T, type, mode>& reference, CPU_DEVICE_SITE) {
  return cudaGetTextureAlignmentOffset(offset, &reference, site);
}

#undef CPU_DEVICE_SITE
