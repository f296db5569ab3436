// Surfaces: arrays that kernels read and write, element by element. As in CUDA, x counts bytes, y
// rows, and z, a layer or a face what comes after them.
#pragma once

#include <string.h>

#include "arrays.h"
#include "errors.h"
#include "site.h"
#include "texture_references.h"
#include "textures.h"

#define CPU_DEVICE_SITE cpu_device::Site site = cpu_device::Site::here()

typedef unsigned long long cudaSurfaceObject_t;
// What an access outside does: reads 0 and writes nothing, goes to the edge, ends the kernel.
enum cudaSurfaceBoundaryMode {
  cudaBoundaryModeZero = 0,
  cudaBoundaryModeClamp = 1,
  cudaBoundaryModeTrap = 2
};

// The array must have been made with cudaArraySurfaceLoadStore.
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource,
                                    CPU_DEVICE_SITE);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object, CPU_DEVICE_SITE);
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource, cudaSurfaceObject_t object,
                                             CPU_DEVICE_SITE);

namespace cpu_device {

struct SurfacePlace {
  int x, y, z;
  cudaSurfaceBoundaryMode mode;
};
// Where these bytes are; null if they are nowhere and the mode is zero.
void* surface_address(cudaSurfaceObject_t object, SurfacePlace place, size_t bytes, Site site);

template <typename T>
inline T read_surface(cudaSurfaceObject_t object, SurfacePlace place, Site site) {
  T value{};
  if (const void* from = surface_address(object, place, sizeof(T), site))
    __builtin_memcpy(&value, from, sizeof(T));
  return value;
}
template <typename T>
inline void write_surface(const T& value, cudaSurfaceObject_t object, SurfacePlace place,
                          Site site) {
  if (void* to = surface_address(object, place, sizeof(T), site)) __builtin_memcpy(to, &value, sizeof(T));
}

}  // namespace cpu_device

// ---- surface references: global variables that are bound to arrays, until CUDA 11 ----

#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03
#define cudaSurfaceTypeCubemap 0x0C
#define cudaSurfaceType1DLayered 0xF1
#define cudaSurfaceType2DLayered 0xF2
#define cudaSurfaceTypeCubemapLayered 0xFC

struct surfaceReference {
  unsigned int sign = cpu_device::kReferenceSign;  // ours
  cudaChannelFormatDesc channelDesc = {};
  cudaSurfaceObject_t bound = 0;  // ours: the object for the array that it is bound to
};

namespace cpu_device {

// What a kernel sees: `surface<void, 2> name;` in a program is this, and stands for its object.
template <typename T, int type = cudaSurfaceType1D>
struct SurfaceReference : surfaceReference {
  operator cudaSurfaceObject_t() const { return bound; }
};

}  // namespace cpu_device

cudaError_t cudaBindSurfaceToArray(const surfaceReference* reference, cudaArray_const_t array,
                                   const cudaChannelFormatDesc* format, CPU_DEVICE_SITE);
template <typename T, int type>
inline cudaError_t cudaBindSurfaceToArray(const cpu_device::SurfaceReference<T, type>& reference,
                                          cudaArray_const_t array, CPU_DEVICE_SITE) {
  return cudaBindSurfaceToArray(&reference, array, nullptr, site);
}
template <typename T, int type>
inline cudaError_t cudaBindSurfaceToArray(const cpu_device::SurfaceReference<T, type>& reference,
                                          cudaArray_const_t array,
                                          const cudaChannelFormatDesc& format, CPU_DEVICE_SITE) {
  return cudaBindSurfaceToArray(&reference, array, &format, site);
}
// `symbol`: the address of the variable.
cudaError_t cudaGetSurfaceReference(const surfaceReference** reference, const void* symbol,
                                    CPU_DEVICE_SITE);

// ---- reading and writing ----

#define CPU_DEVICE_SURFACE(NAME, PLACE, ...)                                                      \
  template <typename T>                                                                           \
  inline T NAME##read(cudaSurfaceObject_t object, __VA_ARGS__,                                    \
                      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, CPU_DEVICE_SITE) {     \
    return cpu_device::read_surface<T>(object, PLACE, site);                                      \
  }                                                                                               \
  template <typename T>                                                                           \
  inline void NAME##read(T* to, cudaSurfaceObject_t object, __VA_ARGS__,                          \
                         cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, CPU_DEVICE_SITE) {  \
    *to = cpu_device::read_surface<T>(object, PLACE, site);                                       \
  }                                                                                               \
  template <typename T>                                                                           \
  inline void NAME##write(T value, cudaSurfaceObject_t object, __VA_ARGS__,                       \
                          cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, CPU_DEVICE_SITE) { \
    cpu_device::write_surface(value, object, PLACE, site);                                        \
  }
#define CPU_DEVICE_PLACE(...) \
  { __VA_ARGS__, mode }
CPU_DEVICE_SURFACE(surf1D, CPU_DEVICE_PLACE(x, 0, 0), int x)
CPU_DEVICE_SURFACE(surf2D, CPU_DEVICE_PLACE(x, y, 0), int x, int y)
CPU_DEVICE_SURFACE(surf3D, CPU_DEVICE_PLACE(x, y, z), int x, int y, int z)
CPU_DEVICE_SURFACE(surf1DLayered, CPU_DEVICE_PLACE(x, 0, layer), int x, int layer)
CPU_DEVICE_SURFACE(surf2DLayered, CPU_DEVICE_PLACE(x, y, layer), int x, int y, int layer)
CPU_DEVICE_SURFACE(surfCubemap, CPU_DEVICE_PLACE(x, y, face), int x, int y, int face)
CPU_DEVICE_SURFACE(surfCubemapLayered, CPU_DEVICE_PLACE(x, y, layer_face), int x, int y,
                   int layer_face)
#undef CPU_DEVICE_PLACE
#undef CPU_DEVICE_SURFACE
#undef CPU_DEVICE_SITE
