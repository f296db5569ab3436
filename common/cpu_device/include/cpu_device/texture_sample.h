// How a kernel's coordinates become an element of a texture: the rules of the CUDA Programming
// Guide's appendix "Texture Fetching". What programs need often is inline; the rest is in
// runtime/textures/texture.cpp.
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

// What a texture is like, and a function that reads it.
#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0C
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2
#define cudaTextureTypeCubemapLayered 0xFC

namespace cpu_device {

// ---- the types of elements: 1, 2 or 4 channels of 8, 16 or 32 bits ----

// A format as a number, for comparisons.
constexpr int format_code(cudaChannelFormatKind kind, int bits, int channels) {
  return static_cast<int>(kind) << 16 | bits << 8 | channels;
}

// Other types cannot be in a texture, and have no TexelFormat.
template <typename T>
struct TexelFormat;

#define CPU_DEVICE_TEXEL(TYPE, CHANNEL, FOUR, NORMALIZED, CHANNELS, KIND)                   \
  template <>                                                                               \
  struct TexelFormat<TYPE> {                                                                \
    typedef CHANNEL Channel;                                                                \
    typedef FOUR Four;             /* of such channels */                                   \
    typedef NORMALIZED Normalized; /* what a normalized read gives */                       \
    static constexpr int channels = CHANNELS, bits = 8 * static_cast<int>(sizeof(CHANNEL)); \
    static constexpr cudaChannelFormatKind kind = KIND;                                     \
    static constexpr int code = format_code(kind, bits, channels);                          \
  };
#define CPU_DEVICE_TEXELS(NAME, CHANNEL, KIND)                 \
  CPU_DEVICE_TEXEL(CHANNEL, CHANNEL, NAME##4, float, 1, KIND)  \
  CPU_DEVICE_TEXEL(NAME##1, CHANNEL, NAME##4, float1, 1, KIND) \
  CPU_DEVICE_TEXEL(NAME##2, CHANNEL, NAME##4, float2, 2, KIND) \
  CPU_DEVICE_TEXEL(NAME##4, CHANNEL, NAME##4, float4, 4, KIND)
CPU_DEVICE_TEXELS(char, signed char, cudaChannelFormatKindSigned)
CPU_DEVICE_TEXELS(uchar, unsigned char, cudaChannelFormatKindUnsigned)
CPU_DEVICE_TEXELS(short, short, cudaChannelFormatKindSigned)
CPU_DEVICE_TEXELS(ushort, unsigned short, cudaChannelFormatKindUnsigned)
CPU_DEVICE_TEXELS(int, int, cudaChannelFormatKindSigned)
CPU_DEVICE_TEXELS(uint, unsigned int, cudaChannelFormatKindUnsigned)
CPU_DEVICE_TEXELS(float, float, cudaChannelFormatKindFloat)
CPU_DEVICE_TEXEL(char, signed char, char4, float, 1, cudaChannelFormatKindSigned)
#undef CPU_DEVICE_TEXELS
#undef CPU_DEVICE_TEXEL

// ---- a texture as kernels see it: a texture object is the address of one ----

// One of a mipmapped array's arrays, or the only one there is.
struct TextureLevel {
  const unsigned char* data;
  int size[3];          // elements in x, y and z; 1 in dimensions that it has not
  size_t pitch, slice;  // bytes from row to row, from layer to layer
};

struct Texture {
  // For the inline paths: TexelFormat<T>::code if that path can read it, otherwise 0.
  int fetch_format;      // by tex1Dfetch: linear memory, elements as they are
  int plain_2d;          // by tex2D: two dimensions, nearest element, clamped, not normalized
  int filtered_2d;       // the same for sample_slowly(): floats of 32 bits, of one level, filtered
  float last_x, last_y;  // size - 1
  TextureLevel base;     // the largest level

  const TextureLevel* levels;
  int level_count;
  int type;            // cudaTextureType...
  bool linear_memory;  // for tex1Dfetch only
  int layers;          // of a layered one (cubes have six faces in each), otherwise 0
  int channels, bits;
  cudaChannelFormatKind kind;
  cudaTextureAddressMode address[3];
  bool linear_filter, linear_levels, normalized_coordinates, normalized_read, srgb, seamless,
      anisotropic;
  float border[4];
  float level_bias, lowest_level, highest_level;
  bool destroyed;
  const Texture* self;  // where it is; null in what is not a texture object
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
// What a kernel asks for.
struct TexturePlace {
  float x, y, z;
  int layer;
};
struct TextureChange {  // of coordinates from one pixel to the next
  float x, y, z;
};
inline TextureChange change(float d) { return {d, 0, 0}; }
inline TextureChange change(float2 d) { return {d.x, d.y, 0}; }
inline TextureChange change(float4 d) { return {d.x, d.y, d.z}; }
struct TextureRead {
  enum How { kPlain, kLevel, kGradient };
  int type;  // cudaTextureType...
  How how;
  TexturePlace place;
  float level = 0;
  TextureChange right = {0, 0, 0}, down = {0, 0, 0};
};

// Everything that the inline paths cannot do. `result_code` is the format that the kernel wants.
Texel fetch_slowly(const Texture* texture, int i, int result_code, Site site);
Texel sample_slowly(const Texture* texture, const TextureRead& read, int result_code, Site site);
Texel gather_slowly(const Texture* texture, float x, float y, int channel, int result_code,
                    Site site);

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
    if (static_cast<unsigned>(i) >= static_cast<unsigned>(texture->base.size[0])) return T{};
    return element_at<T>(texture->base.data + static_cast<size_t>(i) * sizeof(T));
  }
  return from_texel<T>(fetch_slowly(texture, i, TexelFormat<T>::code, site));
}

template <typename T>
inline T sample(const Texture* texture, const TextureRead& read, Site site) {
  if (read.type == cudaTextureType2D && read.how == TextureRead::kPlain) {
    if (texture == nullptr) no_texture(site);
    if (texture->plain_2d == TexelFormat<T>::code) {
      // NaN becomes 0.
      float x = read.place.x > 0 ? read.place.x : 0, y = read.place.y > 0 ? read.place.y : 0;
      x = x < texture->last_x ? x : texture->last_x;
      y = y < texture->last_y ? y : texture->last_y;
      return element_at<T>(texture->base.data +
                           static_cast<size_t>(static_cast<int>(y)) * texture->base.pitch +
                           static_cast<size_t>(static_cast<int>(x)) * sizeof(T));
    }
  }
  return from_texel<T>(sample_slowly(texture, read, TexelFormat<T>::code, site));
}

template <typename T>
inline T gather(const Texture* texture, float x, float y, int channel, Site site) {
  static_assert(TexelFormat<T>::channels == 4, "tex2Dgather() gives a vector of four elements");
  return from_texel<T>(gather_slowly(texture, x, y, channel, TexelFormat<T>::code, site));
}

}  // namespace cpu_device
