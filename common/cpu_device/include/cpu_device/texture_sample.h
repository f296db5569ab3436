// How a kernel's coordinates become an element of a texture: the rules of the CUDA Programming
// Guide's appendix "Texture Fetching". What programs need often is inline; the rest is in
// runtime/texture.cpp.
#pragma once

#include <stddef.h>

#include "site.h"
#include "vector_types.h"

enum cudaChannelFormatKind {
  cudaChannelFormatKindSigned = 0,
  cudaChannelFormatKindUnsigned = 1,
  cudaChannelFormatKindFloat = 2,
  cudaChannelFormatKindNone = 3
};
// Bits of each channel, and what they are.
struct cudaChannelFormatDesc {
  int x, y, z, w;
  cudaChannelFormatKind f;
};
enum cudaTextureAddressMode {
  cudaAddressModeWrap = 0,
  cudaAddressModeClamp = 1,
  cudaAddressModeMirror = 2,
  cudaAddressModeBorder = 3
};
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };

namespace cpu_device {

// ---- the types of elements: 1, 2 or 4 channels of 8, 16 or 32 bits ----

// A format as a number, for comparisons.
constexpr int format_code(cudaChannelFormatKind kind, int bits, int channels) {
  return static_cast<int>(kind) << 16 | bits << 8 | channels;
}

// Other types cannot be in a texture, and have no TexelFormat.
template <typename T>
struct TexelFormat;

#define CPU_DEVICE_TEXEL(TYPE, CHANNEL, NORMALIZED, CHANNELS, KIND)                         \
  template <>                                                                               \
  struct TexelFormat<TYPE> {                                                                \
    typedef CHANNEL Channel;                                                                \
    typedef NORMALIZED Normalized; /* what a normalized read gives */                       \
    static constexpr int channels = CHANNELS, bits = 8 * static_cast<int>(sizeof(CHANNEL)); \
    static constexpr cudaChannelFormatKind kind = KIND;                                     \
    static constexpr int code = format_code(kind, bits, channels);                          \
  };
#define CPU_DEVICE_TEXELS(NAME, CHANNEL, KIND)        \
  CPU_DEVICE_TEXEL(CHANNEL, CHANNEL, float, 1, KIND)  \
  CPU_DEVICE_TEXEL(NAME##1, CHANNEL, float1, 1, KIND) \
  CPU_DEVICE_TEXEL(NAME##2, CHANNEL, float2, 2, KIND) \
  CPU_DEVICE_TEXEL(NAME##4, CHANNEL, float4, 4, KIND)
CPU_DEVICE_TEXELS(char, signed char, cudaChannelFormatKindSigned)
CPU_DEVICE_TEXELS(uchar, unsigned char, cudaChannelFormatKindUnsigned)
CPU_DEVICE_TEXELS(short, short, cudaChannelFormatKindSigned)
CPU_DEVICE_TEXELS(ushort, unsigned short, cudaChannelFormatKindUnsigned)
CPU_DEVICE_TEXELS(int, int, cudaChannelFormatKindSigned)
CPU_DEVICE_TEXELS(uint, unsigned int, cudaChannelFormatKindUnsigned)
CPU_DEVICE_TEXELS(float, float, cudaChannelFormatKindFloat)
CPU_DEVICE_TEXEL(char, signed char, float, 1, cudaChannelFormatKindSigned)
#undef CPU_DEVICE_TEXELS
#undef CPU_DEVICE_TEXEL

// ---- a texture as kernels see it: a texture object is the address of one ----

struct Texture {
  // For the inline paths: TexelFormat<T>::code if that path can read it, otherwise 0.
  int fetch_format;      // by tex1Dfetch: linear memory, elements as they are
  int plain_2d;          // by tex2D: two dimensions, nearest element, clamped, not normalized
  int size[3];           // elements in x, y and z; 1 in dimensions that it has not
  float last_x, last_y;  // size - 1
  const unsigned char* data;
  size_t pitch, slice;  // bytes from row to row, from layer to layer

  int dimensions;
  bool linear_memory;  // for tex1Dfetch only
  int channels, bits;
  cudaChannelFormatKind kind;
  cudaTextureAddressMode address[3];
  bool linear_filter, normalized_coordinates, normalized_read;
  float border[4];
  bool destroyed;
};

// The channels of one element: floats, or integers of 32 bits.
struct Texel {
  union {
    float real[4];
    int whole[4];
  };
};

// Ends the kernel with an explanation: there is no texture object 0.
[[noreturn]] void no_texture(Site site);
// Everything that the inline paths cannot do. `result_code` is the format that the kernel wants.
Texel fetch_slowly(const Texture* texture, int i, int result_code, Site site);
Texel sample_slowly(const Texture* texture, int dimensions, float x, float y, float z,
                    int result_code, Site site);

inline const Texture* texture_of(unsigned long long object) {
  return reinterpret_cast<const Texture*>(object);
}

template <typename T>
inline T from_texel(const Texel& texel) {
  using Format = TexelFormat<T>;
  typename Format::Channel channels[Format::channels];
  for (int i = 0; i < Format::channels; i++) {
    if (Format::kind == cudaChannelFormatKindFloat)
      channels[i] = static_cast<typename Format::Channel>(texel.real[i]);
    else
      channels[i] = static_cast<typename Format::Channel>(texel.whole[i]);
  }
  T result;
  static_assert(sizeof result == sizeof channels, "a vector type is its channels");
  __builtin_memcpy(&result, channels, sizeof result);
  return result;
}

template <typename T>
inline T element_at(const unsigned char* address) {
  T element;
  __builtin_memcpy(&element, address, sizeof element);
  return element;
}

template <typename T>
inline T fetch(const Texture* texture, int i, Site site) {
  if (texture == nullptr) no_texture(site);
  if (texture->fetch_format == TexelFormat<T>::code) {
    // Beyond the ends there are zeros.
    if (static_cast<unsigned>(i) >= static_cast<unsigned>(texture->size[0])) return T{};
    return element_at<T>(texture->data + static_cast<size_t>(i) * sizeof(T));
  }
  return from_texel<T>(fetch_slowly(texture, i, TexelFormat<T>::code, site));
}

template <typename T>
inline T sample(const Texture* texture, int dimensions, float x, float y, float z, Site site) {
  return from_texel<T>(sample_slowly(texture, dimensions, x, y, z, TexelFormat<T>::code, site));
}

template <typename T>
inline T sample_2d(const Texture* texture, float x, float y, Site site) {
  if (texture == nullptr) no_texture(site);
  if (texture->plain_2d == TexelFormat<T>::code) {
    // NaN becomes 0.
    x = x > 0 ? x : 0;
    y = y > 0 ? y : 0;
    x = x < texture->last_x ? x : texture->last_x;
    y = y < texture->last_y ? y : texture->last_y;
    return element_at<T>(texture->data + static_cast<size_t>(static_cast<int>(y)) * texture->pitch +
                         static_cast<size_t>(static_cast<int>(x)) * sizeof(T));
  }
  return sample<T>(texture, 2, x, y, 0, site);
}

}  // namespace cpu_device
