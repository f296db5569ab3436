// Texture and surface references: each bound one owns an object that reads, or writes, what it is
// bound to.
#include <cstring>

#include "../device/device.h"
#include "../device/host_lock.h"
#include "../faults/error_messages.h"
#include "../memory/allocations.h"
#include "../memory/array.h"

namespace cpu_device {

namespace {

cudaError_t bind(const textureReference* reference, const cudaResourceDesc& resource, Site site) {
  if (reference == nullptr)
    return fail(cudaErrorInvalidTexture, site, "the texture reference is NULL");
  auto* changed = const_cast<textureReference*>(reference);
  cudaUnbindTexture(reference, site);
  cudaTextureDesc how = {};
  memcpy(how.addressMode, reference->addressMode, sizeof how.addressMode);
  how.filterMode = reference->filterMode;
  how.readMode = reference->read_mode;
  how.sRGB = reference->sRGB;
  how.normalizedCoords = reference->normalized;
  how.maxAnisotropy = reference->maxAnisotropy;
  how.mipmapFilterMode = reference->mipmapFilterMode;
  how.mipmapLevelBias = reference->mipmapLevelBias;
  how.minMipmapLevelClamp = reference->minMipmapLevelClamp;
  how.maxMipmapLevelClamp = reference->maxMipmapLevelClamp;
  changed->offset = 0;
  return cudaCreateTextureObject(&changed->bound, &resource, &how, nullptr, site);
}

size_t bytes_from(const void* pointer) {  // to the end of its allocation
  const Block* block = find_block(pointer);
  return block == nullptr ? 0 : block->base + block->bytes - reinterpret_cast<uintptr_t>(pointer);
}

// How far the pointer is past the last place where a texture may begin.
size_t beyond_alignment(const void* pointer) {
  const Block* block = find_block(pointer);
  return block == nullptr
             ? 0
             : (reinterpret_cast<uintptr_t>(pointer) - block->base) % properties().textureAlignment;
}

bool is_reference(const void* symbol) {
  return symbol != nullptr && memcmp(symbol, &kReferenceSign, sizeof kReferenceSign) == 0;
}

}  // namespace

}  // namespace cpu_device

using namespace cpu_device;

cudaError_t cudaBindTexture(size_t* offset, const textureReference* reference, const void* pointer,
                            const cudaChannelFormatDesc* format, size_t bytes, Site site) {
  const Guard guard(host_lock());
  if (format == nullptr)
    return fail(cudaErrorInvalidValue, site, "cudaBindTexture: the pointer is NULL");
  const size_t before = offset != nullptr ? beyond_alignment(pointer) : 0;
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = static_cast<char*>(const_cast<void*>(pointer)) - before;
  resource.res.linear.desc = *format;
  resource.res.linear.sizeInBytes = before + (bytes == 0xffffffffu ? bytes_from(pointer) : bytes);
  const cudaError_t error = bind(reference, resource, site);
  if (error != cudaSuccess) return error;
  const_cast<textureReference*>(reference)->offset = before;
  if (offset != nullptr) *offset = before;
  return cudaSuccess;
}

cudaError_t cudaBindTexture2D(size_t* offset, const textureReference* reference,
                              const void* pointer, const cudaChannelFormatDesc* format,
                              size_t width, size_t height, size_t pitch, Site site) {
  const Guard guard(host_lock());
  if (format == nullptr)
    return fail(cudaErrorInvalidValue, site, "cudaBindTexture2D: the pointer is NULL");
  const size_t before = offset != nullptr ? beyond_alignment(pointer) : 0;
  const auto element = static_cast<size_t>(format->x + format->y + format->z + format->w) / 8;
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = static_cast<char*>(const_cast<void*>(pointer)) - before;
  resource.res.pitch2D.desc = *format;
  resource.res.pitch2D.width = width + (element == 0 ? 0 : before / element);
  resource.res.pitch2D.height = height;
  resource.res.pitch2D.pitchInBytes = pitch;
  const cudaError_t error = bind(reference, resource, site);
  if (error != cudaSuccess) return error;
  const_cast<textureReference*>(reference)->offset = before;
  if (offset != nullptr) *offset = before;
  return cudaSuccess;
}

// Arrays know their format.
cudaError_t cudaBindTextureToArray(const textureReference* reference, cudaArray_const_t array,
                                   const cudaChannelFormatDesc*, Site site) {
  const Guard guard(host_lock());
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = const_cast<cudaArray_t>(array);
  return bind(reference, resource, site);
}

cudaError_t cudaBindTextureToMipmappedArray(const textureReference* reference,
                                            cudaMipmappedArray_const_t array,
                                            const cudaChannelFormatDesc*, Site site) {
  const Guard guard(host_lock());
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = const_cast<cudaMipmappedArray_t>(array);
  return bind(reference, resource, site);
}

cudaError_t cudaUnbindTexture(const textureReference* reference, Site site) {
  const Guard guard(host_lock());
  if (reference == nullptr)
    return fail(cudaErrorInvalidTexture, site, "the texture reference is NULL");
  if (reference->bound == 0) return cudaSuccess;
  const cudaError_t error = cudaDestroyTextureObject(reference->bound, site);
  const_cast<textureReference*>(reference)->bound = 0;
  return error;
}

cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const textureReference* reference,
                                          Site site) {
  if (offset == nullptr || reference == nullptr)
    return fail(cudaErrorInvalidTexture, site, "cudaGetTextureAlignmentOffset: the pointer is NULL");
  if (reference->bound == 0)
    return fail(cudaErrorInvalidTextureBinding, site, "the texture reference is not bound",
                "call cudaBindTexture() first.");
  *offset = reference->offset;
  return cudaSuccess;
}

cudaError_t cudaGetTextureReference(const textureReference** reference, const void* symbol,
                                    Site site) {
  if (reference == nullptr || !is_reference(symbol))
    return fail(cudaErrorInvalidTexture, site,
                "cudaGetTextureReference: the argument is not the address of a texture reference",
                "pass &name. Since CUDA 5, a string with the name no longer works.");
  *reference = static_cast<const textureReference*>(symbol);
  return cudaSuccess;
}

cudaError_t cudaBindSurfaceToArray(const surfaceReference* reference, cudaArray_const_t array,
                                   const cudaChannelFormatDesc*, Site site) {
  const Guard guard(host_lock());
  if (reference == nullptr)
    return fail(cudaErrorInvalidSurface, site, "the surface reference is NULL");
  auto* changed = const_cast<surfaceReference*>(reference);
  if (reference->bound != 0) cudaDestroySurfaceObject(reference->bound, site);
  changed->bound = 0;
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = const_cast<cudaArray_t>(array);
  return cudaCreateSurfaceObject(&changed->bound, &resource, site);
}

cudaError_t cudaGetSurfaceReference(const surfaceReference** reference, const void* symbol,
                                    Site site) {
  if (reference == nullptr || !is_reference(symbol))
    return fail(cudaErrorInvalidSurface, site,
                "cudaGetSurfaceReference: the argument is not the address of a surface reference",
                "pass &name. Since CUDA 5, a string with the name no longer works.");
  *reference = static_cast<const surfaceReference*>(symbol);
  return cudaSuccess;
}
