// What texture fetches return, on the device that this is built for: random coordinates against the
// formulas of the CUDA Programming Guide's appendix "Texture Fetching", written down here once more
// and without a look at how the CPU device computes them.
//
// Point filtering must agree to the last bit; linear filtering within 1/256 of the texture's range,
// because weights have 8 binary places.

#include <doctest/doctest.h>
#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "../../../common/handle_error.h"
#include "../../../common/program/random.h"
#include "../../harness/run_program.h"

namespace {

constexpr int kCount = 20000;  // coordinates for each kind of texture

double largest_difference = 0;  // of linear filtering so far, as a share of the texture's range

struct Coordinates {
  float x, y, z;
};

template <typename T>
__global__ void read_1d(cudaTextureObject_t texture, const Coordinates* at, T* result, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) result[i] = tex1D<T>(texture, at[i].x);
}
template <typename T>
__global__ void read_2d(cudaTextureObject_t texture, const Coordinates* at, T* result, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) result[i] = tex2D<T>(texture, at[i].x, at[i].y);
}
template <typename T>
__global__ void read_3d(cudaTextureObject_t texture, const Coordinates* at, T* result, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) result[i] = tex3D<T>(texture, at[i].x, at[i].y, at[i].z);
}
template <typename T>
__global__ void fetch_1d(cudaTextureObject_t texture, int first, T* result, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) result[i] = tex1Dfetch<T>(texture, first + i);
}

// Memory on the device for `count` elements, freed at the end of its scope.
template <typename T>
struct DeviceArray {
  T* data = nullptr;
  size_t count;
  explicit DeviceArray(size_t n) : count(n) { HANDLE_ERROR(cudaMalloc(&data, n * sizeof(T))); }
  explicit DeviceArray(const std::vector<T>& host) : DeviceArray(host.size()) {
    HANDLE_ERROR(cudaMemcpy(data, host.data(), count * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~DeviceArray() { cudaFree(data); }
  std::vector<T> host() const {
    std::vector<T> copy(count);
    HANDLE_ERROR(cudaMemcpy(copy.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost));
    return copy;
  }
};

// Where a texture's elements are: pitched memory (two dimensions only) or an array.
struct Source {
  int size[3];  // elements in x, y, z; 0 in dimensions that it has not
  bool pitched;
  int dimensions() const { return size[2] > 0 ? 3 : size[1] > 0 ? 2 : 1; }
  int elements() const { return size[0] * std::max(size[1], 1) * std::max(size[2], 1); }
};

// A texture with its memory.
struct Texture {
  cudaTextureObject_t object = 0;
  cudaArray_t array = nullptr;
  void* pitched = nullptr;

  template <typename T>
  Texture(const Source& source, const std::vector<T>& elements, const cudaTextureDesc& how) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    cudaResourceDesc resource = {};
    const size_t row = source.size[0] * sizeof(T), rows = std::max(source.size[1], 1);
    if (source.pitched) {
      size_t pitch = 0;
      HANDLE_ERROR(cudaMallocPitch(&pitched, &pitch, row, rows));
      HANDLE_ERROR(
          cudaMemcpy2D(pitched, pitch, elements.data(), row, row, rows, cudaMemcpyHostToDevice));
      resource.resType = cudaResourceTypePitch2D;
      resource.res.pitch2D.devPtr = pitched;
      resource.res.pitch2D.desc = format;
      resource.res.pitch2D.width = source.size[0];
      resource.res.pitch2D.height = rows;
      resource.res.pitch2D.pitchInBytes = pitch;
    } else {
      resource.resType = cudaResourceTypeArray;
      if (source.size[2] == 0) {
        HANDLE_ERROR(cudaMallocArray(&array, &format, source.size[0], source.size[1]));
        HANDLE_ERROR(cudaMemcpy2DToArray(array, 0, 0, elements.data(), row, row, rows,
                                         cudaMemcpyHostToDevice));
      } else {
        const cudaExtent extent = make_cudaExtent(source.size[0], source.size[1], source.size[2]);
        HANDLE_ERROR(cudaMalloc3DArray(&array, &format, extent));
        cudaMemcpy3DParms copy = {};
        copy.srcPtr = make_cudaPitchedPtr(const_cast<T*>(elements.data()), row, source.size[0],
                                          source.size[1]);
        copy.dstArray = array;
        copy.extent = extent;
        copy.kind = cudaMemcpyHostToDevice;
        HANDLE_ERROR(cudaMemcpy3D(&copy));
      }
      resource.res.array.array = array;
    }
    HANDLE_ERROR(cudaCreateTextureObject(&object, &resource, &how, nullptr));
  }
  ~Texture() {
    cudaDestroyTextureObject(object);
    cudaFreeArray(array);
    cudaFree(pitched);
  }
  Texture(const Texture&) = delete;
  Texture& operator=(const Texture&) = delete;

  template <typename T>
  std::vector<T> read(int dimensions, const std::vector<Coordinates>& at) const {
    const int n = static_cast<int>(at.size());
    const DeviceArray<Coordinates> dev_at(at);
    const DeviceArray<T> dev_result(at.size());
    const int blocks = (n + 255) / 256;
    if (dimensions == 1) read_1d<<<blocks, 256>>>(object, dev_at.data, dev_result.data, n);
    if (dimensions == 2) read_2d<<<blocks, 256>>>(object, dev_at.data, dev_result.data, n);
    if (dimensions == 3) read_3d<<<blocks, 256>>>(object, dev_at.data, dev_result.data, n);
    HANDLE_ERROR(cudaGetLastError());
    return dev_result.host();
  }
};

// ---- the formulas ----

// The index of an element beyond the edge, -1 for the border's color. What wraps does so for
// normalized coordinates only, otherwise it clamps.
int addressed(long i, int size, cudaTextureAddressMode mode, bool normalized) {
  if (mode == cudaAddressModeBorder) return i < 0 || i >= size ? -1 : static_cast<int>(i);
  if (mode == cudaAddressModeWrap && normalized) {
    while (i < 0) i += size;
    return static_cast<int>(i % size);
  }
  if (mode == cudaAddressModeMirror && normalized) {
    while (i < 0) i += 2 * size;
    i %= 2 * size;
    return static_cast<int>(i < size ? i : 2 * size - 1 - i);
  }
  return static_cast<int>(std::clamp<long>(i, 0, size - 1));
}

// The element's channel as a float: elements are one channel here.
double element(const std::vector<double>& elements, const Source& source, const long index[3],
               const cudaTextureDesc& how) {
  size_t at = 0, step = 1;
  for (int d = 0; d < source.dimensions(); d++) {
    const int i = addressed(index[d], source.size[d], how.addressMode[d], how.normalizedCoords);
    if (i < 0) return how.borderColor[0];
    at += i * step;
    step *= source.size[d];
  }
  return elements[at];
}

double expected_at(const std::vector<double>& elements, const Source& source, Coordinates at,
                   const cudaTextureDesc& how) {
  const float given[3] = {at.x, at.y, at.z};
  long index[3] = {0, 0, 0};
  double weight[3] = {0, 0, 0};
  for (int d = 0; d < source.dimensions(); d++) {
    double x = given[d];
    if (how.normalizedCoords) x *= source.size[d];
    if (how.filterMode == cudaFilterModeLinear) x -= 0.5;
    index[d] = static_cast<long>(std::floor(x));
    if (how.filterMode == cudaFilterModeLinear) weight[d] = x - std::floor(x);
  }
  // What no guide says and an H200 does: a 1-D array is filtered as the only row of a 2-D one, at
  // y = 0, which is half that row and half the row before it, and that may be the border.
  const bool half_border = source.dimensions() == 1 && how.filterMode == cudaFilterModeLinear &&
                           how.addressMode[1] == cudaAddressModeBorder;
  double sum = 0;
  for (int corner = 0; corner < 8; corner++) {
    double share = 1;
    long neighbor[3];
    for (int d = 0; d < 3; d++) {
      neighbor[d] = index[d] + (corner >> d & 1);
      share *= corner >> d & 1 ? weight[d] : 1 - weight[d];
    }
    if (share > 0) sum += share * element(elements, source, neighbor, how);
  }
  return half_border ? (sum + how.borderColor[0]) / 2 : sum;
}

// Coordinates in and around a texture. A GPU computes with fixed-point coordinates, so what is
// nearer than 1/256 to the line between two elements may fall on either side there: such are left
// out for it, and only there.
std::vector<Coordinates> random_coordinates(const Source& source, bool normalized, int seed) {
  course::Random random(seed);
  std::vector<Coordinates> all(kCount);
  const auto one = [&](int size) {
    if (size == 0) return 0.0f;
    for (;;) {
      const float x = random.uniform(-1.5f * size, 2.5f * size);
      const float coordinate = normalized ? x / size : x;
      const double back = normalized ? static_cast<double>(coordinate) * size : coordinate;
      if (course::on_cpu_device() || std::fabs(back - std::round(back)) > 1.0 / 256)
        return coordinate;
    }
  };
  for (Coordinates& at : all) {
    at.x = one(source.size[0]);
    at.y = one(source.size[1]);
    at.z = one(source.size[2]);
  }
  return all;
}

// Elements of type T read as R.
template <typename T, typename R>
void check_reading(const Source& source, const cudaTextureDesc& how, double scale, float low,
                   float high, double tolerance) {
  course::Random random(11);
  std::vector<T> elements(source.elements());
  std::vector<double> values;
  for (T& e : elements) {
    e = static_cast<T>(random.uniform(low, high));
    values.push_back(std::max(e * scale, -1e9));
  }
  const Texture texture(source, elements, how);
  const std::vector<Coordinates> at =
      random_coordinates(source, how.normalizedCoords != 0, 1 + source.size[0]);
  const std::vector<R> result = texture.read<R>(source.dimensions(), at);
  int wrong = 0;
  double worst = 0;
  for (size_t i = 0; i < at.size(); i++) {
    const double want = expected_at(values, source, at[i], how);
    const double distance = std::fabs(static_cast<double>(result[i]) - want);
    worst = std::max(worst, distance);
    if (!(distance <= tolerance)) wrong++;
    if (wrong == 1 && !(distance <= tolerance))
      MESSAGE("at (" << at[i].x << ", " << at[i].y << ", " << at[i].z << "): got " << result[i]
                     << ", expected " << want);
  }
  INFO("largest difference " << worst);
  CHECK(wrong == 0);
  largest_difference = std::max(largest_difference, tolerance > 1e-5 ? worst / (high - low) : 0);
}

const Source kSources[] = {{{1, 0, 0}, false},   {{16, 0, 0}, false},  {{1021, 0, 0}, false},
                           {{1, 1, 0}, true},    {{17, 15, 0}, true},  {{64, 33, 0}, true},
                           {{17, 15, 0}, false}, {{33, 64, 0}, false}, {{5, 7, 9}, false}};

const cudaTextureAddressMode kModes[] = {cudaAddressModeClamp, cudaAddressModeBorder,
                                         cudaAddressModeWrap, cudaAddressModeMirror};

cudaTextureDesc description(cudaTextureAddressMode mode, cudaTextureFilterMode filter,
                            bool normalized) {
  cudaTextureDesc how = {};
  for (auto& one : how.addressMode) one = mode;
  how.filterMode = filter;
  how.normalizedCoords = normalized;
  return how;
}

}  // namespace

TEST_CASE("point filtering: every address mode, elements as they are") {
  for (const Source& source : kSources)
    for (cudaTextureAddressMode mode : kModes)
      for (bool normalized : {false, true}) {
        INFO(source.size[0] << " x " << source.size[1] << " x " << source.size[2] << ", mode "
                            << mode << ", normalized " << normalized);
        cudaTextureDesc how = description(mode, cudaFilterModePoint, normalized);
        how.borderColor[0] = 3;
        check_reading<float, float>(source, how, 1, -10, 10, 0);
      }
}

TEST_CASE("point filtering: integers") {
  const Source source{{17, 15, 0}, false};
  const cudaTextureDesc how = description(cudaAddressModeClamp, cudaFilterModePoint, false);
  check_reading<signed char, signed char>(source, how, 1, -128, 127, 0);
  check_reading<unsigned char, unsigned char>(source, how, 1, 0, 255, 0);
  check_reading<short, short>(source, how, 1, -32768, 32767, 0);
  check_reading<unsigned short, unsigned short>(source, how, 1, 0, 65535, 0);
  check_reading<int, int>(source, how, 1, -1e9f, 1e9f, 0);
  check_reading<unsigned int, unsigned int>(source, how, 1, 0, 1e9f, 0);
}

TEST_CASE("linear filtering: every address mode") {
  for (const Source& source : kSources)
    for (cudaTextureAddressMode mode : kModes)
      for (bool normalized : {false, true}) {
        INFO(source.size[0] << " x " << source.size[1] << " x " << source.size[2] << ", mode "
                            << mode << ", normalized " << normalized);
        cudaTextureDesc how = description(mode, cudaFilterModeLinear, normalized);
        how.borderColor[0] = 0.5f;
        // Each dimension's weight is rounded to 1/256, so is off by half of that at most; or by all
        // of it if a device should cut off instead.
        const double each = course::on_cpu_device() ? 1.0 / 512 : 1.0 / 256;
        check_reading<float, float>(source, how, 1, 0, 1, source.dimensions() * each + 1e-5);
      }
  MESSAGE("largest difference of linear filtering from exact weights: " << largest_difference * 256
                                                                        << " / 256");
}

TEST_CASE("linear filtering: a 1-D texture whose other address modes are left as they are") {
  for (cudaTextureAddressMode mode : kModes) {
    INFO("mode " << mode);
    cudaTextureDesc how = description(cudaAddressModeWrap, cudaFilterModeLinear, true);
    how.addressMode[0] = mode;
    how.borderColor[0] = 0.5f;
    check_reading<float, float>({{1021, 0, 0}, false}, how, 1, 0, 1, 1.0 / 256);
  }
}

TEST_CASE("each dimension has an address mode of its own") {
  const Source sources[] = {{{17, 15, 0}, true}, {{17, 15, 0}, false}, {{5, 7, 9}, false}};
  for (const Source& source : sources)
    for (int modes = 0; modes < (source.dimensions() == 3 ? 64 : 16); modes++)
      for (cudaTextureFilterMode filter : {cudaFilterModePoint, cudaFilterModeLinear})
        for (bool normalized : {false, true}) {
          cudaTextureDesc how = description(cudaAddressModeClamp, filter, normalized);
          for (int d = 0; d < 3; d++) how.addressMode[d] = kModes[modes >> 2 * d & 3];
          how.borderColor[0] = 0.5f;
          INFO(source.size[0] << " x " << source.size[1] << " x " << source.size[2] << ", modes "
                              << how.addressMode[0] << ", " << how.addressMode[1] << ", "
                              << how.addressMode[2] << ", filter " << filter << ", normalized "
                              << normalized);
          const bool exact = filter == cudaFilterModePoint;
          check_reading<float, float>(source, how, 1, 0, 1,
                                      exact ? 0 : source.dimensions() / 256.0 + 1e-5);
        }
}

TEST_CASE("integers read as normalized floats, nearest and filtered") {
  const Source source{{33, 20, 0}, false};
  for (cudaTextureFilterMode filter : {cudaFilterModePoint, cudaFilterModeLinear}) {
    cudaTextureDesc how = description(cudaAddressModeMirror, filter, true);
    how.readMode = cudaReadModeNormalizedFloat;
    const double tolerance = filter == cudaFilterModePoint ? 1e-6
                             : course::on_cpu_device()     ? 1.0 / 256
                                                           : 1.0 / 128;
    check_reading<unsigned char, float>(source, how, 1.0 / 255, 0, 256, tolerance);
    check_reading<unsigned short, float>(source, how, 1.0 / 65535, 0, 65536, tolerance);
    check_reading<signed char, float>(source, how, 1.0 / 127, -127, 128, 2 * tolerance);
    check_reading<short, float>(source, how, 1.0 / 32767, -32767, 32768, 2 * tolerance);
  }
}

TEST_CASE("the lowest signed integer is -1, like its neighbor") {
  const Source source{{2, 0, 0}, false};
  cudaTextureDesc how = description(cudaAddressModeClamp, cudaFilterModePoint, false);
  how.readMode = cudaReadModeNormalizedFloat;
  const Texture texture(source, std::vector<signed char>{-128, -127}, how);
  const std::vector<float> result = texture.read<float>(1, {{0.5f, 0, 0}, {1.5f, 0, 0}});
  CHECK(result[0] == -1);
  CHECK(result[1] == -1);
}

TEST_CASE("vectors: each channel in its place") {
  const Source source{{4, 3, 0}, true};
  const cudaTextureDesc how = description(cudaAddressModeClamp, cudaFilterModePoint, false);
  std::vector<uchar4> colors;
  std::vector<float2> pairs;
  std::vector<float4> quads;
  std::vector<Coordinates> at;
  for (int i = 0; i < 12; i++) {
    const auto c = static_cast<unsigned char>(i);
    colors.push_back(make_uchar4(c, 100 + c, 200 + c, 255 - c));
    pairs.push_back(make_float2(i + 0.5f, -i));
    quads.push_back(make_float4(i, 2 * i, 3 * i, -i));
    at.push_back({i % 4 + 0.25f, i / 4 + 0.75f, 0});
  }
  const std::vector<uchar4> c = Texture(source, colors, how).read<uchar4>(2, at);
  const std::vector<float2> p = Texture(source, pairs, how).read<float2>(2, at);
  const std::vector<float4> q = Texture(source, quads, how).read<float4>(2, at);
  for (int i = 0; i < 12; i++) {
    CHECK((c[i].x == colors[i].x && c[i].y == colors[i].y && c[i].z == colors[i].z &&
           c[i].w == colors[i].w));
    CHECK((p[i].x == pairs[i].x && p[i].y == pairs[i].y));
    CHECK((q[i].x == quads[i].x && q[i].y == quads[i].y && q[i].z == quads[i].z &&
           q[i].w == quads[i].w));
  }
  cudaTextureDesc normalized = how;
  normalized.readMode = cudaReadModeNormalizedFloat;
  const std::vector<float4> n = Texture(source, colors, normalized).read<float4>(2, at);
  for (int i = 0; i < 12; i++) {
    CHECK(n[i].y == doctest::Approx(colors[i].y / 255.0));
    CHECK(n[i].w == doctest::Approx(colors[i].w / 255.0));
  }
}

TEST_CASE("at the centers linear filtering gives the elements themselves") {
  const Source source{{16, 16, 0}, false};
  course::Random random(3);
  std::vector<float> elements(256);
  std::vector<Coordinates> at;
  for (float& e : elements) e = random.uniform(-1000, 1000);
  for (int i = 0; i < 256; i++) at.push_back({i % 16 + 0.5f, i / 16 + 0.5f, 0});
  const Texture texture(source, elements,
                        description(cudaAddressModeClamp, cudaFilterModeLinear, false));
  CHECK(texture.read<float>(2, at) == elements);
}

TEST_CASE("tex1Dfetch: linear memory, zeros beyond its ends") {
  for (int n : {1, 15, 16, 17, 1000, 1021, 1024}) {
    std::vector<float> elements(n);
    for (int i = 0; i < n; i++) elements[i] = 1.0f + i;
    const DeviceArray<float> memory(elements);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory.data;
    resource.res.linear.desc = cudaCreateChannelDesc<float>();
    resource.res.linear.sizeInBytes = n * sizeof(float);
    const cudaTextureDesc how = {};
    cudaTextureObject_t texture = 0;
    HANDLE_ERROR(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    const DeviceArray<float> dev_result(n + 20);
    fetch_1d<<<(n + 20 + 63) / 64, 64>>>(texture, -10, dev_result.data, n + 20);
    HANDLE_ERROR(cudaGetLastError());
    const std::vector<float> result = dev_result.host();
    for (int i = 0; i < n + 20; i++)
      CHECK(result[i] == (i < 10 || i >= n + 10 ? 0 : elements[i - 10]));
    HANDLE_ERROR(cudaDestroyTextureObject(texture));
  }
}

TEST_CASE("tex1Dfetch: bytes as normalized floats") {
  std::vector<unsigned char> elements(256);
  for (int i = 0; i < 256; i++) elements[i] = static_cast<unsigned char>(i);
  const DeviceArray<unsigned char> memory(elements);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory.data;
  resource.res.linear.desc = cudaCreateChannelDesc<unsigned char>();
  resource.res.linear.sizeInBytes = 256;
  cudaTextureDesc how = {};
  how.readMode = cudaReadModeNormalizedFloat;
  cudaTextureObject_t texture = 0;
  HANDLE_ERROR(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  const DeviceArray<float> dev_result(256);
  fetch_1d<<<4, 64>>>(texture, 0, dev_result.data, 256);
  const std::vector<float> result = dev_result.host();
  for (int i = 0; i < 256; i++) CHECK(result[i] == doctest::Approx(i / 255.0));
  HANDLE_ERROR(cudaDestroyTextureObject(texture));
}

__global__ static void count_up(float* data, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) data[i] += i;
}

TEST_CASE("what a kernel has written, the next one reads through the texture") {
  const int n = 1000;
  const DeviceArray<float> a(std::vector<float>(n, 5.0f)), b(n);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = a.data;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = n * sizeof(float);
  const cudaTextureDesc how = {};
  cudaTextureObject_t texture = 0;
  HANDLE_ERROR(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  for (int round = 0; round < 3; round++) {
    fetch_1d<<<4, 256>>>(texture, 0, b.data, n);
    count_up<<<4, 256>>>(a.data, n);
    const std::vector<float> result = b.host();
    for (int i = 0; i < n; i++) REQUIRE(result[i] == 5 + round * i);
  }
  HANDLE_ERROR(cudaDestroyTextureObject(texture));
}

TEST_CASE("what an object was made of can be asked for") {
  const Source source{{17, 15, 0}, true};
  cudaTextureDesc how = description(cudaAddressModeMirror, cudaFilterModeLinear, true);
  const Texture texture(source, std::vector<float>(17 * 15), how);
  cudaResourceDesc resource = {};
  cudaTextureDesc got = {};
  HANDLE_ERROR(cudaGetTextureObjectResourceDesc(&resource, texture.object));
  HANDLE_ERROR(cudaGetTextureObjectTextureDesc(&got, texture.object));
  CHECK(resource.resType == cudaResourceTypePitch2D);
  CHECK(resource.res.pitch2D.width == 17);
  CHECK(resource.res.pitch2D.devPtr == texture.pitched);
  CHECK(got.addressMode[1] == cudaAddressModeMirror);
  CHECK(got.filterMode == cudaFilterModeLinear);
}

TEST_CASE("channel descriptions") {
  const cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
  CHECK((f.x == 32 && f.y == 0 && f.z == 0 && f.w == 0 && f.f == cudaChannelFormatKindFloat));
  const cudaChannelFormatDesc c = cudaCreateChannelDesc<uchar4>();
  CHECK((c.x == 8 && c.y == 8 && c.z == 8 && c.w == 8 && c.f == cudaChannelFormatKindUnsigned));
  const cudaChannelFormatDesc s = cudaCreateChannelDesc<short2>();
  CHECK((s.x == 16 && s.y == 16 && s.z == 0 && s.w == 0 && s.f == cudaChannelFormatKindSigned));
}

TEST_CASE("arrays: copies in and out, of parts, and from one to another") {
  const int width = 20, height = 6;
  std::vector<int> elements(width * height);
  for (size_t i = 0; i < elements.size(); i++) elements[i] = static_cast<int>(i);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaArray_t a = nullptr, b = nullptr;
  HANDLE_ERROR(cudaMallocArray(&a, &format, width, height));
  HANDLE_ERROR(cudaMallocArray(&b, &format, width, height));
  const size_t row = width * sizeof(int);
  HANDLE_ERROR(
      cudaMemcpy2DToArray(a, 0, 0, elements.data(), row, row, height, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy2DArrayToArray(b, 0, 0, a, 0, 0, row, height));
  // A part of 3 x 2 elements from (5, 1) of b.
  std::vector<int> part(6, -1);
  HANDLE_ERROR(cudaMemcpy2DFromArray(part.data(), 3 * sizeof(int), b, 5 * sizeof(int), 1,
                                     3 * sizeof(int), 2, cudaMemcpyDeviceToHost));
  CHECK(part == std::vector<int>{25, 26, 27, 45, 46, 47});
  // The same part into a at (0, 4), and all of a back.
  HANDLE_ERROR(cudaMemcpy2DToArray(a, 0, 4, part.data(), 3 * sizeof(int), 3 * sizeof(int), 2,
                                   cudaMemcpyHostToDevice));
  std::vector<int> back(elements.size());
  HANDLE_ERROR(
      cudaMemcpy2DFromArray(back.data(), row, a, 0, 0, row, height, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 3; i++) {
    elements[4 * width + i] = 25 + i;
    elements[5 * width + i] = 45 + i;
  }
  CHECK(back == elements);
  cudaChannelFormatDesc got = {};
  cudaExtent extent = {};
  unsigned flags = 1;
  HANDLE_ERROR(cudaArrayGetInfo(&got, &extent, &flags, a));
  CHECK(extent.width == width);
  CHECK(extent.height == height);
  CHECK(flags == 0);
  CHECK(got.x == 32);
  HANDLE_ERROR(cudaFreeArray(a));
  HANDLE_ERROR(cudaFreeArray(b));
}
