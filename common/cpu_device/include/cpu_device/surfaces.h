// Surfaces: arrays that kernels read and write, element by element. As in CUDA, x counts bytes, and y
// and z rows and layers.
#pragma once

#include <string.h>

#include "site.h"
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

namespace cpu_device {

struct SurfacePlace {
  int dimensions;
  int x, y, z;
  cudaSurfaceBoundaryMode mode;
};
// Where these bytes are; null if they are nowhere and the mode is zero.
void* surface_address(cudaSurfaceObject_t object, SurfacePlace place, size_t bytes, Site site);

template <typename T>
inline T read_surface(cudaSurfaceObject_t object, SurfacePlace place, Site site) {
  T value{};
  if (const void* from = surface_address(object, place, sizeof(T), site)) memcpy(&value, from, sizeof(T));
  return value;
}
template <typename T>
inline void write_surface(const T& value, cudaSurfaceObject_t object, SurfacePlace place, Site site) {
  if (void* to = surface_address(object, place, sizeof(T), site)) memcpy(to, &value, sizeof(T));
}

}  // namespace cpu_device

#define CPU_DEVICE_SURFACE(D, PARAMETERS, ...)                                                      \
  template <typename T>                                                                             \
  inline T surf##D##Dread(cudaSurfaceObject_t object, PARAMETERS,                                   \
                          cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap, CPU_DEVICE_SITE) {   \
    return cpu_device::read_surface<T>(object, {D, __VA_ARGS__, mode}, site);                       \
  }                                                                                                 \
  template <typename T>                                                                             \
  inline void surf##D##Dread(T* to, cudaSurfaceObject_t object, PARAMETERS,                         \
                             cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap,                   \
                             CPU_DEVICE_SITE) {                                                     \
    *to = cpu_device::read_surface<T>(object, {D, __VA_ARGS__, mode}, site);                        \
  }                                                                                                 \
  template <typename T>                                                                             \
  inline void surf##D##Dwrite(T value, cudaSurfaceObject_t object, PARAMETERS,                      \
                              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap,                  \
                              CPU_DEVICE_SITE) {                                                    \
    cpu_device::write_surface(value, object, {D, __VA_ARGS__, mode}, site);                         \
  }
#define CPU_DEVICE_XY int x, int y
#define CPU_DEVICE_XYZ int x, int y, int z
CPU_DEVICE_SURFACE(1, int x, x, 0, 0)
CPU_DEVICE_SURFACE(2, CPU_DEVICE_XY, x, y, 0)
CPU_DEVICE_SURFACE(3, CPU_DEVICE_XYZ, x, y, z)
#undef CPU_DEVICE_XY
#undef CPU_DEVICE_XYZ
#undef CPU_DEVICE_SURFACE
#undef CPU_DEVICE_SITE
