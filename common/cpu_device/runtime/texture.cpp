// Arrays, texture objects, and what reading a texture does beyond the inline paths of
// texture_sample.h.
#include <cmath>
#include <cstring>
#include <deque>
#include <set>

#include "array.h"
#include "engine.h"

namespace cpu_device {

// ---- reading ----

namespace {

constexpr size_t kArrayPitch = 32;  // rows of arrays begin at multiples of this

const char* const kKinds[] = {"signed", "unsigned", "float"};

[[noreturn]] void abort_read(Site site, const std::string& what, const std::string& hint) {
  this_worker->abort_grid(cudaErrorInvalidTexture, site, what, hint);
}

std::string format_in_words(cudaChannelFormatKind kind, int bits, int channels) {
  return format("%d channel%s of %d bits, %s", channels, channels == 1 ? "" : "s", bits,
                kKinds[kind]);
}

// Ends the kernel if the texture is not there, or the kernel's type does not fit it. The number of
// channels need not fit: what is missing is filled up.
void check_read(const Texture* texture, int result_code, Site site) {
  if (texture == nullptr) no_texture(site);
  if (texture->destroyed)
    abort_read(site, "the kernel reads a texture object that has been destroyed",
               "cudaDestroyTextureObject() only when no kernel uses it any more");
  const auto kind = static_cast<cudaChannelFormatKind>(result_code >> 16);
  const int bits = result_code >> 8 & 0xff, channels = result_code & 0xff;
  if (texture->normalized_read) {
    if (kind != cudaChannelFormatKindFloat)
      abort_read(site,
                 "the texture is read as " + format_in_words(kind, bits, channels) +
                     ", but gives normalized floats",
                 "read it as float, float2 or float4, or create it with cudaReadModeElementType");
  } else if (kind != texture->kind || bits != texture->bits) {
    abort_read(site,
               "the texture is read as " + format_in_words(kind, bits, channels) +
                   ", but its elements are " +
                   format_in_words(texture->kind, texture->bits, texture->channels),
               "the type in tex2D<type>() must be the one of cudaCreateChannelDesc<type>()");
  }
}

// The integer `bits` wide at the address.
int integer_at(const unsigned char* address, int bits, bool is_signed) {
  switch (bits) {
    case 8:
      return is_signed ? element_at<signed char>(address) : element_at<unsigned char>(address);
    case 16:
      return is_signed ? element_at<short>(address) : element_at<unsigned short>(address);
    default:
      return element_at<int>(address);
  }
}

// Element (x, y, z), which must be inside. Missing channels are 0, and 1 for the fourth.
Texel texel_at(const Texture& texture, long long x, long long y, long long z) {
  const int bytes = texture.bits / 8;
  const unsigned char* address = texture.data + static_cast<size_t>(z) * texture.slice +
                                 static_cast<size_t>(y) * texture.pitch +
                                 static_cast<size_t>(x) * bytes * texture.channels;
  const bool is_signed = texture.kind == cudaChannelFormatKindSigned;
  const bool real = texture.normalized_read || texture.kind == cudaChannelFormatKindFloat;
  Texel texel = {};
  if (real)
    texel.real[3] = 1;
  else
    texel.whole[3] = 1;
  for (int i = 0; i < texture.channels; i++, address += bytes) {
    if (texture.kind == cudaChannelFormatKindFloat) {
      texel.real[i] = element_at<float>(address);
    } else if (texture.normalized_read) {
      const int range = (1 << (texture.bits - is_signed)) - 1;
      const float value = static_cast<float>(integer_at(address, texture.bits, is_signed));
      texel.real[i] = std::max(value / static_cast<float>(range), -1.0f);
    } else {
      texel.whole[i] = integer_at(address, texture.bits, is_signed);
    }
  }
  return texel;
}

// The index that an address mode makes of index i in a dimension of n elements; -1 for the border.
long long address(long long i, int n, cudaTextureAddressMode mode) {
  if (i >= 0 && i < n) return i;
  switch (mode) {
    case cudaAddressModeWrap:
      return (i % n + n) % n;
    case cudaAddressModeMirror: {
      const long long in_pair = (i % (2LL * n) + 2LL * n) % (2LL * n);
      return in_pair < n ? in_pair : 2LL * n - 1 - in_pair;
    }
    case cudaAddressModeBorder:
      return -1;
    default:
      return i < 0 ? 0 : n - 1;
  }
}

// Any element, also beyond the edge.
Texel texel_around(const Texture& texture, const long long index[3]) {
  long long inside[3];
  for (int d = 0; d < 3; d++) {
    inside[d] = address(index[d], texture.size[d], texture.address[d]);
    if (inside[d] >= 0) continue;
    Texel border = {};
    const bool real = texture.normalized_read || texture.kind == cudaChannelFormatKindFloat;
    for (int i = 0; i < 4; i++) {
      if (real)
        border.real[i] = texture.border[i];
      else
        border.whole[i] = static_cast<int>(texture.border[i]);
    }
    return border;
  }
  return texel_at(texture, inside[0], inside[1], inside[2]);
}

// A kernel's coordinate in elements. NaN becomes 0, and what is far outside stays far outside.
double in_elements(float coordinate, int size, bool normalized) {
  constexpr double kFar = 1LL << 40;
  const double scaled = normalized ? static_cast<double>(coordinate) * size : coordinate;
  if (!(scaled == scaled)) return 0;
  return std::min(std::max(scaled, -kFar), kFar);
}

}  // namespace

void no_texture(Site site) {
  abort_read(site, "the kernel reads a texture that is not there",
             "a texture object must have been created, and a texture reference must be bound, "
             "before the launch");
}

Texel fetch_slowly(const Texture* texture, int i, int result_code, Site site) {
  check_read(texture, result_code, site);
  if (texture->dimensions != 1)
    abort_read(site, format("tex1Dfetch() of a texture of %d dimensions", texture->dimensions),
               "it is for linear memory (cudaResourceTypeLinear); here take tex2D() or tex3D()");
  if (static_cast<unsigned>(i) >= static_cast<unsigned>(texture->size[0])) return Texel{};
  return texel_at(*texture, i, 0, 0);
}

Texel sample_slowly(const Texture* texture, int dimensions, float x, float y, float z,
                    int result_code, Site site) {
  check_read(texture, result_code, site);
  if (texture->linear_memory)
    abort_read(
        site, format("tex%dD() of a texture in linear memory", dimensions),
        "linear memory is read with tex1Dfetch(); for coordinates bind a cudaArray, or pitched "
        "memory in two dimensions");
  if (texture->dimensions != dimensions)
    abort_read(site,
               format("tex%dD() of a texture of %d dimensions", dimensions, texture->dimensions),
               format("take tex%dD()", texture->dimensions));

  const float coordinates[3] = {x, y, z};
  long long index[3] = {0, 0, 0};
  float weight[3] = {0, 0, 0};  // of the next element
  // A GPU filters a 1-D array as the only row of a 2-D one, at y = 0: halfway to the row before it.
  // Seen on an H200; it matters only if addressMode[1] makes a border of that row.
  if (dimensions == 1 && texture->linear_filter && texture->address[1] == cudaAddressModeBorder)
    dimensions = 2;
  for (int d = 0; d < dimensions; d++) {
    const double at =
        in_elements(coordinates[d], texture->size[d], texture->normalized_coordinates);
    if (!texture->linear_filter) {
      index[d] = static_cast<long long>(std::floor(at));
      continue;
    }
    // Elements have their centers at .5. Weights are fixed-point numbers with 8 binary places.
    const auto fixed = static_cast<long long>(std::floor((at - 0.5) * 256 + 0.5));
    index[d] = fixed >> 8;
    weight[d] = static_cast<float>(fixed & 255) / 256;
  }
  if (!texture->linear_filter) return texel_around(*texture, index);

  Texel sum = {};
  for (int corner = 0; corner < 1 << dimensions; corner++) {
    long long neighbor[3];
    float share = 1;
    for (int d = 0; d < 3; d++) {
      const int next = corner >> d & 1;
      neighbor[d] = index[d] + next;
      share *= next ? weight[d] : 1 - weight[d];
    }
    if (share == 0) continue;  // or an infinite neighbor would make NaN of an exact hit
    const Texel texel = texel_around(*texture, neighbor);
    for (int i = 0; i < 4; i++) sum.real[i] += share * texel.real[i];
  }
  return sum;
}

// ---- making them ----

namespace {

// What an object's number points to: the texture comes first.
struct Object {
  Texture texture;
  cudaResourceDesc resource;
  cudaTextureDesc how;
};

std::set<Object*>& live_objects() {
  static auto* objects = new std::set<Object*>;
  return *objects;
}
std::set<cudaArray*>& live_arrays() {
  static auto* arrays = new std::set<cudaArray*>;
  return *arrays;
}

Object* find_object(cudaTextureObject_t number, Site site) {
  auto* object = reinterpret_cast<Object*>(number);
  if (live_objects().count(object) != 0) return object;
  fail(cudaErrorInvalidValue, site,
       "this is not a texture object: it was never created, or has been destroyed");
  return nullptr;
}

cudaArray* find_array(cudaArray_const_t array, Site site) {
  auto* found = const_cast<cudaArray*>(array);
  if (live_arrays().count(found) != 0) return found;
  fail(cudaErrorInvalidResourceHandle, site,
       "this is not an array: it was never allocated, or has been freed");
  return nullptr;
}

// Reads a channel description; says what is wrong with it.
cudaError_t check_format(const cudaChannelFormatDesc& desc, Texture* texture, Site site) {
  const int bits[4] = {desc.x, desc.y, desc.z, desc.w};
  int channels = 0;
  while (channels < 4 && bits[channels] != 0) channels++;
  bool good = channels == 1 || channels == 2 || channels == 4;
  for (int i = 0; i < 4; i++) good = good && bits[i] == (i < channels ? bits[0] : 0);
  good = good && (bits[0] == 8 || bits[0] == 16 || bits[0] == 32) && desc.f >= 0 &&
         desc.f <= cudaChannelFormatKindFloat;
  if (!good)
    return fail(cudaErrorInvalidChannelDescriptor, site,
                format("there are no elements of %d, %d, %d and %d bits (kind %d)", desc.x, desc.y,
                       desc.z, desc.w, static_cast<int>(desc.f)),
                "1, 2 or 4 channels of 8, 16 or 32 bits each: cudaCreateChannelDesc<float>()");
  if (desc.f == cudaChannelFormatKindFloat && bits[0] != 32)
    return fail(cudaErrorNotSupported, site,
                format("floats of %d bits in textures are not supported here", bits[0]));
  texture->channels = channels;
  texture->bits = bits[0];
  texture->kind = desc.f;
  return cudaSuccess;
}

size_t element_bytes(const Texture& texture) {
  return static_cast<size_t>(texture.bits / 8 * texture.channels);
}

// Memory that a texture is to read: on the device, aligned, all of it inside one allocation.
cudaError_t check_memory(const void* pointer, size_t bytes, Site site) {
  const Block* block = find_block(pointer);
  if (block == nullptr)
    return fail(cudaErrorInvalidValue, site, "the texture's memory is not device memory",
                "allocate it with cudaMalloc() or cudaMallocPitch()");
  const size_t offset = reinterpret_cast<uintptr_t>(pointer) - block->base;
  if (bytes > block->bytes - offset)
    return fail(cudaErrorInvalidValue, site,
                format("the texture of %zu bytes goes beyond its memory: %zu bytes are left there",
                       bytes, block->bytes - offset),
                "sizes are in bytes: count * sizeof(element)");
  if (offset % properties().textureAlignment != 0)
    return fail(cudaErrorInvalidValue, site,
                format("the texture begins %zu bytes into its memory", offset),
                format("textures begin at multiples of %zu bytes (textureAlignment)",
                       properties().textureAlignment));
  return cudaSuccess;
}

cudaError_t use_linear(const cudaResourceDesc& resource, Texture* texture, Site site) {
  const auto& linear = resource.res.linear;
  cudaError_t error = check_format(linear.desc, texture, site);
  if (error == cudaSuccess) error = check_memory(linear.devPtr, linear.sizeInBytes, site);
  if (error != cudaSuccess) return error;
  const size_t count = linear.sizeInBytes / element_bytes(*texture);
  if (count > static_cast<size_t>(properties().maxTexture1DLinear))
    return fail(cudaErrorInvalidValue, site,
                format("%zu elements are too many for a texture in linear memory", count),
                format("it holds %d (maxTexture1DLinear)", properties().maxTexture1DLinear));
  texture->dimensions = 1;
  texture->linear_memory = true;
  texture->data = static_cast<const unsigned char*>(linear.devPtr);
  texture->size[0] = static_cast<int>(count);
  return cudaSuccess;
}

cudaError_t use_pitched(const cudaResourceDesc& resource, Texture* texture, Site site) {
  const auto& pitched = resource.res.pitch2D;
  cudaError_t error = check_format(pitched.desc, texture, site);
  if (error != cudaSuccess) return error;
  const cudaDeviceProp& p = properties();
  if (pitched.width == 0 || pitched.height == 0 ||
      pitched.width > static_cast<size_t>(p.maxTexture2DLinear[0]) ||
      pitched.height > static_cast<size_t>(p.maxTexture2DLinear[1]) ||
      pitched.pitchInBytes > static_cast<size_t>(p.maxTexture2DLinear[2]))
    return fail(cudaErrorInvalidValue, site,
                format("a texture of %zu x %zu elements with a pitch of %zu bytes is not possible",
                       pitched.width, pitched.height, pitched.pitchInBytes),
                format("at most %d x %d, and a pitch of %d (maxTexture2DLinear)",
                       p.maxTexture2DLinear[0], p.maxTexture2DLinear[1], p.maxTexture2DLinear[2]));
  const size_t row = pitched.width * element_bytes(*texture);
  if (row > pitched.pitchInBytes || pitched.pitchInBytes % p.texturePitchAlignment != 0)
    return fail(
        cudaErrorInvalidValue, site,
        format("rows of %zu bytes with a pitch of %zu bytes", row, pitched.pitchInBytes),
        format("the pitch must hold a row and be a multiple of %zu (texturePitchAlignment): "
               "cudaMallocPitch() gives a good one",
               p.texturePitchAlignment));
  error = check_memory(pitched.devPtr, pitched.pitchInBytes * (pitched.height - 1) + row, site);
  if (error != cudaSuccess) return error;
  texture->dimensions = 2;
  texture->data = static_cast<const unsigned char*>(pitched.devPtr);
  texture->size[0] = static_cast<int>(pitched.width);
  texture->size[1] = static_cast<int>(pitched.height);
  texture->pitch = pitched.pitchInBytes;
  return cudaSuccess;
}

cudaError_t use_array(const cudaResourceDesc& resource, Texture* texture, Site site) {
  const cudaArray* array = find_array(resource.res.array.array, site);
  if (array == nullptr) return cudaErrorInvalidResourceHandle;
  check_format(array->format, texture, site);  // was good when the array was allocated
  texture->dimensions = array->dimensions();
  texture->data = array->data;
  texture->size[0] = static_cast<int>(array->extent.width);
  texture->size[1] = static_cast<int>(array->rows());
  texture->size[2] = static_cast<int>(array->layers());
  texture->pitch = array->pitch;
  texture->slice = array->slice;
  return cudaSuccess;
}

// How it is read: filter, address modes, conversions.
cudaError_t use_description(const cudaTextureDesc& how, Texture* texture, Site site) {
  if (how.sRGB != 0)
    return fail(cudaErrorNotSupported, site, "conversion from sRGB is not supported here");
  texture->normalized_read =
      how.readMode == cudaReadModeNormalizedFloat && texture->kind != cudaChannelFormatKindFloat;
  if (texture->normalized_read && texture->bits == 32)
    return fail(cudaErrorInvalidNormSetting, site,
                "integers of 32 bits cannot be read as normalized floats",
                "those of 8 and 16 bits can");
  texture->normalized_coordinates = how.normalizedCoords != 0;
  texture->linear_filter = how.filterMode == cudaFilterModeLinear && !texture->linear_memory;
  if (texture->linear_filter && !texture->normalized_read &&
      texture->kind != cudaChannelFormatKindFloat)
    return fail(cudaErrorInvalidFilterSetting, site,
                "linear filtering of integers, which have nothing in between",
                "read them with cudaReadModeNormalizedFloat, or filter with cudaFilterModePoint");
  bool clamped = true;
  for (int d = 0; d < 3; d++) {
    texture->address[d] = how.addressMode[d];
    // As in CUDA: these two exist for normalized coordinates only.
    if (!texture->normalized_coordinates &&
        (how.addressMode[d] == cudaAddressModeWrap || how.addressMode[d] == cudaAddressModeMirror))
      texture->address[d] = cudaAddressModeClamp;
    if (d < texture->dimensions && texture->address[d] != cudaAddressModeClamp) clamped = false;
  }
  memcpy(texture->border, how.borderColor, sizeof texture->border);
  const int code = format_code(texture->kind, texture->bits, texture->channels);
  if (!texture->normalized_read) {
    if (texture->linear_memory) texture->fetch_format = code;
    if (texture->dimensions == 2 && clamped && !texture->linear_filter &&
        !texture->normalized_coordinates)
      texture->plain_2d = code;
  }
  texture->last_x = static_cast<float>(texture->size[0] - 1);
  texture->last_y = static_cast<float>(texture->size[1] - 1);
  return cudaSuccess;
}

// Kernels that use an object or an array may not have run yet.
void finish_all_work() {
  for (int i = 0; i < settings().devices; i++) synchronize_device(i);
}

void destroy(Object* object) {
  live_objects().erase(object);
  object->texture.destroyed = true;
  object->texture.fetch_format = object->texture.plain_2d = 0;
  // Kept for a while, so that reading it is explained.
  static auto* remains = new std::deque<Object*>;
  remains->push_back(object);
  if (remains->size() <= 1000) return;
  delete remains->front();
  remains->pop_front();
}

}  // namespace

size_t bytes_from(const void* pointer) {
  const Guard guard(host_lock());
  const Block* block = find_block(pointer);
  return block == nullptr ? 0 : block->base + block->bytes - reinterpret_cast<uintptr_t>(pointer);
}

cudaError_t bind(textureReference& reference, const cudaResourceDesc& resource,
                 cudaTextureReadMode mode, Site site) {
  const Guard guard(host_lock());
  if (reference.bound != 0) unbind(reference, site);
  cudaTextureDesc how = {};
  memcpy(how.addressMode, reference.addressMode, sizeof how.addressMode);
  how.filterMode = reference.filterMode;
  how.readMode = mode;
  how.sRGB = reference.sRGB;
  how.normalizedCoords = reference.normalized;
  return cudaCreateTextureObject(&reference.bound, &resource, &how, nullptr, site);
}

cudaError_t unbind(textureReference& reference, Site site) {
  const Guard guard(host_lock());
  if (reference.bound == 0) return cudaSuccess;
  const cudaTextureObject_t bound = reference.bound;
  const cudaError_t error = cudaDestroyTextureObject(bound, site);
  reference.bound = 0;
  return error;
}

}  // namespace cpu_device

using namespace cpu_device;

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* how, const cudaResourceViewDesc* view,
                                    Site site) {
  const Guard guard(host_lock());
  if (object == nullptr || resource == nullptr || how == nullptr)
    return fail(cudaErrorInvalidValue, site, "cudaCreateTextureObject: a null pointer");
  *object = 0;
  if (view != nullptr)
    return fail(cudaErrorNotSupported, site, "resource views are not supported here",
                "pass NULL as the last argument");
  Texture texture = {};
  texture.size[0] = texture.size[1] = texture.size[2] = 1;
  cudaError_t error = cudaErrorNotSupported;
  switch (resource->resType) {
    case cudaResourceTypeLinear:
      error = use_linear(*resource, &texture, site);
      break;
    case cudaResourceTypePitch2D:
      error = use_pitched(*resource, &texture, site);
      break;
    case cudaResourceTypeArray:
      error = use_array(*resource, &texture, site);
      break;
    default:
      return fail(cudaErrorNotSupported, site, "mipmapped arrays are not supported here");
  }
  if (error == cudaSuccess) error = use_description(*how, &texture, site);
  if (error != cudaSuccess) return error;
  auto* created = new Object{texture, *resource, *how};
  live_objects().insert(created);
  *object = reinterpret_cast<cudaTextureObject_t>(created);
  return cudaSuccess;
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t number, Site site) {
  const Guard guard(host_lock());
  if (number == 0) return cudaSuccess;
  Object* object = find_object(number, site);
  if (object == nullptr) return cudaErrorInvalidValue;
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

// ---- arrays ----

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                            cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* desc,
                              cudaExtent extent, unsigned int flags, Site site) {
  const Guard guard(host_lock());
  if (array == nullptr || desc == nullptr)
    return fail(cudaErrorInvalidValue, site, "cudaMallocArray: a null pointer");
  *array = nullptr;
  if ((flags & (cudaArrayLayered | cudaArrayCubemap)) != 0)
    return fail(cudaErrorNotSupported, site, "layered arrays and cubemaps are not supported here");
  Texture texture = {};
  const cudaError_t bad_format = check_format(*desc, &texture, site);
  if (bad_format != cudaSuccess) return bad_format;
  const cudaDeviceProp& p = properties();
  const int dimensions = extent.depth > 0 ? 3 : extent.height > 0 ? 2 : 1;
  const int limits[3][3] = {{p.maxTexture1D, 0, 0},
                            {p.maxTexture2D[0], p.maxTexture2D[1], 0},
                            {p.maxTexture3D[0], p.maxTexture3D[1], p.maxTexture3D[2]}};
  const int* limit = limits[dimensions - 1];
  const size_t sizes[3] = {extent.width, extent.height, extent.depth};
  for (int d = 0; d < dimensions; d++)
    if (sizes[d] == 0 || sizes[d] > static_cast<size_t>(limit[d]))
      return fail(cudaErrorInvalidValue, site,
                  format("an array of %zu x %zu x %zu elements is not possible", extent.width,
                         extent.height, extent.depth),
                  format("dimension %d: 1 to %d", d, limit[d]));
  auto* created = new cudaArray{*desc, extent, flags, nullptr, 0, 0, element_bytes(texture), site};
  created->pitch = (extent.width * created->element + kArrayPitch - 1) / kArrayPitch * kArrayPitch;
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

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, size_t width,
                            size_t height, unsigned int flags, Site site) {
  return cudaMalloc3DArray(array, desc, {width, height, 0}, flags, site);
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent, Site site) {
  if (pointer == nullptr) return fail(cudaErrorInvalidValue, site, "cudaMalloc3D: a null pointer");
  *pointer = {nullptr, 0, extent.width, extent.height};
  return allocate_pitched(&pointer->ptr, &pointer->pitch, extent.width,
                          extent.height * extent.depth, site);
}

cudaError_t cudaFreeArray(cudaArray_t array, Site site) {
  const Guard guard(host_lock());
  if (array == nullptr) return cudaSuccess;
  if (find_array(array, site) == nullptr) return cudaErrorInvalidResourceHandle;
  const cudaError_t error = cudaFree(array->data, site);  // waits for the device
  live_arrays().erase(array);
  delete array;
  return error;
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

// ---- copies ----

namespace cpu_device {
namespace {

// The address of byte x of row y (and layer z), if a copy of width x height bytes fits there.
cudaError_t place_in(const cudaArray* array, size_t x, size_t y, size_t z, size_t width,
                     size_t height, unsigned char** address, Site site) {
  if (find_array(array, site) == nullptr) return cudaErrorInvalidResourceHandle;
  const size_t row = array->extent.width * array->element;
  if (x > row || width > row - x || y > array->rows() || height > array->rows() - y ||
      z >= array->layers())
    return fail(
        cudaErrorInvalidValue, site,
        format("the copy of %zu bytes x %zu rows at byte %zu of row %zu goes beyond the array, "
               "which has %zu bytes x %zu rows",
               width, height, x, y, row, array->rows()),
        "widths are in bytes: elements * sizeof(element)");
  *address = array->data + z * array->slice + y * array->pitch + x;
  return cudaSuccess;
}

cudaError_t copy_2d(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                    size_t height, cudaMemcpyKind kind, bool async, cudaStream_t stream,
                    Site site) {
  return async
             ? cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, stream, site)
             : cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind, site);
}

cudaError_t copy_to(cudaArray_t to, size_t x, size_t y, const void* from, size_t from_pitch,
                    size_t width, size_t height, cudaMemcpyKind kind, bool async,
                    cudaStream_t stream, Site site) {
  const Guard guard(host_lock());
  unsigned char* address = nullptr;
  const cudaError_t error = place_in(to, x, y, 0, width, height, &address, site);
  if (error != cudaSuccess) return error;
  return copy_2d(address, to->pitch, from, from_pitch, width, height, kind, async, stream, site);
}

cudaError_t copy_from(void* to, size_t to_pitch, cudaArray_const_t from, size_t x, size_t y,
                      size_t width, size_t height, cudaMemcpyKind kind, bool async,
                      cudaStream_t stream, Site site) {
  const Guard guard(host_lock());
  unsigned char* address = nullptr;
  const cudaError_t error = place_in(from, x, y, 0, width, height, &address, site);
  if (error != cudaSuccess) return error;
  return copy_2d(to, to_pitch, address, from->pitch, width, height, kind, async, stream, site);
}

// Calls copy(x, y, offset, width) for each piece of a run of bytes through the rows of an array.
template <typename Copy>
cudaError_t copy_run(cudaArray_const_t array, size_t x, size_t y, size_t bytes, Site site,
                     const Copy& copy) {
  if (find_array(array, site) == nullptr) return cudaErrorInvalidResourceHandle;
  const size_t row = array->extent.width * array->element;
  size_t done = 0;
  while (done < bytes) {
    const size_t piece = std::min(bytes - done, x < row ? row - x : 1);
    const cudaError_t error = copy(x, y, done, piece);
    if (error != cudaSuccess) return error;
    done += piece;
    x = 0;
    y++;
  }
  return cudaSuccess;
}

cudaError_t copy_3d(const cudaMemcpy3DParms* what, bool async, cudaStream_t stream, Site site) {
  const Guard guard(host_lock());
  if (what == nullptr) return fail(cudaErrorInvalidValue, site, "cudaMemcpy3D: a null pointer");
  const bool both = what->srcArray != nullptr && what->dstArray != nullptr;
  const cudaArray* counted = what->srcArray != nullptr ? what->srcArray : what->dstArray;
  if (counted != nullptr && find_array(counted, site) == nullptr)
    return cudaErrorInvalidResourceHandle;
  if (both && find_array(what->dstArray, site) == nullptr) return cudaErrorInvalidResourceHandle;
  const size_t element = counted != nullptr ? counted->element : 1;
  const size_t width = what->extent.width * element;
  // One side: its first byte in layer z, and its pitch.
  const auto side = [&](cudaArray_t array, const cudaPos& at, const cudaPitchedPtr& memory,
                        size_t z, unsigned char** address, size_t* pitch) {
    if (array != nullptr) {
      *pitch = array->pitch;
      return place_in(array, at.x * array->element, at.y, at.z + z, width, what->extent.height,
                      address, site);
    }
    *pitch = memory.pitch;
    *address = static_cast<unsigned char*>(memory.ptr) +
               ((at.z + z) * memory.ysize + at.y) * memory.pitch + at.x;
    return cudaSuccess;
  };
  for (size_t z = 0; z < what->extent.depth; z++) {
    unsigned char *to = nullptr, *from = nullptr;
    size_t to_pitch = 0, from_pitch = 0;
    cudaError_t error = side(what->dstArray, what->dstPos, what->dstPtr, z, &to, &to_pitch);
    if (error == cudaSuccess)
      error = side(what->srcArray, what->srcPos, what->srcPtr, z, &from, &from_pitch);
    if (error == cudaSuccess)
      error = copy_2d(to, to_pitch, from, from_pitch, width, what->extent.height, what->kind, async,
                      stream, site);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace
}  // namespace cpu_device

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from,
                                size_t from_pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                Site site) {
  return copy_to(to, x, y, from, from_pitch, width, height, kind, false, nullptr, site);
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                     size_t from_pitch, size_t width, size_t height,
                                     cudaMemcpyKind kind, cudaStream_t stream, Site site) {
  return copy_to(to, x, y, from, from_pitch, width, height, kind, true, stream, site);
}
cudaError_t cudaMemcpy2DFromArray(void* to, size_t to_pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                                  Site site) {
  return copy_from(to, to_pitch, from, x, y, width, height, kind, false, nullptr, site);
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t to_pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream, Site site) {
  return copy_from(to, to_pitch, from, x, y, width, height, kind, true, stream, site);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t from_x, size_t from_y,
                                     size_t width, size_t height, cudaMemcpyKind kind, Site site) {
  const Guard guard(host_lock());
  unsigned char* address = nullptr;
  const cudaError_t error = place_in(from, from_x, from_y, 0, width, height, &address, site);
  if (error != cudaSuccess) return error;
  return copy_to(to, to_x, to_y, address, from->pitch, width, height, kind, false, nullptr, site);
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                              cudaMemcpyKind kind, Site site) {
  return copy_run(to, x, y, bytes, site, [&](size_t at, size_t row, size_t done, size_t piece) {
    return copy_to(to, at, row, static_cast<const unsigned char*>(from) + done, piece, piece, 1,
                   kind, false, nullptr, site);
  });
}

cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind, Site site) {
  return copy_run(from, x, y, bytes, site, [&](size_t at, size_t row, size_t done, size_t piece) {
    return copy_from(static_cast<unsigned char*>(to) + done, piece, from, at, row, piece, 1, kind,
                     false, nullptr, site);
  });
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* what, Site site) {
  return copy_3d(what, false, nullptr, site);
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* what, cudaStream_t stream, Site site) {
  return copy_3d(what, true, stream, site);
}
