// The functions by which kernels read textures. How coordinates become elements is in
// texture_sample.h.
#pragma once

#include "site.h"
#include "texture_references.h"
#include "texture_sample.h"
#include "textures.h"
#include "vector_types.h"

#define CPU_DEVICE_SITE cpu_device::Site site = cpu_device::Site::here()

// T is the element's type, or float (float2, float4) if it is read normalized.

template <typename T>
inline T tex1Dfetch(cudaTextureObject_t object, int i, CPU_DEVICE_SITE) {
  return cpu_device::fetch<T>(cpu_device::texture_of(object), i, site);
}
template <typename T>
inline void tex1Dfetch(T* result, cudaTextureObject_t object, int i, CPU_DEVICE_SITE) {
  *result = tex1Dfetch<T>(object, i, site);
}
template <typename T, cudaTextureReadMode mode>
inline typename cpu_device::ReadAs<T, mode>::type tex1Dfetch(
    const cpu_device::TextureReference<T, cudaTextureType1D, mode>& reference, int i,
    CPU_DEVICE_SITE) {
  return tex1Dfetch<typename cpu_device::ReadAs<T, mode>::type>(reference.bound, i, site);
}

// One channel (0 to 3) of the four elements that linear filtering would take, in the order lower
// left, lower right, upper right, upper left, if y is up. T has four channels.
template <typename T>
inline T tex2Dgather(cudaTextureObject_t object, float x, float y, int channel = 0,
                     CPU_DEVICE_SITE) {
  return cpu_device::gather<T>(cpu_device::texture_of(object), x, y, channel, site);
}
template <typename T>
inline void tex2Dgather(T* result, cudaTextureObject_t object, float x, float y, int channel = 0,
                        CPU_DEVICE_SITE) {
  *result = tex2Dgather<T>(object, x, y, channel, site);
}
template <typename T, cudaTextureReadMode mode>
inline typename cpu_device::GatheredAs<T, mode>::type tex2Dgather(
    const cpu_device::TextureReference<T, cudaTextureType2D, mode>& reference, float x, float y,
    int channel = 0, CPU_DEVICE_SITE) {
  return tex2Dgather<typename cpu_device::GatheredAs<T, mode>::type>(reference.bound, x, y, channel,
                                                                     site);
}

// A function in its three forms: for objects, for objects with a place for the result, for
// references.
#define CPU_DEVICE_READ_FORMS(NAME, TYPE, READ, ...)                                      \
  template <typename T>                                                                   \
  inline T NAME(cudaTextureObject_t object, __VA_ARGS__, CPU_DEVICE_SITE) {               \
    return cpu_device::sample<T>(cpu_device::texture_of(object), READ, site);             \
  }                                                                                       \
  template <typename T>                                                                   \
  inline void NAME(T* result, cudaTextureObject_t object, __VA_ARGS__, CPU_DEVICE_SITE) { \
    *result = cpu_device::sample<T>(cpu_device::texture_of(object), READ, site);          \
  }                                                                                       \
  template <typename T, cudaTextureReadMode mode>                                         \
  inline typename cpu_device::ReadAs<T, mode>::type NAME(                                 \
      const cpu_device::TextureReference<T, TYPE, mode>& reference, __VA_ARGS__,          \
      CPU_DEVICE_SITE) {                                                                  \
    return cpu_device::sample<typename cpu_device::ReadAs<T, mode>::type>(                \
        cpu_device::texture_of(reference.bound), READ, site);                             \
  }
// NAME reads the largest level, NAMELod the given one, NAMEGrad the one that fits these changes of
// the coordinates from one pixel to the next.
#define CPU_DEVICE_READS(NAME, TYPE, CHANGE, PLACE, ...)                                           \
  CPU_DEVICE_READ_FORMS(NAME, TYPE,                                                                \
                        (cpu_device::TextureRead{TYPE, cpu_device::TextureRead::kPlain, PLACE}),   \
                        __VA_ARGS__)                                                               \
  CPU_DEVICE_READ_FORMS(                                                                           \
      NAME##Lod, TYPE,                                                                             \
      (cpu_device::TextureRead{TYPE, cpu_device::TextureRead::kLevel, PLACE, level}), __VA_ARGS__, \
      float level)                                                                                 \
  CPU_DEVICE_READ_FORMS(                                                                           \
      NAME##Grad, TYPE,                                                                            \
      (cpu_device::TextureRead{TYPE, cpu_device::TextureRead::kGradient, PLACE, 0,                 \
                               cpu_device::change(dPdx), cpu_device::change(dPdy)}),               \
      __VA_ARGS__, CHANGE dPdx, CHANGE dPdy)
#define CPU_DEVICE_PLACE(...) \
  { __VA_ARGS__ }
CPU_DEVICE_READS(tex1D, cudaTextureType1D, float, CPU_DEVICE_PLACE(x, 0, 0, 0), float x)
CPU_DEVICE_READS(tex2D, cudaTextureType2D, float2, CPU_DEVICE_PLACE(x, y, 0, 0), float x, float y)
CPU_DEVICE_READS(tex3D, cudaTextureType3D, float4, CPU_DEVICE_PLACE(x, y, z, 0), float x, float y,
                 float z)
CPU_DEVICE_READS(tex1DLayered, cudaTextureType1DLayered, float, CPU_DEVICE_PLACE(x, 0, 0, layer),
                 float x, int layer)
CPU_DEVICE_READS(tex2DLayered, cudaTextureType2DLayered, float2, CPU_DEVICE_PLACE(x, y, 0, layer),
                 float x, float y, int layer)
CPU_DEVICE_READS(texCubemap, cudaTextureTypeCubemap, float4, CPU_DEVICE_PLACE(x, y, z, 0), float x,
                 float y, float z)
CPU_DEVICE_READS(texCubemapLayered, cudaTextureTypeCubemapLayered, float4,
                 CPU_DEVICE_PLACE(x, y, z, layer), float x, float y, float z, int layer)
#undef CPU_DEVICE_PLACE
#undef CPU_DEVICE_READS
#undef CPU_DEVICE_READ_FORMS
#undef CPU_DEVICE_SITE
