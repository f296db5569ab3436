// Textures in layers: each read of a layer gives what the same read gives of a texture that has this layer only. Of one
// and two dimensions and cube maps, with and without levels, plain, by level and by gradients, at random places.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <type_traits>
#include <vector>

#define GOOD(CALL)                            \
  if (const cudaError_t error_of_call = CALL) \
  printf("line %d: %s\n", __LINE__, cudaGetErrorString(error_of_call)), wrong++

constexpr int kLayers = 3, kLevels = 4, kWidth = 16, kPlaces = 256;
int wrong = 0, compared = 0;

struct Place {
  float x, y, z, level, dx[4], dy[4];
  int layer;
};
struct Textures {
  cudaTextureObject_t layered, alone[kLayers];
};

// ---- the reads: of the texture in layers, and of the one alone ----
template <int kDimensions, int kWay, typename T>
__device__ T read(const Textures &all, const Place &p, bool by_layer, bool by_pointer) {
  const cudaTextureObject_t one = all.alone[p.layer], many = all.layered;
  const float4 right = make_float4(p.dx[0], p.dx[1], p.dx[2], 0), down = make_float4(p.dy[0], p.dy[1], p.dy[2], 0);
  const float2 right2 = make_float2(p.dx[0], p.dx[1]), down2 = make_float2(p.dy[0], p.dy[1]);
  T value = {};
#define BOTH(PLAIN, LAYERED, PLACE, REST)                        \
  if (!by_layer) return PLAIN<T>(one, PLACE REST);               \
  if (!by_pointer) return LAYERED<T>(many, PLACE, p.layer REST); \
  LAYERED(&value, many, PLACE, p.layer REST);
#define COMMA ,
  if constexpr (kDimensions == 1 && kWay == 0) {
    BOTH(tex1D, tex1DLayered, p.x, )
  }
  if constexpr (kDimensions == 1 && kWay == 1) {
    BOTH(tex1DLod, tex1DLayeredLod, p.x, COMMA p.level)
  }
  if constexpr (kDimensions == 1 && kWay == 2) {
    BOTH(tex1DGrad, tex1DLayeredGrad, p.x, COMMA p.dx[0] COMMA p.dy[0])
  }
  if constexpr (kDimensions == 2 && kWay == 0) {
    BOTH(tex2D, tex2DLayered, p.x COMMA p.y, )
  }
  if constexpr (kDimensions == 2 && kWay == 1) {
    BOTH(tex2DLod, tex2DLayeredLod, p.x COMMA p.y, COMMA p.level)
  }
  if constexpr (kDimensions == 2 && kWay == 2) {
    BOTH(tex2DGrad, tex2DLayeredGrad, p.x COMMA p.y, COMMA right2 COMMA down2)
  }
  if constexpr (kDimensions == 3 && kWay == 0) {
    BOTH(texCubemap, texCubemapLayered, p.x COMMA p.y COMMA p.z, )
  }
  if constexpr (kDimensions == 3 && kWay == 1) {
    BOTH(texCubemapLod, texCubemapLayeredLod, p.x COMMA p.y COMMA p.z, COMMA p.level)
  }
  if constexpr (kDimensions == 3 && kWay == 2) {
    BOTH(texCubemapGrad, texCubemapLayeredGrad, p.x COMMA p.y COMMA p.z, COMMA right COMMA down)
  }
  return value;
}
template <int kDimensions, int kWay, typename T>
__global__ void compare(Textures all, const Place *places, T *out) {
  const int i = threadIdx.x;
  out[3 * i] = read<kDimensions, kWay, T>(all, places[i], false, false);
  out[3 * i + 1] = read<kDimensions, kWay, T>(all, places[i], true, false);
  out[3 * i + 2] = read<kDimensions, kWay, T>(all, places[i], true, true);
}

// ---- the textures ----
template <typename T>
void fill(cudaArray_t array, cudaExtent extent, const std::vector<T> &values) {
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr((void *)values.data(), extent.width * sizeof(T), extent.width, extent.height);
  copy.dstArray = array;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  GOOD(cudaMemcpy3D(&copy));
}
template <typename T>
T random_value(std::mt19937 &random) {
  T value;
  if constexpr (std::is_same<T, float>::value)
    value = float(random() % 65536) / 65536;
  else
    for (unsigned char *byte = (unsigned char *)&value; byte < (unsigned char *)(&value + 1); byte++) *byte = random();
  return value;
}
template <int kDimensions, typename T, typename Read>
void check(bool with_levels, std::mt19937 &random) {
  const bool is_cube = kDimensions == 3;
  const size_t height = kDimensions == 1 ? 0 : kWidth, faces = is_cube ? 6 : 1;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  const unsigned flags = is_cube ? cudaArrayCubemap : 0;
  cudaMipmappedArray_t with[kLayers + 1] = {};
  cudaArray_t without[kLayers + 1] = {};
  const cudaExtent of_all = {kWidth, height, kLayers * faces}, of_one = {kWidth, height, size_t(is_cube ? 6 : 0)};
  for (int i = 0; i <= kLayers; i++) {  // the last one has all layers
    const cudaExtent extent = i == kLayers ? of_all : of_one;
    const unsigned how = i == kLayers ? flags | cudaArrayLayered : flags;
    if (with_levels) {
      GOOD(cudaMallocMipmappedArray(&with[i], &format, extent, kLevels, how));
    } else {
      GOOD(cudaMalloc3DArray(&without[i], &format, extent, how));
    }
  }
  for (int level = 0; level < (with_levels ? kLevels : 1); level++) {
    const size_t width = kWidth >> level, rows = height == 0 ? 1 : height >> level;
    std::vector<T> all;
    for (int i = 0; i <= kLayers; i++) {
      std::vector<T> mine(width * rows * faces);
      for (T &value : mine) value = random_value<T>(random);
      if (i < kLayers) all.insert(all.end(), mine.begin(), mine.end());
      cudaArray_t array = without[i];
      if (with_levels) GOOD(cudaGetMipmappedArrayLevel(&array, with[i], level));
      fill(array, {width, rows, i == kLayers ? kLayers * faces : faces}, i == kLayers ? all : mine);
    }
  }
  Place *places;
  Read *out;
  GOOD(cudaMallocManaged(&places, kPlaces * sizeof *places));
  GOOD(cudaMallocManaged(&out, 3 * kPlaces * sizeof *out));
  for (int mode = 0; mode < 16; mode++) {
    cudaTextureDesc how = {};
    const bool is_float = std::is_same<Read, float>::value || std::is_same<Read, float4>::value;
    how.readMode = is_float && !std::is_same<T, Read>::value ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    how.filterMode = is_float && mode & 1 ? cudaFilterModeLinear : cudaFilterModePoint;
    how.mipmapFilterMode = is_float && mode & 2 ? cudaFilterModeLinear : cudaFilterModePoint;
    // Of one dimension the first only: GPUs filter a plain one as the only row of two dimensions.
    for (int d = 0; d < kDimensions; d++) how.addressMode[d] = cudaTextureAddressMode(mode >> 2);
    for (int d = kDimensions; d < 3; d++) how.addressMode[d] = cudaAddressModeClamp;
    how.normalizedCoords = 1;
    how.maxMipmapLevelClamp = kLevels - 1;
    Textures textures;
    for (int i = 0; i <= kLayers; i++) {
      cudaResourceDesc what = {};
      what.resType = with_levels ? cudaResourceTypeMipmappedArray : cudaResourceTypeArray;
      if (with_levels)
        what.res.mipmap.mipmap = with[i];
      else
        what.res.array.array = without[i];
      GOOD(cudaCreateTextureObject(i == kLayers ? &textures.layered : &textures.alone[i], &what, &how, nullptr));
    }
    const auto any = [&](float from, float to) { return from + (to - from) * float(random() % 65536) / 65536; };
    for (int i = 0; i < kPlaces; i++) {
      Place &p = places[i];
      p = {any(-1, 2), any(-1, 2), any(-1, 2), any(0, kLevels), {}, {}, int(random() % kLayers)};
      const float size = std::exp2(any(-5, -0.5f));
      for (float &change : p.dx) change = any(-size, size);
      for (float &change : p.dy) change = any(-size, size);
    }
    const auto way = [&](const char *name, void (*kernel)(Textures, const Place *, Read *)) {
      kernel<<<1, kPlaces>>>(textures, places, out);
      GOOD(cudaDeviceSynchronize());
      for (int i = 0; i < 3 * kPlaces; i++) {
        const Read &got = out[i], &expected = out[i - i % 3];
        bool good = memcmp(&got, &expected, sizeof got) == 0;
        if constexpr (std::is_same<Read, float>::value) good |= std::fabs(got - expected) <= 2.0f / 256;
        if constexpr (std::is_same<Read, float4>::value)
          good |= std::fabs(got.x - expected.x) + std::fabs(got.y - expected.y) + std::fabs(got.z - expected.z) +
                      std::fabs(got.w - expected.w) <=
                  6.0f / 256;
        compared += i % 3 != 0;
        if (good || wrong++ > 20) continue;
        const Place &p = places[i / 3];
        printf("%d dimensions, %s, mode %d, %zu bytes%s: layer %d at %g %g %g\n", kDimensions, name, mode, sizeof(T),
               i % 3 == 2 ? ", by a pointer" : "", p.layer, p.x, p.y, p.z);
      }
    };
    way("plain", compare<kDimensions, 0, Read>);
    if (with_levels) way("by level", compare<kDimensions, 1, Read>), way("by gradients", compare<kDimensions, 2, Read>);
    GOOD(cudaDestroyTextureObject(textures.layered));
    for (cudaTextureObject_t texture : textures.alone) GOOD(cudaDestroyTextureObject(texture));
  }
  for (int i = 0; i <= kLayers; i++) {
    GOOD(cudaFreeMipmappedArray(with[i]));
    GOOD(cudaFreeArray(without[i]));
  }
  cudaFree(places), cudaFree(out);
}
template <int kDimensions>
void check_types(std::mt19937 &random) {
  for (const bool with_levels : {false, true}) {
    check<kDimensions, float, float>(with_levels, random);
    check<kDimensions, uchar4, float4>(with_levels, random);
    check<kDimensions, short2, short2>(with_levels, random);
  }
}

int main() {
  std::mt19937 random(7);
  check_types<1>(random);
  check_types<2>(random);
  check_types<3>(random);
  printf("%d of %d wrong\n", wrong, compared);
  return wrong != 0;
}
