// Arrays, textures and surfaces of the driver interface: its structs become the runtime's.
#include "../faults/error_messages.h"
#include "driver.h"

using namespace cpu_device;

namespace {

// Sets `format`; false where there is no such format.
bool channel_format(CUarray_format from, unsigned int channels, cudaChannelFormatDesc* format) {
  if (channels != 1 && channels != 2 && channels != 4) return false;
  int bits = 0;
  cudaChannelFormatKind kind = cudaChannelFormatKindUnsigned;
  switch (from) {
    case CU_AD_FORMAT_UNSIGNED_INT8: bits = 8; break;
    case CU_AD_FORMAT_UNSIGNED_INT16: bits = 16; break;
    case CU_AD_FORMAT_UNSIGNED_INT32: bits = 32; break;
    case CU_AD_FORMAT_SIGNED_INT8: bits = 8, kind = cudaChannelFormatKindSigned; break;
    case CU_AD_FORMAT_SIGNED_INT16: bits = 16, kind = cudaChannelFormatKindSigned; break;
    case CU_AD_FORMAT_SIGNED_INT32: bits = 32, kind = cudaChannelFormatKindSigned; break;
    case CU_AD_FORMAT_HALF: bits = 16, kind = cudaChannelFormatKindFloat; break;
    case CU_AD_FORMAT_FLOAT: bits = 32, kind = cudaChannelFormatKindFloat; break;
    default: return false;
  }
  *format = cudaCreateChannelDesc(bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0,
                                  channels > 2 ? bits : 0, kind);
  return true;
}

CUarray_format array_format(const cudaChannelFormatDesc& from) {
  if (from.f == cudaChannelFormatKindFloat) return from.x == 16 ? CU_AD_FORMAT_HALF : CU_AD_FORMAT_FLOAT;
  if (from.f == cudaChannelFormatKindSigned)
    return from.x == 8    ? CU_AD_FORMAT_SIGNED_INT8
           : from.x == 16 ? CU_AD_FORMAT_SIGNED_INT16
                          : CU_AD_FORMAT_SIGNED_INT32;
  return from.x == 8    ? CU_AD_FORMAT_UNSIGNED_INT8
         : from.x == 16 ? CU_AD_FORMAT_UNSIGNED_INT16
                        : CU_AD_FORMAT_UNSIGNED_INT32;
}

CUresult no_such_format(CUarray_format which, unsigned int channels, Site site) {
  return result(fail(cudaErrorInvalidValue, site,
                     format("an array cannot have %u channels of format %d", channels, static_cast<int>(which)),
                     "use 1, 2 or 4 channels of CU_AD_FORMAT_UNSIGNED_INT8 ... CU_AD_FORMAT_FLOAT."));
}

// Sets `to`; an error where there is no such format.
CUresult runtime_resource(const CUDA_RESOURCE_DESC& from, cudaResourceDesc* to, Site site) {
  *to = {};
  to->resType = static_cast<cudaResourceType>(from.resType);
  switch (from.resType) {
    case CU_RESOURCE_TYPE_ARRAY: to->res.array.array = from.res.array.hArray; return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
      to->res.mipmap.mipmap = from.res.mipmap.hMipmappedArray;
      return CUDA_SUCCESS;
    case CU_RESOURCE_TYPE_LINEAR: {
      const auto& linear = from.res.linear;
      to->res.linear.devPtr = reinterpret_cast<void*>(linear.devPtr);
      to->res.linear.sizeInBytes = linear.sizeInBytes;
      if (channel_format(linear.format, linear.numChannels, &to->res.linear.desc)) return CUDA_SUCCESS;
      return no_such_format(linear.format, linear.numChannels, site);
    }
    case CU_RESOURCE_TYPE_PITCH2D: {
      const auto& rows = from.res.pitch2D;
      to->res.pitch2D.devPtr = reinterpret_cast<void*>(rows.devPtr);
      to->res.pitch2D.width = rows.width;
      to->res.pitch2D.height = rows.height;
      to->res.pitch2D.pitchInBytes = rows.pitchInBytes;
      if (channel_format(rows.format, rows.numChannels, &to->res.pitch2D.desc)) return CUDA_SUCCESS;
      return no_such_format(rows.format, rows.numChannels, site);
    }
  }
  return result(fail(cudaErrorInvalidValue, site, "the type of the resource does not exist"));
}

cudaChannelFormatDesc format_of(const cudaResourceDesc& resource) {
  cudaChannelFormatDesc format = {};
  cudaArray_t array = nullptr;
  switch (resource.resType) {
    case cudaResourceTypeLinear: return resource.res.linear.desc;
    case cudaResourceTypePitch2D: return resource.res.pitch2D.desc;
    case cudaResourceTypeArray: array = resource.res.array.array; break;
    case cudaResourceTypeMipmappedArray: cudaGetMipmappedArrayLevel(&array, resource.res.mipmap.mipmap, 0); break;
  }
  if (array != nullptr) cudaGetChannelDesc(&format, array);
  return format;
}

// Integers of up to 16 bits are read as fractions unless the flags say otherwise; the runtime's way of
// saying it is a read mode.
cudaTextureDesc runtime_texture(const CUDA_TEXTURE_DESC& from, const cudaChannelFormatDesc& format) {
  cudaTextureDesc to = {};
  for (int i = 0; i < 3; i++) to.addressMode[i] = static_cast<cudaTextureAddressMode>(from.addressMode[i]);
  for (int i = 0; i < 4; i++) to.borderColor[i] = from.borderColor[i];
  to.filterMode = static_cast<cudaTextureFilterMode>(from.filterMode);
  const bool narrow = format.f != cudaChannelFormatKindFloat && format.x <= 16;
  to.readMode = narrow && (from.flags & CU_TRSF_READ_AS_INTEGER) == 0 ? cudaReadModeNormalizedFloat
                                                                     : cudaReadModeElementType;
  to.normalizedCoords = (from.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  to.sRGB = (from.flags & CU_TRSF_SRGB) != 0;
  to.disableTrilinearOptimization = (from.flags & CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION) != 0;
  to.seamlessCubemap = (from.flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0;
  to.maxAnisotropy = from.maxAnisotropy;
  to.mipmapFilterMode = static_cast<cudaTextureFilterMode>(from.mipmapFilterMode);
  to.mipmapLevelBias = from.mipmapLevelBias;
  to.minMipmapLevelClamp = from.minMipmapLevelClamp;
  to.maxMipmapLevelClamp = from.maxMipmapLevelClamp;
  return to;
}

}  // namespace

// ---- arrays ----

CUresult cuArray3DCreate(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* what, Site site) {
  CPU_DEVICE_READY;
  if (array == nullptr || what == nullptr) return result(fail(cudaErrorInvalidValue));
  cudaChannelFormatDesc format = {};
  if (!channel_format(what->Format, what->NumChannels, &format))
    return no_such_format(what->Format, what->NumChannels, site);
  return result(cudaMalloc3DArray(array, &format, make_cudaExtent(what->Width, what->Height, what->Depth),
                                  what->Flags, site));
}
CUresult cuArrayCreate(CUarray* array, const CUDA_ARRAY_DESCRIPTOR* what, Site site) {
  if (what == nullptr) return result(fail(cudaErrorInvalidValue));
  const CUDA_ARRAY3D_DESCRIPTOR plane = {what->Width, what->Height, 0, what->Format, what->NumChannels, 0};
  return cuArray3DCreate(array, &plane, site);
}
CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR* what, CUarray array, Site site) {
  if (array == nullptr && !driver_initialized()) return CUDA_ERROR_INVALID_HANDLE;
  CPU_DEVICE_READY;
  if (what == nullptr) return result(fail(cudaErrorInvalidValue));
  cudaChannelFormatDesc format = {};
  cudaExtent extent = {};
  unsigned int flags = 0;
  const cudaError_t error = cudaArrayGetInfo(&format, &extent, &flags, array, site);
  if (error != cudaSuccess) return result(error);
  const unsigned int channels = 1 + (format.y != 0) + (format.z != 0) + (format.w != 0);
  *what = {extent.width, extent.height, extent.depth, array_format(format), channels, flags};
  return CUDA_SUCCESS;
}
CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR* what, CUarray array, Site site) {
  if (what == nullptr) return result(fail(cudaErrorInvalidValue));
  CUDA_ARRAY3D_DESCRIPTOR all;
  const CUresult error = cuArray3DGetDescriptor(&all, array, site);
  if (error == CUDA_SUCCESS) *what = {all.Width, all.Height, all.Format, all.NumChannels};
  return error;
}
CUresult cuArrayDestroy(CUarray array, Site site) {
  CPU_DEVICE_READY;
  return result(cudaFreeArray(array, site));
}

// ---- copies ----

CUresult cuMemcpyHtoA(CUarray to, size_t offset, const void* from, size_t bytes, Site site) {
  CPU_DEVICE_READY;
  return result(cudaMemcpyToArray(to, offset, 0, from, bytes, cudaMemcpyHostToDevice, site));
}
CUresult cuMemcpyAtoH(void* to, CUarray from, size_t offset, size_t bytes, Site site) {
  CPU_DEVICE_READY;
  return result(cudaMemcpyFromArray(to, from, offset, 0, bytes, cudaMemcpyDeviceToHost, site));
}

static CUresult copy_rows(const CUDA_MEMCPY2D& what, CUstream stream, bool async, Site site) {
  CPU_DEVICE_READY;
  const auto place = [](CUmemorytype type, const void* host, CUdeviceptr device, size_t offset) {
    const void* base = type == CU_MEMORYTYPE_HOST ? host : reinterpret_cast<const void*>(device);
    return static_cast<char*>(const_cast<void*>(base)) + offset;
  };
  const bool from_array = what.srcMemoryType == CU_MEMORYTYPE_ARRAY;
  const bool to_array = what.dstMemoryType == CU_MEMORYTYPE_ARRAY;
  // A pitch of 0: the rows lie one after the other.
  const size_t from_pitch = what.srcPitch == 0 ? what.WidthInBytes : what.srcPitch;
  const size_t to_pitch = what.dstPitch == 0 ? what.WidthInBytes : what.dstPitch;
  char* const to = place(what.dstMemoryType, what.dstHost, what.dstDevice,
                         what.dstY * to_pitch + what.dstXInBytes);
  const char* const from = place(what.srcMemoryType, what.srcHost, what.srcDevice,
                                 what.srcY * from_pitch + what.srcXInBytes);
  const size_t width = what.WidthInBytes, height = what.Height;
  constexpr cudaMemcpyKind kind = cudaMemcpyDefault;
  if (from_array && to_array)
    return result(cudaMemcpy2DArrayToArray(what.dstArray, what.dstXInBytes, what.dstY, what.srcArray,
                                           what.srcXInBytes, what.srcY, width, height,
                                           cudaMemcpyDeviceToDevice, site));
  if (to_array)
    return result(async ? cudaMemcpy2DToArrayAsync(what.dstArray, what.dstXInBytes, what.dstY, from, from_pitch,
                                                   width, height, kind, stream, site)
                        : cudaMemcpy2DToArray(what.dstArray, what.dstXInBytes, what.dstY, from, from_pitch,
                                              width, height, kind, site));
  if (from_array)
    return result(async ? cudaMemcpy2DFromArrayAsync(to, to_pitch, what.srcArray, what.srcXInBytes, what.srcY,
                                                     width, height, kind, stream, site)
                        : cudaMemcpy2DFromArray(to, to_pitch, what.srcArray, what.srcXInBytes, what.srcY, width,
                                                height, kind, site));
  return result(async ? cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, stream, site)
                      : cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind, site));
}
CUresult cuMemcpy2D(const CUDA_MEMCPY2D* what, Site site) {
  return what == nullptr ? result(fail(cudaErrorInvalidValue)) : copy_rows(*what, nullptr, false, site);
}
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* what, CUstream stream, Site site) {
  return what == nullptr ? result(fail(cudaErrorInvalidValue)) : copy_rows(*what, stream, true, site);
}

// ---- textures and surfaces ----

CUresult cuTexObjectCreate(CUtexObject* object, const CUDA_RESOURCE_DESC* resource,
                           const CUDA_TEXTURE_DESC* how, const CUDA_RESOURCE_VIEW_DESC* view, Site site) {
  CPU_DEVICE_READY;
  if (object == nullptr || resource == nullptr || how == nullptr) return result(fail(cudaErrorInvalidValue));
  cudaResourceDesc described;
  const CUresult error = runtime_resource(*resource, &described, site);
  if (error != CUDA_SUCCESS) return error;
  const cudaTextureDesc texture = runtime_texture(*how, format_of(described));
  return result(cudaCreateTextureObject(object, &described, &texture, view, site));
}
CUresult cuTexObjectDestroy(CUtexObject object, Site site) {
  CPU_DEVICE_READY;
  return result(cudaDestroyTextureObject(object, site));
}
CUresult cuSurfObjectCreate(CUsurfObject* object, const CUDA_RESOURCE_DESC* resource, Site site) {
  CPU_DEVICE_READY;
  if (object == nullptr || resource == nullptr) return result(fail(cudaErrorInvalidValue));
  cudaResourceDesc described;
  const CUresult error = runtime_resource(*resource, &described, site);
  if (error != CUDA_SUCCESS) return error;
  return result(cudaCreateSurfaceObject(object, &described, site));
}
CUresult cuSurfObjectDestroy(CUsurfObject object, Site site) {
  CPU_DEVICE_READY;
  return result(cudaDestroySurfaceObject(object, site));
}
