// Textures of OpenGL's as arrays, see graphics_image.h.
#include "../faults/error_messages.h"
#include "../memory/array.h"
#include "graphics_image.h"

#include <vector>


namespace cpu_device {

namespace {

// The values of OpenGL's names.
constexpr unsigned int kTexture2D = 0x0de1, kRectangle = 0x84f5, kBinding2D = 0x8069,
                       kBindingRectangle = 0x84f6, kWidth = 0x1000, kHeight = 0x1001,
                       kInternalFormat = 0x1003, kPackAlignment = 0x0d05, kUnpackAlignment = 0x0cf5,
                       kPackBuffer = 0x88eb, kPackBinding = 0x88ed, kUnpackBuffer = 0x88ec,
                       kUnpackBinding = 0x88ef;

// A format in which OpenGL keeps a texture, and the one in which it gives and takes its elements.
struct Format {
  unsigned int internal;
  int channels, bits;
  cudaChannelFormatKind kind;
  bool integer;  // for OpenGL; otherwise a number from 0 to 1, or a float
};
constexpr cudaChannelFormatKind kSigned = cudaChannelFormatKindSigned,
                                kUnsigned = cudaChannelFormatKindUnsigned,
                                kFloat = cudaChannelFormatKindFloat;
constexpr Format kFormats[] = {
    {0x1908, 4, 8, kUnsigned, false},  {0x8058, 4, 8, kUnsigned, false},  // GL_RGBA, GL_RGBA8
    {0x805b, 4, 16, kUnsigned, false}, {0x881a, 4, 16, kFloat, false},    // RGBA16, RGBA16F
    {0x8814, 4, 32, kFloat, false},    {0x8d7c, 4, 8, kUnsigned, true},   // RGBA32F, RGBA8UI
    {0x8d8e, 4, 8, kSigned, true},     {0x8d76, 4, 16, kUnsigned, true},  // RGBA8I, RGBA16UI
    {0x8d88, 4, 16, kSigned, true},    {0x8d70, 4, 32, kUnsigned, true},  // RGBA16I, RGBA32UI
    {0x8d82, 4, 32, kSigned, true},    {0x8229, 1, 8, kUnsigned, false},  // RGBA32I, R8
    {0x822a, 1, 16, kUnsigned, false}, {0x822d, 1, 16, kFloat, false},    // R16, R16F
    {0x822e, 1, 32, kFloat, false},    {0x8232, 1, 8, kUnsigned, true},   // R32F, R8UI
    {0x8231, 1, 8, kSigned, true},     {0x8234, 1, 16, kUnsigned, true},  // R8I, R16UI
    {0x8233, 1, 16, kSigned, true},    {0x8236, 1, 32, kUnsigned, true},  // R16I, R32UI
    {0x8235, 1, 32, kSigned, true},    {0x822b, 2, 8, kUnsigned, false},  // R32I, RG8
    {0x822c, 2, 16, kUnsigned, false}, {0x822f, 2, 16, kFloat, false},    // RG16, RG16F
    {0x8230, 2, 32, kFloat, false},    {0x8238, 2, 8, kUnsigned, true},   // RG32F, RG8UI
    {0x8237, 2, 8, kSigned, true},     {0x823a, 2, 16, kUnsigned, true},  // RG8I, RG16UI
    {0x8239, 2, 16, kSigned, true},    {0x823c, 2, 32, kUnsigned, true},  // RG16I, RG32UI
    {0x823b, 2, 32, kSigned, true}};                                      // RG32I

unsigned int order_of(const Format& format) {  // GL_RED, GL_RG, GL_RGBA, and those of integers
  if (format.integer) return format.channels == 1 ? 0x8d94 : format.channels == 2 ? 0x8228 : 0x8d99;
  return format.channels == 1 ? 0x1903 : format.channels == 2 ? 0x8227 : 0x1908;
}
unsigned int type_of(const Format& format) {  // GL_BYTE ...
  if (format.kind == kFloat) return format.bits == 16 ? 0x140b : 0x1406;
  const unsigned int of_size = format.bits == 8 ? 0x1400 : format.bits == 16 ? 0x1402 : 0x1404;
  return of_size + (format.kind == kUnsigned ? 1 : 0);
}

struct Functions {
  void (*get_integer)(unsigned int name, int* value);
  unsigned char (*is_texture)(unsigned int texture);
  void (*bind_texture)(unsigned int target, unsigned int texture);
  void (*bind_buffer)(unsigned int target, unsigned int buffer);
  void (*get_level)(unsigned int target, int level, unsigned int name, int* value);
  void (*get_image)(unsigned int target, int level, unsigned int order, unsigned int type,
                    void* pixels);
  void (*set_image)(unsigned int target, int level, int x, int y, int width, int height,
                    unsigned int order, unsigned int type, const void* pixels);
  void (*pixel_store)(unsigned int name, int value);
};

template <typename Function>
bool look_up(Function* function, const char* name) {
  *function = reinterpret_cast<Function>(find_opengl_function(name));
  return *function != nullptr;
}

const Functions* functions(Site site) {
  static Functions gl;
  static const bool complete =
      look_up(&gl.get_integer, "glGetIntegerv") && look_up(&gl.is_texture, "glIsTexture") &&
      look_up(&gl.bind_texture, "glBindTexture") && look_up(&gl.bind_buffer, "glBindBuffer") &&
      look_up(&gl.get_level, "glGetTexLevelParameteriv") && look_up(&gl.get_image, "glGetTexImage") &&
      look_up(&gl.set_image, "glTexSubImage2D") && look_up(&gl.pixel_store, "glPixelStorei");
  if (complete) return &gl;
  fail(cudaErrorInvalidGraphicsContext, site, "this OpenGL cannot read and write textures",
       "use OpenGL 2.1 or newer, not OpenGL ES.");
  return nullptr;
}

// Binds a texture, and lets its elements be given and taken without gaps, in the program's memory,
// for as long as it lives; what the program had set comes back afterwards.
class BoundTexture {
 public:
  BoundTexture(const Functions& gl, unsigned int target, unsigned int texture)
      : gl_(gl), target_(target) {
    texture_ = get(target == kTexture2D ? kBinding2D : kBindingRectangle);
    pack_ = get(kPackBinding);
    unpack_ = get(kUnpackBinding);
    pack_alignment_ = get(kPackAlignment);
    unpack_alignment_ = get(kUnpackAlignment);
    set(texture, 0, 0, 1, 1);
  }
  ~BoundTexture() { set(texture_, pack_, unpack_, pack_alignment_, unpack_alignment_); }
  BoundTexture(const BoundTexture&) = delete;
  BoundTexture& operator=(const BoundTexture&) = delete;

  int level(int level, unsigned int name) const {
    int value = 0;
    gl_.get_level(target_, level, name, &value);
    return value;
  }

 private:
  unsigned int get(unsigned int name) const {
    int value = 0;
    gl_.get_integer(name, &value);
    return static_cast<unsigned int>(value);
  }
  void set(unsigned int texture, unsigned int pack, unsigned int unpack,
           unsigned int pack_alignment, unsigned int unpack_alignment) const {
    gl_.bind_texture(target_, texture);
    gl_.bind_buffer(kPackBuffer, pack);
    gl_.bind_buffer(kUnpackBuffer, unpack);
    gl_.pixel_store(kPackAlignment, static_cast<int>(pack_alignment));
    gl_.pixel_store(kUnpackAlignment, static_cast<int>(unpack_alignment));
  }

  const Functions& gl_;
  const unsigned int target_;
  unsigned int texture_, pack_, unpack_, pack_alignment_, unpack_alignment_;
};

// Null, and explained, if the texture that is bound has no storage, or one that CUDA does not
// share.
const Format* format_of(const BoundTexture& bound, unsigned int name, Site site) {
  if (bound.level(0, kWidth) == 0 || bound.level(0, kHeight) == 0) {
    fail(cudaErrorInvalidValue, site, format("the OpenGL texture %u has no storage", name),
         "call glTexImage2D() before cudaGraphicsGLRegisterImage().");
    return nullptr;
  }
  const auto internal = static_cast<unsigned int>(bound.level(0, kInternalFormat));
  for (const Format& one : kFormats)
    if (one.internal == internal) return &one;
  fail(cudaErrorInvalidValue, site,
       format("the OpenGL texture %u has a format that CUDA does not support (%#x)", name, internal),
       "use GL_RGBA8, GL_RGBA32F, GL_R8, GL_R32F or similar. Formats with three channels do not work.");
  return nullptr;
}

// Levels that follow each other as those of a mipmapped array do.
unsigned int count_levels(const BoundTexture& bound, int width, int height) {
  int levels = 1;
  while ((width >> levels | height >> levels) != 0 &&
         bound.level(levels, kWidth) == std::max(width >> levels, 1) &&
         bound.level(levels, kHeight) == std::max(height >> levels, 1))
    levels++;
  return static_cast<unsigned int>(levels);
}

}  // namespace

cudaError_t Image::find(unsigned int name, unsigned int target, std::unique_ptr<Image>* image,
                        Site site) {
  if (target != kTexture2D && target != kRectangle)
    return fail(
        cudaErrorNotSupported, site,
        format("the CPU device supports only two-dimensional OpenGL textures, not target %#x", target),
        "use GL_TEXTURE_2D, or a buffer with cudaGraphicsGLRegisterBuffer().");
  const Functions* gl = functions(site);
  if (gl == nullptr) return cudaErrorInvalidGraphicsContext;
  if (!gl->is_texture(name))
    return fail(cudaErrorInvalidValue, site, format("OpenGL has no texture %u", name),
                "create it with glGenTextures() and glBindTexture().");
  if (format_of(BoundTexture(*gl, target, name), name, site) == nullptr) return cudaErrorInvalidValue;
  image->reset(new Image(name, target));
  return cudaSuccess;
}

Image::~Image() {
  if (arrays_ != nullptr) cudaFreeMipmappedArray(arrays_);
}

cudaError_t Image::map(unsigned int flags, Site site) {
  const Functions* gl = functions(site);
  if (gl == nullptr) return cudaErrorInvalidGraphicsContext;
  if (!gl->is_texture(name_))
    return fail(cudaErrorInvalidResourceHandle, site,
                format("the OpenGL texture %u was deleted", name_),
                "call cudaGraphicsUnregisterResource() before glDeleteTextures().");
  const BoundTexture bound(*gl, target_, name_);
  const Format* known = format_of(bound, name_, site);
  if (known == nullptr) return cudaErrorInvalidValue;
  const int width = bound.level(0, kWidth), height = bound.level(0, kHeight), n = known->channels;
  const cudaChannelFormatDesc desc = {known->bits, n > 1 ? known->bits : 0, n > 2 ? known->bits : 0,
                                      n > 3 ? known->bits : 0, known->kind};
  const unsigned int levels = count_levels(bound, width, height);
  cudaError_t error = cudaMallocMipmappedArray(
      &arrays_, &desc, {static_cast<size_t>(width), static_cast<size_t>(height), 0}, levels,
      cudaArraySurfaceLoadStore, site);
  if (flags == cudaGraphicsMapFlagsWriteDiscard) return error;
  for (unsigned int i = 0; i < levels && error == cudaSuccess; i++) {
    const cudaArray& level = *arrays_->levels[i];
    const size_t row = level.extent.width * level.element;
    std::vector<unsigned char> pixels(row * level.extent.height);
    gl->get_image(target_, static_cast<int>(i), order_of(*known), type_of(*known), pixels.data());
    error = cudaMemcpy2DToArray(arrays_->levels[i], 0, 0, pixels.data(), row, row,
                                level.extent.height, cudaMemcpyHostToDevice, site);
  }
  if (error != cudaSuccess) {
    cudaFreeMipmappedArray(arrays_, site);
    arrays_ = nullptr;
  }
  return error;
}

cudaError_t Image::unmap(unsigned int flags, Site site) {
  cudaMipmappedArray* const arrays = arrays_;
  arrays_ = nullptr;
  const Functions* gl = functions(site);
  cudaError_t error = gl == nullptr ? cudaErrorInvalidGraphicsContext : cudaSuccess;
  if (gl != nullptr && flags != cudaGraphicsMapFlagsReadOnly && gl->is_texture(name_)) {
    const BoundTexture bound(*gl, target_, name_);
    const Format* known = format_of(bound, name_, site);
    for (size_t i = 0; i < arrays->levels.size() && known != nullptr; i++) {
      const cudaArray& level = *arrays->levels[i];
      const size_t row = level.extent.width * level.element;
      std::vector<unsigned char> pixels(row * level.extent.height);
      error = cudaMemcpy2DFromArray(pixels.data(), row, arrays->levels[i], 0, 0, row,
                                    level.extent.height, cudaMemcpyDeviceToHost, site);
      if (error != cudaSuccess) break;
      gl->set_image(target_, static_cast<int>(i), 0, 0, static_cast<int>(level.extent.width),
                    static_cast<int>(level.extent.height), order_of(*known), type_of(*known),
                    pixels.data());
    }
  }
  const cudaError_t freed = cudaFreeMipmappedArray(arrays, site);
  return error != cudaSuccess ? error : freed;
}

}  // namespace cpu_device
