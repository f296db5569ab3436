// Arrays and mipmapped arrays: made, described, freed.
#include "../device/device.h"
#include "../device/host_lock.h"
#include "../faults/error_messages.h"
#include "array.h"

#include <deque>
#include <set>
#include <string>

namespace cpu_device {

namespace {

constexpr size_t kArrayPitch = 32;  // rows of arrays begin at multiples of this

std::set<const cudaArray*>& live_arrays() {
  static auto* arrays = new std::set<const cudaArray*>;
  return *arrays;
}
std::set<const cudaMipmappedArray*>& live_mipmapped_arrays() {
  static auto* arrays = new std::set<const cudaMipmappedArray*>;
  return *arrays;
}

size_t limit_of(int limit) { return static_cast<size_t>(limit); }

cudaError_t impossible(const cudaExtent& extent, const std::string& hint, Site site) {
  return fail(cudaErrorInvalidValue, site,
              format("an array of %zu x %zu x %zu elements is not possible", extent.width,
                     extent.height, extent.depth),
              hint);
}

cudaError_t check_cube(const cudaExtent& extent, bool layered, Site site) {
  const cudaDeviceProp& p = properties();
  if (extent.width == 0 || extent.width != extent.height || extent.depth == 0 ||
      extent.depth % 6 != 0 || (!layered && extent.depth != 6))
    return impossible(extent,
                      layered ? "a layered cube map needs as many rows as columns, and a depth of 6 per cube."
                              : "a cube map needs as many rows as columns, and a depth of 6.",
                      site);
  const int side = layered ? p.maxTextureCubemapLayered[0] : p.maxTextureCubemap;
  if (extent.width > limit_of(side))
    return impossible(extent, format("use at most %d x %d for a cube map.", side, side), site);
  if (layered && extent.depth > limit_of(p.maxTextureCubemapLayered[1]))
    return impossible(extent, format("use at most %d faces.", p.maxTextureCubemapLayered[1]), site);
  return cudaSuccess;
}

// Are the flags ones that there are, for these dimensions, and is the extent possible?
cudaError_t check_extent(const cudaExtent& extent, unsigned int flags, Site site) {
  constexpr unsigned kKnown =
      cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather;
  const bool layered = (flags & cudaArrayLayered) != 0;
  if ((flags & ~kKnown) != 0)
    return fail(cudaErrorInvalidValue, site, format("array flags %#x do not exist", flags),
                "use cudaArrayLayered, cudaArrayCubemap, cudaArraySurfaceLoadStore or cudaArrayTextureGather.");
  const bool plane = extent.height > 0 && extent.depth == 0;
  if ((flags & cudaArrayTextureGather) != 0 && (!plane || (flags & cudaArrayCubemap) != 0))
    return fail(cudaErrorInvalidValue, site,
                "cudaArrayTextureGather needs a two-dimensional array");
  if ((flags & cudaArrayCubemap) != 0) return check_cube(extent, layered, site);
  if (layered && extent.depth == 0)
    return fail(cudaErrorInvalidValue, site, "a layered array without layers",
                "call cudaMalloc3DArray(). The depth of the extent is the number of layers.");
  const cudaDeviceProp& p = properties();
  const int dimensions = extent.height > 0 ? (extent.depth > 0 && !layered ? 3 : 2)
                                           : (extent.depth > 0 && !layered ? 3 : 1);
  const bool gather = (flags & cudaArrayTextureGather) != 0;
  const int plain[3][3] = {{p.maxTexture1D, 0, 0},
                           {p.maxTexture2D[0], p.maxTexture2D[1], 0},
                           {p.maxTexture3D[0], p.maxTexture3D[1], p.maxTexture3D[2]}};
  const int in_layers[2][2] = {{p.maxTexture1DLayered[0], 0},
                               {p.maxTexture2DLayered[0], p.maxTexture2DLayered[1]}};
  const int* limit = layered  ? in_layers[dimensions - 1]
                     : gather ? p.maxTexture2DGather
                              : plain[dimensions - 1];
  const size_t sizes[3] = {extent.width, extent.height, extent.depth};
  for (int d = 0; d < dimensions; d++)
    if (sizes[d] == 0 || sizes[d] > limit_of(limit[d]))
      return impossible(extent, format("use a size of 1 to %d in dimension %d.", limit[d], d), site);
  if (layered && extent.depth > limit_of(p.maxTexture2DLayered[2]))
    return impossible(extent, format("use at most %d layers.", p.maxTexture2DLayered[2]), site);
  return cudaSuccess;
}

cudaError_t make_array(cudaArray** array, const cudaChannelFormatDesc& desc, size_t element,
                       cudaExtent extent, unsigned int flags, Site site) {
  auto* created = new cudaArray{desc, extent, flags, nullptr, 0, 0, element, site};
  created->pitch = (extent.width * element + kArrayPitch - 1) / kArrayPitch * kArrayPitch;
  created->slice = created->pitch * created->rows();
  const cudaError_t error =
      allocate(reinterpret_cast<void**>(&created->data), created->slice * created->layers(), site);
  if (error != cudaSuccess) {
    delete created;
    return error;
  }
  live_arrays().insert(created);
  *array = created;
  return cudaSuccess;
}

cudaError_t free_array(cudaArray* array, Site site) {
  const cudaError_t error = cudaFree(array->data, site);  // waits for the device
  live_arrays().erase(array);
  array->freed = true;
  // Kept for a while, so that its use through a surface is explained.
  static auto* remains = new std::deque<cudaArray*>;
  remains->push_back(array);
  if (remains->size() > 1000) {
    delete remains->front();
    remains->pop_front();
  }
  return error;
}

// Half of it in each dimension, again and again; layers stay.
cudaExtent smaller(cudaExtent extent, unsigned int level, bool keep_depth) {
  const auto half = [&](size_t n) { return n == 0 ? 0 : std::max<size_t>(n >> level, 1); };
  return {half(extent.width), half(extent.height), keep_depth ? extent.depth : half(extent.depth)};
}

unsigned int most_levels(cudaExtent extent, bool keep_depth) {
  size_t longest = std::max(extent.width, extent.height);
  if (!keep_depth) longest = std::max(longest, extent.depth);
  unsigned int levels = 1;
  while (longest >> levels != 0) levels++;
  return levels;
}

}  // namespace

cudaError_t read_format(const cudaChannelFormatDesc& desc, ElementFormat* format_read, Site site) {
  const int bits[4] = {desc.x, desc.y, desc.z, desc.w};
  int channels = 0;
  while (channels < 4 && bits[channels] != 0) channels++;
  bool good = channels == 1 || channels == 2 || channels == 4;
  for (int i = 0; i < 4; i++) good = good && bits[i] == (i < channels ? bits[0] : 0);
  good = good && (bits[0] == 8 || bits[0] == 16 || bits[0] == 32) && desc.f >= 0 &&
         desc.f <= cudaChannelFormatKindFloat &&
         (desc.f != cudaChannelFormatKindFloat || bits[0] != 8);
  if (!good)
    return fail(cudaErrorInvalidChannelDescriptor, site,
                format("elements of %d, %d, %d and %d bits (kind %d) do not exist", desc.x, desc.y,
                       desc.z, desc.w, static_cast<int>(desc.f)),
                "use 1, 2 or 4 channels of 8, 16 or 32 bits, for example cudaCreateChannelDesc<float>().");
  *format_read = {channels, bits[0], desc.f};
  return cudaSuccess;
}

cudaArray* find_array(cudaArray_const_t array, Site site) {
  if (live_arrays().count(array) != 0) return const_cast<cudaArray*>(array);
  fail(cudaErrorInvalidResourceHandle, site,
       "not an array: it was never allocated, or was already freed");
  return nullptr;
}

cudaMipmappedArray* find_mipmapped_array(cudaMipmappedArray_const_t array, Site site) {
  if (live_mipmapped_arrays().count(array) != 0) return const_cast<cudaMipmappedArray*>(array);
  fail(cudaErrorInvalidResourceHandle, site,
       "not a mipmapped array: it was never allocated, or was already freed");
  return nullptr;
}

}  // namespace cpu_device

using namespace cpu_device;

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                            cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* desc,
                              cudaExtent extent, unsigned int flags, Site site) {
  const Guard guard(host_lock());
  if (array == nullptr || desc == nullptr)
    return fail(cudaErrorInvalidValue, site, "cudaMallocArray: the pointer is NULL");
  *array = nullptr;
  ElementFormat element;
  cudaError_t error = read_format(*desc, &element, site);
  if (error == cudaSuccess) error = check_extent(extent, flags, site);
  if (error != cudaSuccess) return error;
  return make_array(array, *desc, element.bytes(), extent, flags, site);
}

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, size_t width,
                            size_t height, unsigned int flags, Site site) {
  return cudaMalloc3DArray(array, desc, {width, height, 0}, flags, site);
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array, const cudaChannelFormatDesc* desc,
                                     cudaExtent extent, unsigned int levels, unsigned int flags,
                                     Site site) {
  const Guard guard(host_lock());
  if (array == nullptr || desc == nullptr)
    return fail(cudaErrorInvalidValue, site, "cudaMallocMipmappedArray: the pointer is NULL");
  *array = nullptr;
  ElementFormat element;
  cudaError_t error = read_format(*desc, &element, site);
  if (error == cudaSuccess) error = check_extent(extent, flags, site);
  if (error != cudaSuccess) return error;
  const bool keep_depth = (flags & (cudaArrayLayered | cudaArrayCubemap)) != 0;
  levels = std::min(std::max(levels, 1u), most_levels(extent, keep_depth));
  auto* created = new cudaMipmappedArray;
  for (unsigned int i = 0; i < levels && error == cudaSuccess; i++) {
    cudaArray* level = nullptr;
    error = make_array(&level, *desc, element.bytes(), smaller(extent, i, keep_depth), flags, site);
    if (error == cudaSuccess) created->levels.push_back(level);
  }
  if (error != cudaSuccess) {
    for (cudaArray* level : created->levels) free_array(level, site);
    delete created;
    return error;
  }
  live_mipmapped_arrays().insert(created);
  *array = created;
  return cudaSuccess;
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* level_array, cudaMipmappedArray_const_t array,
                                       unsigned int level, Site site) {
  const Guard guard(host_lock());
  if (level_array == nullptr)
    return fail(cudaErrorInvalidValue, site, "cudaGetMipmappedArrayLevel: the pointer is NULL");
  const cudaMipmappedArray* found = find_mipmapped_array(array, site);
  if (found == nullptr) return cudaErrorInvalidResourceHandle;
  if (level >= found->levels.size())
    return fail(cudaErrorInvalidValue, site,
                format("level %u of this mipmapped array does not exist", level),
                format("use level 0 to %zu.", found->levels.size() - 1));
  *level_array = found->levels[level];
  return cudaSuccess;
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array, Site site) {
  const Guard guard(host_lock());
  if (array == nullptr) return cudaSuccess;
  if (find_mipmapped_array(array, site) == nullptr) return cudaErrorInvalidResourceHandle;
  cudaError_t first = cudaSuccess;
  for (cudaArray* level : array->levels) {
    const cudaError_t error = free_array(level, site);
    if (first == cudaSuccess) first = error;
  }
  live_mipmapped_arrays().erase(array);
  delete array;
  return first;
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent, Site site) {
  if (pointer == nullptr) return fail(cudaErrorInvalidValue, site, "cudaMalloc3D: the pointer is NULL");
  *pointer = {nullptr, 0, extent.width, extent.height};
  return allocate_pitched(&pointer->ptr, &pointer->pitch, extent.width,
                          extent.height * extent.depth, site);
}

cudaError_t cudaFreeArray(cudaArray_t array, Site site) {
  const Guard guard(host_lock());
  if (array == nullptr) return cudaSuccess;
  if (find_array(array, site) == nullptr) return cudaErrorInvalidResourceHandle;
  for (const cudaMipmappedArray* whole : live_mipmapped_arrays())
    if (std::count(whole->levels.begin(), whole->levels.end(), array) != 0)
      return cudaSuccess;  // as in CUDA: a level lives as long as the whole
  return free_array(array, site);
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* desc, cudaExtent* extent, unsigned int* flags,
                             cudaArray_t array, Site site) {
  const Guard guard(host_lock());
  if (find_array(array, site) == nullptr) return cudaErrorInvalidResourceHandle;
  if (desc != nullptr) *desc = array->format;
  if (extent != nullptr) *extent = array->extent;
  if (flags != nullptr) *flags = array->flags;
  return cudaSuccess;
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* desc, cudaArray_const_t array, Site site) {
  return cudaArrayGetInfo(desc, nullptr, nullptr, const_cast<cudaArray_t>(array), site);
}
