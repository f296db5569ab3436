// Mipmaps, layers, cube maps, gathers, sRGB, and surfaces: what reading them gives, on the device
// that this is built for. The values come from an H200; the arrays are those that it was given.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "../../../common/handle_error.h"

namespace {

enum Kind {
  kMip1D,
  kMip2D,
  kMip2DTall,
  kMip3D,
  kMip1DLayered,
  kMip2DLayered,
  kLayered1D,
  kLayered2D,
  kCube,
  kCubeOf3,
  kCubeLayered,
  kCubeLevels,
  kGather0,
  kGather1,
  kGather3,
  kGatherBytes0,
  kGatherBytes3,
  kGatherInts,
  kGatherNormalized,
  kLevel,
  kLevelBiasUp,
  kLevelBiasDown,
  kLevelClamped,
  kPlainBiased,
  kPlainClamped,
  kGradient1D,
  kGradient2D,
  kGradient2DWide,
  kGradient3D,
  kCubeGradient,
  kSrgb,
  kSrgbOneChannel,
  kHalf
};

// Where a kernel reads.
struct At {
  float x = 0, y = 0, z = 0, level = 0, layer = 0;
  float change[5] = {};  // to the right, then down; the sixth of three dimensions is `level`
};
struct Row {
  Kind kind;
  int address, filter, level_filter, normalized, seamless;
  At at;
  float value[4];
};
const Row kRows[] = {
#include "texture_values.inc"
};

bool alike(const Row& a, const Row& b) {
  return a.kind == b.kind && a.address == b.address && a.filter == b.filter &&
         a.level_filter == b.level_filter && a.normalized == b.normalized &&
         a.seamless == b.seamless;
}

// ---- reading ----

__device__ float4 four(float v) { return make_float4(v, 0, 0, 0); }
__device__ float4 four(float4 v) { return v; }
__device__ float4 four(int4 v) { return make_float4(v.x, v.y, v.z, v.w); }
__device__ float4 four(uchar4 v) { return make_float4(v.x, v.y, v.z, v.w); }

#define KERNEL(NAME, ...)                                                                  \
  __global__ void NAME(cudaTextureObject_t texture, const At* at, float4* result, int n) { \
    const int i = threadIdx.x + blockIdx.x * blockDim.x;                                   \
    if (i >= n) return;                                                                    \
    const At& a = at[i];                                                                   \
    result[i] = four(__VA_ARGS__);                                                         \
  }
KERNEL(mip_1d, tex1DLod<float>(texture, a.x, a.level))
KERNEL(mip_2d, tex2DLod<float>(texture, a.x, a.y, a.level))
KERNEL(mip_3d, tex3DLod<float>(texture, a.x, a.y, a.z, a.level))
KERNEL(mip_1d_layered, tex1DLayeredLod<float>(texture, a.x, static_cast<int>(a.layer), a.level))
KERNEL(mip_2d_layered,
       tex2DLayeredLod<float>(texture, a.x, a.y, static_cast<int>(a.layer), a.level))
KERNEL(layered_1d, tex1DLayered<float>(texture, a.x, static_cast<int>(a.layer)))
KERNEL(layered_2d, tex2DLayered<float>(texture, a.x, a.y, static_cast<int>(a.layer)))
KERNEL(cube, texCubemap<float4>(texture, a.x, a.y, a.z))
KERNEL(cube_layered, texCubemapLayered<float4>(texture, a.x, a.y, a.z, static_cast<int>(a.layer)))
KERNEL(cube_levels, texCubemapLod<float4>(texture, a.x, a.y, a.z, a.level))
KERNEL(gather_0, tex2Dgather<float4>(texture, a.x, a.y))
KERNEL(gather_1, tex2Dgather<float4>(texture, a.x, a.y, 1))
KERNEL(gather_2, tex2Dgather<float4>(texture, a.x, a.y, 2))
KERNEL(gather_3, tex2Dgather<float4>(texture, a.x, a.y, 3))
KERNEL(gather_bytes_0, tex2Dgather<uchar4>(texture, a.x, a.y, 0))
KERNEL(gather_bytes_3, tex2Dgather<uchar4>(texture, a.x, a.y, 3))
KERNEL(gather_ints, tex2Dgather<int4>(texture, a.x, a.y, 0))
KERNEL(plain_2d, tex2D<float>(texture, a.x, a.y))
KERNEL(gradient_1d, tex1DGrad<float>(texture, a.x, a.change[0], a.change[1]))
KERNEL(gradient_2d, tex2DGrad<float>(texture, a.x, a.y, make_float2(a.change[0], a.change[1]),
                                     make_float2(a.change[2], a.change[3])))
KERNEL(gradient_3d, tex3DGrad<float>(texture, a.x, a.y, a.z,
                                     make_float4(a.change[0], a.change[1], a.change[2], 0),
                                     make_float4(a.change[3], a.change[4], a.level, 0)))
KERNEL(cube_gradient, texCubemapGrad<float4>(texture, a.x, a.y, a.z,
                                             make_float4(a.change[0], a.change[1], a.change[2], 0),
                                             make_float4(a.change[3], a.change[4], a.level, 0))
                          .w)
KERNEL(colors, tex2D<float4>(texture, a.x, a.y))
#undef KERNEL
using Kernel = void (*)(cudaTextureObject_t, const At*, float4*, int);

// ---- what is read ----

// Noise from 0 to 1, the same as the H200 was given.
float noise(int i) {
  static const std::vector<float> all = [] {
    unsigned long long state = 12345;
    std::vector<float> values(1 << 16);
    for (float& value : values) {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      value = static_cast<float>(state >> 40 & 0xffffff) / 16777216.0f;
    }
    return values;
  }();
  return all[i & 0xffff];
}

// An element of level l at (x, y, z).
template <typename T>
using Element = std::function<T(int l, int x, int y, int z)>;

// An array with its levels, filled, as a resource; freed at the end of its scope.
struct Resource {
  cudaResourceDesc desc = {};
  cudaArray_t array = nullptr;
  cudaMipmappedArray_t mipmapped = nullptr;

  template <typename T>
  Resource(cudaChannelFormatDesc format, cudaExtent extent, int levels, unsigned int flags,
           const Element<T>& element) {
    if (levels == 0) {
      HANDLE_ERROR(cudaMalloc3DArray(&array, &format, extent, flags));
      fill(array, 0, extent, element);
      desc.resType = cudaResourceTypeArray;
      desc.res.array.array = array;
      return;
    }
    HANDLE_ERROR(cudaMallocMipmappedArray(&mipmapped, &format, extent, levels, flags));
    desc.resType = cudaResourceTypeMipmappedArray;
    desc.res.mipmap.mipmap = mipmapped;
    for (int l = 0; l < levels; l++) {
      cudaArray_t level = nullptr;
      HANDLE_ERROR(cudaGetMipmappedArrayLevel(&level, mipmapped, l));
      cudaExtent size = {};
      HANDLE_ERROR(cudaArrayGetInfo(nullptr, &size, nullptr, level));
      fill(level, l, size, element);
    }
  }
  ~Resource() {
    cudaFreeArray(array);
    cudaFreeMipmappedArray(mipmapped);
  }
  Resource(const Resource&) = delete;
  Resource& operator=(const Resource&) = delete;

 private:
  template <typename T>
  static void fill(cudaArray_t into, int level, cudaExtent size, const Element<T>& element) {
    size.height = std::max<size_t>(size.height, 1);
    size.depth = std::max<size_t>(size.depth, 1);
    std::vector<T> elements;
    for (size_t z = 0; z < size.depth; z++)
      for (size_t y = 0; y < size.height; y++)
        for (size_t x = 0; x < size.width; x++)
          elements.push_back(
              element(level, static_cast<int>(x), static_cast<int>(y), static_cast<int>(z)));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr =
        make_cudaPitchedPtr(elements.data(), size.width * sizeof(T), size.width, size.height);
    copy.dstArray = into;
    copy.extent = size;
    copy.kind = cudaMemcpyHostToDevice;
    HANDLE_ERROR(cudaMemcpy3D(&copy));
  }
};

// A kind of row: what it reads and by which kernel, and how far from an H200's values it may be
// with linear filtering (weights have 8 binary places); without it must be the same but for a
// float's last bits.
struct Setup {
  Resource resource;
  Kernel kernel;
  double filtered = 0;

  template <typename T>
  Setup(Kernel reads, double tolerance, cudaChannelFormatDesc format, cudaExtent extent, int levels,
        unsigned int flags, const Element<T>& element)
      : resource(format, extent, levels, flags, element), kernel(reads), filtered(tolerance) {}
};

float of_noise(int l, int x, int y, int z) {
  return noise(l * 7919 + x * 31 + y * 1021 + z * 4099);
}
float of_level(int l, int, int, int) { return static_cast<float>(l); }
float of_place(int, int x, int y, int z) { return static_cast<float>(100 * z + x + 10 * y); }
float of_column(int, int x, int, int z) { return static_cast<float>(100 * z + x); }
float4 of_face(int, int x, int y, int z) { return make_float4(x, y, z % 6, 10 * (z / 6) + 1); }
float4 of_face_and_level(int l, int x, int y, int z) { return make_float4(x, y, z, l); }
float4 of_channel(int, int x, int y, int) {
  const float i = static_cast<float>(x + 10 * y);
  return make_float4(i, 100 + i, 200 + i, 300 + i);
}
uchar4 of_bytes(int, int x, int y, int) {
  return make_uchar4(x + 10 * y, 100 + x + 10 * y, 200 + x + y, 55 + x + 10 * y);
}
uchar4 of_colors(int, int x, int, int) { return make_uchar4(x, 255 - x, x * 7 & 255, x); }

unsigned short of_halves(int, int x, int y, int) {  // and infinity, the smallest, the lowest, 1
  constexpr unsigned short kEnds[] = {0x7c00, 1, 0xfbff, 0x3c00};
  const int i = x + 16 * y;
  return i < 60 ? static_cast<unsigned short>(517 * i) : kEnds[i - 60];
}
unsigned char of_bytes_in_order(int, int x, int, int) { return static_cast<unsigned char>(x); }
int of_integers(int, int x, int y, int) { return x + 10 * y - 7; }

using SetupPointer = std::unique_ptr<Setup>;

template <typename T>
SetupPointer setup(Kernel kernel, double tolerance, cudaExtent extent, int levels,
                   unsigned int flags, T (*element)(int, int, int, int),
                   cudaChannelFormatDesc format = cudaCreateChannelDesc<T>()) {
  return SetupPointer(
      new Setup(kernel, tolerance, format, extent, levels, flags, Element<T>(element)));
}

SetupPointer setup_of(Kind kind) {
  constexpr unsigned int kLayers = cudaArrayLayered, kFaces = cudaArrayCubemap,
                         kGather = cudaArrayTextureGather;
  constexpr double kStep = 1.0 / 256, kNoise = 1.5 * kStep;
  switch (kind) {
    case kMip1D:
      return setup(mip_1d, kNoise, {37, 0, 0}, 6, 0, of_noise);
    case kMip2D:
      return setup(mip_2d, kNoise, {17, 9, 0}, 5, 0, of_noise);
    case kMip2DTall:
      return setup(mip_2d, kNoise, {16, 32, 0}, 6, 0, of_noise);
    case kMip3D:
      return setup(mip_3d, kNoise, {9, 6, 5}, 4, 0, of_noise);
    case kMip1DLayered:
      return setup(mip_1d_layered, kNoise, {37, 0, 3}, 6, kLayers, of_noise);
    case kMip2DLayered:
      return setup(mip_2d_layered, kNoise, {17, 9, 4}, 5, kLayers, of_noise);
    case kLayered1D:
      return setup(layered_1d, 4 * kStep, {8, 0, 5}, 0, kLayers, of_column);
    case kLayered2D:  // up to 440, next to a border of 0.5
      return setup(layered_2d, 0.5, {8, 4, 5}, 0, kLayers, of_place);
    case kCube:
      return setup(cube, 5 * kStep, {4, 4, 6}, 0, kFaces, of_face);
    case kCubeOf3:
      return setup(cube, 5 * kStep, {3, 3, 6}, 0, kFaces, of_face);
    case kCubeLayered:
      return setup(cube_layered, 5 * kStep, {4, 4, 18}, 0, kFaces | kLayers, of_face);
    case kCubeLevels:
      return setup(cube_levels, 11 * kStep, {16, 16, 6}, 5, kFaces, of_face_and_level);
    case kGather0:
      return setup(gather_0, 0, {8, 5, 0}, 0, kGather, of_channel);
    case kGather1:
      return setup(gather_1, 0, {8, 5, 0}, 0, kGather, of_channel);
    case kGather3:
      return setup(gather_3, 0, {8, 5, 0}, 0, kGather, of_channel);
    case kGatherBytes0:
      return setup(gather_bytes_0, 0, {8, 5, 0}, 0, kGather, of_bytes);
    case kGatherBytes3:
      return setup(gather_bytes_3, 0, {8, 5, 0}, 0, kGather, of_bytes);
    case kGatherInts:
      return setup(gather_ints, 0, {8, 5, 0}, 0, kGather, of_integers);
    case kGatherNormalized:
      return setup(gather_2, 0, {8, 5, 0}, 0, kGather, of_bytes);
    case kGradient1D:
      return setup(gradient_1d, 2.5 * kStep, {64, 0, 0}, 7, 0, of_level);
    case kGradient2DWide:
      return setup(gradient_2d, 2.5 * kStep, {64, 8, 0}, 7, 0, of_level);
    case kGradient2D:
      return setup(gradient_2d, 2.5 * kStep, {16, 16, 0}, 5, 0, of_level);
    case kGradient3D:
      return setup(gradient_3d, 2.5 * kStep, {16, 8, 32}, 6, 0, of_level);
    case kCubeGradient:
      return setup(cube_gradient, 2.5 * kStep, {16, 16, 6}, 5, kFaces, of_face_and_level);
    case kPlainBiased:
    case kPlainClamped:
      return setup(plain_2d, 0, {16, 16, 0}, 5, 0, of_level);
    case kSrgb:
      return setup(colors, kNoise, {256, 1, 0}, 0, 0, of_colors);
    case kSrgbOneChannel:
      return setup(plain_2d, 0, {256, 1, 0}, 0, 0, of_bytes_in_order);
    case kHalf:
      return setup(plain_2d, 0, {16, 4, 0}, 0, 0, of_halves,
                   cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat));
    default:  // of levels alone
      return setup(mip_2d, 0, {16, 16, 0}, 5, 0, of_level);
  }
}

cudaTextureDesc description_of(const Row& row) {
  cudaTextureDesc how = {};
  for (cudaTextureAddressMode& one : how.addressMode)
    one = static_cast<cudaTextureAddressMode>(row.address);
  how.filterMode = static_cast<cudaTextureFilterMode>(row.filter);
  how.mipmapFilterMode = static_cast<cudaTextureFilterMode>(row.level_filter);
  how.normalizedCoords = row.normalized;
  how.seamlessCubemap = row.seamless;
  how.borderColor[0] = 0.5f;
  how.borderColor[1] = 0.25f;
  how.maxMipmapLevelClamp = 100;
  if (row.kind == kLevelBiasUp) how.mipmapLevelBias = 0.3f;
  if (row.kind == kLevelBiasDown) how.mipmapLevelBias = -0.7f;
  if (row.kind == kPlainBiased) how.mipmapLevelBias = 2;
  if (row.kind == kLevelClamped || row.kind == kPlainClamped) {
    how.minMipmapLevelClamp = 0.3f;
    how.maxMipmapLevelClamp = 2.2501f;
  }
  how.sRGB = row.kind == kSrgb || row.kind == kSrgbOneChannel;
  if (how.sRGB || row.kind == kGatherNormalized) how.readMode = cudaReadModeNormalizedFloat;
  return how;
}

// Memory that host and device see, freed at the end of its scope.
template <typename T>
struct Shared {
  T* data = nullptr;
  explicit Shared(size_t count) { HANDLE_ERROR(cudaMallocManaged(&data, count * sizeof(T))); }
  ~Shared() { cudaFree(data); }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
};

std::vector<float4> read(const Setup& setup, const Row* rows, int n) {
  const cudaTextureDesc how = description_of(*rows);
  cudaTextureObject_t texture = 0;
  HANDLE_ERROR(cudaCreateTextureObject(&texture, &setup.resource.desc, &how, nullptr));
  const Shared<At> at(n);
  const Shared<float4> result(n);
  for (int i = 0; i < n; i++) at.data[i] = rows[i].at;
  setup.kernel<<<(n + 127) / 128, 128>>>(texture, at.data, result.data, n);
  HANDLE_ERROR(cudaDeviceSynchronize());
  HANDLE_ERROR(cudaDestroyTextureObject(texture));
  return {result.data, result.data + n};
}

bool near(double got, double want, double tolerance) {
  return got == want || std::fabs(got - want) <= tolerance;
}

}  // namespace

TEST_CASE("textures of every kind: the values of an H200") {
  const Row* const end = std::end(kRows);
  SetupPointer setup;
  Kind kind = kHalf;
  for (const Row* row = kRows; row < end;) {
    const Row* next = row;
    while (next < end && alike(*row, *next)) next++;
    const int n = static_cast<int>(next - row);
    if (setup == nullptr || kind != row->kind) setup = setup_of(kind = row->kind);
    const std::vector<float4> result = read(*setup, row, n);
    for (int i = 0; i < n; i++) {
      const Row& r = row[i];
      const double tolerance = r.filter == 1 || r.level_filter == 1 ? setup->filtered + 1e-6 : 1e-6;
      const float4 got = result[i];
      INFO("kind " << r.kind << ", address mode " << r.address << ", filters " << r.filter << " "
                   << r.level_filter << ", normalized " << r.normalized << ", seamless "
                   << r.seamless << ", at (" << r.at.x << ", " << r.at.y << ", " << r.at.z
                   << "), level " << r.at.level << ", layer " << r.at.layer << ": got (" << got.x
                   << ", " << got.y << ", " << got.z << ", " << got.w << "), an H200 gives ("
                   << r.value[0] << ", " << r.value[1] << ", " << r.value[2] << ", " << r.value[3]
                   << ")");
      CHECK((near(got.x, r.value[0], tolerance) && near(got.y, r.value[1], tolerance) &&
             near(got.z, r.value[2], tolerance) && near(got.w, r.value[3], tolerance)));
    }
    row = next;
  }
}

// ---- surfaces ----

namespace {

struct SurfaceAt {
  int x, y, z;  // x counts bytes
  bool clamped;
};
#define SURFACE(NAME, FUNCTION, ...)                                                     \
  __global__ void NAME##_read(cudaSurfaceObject_t surface, SurfaceAt a, float* result) { \
    if (a.clamped)                                                                       \
      *result = FUNCTION##read<float>(surface, __VA_ARGS__, cudaBoundaryModeClamp);      \
    else                                                                                 \
      *result = FUNCTION##read<float>(surface, __VA_ARGS__, cudaBoundaryModeZero);       \
  }                                                                                      \
  __global__ void NAME##_write(cudaSurfaceObject_t surface, SurfaceAt a) {               \
    if (a.clamped)                                                                       \
      FUNCTION##write(-5.0f, surface, __VA_ARGS__, cudaBoundaryModeClamp);               \
    else                                                                                 \
      FUNCTION##write(-5.0f, surface, __VA_ARGS__, cudaBoundaryModeZero);                \
  }
SURFACE(line, surf1D, a.x)
SURFACE(plane, surf2D, a.x, a.y)
SURFACE(space, surf3D, a.x, a.y, a.z)
SURFACE(line_layered, surf1DLayered, a.x, a.z)
SURFACE(plane_layered, surf2DLayered, a.x, a.y, a.z)
SURFACE(faces, surfCubemap, a.x, a.y, a.z)
SURFACE(faces_layered, surfCubemapLayered, a.x, a.y, a.z)
#undef SURFACE

struct Shape {
  cudaExtent extent;
  unsigned int flags;
  void (*read)(cudaSurfaceObject_t, SurfaceAt, float*);
  void (*write)(cudaSurfaceObject_t, SurfaceAt);
  bool has_y, has_z;
};
const Shape kShapes[] = {
    {{6, 0, 0}, 0, line_read, line_write, false, false},
    {{6, 4, 0}, 0, plane_read, plane_write, true, false},
    {{6, 4, 3}, 0, space_read, space_write, true, true},
    {{6, 0, 3}, cudaArrayLayered, line_layered_read, line_layered_write, false, true},
    {{6, 4, 3}, cudaArrayLayered, plane_layered_read, plane_layered_write, true, true},
    {{4, 4, 6}, cudaArrayCubemap, faces_read, faces_write, true, true},
    {{4, 4, 12},
     cudaArrayCubemap | cudaArrayLayered,
     faces_layered_read,
     faces_layered_write,
     true,
     true}};

float of_position(int, int x, int y, int z) { return static_cast<float>(1 + x + 10 * y + 100 * z); }

// The element that an access reaches, as a number; -1 if none. Beyond the edge it is none, or the
// one at the edge; but a negative layer is the last one.
int reached(const Shape& shape, const SurfaceAt& a) {
  const int size[3] = {static_cast<int>(shape.extent.width),
                       shape.has_y ? static_cast<int>(shape.extent.height) : 1,
                       shape.has_z ? static_cast<int>(shape.extent.depth) : 1};
  int at[3] = {a.x < 0 ? -1 : a.x / 4, shape.has_y ? a.y : 0, shape.has_z ? a.z : 0};
  for (int d = 0; d < 3; d++) {
    if (at[d] >= 0 && at[d] < size[d]) continue;
    if (!a.clamped) return -1;
    at[d] = at[d] > 0 || (d == 2 && shape.flags != 0) ? size[d] - 1 : 0;
  }
  return at[0] + size[0] * (at[1] + size[1] * at[2]);
}

std::vector<SurfaceAt> surface_places() {
  std::vector<SurfaceAt> all;
  for (bool clamped : {false, true}) {
    for (int x : {-1000, -4, 0, 4, 12, 16, 20, 24, 1000000}) all.push_back({x, 1, 1, clamped});
    for (int y : {-100, -1, 0, 3, 4, 70000}) all.push_back({4, y, 1, clamped});
    for (int z : {-100, -1, 0, 2, 3, 5, 6, 11, 12, 70000}) all.push_back({4, 1, z, clamped});
  }
  return all;
}

}  // namespace

TEST_CASE("surfaces of every kind: read and written, inside and outside") {
  for (const Shape& shape : kShapes) {
    const size_t rows = std::max<size_t>(shape.extent.height, 1),
                 layers = std::max<size_t>(shape.extent.depth, 1);
    const size_t count = shape.extent.width * rows * layers;
    const Resource resource(cudaCreateChannelDesc<float>(), shape.extent, 0,
                            shape.flags | cudaArraySurfaceLoadStore, Element<float>(of_position));
    cudaSurfaceObject_t surface = 0;
    HANDLE_ERROR(cudaCreateSurfaceObject(&surface, &resource.desc));
    const Shared<float> result(1);
    std::vector<float> elements(count);
    cudaMemcpy3DParms copy = {};
    copy.srcArray = resource.array;
    copy.dstPtr = make_cudaPitchedPtr(elements.data(), shape.extent.width * sizeof(float),
                                      shape.extent.width, rows);
    copy.extent = {shape.extent.width, rows, layers};
    copy.kind = cudaMemcpyDeviceToHost;
    HANDLE_ERROR(cudaMemcpy3D(&copy));
    std::vector<float> expected = elements;
    CHECK(elements[count - 1] == of_position(0, static_cast<int>(shape.extent.width) - 1,
                                             static_cast<int>(rows) - 1,
                                             static_cast<int>(layers) - 1));
    for (const SurfaceAt& at : surface_places()) {
      INFO("extent " << shape.extent.width << " x " << shape.extent.height << " x "
                     << shape.extent.depth << ", flags " << shape.flags << ", at byte " << at.x
                     << ", " << at.y << ", " << at.z << ", clamped " << at.clamped);
      const int element = reached(shape, at);
      shape.read<<<1, 1>>>(surface, at, result.data);
      HANDLE_ERROR(cudaDeviceSynchronize());
      CHECK(*result.data == (element < 0 ? 0 : expected[element]));
      shape.write<<<1, 1>>>(surface, at);
      HANDLE_ERROR(cudaMemcpy3D(&copy));
      if (element >= 0) expected[element] = -5;
      CHECK(elements == expected);
      if (element >= 0)
        expected[element] = elements[element] = 7;  // a read must see what is written
      cudaMemcpy3DParms back = {};
      back.srcPtr = copy.dstPtr;
      back.dstArray = resource.array;
      back.extent = copy.extent;
      back.kind = cudaMemcpyHostToDevice;
      HANDLE_ERROR(cudaMemcpy3D(&back));
    }
    HANDLE_ERROR(cudaDestroySurfaceObject(surface));
  }
}

// ---- the interface ----

namespace {

cudaError_t make(cudaExtent extent, unsigned int flags) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  const cudaError_t error = cudaMalloc3DArray(&array, &format, extent, flags);
  cudaGetLastError();
  if (error == cudaSuccess) {
    cudaExtent made = {};
    unsigned int made_flags = 0;
    CHECK(cudaArrayGetInfo(nullptr, &made, &made_flags, array) == cudaSuccess);
    CHECK((made.width == extent.width && made.height == extent.height &&
           made.depth == extent.depth && made_flags == flags));
  }
  cudaFreeArray(array);
  return error;
}

}  // namespace

TEST_CASE("which layered arrays, cube maps and arrays for gathers there are") {
  constexpr unsigned int kLayers = cudaArrayLayered, kFaces = cudaArrayCubemap,
                         kGather = cudaArrayTextureGather;
  CHECK(make({8, 4, 5}, kLayers) == cudaSuccess);
  CHECK(make({8, 0, 5}, kLayers) == cudaSuccess);
  CHECK(make({8, 8, 6}, kFaces) == cudaSuccess);
  CHECK(make({8, 8, 6}, kFaces | kLayers) == cudaSuccess);
  CHECK(make({8, 8, 12}, kFaces | kLayers) == cudaSuccess);
  CHECK(make({8, 8, 0}, kGather) == cudaSuccess);
  const struct {
    cudaExtent extent;
    unsigned int flags;
  } impossible[] = {{{8, 4, 6}, kFaces},
                    {{8, 8, 5}, kFaces},
                    {{8, 8, 12}, kFaces},
                    {{8, 8, 13}, kFaces | kLayers},
                    {{8, 0, 6}, kFaces},
                    {{8, 8, 0}, kFaces},
                    {{8, 8, 0}, kLayers},
                    {{8, 0, 0}, kLayers},
                    {{8, 8, 5}, 16},
                    {{8, 0, 0}, kGather},
                    {{8, 8, 8}, kGather},
                    {{8, 8, 8}, kGather | kLayers},
                    {{8, 8, 6}, kGather | kFaces},
                    {{40000, 40000, 0}, kGather},
                    {{40000, 4, 2}, kLayers},
                    {{4, 4, 3000}, kLayers},
                    {{4, 0, 3000}, kLayers},
                    {{4, 4, 2400}, kLayers | kFaces},
                    {{8, 0, 8}, 0}};
  for (const auto& one : impossible) {
    INFO(one.extent.width << " x " << one.extent.height << " x " << one.extent.depth << ", flags "
                          << one.flags);
    CHECK(make(one.extent, one.flags) == cudaErrorInvalidValue);
  }
}

TEST_CASE("levels: as many as there can be, each half of the one before") {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  const struct {
    cudaExtent extent;
    unsigned int flags, wanted, got;
    cudaExtent second, last;
  } cases[] = {
      {{17, 9, 0}, 0, 5, 5, {8, 4, 0}, {1, 1, 0}},
      {{17, 9, 0}, 0, 100, 5, {8, 4, 0}, {1, 1, 0}},
      {{17, 9, 0}, 0, 2, 2, {8, 4, 0}, {8, 4, 0}},
      {{8, 8, 8}, 0, 4, 4, {4, 4, 4}, {1, 1, 1}},
      {{8, 8, 3}, cudaArrayLayered, 4, 4, {4, 4, 3}, {1, 1, 3}},
      {{8, 0, 3}, cudaArrayLayered, 4, 4, {4, 0, 3}, {1, 0, 3}},
      {{8, 8, 6}, cudaArrayCubemap | cudaArraySurfaceLoadStore, 9, 4, {4, 4, 6}, {1, 1, 6}}};
  for (const auto& one : cases) {
    cudaMipmappedArray_t whole = nullptr;
    CHECK(cudaMallocMipmappedArray(&whole, &format, one.extent, one.wanted, one.flags) ==
          cudaSuccess);
    const auto is_size = [&](unsigned int level, cudaExtent want) {
      cudaArray_t array = nullptr;
      cudaExtent size = {};
      unsigned int flags = 0;
      CHECK(cudaGetMipmappedArrayLevel(&array, whole, level) == cudaSuccess);
      CHECK(cudaArrayGetInfo(nullptr, &size, &flags, array) == cudaSuccess);
      CHECK((size.width == want.width && size.height == want.height && size.depth == want.depth &&
             flags == one.flags));
    };
    is_size(1, one.second);
    is_size(one.got - 1, one.last);
    cudaArray_t array = nullptr;
    CHECK(cudaGetMipmappedArrayLevel(&array, whole, one.got) == cudaErrorInvalidValue);
    CHECK(cudaGetMipmappedArrayLevel(nullptr, whole, 0) == cudaErrorInvalidValue);
    CHECK(cudaFreeMipmappedArray(whole) == cudaSuccess);
    cudaGetLastError();
  }
  cudaMipmappedArray_t none = nullptr;
  CHECK(cudaMallocMipmappedArray(&none, &format, {0, 0, 0}, 1) == cudaErrorInvalidValue);
  CHECK(cudaMallocMipmappedArray(&none, &format, {17, 9, 0}, 0) == cudaSuccess);  // that is one
  cudaArray_t level = nullptr;
  CHECK(cudaGetMipmappedArrayLevel(&level, none, 0) == cudaSuccess);
  CHECK(cudaGetMipmappedArrayLevel(&level, none, 1) == cudaErrorInvalidValue);
  CHECK(cudaFreeMipmappedArray(none) == cudaSuccess);
  CHECK(cudaFreeMipmappedArray(nullptr) == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("copies into layers: not beyond the last") {
  const Resource faces(cudaCreateChannelDesc<float>(), {4, 4, 6}, 0, cudaArrayCubemap,
                       Element<float>(of_position));
  float host[7 * 16] = {};
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(host, 16, 4, 4);
  copy.dstArray = faces.array;
  copy.kind = cudaMemcpyHostToDevice;
  const auto copied = [&](size_t first, size_t layers) {
    copy.dstPos.z = first;
    copy.extent = {4, 4, layers};
    const cudaError_t error = cudaMemcpy3D(&copy);
    cudaGetLastError();
    return error;
  };
  CHECK(copied(0, 1) == cudaSuccess);
  CHECK(copied(5, 1) == cudaSuccess);
  CHECK(copied(0, 6) == cudaSuccess);
  CHECK(copied(6, 1) == cudaErrorInvalidValue);
  CHECK(copied(0, 7) == cudaErrorInvalidValue);
}

TEST_CASE("objects of levels, and what cannot be one") {
  const Resource levels(cudaCreateChannelDesc<float>(), {8, 8, 0}, 4, cudaArraySurfaceLoadStore,
                        Element<float>(of_level));
  cudaTextureDesc how = {};
  how.normalizedCoords = 1;
  cudaTextureObject_t texture = 0;
  CHECK(cudaCreateTextureObject(&texture, &levels.desc, &how, nullptr) == cudaSuccess);
  CHECK(cudaDestroyTextureObject(texture) == cudaSuccess);
  cudaSurfaceObject_t surface = 0;
  CHECK(cudaCreateSurfaceObject(&surface, &levels.desc) == cudaErrorInvalidValue);
  cudaResourceDesc level = {}, back = {};
  level.resType = cudaResourceTypeArray;
  HANDLE_ERROR(cudaGetMipmappedArrayLevel(&level.res.array.array, levels.mipmapped, 2));
  CHECK(cudaCreateSurfaceObject(&surface, &level) == cudaSuccess);
  CHECK(cudaGetSurfaceObjectResourceDesc(&back, surface) == cudaSuccess);
  CHECK(back.res.array.array == level.res.array.array);
  CHECK(cudaDestroySurfaceObject(surface) == cudaSuccess);
  CHECK(cudaCreateTextureObject(&texture, &level, &how, nullptr) == cudaSuccess);
  CHECK(cudaDestroyTextureObject(texture) == cudaSuccess);

  cudaResourceViewDesc view = {};
  view.width = view.height = 8;
  view.lastMipmapLevel = 3;
  const auto seen_as = [&](cudaResourceViewFormat format) {
    view.format = format;
    cudaTextureObject_t seen = 0;
    const cudaError_t error = cudaCreateTextureObject(&seen, &levels.desc, &how, &view);
    if (error == cudaSuccess) cudaDestroyTextureObject(seen);
    cudaGetLastError();
    return error;
  };
  CHECK(seen_as(cudaResViewFormatFloat1) == cudaSuccess);
  CHECK(seen_as(cudaResViewFormatUnsignedInt1) == cudaSuccess);
  CHECK(seen_as(cudaResViewFormatUnsignedChar1) == cudaErrorInvalidValue);
  CHECK(seen_as(cudaResViewFormatNone) == cudaErrorInvalidValue);
  view.width = view.height = 4;
  CHECK(seen_as(cudaResViewFormatFloat1) == cudaErrorInvalidValue);

  const Resource integers(cudaCreateChannelDesc<int>(), {8, 8, 0}, 4, 0, Element<int>(of_integers));
  how.filterMode = cudaFilterModeLinear;
  CHECK(cudaCreateTextureObject(&texture, &integers.desc, &how, nullptr) ==
        cudaErrorInvalidFilterSetting);
  cudaGetLastError();
}
