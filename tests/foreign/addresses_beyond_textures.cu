// In the manner of conformance suites for textures: each address mode in each direction, far beyond the ends, with points and
// between them, in pixels and in fractions of the size, of each type, in one to three dimensions and in layers, against the
// formulas of the programming guide; and surfaces that are read and written beyond their ends.
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

int wrong = 0;
std::mt19937 engine(59);
int random_to(int n) { return static_cast<int>(engine() % n); }  // 0 to n - 1
bool coin() { return engine() % 2 != 0; }
void failed(int line, const char *what) { wrong++, printf("line %d: %s\n", line, what); }
#define GOOD(call) ((call) == cudaSuccess ? void() : failed(__LINE__, #call))

const int kPlaces = 64;
enum Form { line, plane, space, line_layers, plane_layers };

template <typename Result>
__global__ void look(cudaTextureObject_t from, Form form, const float4 *at, Result *out) {
  const float4 p = at[threadIdx.x];
  Result &to = out[threadIdx.x];
  switch (form) {
    case line:
      to = tex1D<Result>(from, p.x);
      break;
    case plane:
      to = tex2D<Result>(from, p.x, p.y);
      break;
    case space:
      to = tex3D<Result>(from, p.x, p.y, p.z);
      break;
    case line_layers:
      to = tex1DLayered<Result>(from, p.x, static_cast<int>(p.w));
      break;
    case plane_layers:
      to = tex2DLayered<Result>(from, p.x, p.y, static_cast<int>(p.w));
      break;
  }
}

// Which element an index stands for; -1 for the color of the border.
int element(int i, int n, cudaTextureAddressMode mode) {
  if (mode == cudaAddressModeWrap) return ((i % n) + n) % n;
  if (mode == cudaAddressModeMirror) {
    const int k = ((i % (2 * n)) + 2 * n) % (2 * n);
    return k < n ? k : 2 * n - 1 - k;
  }
  if (i >= 0 && i < n) return i;
  return mode == cudaAddressModeBorder ? -1 : i < 0 ? 0 : n - 1;
}

template <typename T>
struct Channel {
  static constexpr double largest = sizeof(T) == 1 ? (T(-1) < 0 ? 127 : 255) : (T(-1) < 0 ? 32767 : 65535);
};

// T: the type of a channel. Fractions: what is an integer is read as a number from -1 to 1.
template <typename T, typename Element, typename Result, int channels>
void textures(const char *name, bool fractions, bool filter) {
  for (int round = 0; round < 12; round++) {
    const Form form = static_cast<Form>(random_to(5));
    const bool layers = form >= line_layers;
    const int w = 3 + random_to(6), h = form == line || form == line_layers ? 1 : 3 + random_to(4),
              d = form == space ? 2 + random_to(3)
                  : layers      ? 3
                                : 1;
    std::vector<T> values(static_cast<size_t>(w) * h * d * channels);
    for (T &x : values) x = std::is_floating_point<T>::value ? T(random_to(200) - 100) : T(engine());
    const auto format = cudaCreateChannelDesc<Element>();
    cudaArray_t array;
    GOOD(cudaMalloc3DArray(&array, &format,
                           make_cudaExtent(w, form == line || form == line_layers ? 0 : h, form == line || form == plane ? 0 : d),
                           layers ? cudaArrayLayered : 0));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(values.data(), w * sizeof(Element), w, h), copy.dstArray = array,
    copy.extent = make_cudaExtent(w, h, d);
    copy.kind = cudaMemcpyHostToDevice;
    GOOD(cudaMemcpy3D(&copy));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray, resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.normalizedCoords = coin(), how.filterMode = filter ? cudaFilterModeLinear : cudaFilterModePoint;
    how.readMode = fractions ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    const cudaTextureAddressMode all[] = {cudaAddressModeClamp, cudaAddressModeBorder, cudaAddressModeWrap, cudaAddressModeMirror};
    for (auto &mode : how.addressMode) mode = all[random_to(how.normalizedCoords ? 4 : 2)];
    // An H200 filters a line as a plane of one row, with whatever the second mode puts next to it.
    if (form == line || form == line_layers) how.addressMode[1] = cudaAddressModeClamp;
    const bool as_floats = fractions || std::is_floating_point<T>::value;
    if (as_floats)
      for (int i = 0; i < 4; i++) how.borderColor[i] = static_cast<float>(i % 2);  // a GPU rounds others to what an element can hold
    cudaTextureObject_t texture;
    GOOD(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    // Not where two elements meet; with a filter, at eighths, whose weights are exact.
    std::vector<float4> at(kPlaces);
    std::vector<double> exact(3 * kPlaces);
    for (int i = 0; i < kPlaces; i++) {
      const int sizes[] = {w, h, d};
      float c[3];
      for (int k = 0; k < 3; k++) {
        const double x = random_to(5 * sizes[k]) - 2 * sizes[k] +
                         (filter ? (2 * random_to(4) + 1) / 16.0 + random_to(2) * 0.5 : 0.125 + random_to(4) * 0.25);
        exact[3 * i + k] = x;
        c[k] = static_cast<float>(how.normalizedCoords ? x / sizes[k] : x);
      }
      at[i] = {c[0], c[1], c[2], static_cast<float>(random_to(3))};
    }
    float4 *device_at;
    Result *out;
    GOOD(cudaMalloc(&device_at, kPlaces * sizeof(float4))), cudaMallocManaged(&out, kPlaces * sizeof(Result));
    GOOD(cudaMemcpy(device_at, at.data(), kPlaces * sizeof(float4), cudaMemcpyHostToDevice));
    look<Result><<<1, kPlaces>>>(texture, form, device_at, out);
    GOOD(cudaDeviceSynchronize());
    const auto value = [&](int x, int y, int z, int channel) {
      if (x < 0 || y < 0 || z < 0) return as_floats ? double(how.borderColor[channel]) : 0.0;
      const double raw = values[((static_cast<size_t>(z) * h + y) * w + x) * channels + channel];
      return fractions ? std::max(-1.0, raw / Channel<T>::largest) : raw;
    };
    for (int i = 0; i < kPlaces; i++)
      for (int channel = 0; channel < channels; channel++) {
        double sum = 0;
        const bool flat = form == line || form == line_layers, deep = form == space;
        int low[3];
        double weight[3] = {0, 0, 0};
        for (int k = 0; k < 3; k++) {
          const double x = exact[3 * i + k] - (filter ? 0.5 : 0);
          low[k] = static_cast<int>(std::floor(x));
          if (filter) weight[k] = x - low[k];
        }
        for (int corner = 0; corner < 8; corner++) {
          double part = 1;
          int place[3];
          const int sizes[] = {w, h, d};
          for (int k = 0; k < 3; k++) {
            const int up = corner >> k & 1;
            if ((k == 1 && flat) || (k == 2 && !deep)) {
              place[k] = k == 2 && layers ? static_cast<int>(at[i].w) : 0, part *= up ? 0 : 1;
              continue;
            }
            part *= up ? weight[k] : 1 - weight[k];
            place[k] = element(low[k] + up, sizes[k], how.addressMode[k]);
          }
          if (part != 0) sum += part * value(place[0], place[1], place[2], channel);
        }
        double got;
        if constexpr (channels == 1)
          got = static_cast<double>(out[i]);
        else if constexpr (channels == 2)
          got = channel == 0 ? out[i].x : out[i].y;
        else
          got = channel == 0 ? out[i].x : channel == 1 ? out[i].y : channel == 2 ? out[i].z : out[i].w;
        const double tolerance = filter ? (fractions ? 0.02 : 2) : fractions ? 1e-5 : 0;
        if (!(std::fabs(got - sum) <= tolerance) && wrong++ < 40)
          printf("%s, form %d, %d x %d x %d, modes %d %d %d, %s, %s, at %g %g %g layer %g, channel %d: %g, expected %g\n", name,
                 form, w, h, d, how.addressMode[0], how.addressMode[1], how.addressMode[2],
                 how.normalizedCoords ? "fractions" : "pixels", filter ? "filter" : "points", exact[3 * i], exact[3 * i + 1],
                 exact[3 * i + 2], at[i].w, channel, got, sum);
      }
    GOOD(cudaDestroyTextureObject(texture)), GOOD(cudaFreeArray(array)), GOOD(cudaFree(device_at)), GOOD(cudaFree(out));
  }
}

// One access of a surface: `place` in elements; x is in bytes for the call.
template <typename T, cudaSurfaceBoundaryMode mode>
__global__ void touch(cudaSurfaceObject_t surface, int form, int3 place, bool write, T value, T *out) {
  const int x = place.x * static_cast<int>(sizeof(T));
  if (write) {
    if (form == 0) surf1Dwrite(value, surface, x, mode);
    if (form == 1) surf2Dwrite(value, surface, x, place.y, mode);
    if (form == 2) surf3Dwrite(value, surface, x, place.y, place.z, mode);
    if (form == 3) surf2DLayeredwrite(value, surface, x, place.y, place.z, mode);
  } else {
    if (form == 0) *out = surf1Dread<T>(surface, x, mode);
    if (form == 1) *out = surf2Dread<T>(surface, x, place.y, mode);
    if (form == 2) *out = surf3Dread<T>(surface, x, place.y, place.z, mode);
    if (form == 3) *out = surf2DLayeredread<T>(surface, x, place.y, place.z, mode);
  }
}

template <typename T, cudaSurfaceBoundaryMode mode>
void surfaces(const char *name) {
  for (int form = 0; form < 4; form++) {
    const int w = 5, h = form == 0 ? 1 : 4, d = form < 2 ? 1 : 3;
    std::vector<T> values(w * h * d);
    for (T &x : values) x = static_cast<T>(1 + random_to(100));
    const auto format = cudaCreateChannelDesc<T>();
    cudaArray_t array;
    GOOD(cudaMalloc3DArray(&array, &format, make_cudaExtent(w, form == 0 ? 0 : h, form < 2 ? 0 : d),
                           cudaArraySurfaceLoadStore | (form == 3 ? cudaArrayLayered : 0)));
    const auto transfer = [&](std::vector<T> *host, bool to_device) {
      cudaMemcpy3DParms copy = {};
      (to_device ? copy.srcPtr : copy.dstPtr) = make_cudaPitchedPtr(host->data(), w * sizeof(T), w, h);
      (to_device ? copy.dstArray : copy.srcArray) = array;
      copy.extent = make_cudaExtent(w, h, d), copy.kind = cudaMemcpyDefault;
      GOOD(cudaMemcpy3D(&copy));
    };
    transfer(&values, true);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray, resource.res.array.array = array;
    cudaSurfaceObject_t surface;
    GOOD(cudaCreateSurfaceObject(&surface, &resource));
    T *out;
    cudaMallocManaged(&out, sizeof *out);
    const int xs[] = {-1, 0, 2, w - 1, w, w + 3}, ys[] = {-1, 0, h - 1, h}, zs[] = {0, d - 1};
    for (const int x : xs)
      for (const int y : ys)
        for (const int z : zs)
          for (const bool write : {false, true}) {
            const int row = form == 0 ? 0 : y;
            const bool inside = x >= 0 && x < w && row >= 0 && row < h;
            const int at = (z * h + std::min(h - 1, std::max(0, row))) * w + std::min(w - 1, std::max(0, x));
            const bool counts = inside || mode == cudaBoundaryModeClamp;
            const T value = static_cast<T>(1 + random_to(100));
            *out = 111;
            touch<T, mode><<<1, 1>>>(surface, form, make_int3(x, y, z), write, value, out);
            GOOD(cudaDeviceSynchronize());
            bool good = write || *out == (counts ? values[at] : T(0));
            if (write) {
              if (counts) values[at] = value;
              std::vector<T> got(values.size());
              transfer(&got, false);
              good = got == values;
            }
            if (!good && wrong++ < 40)
              printf("%s of %s, form %d, mode %d, at %d %d %d\n", write ? "write" : "read", name, form, mode, x, y, z);
          }
    GOOD(cudaDestroySurfaceObject(surface)), GOOD(cudaFreeArray(array)), GOOD(cudaFree(out));
  }
}

int main() {
  textures<float, float, float, 1>("float", false, false), textures<float, float, float, 1>("float", false, true);
  textures<float, float2, float2, 2>("float2", false, false), textures<float, float4, float4, 4>("float4", false, true);
  textures<int, int, int, 1>("int", false, false), textures<unsigned, uint2, uint2, 2>("uint2", false, false);
  textures<short, short, short, 1>("short", false, false), textures<unsigned char, uchar4, uchar4, 4>("uchar4", false, false);
  textures<signed char, signed char, float, 1>("signed char", true, false),
      textures<signed char, char4, float4, 4>("char4", true, true);
  textures<unsigned char, unsigned char, float, 1>("unsigned char", true, true),
      textures<unsigned char, uchar2, float2, 2>("uchar2", true, false);
  textures<short, short, float, 1>("short", true, true), textures<short, short2, float2, 2>("short2", true, false);
  textures<unsigned short, unsigned short, float, 1>("unsigned short", true, false),
      textures<unsigned short, ushort4, float4, 4>("ushort4", true, true);
  surfaces<float, cudaBoundaryModeZero>("float"), surfaces<float, cudaBoundaryModeClamp>("float");
  surfaces<unsigned char, cudaBoundaryModeZero>("unsigned char"), surfaces<short, cudaBoundaryModeClamp>("short"),
      surfaces<int, cudaBoundaryModeZero>("int");
  puts(wrong ? "wrong" : "right");
  return wrong != 0;
}
