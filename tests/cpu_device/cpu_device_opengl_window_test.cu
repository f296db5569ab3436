// The CPU device's cuda_gl_interop.h, with a real OpenGL context: what is shared, and the errors.

#include <filesystem>
#include <fstream>
#include <vector>

#include "../../common/pictures/gl_sharing.h"
#include "../../common/pictures/window.h"
#include "../harness/window_check.h"

namespace {

__global__ void fill(uchar4* pixels, int n, unsigned char value) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) pixels[i] = make_uchar4(value, value, value, 255);
}

__global__ void draw(cudaSurfaceObject_t image, int size) {
  const int x = threadIdx.x, y = blockIdx.x;
  const uchar4 before = surf2Dread<uchar4>(image, 4 * x, y);
  if (x < size) surf2Dwrite(make_uchar4(x, y, before.z + 1, 255), image, 4 * x, y);
}
__global__ void look(cudaTextureObject_t image, float* result) {
  result[threadIdx.x] = tex2DLod<float>(image, 0.5f, 0.5f, threadIdx.x);
}

// AddressSanitizer keeps freed memory for a while.
#ifdef __SANITIZE_ADDRESS__
constexpr bool kKeepsFreed = true;
#else
constexpr bool kKeepsFreed = false;
#endif

constexpr int kSize = 32, kPixels = kSize * kSize, kBytes = 4 * kPixels;

// One display and one window for all cases.
bool open_gl() {
  static course::XServer* server = nullptr;
  static bool open = false;
  if (server != nullptr) return open;
  server = new course::XServer;
  setenv("DISPLAY", server->name().c_str(), 1);
  setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
  setenv("__GLX_VENDOR_LIBRARY_NAME", "mesa", 1);
  open = course::try_open_window(kSize, kSize) && course::start_gl_buffers().empty();
  return open;
}

size_t open_files() {
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    (void)entry;
    count++;
  }
  return count;
}

size_t resident_pages() {
  size_t pages = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return resident;
}

}  // namespace

TEST_CASE("without a window there is no OpenGL") {
  unsigned int count = 7;
  int devices[4] = {};
  cudaGraphicsResource* resource = nullptr;
  CHECK(cudaGLGetDevices(&count, devices, 4, cudaGLDeviceListAll) ==
        cudaErrorInvalidGraphicsContext);
  CHECK(cudaGraphicsGLRegisterBuffer(&resource, 1, cudaGraphicsRegisterFlagsNone) ==
        cudaErrorInvalidGraphicsContext);
  CHECK(resource == nullptr);
  CHECK(cudaGetLastError() == cudaErrorInvalidGraphicsContext);
}

TEST_CASE("a kernel draws into OpenGL's buffer") {
  REQUIRE(open_gl());
  unsigned int count = 0;
  int devices[4] = {};
  REQUIRE(cudaGLGetDevices(&count, devices, 4, cudaGLDeviceListAll) == cudaSuccess);
  CHECK(count == 1);
  CHECK(devices[0] == 0);

  const GLuint buffer = course::create_gl_buffer(kBytes);
  REQUIRE(buffer != 0);
  cudaGraphicsResource* resource = nullptr;
  REQUIRE(cudaGraphicsGLRegisterBuffer(&resource, buffer, cudaGraphicsRegisterFlagsNone) ==
          cudaSuccess);
  for (int value : {17, 200}) {
    uchar4* pixels = nullptr;
    size_t bytes = 0;
    REQUIRE(cudaGraphicsMapResources(1, &resource) == cudaSuccess);
    REQUIRE(cudaGraphicsResourceGetMappedPointer(reinterpret_cast<void**>(&pixels), &bytes,
                                                 resource) == cudaSuccess);
    CHECK(bytes == kBytes);
    fill<<<(kPixels + 255) / 256, 256>>>(pixels, kPixels, static_cast<unsigned char>(value));
    REQUIRE(cudaGetLastError() == cudaSuccess);
    REQUIRE(cudaGraphicsUnmapResources(1, &resource) == cudaSuccess);  // waits for the kernel
    std::vector<unsigned char> got(kBytes);
    glGetBufferSubData(GL_PIXEL_UNPACK_BUFFER, 0, kBytes, got.data());
    CHECK(glGetError() == GL_NO_ERROR);
    for (int i = 0; i < kPixels; i++) REQUIRE(got[4 * i] == value);
  }
  CHECK(cudaGraphicsUnregisterResource(resource) == cudaSuccess);
  glDeleteBuffers(1, &buffer);
}

// The errors are those of CUDA 13 on an H200, but for what crashes there: resources that are gone.
TEST_CASE("what is wrong is refused as CUDA refuses it") {
  REQUIRE(open_gl());
  cudaGraphicsResource* resource = nullptr;
  CHECK(cudaGraphicsGLRegisterBuffer(&resource, 4711, cudaGraphicsRegisterFlagsNone) ==
        cudaErrorInvalidResourceHandle);
  GLuint empty = 0;
  glGenBuffers(1, &empty);
  glBindBuffer(GL_PIXEL_UNPACK_BUFFER, empty);
  CHECK(cudaGraphicsGLRegisterBuffer(&resource, empty, cudaGraphicsRegisterFlagsNone) ==
        cudaErrorMemoryAllocation);
  glDeleteBuffers(1, &empty);

  const GLuint buffer = course::create_gl_buffer(kBytes);
  REQUIRE(cudaGraphicsGLRegisterBuffer(&resource, buffer, cudaGraphicsRegisterFlagsNone) ==
          cudaSuccess);
  void* pixels = nullptr;
  size_t bytes = 0;
  CHECK(cudaGraphicsResourceGetMappedPointer(&pixels, &bytes, resource) == cudaErrorNotMapped);
  CHECK(cudaGraphicsUnmapResources(1, &resource) == cudaErrorNotMapped);
  CHECK(cudaGraphicsMapResources(1, &resource) == cudaSuccess);
  CHECK(cudaGraphicsMapResources(1, &resource) == cudaErrorAlreadyMapped);
  cudaGraphicsResource* twice[] = {resource, resource};
  CHECK(cudaGraphicsMapResources(2, twice) == cudaErrorAlreadyMapped);
  CHECK(cudaGraphicsResourceGetMappedPointer(&pixels, &bytes, resource) == cudaSuccess);
  CHECK(cudaFree(pixels) == cudaErrorInvalidValue);
  CHECK(cudaGraphicsUnregisterResource(resource) == cudaErrorAlreadyMapped);
  CHECK(cudaGraphicsMapResources(0, twice) == cudaErrorInvalidValue);

  // OpenGL draws from it while CUDA has it: OpenGL refuses, and unmapping explains.
  while (glGetError() != GL_NO_ERROR) continue;
  glDrawPixels(kSize, kSize, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  CHECK(glGetError() == GL_INVALID_OPERATION);
  CHECK(cudaGraphicsUnmapResources(1, &resource) == cudaSuccess);
  CHECK(cudaGraphicsResourceGetMappedPointer(&pixels, &bytes, resource) == cudaErrorNotMapped);

  // Several, of which one is not mapped: the others are unmapped.
  const GLuint other_buffer = course::create_gl_buffer(kBytes);
  cudaGraphicsResource* other = nullptr;
  REQUIRE(cudaGraphicsGLRegisterBuffer(&other, other_buffer, cudaGraphicsRegisterFlagsNone) == cudaSuccess);
  cudaGraphicsResource* orders[2][2] = {{resource, other}, {other, resource}};
  for (auto& both : orders) {
    CHECK(cudaGraphicsMapResources(1, &resource) == cudaSuccess);
    CHECK(cudaGraphicsUnmapResources(2, both) == cudaErrorNotMapped);
    CHECK(cudaGraphicsUnmapResources(1, &resource) == cudaErrorNotMapped);
  }
  CHECK(cudaGraphicsUnregisterResource(other) == cudaSuccess);
  glDeleteBuffers(1, &other_buffer);

  glDeleteBuffers(1, &buffer);
  CHECK(cudaGraphicsMapResources(1, &resource) == cudaErrorInvalidResourceHandle);
  CHECK(cudaGraphicsUnregisterResource(resource) == cudaSuccess);
  CHECK(cudaGraphicsUnregisterResource(resource) == cudaErrorInvalidResourceHandle);
  CHECK(cudaGraphicsMapResources(1, &resource) == cudaErrorInvalidResourceHandle);
  cudaGetLastError();
}

TEST_CASE("a kernel draws into OpenGL's texture") {
  REQUIRE(open_gl());
  std::vector<unsigned char> pixels(kBytes, 9), got(kBytes);
  GLuint texture = 0, other = 0;
  glGenTextures(1, &texture);
  glGenTextures(1, &other);
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, kSize, kSize, 0, GL_RGBA, GL_UNSIGNED_BYTE,
               pixels.data());
  glBindTexture(GL_TEXTURE_2D, other);
  cudaGraphicsResource* resource = nullptr;
  REQUIRE(cudaGraphicsGLRegisterImage(&resource, texture, GL_TEXTURE_2D,
                                      cudaGraphicsRegisterFlagsSurfaceLoadStore) == cudaSuccess);
  for (int frame = 1; frame < 3; frame++) {
    REQUIRE(cudaGraphicsMapResources(1, &resource) == cudaSuccess);
    cudaResourceDesc array = {};
    array.resType = cudaResourceTypeArray;
    REQUIRE(cudaGraphicsSubResourceGetMappedArray(&array.res.array.array, resource, 0, 0) ==
            cudaSuccess);
    cudaSurfaceObject_t surface = 0;
    REQUIRE(cudaCreateSurfaceObject(&surface, &array) == cudaSuccess);
    draw<<<kSize, kSize>>>(surface, kSize);
    REQUIRE(cudaDestroySurfaceObject(surface) == cudaSuccess);
    REQUIRE(cudaGraphicsUnmapResources(1, &resource) == cudaSuccess);
    GLint bound = 0;
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &bound);
    CHECK(bound == static_cast<GLint>(other));  // as the program left it
    glBindTexture(GL_TEXTURE_2D, texture);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RGBA, GL_UNSIGNED_BYTE, got.data());
    glBindTexture(GL_TEXTURE_2D, other);
    CHECK(glGetError() == GL_NO_ERROR);
    for (int i = 0; i < kPixels; i++)
      REQUIRE((got[4 * i] == i % kSize && got[4 * i + 1] == i / kSize &&
               got[4 * i + 2] == 9 + frame && got[4 * i + 3] == 255));
  }
  CHECK(cudaGraphicsUnregisterResource(resource) == cudaSuccess);
  glDeleteTextures(1, &texture);
  glDeleteTextures(1, &other);
}

TEST_CASE("OpenGL's levels are levels of a mipmapped array") {
  REQUIRE(open_gl());
  GLuint texture = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  for (int level = 0; level < 3; level++) {
    const std::vector<float> elements(kPixels, 1.5f + level);
    glTexImage2D(GL_TEXTURE_2D, level, GL_R32F, kSize >> level, kSize >> level, 0, GL_RED, GL_FLOAT,
                 elements.data());
  }
  cudaGraphicsResource* resource = nullptr;
  REQUIRE(cudaGraphicsGLRegisterImage(&resource, texture, GL_TEXTURE_2D,
                                      cudaGraphicsRegisterFlagsReadOnly) == cudaSuccess);
  REQUIRE(cudaGraphicsMapResources(1, &resource) == cudaSuccess);
  cudaResourceDesc levels = {};
  levels.resType = cudaResourceTypeMipmappedArray;
  REQUIRE(cudaGraphicsResourceGetMappedMipmappedArray(&levels.res.mipmap.mipmap, resource) ==
          cudaSuccess);
  cudaTextureDesc how = {};
  how.normalizedCoords = 1;
  how.maxMipmapLevelClamp = 9;
  cudaTextureObject_t object = 0;
  REQUIRE(cudaCreateTextureObject(&object, &levels, &how, nullptr) == cudaSuccess);
  float *dev_result = nullptr, result[4] = {};
  REQUIRE(cudaMalloc(&dev_result, sizeof result) == cudaSuccess);
  look<<<1, 4>>>(object, dev_result);
  REQUIRE(cudaMemcpy(result, dev_result, sizeof result, cudaMemcpyDeviceToHost) == cudaSuccess);
  for (int i = 0; i < 4; i++) CHECK(result[i] == 1.5f + (i < 3 ? i : 2));
  CHECK(cudaDestroyTextureObject(object) == cudaSuccess);
  CHECK(cudaFree(dev_result) == cudaSuccess);
  CHECK(cudaGraphicsUnmapResources(1, &resource) == cudaSuccess);
  CHECK(cudaGraphicsUnregisterResource(resource) == cudaSuccess);
  glDeleteTextures(1, &texture);
}

TEST_CASE("images that cannot be shared, or are not mapped") {
  REQUIRE(open_gl());
  cudaGraphicsResource* resource = nullptr;
  const auto registered = [&](GLuint texture, GLenum target) {
    return cudaGraphicsGLRegisterImage(&resource, texture, target, cudaGraphicsRegisterFlagsNone);
  };
  CHECK(registered(4711, GL_TEXTURE_2D) == cudaErrorInvalidValue);
  GLuint texture = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  CHECK(registered(texture, GL_TEXTURE_2D) == cudaErrorInvalidValue);  // no storage
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, 4, 4, 0, GL_RGB, GL_UNSIGNED_BYTE, nullptr);
  CHECK(registered(texture, GL_TEXTURE_2D) == cudaErrorInvalidValue);  // three channels
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  CHECK(registered(texture, GL_TEXTURE_3D) == cudaErrorNotSupported);
  REQUIRE(registered(texture, GL_TEXTURE_2D) == cudaSuccess);
  cudaArray_t array = nullptr;
  void* pointer = nullptr;
  CHECK(cudaGraphicsSubResourceGetMappedArray(&array, resource, 0, 0) == cudaErrorNotMapped);
  CHECK(cudaGraphicsUnmapResources(1, &resource) == cudaErrorNotMapped);
  REQUIRE(cudaGraphicsMapResources(1, &resource) == cudaSuccess);
  CHECK(cudaGraphicsMapResources(1, &resource) == cudaErrorAlreadyMapped);
  CHECK(cudaGraphicsResourceGetMappedPointer(&pointer, nullptr, resource) ==
        cudaErrorNotMappedAsPointer);
  CHECK(cudaGraphicsSubResourceGetMappedArray(&array, resource, 1, 0) == cudaErrorInvalidValue);
  CHECK(cudaGraphicsSubResourceGetMappedArray(&array, resource, 0, 1) == cudaErrorInvalidValue);
  CHECK(cudaGraphicsUnregisterResource(resource) == cudaErrorAlreadyMapped);
  CHECK(cudaGraphicsUnmapResources(1, &resource) == cudaSuccess);
  CHECK(cudaGraphicsUnregisterResource(resource) == cudaSuccess);
  glDeleteTextures(1, &texture);

  const GLuint buffer = course::create_gl_buffer(kBytes);
  REQUIRE(cudaGraphicsGLRegisterBuffer(&resource, buffer, cudaGraphicsRegisterFlagsNone) ==
          cudaSuccess);
  REQUIRE(cudaGraphicsMapResources(1, &resource) == cudaSuccess);
  CHECK(cudaGraphicsSubResourceGetMappedArray(&array, resource, 0, 0) == cudaErrorNotMappedAsArray);
  CHECK(cudaGraphicsUnmapResources(1, &resource) == cudaSuccess);
  CHECK(cudaGraphicsUnregisterResource(resource) == cudaSuccess);
  glDeleteBuffers(1, &buffer);
  cudaGetLastError();
}

TEST_CASE("many frames leave nothing behind") {
  REQUIRE(open_gl());
  const GLuint buffer = course::create_gl_buffer(kBytes);
  cudaGraphicsResource* resource = nullptr;
  REQUIRE(cudaGraphicsGLRegisterBuffer(&resource, buffer, cudaGraphicsRegisterFlagsNone) ==
          cudaSuccess);
  size_t files = 0, pages = 0;
  for (int frame = 0; frame < 3000; frame++) {
    uchar4* pixels = nullptr;
    size_t bytes = 0;
    HANDLE_ERROR(cudaGraphicsMapResources(1, &resource));
    HANDLE_ERROR(
        cudaGraphicsResourceGetMappedPointer(reinterpret_cast<void**>(&pixels), &bytes, resource));
    fill<<<(kPixels + 255) / 256, 256>>>(pixels, kPixels, static_cast<unsigned char>(frame));
    HANDLE_ERROR(cudaGetLastError());
    HANDLE_ERROR(cudaGraphicsUnmapResources(1, &resource));
    course::draw_pixels(kSize, kSize, nullptr);
    if (frame == 999) {
      files = open_files();
      pages = resident_pages();
    }
  }
  CHECK(open_files() == files);
  CHECK((kKeepsFreed || resident_pages() < pages + 512));  // 2 MB
  CHECK(cudaGraphicsUnregisterResource(resource) == cudaSuccess);
  glDeleteBuffers(1, &buffer);
}
