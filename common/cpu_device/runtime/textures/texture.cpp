// Texture objects: made of arrays and memory, described, destroyed.
#include <cstring>
#include <deque>
#include <memory>
#include <set>
#include <vector>

#include "../check/check.h"
#include "../device/calls.h"
#include "../device/device.h"
#include "../device/host_lock.h"
#include "../device/settings.h"
#include "../faults/error_messages.h"
#include "../memory/allocations.h"
#include "../memory/array.h"
#include "../order/queue.h"

namespace cpu_device {

namespace {

// What an object's number points to: the texture comes first.
struct Object {
  Texture texture;
  cudaResourceDesc resource;
  cudaTextureDesc how;
  cudaResourceViewDesc view;
  std::vector<TextureLevel> levels;
};

std::set<Object*>& live_objects() {
  static auto* objects = new std::set<Object*>;
  return *objects;
}

Object* find_object(cudaTextureObject_t number, Site site) {
  auto* object = reinterpret_cast<Object*>(number);
  if (live_objects().count(object) != 0) return object;
  fail(cudaErrorInvalidValue, site,
       "not a texture object: it was never created, or was already destroyed");
  return nullptr;
}

void use_format(const ElementFormat& format, Texture* texture) {
  texture->channels = format.channels;
  texture->bits = format.bits;
  texture->kind = format.kind;
}

// ---- memory ----

// Memory that a texture is to read: on the device, aligned, all of it inside one allocation.
cudaError_t check_memory(const void* pointer, size_t bytes, Site site) {
  const Block* block = find_block(pointer);
  if (block == nullptr)
    return fail(cudaErrorInvalidValue, site, "the memory of the texture is not device memory",
                "allocate it with cudaMalloc() or cudaMallocPitch().");
  const size_t offset = reinterpret_cast<uintptr_t>(pointer) - block->base;
  if (bytes > block->bytes - offset)
    return fail(cudaErrorInvalidValue, site,
                format("the texture of %zu bytes exceeds its memory: only %zu bytes are left",
                       bytes, block->bytes - offset),
                "the size is in bytes. Pass count * sizeof(element).");
  if (offset % properties().textureAlignment != 0)
    return fail(cudaErrorInvalidValue, site,
                format("the texture starts at byte %zu of its memory", offset),
                format("start the texture at a multiple of %zu bytes (textureAlignment).",
                       properties().textureAlignment));
  return cudaSuccess;
}

// A GPU does not compare the size of a texture in linear memory with that of its memory: it ends with the memory, and a message
// says so.
size_t without_excess(const void* pointer, size_t bytes, Site site) {
  const Block* block = find_block(pointer);
  const size_t left = block == nullptr ? bytes : block->bytes - (reinterpret_cast<uintptr_t>(pointer) - block->base);
  if (bytes <= left) return bytes;
  explain(site, format("%sthe texture of %zu bytes exceeds its memory: only %zu bytes are left", check::on ? "" : "note: ", bytes, left),
          "the size is in bytes. Pass count * sizeof(element). Elements beyond the memory are 0 here. On a GPU, they are undefined.",
          "wrong-pointer");
  return left;
}

cudaError_t use_linear(const cudaResourceDesc& resource, Object* object, Site site) {
  const auto& linear = resource.res.linear;
  ElementFormat element;
  cudaError_t error = read_format(linear.desc, &element, site);
  const size_t bytes = without_excess(linear.devPtr, linear.sizeInBytes, site);
  if (error == cudaSuccess) error = check_memory(linear.devPtr, bytes, site);
  check::read_unseen(linear.devPtr);
  if (error != cudaSuccess) return error;
  const size_t count = bytes / element.bytes();
  if (count > static_cast<size_t>(properties().maxTexture1DLinear))
    return fail(cudaErrorInvalidValue, site,
                format("%zu elements exceed the limit for a texture in linear memory", count),
                format("use at most %d elements (maxTexture1DLinear).", properties().maxTexture1DLinear));
  use_format(element, &object->texture);
  object->texture.type = cudaTextureType1D;
  object->texture.linear_memory = true;
  object->levels.push_back(
      {static_cast<const unsigned char*>(linear.devPtr), {static_cast<int>(count), 1, 1}, 0, 0});
  return cudaSuccess;
}

cudaError_t use_pitched(const cudaResourceDesc& resource, Object* object, Site site) {
  const auto& pitched = resource.res.pitch2D;
  ElementFormat element;
  cudaError_t error = read_format(pitched.desc, &element, site);
  check::read_unseen(pitched.devPtr);
  if (error != cudaSuccess) return error;
  const cudaDeviceProp& p = properties();
  if (pitched.width == 0 || pitched.height == 0 ||
      pitched.width > static_cast<size_t>(p.maxTexture2DLinear[0]) ||
      pitched.height > static_cast<size_t>(p.maxTexture2DLinear[1]) ||
      pitched.pitchInBytes > static_cast<size_t>(p.maxTexture2DLinear[2]))
    return fail(cudaErrorInvalidValue, site,
                format("a texture of %zu x %zu elements with a pitch of %zu bytes is not possible",
                       pitched.width, pitched.height, pitched.pitchInBytes),
                format("use at most %d x %d elements and a pitch of %d bytes (maxTexture2DLinear).",
                       p.maxTexture2DLinear[0], p.maxTexture2DLinear[1], p.maxTexture2DLinear[2]));
  const size_t row = pitched.width * element.bytes();
  if (row > pitched.pitchInBytes || pitched.pitchInBytes % p.texturePitchAlignment != 0)
    return fail(
        cudaErrorInvalidValue, site,
        format("rows of %zu bytes cannot have a pitch of %zu bytes", row, pitched.pitchInBytes),
        format("the pitch must hold a row and be a multiple of %zu (texturePitchAlignment). Use the pitch from "
               "cudaMallocPitch().",
               p.texturePitchAlignment));
  error = check_memory(pitched.devPtr, pitched.pitchInBytes * (pitched.height - 1) + row, site);
  if (error != cudaSuccess) return error;
  use_format(element, &object->texture);
  object->texture.type = cudaTextureType2D;
  object->levels.push_back({static_cast<const unsigned char*>(pitched.devPtr),
                            {static_cast<int>(pitched.width), static_cast<int>(pitched.height), 1},
                            pitched.pitchInBytes,
                            0});
  return cudaSuccess;
}

// ---- arrays ----

int type_of(const cudaArray& array) {
  const bool layered = (array.flags & cudaArrayLayered) != 0;
  if ((array.flags & cudaArrayCubemap) != 0)
    return layered ? cudaTextureTypeCubemapLayered : cudaTextureTypeCubemap;
  if (layered) return array.extent.height > 0 ? cudaTextureType2DLayered : cudaTextureType1DLayered;
  return array.extent.depth > 0    ? cudaTextureType3D
         : array.extent.height > 0 ? cudaTextureType2D
                                   : cudaTextureType1D;
}

cudaError_t use_arrays(const std::vector<cudaArray*>& arrays, Object* object, Site site) {
  const cudaArray& largest = *arrays[0];
  Texture& texture = object->texture;
  ElementFormat element;
  const cudaError_t error = read_format(largest.format, &element, site);
  if (error != cudaSuccess) return error;
  use_format(element, &texture);
  texture.type = type_of(largest);
  if ((largest.flags & cudaArrayLayered) != 0)
    texture.layers = static_cast<int>((largest.flags & cudaArrayCubemap) != 0 ? largest.layers() / 6
                                                                              : largest.layers());
  for (const cudaArray* array : arrays)
    object->levels.push_back({array->data,
                              {static_cast<int>(array->extent.width),
                               static_cast<int>(array->rows()), static_cast<int>(array->layers())},
                              array->pitch,
                              array->slice});
  return cudaSuccess;
}

// Formats of views in the order of cudaResourceViewFormat: three numbers of channels each.
constexpr ElementFormat kViewFormats[] = {
    {0, 8, cudaChannelFormatKindUnsigned},  {0, 8, cudaChannelFormatKindSigned},
    {0, 16, cudaChannelFormatKindUnsigned}, {0, 16, cudaChannelFormatKindSigned},
    {0, 32, cudaChannelFormatKindUnsigned}, {0, 32, cudaChannelFormatKindSigned},
    {0, 16, cudaChannelFormatKindFloat},    {0, 32, cudaChannelFormatKindFloat}};

// The texture is only a part of the array's levels and layers, and its elements are of another
// type.
cudaError_t use_view(const cudaArray& array, const cudaResourceViewDesc& view, Object* object,
                     Site site) {
  Texture& texture = object->texture;
  if (view.format > cudaResViewFormatFloat4)
    return fail(cudaErrorNotSupported, site, "the CPU device does not support views of compressed formats");
  if (view.format <= cudaResViewFormatNone)
    return fail(cudaErrorInvalidValue, site, "a resource view without a format",
                "set the format, for example view.format = cudaResViewFormatFloat1.");
  ElementFormat element = kViewFormats[(view.format - 1) / 3];
  element.channels = 1 << (view.format - 1) % 3;
  if (element.bytes() != array.element)
    return fail(cudaErrorInvalidValue, site,
                format("the elements of the view have %zu bytes, but those of the array have %zu",
                       element.bytes(), array.element));
  if (view.width != array.extent.width || view.height != array.extent.height ||
      (!array.layered() && view.depth != array.extent.depth))
    return fail(cudaErrorInvalidValue, site,
                format("the view has %zu x %zu x %zu elements, but the array has %zu x %zu x %zu",
                       view.width, view.height, view.depth, array.extent.width, array.extent.height,
                       array.extent.depth),
                "set width, height and depth to those of the array.");
  if (texture.type == cudaTextureTypeCubemapLayered && (view.firstLayer | view.lastLayer) != 0)
    return fail(cudaErrorNotSupported, site,
                "the CPU device does not support views of single layers of a layered cube map");
  const auto levels = static_cast<unsigned>(object->levels.size());
  const unsigned last_level = std::min(view.lastMipmapLevel, levels - 1);
  const auto layers = static_cast<unsigned>(std::max(texture.layers, 1));
  const unsigned last_layer = std::min(view.lastLayer, layers - 1);
  if (view.firstMipmapLevel > last_level || view.firstLayer > last_layer)
    return fail(cudaErrorInvalidValue, site, "the first level or layer of the view comes after its last",
                format("use levels 0 to %u and layers 0 to %u.", levels - 1, layers - 1));
  use_format(element, &texture);
  object->levels.resize(last_level + 1);
  object->levels.erase(object->levels.begin(), object->levels.begin() + view.firstMipmapLevel);
  if (texture.layers > 0 && texture.type != cudaTextureTypeCubemapLayered) {
    for (TextureLevel& level : object->levels) level.data += view.firstLayer * level.slice;
    texture.layers = static_cast<int>(last_layer - view.firstLayer + 1);
  }
  return cudaSuccess;
}

// How it is read: filter, address modes, conversions.
cudaError_t use_description(const cudaTextureDesc& how, Texture* texture, Site site) {
  texture->srgb = how.sRGB != 0;
  texture->normalized_read =
      how.readMode == cudaReadModeNormalizedFloat && texture->kind != cudaChannelFormatKindFloat;
  if (texture->normalized_read && texture->bits == 32)
    return fail(cudaErrorInvalidNormSetting, site,
                "integers of 32 bits cannot be read as normalized floats",
                "use integers of 8 or 16 bits, or cudaReadModeElementType.");
  texture->normalized_coordinates = how.normalizedCoords != 0;
  texture->linear_filter = how.filterMode == cudaFilterModeLinear && !texture->linear_memory;
  if (texture->linear_filter && !texture->normalized_read &&
      texture->kind != cudaChannelFormatKindFloat)
    return fail(cudaErrorInvalidFilterSetting, site,
                "linear filtering does not work with integers",
                "read them with cudaReadModeNormalizedFloat, or use cudaFilterModePoint.");
  bool clamped = true;
  for (int d = 0; d < 3; d++) {
    texture->address[d] = how.addressMode[d];
    // As in CUDA: these two exist for normalized coordinates only.
    if (!texture->normalized_coordinates &&
        (how.addressMode[d] == cudaAddressModeWrap || how.addressMode[d] == cudaAddressModeMirror))
      texture->address[d] = cudaAddressModeClamp;
    if (d < 2 && texture->address[d] != cudaAddressModeClamp) clamped = false;
  }
  memcpy(texture->border, how.borderColor, sizeof texture->border);
  texture->linear_levels = how.mipmapFilterMode == cudaFilterModeLinear;
  texture->level_bias = how.mipmapLevelBias;
  texture->lowest_level = how.minMipmapLevelClamp;
  texture->highest_level = how.maxMipmapLevelClamp;
  texture->seamless = how.seamlessCubemap != 0;
  texture->anisotropic = how.maxAnisotropy > 1;
  const int code = format_code(texture->kind, texture->bits, texture->channels);
  if (!texture->normalized_read) {
    if (texture->linear_memory) texture->fetch_format = code;
    if (texture->type == cudaTextureType2D && texture->level_count == 1 && clamped &&
        !texture->linear_filter && !texture->normalized_coordinates)
      texture->plain_2d = code;
    if (texture->type == cudaTextureType2D && texture->level_count == 1 && texture->linear_filter && texture->bits == 32 &&
        !texture->linear_memory)
      texture->filtered_2d = code;  // of floats: nothing else is filtered without being normalized
  }
  texture->last_x = static_cast<float>(texture->base.size[0] - 1);
  texture->last_y = static_cast<float>(texture->base.size[1] - 1);
  return cudaSuccess;
}

// Kernels that use an object or an array may not have run yet.
void finish_all_work() {
  for (int i = 0; i < settings().devices; i++) synchronize_device(i);
}

void destroy(Object* object) {
  live_objects().erase(object);
  object->texture.destroyed = true;
  object->texture.fetch_format = object->texture.plain_2d = object->texture.filtered_2d = 0;
  // Kept for a while, so that reading it is explained.
  static auto* remains = new std::deque<Object*>;
  remains->push_back(object);
  if (remains->size() <= 1000) return;
  delete remains->front();
  remains->pop_front();
}

// What the texture reads, without how.
cudaError_t use_resource(const cudaResourceDesc& resource, const cudaResourceViewDesc* view,
                         Object* object, Site site) {
  std::vector<cudaArray*> arrays;
  switch (resource.resType) {
    case cudaResourceTypeLinear:
    case cudaResourceTypePitch2D:
      if (view != nullptr)
        return fail(cudaErrorInvalidValue, site, "a resource view needs an array",
                    "pass NULL as the last argument.");
      return resource.resType == cudaResourceTypeLinear ? use_linear(resource, object, site)
                                                        : use_pitched(resource, object, site);
    case cudaResourceTypeArray:
      arrays.push_back(find_array(resource.res.array.array, site));
      if (arrays[0] == nullptr) return cudaErrorInvalidResourceHandle;
      break;
    case cudaResourceTypeMipmappedArray: {
      const cudaMipmappedArray* array = find_mipmapped_array(resource.res.mipmap.mipmap, site);
      if (array == nullptr) return cudaErrorInvalidResourceHandle;
      arrays = array->levels;
      break;
    }
    default:
      return fail(cudaErrorInvalidValue, site,
                  format("resource type %d does not exist", static_cast<int>(resource.resType)));
  }
  const cudaError_t error = use_arrays(arrays, object, site);
  if (error != cudaSuccess || view == nullptr) return error;
  object->view = *view;
  return use_view(*arrays[0], *view, object, site);
}

}  // namespace

}  // namespace cpu_device

using namespace cpu_device;

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* how, const cudaResourceViewDesc* view,
                                    Site site) {
  const Guard guard(host_lock());
  if (object == nullptr || resource == nullptr || how == nullptr)
    return fail(cudaErrorInvalidValue, site, "cudaCreateTextureObject: the pointer is NULL");
  *object = 0;
  auto created = std::make_unique<Object>();
  created->resource = *resource;
  created->how = *how;
  cudaError_t error = use_resource(*resource, view, created.get(), site);
  if (error != cudaSuccess) return error;
  Texture& texture = created->texture;
  texture.levels = created->levels.data();
  texture.level_count = static_cast<int>(created->levels.size());
  texture.base = created->levels[0];
  texture.self = &texture;
  error = use_description(*how, &texture, site);
  if (error != cudaSuccess) return error;
  *object = reinterpret_cast<cudaTextureObject_t>(created.get());
  live_objects().insert(created.release());
  check::object_made("texture object", static_cast<uintptr_t>(*object), site);
  calls::note("a texture of kind %d, address modes %d %d %d, filter %d, read mode %d%s", static_cast<int>(resource->resType),
              static_cast<int>(how->addressMode[0]), static_cast<int>(how->addressMode[1]),
              static_cast<int>(how->addressMode[2]), static_cast<int>(how->filterMode), static_cast<int>(how->readMode),
              how->normalizedCoords != 0 ? ", normalized" : "");
  return cudaSuccess;
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t number, Site site) {
  const Guard guard(host_lock());
  if (number == 0) return cudaSuccess;
  Object* object = find_object(number, site);
  if (object == nullptr) return cudaErrorInvalidValue;
  check::object_released("texture object", static_cast<uintptr_t>(number));
  finish_all_work();
  destroy(object);
  return fail(device(current_device()).broken);
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t number,
                                             Site site) {
  const Guard guard(host_lock());
  const Object* object = find_object(number, site);
  if (object == nullptr || resource == nullptr) return fail(cudaErrorInvalidValue);
  *resource = object->resource;
  return cudaSuccess;
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* how, cudaTextureObject_t number,
                                            Site site) {
  const Guard guard(host_lock());
  const Object* object = find_object(number, site);
  if (object == nullptr || how == nullptr) return fail(cudaErrorInvalidValue);
  *how = object->how;
  return cudaSuccess;
}

cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* view,
                                                 cudaTextureObject_t number, Site site) {
  const Guard guard(host_lock());
  const Object* object = find_object(number, site);
  if (object == nullptr || view == nullptr) return fail(cudaErrorInvalidValue);
  *view = object->view;
  return cudaSuccess;
}
