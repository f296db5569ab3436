// In the manner of NVIDIA's samples for the driver interface: a check for the compute mode, a context with
// CUDA 13's parameters, an array that is copied to, a texture object that reads it, a surface that writes it.
#include <cstdio>
#include <cstring>
#include <cuda.h>

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
  CHECK(cuCtxDestroy(context));
  return 0;
}
