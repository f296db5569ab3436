// Buffers and images of an OpenGL that this test makes up: each call of the CPU device is compared with what OpenGL's
// state must be. All formats, flags, levels and failures, without a window.
#include <cuda.h>
#include <cuda_gl_interop.h>
#include <doctest/doctest.h>

#include <GL/glext.h>

#include <algorithm>
#include <map>
#include <vector>

namespace {

using Bytes = std::vector<unsigned char>;

struct Level {
  int width = 0, height = 0;
  Bytes pixels;
};
struct Image {
  GLenum internal = 0, order = 0, type = 0;
  std::vector<Level> levels;
};
struct Buffer {
  Bytes bytes;
  bool mapped = false;
};

// What OpenGL knows.
struct State {
  bool has_context = true, refuses_map = false, loses_contents = false;
  GLenum error = GL_NO_ERROR, access = 0;
  std::map<GLuint, Buffer> buffers;
  std::map<GLuint, Image> images;
  std::map<GLenum, GLuint> bound;  // by target
  std::map<GLenum, GLint> pixel_store = {{GL_PACK_ALIGNMENT, 4}, {GL_UNPACK_ALIGNMENT, 2}};
  int gets = 0, sets = 0, maps = 0, unmaps = 0;
};
State gl;

Level *level_of(GLenum target, int level) {
  const auto found = gl.images.find(gl.bound[target]);
  if (found == gl.images.end() || level >= int(found->second.levels.size())) return nullptr;
  return &found->second.levels[level];
}
// Elements are passed without gaps, in the program's memory.
void check_transfer(GLenum target, GLenum order, GLenum type, GLenum alignment, GLenum buffer) {
  const Image &image = gl.images[gl.bound[target]];
  CHECK(order == image.order);
  CHECK(type == image.type);
  CHECK(gl.pixel_store[alignment] == 1);
  CHECK(gl.bound[buffer] == 0);
}

}  // namespace

extern "C" {
const GLubyte *glGetString(GLenum name) {
  CHECK(name == GL_VERSION);
  return gl.has_context ? reinterpret_cast<const GLubyte *>("2.1 made up") : nullptr;
}
GLenum glGetError() { return std::exchange(gl.error, GLenum(GL_NO_ERROR)); }
void glGetIntegerv(GLenum name, GLint *value) {
  const std::map<GLenum, GLenum> targets = {{GL_ARRAY_BUFFER_BINDING, GL_ARRAY_BUFFER},
                                            {GL_PIXEL_PACK_BUFFER_BINDING, GL_PIXEL_PACK_BUFFER},
                                            {GL_PIXEL_UNPACK_BUFFER_BINDING, GL_PIXEL_UNPACK_BUFFER},
                                            {GL_TEXTURE_BINDING_2D, GL_TEXTURE_2D},
                                            {GL_TEXTURE_BINDING_RECTANGLE, GL_TEXTURE_RECTANGLE}};
  if (gl.pixel_store.count(name) != 0)
    *value = gl.pixel_store[name];
  else if (targets.count(name) != 0)
    *value = GLint(gl.bound[targets.at(name)]);
  else
    FAIL("glGetIntegerv of ", name);
}
GLboolean glIsBuffer(GLuint buffer) { return gl.buffers.count(buffer) != 0; }
GLboolean glIsTexture(GLuint texture) { return gl.images.count(texture) != 0; }
void glBindBuffer(GLenum target, GLuint buffer) { gl.bound[target] = buffer; }
void glBindTexture(GLenum target, GLuint texture) { gl.bound[target] = texture; }
void glGetBufferParameteriv(GLenum target, GLenum name, GLint *value) {
  CHECK(name == GL_BUFFER_SIZE);
  *value = GLint(gl.buffers.at(gl.bound[target]).bytes.size());
}
void *glMapBuffer(GLenum target, GLenum access) {
  Buffer &buffer = gl.buffers.at(gl.bound[target]);
  gl.access = access;
  if (gl.refuses_map || buffer.mapped) return nullptr;
  gl.maps++, buffer.mapped = true;
  return buffer.bytes.data();
}
GLboolean glUnmapBuffer(GLenum target) {
  Buffer &buffer = gl.buffers.at(gl.bound[target]);
  CHECK(buffer.mapped);
  gl.unmaps++, buffer.mapped = false;
  return !gl.loses_contents;
}
void glPixelStorei(GLenum name, GLint value) { gl.pixel_store[name] = value; }
void glGetTexLevelParameteriv(GLenum target, GLint level, GLenum name, GLint *value) {
  const Level *const one = level_of(target, level);
  if (name == GL_TEXTURE_INTERNAL_FORMAT)
    *value = one == nullptr || level > 0 ? 0 : GLint(gl.images.at(gl.bound[target]).internal);
  else
    *value = one == nullptr ? 0 : name == GL_TEXTURE_WIDTH ? one->width : one->height;
}
void glGetTexImage(GLenum target, GLint level, GLenum order, GLenum type, void *pixels) {
  check_transfer(target, order, type, GL_PACK_ALIGNMENT, GL_PIXEL_PACK_BUFFER);
  const Bytes &from = level_of(target, level)->pixels;
  std::copy(from.begin(), from.end(), static_cast<unsigned char *>(pixels));
  gl.gets++;
}
void glTexSubImage2D(GLenum target, GLint level, GLint x, GLint y, GLsizei width, GLsizei height, GLenum order,
                     GLenum type, const void *pixels) {
  check_transfer(target, order, type, GL_UNPACK_ALIGNMENT, GL_PIXEL_UNPACK_BUFFER);
  Level &to = *level_of(target, level);
  CHECK((x == 0 && y == 0 && width == to.width && height == to.height));
  std::copy_n(static_cast<const unsigned char *>(pixels), to.pixels.size(), to.pixels.begin());
  gl.sets++;
}
}

namespace {

// Programs that load modules export their functions, so that the CPU device finds OpenGL's here.
[[maybe_unused]] auto *volatile exports = &cuModuleLoadFatBinary;

__global__ void add(unsigned char *bytes, int n, int what) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) bytes[i] += what;
}

unsigned seed = 1;
unsigned char any() { return static_cast<unsigned char>((seed = seed * 1664525 + 1013904223) >> 24); }
Bytes any_bytes(size_t n) {
  Bytes bytes(n);
  std::generate(bytes.begin(), bytes.end(), any);
  return bytes;
}

void start() {
  gl = State{};
  gl.bound = {{GL_ARRAY_BUFFER, 91}, {GL_PIXEL_PACK_BUFFER, 92}, {GL_PIXEL_UNPACK_BUFFER, 93}, {GL_TEXTURE_2D, 94},
              {GL_TEXTURE_RECTANGLE, 95}};
  for (GLuint buffer : {91, 92, 93}) gl.buffers[buffer].bytes.resize(1);
  for (GLuint image : {94, 95}) gl.images[image];
}
// What the program had bound and set has come back.
bool as_before() {
  return gl.bound[GL_ARRAY_BUFFER] == 91 && gl.bound[GL_PIXEL_PACK_BUFFER] == 92 && gl.bound[GL_PIXEL_UNPACK_BUFFER] == 93 &&
         gl.bound[GL_TEXTURE_2D] == 94 && gl.bound[GL_TEXTURE_RECTANGLE] == 95 && gl.pixel_store[GL_PACK_ALIGNMENT] == 4 &&
         gl.pixel_store[GL_UNPACK_ALIGNMENT] == 2;
}

constexpr cudaChannelFormatKind kUnsigned = cudaChannelFormatKindUnsigned, kSigned = cudaChannelFormatKindSigned,
                                kFloat = cudaChannelFormatKindFloat;
// The formats that cudaGraphicsGLRegisterImage() documents. OpenGL's specification says how their elements are passed.
const struct {
  GLenum internal, order, type;
  int channels, bits;
  cudaChannelFormatKind kind;
} kFormats[] = {
    {GL_RGBA, GL_RGBA, GL_UNSIGNED_BYTE, 4, 8, kUnsigned},
    {GL_R8, GL_RED, GL_UNSIGNED_BYTE, 1, 8, kUnsigned},
    {GL_RG8, GL_RG, GL_UNSIGNED_BYTE, 2, 8, kUnsigned},
    {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4, 8, kUnsigned},
    {GL_R16, GL_RED, GL_UNSIGNED_SHORT, 1, 16, kUnsigned},
    {GL_RG16, GL_RG, GL_UNSIGNED_SHORT, 2, 16, kUnsigned},
    {GL_RGBA16, GL_RGBA, GL_UNSIGNED_SHORT, 4, 16, kUnsigned},
    {GL_R16F, GL_RED, GL_HALF_FLOAT, 1, 16, kFloat},
    {GL_RG16F, GL_RG, GL_HALF_FLOAT, 2, 16, kFloat},
    {GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, 4, 16, kFloat},
    {GL_R32F, GL_RED, GL_FLOAT, 1, 32, kFloat},
    {GL_RG32F, GL_RG, GL_FLOAT, 2, 32, kFloat},
    {GL_RGBA32F, GL_RGBA, GL_FLOAT, 4, 32, kFloat},
    {GL_R8UI, GL_RED_INTEGER, GL_UNSIGNED_BYTE, 1, 8, kUnsigned},
    {GL_RG8UI, GL_RG_INTEGER, GL_UNSIGNED_BYTE, 2, 8, kUnsigned},
    {GL_RGBA8UI, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, 4, 8, kUnsigned},
    {GL_R16UI, GL_RED_INTEGER, GL_UNSIGNED_SHORT, 1, 16, kUnsigned},
    {GL_RG16UI, GL_RG_INTEGER, GL_UNSIGNED_SHORT, 2, 16, kUnsigned},
    {GL_RGBA16UI, GL_RGBA_INTEGER, GL_UNSIGNED_SHORT, 4, 16, kUnsigned},
    {GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, 1, 32, kUnsigned},
    {GL_RG32UI, GL_RG_INTEGER, GL_UNSIGNED_INT, 2, 32, kUnsigned},
    {GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, 4, 32, kUnsigned},
    {GL_R8I, GL_RED_INTEGER, GL_BYTE, 1, 8, kSigned},
    {GL_RG8I, GL_RG_INTEGER, GL_BYTE, 2, 8, kSigned},
    {GL_RGBA8I, GL_RGBA_INTEGER, GL_BYTE, 4, 8, kSigned},
    {GL_R16I, GL_RED_INTEGER, GL_SHORT, 1, 16, kSigned},
    {GL_RG16I, GL_RG_INTEGER, GL_SHORT, 2, 16, kSigned},
    {GL_RGBA16I, GL_RGBA_INTEGER, GL_SHORT, 4, 16, kSigned},
    {GL_R32I, GL_RED_INTEGER, GL_INT, 1, 32, kSigned},
    {GL_RG32I, GL_RG_INTEGER, GL_INT, 2, 32, kSigned},
    {GL_RGBA32I, GL_RGBA_INTEGER, GL_INT, 4, 32, kSigned}};

}  // namespace

TEST_CASE("made-up OpenGL: buffers") {
  for (unsigned flags = 0; flags <= 3; flags++)
    for (int set = -1; set <= 3; set++) {
      CAPTURE(flags);
      CAPTURE(set);
      start();
      Bytes now = any_bytes(700);
      gl.buffers[5].bytes = now;
      cudaGraphicsResource_t resource = nullptr;
      const cudaError_t registered = cudaGraphicsGLRegisterBuffer(&resource, 5, flags);
      CHECK(registered == (flags < 3 ? cudaSuccess : cudaErrorInvalidValue));
      if (registered != cudaSuccess) continue;
      if (set >= 0) CHECK(cudaGraphicsResourceSetMapFlags(resource, set) == (set < 3 ? cudaSuccess : cudaErrorInvalidValue));
      const unsigned wanted = set >= 0 && set < 3 ? set : flags;
      for (int frame = 0; frame < 2; frame++) {
        REQUIRE(cudaGraphicsMapResources(1, &resource) == cudaSuccess);
        CHECK(gl.access == (wanted == cudaGraphicsMapFlagsReadOnly ? GL_READ_ONLY : GL_READ_WRITE));
        CHECK(as_before());
        CHECK(gl.buffers[5].mapped);
        CHECK(cudaGraphicsResourceSetMapFlags(resource, 0) == cudaErrorAlreadyMapped);
        CHECK(cudaGraphicsMapResources(1, &resource) == cudaErrorAlreadyMapped);
        CHECK(cudaGraphicsUnregisterResource(resource) == cudaErrorAlreadyMapped);
        unsigned char *pointer = nullptr;
        size_t bytes = 0;
        CHECK(cudaGraphicsResourceGetMappedPointer(nullptr, &bytes, resource) == cudaErrorInvalidValue);
        REQUIRE(cudaGraphicsResourceGetMappedPointer(reinterpret_cast<void **>(&pointer), &bytes, resource) == cudaSuccess);
        CHECK(bytes == 700);
        REQUIRE(cudaGraphicsResourceGetMappedPointer(reinterpret_cast<void **>(&pointer), nullptr, resource) == cudaSuccess);
        CHECK(pointer == gl.buffers[5].bytes.data());
        cudaPointerAttributes about;
        CHECK(cudaPointerGetAttributes(&about, pointer + 699) == cudaSuccess);
        CHECK((about.type == cudaMemoryTypeDevice && about.device == 0));
        add<<<3, 256>>>(pointer, 700, 7);
        REQUIRE(cudaGraphicsUnmapResources(1, &resource) == cudaSuccess);
        CHECK(cudaPointerGetAttributes(&about, pointer) == cudaSuccess);
        CHECK(about.type == cudaMemoryTypeUnregistered);
        CHECK(as_before());
        CHECK(!gl.buffers[5].mapped);
        for (unsigned char &one : now) one += 7;
        CHECK(gl.buffers[5].bytes == now);
        CHECK(cudaGraphicsResourceGetMappedPointer(reinterpret_cast<void **>(&pointer), &bytes, resource) == cudaErrorNotMapped);
        CHECK(cudaGraphicsUnmapResources(1, &resource) == cudaErrorNotMapped);
      }
      CHECK((gl.maps == 2 && gl.unmaps == 2));
      CHECK(cudaGraphicsUnregisterResource(resource) == cudaSuccess);
      CHECK(cudaGraphicsUnregisterResource(resource) == cudaErrorInvalidResourceHandle);
      CHECK(cudaGraphicsResourceSetMapFlags(resource, 0) == cudaErrorInvalidResourceHandle);
    }
  cudaGetLastError();
}

TEST_CASE("made-up OpenGL: several buffers, all or none") {
  constexpr int kCount = 4;
  for (int refused = 0; refused <= kCount; refused++) {
    CAPTURE(refused);
    start();
    cudaGraphicsResource_t resources[kCount];
    for (GLuint i = 0; i < kCount; i++) {
      gl.buffers[10 + i].bytes = any_bytes(50 + i);
      REQUIRE(cudaGraphicsGLRegisterBuffer(&resources[i], 10 + i, 0) == cudaSuccess);
    }
    if (refused < kCount) gl.buffers[10 + refused].mapped = true;  // by the program: OpenGL maps nothing twice
    CHECK(cudaGraphicsMapResources(kCount, resources) == (refused < kCount ? cudaErrorMapBufferObjectFailed : cudaSuccess));
    for (int i = 0; i < kCount; i++) {
      void *pointer = nullptr;
      size_t bytes = 0;
      const cudaError_t got = cudaGraphicsResourceGetMappedPointer(&pointer, &bytes, resources[i]);
      CHECK(got == (refused < kCount ? cudaErrorNotMapped : cudaSuccess));
      if (got == cudaSuccess) CHECK((bytes == size_t(50 + i) && pointer == gl.buffers[10 + i].bytes.data()));
      CHECK(gl.buffers[10 + i].mapped == (refused == kCount || i == refused));
    }
    CHECK((gl.maps == refused && gl.unmaps == (refused < kCount ? refused : 0)));
    if (refused == kCount) {
      gl.loses_contents = true;
      CHECK(cudaGraphicsUnmapResources(kCount, resources) == cudaErrorUnmapBufferObjectFailed);
      CHECK(gl.unmaps == kCount);
    }
    CHECK(as_before());
    for (cudaGraphicsResource_t one : resources) CHECK(cudaGraphicsUnregisterResource(one) == cudaSuccess);
  }
  cudaGetLastError();
}

TEST_CASE("made-up OpenGL: what is refused") {
  start();
  gl.buffers[5].bytes = any_bytes(10), gl.buffers[6];
  Image &image = gl.images[5];
  image = {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, {{2, 2, any_bytes(16)}}};
  cudaGraphicsResource_t resource = nullptr, none = nullptr;
  const auto buffer = [&](GLuint name) { return cudaGraphicsGLRegisterBuffer(&resource, name, 0); };
  const auto texture = [&](GLuint name, GLenum target) { return cudaGraphicsGLRegisterImage(&resource, name, target, 0); };
  CHECK(cudaGraphicsGLRegisterBuffer(nullptr, 5, 0) == cudaErrorInvalidValue);
  CHECK(cudaGraphicsGLRegisterImage(nullptr, 5, GL_TEXTURE_2D, 0) == cudaErrorInvalidValue);
  CHECK(cudaGraphicsGLRegisterImage(&resource, 5, GL_TEXTURE_2D, 16) == cudaErrorInvalidValue);
  CHECK(buffer(77) == cudaErrorInvalidResourceHandle);
  CHECK(buffer(6) == cudaErrorMemoryAllocation);  // no storage
  CHECK(texture(77, GL_TEXTURE_2D) == cudaErrorInvalidValue);
  CHECK(texture(94, GL_TEXTURE_2D) == cudaErrorInvalidValue);  // no storage
  for (auto [width, height] : {std::pair(0, 2), std::pair(2, 0)}) {
    image.levels[0].width = width, image.levels[0].height = height;
    CHECK(texture(5, GL_TEXTURE_2D) == cudaErrorInvalidValue);
  }
  image.levels[0].width = image.levels[0].height = 2;
  for (GLenum target : {GL_TEXTURE_1D, GL_TEXTURE_3D, GL_TEXTURE_CUBE_MAP}) CHECK(texture(5, target) == cudaErrorNotSupported);
  for (GLenum internal : {GL_RGB, GL_RGB8, GL_RGB32F, GL_DEPTH_COMPONENT24, GL_R8_SNORM}) {
    image.internal = internal;
    CHECK(texture(5, GL_TEXTURE_2D) == cudaErrorInvalidValue);
  }
  image.internal = GL_RGBA8;
  CHECK(resource == nullptr);
  CHECK(as_before());
  CHECK(cudaGraphicsMapResources(1, &none) == cudaErrorInvalidResourceHandle);
  CHECK(cudaGraphicsUnmapResources(1, &none) == cudaErrorInvalidResourceHandle);
  for (int count : {0, -1}) {
    CHECK(cudaGraphicsMapResources(count, &none) == cudaErrorInvalidValue);
    CHECK(cudaGraphicsUnmapResources(count, &none) == cudaErrorInvalidValue);
  }
  CHECK(cudaGraphicsMapResources(1, nullptr) == cudaErrorInvalidValue);
  cudaStream_t gone = nullptr;
  REQUIRE(cudaStreamCreate(&gone) == cudaSuccess);
  REQUIRE(cudaStreamDestroy(gone) == cudaSuccess);
  REQUIRE(buffer(5) == cudaSuccess);
  CHECK(cudaGraphicsMapResources(1, &resource, gone) == cudaErrorInvalidResourceHandle);
  CHECK(cudaGraphicsUnmapResources(1, &resource, gone) == cudaErrorInvalidResourceHandle);

  // Whatever goes away: the buffer while it is mapped, the image, the context.
  cudaGraphicsResource_t picture = nullptr;
  REQUIRE(cudaGraphicsGLRegisterImage(&picture, 5, GL_TEXTURE_2D, 0) == cudaSuccess);
  REQUIRE(cudaGraphicsMapResources(1, &resource) == cudaSuccess);
  void *pointer = nullptr;
  REQUIRE(cudaGraphicsResourceGetMappedPointer(&pointer, nullptr, resource) == cudaSuccess);
  gl.has_context = false;
  unsigned count = 9;
  int devices[2] = {9, 9};
  CHECK(cudaGLGetDevices(&count, devices, 2, cudaGLDeviceListAll) == cudaErrorInvalidGraphicsContext);
  CHECK(count == 0);
  CHECK(cudaGraphicsGLRegisterBuffer(&none, 91, 0) == cudaErrorInvalidGraphicsContext);
  CHECK(cudaGraphicsMapResources(1, &picture) == cudaErrorInvalidGraphicsContext);
  CHECK(cudaGraphicsUnmapResources(1, &picture) == cudaErrorInvalidGraphicsContext);
  CHECK(cudaGraphicsGLRegisterImage(&none, 5, GL_TEXTURE_2D, 0) == cudaErrorInvalidGraphicsContext);
  gl.has_context = true;
  for (int list = 0; list <= 3; list++) {
    count = 9, devices[0] = devices[1] = 9;
    const cudaError_t error = cudaGLGetDevices(&count, devices, 2, cudaGLDeviceList(list));
    CHECK(error == (list >= 1 ? cudaSuccess : cudaErrorInvalidValue));
    if (error == cudaSuccess) CHECK((count == 1 && devices[0] == 0 && devices[1] == 9));
  }
  for (unsigned size = 0; size <= 1; size++) {
    devices[0] = 9;
    CHECK(cudaGLGetDevices(&count, devices, size, cudaGLDeviceListAll) == cudaSuccess);
    CHECK(devices[0] == (size == 0 ? 9 : 0));
  }
  CHECK(cudaGLGetDevices(&count, nullptr, 0, cudaGLDeviceListAll) == cudaSuccess);
  CHECK(cudaGLGetDevices(&count, nullptr, 1, cudaGLDeviceListAll) == cudaErrorInvalidValue);
  CHECK(cudaGLGetDevices(nullptr, devices, 1, cudaGLDeviceListAll) == cudaErrorInvalidValue);

  gl.buffers.erase(5);
  CHECK(cudaGraphicsUnregisterResource(resource) == cudaSuccess);
  cudaPointerAttributes about;
  CHECK(cudaPointerGetAttributes(&about, pointer) == cudaSuccess);
  CHECK(about.type == cudaMemoryTypeUnregistered);
  gl.images.erase(5);
  CHECK(cudaGraphicsMapResources(1, &picture) == cudaErrorInvalidResourceHandle);
  CHECK(cudaGraphicsUnregisterResource(picture) == cudaSuccess);
  cudaGetLastError();
}

// A mapped image whose window is gone, or which OpenGL deletes: its memory comes back.
TEST_CASE("made-up OpenGL: mapped when all is over") {
  size_t before = 0, now = 0, total = 0;
  cudaMemGetInfo(&before, &total);
  for (int what = 0; what < 3; what++) {
    CAPTURE(what);
    start();
    gl.images[7] = {GL_RGBA32F, GL_RGBA, GL_FLOAT, {{64, 64, any_bytes(64 * 64 * 16)}}};
    cudaGraphicsResource_t resource = nullptr;
    REQUIRE(cudaGraphicsGLRegisterImage(&resource, 7, GL_TEXTURE_2D, 0) == cudaSuccess);
    REQUIRE(cudaGraphicsMapResources(1, &resource) == cudaSuccess);
    cudaMemGetInfo(&now, &total);
    CHECK(before - now >= 64 * 64 * 16);
    if (what == 0) gl.has_context = false;
    if (what == 1) gl.images.erase(7);
    if (what > 0) CHECK(cudaGraphicsUnmapResources(1, &resource) == cudaSuccess);
    CHECK(gl.sets == (what == 2 ? 1 : 0));
    CHECK(cudaGraphicsUnregisterResource(resource) == cudaSuccess);
    cudaMemGetInfo(&now, &total);
    CHECK(now == before);
  }
  cudaGetLastError();
}

// Formats, flags, targets and chains of levels: what the array is, what is read and written, and what comes back.
TEST_CASE("made-up OpenGL: images") {
  for (const auto &format : kFormats)
    for (unsigned flags = 0; flags < 16; flags++) {
      const int which = int(&format - kFormats);
      if (which % 5 != int(flags) % 5 && flags >= 3) continue;
      CAPTURE(which);
      CAPTURE(flags);
      start();
      const GLenum target = (which + flags) % 2 == 0 ? GL_TEXTURE_2D : GL_TEXTURE_RECTANGLE;
      const int width = 5 + which % 3, height = 9 - which % 4, levels = 1 + int(which + flags) % 4;
      const size_t element = format.channels * format.bits / 8;
      Image &image = gl.images[7];
      image = {format.internal, format.order, format.type, {}};
      for (int i = 0; i <= levels; i++) {
        Level level{std::max(width >> i, 1), std::max(height >> i, 1), {}};
        if (i == levels) (flags % 2 == 0 ? level.width : level.height)++;  // does not continue the chain
        level.pixels = any_bytes(level.width * level.height * element);
        image.levels.push_back(level);
      }
      const Image before = image;
      // The last level of all is 1 x 1: nothing may follow.
      const int known = std::min(levels, 1 + (std::max(width, height) >= 8 ? 3 : 2));
      cudaGraphicsResource_t resource = nullptr;
      REQUIRE(cudaGraphicsGLRegisterImage(&resource, 7, target, flags) == cudaSuccess);
      CHECK(as_before());
      CHECK(cudaGraphicsUnmapResources(1, &resource) == cudaErrorNotMapped);
      for (int frame = 0; frame < 2; frame++) {
        gl.gets = gl.sets = 0;
        const unsigned how = flags & 3;
        REQUIRE(cudaGraphicsMapResources(1, &resource) == cudaSuccess);
        CHECK(as_before());
        CHECK(gl.gets == (how == cudaGraphicsMapFlagsWriteDiscard ? 0 : known));
        CHECK(cudaGraphicsMapResources(1, &resource) == cudaErrorAlreadyMapped);
        CHECK(cudaGraphicsUnregisterResource(resource) == cudaErrorAlreadyMapped);
        void *pointer = nullptr;
        CHECK(cudaGraphicsResourceGetMappedPointer(&pointer, nullptr, resource) == cudaErrorNotMappedAsPointer);
        cudaMipmappedArray_t chain = nullptr;
        CHECK(cudaGraphicsResourceGetMappedMipmappedArray(nullptr, resource) == cudaErrorInvalidValue);
        REQUIRE(cudaGraphicsResourceGetMappedMipmappedArray(&chain, resource) == cudaSuccess);
        std::vector<Bytes> written;
        for (int i = 0; i < known; i++) {
          cudaArray_t array = nullptr, same = nullptr;
          REQUIRE(cudaGraphicsSubResourceGetMappedArray(&array, resource, 0, i) == cudaSuccess);
          CHECK(cudaGetMipmappedArrayLevel(&same, chain, i) == cudaSuccess);
          CHECK(array == same);
          cudaChannelFormatDesc desc;
          cudaExtent extent;
          unsigned array_flags = 0;
          REQUIRE(cudaArrayGetInfo(&desc, &extent, &array_flags, array) == cudaSuccess);
          const int bits[] = {desc.x, desc.y, desc.z, desc.w};
          for (int c = 0; c < 4; c++) CHECK(bits[c] == (c < format.channels ? format.bits : 0));
          CHECK(desc.f == format.kind);
          CHECK((int(extent.width) == image.levels[i].width && int(extent.height) == image.levels[i].height && extent.depth == 0));
          CHECK((array_flags & cudaArraySurfaceLoadStore) != 0);
          const size_t row = extent.width * element;
          Bytes got(row * extent.height), next = any_bytes(got.size());
          REQUIRE(cudaMemcpy2DFromArray(got.data(), row, array, 0, 0, row, extent.height, cudaMemcpyDeviceToHost) == cudaSuccess);
          if (how != cudaGraphicsMapFlagsWriteDiscard) CHECK(got == image.levels[i].pixels);
          REQUIRE(cudaMemcpy2DToArray(array, 0, 0, next.data(), row, row, extent.height, cudaMemcpyHostToDevice) == cudaSuccess);
          written.push_back(next);
        }
        cudaArray_t array = nullptr;
        CHECK(cudaGraphicsSubResourceGetMappedArray(&array, resource, 0, known) == cudaErrorInvalidValue);
        CHECK(cudaGraphicsSubResourceGetMappedArray(&array, resource, 1, 0) == cudaErrorInvalidValue);
        CHECK(cudaGraphicsSubResourceGetMappedArray(nullptr, resource, 0, 0) == cudaErrorInvalidValue);
        REQUIRE(cudaGraphicsUnmapResources(1, &resource) == cudaSuccess);
        CHECK(as_before());
        const bool only_read = how == cudaGraphicsMapFlagsReadOnly;
        CHECK(gl.sets == (only_read ? 0 : known));
        for (int i = 0; i <= levels; i++)
          CHECK(image.levels[i].pixels == (only_read || i >= known ? before.levels[i].pixels : written[i]));
        CHECK(cudaGraphicsSubResourceGetMappedArray(&array, resource, 0, 0) == cudaErrorNotMapped);
        CHECK(cudaGraphicsResourceGetMappedMipmappedArray(&chain, resource) == cudaErrorNotMapped);
      }
      CHECK(cudaGraphicsUnregisterResource(resource) == cudaSuccess);
    }
  cudaGetLastError();
}
