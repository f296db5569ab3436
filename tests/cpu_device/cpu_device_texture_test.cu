// Textures on the CPU device only: what it explains, and the texture references that today's
// Toolkit no longer has.

#include <doctest/doctest.h>
#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "../../common/handle_error.h"
#include "../../common/program/watchdog.h"
#include "../harness/run_program.h"

// ---- texture references, as the book declares them ----

texture<float> reference_1d;
texture<float, 2> reference_2d;
static texture<uchar4, cudaTextureType2D, cudaReadModeNormalizedFloat> reference_colors;
texture<int, 1, cudaReadModeElementType> reference_of_array;
texture<float, cudaTextureType2DLayered> reference_of_layers;
surface<void, cudaSurfaceType2D> surface_reference;
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

__global__ void with_gradient(cudaTextureObject_t texture, float* result) {
  *result = tex2DGrad<float>(texture, 0.5f, 0.5f, make_float2(0.1f, 0), make_float2(0, 0.1f));
}
__global__ void at_level(cudaTextureObject_t texture, float level, float* result) {
  *result = tex2DLod<float>(texture, 0.5f, 0.5f, level);
}
__global__ void of_layer(cudaTextureObject_t texture, int layer, float* result) {
  *result = tex2DLayered<float>(texture, 0.5f, 0.5f, layer);
}
__global__ void bits_of_layer(cudaTextureObject_t texture, int layer, float* result) {
  *result = __int_as_float(tex2DLayered<int>(texture, 0.5f, 0.5f, layer));
}
__global__ void to_surface(cudaSurfaceObject_t to, int x, int layer) {
  surf2DLayeredwrite(1.0f, to, x, 0, layer);
}
__global__ void fetch_through_reference(int i, float* result) {
  *result = tex1Dfetch(reference_1d, i);
}
__global__ void layer_through_reference(int layer, float* result) {
  *result = tex2DLayered(reference_of_layers, 0.5f, 0.5f, layer);
}
__global__ void through_surface_reference() {
  surf2Dwrite(42.0f, surface_reference, 1 * sizeof(float), 2);
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

// An array of floats as a resource.
cudaResourceDesc whole_array(cudaExtent extent, unsigned int flags) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  HANDLE_ERROR(cudaMalloc3DArray(&resource.res.array.array, &format, extent, flags));
  return resource;
}

// Each layer holds its own number.
void fill_layers(cudaArray_t array, size_t width, size_t height, size_t layers) {
  std::vector<float> elements;
  for (size_t i = 0; i < width * height * layers; i++)
    elements.push_back(static_cast<float>(i / (width * height)));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(elements.data(), width * sizeof(float), width, height);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(width, height, layers);
  copy.kind = cudaMemcpyHostToDevice;
  HANDLE_ERROR(cudaMemcpy3D(&copy));
}

// A texture of 8 x 8 elements and 4 levels, each of which holds its own number.
cudaTextureObject_t levels_texture(const cudaTextureDesc& how,
                                   const cudaResourceViewDesc* view = nullptr) {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  HANDLE_ERROR(
      cudaMallocMipmappedArray(&resource.res.mipmap.mipmap, &format, make_cudaExtent(8, 8, 0), 4));
  for (unsigned int l = 0; l < 4; l++) {
    cudaArray_t level = nullptr;
    HANDLE_ERROR(cudaGetMipmappedArrayLevel(&level, resource.res.mipmap.mipmap, l));
    const std::vector<float> elements(64, static_cast<float>(l));
    const size_t row = (8 >> l) * sizeof(float);
    HANDLE_ERROR(cudaMemcpy2DToArray(level, 0, 0, elements.data(), row, row, 8 >> l,
                                     cudaMemcpyHostToDevice));
  }
  cudaTextureObject_t object = 0;
  HANDLE_ERROR(cudaCreateTextureObject(&object, &resource, &how, view));
  return object;
}

cudaError_t create_view(const cudaResourceDesc& resource, cudaResourceViewFormat format,
                        unsigned int first_layer = 0) {
  cudaResourceViewDesc view = {};
  view.format = format;
  view.width = view.height = 8;
  view.firstLayer = first_layer;
  const cudaTextureDesc how = {};
  cudaTextureObject_t object = 0;
  return cudaCreateTextureObject(&object, &resource, &how, &view);
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
  check_explained(cudaErrorInvalidTexture, {"a texture that does not exist", "before the launch"}, [] {
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
  // A GPU accepts it, too.
  check_explained(cudaSuccess, {"exceeds its memory", "only 256 bytes are left"}, [] { return create(linear(allocate(256), 260)); });
  check_explained(cudaErrorInvalidValue, {"exceeds its memory", "only 256 bytes are left"},
                  [] { return create(pitched<float>(allocate(256), 8, 9, 32)); });
  check_explained(cudaErrorInvalidValue, {"starts at byte 4 of its memory", "multiple of 512"},
                  [] { return create(linear(static_cast<char*>(allocate(256)) + 4, 128)); });
  check_explained(cudaErrorInvalidValue, {"pitch of 36 bytes", "multiple of 32", "cudaMallocPitch"},
                  [] { return create(pitched<float>(allocate(36 * 4), 9, 4, 36)); });
  check_explained(cudaErrorInvalidValue, {"rows of 36 bytes cannot have a pitch of 32"},
                  [] { return create(pitched<float>(allocate(32 * 4), 9, 4, 32)); });
  check_explained(cudaErrorInvalidValue, {"0 x 4 elements"},
                  [] { return create(pitched<float>(allocate(512), 0, 4, 512)); });
  check_explained(cudaErrorInvalidValue, {"200000 x 1 elements", "at most 131072"},
                  [] { return create(pitched<float>(allocate(800000), 200000, 1, 800000)); });
}

TEST_CASE("formats and filters that do not exist") {
  check_explained(
      cudaErrorInvalidChannelDescriptor, {"elements of 32, 32, 32 and 0 bits"}, [] {
        cudaResourceDesc resource = linear(allocate(1200), 1200);
        resource.res.linear.desc = cudaCreateChannelDesc(32, 32, 32, 0, cudaChannelFormatKindFloat);
        return create(resource);
      });
  check_explained(cudaErrorInvalidFilterSetting, {"linear filtering does not work with integers"}, [] {
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
  check_explained(cudaErrorNotSupported, {"views of compressed formats"}, [] {
    return create_view(whole_array({8, 8, 0}, 0), cudaResViewFormatUnsignedBlockCompressed1);
  });
  check_explained(cudaErrorNotSupported, {"views of single layers of a layered cube map"}, [] {
    return create_view(whole_array({8, 8, 12}, cudaArrayLayered | cudaArrayCubemap),
                       cudaResViewFormatFloat1, 1);
  });
  check_explained(cudaErrorInvalidTexture, {"anisotropic filtering", "maxAnisotropy"}, [] {
    cudaTextureDesc how = {};
    how.normalizedCoords = 1;
    how.maxAnisotropy = 16;
    with_gradient<<<1, 1>>>(levels_texture(how), result_memory<float>());
    return cudaDeviceSynchronize();
  });
}

TEST_CASE("views: of some levels, of some layers, of the same bits as something else") {
  const Ending ending = in_child([] {
    float* dev_result = result_memory<float>();
    const auto result = [&] {
      float value = -1;
      HANDLE_ERROR(cudaMemcpy(&value, dev_result, sizeof value, cudaMemcpyDeviceToHost));
      return value;
    };
    cudaTextureDesc how = {};
    how.normalizedCoords = 1;
    how.maxMipmapLevelClamp = 10;
    cudaResourceViewDesc view = {};
    view.format = cudaResViewFormatFloat1;
    view.width = view.height = 8;
    for (view.firstMipmapLevel = 0; view.firstMipmapLevel < 4; view.firstMipmapLevel++)
      for (view.lastMipmapLevel = view.firstMipmapLevel; view.lastMipmapLevel < 5;
           view.lastMipmapLevel++) {  // 4: beyond the last one, which is 3
        const cudaTextureObject_t object = levels_texture(how, &view);
        for (unsigned level = 0; level < 6; level++) {
          at_level<<<1, 1>>>(object, static_cast<float>(level), dev_result);
          if (result() != std::min({view.firstMipmapLevel + level, view.lastMipmapLevel, 3u}))
            return cudaErrorUnknown;
        }
      }
    view.firstMipmapLevel = view.lastMipmapLevel = 0;
    cudaTextureObject_t object = 0;
    const cudaResourceDesc layers = whole_array({8, 8, 5}, cudaArrayLayered);
    fill_layers(layers.res.array.array, 8, 8, 5);
    view = {};
    view.format = cudaResViewFormatFloat1;
    view.width = view.height = 8;
    for (view.firstLayer = 0; view.firstLayer < 5; view.firstLayer++)
      for (view.lastLayer = view.firstLayer; view.lastLayer < 6; view.lastLayer++) {
        HANDLE_ERROR(cudaCreateTextureObject(&object, &layers, &how, &view));
        for (unsigned layer = 0; layer < 7; layer++) {
          of_layer<<<1, 1>>>(object, static_cast<int>(layer), dev_result);
          if (result() != std::min({view.firstLayer + layer, view.lastLayer, 4u}))
            return cudaErrorUnknown;
        }
      }
    view.firstLayer = 2;
    view.lastLayer = 3;
    HANDLE_ERROR(cudaCreateTextureObject(&object, &layers, &how, &view));
    cudaResourceViewDesc back = {};
    HANDLE_ERROR(cudaGetTextureObjectResourceViewDesc(&back, object));
    if (back.firstLayer != 2) return cudaErrorUnknown;
    view.format = cudaResViewFormatSignedInt1;
    HANDLE_ERROR(cudaCreateTextureObject(&object, &layers, &how, &view));
    bits_of_layer<<<1, 1>>>(object, 1, dev_result);
    return result() == 3 ? cudaSuccess : cudaErrorUnknown;
  });
  CHECK(ending.error == cudaSuccess);
  CHECK(ending.explanation == "");
}

// Each format of views of an array of each format: it fits if an element has as many bytes.
TEST_CASE("views: which formats fit") {
  const struct {
    cudaResourceViewFormat format;
    int bytes;
  } views[] = {{cudaResViewFormatUnsignedChar1, 1},  {cudaResViewFormatUnsignedChar2, 2},
               {cudaResViewFormatUnsignedChar4, 4},  {cudaResViewFormatSignedChar1, 1},
               {cudaResViewFormatSignedChar2, 2},    {cudaResViewFormatSignedChar4, 4},
               {cudaResViewFormatUnsignedShort1, 2}, {cudaResViewFormatUnsignedShort2, 4},
               {cudaResViewFormatUnsignedShort4, 8}, {cudaResViewFormatSignedShort1, 2},
               {cudaResViewFormatSignedShort2, 4},   {cudaResViewFormatSignedShort4, 8},
               {cudaResViewFormatUnsignedInt1, 4},   {cudaResViewFormatUnsignedInt2, 8},
               {cudaResViewFormatUnsignedInt4, 16},  {cudaResViewFormatSignedInt1, 4},
               {cudaResViewFormatSignedInt2, 8},     {cudaResViewFormatSignedInt4, 16},
               {cudaResViewFormatHalf1, 2},          {cudaResViewFormatHalf2, 4},
               {cudaResViewFormatHalf4, 8},          {cudaResViewFormatFloat1, 4},
               {cudaResViewFormatFloat2, 8},         {cudaResViewFormatFloat4, 16},
               {cudaResViewFormatNone, 0}};
  for (int bits : {8, 16, 32})
    for (int channels : {1, 2, 4}) {
      const auto channel = [&](int i) { return i < channels ? bits : 0; };
      const cudaChannelFormatDesc format = cudaCreateChannelDesc(
          channel(0), channel(1), channel(2), channel(3), cudaChannelFormatKindUnsigned);
      cudaResourceDesc resource = {};
      resource.resType = cudaResourceTypeArray;
      REQUIRE(cudaMallocArray(&resource.res.array.array, &format, 8, 8) == cudaSuccess);
      for (const auto& view : views) {
        INFO("format " << view.format << ", " << channels << " channels of " << bits << " bits");
        const cudaError_t error = create_view(resource, view.format);
        CHECK((error == cudaSuccess) == (view.bytes * 8 == channels * bits));
        cudaGetLastError();
      }
      CHECK(cudaFreeArray(resource.res.array.array) == cudaSuccess);
    }
}

TEST_CASE("layers, levels and cube maps that cannot be, and functions that do not fit them") {
  check_explained(cudaErrorInvalidValue, {"a cube map needs as many rows as columns"}, [] {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    return cudaMalloc3DArray(&array, &format, make_cudaExtent(8, 4, 6), cudaArrayCubemap);
  });
  check_explained(cudaErrorInvalidValue, {"a layered array without layers"}, [] {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    return cudaMallocArray(&array, &format, 8, 8, cudaArrayLayered);
  });
  check_explained(cudaErrorInvalidValue, {"level 4 of this mipmapped array does not exist", "use level 0 to 3"}, [] {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t whole;
    HANDLE_ERROR(cudaMallocMipmappedArray(&whole, &format, make_cudaExtent(8, 8, 0), 9));
    cudaArray_t level;
    return cudaGetMipmappedArrayLevel(&level, whole, 4);
  });
  check_explained(cudaErrorInvalidResourceHandle, {"not a mipmapped array"}, [] {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t whole;
    HANDLE_ERROR(cudaMallocMipmappedArray(&whole, &format, make_cudaExtent(8, 8, 0), 9));
    HANDLE_ERROR(cudaFreeMipmappedArray(whole));
    return cudaFreeMipmappedArray(whole);
  });
  check_explained(cudaErrorInvalidTexture,
                  {"tex2DLayered() does not work with a two-dimensional texture", "use tex2D()"}, [] {
                    of_layer<<<1, 1>>>(small_texture<float>(), 0, result_memory<float>());
                    return cudaDeviceSynchronize();
                  });
  check_explained(cudaErrorInvalidTexture, {"tex2DLod() does not work with a cube map", "use texCubemapLod()"},
                  [] {
                    const cudaResourceDesc cube = whole_array({8, 8, 6}, cudaArrayCubemap);
                    cudaTextureObject_t object = 0;
                    HANDLE_ERROR(create(cube, {}, &object));
                    at_level<<<1, 1>>>(object, 0, result_memory<float>());
                    return cudaDeviceSynchronize();
                  });
}

TEST_CASE("surfaces: outside, between two elements, freed, not there") {
  const auto write = [](cudaExtent extent, unsigned int flags, int x, int layer) {
    return [=] {
      const cudaResourceDesc resource = whole_array(extent, flags | cudaArraySurfaceLoadStore);
      cudaSurfaceObject_t surface = 0;
      HANDLE_ERROR(cudaCreateSurfaceObject(&surface, &resource));
      to_surface<<<1, 1>>>(surface, x, layer);
      return cudaDeviceSynchronize();
    };
  };
  check_explained(cudaErrorIllegalAddress, {"outside the surface of 32 bytes in a row"},
                  write({8, 8, 0}, 0, 32, 0));
  check_explained(cudaErrorIllegalAddress, {"z = 3 is outside the surface", "3 layers"},
                  write({8, 8, 3}, cudaArrayLayered, 4, 3));
  check_explained(cudaErrorMisalignedAddress, {"x = 5 of a surface", "multiple of 4 bytes"},
                  write({8, 8, 0}, 0, 5, 0));
  check_explained(cudaErrorIllegalAddress, {"a surface whose array was freed"}, [] {
    const cudaResourceDesc resource = whole_array({8, 8, 0}, cudaArraySurfaceLoadStore);
    cudaSurfaceObject_t surface = 0;
    HANDLE_ERROR(cudaCreateSurfaceObject(&surface, &resource));
    HANDLE_ERROR(cudaFreeArray(resource.res.array.array));
    to_surface<<<1, 1>>>(surface, 0, 0);
    return cudaDeviceSynchronize();
  });
  check_explained(cudaErrorInvalidSurface, {"a surface that does not exist", "before the launch"}, [] {
    through_surface_reference<<<1, 1>>>();
    return cudaDeviceSynchronize();
  });
}

TEST_CASE("references of the older interface: by address, with offsets, to levels, to surfaces") {
  const Ending ending = in_child([] {
    // 256 floats, bound from the 10th on: the first is 10 elements behind where the texture begins.
    float numbers[256];
    for (int i = 0; i < 256; i++) numbers[i] = static_cast<float>(i);
    auto* memory = static_cast<float*>(allocate(sizeof numbers));
    HANDLE_ERROR(cudaMemcpy(memory, numbers, sizeof numbers, cudaMemcpyHostToDevice));
    const textureReference* by_address = nullptr;
    HANDLE_ERROR(cudaGetTextureReference(&by_address, &reference_1d));
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    size_t offset = 0;
    HANDLE_ERROR(cudaBindTexture(&offset, by_address, memory + 10, &format, 40));
    float* dev_result = result_memory<float>();
    fetch_through_reference<<<1, 1>>>(static_cast<int>(offset / sizeof(float)) + 3, dev_result);
    float result = -1;
    HANDLE_ERROR(cudaMemcpy(&result, dev_result, sizeof result, cudaMemcpyDeviceToHost));
    size_t same = 0;
    HANDLE_ERROR(cudaGetTextureAlignmentOffset(&same, reference_1d));
    if (offset != 40 || same != 40 || result != 13) return cudaErrorUnknown;
    HANDLE_ERROR(cudaUnbindTexture(by_address));
    HANDLE_ERROR(cudaBindTexture(NULL, reference_1d, memory));  // all of it
    fetch_through_reference<<<1, 1>>>(255, dev_result);
    HANDLE_ERROR(cudaMemcpy(&result, dev_result, sizeof result, cudaMemcpyDeviceToHost));
    if (result != 255) return cudaErrorUnknown;

    const cudaResourceDesc layers = whole_array({8, 8, 5}, cudaArrayLayered);
    fill_layers(layers.res.array.array, 8, 8, 5);
    HANDLE_ERROR(cudaBindTextureToArray(reference_of_layers, layers.res.array.array));
    layer_through_reference<<<1, 1>>>(4, dev_result);
    HANDLE_ERROR(cudaMemcpy(&result, dev_result, sizeof result, cudaMemcpyDeviceToHost));
    if (result != 4) return cudaErrorUnknown;

    const cudaResourceDesc plane = whole_array({8, 8, 0}, cudaArraySurfaceLoadStore);
    HANDLE_ERROR(cudaBindSurfaceToArray(surface_reference, plane.res.array.array));
    through_surface_reference<<<1, 1>>>();
    HANDLE_ERROR(cudaMemcpy2DFromArray(&result, 4, plane.res.array.array, 4, 2, 4, 1,
                                       cudaMemcpyDeviceToHost));
    return result == 42 ? cudaSuccess : cudaErrorUnknown;
  });
  CHECK(ending.error == cudaSuccess);
  CHECK(ending.explanation == "");
}

TEST_CASE("references by their names") {
  check_explained(cudaErrorInvalidTexture, {"not the address of a texture reference"}, [] {
    const textureReference* found = nullptr;
    return cudaGetTextureReference(&found, "reference_1d");
  });
  check_explained(cudaErrorInvalidSurface, {"not the address of a surface reference"}, [] {
    const surfaceReference* found = nullptr;
    return cudaGetSurfaceReference(&found, "surface_reference");
  });
}

TEST_CASE("other things named surface") {
  int surface = 3;
  if (surface < 5 && 7 > surface) texture_count++;
  CHECK(surface == 3);
}

TEST_CASE("a kernel's type that does not fit the texture") {
  check_explained(
      cudaErrorInvalidTexture,
      {"read as 1 channel of 32 bits, signed", "elements are 1 channel of 32 bits, float"}, [] {
        as_int<<<1, 1>>>(small_texture<float>(), result_memory<int>());
        return cudaDeviceSynchronize();
      });
  check_explained(cudaErrorInvalidTexture, {"but returns normalized floats"}, [] {
    cudaTextureDesc how = {};
    how.readMode = cudaReadModeNormalizedFloat;
    as_uchar<<<1, 1>>>(small_texture<unsigned char>(how), result_memory<unsigned char>());
    return cudaDeviceSynchronize();
  });
}

TEST_CASE("a kernel's dimensions that do not fit the texture") {
  check_explained(cudaErrorInvalidTexture, {"tex1D() does not work with a two-dimensional texture", "use tex2D()"},
                  [] {
                    one_dimension<<<1, 1>>>(small_texture<float>(), result_memory<float>());
                    return cudaDeviceSynchronize();
                  });
  check_explained(cudaErrorInvalidTexture, {"tex1Dfetch() does not work with a two-dimensional texture"}, [] {
    fetch<<<1, 1>>>(small_texture<float>(), result_memory<float>());
    return cudaDeviceSynchronize();
  });
  check_explained(cudaErrorInvalidTexture,
                  {"tex1D() does not work with a texture in linear memory", "tex1Dfetch()"}, [] {
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
  check_explained(cudaErrorInvalidTexture, {"a texture that does not exist"}, [] {
    as_float<<<1, 1>>>(0, result_memory<float>());
    return cudaDeviceSynchronize();
  });
  check_explained(cudaErrorInvalidTexture, {"reads what is not a texture object", "surf2Dread"}, [] {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    HANDLE_ERROR(cudaMallocArray(&resource.res.array.array, &format, 4, 4, cudaArraySurfaceLoadStore));
    cudaSurfaceObject_t surface = 0;
    HANDLE_ERROR(cudaCreateSurfaceObject(&surface, &resource));
    as_float<<<1, 1>>>(surface, result_memory<float>());
    return cudaDeviceSynchronize();
  });
  check_explained(cudaErrorInvalidTexture, {"that was already destroyed"}, [] {
    const cudaTextureObject_t object = small_texture<float>();
    HANDLE_ERROR(cudaDestroyTextureObject(object));
    as_float<<<1, 1>>>(object, result_memory<float>());
    return cudaDeviceSynchronize();
  });
  check_explained(cudaErrorInvalidValue, {"not a texture object"}, [] {
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
      cudaErrorInvalidValue, {"exceeds the array of 64 bytes x 4 rows"}, [&] {
        static float host[100];
        HANDLE_ERROR(cudaMallocArray(&array, &format, 16, 4));
        return cudaMemcpy2DToArray(array, 4, 0, host, 64, 64, 4, cudaMemcpyHostToDevice);
      });
  check_explained(cudaErrorInvalidValue, {"at byte 0 of row 1 exceeds"}, [&] {
    static float host[100];
    HANDLE_ERROR(cudaMallocArray(&array, &format, 16, 4));
    return cudaMemcpy2DFromArray(host, 64, array, 0, 1, 64, 4, cudaMemcpyDeviceToHost);
  });
  check_explained(
      cudaErrorInvalidValue, {"wrong copy direction cudaMemcpyDeviceToHost"}, [&] {
        static float host[64];
        HANDLE_ERROR(cudaMallocArray(&array, &format, 16, 4));
        return cudaMemcpy2DToArray(array, 0, 0, host, 64, 64, 4, cudaMemcpyDeviceToHost);
      });
  check_explained(cudaErrorInvalidResourceHandle, {"not an array"}, [&] {
    HANDLE_ERROR(cudaMallocArray(&array, &format, 16, 4));
    HANDLE_ERROR(cudaFreeArray(array));
    return cudaFreeArray(array);
  });
  CHECK(in_child([] { return cudaFreeArray(nullptr); }).error == cudaSuccess);
}

// Each size of each kind of array: the largest one that the device's properties name, and one more.
TEST_CASE("arrays: the largest sizes") {
  cudaDeviceProp p;
  HANDLE_ERROR(cudaGetDeviceProperties(&p, 0));
  struct Limit {
    unsigned flags;
    cudaExtent smallest;
    size_t cudaExtent::*size;
    int largest;
  };
  size_t cudaExtent::*const width = &cudaExtent::width;
  size_t cudaExtent::*const height = &cudaExtent::height;
  size_t cudaExtent::*const depth = &cudaExtent::depth;
  const cudaExtent line = {1, 0, 0}, plane = {1, 1, 0}, box = {1, 1, 1};
  const Limit limits[] = {
      {cudaArrayDefault, line, width, p.maxTexture1D},
      {cudaArrayDefault, plane, width, p.maxTexture2D[0]},
      {cudaArrayDefault, plane, height, p.maxTexture2D[1]},
      {cudaArrayTextureGather, plane, width, p.maxTexture2DGather[0]},
      {cudaArrayTextureGather, plane, height, p.maxTexture2DGather[1]},
      {cudaArrayDefault, box, width, p.maxTexture3D[0]},
      {cudaArrayDefault, box, height, p.maxTexture3D[1]},
      {cudaArrayDefault, box, depth, p.maxTexture3D[2]},
      {cudaArrayLayered, {1, 0, 1}, width, p.maxTexture1DLayered[0]},
      {cudaArrayLayered, {1, 0, 1}, depth, p.maxTexture1DLayered[1]},
      {cudaArrayLayered, box, width, p.maxTexture2DLayered[0]},
      {cudaArrayLayered, box, height, p.maxTexture2DLayered[1]},
      {cudaArrayLayered, box, depth, p.maxTexture2DLayered[2]}};
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
  for (const Limit& limit : limits)
    for (int more : {0, 1}) {
      cudaExtent extent = limit.smallest;
      extent.*limit.size = static_cast<size_t>(limit.largest + more);
      INFO("flags " << limit.flags << ": " << extent.width << " x " << extent.height << " x "
                    << extent.depth);
      cudaArray_t array = nullptr;
      const cudaError_t error = cudaMalloc3DArray(&array, &format, extent, limit.flags);
      CHECK(error == (more == 0 ? cudaSuccess : cudaErrorInvalidValue));
      if (error == cudaSuccess) CHECK(cudaFreeArray(array) == cudaSuccess);
    }
  // The sides of a cube map of the largest size would take gigabytes.
  const auto of_cube = [&](unsigned flags, int side, int faces) {
    cudaArray_t array = nullptr;
    const cudaExtent extent = make_cudaExtent(static_cast<size_t>(side), static_cast<size_t>(side),
                                              static_cast<size_t>(faces));
    const cudaError_t error = cudaMalloc3DArray(&array, &format, extent, flags | cudaArrayCubemap);
    if (error == cudaSuccess) CHECK(cudaFreeArray(array) == cudaSuccess);
    return error;
  };
  const int most = p.maxTextureCubemapLayered[1] / 6 * 6;
  CHECK(of_cube(0, p.maxTextureCubemap + 1, 6) == cudaErrorInvalidValue);
  CHECK(of_cube(cudaArrayLayered, p.maxTextureCubemapLayered[0] + 1, 6) == cudaErrorInvalidValue);
  CHECK(of_cube(cudaArrayLayered, 1, most) == cudaSuccess);
  CHECK(of_cube(cudaArrayLayered, 1, most + 6) == cudaErrorInvalidValue);
}

TEST_CASE("textures of plain memory: the largest sizes, and what is next to the last element") {
  cudaDeviceProp p;
  HANDLE_ERROR(cudaGetDeviceProperties(&p, 0));
  const size_t bytes = static_cast<size_t>(p.maxTexture1DLinear) + 1;
  unsigned char* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, bytes) == cudaSuccess);
  const auto ending = [](const cudaResourceDesc& resource) {
    cudaTextureObject_t object = 0;
    const cudaError_t error = create(resource, {}, &object);
    if (error == cudaSuccess) CHECK(cudaDestroyTextureObject(object) == cudaSuccess);
    cudaGetLastError();
    return error;
  };
  for (int more : {0, 1}) {
    INFO("more " << more);
    const cudaError_t expected = more == 0 ? cudaSuccess : cudaErrorInvalidValue;
    cudaResourceDesc line = {};
    line.resType = cudaResourceTypeLinear;
    line.res.linear.desc = cudaCreateChannelDesc<unsigned char>();
    line.res.linear.devPtr = memory;
    line.res.linear.sizeInBytes = static_cast<size_t>(p.maxTexture1DLinear + more);
    CHECK(ending(line) == expected);
    const int width = p.maxTexture2DLinear[0], height = p.maxTexture2DLinear[1],
              pitch = p.maxTexture2DLinear[2], alignment = static_cast<int>(p.texturePitchAlignment);
    CHECK(ending(pitched<unsigned char>(memory, width + more, 1, width + alignment)) == expected);
    CHECK(ending(pitched<unsigned char>(memory, 1, height + more, alignment)) == expected);
    CHECK(ending(pitched<unsigned char>(memory, 1, 1, pitch + more * alignment)) == expected);
  }
  HANDLE_ERROR(cudaFree(memory));
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

// ---- cube maps ----

__global__ void look_around(cudaTextureObject_t texture, const float3* at, float* result, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) result[i] = texCubemap<float>(texture, at[i].x, at[i].y, at[i].z);
}

// Elements are numbered. Which axis wins if two are equally long, and what NaN is, were seen on an H200.
TEST_CASE("cube maps: each direction against a model, with edges, corners, NaN and infinity") {
  const Ending ending = in_child([] {
    constexpr int kSize = 4;
    const cudaResourceDesc cube = whole_array({kSize, kSize, 6}, cudaArrayCubemap);
    std::vector<float> numbers(6 * kSize * kSize);
    for (size_t i = 0; i < numbers.size(); i++) numbers[i] = static_cast<float>(i);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(numbers.data(), kSize * sizeof(float), kSize, kSize);
    copy.dstArray = cube.res.array.array, copy.extent = make_cudaExtent(kSize, kSize, 6), copy.kind = cudaMemcpyHostToDevice;
    HANDLE_ERROR(cudaMemcpy3D(&copy));
    cudaTextureDesc how = {};
    how.normalizedCoords = 1;
    how.seamlessCubemap = 1;  // only for filters
    cudaTextureObject_t object = 0;
    HANDLE_ERROR(cudaCreateTextureObject(&object, &cube, &how, nullptr));
    std::vector<float3> directions;
    const float parts[] = {-1, -0.8f, -0.3f, -0.0f, 0, 0.1f, 0.6f, 1, NAN, INFINITY, -INFINITY};
    for (float x : parts)
      for (float y : parts)
        for (float z : parts) directions.push_back({x, y, z});
    const int n = static_cast<int>(directions.size());
    auto* at = static_cast<float3*>(allocate(n * sizeof(float3)));
    auto* dev_result = static_cast<float*>(allocate(n * sizeof(float)));
    HANDLE_ERROR(cudaMemcpy(at, directions.data(), n * sizeof(float3), cudaMemcpyHostToDevice));
    look_around<<<1, 64>>>(object, at, dev_result, n);
    std::vector<float> result(n);
    HANDLE_ERROR(cudaMemcpy(result.data(), dev_result, n * sizeof(float), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {
      float v[3] = {directions[i].x, directions[i].y, directions[i].z};
      bool infinite = false;
      for (float& one : v) {
        infinite |= std::isinf(one);
        if (std::isnan(one)) one = 0;
      }
      if (infinite) v[0] = v[1] = v[2] = 0;
      // The longest axis; of equal ones the later.
      int axis = 0;
      for (int d = 1; d < 3; d++)
        if (std::fabs(v[d]) >= std::fabs(v[axis])) axis = d;
      const bool negative = v[axis] < 0;
      const float sign = negative ? -1 : 1;
      const float s = axis == 0 ? -sign * v[2] : axis == 1 ? v[0] : sign * v[0];
      const float t = axis == 1 ? sign * v[2] : -v[1];
      const float length = std::fabs(v[axis]);
      const auto place = [&](float along) {
        const double part = length == 0 ? 0 : along / static_cast<double>(length);
        return std::min(static_cast<int>((part + 1) / 2 * kSize), kSize - 1);
      };
      const int wanted = ((2 * axis + negative) * kSize + place(t)) * kSize + place(s);
      if (result[i] == static_cast<float>(wanted)) continue;
      fprintf(stderr, "direction %g %g %g: %g, not %d\n", directions[i].x, directions[i].y, directions[i].z, result[i], wanted);
    }
    return cudaDestroyTextureObject(object);
  });
  CHECK(ending.error == cudaSuccess);
  CHECK(ending.explanation == "");
}
