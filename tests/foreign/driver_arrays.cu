// In the manner of NVIDIA's samples for the driver interface: a check for the compute mode, a context with
// CUDA 13's parameters, an array that is copied to, a texture object that reads it, a surface that writes it. And each
// format of elements, as an array and as plain memory, read as integers and as fractions.
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <limits>

#define CHECK(call)                                              \
  do {                                                           \
    const CUresult code = (call);                                \
    if (code != CUDA_SUCCESS) {                                  \
      const char* name = nullptr;                                \
      cuGetErrorName(code, &name);                               \
      printf("%s:%d: %s\n", __FILE__, __LINE__, name);           \
      return 1;                                                  \
    }                                                            \
  } while (0)

__global__ void sample(cudaTextureObject_t texture, float* out, int width, int height) {
  const int x = threadIdx.x, y = threadIdx.y;
  if (x < width && y < height) out[y * width + x] = tex2D<float>(texture, x + 0.5f, y + 0.5f);
}
__global__ void mark(cudaSurfaceObject_t surface) {
  surf2Dwrite(static_cast<unsigned char>(200 + threadIdx.x), surface, threadIdx.x, 1);
}

template <typename T>
__global__ void sample_row(cudaTextureObject_t texture, bool plain, T* out) {
  out[threadIdx.x] = plain ? tex1Dfetch<T>(texture, threadIdx.x) : tex2D<T>(texture, threadIdx.x + 0.5f, 0.5f);
}

enum Kind { kArray, kLinear, kPitched };

// A row of elements of type T, read as R: `scale` times what was written.
template <typename T, typename R>
int read_back(CUarray_format format, Kind kind, unsigned flags, double scale) {
  constexpr int n = 8;
  const T low = std::numeric_limits<T>::lowest(), high = std::numeric_limits<T>::max();
  const T row[n] = {T(0), T(1), T(2), T(100.5), low, T(low + 1), high, T(high - 1)};
  CUDA_RESOURCE_DESC resource = {};
  CUdeviceptr memory = 0;
  CUarray array = nullptr;
  if (kind == kArray) {
    CUDA_ARRAY_DESCRIPTOR what = {};
    what.Width = n, what.Height = 1, what.Format = format, what.NumChannels = 1;
    CHECK(cuArrayCreate(&array, &what));
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST, copy.srcHost = row;
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY, copy.dstArray = array;
    copy.WidthInBytes = sizeof row, copy.Height = 1;
    CHECK(cuMemcpy2D(&copy));
    resource.resType = CU_RESOURCE_TYPE_ARRAY, resource.res.array.hArray = array;
  } else {
    CHECK(cuMemAlloc(&memory, 512));
    CHECK(cuMemcpyHtoD(memory, row, sizeof row));
    resource.resType = kind == kLinear ? CU_RESOURCE_TYPE_LINEAR : CU_RESOURCE_TYPE_PITCH2D;
    if (kind == kLinear) {
      auto& it = resource.res.linear;
      it.devPtr = memory, it.format = format, it.numChannels = 1, it.sizeInBytes = sizeof row;
    } else {
      auto& it = resource.res.pitch2D;
      it.devPtr = memory, it.format = format, it.numChannels = 1, it.width = n, it.height = 1, it.pitchInBytes = 512;
    }
  }
  CUDA_TEXTURE_DESC how = {};
  how.addressMode[0] = how.addressMode[1] = CU_TR_ADDRESS_MODE_CLAMP;
  how.filterMode = CU_TR_FILTER_MODE_POINT;
  how.flags = flags;
  CUtexObject texture;
  CHECK(cuTexObjectCreate(&texture, &resource, &how, nullptr));
  R* out;
  if (cudaMallocManaged(&out, n * sizeof *out) != cudaSuccess) return 1;
  sample_row<<<1, n>>>(texture, kind == kLinear, out);
  CHECK(cuCtxSynchronize());
  int wrong = 0;
  for (int i = 0; i < n; i++) {
    double expected = static_cast<double>(row[i]) * scale;
    if (scale != 1 && expected < -1) expected = -1;  // the lowest integer, as the one after it
    const double difference = static_cast<double>(out[i]) - expected;
    if (scale == 1 ? difference == 0 : difference > -1e-6 && difference < 1e-6) continue;
    wrong++;
    printf("format %#x, kind %d, flags %#x, element %d: %.9g, expected %.9g\n", format, kind, flags, i,
           static_cast<double>(out[i]), expected);
  }
  CHECK(cuTexObjectDestroy(texture));
  if (array != nullptr) CHECK(cuArrayDestroy(array));
  if (memory != 0) CHECK(cuMemFree(memory));
  cudaFree(out);
  return wrong;
}

template <typename T>
int read_integers(CUarray_format format, Kind kind) {
  const double most = static_cast<double>(std::numeric_limits<T>::max());
  const int wrong = read_back<T, T>(format, kind, CU_TRSF_READ_AS_INTEGER, 1);
  // Integers of 32 bits are never fractions.
  return wrong + (sizeof(T) < 4 ? read_back<T, float>(format, kind, 0, 1 / most) : read_back<T, T>(format, kind, 0, 1));
}

int each_format() {
  int wrong = 0;
  for (Kind kind : {kArray, kLinear, kPitched}) {
    wrong += read_integers<unsigned char>(CU_AD_FORMAT_UNSIGNED_INT8, kind);
    wrong += read_integers<unsigned short>(CU_AD_FORMAT_UNSIGNED_INT16, kind);
    wrong += read_integers<unsigned>(CU_AD_FORMAT_UNSIGNED_INT32, kind);
    wrong += read_integers<signed char>(CU_AD_FORMAT_SIGNED_INT8, kind);
    wrong += read_integers<short>(CU_AD_FORMAT_SIGNED_INT16, kind);
    wrong += read_integers<int>(CU_AD_FORMAT_SIGNED_INT32, kind);
    wrong += read_back<float, float>(CU_AD_FORMAT_FLOAT, kind, 0, 1);
    wrong += read_back<float, float>(CU_AD_FORMAT_FLOAT, kind, CU_TRSF_READ_AS_INTEGER, 1);
  }
  return wrong;
}

int main() {
  constexpr int width = 6, height = 3;
  CUdevice device;
  CUcontext context;
  int mode = -1;
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDeviceGetAttribute(&mode, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, device));
  if (mode == CU_COMPUTEMODE_PROHIBITED) return 77;
  CUctxCreateParams parameters = {};
  CHECK(cuCtxCreate(&context, &parameters, 0, device));

  CUDA_ARRAY_DESCRIPTOR what = {}, found = {};
  what.Width = width, what.Height = height;
  what.Format = CU_AD_FORMAT_UNSIGNED_INT8, what.NumChannels = 1;
  CUarray array;
  CHECK(cuArrayCreate(&array, &what));
  CHECK(cuArrayGetDescriptor(&found, array));
  if (found.Width != width || found.Height != height || found.Format != what.Format || found.NumChannels != 1)
    return printf("another array than was asked for\n"), 1;
  what.NumChannels = 3;
  CUarray none;
  if (cuArrayCreate(&none, &what) != CUDA_ERROR_INVALID_VALUE) return printf("3 channels accepted\n"), 1;

  unsigned char bytes[height][width], back[height][width] = {};
  for (int i = 0; i < width * height; i++) bytes[i / width][i % width] = static_cast<unsigned char>(10 * i);
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST, copy.srcHost = bytes, copy.srcPitch = width;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY, copy.dstArray = array;
  copy.WidthInBytes = width, copy.Height = height;
  CHECK(cuMemcpy2D(&copy));

  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  CUDA_TEXTURE_DESC how = {};  // no CU_TRSF_READ_AS_INTEGER: bytes are read as fractions of 255
  how.addressMode[0] = how.addressMode[1] = CU_TR_ADDRESS_MODE_CLAMP;
  how.filterMode = CU_TR_FILTER_MODE_POINT;
  CUtexObject texture;
  CHECK(cuTexObjectCreate(&texture, &resource, &how, nullptr));
  float* out;
  if (cudaMallocManaged(&out, width * height * sizeof *out) != cudaSuccess) return 1;
  sample<<<1, dim3(8, 8)>>>(texture, out, width, height);
  CHECK(cuCtxSynchronize());
  for (int i = 0; i < width * height; i++) {
    const float expected = static_cast<float>(10 * i) / 255;
    if (!(out[i] > expected - 1e-3f && out[i] < expected + 1e-3f))
      return printf("texel %d: %g, expected %g\n", i, out[i], expected), 1;
  }
  CHECK(cuTexObjectDestroy(texture));
  CHECK(cuArrayDestroy(array));

  CUDA_ARRAY3D_DESCRIPTOR writable = {};
  writable.Width = width, writable.Height = height, writable.NumChannels = 1;
  writable.Format = CU_AD_FORMAT_UNSIGNED_INT8, writable.Flags = CUDA_ARRAY3D_SURFACE_LDST;
  CHECK(cuArray3DCreate(&array, &writable));
  copy.dstArray = array;
  CHECK(cuMemcpy2D(&copy));
  resource.res.array.hArray = array;
  CUsurfObject surface;
  CHECK(cuSurfObjectCreate(&surface, &resource));
  mark<<<1, width>>>(surface);
  CUDA_MEMCPY2D read = {};
  read.srcMemoryType = CU_MEMORYTYPE_ARRAY, read.srcArray = array;
  read.dstMemoryType = CU_MEMORYTYPE_HOST, read.dstHost = back, read.dstPitch = width;
  read.WidthInBytes = width, read.Height = height;
  CHECK(cuMemcpy2D(&read));
  for (int x = 0; x < width; x++) {
    if (back[1][x] != 200 + x || back[0][x] != bytes[0][x] || back[2][x] != bytes[2][x])
      return printf("column %d of the array is wrong after the surface was written\n", x), 1;
  }
  CHECK(cuSurfObjectDestroy(surface));
  CHECK(cuArrayDestroy(array));
  if (each_format() != 0) return 1;
  CHECK(cuCtxDestroy(context));
  return 0;
}
