// Textures on the CPU device only: what it explains, and the texture references that today's
// Toolkit no longer has.

#include <doctest/doctest.h>
#include <stdio.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <vector>

#include "../common/book.h"
#include "../common/watchdog.h"
#include "run_program.h"

// ---- texture references, as the book declares them ----

texture<float> reference_1d;
texture<float, 2> reference_2d;
static texture<uchar4, cudaTextureType2D, cudaReadModeNormalizedFloat> reference_colors;
texture<int, 1, cudaReadModeElementType> reference_of_array;
// The same name for something else stays possible.
struct Material {
  cudaTextureObject_t texture;
};
static int texture_count = 0;

namespace {

__global__ void through_references(float* result, int width, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n)
    result[i] = tex1Dfetch(reference_1d, i) + 1000 * tex2D(reference_2d, i % width, i / width);
}

__global__ void colors_through_reference(float4* result) {
  result[threadIdx.x] = tex2D(reference_colors, threadIdx.x + 0.5f, 0.5f);
}

__global__ void array_through_reference(int* result) {
  result[threadIdx.x] = tex1D(reference_of_array, threadIdx.x);
}

__global__ void as_float(cudaTextureObject_t texture, float* result) {
  *result = tex2D<float>(texture, 0.5f, 0.5f);
}
__global__ void as_int(cudaTextureObject_t texture, int* result) {
  *result = tex2D<int>(texture, 0.5f, 0.5f);
}
__global__ void as_uchar(cudaTextureObject_t texture, unsigned char* result) {
  *result = tex2D<unsigned char>(texture, 0.5f, 0.5f);
}
__global__ void as_float4(cudaTextureObject_t texture, float4* result) {
  *result = tex2D<float4>(texture, 0.5f, 0.5f);
}
__global__ void one_dimension(cudaTextureObject_t texture, float* result) {
  *result = tex1D<float>(texture, 0.5f);
}
__global__ void fetch(cudaTextureObject_t texture, float* result) {
  *result = tex1Dfetch<float>(texture, 0);
}

struct Ending {
  cudaError_t error = cudaSuccess;
  std::string explanation;
};

// Runs `work` in a child process: what it returned, and what the CPU device wrote on stderr. The
// test's own process makes no CUDA call before.
Ending in_child(const std::function<cudaError_t()>& work) {
  course::TemporaryFolder folder;
  const std::string file = folder.file("stderr");
  course::SharedArray<cudaError_t> error(1);
  error[0] = cudaErrorUnknown;
  const course::Attempt attempt = course::attempt(
      [&] {
        if (freopen(file.c_str(), "w", stderr) == nullptr) _exit(99);
        error[0] = work();
      },
      60);
  CHECK_FALSE(attempt.hung);
  CHECK(attempt.exit_code == 0);
  CHECK(attempt.signal == 0);
  return {error[0], course::read_file(file)};
}

// Fails with `error`, and the explanation contains all of `parts` and this file's name.
void check_explained(cudaError_t error, const std::vector<std::string>& parts,
                     const std::function<cudaError_t()>& work) {
  const Ending ending = in_child(work);
  CHECK(ending.error == error);
  CHECK_MESSAGE(course::contains(ending.explanation, "cpu_device_texture_test.cu:"),
                ending.explanation);
  for (const std::string& part : parts)
    CHECK_MESSAGE(course::contains(ending.explanation, part), ending.explanation);
}

cudaResourceDesc linear(void* memory, size_t bytes) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = bytes;
  return resource;
}

template <typename T>
cudaResourceDesc pitched(void* memory, size_t width, size_t height, size_t pitch) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = memory;
  resource.res.pitch2D.desc = cudaCreateChannelDesc<T>();
  resource.res.pitch2D.width = width;
  resource.res.pitch2D.height = height;
  resource.res.pitch2D.pitchInBytes = pitch;
  return resource;
}

void* allocate(size_t bytes) {
  void* memory = nullptr;
  HANDLE_ERROR(cudaMalloc(&memory, bytes));
  HANDLE_ERROR(cudaMemset(memory, 0, bytes));
  return memory;
}

cudaError_t create(const cudaResourceDesc& resource, cudaTextureDesc how = {},
                   cudaTextureObject_t* object = nullptr) {
  cudaTextureObject_t ignored;
  return cudaCreateTextureObject(object != nullptr ? object : &ignored, &resource, &how, nullptr);
}

// A texture of 8 x 4 elements.
template <typename T>
cudaTextureObject_t small_texture(cudaTextureDesc how = {}) {
  cudaTextureObject_t object = 0;
  HANDLE_ERROR(create(pitched<T>(allocate(4 * 512), 8, 4, 512), how, &object));
  return object;
}

template <typename T>
T* result_memory() {
  return static_cast<T*>(allocate(sizeof(T)));
}

}  // namespace

TEST_CASE("texture references: bound, read, bound anew") {
  const Ending ending = in_child([] {
    const int width = 16, height = 4, n = width * height;
    std::vector<float> up(n), down(n), result(n);
    for (int i = 0; i < n; i++) {
      up[i] = static_cast<float>(i);
      down[i] = static_cast<float>(n - i);
    }
    float* dev_up = static_cast<float*>(allocate(n * sizeof(float)));
    float* dev_down = static_cast<float*>(allocate(n * sizeof(float)));
    float* dev_result = static_cast<float*>(allocate(n * sizeof(float)));
    HANDLE_ERROR(cudaMemcpy(dev_up, up.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    HANDLE_ERROR(cudaMemcpy(dev_down, down.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    for (bool swapped : {false, true}) {
      HANDLE_ERROR(
          cudaBindTexture(NULL, reference_1d, swapped ? dev_down : dev_up, n * sizeof(float)));
      HANDLE_ERROR(cudaBindTexture2D(NULL, reference_2d, swapped ? dev_up : dev_down, format, width,
                                     height, width * sizeof(float)));
      through_references<<<2, 32>>>(dev_result, width, n);
      // Bound to something else before the launch has run: the launch keeps what it was given.
      HANDLE_ERROR(cudaBindTexture(NULL, reference_1d, dev_result, format, n * sizeof(float)));
      HANDLE_ERROR(
          cudaMemcpy(result.data(), dev_result, n * sizeof(float), cudaMemcpyDeviceToHost));
      for (int i = 0; i < n; i++) {
        const float expected = swapped ? down[i] + 1000 * up[i] : up[i] + 1000 * down[i];
        if (result[i] != expected) return cudaErrorUnknown;
      }
    }
    HANDLE_ERROR(cudaUnbindTexture(reference_1d));
    HANDLE_ERROR(cudaUnbindTexture(reference_1d));  // once more does no harm
    return cudaUnbindTexture(reference_2d);
  });
  CHECK(ending.error == cudaSuccess);
  CHECK(ending.explanation == "");
}

TEST_CASE("texture references: settings, arrays, normalized reads") {
  const Ending ending = in_child([] {
    const uchar4 colors[] = {{0, 51, 102, 255}, {255, 204, 153, 0}};
    void* memory = allocate(32);
    HANDLE_ERROR(cudaMemcpy(memory, colors, sizeof colors, cudaMemcpyHostToDevice));
    reference_colors.filterMode = cudaFilterModeLinear;
    HANDLE_ERROR(cudaBindTexture2D(NULL, reference_colors, memory, 2, 1, 32));
    float4* dev_result = static_cast<float4*>(allocate(2 * sizeof(float4)));
    colors_through_reference<<<1, 2>>>(dev_result);
    float4 result[2];
    HANDLE_ERROR(cudaMemcpy(result, dev_result, sizeof result, cudaMemcpyDeviceToHost));
    if (result[0].y != 0.2f || result[0].w != 1 || result[1].x != 1 || result[1].y != 0.8f)
      return cudaErrorUnknown;

    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    const int numbers[] = {7, 8, 9};
    cudaArray* array = nullptr;
    HANDLE_ERROR(cudaMallocArray(&array, &format, 3));
    HANDLE_ERROR(cudaMemcpyToArray(array, 0, 0, numbers, sizeof numbers, cudaMemcpyHostToDevice));
    HANDLE_ERROR(cudaBindTextureToArray(reference_of_array, array));
    int* dev_numbers = static_cast<int*>(allocate(5 * sizeof(int)));
    array_through_reference<<<1, 5>>>(dev_numbers);
    int back[5];
    HANDLE_ERROR(cudaMemcpy(back, dev_numbers, sizeof back, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 5; i++)
      if (back[i] != numbers[i < 3 ? i : 2]) return cudaErrorUnknown;
    return cudaFreeArray(array);
  });
  CHECK(ending.error == cudaSuccess);
  CHECK(ending.explanation == "");
}

TEST_CASE("a reference that is not bound") {
  check_explained(cudaErrorInvalidTexture, {"a texture that is not there", "must be bound"}, [] {
    through_references<<<1, 1>>>(result_memory<float>(), 1, 1);
    return cudaDeviceSynchronize();
  });
}

TEST_CASE("other things named texture") {
  Material material{5};
  int texture = 3;
  if (texture < 5 && 7 > texture) texture_count++;
  CHECK(texture_count == 1);
  CHECK(material.texture == 5);
}

TEST_CASE("memory that cannot be a texture") {
  check_explained(cudaErrorInvalidValue, {"not device memory", "cudaMalloc"}, [] {
    static float host[64];
    return create(linear(host, sizeof host));
  });
  check_explained(cudaErrorInvalidValue, {"goes beyond its memory", "256 bytes are left"},
                  [] { return create(linear(allocate(256), 260)); });
  check_explained(cudaErrorInvalidValue, {"begins 4 bytes into", "multiples of 512"},
                  [] { return create(linear(static_cast<char*>(allocate(256)) + 4, 128)); });
  check_explained(cudaErrorInvalidValue, {"pitch of 36 bytes", "multiple of 32", "cudaMallocPitch"},
                  [] { return create(pitched<float>(allocate(36 * 4), 9, 4, 36)); });
  check_explained(cudaErrorInvalidValue, {"rows of 36 bytes with a pitch of 32"},
                  [] { return create(pitched<float>(allocate(32 * 4), 9, 4, 32)); });
  check_explained(cudaErrorInvalidValue, {"0 x 4 elements"},
                  [] { return create(pitched<float>(allocate(512), 0, 4, 512)); });
  check_explained(cudaErrorInvalidValue, {"200000 x 1 elements", "at most 131072"},
                  [] { return create(pitched<float>(allocate(800000), 200000, 1, 800000)); });
}

TEST_CASE("formats and filters that do not exist") {
  check_explained(
      cudaErrorInvalidChannelDescriptor, {"there are no elements of 32, 32, 32 and 0"}, [] {
        cudaResourceDesc resource = linear(allocate(1200), 1200);
        resource.res.linear.desc = cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat);
        return create(resource);
      });
  check_explained(cudaErrorInvalidFilterSetting, {"linear filtering of integers"}, [] {
    cudaTextureDesc how = {};
    how.filterMode = cudaFilterModeLinear;
    return create(pitched<int>(allocate(4 * 512), 8, 4, 512), how);
  });
  check_explained(cudaErrorInvalidNormSetting, {"32 bits cannot be read as normalized"}, [] {
    cudaTextureDesc how = {};
    how.readMode = cudaReadModeNormalizedFloat;
    return create(pitched<int>(allocate(4 * 512), 8, 4, 512), how);
  });
}

TEST_CASE("what is not supported says so") {
  check_explained(cudaErrorNotSupported, {"mipmapped arrays are not supported"}, [] {
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeMipmappedArray;
    return create(resource);
  });
  check_explained(cudaErrorNotSupported, {"layered arrays"}, [] {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    return cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 4, 4), cudaArrayLayered);
  });
  check_explained(cudaErrorNotSupported, {"sRGB"}, [] {
    cudaTextureDesc how = {};
    how.sRGB = 1;
    return create(pitched<uchar4>(allocate(4 * 512), 8, 4, 512), how);
  });
}

TEST_CASE("a kernel's type that does not fit the texture") {
  check_explained(
      cudaErrorInvalidTexture,
      {"read as 1 channel of 32 bits, signed", "elements are 1 channel of 32 bits, float"}, [] {
        as_int<<<1, 1>>>(small_texture<float>(), result_memory<int>());
        return cudaDeviceSynchronize();
      });
  check_explained(cudaErrorInvalidTexture, {"but gives normalized floats"}, [] {
    cudaTextureDesc how = {};
    how.readMode = cudaReadModeNormalizedFloat;
    as_uchar<<<1, 1>>>(small_texture<unsigned char>(how), result_memory<unsigned char>());
    return cudaDeviceSynchronize();
  });
}

TEST_CASE("a kernel's dimensions that do not fit the texture") {
  check_explained(cudaErrorInvalidTexture, {"tex1D() of a texture of 2 dimensions", "take tex2D()"},
                  [] {
                    one_dimension<<<1, 1>>>(small_texture<float>(), result_memory<float>());
                    return cudaDeviceSynchronize();
                  });
  check_explained(cudaErrorInvalidTexture, {"tex1Dfetch() of a texture of 2 dimensions"}, [] {
    fetch<<<1, 1>>>(small_texture<float>(), result_memory<float>());
    return cudaDeviceSynchronize();
  });
  check_explained(cudaErrorInvalidTexture,
                  {"tex1D() of a texture in linear memory", "tex1Dfetch()"}, [] {
                    cudaTextureObject_t object = 0;
                    HANDLE_ERROR(create(linear(allocate(256), 256), {}, &object));
                    one_dimension<<<1, 1>>>(object, result_memory<float>());
                    return cudaDeviceSynchronize();
                  });
}

TEST_CASE("missing channels are filled up") {
  const Ending ending = in_child([] {
    float4* dev_result = result_memory<float4>();
    as_float4<<<1, 1>>>(small_texture<float>(), dev_result);
    float4 result;
    HANDLE_ERROR(cudaMemcpy(&result, dev_result, sizeof result, cudaMemcpyDeviceToHost));
    return result.x == 0 && result.y == 0 && result.z == 0 && result.w == 1 ? cudaSuccess
                                                                            : cudaErrorUnknown;
  });
  CHECK(ending.error == cudaSuccess);
}

TEST_CASE("texture objects that are not there") {
  check_explained(cudaErrorInvalidTexture, {"a texture that is not there"}, [] {
    as_float<<<1, 1>>>(0, result_memory<float>());
    return cudaDeviceSynchronize();
  });
  check_explained(cudaErrorInvalidTexture, {"that has been destroyed"}, [] {
    const cudaTextureObject_t object = small_texture<float>();
    HANDLE_ERROR(cudaDestroyTextureObject(object));
    as_float<<<1, 1>>>(object, result_memory<float>());
    return cudaDeviceSynchronize();
  });
  check_explained(cudaErrorInvalidValue, {"this is not a texture object"}, [] {
    const cudaTextureObject_t object = small_texture<float>();
    HANDLE_ERROR(cudaDestroyTextureObject(object));
    return cudaDestroyTextureObject(object);
  });
  CHECK(in_child([] { return cudaDestroyTextureObject(0); }).error == cudaSuccess);
}

TEST_CASE("an object may be destroyed as soon as its launch is queued") {
  const Ending ending = in_child([] {
    const cudaTextureObject_t object = small_texture<float>();
    float* dev_result = result_memory<float>();
    as_float<<<1, 1>>>(object, dev_result);
    HANDLE_ERROR(cudaDestroyTextureObject(object));
    return cudaDeviceSynchronize();
  });
  CHECK(ending.error == cudaSuccess);
  CHECK(ending.explanation == "");
}

TEST_CASE("arrays: sizes, ends, and what is not an array") {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  check_explained(cudaErrorInvalidValue, {"an array of 0 x 4 x 0 elements"},
                  [&] { return cudaMallocArray(&array, &format, 0, 4); });
  check_explained(cudaErrorInvalidValue, {"1 to 65536"},
                  [&] { return cudaMallocArray(&array, &format, 4, 70000); });
  check_explained(
      cudaErrorInvalidValue, {"goes beyond the array, which has 64 bytes x 4 rows"}, [&] {
        static float host[100];
        HANDLE_ERROR(cudaMallocArray(&array, &format, 16, 4));
        return cudaMemcpy2DToArray(array, 4, 0, host, 64, 64, 4, cudaMemcpyHostToDevice);
      });
  check_explained(cudaErrorInvalidValue, {"at byte 0 of row 1 goes beyond"}, [&] {
    static float host[100];
    HANDLE_ERROR(cudaMallocArray(&array, &format, 16, 4));
    return cudaMemcpy2DFromArray(host, 64, array, 0, 1, 64, 4, cudaMemcpyDeviceToHost);
  });
  check_explained(
      cudaErrorInvalidValue, {"the direction cudaMemcpyDeviceToHost does not fit"}, [&] {
        static float host[64];
        HANDLE_ERROR(cudaMallocArray(&array, &format, 16, 4));
        return cudaMemcpy2DToArray(array, 0, 0, host, 64, 64, 4, cudaMemcpyDeviceToHost);
      });
  check_explained(cudaErrorInvalidResourceHandle, {"this is not an array"}, [&] {
    HANDLE_ERROR(cudaMallocArray(&array, &format, 16, 4));
    HANDLE_ERROR(cudaFreeArray(array));
    return cudaFreeArray(array);
  });
  CHECK(in_child([] { return cudaFreeArray(nullptr); }).error == cudaSuccess);
}

TEST_CASE("arrays: a run of bytes goes on in the next row") {
  const Ending ending = in_child([] {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array = nullptr;
    HANDLE_ERROR(cudaMallocArray(&array, &format, 5, 3));
    int numbers[15], back[15] = {};
    for (int i = 0; i < 15; i++) numbers[i] = i;
    HANDLE_ERROR(cudaMemcpyToArray(array, 0, 0, numbers, sizeof numbers, cudaMemcpyHostToDevice));
    HANDLE_ERROR(cudaMemcpyFromArray(back, array, 2 * sizeof(int), 1, 8 * sizeof(int),
                                     cudaMemcpyDeviceToHost));
    for (int i = 0; i < 8; i++)
      if (back[i] != 7 + i) return cudaErrorUnknown;
    return cudaSuccess;
  });
  CHECK(ending.error == cudaSuccess);
}

TEST_CASE("arrays count as device memory") {
  const Ending ending = in_child([] {
    size_t before = 0, after = 0, total = 0;
    HANDLE_ERROR(cudaMemGetInfo(&before, &total));
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    HANDLE_ERROR(cudaMallocArray(&array, &format, 1024, 1024));
    HANDLE_ERROR(cudaMemGetInfo(&after, &total));
    if (before - after < 4 * 1024 * 1024) return cudaErrorUnknown;
    HANDLE_ERROR(cudaFreeArray(array));
    HANDLE_ERROR(cudaMemGetInfo(&after, &total));
    return before == after ? cudaSuccess : cudaErrorUnknown;
  });
  CHECK(ending.error == cudaSuccess);
}
