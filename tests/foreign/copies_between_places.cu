// In the manner of a test suite for copies: random boxes between memory with pitches and arrays of each kind, with offsets on both
// sides, of both interfaces, and fills. All bytes of both places are compared, also those around the box; the first box that
// does not fit is refused. Link with -lcuda on a GPU.
#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

int wrong = 0;
std::mt19937 engine(43);
size_t random_to(size_t n) { return engine() % n; }  // 0 to n - 1
bool coin() { return engine() % 2 != 0; }
char now[300];  // what is tested
void failed(int line, const char *what) { wrong++, printf("line %d: %s: %s\n", line, now, what); }
#define EXPECT(...) ((__VA_ARGS__) ? void() : failed(__LINE__, #__VA_ARGS__))
#define GOOD(call) EXPECT((call) == cudaSuccess)
typedef std::vector<unsigned char> Bytes;

// A place for boxes: device memory, host memory, or an array. `bytes` is what it must contain, row by row, without a pitch.
struct Place {
  enum Kind { device, host, array } kind;
  size_t element, width, height, depth, pitch;  // the width in elements
  unsigned int flags = 0;
  cudaArray_t in_array = nullptr;
  unsigned char *memory = nullptr;
  Bytes bytes;

  Place(Kind of_kind, size_t of_element, size_t w, size_t h, size_t d, unsigned int array_flags = 0)
      : kind(of_kind),
        element(of_element),
        width(w),
        height(h),
        depth(d),
        pitch(w * of_element + random_to(3) * 8),
        flags(array_flags) {
    const int channels = element == 16 ? 4 : element == 8 ? 2 : 1, bits = static_cast<int>(element) / channels * 8;
    const auto format = cudaCreateChannelDesc(bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 2 ? bits : 0,
                                              cudaChannelFormatKindUnsigned);
    const bool flat = flags == 0 && d == 1;
    if (kind == array) GOOD(cudaMalloc3DArray(&in_array, &format, make_cudaExtent(w, h, flat ? 0 : d), flags));
    if (kind == device) GOOD(cudaMalloc(&memory, pitch * h * d));
    if (kind == host) memory = static_cast<unsigned char *>(malloc(pitch * h * d));
    bytes.resize(w * of_element * h * d);
    for (auto &byte : bytes) byte = static_cast<unsigned char>(engine());
    transfer(bytes.data(), true);
  }
  ~Place() {
    if (kind == array) cudaFreeArray(in_array);
    if (kind == device) cudaFree(memory);
    if (kind == host) free(memory);
  }
  Place(const Place &) = delete;
  size_t row() const { return width * element; }
  unsigned char &at(size_t x, size_t y, size_t z) { return bytes[(z * height + y) * row() + x]; }
  // The whole content, between here and host memory without a pitch.
  void transfer(unsigned char *whole, bool to_here) {
    cudaMemcpy3DParms all = {};
    const auto plain = make_cudaPitchedPtr(whole, row(), row(), height), own = make_cudaPitchedPtr(memory, pitch, row(), height);
    if (kind == array)
      (to_here ? all.dstArray : all.srcArray) = in_array;
    else
      (to_here ? all.dstPtr : all.srcPtr) = own;
    (to_here ? all.srcPtr : all.dstPtr) = plain;
    all.extent = make_cudaExtent(kind == array ? width : row(), height, depth);
    all.kind = cudaMemcpyDefault;
    GOOD(cudaMemcpy3D(&all));
  }
  bool same() {
    cudaDeviceSynchronize();
    Bytes got(bytes.size());
    transfer(got.data(), false);
    return got == bytes;
  }
};

Place *some_place(size_t element) {
  const size_t w = 1 + random_to(9), h = 1 + random_to(6), d = 1 + random_to(4);
  switch (random_to(6)) {
    case 0:
      return new Place(Place::device, element, w, h, d);
    case 1:
      return new Place(Place::host, element, w, h, d);
    case 2:
      return new Place(Place::array, element, w, h, d, cudaArrayLayered);
    case 3:
      return new Place(Place::array, element, w, h, 1);
    case 4:
      return new Place(Place::array, element, w, w, 6, cudaArrayCubemap);
    default:
      return new Place(Place::array, element, w, h, d + 1);
  }
}
void move(Place &to, size_t tx, size_t ty, size_t tz, Place &from, size_t fx, size_t fy, size_t fz, size_t width, size_t height,
          size_t depth) {
  for (size_t z = 0; z < depth; z++)
    for (size_t y = 0; y < height; y++)
      for (size_t x = 0; x < width; x++) to.at(tx + x, ty + y, tz + z) = from.at(fx + x, fy + y, fz + z);
}

// The offsets and extents are in elements if there is an array, else in bytes.
void deep(cudaStream_t stream) {
  const size_t element = size_t(1) << random_to(5);
  Place *from = some_place(element), *to = some_place(element);
  const bool any_array = from->kind == Place::array || to->kind == Place::array, async = coin();
  const size_t unit = any_array ? element : 1;
  const auto positions = [&](const Place &p) { return p.row() / unit; };
  const size_t w = 1 + random_to(std::min(positions(*from), positions(*to)));
  const size_t h = 1 + random_to(std::min(from->height, to->height)), d = 1 + random_to(std::min(from->depth, to->depth));
  const size_t fx = random_to(positions(*from) - w + 1), fy = random_to(from->height - h + 1), fz = random_to(from->depth - d + 1);
  const size_t tx = random_to(positions(*to) - w + 1), ty = random_to(to->height - h + 1), tz = random_to(to->depth - d + 1);
  snprintf(now, sizeof now,
           "%s, elements of %zu bytes, %zu x %zu x %zu from %zu %zu %zu of kind %d/%x to %zu %zu %zu of kind %d/%x",
           async ? "later" : "now", element, w, h, d, fx, fy, fz, from->kind, from->flags, tx, ty, tz, to->kind, to->flags);
  cudaMemcpy3DParms what = {};
  const auto set = [&](Place &p, cudaArray_t *array, cudaPitchedPtr *memory, cudaPos *at, size_t x, size_t y, size_t z) {
    if (p.kind == Place::array)
      *array = p.in_array;
    else
      *memory = make_cudaPitchedPtr(p.memory, p.pitch, p.row(), p.height);
    *at = make_cudaPos(x, y, z);  // next to an array, those in memory are elements, too
  };
  set(*from, &what.srcArray, &what.srcPtr, &what.srcPos, fx, fy, fz),
      set(*to, &what.dstArray, &what.dstPtr, &what.dstPos, tx, ty, tz);
  what.extent = make_cudaExtent(w, h, d);
  what.kind = cudaMemcpyDefault;
  GOOD(async ? cudaMemcpy3DAsync(&what, stream) : cudaMemcpy3D(&what));
  move(*to, tx * unit, ty, tz, *from, fx * unit, fy, fz, w * unit, h, d);
  EXPECT(to->same());
  EXPECT(from->same());
  // One too far in each direction.
  for (int direction = 0; direction < 3; direction++)
    for (Place *side : {from, to}) {
      if (side->kind != Place::array) continue;
      cudaMemcpy3DParms more = what;
      cudaPos &at = side == from ? more.srcPos : more.dstPos;
      size_t &start = direction == 0 ? at.x : direction == 1 ? at.y : at.z;
      start = (direction == 0 ? side->width - w : direction == 1 ? side->height - h : side->depth - d) + 1;
      EXPECT(cudaMemcpy3D(&more) == cudaErrorInvalidValue);
      cudaGetLastError();
    }
  EXPECT(to->same());
  delete from, delete to;
}

// Rows between memory and two-dimensional arrays, from array to array, in both interfaces; offsets and widths in bytes.
void flat(cudaStream_t stream) {
  const size_t element = size_t(1) << random_to(5);
  const auto some_flat = [&](bool is_array) {
    const Place::Kind kind = is_array ? Place::array : coin() ? Place::device : Place::host;
    return new Place(kind, element, 1 + random_to(9), 1 + random_to(6), 1);
  };
  const int way = static_cast<int>(random_to(4));  // memory to array, array to memory, between arrays, between memory
  Place *from = some_flat(way == 1 || way == 2), *to = some_flat(way == 0 || way == 2);
  const bool async = coin(), of_driver = coin();
  const size_t w = (1 + random_to(std::min(from->width, to->width))) * element,
               h = 1 + random_to(std::min(from->height, to->height));
  const size_t fx = random_to((from->row() - w) / element + 1) * element, fy = random_to(from->height - h + 1);
  const size_t tx = random_to((to->row() - w) / element + 1) * element, ty = random_to(to->height - h + 1);
  snprintf(now, sizeof now, "%s, way %d, %s, elements of %zu bytes, %zu x %zu from %zu %zu to %zu %zu",
           of_driver ? "driver" : "runtime", way, async ? "later" : "now", element, w, h, fx, fy, tx, ty);
  const auto any = cudaMemcpyDefault;
  const auto within = [&](Place &p, size_t x, size_t y) { return p.memory + y * p.pitch + x; };
  const auto copy = [&](size_t source_x, size_t source_y, size_t width, size_t height) -> int {
    if (of_driver) {
      CUDA_MEMCPY2D what = {};
      const auto type = [](Place &p) {
        return p.kind == Place::array ? CU_MEMORYTYPE_ARRAY : p.kind == Place::device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
      };
      what.srcMemoryType = type(*from), what.dstMemoryType = type(*to);
      what.srcXInBytes = source_x, what.srcY = source_y, what.dstXInBytes = tx, what.dstY = ty;
      what.srcArray = reinterpret_cast<CUarray>(from->in_array), what.dstArray = reinterpret_cast<CUarray>(to->in_array);
      what.srcHost = from->memory, what.dstHost = to->memory;
      what.srcDevice = reinterpret_cast<CUdeviceptr>(from->memory), what.dstDevice = reinterpret_cast<CUdeviceptr>(to->memory);
      what.srcPitch = from->pitch, what.dstPitch = to->pitch;
      what.WidthInBytes = width, what.Height = height;
      return async ? cuMemcpy2DAsync(&what, stream) : cuMemcpy2D(&what);
    }
    switch (way) {
      case 0:
        return async
                   ? cudaMemcpy2DToArrayAsync(to->in_array, tx, ty, within(*from, source_x, source_y), from->pitch, width, height,
                                              any, stream)
                   : cudaMemcpy2DToArray(to->in_array, tx, ty, within(*from, source_x, source_y), from->pitch, width, height, any);
      case 1:
        return async
                   ? cudaMemcpy2DFromArrayAsync(within(*to, tx, ty), to->pitch, from->in_array, source_x, source_y, width, height,
                                                any, stream)
                   : cudaMemcpy2DFromArray(within(*to, tx, ty), to->pitch, from->in_array, source_x, source_y, width, height, any);
      case 2:
        return cudaMemcpy2DArrayToArray(to->in_array, tx, ty, from->in_array, source_x, source_y, width, height,
                                        cudaMemcpyDeviceToDevice);
      default:
        return async ? cudaMemcpy2DAsync(within(*to, tx, ty), to->pitch, within(*from, source_x, source_y), from->pitch, width,
                                         height, any, stream)
                     : cudaMemcpy2D(within(*to, tx, ty), to->pitch, within(*from, source_x, source_y), from->pitch, width, height,
                                    any);
    }
  };
  EXPECT(copy(fx, fy, w, h) == 0);
  move(*to, tx, ty, 0, *from, fx, fy, 0, w, h, 1);
  EXPECT(to->same());
  EXPECT(from->same());
  if (from->kind == Place::array) {
    EXPECT(copy(from->row() - w + element, fy, w, h) == cudaErrorInvalidValue);
    EXPECT(copy(fx, from->height - h + 1, w, h) == cudaErrorInvalidValue);
  }
  if (to->kind == Place::array && from->kind == Place::array)
    EXPECT(copy(0, 0, w, std::min(from->height, to->height) + 9) == cudaErrorInvalidValue);
  cudaGetLastError();
  EXPECT(to->same());
  delete from, delete to;
}

// Fills of rows and boxes, and of values of one, two and four bytes.
void fills(cudaStream_t stream) {
  const size_t w = 1 + random_to(20), h = 1 + random_to(6), d = 1 + random_to(4);
  const bool async = coin();
  Place there(Place::device, 1, w, h, d);
  snprintf(now, sizeof now, "fill in %zu x %zu x %zu, %s", w, h, d, async ? "later" : "now");
  const int value = static_cast<int>(engine());  // only its low byte counts
  {
    const size_t width = random_to(w + 1), height = random_to(h + 1), depth = random_to(d + 1);
    const auto all = make_cudaPitchedPtr(there.memory, there.pitch, w, h);
    const auto extent = make_cudaExtent(width, height, depth);
    GOOD(async ? cudaMemset3DAsync(all, value, extent, stream) : cudaMemset3D(all, value, extent));
    for (size_t z = 0; z < depth; z++)
      for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++) there.at(x, y, z) = static_cast<unsigned char>(value);
    EXPECT(there.same());
  }
  {
    const size_t x = random_to(w), y = random_to(h), width = random_to(w - x + 1), height = random_to(h - y + 1);
    unsigned char *const start = there.memory + y * there.pitch + x;
    GOOD(async ? cudaMemset2DAsync(start, there.pitch, value + 1, width, height, stream)
               : cudaMemset2D(start, there.pitch, value + 1, width, height));
    for (size_t row = 0; row < height; row++)
      for (size_t column = 0; column < width; column++) there.at(x + column, y + row, 0) = static_cast<unsigned char>(value + 1);
    EXPECT(there.same());
    const size_t piece = random_to(w - x + 1);
    GOOD(async ? cudaMemsetAsync(start, value + 2, piece, stream) : cudaMemset(start, value + 2, piece));
    for (size_t column = 0; column < piece; column++) there.at(x + column, y, 0) = static_cast<unsigned char>(value + 2);
    EXPECT(there.same());
  }
  // The driver's fills: a number of values, not of bytes.
  unsigned char *memory;
  cudaMalloc(&memory, 256);
  cudaMemset(memory, 7, 256);
  Bytes wanted(256, 7), got(256);
  for (const size_t size : {1, 2, 4}) {
    const size_t first = random_to(10) * size, count = random_to(12);
    const auto to = reinterpret_cast<CUdeviceptr>(memory) + first;
    const unsigned int bits = engine();
    const auto one = static_cast<unsigned char>(bits);
    const auto two = static_cast<unsigned short>(bits);
    EXPECT((size == 1   ? async ? cuMemsetD8Async(to, one, count, stream) : cuMemsetD8(to, one, count)
              : size == 2 ? async ? cuMemsetD16Async(to, two, count, stream) : cuMemsetD16(to, two, count)
              : async ? cuMemsetD32Async(to, bits, count, stream)
                        : cuMemsetD32(to, bits, count)) == CUDA_SUCCESS);
    for (size_t i = 0; i < count; i++) memcpy(&wanted[first + i * size], &bits, size);
    cudaDeviceSynchronize();
    cudaMemcpy(got.data(), memory, 256, cudaMemcpyDeviceToHost);
    EXPECT(got == wanted);
  }
  const auto from = reinterpret_cast<CUdeviceptr>(memory);
  EXPECT(cuMemsetD32(from, 1, 64) == CUDA_SUCCESS && cuMemsetD16(from, 1, 128) == CUDA_SUCCESS &&
         cuMemsetD8(from, 1, 256) == CUDA_SUCCESS);
  EXPECT(cuMemsetD32(from + 2, 1, 1) == CUDA_ERROR_INVALID_VALUE && cuMemsetD16(from + 1, 1, 1) == CUDA_ERROR_INVALID_VALUE);
#ifdef __CPU_DEVICE__  // what lies behind is known only here
  EXPECT(cuMemsetD32(from, 1, 65) == CUDA_ERROR_INVALID_VALUE && cuMemsetD16(from, 1, 129) == CUDA_ERROR_INVALID_VALUE &&
         cuMemsetD8(from, 1, 257) == CUDA_ERROR_INVALID_VALUE);
  EXPECT(cudaMemset(memory, 1, 257) == cudaErrorInvalidValue && cudaMemset2D(memory, 64, 1, 64, 5) == cudaErrorInvalidValue);
#endif
  GOOD(cudaMemset2D(memory, 64, 1, 64, 4));
  EXPECT(cudaMemset2D(memory, 63, 1, 64, 2) == cudaErrorInvalidValue);
  cudaGetLastError();
  cudaFree(memory);
}

__constant__ unsigned char in_constant[100];
__device__ unsigned char in_global[100];

// Pieces of variables, in all directions.
template <typename Symbol>
void variable(const Symbol &symbol, cudaStream_t stream) {
  Bytes wanted(100), got(100), piece(100);
  for (auto &byte : wanted) byte = static_cast<unsigned char>(engine());
  GOOD(cudaMemcpyToSymbol(symbol, wanted.data(), 100));
  unsigned char *memory;
  cudaMalloc(&memory, 100);
  for (int i = 0; i < 20; i++) {
    const size_t offset = random_to(100), bytes = random_to(101 - offset);
    const bool async = coin(), on_device = coin();
    snprintf(now, sizeof now, "%zu bytes at %zu of a variable, %s", bytes, offset, async ? "later" : "now");
    for (auto &byte : piece) byte = static_cast<unsigned char>(engine());
    cudaMemcpy(memory, piece.data(), 100, cudaMemcpyHostToDevice);
    const unsigned char *const from = on_device ? memory : piece.data();
    const auto kind = on_device ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice;
    GOOD(async ? cudaMemcpyToSymbolAsync(symbol, from, bytes, offset, kind, stream)
               : cudaMemcpyToSymbol(symbol, from, bytes, offset, kind));
    std::copy_n(piece.begin(), bytes, wanted.begin() + offset);
    cudaDeviceSynchronize();
    GOOD(cudaMemcpyFromSymbol(got.data(), symbol, 100));
    EXPECT(got == wanted);
    Bytes back(100, 5), wanted_back(100, 5);
    GOOD(async ? cudaMemcpyFromSymbolAsync(back.data(), symbol, bytes, offset, cudaMemcpyDeviceToHost, stream)
               : cudaMemcpyFromSymbol(back.data(), symbol, bytes, offset, cudaMemcpyDeviceToHost));
    cudaDeviceSynchronize();
    std::copy_n(wanted.begin() + offset, bytes, wanted_back.begin());
    EXPECT(back == wanted_back);
    EXPECT(cudaMemcpyToSymbol(symbol, piece.data(), 101 - offset, offset) == cudaErrorInvalidValue);
    EXPECT(cudaMemcpyFromSymbol(back.data(), symbol, 101 - offset, offset) == cudaErrorInvalidValue);
    cudaGetLastError();
  }
  size_t size = 0;
  GOOD(cudaGetSymbolSize(&size, symbol));
  EXPECT(size == 100);
  void *address = nullptr;
  GOOD(cudaGetSymbolAddress(&address, symbol));
  GOOD(cudaMemcpy(got.data(), address, 100, cudaMemcpyDeviceToHost));
  EXPECT(got == wanted);
  cudaFree(memory);
}

// What an array says of itself, in both interfaces, for each format.
void descriptions() {
  const struct {
    CUarray_format format;
    int bits;
    cudaChannelFormatKind kind;
  } all[] = {{CU_AD_FORMAT_UNSIGNED_INT8, 8, cudaChannelFormatKindUnsigned},
             {CU_AD_FORMAT_UNSIGNED_INT16, 16, cudaChannelFormatKindUnsigned},
             {CU_AD_FORMAT_UNSIGNED_INT32, 32, cudaChannelFormatKindUnsigned},
             {CU_AD_FORMAT_SIGNED_INT8, 8, cudaChannelFormatKindSigned},
             {CU_AD_FORMAT_SIGNED_INT16, 16, cudaChannelFormatKindSigned},
             {CU_AD_FORMAT_SIGNED_INT32, 32, cudaChannelFormatKindSigned},
             {CU_AD_FORMAT_HALF, 16, cudaChannelFormatKindFloat},
             {CU_AD_FORMAT_FLOAT, 32, cudaChannelFormatKindFloat}};
  for (const auto &one : all)
    for (const unsigned int channels : {1u, 2u, 4u}) {
      snprintf(now, sizeof now, "array of %u channels of format %d", channels, one.format);
      CUDA_ARRAY3D_DESCRIPTOR what = {7, 5, 3, one.format, channels, CUDA_ARRAY3D_LAYERED}, got = {};
      CUarray array;
      EXPECT(cuArray3DCreate(&array, &what) == CUDA_SUCCESS && cuArray3DGetDescriptor(&got, array) == CUDA_SUCCESS);
      EXPECT(got.Width == 7 && got.Height == 5 && got.Depth == 3 && got.Format == one.format && got.NumChannels == channels &&
             got.Flags == CUDA_ARRAY3D_LAYERED);
      cudaChannelFormatDesc format = {};
      cudaExtent extent = {};
      unsigned int flags = 0;
      GOOD(cudaArrayGetInfo(&format, &extent, &flags, reinterpret_cast<cudaArray_t>(array)));
      EXPECT(extent.width == 7 && extent.height == 5 && extent.depth == 3 && flags == cudaArrayLayered);
      EXPECT(format.f == one.kind && format.x == one.bits && format.y == (channels > 1 ? one.bits : 0) &&
             format.z == (channels > 2 ? one.bits : 0) && format.w == (channels > 2 ? one.bits : 0));
      EXPECT(cuArrayDestroy(array) == CUDA_SUCCESS);
      CUDA_ARRAY_DESCRIPTOR plane = {6, 4, one.format, channels}, plane_got = {};
      EXPECT(cuArrayCreate(&array, &plane) == CUDA_SUCCESS && cuArrayGetDescriptor(&plane_got, array) == CUDA_SUCCESS);
      EXPECT(plane_got.Width == 6 && plane_got.Height == 4 && plane_got.Format == one.format && plane_got.NumChannels == channels);
      EXPECT(cuArrayDestroy(array) == CUDA_SUCCESS);
    }
  for (const unsigned int channels : {0u, 3u, 5u}) {
    CUDA_ARRAY_DESCRIPTOR plane = {6, 4, CU_AD_FORMAT_FLOAT, channels};
    CUarray array;
    snprintf(now, sizeof now, "%u channels", channels);
    EXPECT(cuArrayCreate(&array, &plane) == CUDA_ERROR_INVALID_VALUE);
  }
}

int main() {
  cudaStream_t stream;
  GOOD(cudaStreamCreate(&stream));
  for (int i = 0; i < 300; i++) deep(stream), flat(stream);
  for (int i = 0; i < 40; i++) fills(stream);
  variable(in_constant, stream), variable(in_global, stream);
  descriptions();
  cudaStreamDestroy(stream);
  puts(wrong ? "wrong" : "right");
  return wrong != 0;
}
