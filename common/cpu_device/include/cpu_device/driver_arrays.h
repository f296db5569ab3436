// Arrays, textures and surfaces of the driver interface: the runtime's, described in other structs.
#pragma once

#include "driver.h"
#include "surfaces.h"

#define CPU_DEVICE_SITE cpu_device::Site site = cpu_device::Site::here()

enum CUarray_format {
  CU_AD_FORMAT_UNSIGNED_INT8 = 0x01,
  CU_AD_FORMAT_UNSIGNED_INT16 = 0x02,
  CU_AD_FORMAT_UNSIGNED_INT32 = 0x03,
  CU_AD_FORMAT_SIGNED_INT8 = 0x08,
  CU_AD_FORMAT_SIGNED_INT16 = 0x09,
  CU_AD_FORMAT_SIGNED_INT32 = 0x0a,
  CU_AD_FORMAT_HALF = 0x10,
  CU_AD_FORMAT_FLOAT = 0x20
};
struct CUDA_ARRAY_DESCRIPTOR {
  size_t Width, Height;  // elements; a height of 0: one dimension
  CUarray_format Format;
  unsigned int NumChannels;
};
struct CUDA_ARRAY3D_DESCRIPTOR {
  size_t Width, Height, Depth;
  CUarray_format Format;
  unsigned int NumChannels;
  unsigned int Flags;
};
#define CUDA_ARRAY3D_LAYERED 0x01
#define CUDA_ARRAY3D_SURFACE_LDST 0x02
#define CUDA_ARRAY3D_CUBEMAP 0x04
#define CUDA_ARRAY3D_TEXTURE_GATHER 0x08

CUresult cuArrayCreate(CUarray* array, const CUDA_ARRAY_DESCRIPTOR* what, CPU_DEVICE_SITE);
CUresult cuArray3DCreate(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* what, CPU_DEVICE_SITE);
CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR* what, CUarray array, CPU_DEVICE_SITE);
CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR* what, CUarray array, CPU_DEVICE_SITE);
CUresult cuArrayDestroy(CUarray array, CPU_DEVICE_SITE);

// Of bytes in an array's first row.
CUresult cuMemcpyHtoA(CUarray to, size_t offset, const void* from, size_t bytes, CPU_DEVICE_SITE);
CUresult cuMemcpyAtoH(void* to, CUarray from, size_t offset, size_t bytes, CPU_DEVICE_SITE);

enum CUaddress_mode {
  CU_TR_ADDRESS_MODE_WRAP = 0,
  CU_TR_ADDRESS_MODE_CLAMP = 1,
  CU_TR_ADDRESS_MODE_MIRROR = 2,
  CU_TR_ADDRESS_MODE_BORDER = 3
};
enum CUfilter_mode { CU_TR_FILTER_MODE_POINT = 0, CU_TR_FILTER_MODE_LINEAR = 1 };
enum CUresourcetype {
  CU_RESOURCE_TYPE_ARRAY = 0,
  CU_RESOURCE_TYPE_MIPMAPPED_ARRAY = 1,
  CU_RESOURCE_TYPE_LINEAR = 2,
  CU_RESOURCE_TYPE_PITCH2D = 3
};
#define CU_TRSF_READ_AS_INTEGER 0x01
#define CU_TRSF_NORMALIZED_COORDINATES 0x02
#define CU_TRSF_SRGB 0x10
#define CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION 0x20
#define CU_TRSF_SEAMLESS_CUBEMAP 0x40

typedef cudaMipmappedArray_t CUmipmappedArray;
typedef cudaSurfaceObject_t CUsurfObject;
struct CUDA_RESOURCE_DESC {
  CUresourcetype resType;
  union {
    struct {
      CUarray hArray;
    } array;
    struct {
      CUmipmappedArray hMipmappedArray;
    } mipmap;
    struct {
      CUdeviceptr devPtr;
      CUarray_format format;
      unsigned int numChannels;
      size_t sizeInBytes;
    } linear;
    struct {
      CUdeviceptr devPtr;
      CUarray_format format;
      unsigned int numChannels;
      size_t width, height, pitchInBytes;
    } pitch2D;
    struct {
      int reserved[32];
    } reserved;
  } res;
  unsigned int flags;
};
struct CUDA_TEXTURE_DESC {
  CUaddress_mode addressMode[3];
  CUfilter_mode filterMode;
  unsigned int flags;
  unsigned int maxAnisotropy;
  CUfilter_mode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  float borderColor[4];
  int reserved[12];
};
// Its members are those of the runtime's struct, with other names of the formats.
struct CUDA_RESOURCE_VIEW_DESC : cudaResourceViewDesc {};

CUresult cuTexObjectCreate(CUtexObject* object, const CUDA_RESOURCE_DESC* resource,
                           const CUDA_TEXTURE_DESC* how, const CUDA_RESOURCE_VIEW_DESC* view,
                           CPU_DEVICE_SITE);
CUresult cuTexObjectDestroy(CUtexObject object, CPU_DEVICE_SITE);
CUresult cuSurfObjectCreate(CUsurfObject* object, const CUDA_RESOURCE_DESC* resource, CPU_DEVICE_SITE);
CUresult cuSurfObjectDestroy(CUsurfObject object, CPU_DEVICE_SITE);

#undef CPU_DEVICE_SITE
