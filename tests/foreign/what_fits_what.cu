// Tables of what fits what: the type that a kernel reads with, and the format of the texture; layers beyond the first and the
// last; the third coordinate beyond its ends; views and the sizes of their arrays. And of the driver interface: flags of
// contexts, memory that may only be read, names of sixteen devices.
#include <cuda.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

int wrong = 0;
void failed(int line, const char *what) {
  if (wrong++ < 30) printf("line %d: %s\n", line, what);
}
#define EXPECT(...) ((__VA_ARGS__) ? void() : failed(__LINE__, #__VA_ARGS__))
#define GOOD(...) EXPECT((__VA_ARGS__) == 0)

// ---- textures ----

template <typename T>
__global__ void read_as(cudaTextureObject_t texture, T *out) {
  *out = tex2D<T>(texture, 0.5f, 0.5f);
}
__global__ void read_layer(cudaTextureObject_t texture, int layer, float *out) { *out = tex2DLayered<float>(texture, 0.5f, 0.5f, layer); }
__global__ void read_box(cudaTextureObject_t texture, float x, float y, float z, float *out) { *out = tex3D<float>(texture, x, y, z); }
__global__ void surface_layer(cudaSurfaceObject_t surface, int layer, float *out) {
  surf2DLayeredread(out, surface, 0, 0, layer, cudaBoundaryModeClamp);
}

__global__ void read_gradient(cudaTextureObject_t texture, float change, float *out) {
  *out = tex2DGrad<float>(texture, 0.5f, 0.5f, make_float2(change, 0), make_float2(0, change));
}

void *out;  // managed
cudaTextureObject_t texture_of(cudaArray_t array, const cudaTextureDesc &how) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureObject_t object = 0;
  GOOD(cudaCreateTextureObject(&object, &resource, &how, nullptr));
  return object;
}

#ifdef __CPU_DEVICE__  // a GPU reads something
template <typename T>
void reads(cudaChannelFormatDesc format, bool normalized, const char *name) {
  const cudaChannelFormatDesc own = cudaCreateChannelDesc<T>();
  // Signs and bits of integers must be the same; of floats, halves are read as floats. Channels that are missing are filled up.
  const bool fits = normalized ? own.f == cudaChannelFormatKindFloat
                               : own.f == format.f && (own.f == cudaChannelFormatKindFloat || own.x == format.x);
  cudaArray_t array;
  GOOD(cudaMallocArray(&array, &format, 2, 2));
  cudaTextureDesc how = {};
  how.readMode = normalized ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  const cudaTextureObject_t object = texture_of(array, how);
  read_as<T><<<1, 1>>>(object, static_cast<T *>(out));
  const cudaError_t error = cudaDeviceSynchronize();
  if ((error == cudaSuccess) != fits || (!fits && error != cudaErrorInvalidTexture))
    printf("%s from %d channel bits of kind %d, normalized %d: %s\n", name, format.x, format.f, normalized, cudaGetErrorName(error)), wrong++;
  if (error != cudaSuccess) {
    GOOD(cudaDeviceReset());
    GOOD(cudaMallocManaged(&out, 64));
    return;
  }
  GOOD(cudaDestroyTextureObject(object));
  GOOD(cudaFreeArray(array));
}
void types() {
  const std::vector<cudaChannelFormatDesc> formats = {
      cudaCreateChannelDesc<signed char>(), cudaCreateChannelDesc<unsigned char>(), cudaCreateChannelDesc<short>(),
      cudaCreateChannelDesc<unsigned short>(), cudaCreateChannelDesc<int>(), cudaCreateChannelDesc<unsigned>(),
      cudaCreateChannelDesc<float>(), cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat), cudaCreateChannelDesc<short4>()};
  for (const cudaChannelFormatDesc &format : formats)
    for (const bool normalized : {false, true}) {
      if (normalized && (format.x == 32 || format.f == cudaChannelFormatKindFloat)) continue;
      reads<signed char>(format, normalized, "signed char");
      reads<unsigned char>(format, normalized, "unsigned char");
      reads<short>(format, normalized, "short");
      reads<ushort2>(format, normalized, "ushort2");
      reads<int>(format, normalized, "int");
      reads<uint4>(format, normalized, "uint4");
      reads<float>(format, normalized, "float");
      reads<float4>(format, normalized, "float4");
    }
}
#endif

void layers() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  for (const int count : {1, 2, 5}) {
    cudaArray_t array;
    GOOD(cudaMalloc3DArray(&array, &format, make_cudaExtent(2, 2, count), cudaArrayLayered | cudaArraySurfaceLoadStore));
    std::vector<float> values(4 * count);
    for (int i = 0; i < 4 * count; i++) values[i] = static_cast<float>(i / 4);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(values.data(), 8, 8, 2);
    copy.dstArray = array, copy.extent = make_cudaExtent(2, 2, count), copy.kind = cudaMemcpyHostToDevice;
    GOOD(cudaMemcpy3D(&copy));
    const cudaTextureObject_t object = texture_of(array, {});
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray, resource.res.array.array = array;
    cudaSurfaceObject_t surface;
    GOOD(cudaCreateSurfaceObject(&surface, &resource));
    float *value = static_cast<float *>(out);
    // A layer is a number without a sign: of 32 bits for textures, of 16 for surfaces. (Recorded on an H200.)
    for (const int layer : {0, 1, 4, 5, 1000, 65535, 65536, 65537, -1, -2, -1000, -65535, -65536, 2147483647, -2147483647 - 1}) {
      read_layer<<<1, 1>>>(object, layer, value);
      GOOD(cudaDeviceSynchronize());
      EXPECT(*value == std::min(static_cast<unsigned>(layer), count - 1u));
      surface_layer<<<1, 1>>>(surface, layer, value);
      GOOD(cudaDeviceSynchronize());
      EXPECT(*value == std::min(static_cast<unsigned>(layer) % 65536, count - 1u));
    }
    GOOD(cudaDestroyTextureObject(object));
    GOOD(cudaDestroySurfaceObject(surface));
    GOOD(cudaFreeArray(array));
  }
}

// Coordinates that are not normalized: wrap and mirror are clamp, in each dimension.
void boxes() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  const int size[3] = {2, 3, 4};
  cudaArray_t array;
  GOOD(cudaMalloc3DArray(&array, &format, make_cudaExtent(2, 3, 4)));
  std::vector<float> values(24);
  for (int i = 0; i < 24; i++) values[i] = static_cast<float>(i + 1);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(values.data(), 8, 8, 3);
  copy.dstArray = array, copy.extent = make_cudaExtent(2, 3, 4), copy.kind = cudaMemcpyHostToDevice;
  GOOD(cudaMemcpy3D(&copy));
  for (int mode = 0; mode < 4; mode++)
    for (int which = 0; which < 3; which++) {
      cudaTextureDesc how = {};
      for (int d = 0; d < 3; d++) how.addressMode[d] = d == which ? static_cast<cudaTextureAddressMode>(mode) : cudaAddressModeClamp;
      how.borderColor[0] = -7;
      const cudaTextureObject_t object = texture_of(array, how);
      for (const int beyond : {-9, -2, -1, 0, 1, 2, 3, 4, 5, 8, 11}) {
        int at[3] = {1, 1, 1};
        at[which] = beyond;
        read_box<<<1, 1>>>(object, at[0] + 0.5f, at[1] + 0.5f, at[2] + 0.5f, static_cast<float *>(out));
        GOOD(cudaDeviceSynchronize());
        const bool outside = beyond < 0 || beyond >= size[which];
        at[which] = std::min(std::max(beyond, 0), size[which] - 1);
        const float wanted = outside && mode == cudaAddressModeBorder ? -7 : values[(at[2] * 3 + at[1]) * 2 + at[0]];
        if (*static_cast<float *>(out) != wanted) printf("mode %d in dimension %d at %d: %g, not %g\n", mode, which, beyond, *static_cast<float *>(out), wanted), wrong++;
      }
      GOOD(cudaDestroyTextureObject(object));
    }
  // Views must have the sizes of their arrays.
  for (int d = -1; d < 3; d++)
    for (const int change : {-1, 1}) {
      cudaResourceDesc resource = {};
      resource.resType = cudaResourceTypeArray, resource.res.array.array = array;
      cudaTextureDesc how = {};
      cudaResourceViewDesc view = {};
      view.format = cudaResViewFormatFloat1;
      view.width = 2 + (d == 0 ? change : 0), view.height = 3 + (d == 1 ? change : 0), view.depth = 4 + (d == 2 ? change : 0);
      cudaTextureObject_t object = 0;
      EXPECT(cudaCreateTextureObject(&object, &resource, &how, &view) == (d < 0 ? cudaSuccess : cudaErrorInvalidValue));
      if (object != 0) GOOD(cudaDestroyTextureObject(object));
    }
  cudaGetLastError();
  GOOD(cudaFreeArray(array));
}

// An anisotropy of 0 or 1 is none: levels are chosen as without it.
void gradients() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  GOOD(cudaMallocMipmappedArray(&resource.res.mipmap.mipmap, &format, make_cudaExtent(8, 8, 0), 4));
  for (unsigned level = 0; level < 4; level++) {
    const std::vector<float> values(64, 10.0f + level);
    cudaArray_t one;
    GOOD(cudaGetMipmappedArrayLevel(&one, resource.res.mipmap.mipmap, level));
    const size_t side = 8 >> level;
    GOOD(cudaMemcpy2DToArray(one, 0, 0, values.data(), 4 * side, 4 * side, side, cudaMemcpyHostToDevice));
  }
  for (const unsigned anisotropy : {0u, 1u}) {
    cudaTextureDesc how = {};
    how.normalizedCoords = 1, how.maxMipmapLevelClamp = 3, how.maxAnisotropy = anisotropy;
    cudaTextureObject_t object = 0;
    GOOD(cudaCreateTextureObject(&object, &resource, &how, nullptr));
    for (int level = 0; level < 5; level++) {
      read_gradient<<<1, 1>>>(object, 0.125f * static_cast<float>(1 << level), static_cast<float *>(out));
      GOOD(cudaDeviceSynchronize());
      EXPECT(*static_cast<float *>(out) == 10.0f + static_cast<float>(std::min(level, 3)));
    }
    GOOD(cudaDestroyTextureObject(object));
  }
  GOOD(cudaFreeMipmappedArray(resource.res.mipmap.mipmap));
}

// ---- the driver interface ----

void devices() {
  int count = 0;
  GOOD(cudaGetDeviceCount(&count));
  for (int d = 0; d < count; d++) {
    char text[32] = "", same[32] = "";
    cudaDeviceProp p;
    int found = -1;
    GOOD(cudaDeviceGetPCIBusId(text, sizeof text, d));
    GOOD(cudaGetDeviceProperties(&p, d));
    snprintf(same, sizeof same, "%04x:%02x:%02x.0", p.pciDomainID, p.pciBusID, p.pciDeviceID);
    EXPECT(std::string(text) == same);
    GOOD(cudaDeviceGetByPCIBusId(&found, text));
    EXPECT(found == d);
    GOOD(cuDeviceGetPCIBusId(same, sizeof same, d));
    EXPECT(std::string(text) == same);
  }
  // What is scheduled in which way excludes the others; all other bits below 256 may be together.
  for (unsigned flags = 0; flags < 600; flags++) {
    const unsigned schedule = flags & 7;
    const bool can_be = flags < 256 && (flags & CU_CTX_MAP_HOST) == 0 && (schedule == 0 || schedule == 1 || schedule == 2 || schedule == 4);
    const CUresult error = cuDevicePrimaryCtxSetFlags(0, flags);
    EXPECT((error == CUDA_SUCCESS) == can_be);
    unsigned now = 777;
    int active = -1;
    GOOD(cuDevicePrimaryCtxGetState(0, &now, &active));
    if (can_be) EXPECT(now == flags);
  }
  GOOD(cuDevicePrimaryCtxSetFlags(0, 0));
}

__global__ void write(int *p) { *p = 5; }
__global__ void read(const int *p, int *to) { *to = *p; }
#ifdef __CPU_DEVICE__  // a GPU does not come back from a failure
void read_only() {
  const size_t bytes = size_t(2) << 20;
  for (const CUmemAccess_flags flags : {CU_MEM_ACCESS_FLAGS_PROT_READWRITE, CU_MEM_ACCESS_FLAGS_PROT_READ, CU_MEM_ACCESS_FLAGS_PROT_NONE}) {
    CUdeviceptr place;
    CUmemGenericAllocationHandle memory;
    CUmemAllocationProp what = {};
    what.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    what.location.type = cudaMemLocationTypeDevice;
    CUmemAccessDesc access = {};
    access.location = what.location, access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    GOOD(cuMemAddressReserve(&place, bytes, 0, 0, 0));
    GOOD(cuMemCreate(&memory, bytes, &what, 0));
    GOOD(cuMemMap(place, bytes, 0, memory, 0));
    GOOD(cuMemSetAccess(place, bytes, &access, 1));
    write<<<1, 1>>>(reinterpret_cast<int *>(place));
    GOOD(cudaDeviceSynchronize());
    access.flags = flags;
    GOOD(cuMemSetAccess(place, bytes, &access, 1));
    unsigned long long now = 77;
    GOOD(cuMemGetAccess(&now, &what.location, place));
    EXPECT(now == static_cast<unsigned long long>(flags));
    read<<<1, 1>>>(reinterpret_cast<int *>(place), static_cast<int *>(out));
    EXPECT((cudaDeviceSynchronize() == cudaSuccess) == (flags != CU_MEM_ACCESS_FLAGS_PROT_NONE));
    const auto mend = [] {
      cudaDeviceReset();
      GOOD(cudaMallocManaged(&out, 64));
    };
    if (flags == CU_MEM_ACCESS_FLAGS_PROT_NONE) mend();
    write<<<1, 1>>>(reinterpret_cast<int *>(place));
    EXPECT((cudaDeviceSynchronize() == cudaSuccess) == (flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE));
    if (flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE) mend();
    GOOD(cuMemUnmap(place, bytes));
    GOOD(cuMemRelease(memory));
    GOOD(cuMemAddressFree(place, bytes));
  }
}
#endif

void called(cudaStream_t stream, cudaError_t error, void *to) {
  if (error == cudaSuccess) *static_cast<cudaStream_t *>(to) = stream;
}
void callbacks() {
  cudaStream_t streams[3], seen[3] = {};
  for (int i = 0; i < 3; i++) {
    GOOD(cudaStreamCreate(&streams[i]));
    GOOD(cudaStreamAddCallback(streams[i], called, &seen[i], 0));
  }
  GOOD(cudaDeviceSynchronize());
  for (int i = 0; i < 3; i++) {
    EXPECT(seen[i] == streams[i]);
    GOOD(cudaStreamDestroy(streams[i]));
  }
}

int main() {
  setenv("CPU_DEVICE_COUNT", "16", 1);  // for a machine without a GPU
  GOOD(cudaSetDevice(0));
  CUcontext context = nullptr;
  GOOD(cuCtxGetCurrent(&context));  // the runtime is in use
  EXPECT(context != nullptr);
  GOOD(cudaMallocManaged(&out, 64));
  devices();
  layers();
  boxes();
  gradients();
  callbacks();
#ifdef __CPU_DEVICE__
  types();
  read_only();
#endif
  if (wrong != 0) printf("%d wrong\n", wrong);
  return wrong != 0;
}
