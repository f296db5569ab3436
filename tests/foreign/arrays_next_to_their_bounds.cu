// Arrays, next to each bound of what can be: which cube maps, formats and levels there are, against rules written a second
// time; and copies of boxes, against loops over single elements. What is refused changes nothing.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

int wrong = 0;
void failed(int line, const char *what) {
  if (wrong++ < 30) printf("line %d: %s\n", line, what);
}
#define EXPECT(...) ((__VA_ARGS__) ? void() : failed(__LINE__, #__VA_ARGS__))
#define GOOD(...) EXPECT((__VA_ARGS__) == cudaSuccess)

std::mt19937 engine(11);
size_t below(size_t n) { return engine() % n; }

void cube_maps() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
  for (const bool layered : {false, true})
    for (size_t width = 1; width < 4; width++)
      for (size_t height = 0; height < 4; height++)
        for (size_t depth = 0; depth < 26; depth++) {
          cudaArray_t array = nullptr;
          const unsigned flags = cudaArrayCubemap | (layered ? cudaArrayLayered : 0);
          const bool can_be = width == height && (layered ? depth > 0 && depth % 6 == 0 : depth == 6);
          const cudaError_t error = cudaMalloc3DArray(&array, &format, make_cudaExtent(width, height, depth), flags);
          if ((error == cudaSuccess) != can_be)
            printf("a cube map of %zu x %zu x %zu, layered %d: %s\n", width, height, depth, layered, cudaGetErrorName(error)), wrong++;
          EXPECT((array != nullptr) == can_be);
          if (array != nullptr) GOOD(cudaFreeArray(array));
        }
  cudaGetLastError();
}

void formats() {
  const int sizes[] = {0, 8, 12, 16, 32, 64};
  for (const int x : sizes)
    for (const int y : sizes)
      for (const int z : sizes)
        for (const int w : sizes)
          for (const cudaChannelFormatKind kind : {cudaChannelFormatKindSigned, cudaChannelFormatKindUnsigned, cudaChannelFormatKindFloat}) {
            const bool one = y == 0 && z == 0 && w == 0, two = y == x && z == 0 && w == 0, four = y == x && z == x && w == x;
            const bool can_be = (one || two || four) && (x == 16 || x == 32 || (x == 8 && kind != cudaChannelFormatKindFloat));
            const cudaChannelFormatDesc format = cudaCreateChannelDesc(x, y, z, w, kind);
            cudaArray_t array = nullptr;
            const cudaError_t error = cudaMallocArray(&array, &format, 3, 2);
            if ((error == cudaSuccess) != can_be)
              printf("elements of %d, %d, %d, %d bits of kind %d: %s\n", x, y, z, w, kind, cudaGetErrorName(error)), wrong++;
            if (array == nullptr) continue;
            cudaChannelFormatDesc same;
            cudaExtent extent;
            unsigned flags = 77;
            GOOD(cudaArrayGetInfo(&same, &extent, &flags, array));
            EXPECT(same.x == x && same.y == y && same.z == z && same.w == w && same.f == kind);
            EXPECT(extent.width == 3 && extent.height == 2 && extent.depth == 0 && flags == 0);
            GOOD(cudaFreeArray(array));
          }
  cudaGetLastError();
}

void levels() {
  struct Kind {
    unsigned flags;
    cudaExtent extent;
  };
  std::vector<Kind> kinds;
  for (const size_t width : {1, 2, 3, 5, 8, 9})
    for (const size_t height : {0, 1, 4, 7, 16})
      for (const size_t depth : {0, 1, 6, 12, 40})
        for (const unsigned flags : {0u, unsigned(cudaArrayLayered), unsigned(cudaArrayCubemap), unsigned(cudaArrayCubemap | cudaArrayLayered)}) {
          const bool cube = (flags & cudaArrayCubemap) != 0, layered = (flags & cudaArrayLayered) != 0;
          if (cube && (width != height || depth == 0 || depth % 6 != 0 || (!layered && depth != 6))) continue;
          if (layered && depth == 0) continue;
          if (flags == 0 && height == 0 && depth != 0) continue;
          kinds.push_back({flags, make_cudaExtent(width, height, depth)});
        }
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<short>();
  for (const Kind &kind : kinds)
    for (const unsigned asked : {0u, 1u, 2u, 4u, 100u}) {
      const bool keeps = (kind.flags & (cudaArrayLayered | cudaArrayCubemap)) != 0;  // the depth counts layers
      size_t longest = std::max(kind.extent.width, kind.extent.height);
      if (!keeps) longest = std::max(longest, kind.extent.depth);
      unsigned most = 0;
      for (; longest > 0; longest /= 2) most++;
      const unsigned wanted = std::min(std::max(asked, 1u), most);
      cudaMipmappedArray_t all = nullptr;
      GOOD(cudaMallocMipmappedArray(&all, &format, kind.extent, asked, kind.flags));
      if (all == nullptr) continue;
      for (unsigned level = 0; level < wanted + 2; level++) {
        cudaArray_t one = nullptr;
        const cudaError_t error = cudaGetMipmappedArrayLevel(&one, all, level);
        if ((error == cudaSuccess) != (level < wanted)) {
          printf("%zu x %zu x %zu, flags %u, %u levels asked for, level %u: %s\n", kind.extent.width, kind.extent.height,
                 kind.extent.depth, kind.flags, asked, level, cudaGetErrorName(error));
          wrong++;
        }
        if (one == nullptr) continue;
        cudaExtent extent;
        GOOD(cudaArrayGetInfo(nullptr, &extent, nullptr, one));
        const auto half = [&](size_t n) { return n == 0 ? 0 : std::max<size_t>(1, n >> level); };
        EXPECT(extent.width == half(kind.extent.width) && extent.height == half(kind.extent.height));
        EXPECT(extent.depth == (keeps ? kind.extent.depth : half(kind.extent.depth)));
      }
      cudaArray_t first = nullptr;
      GOOD(cudaGetMipmappedArrayLevel(&first, all, 0));
      GOOD(cudaFreeArray(first));  // it lives as long as the whole
      const short value = 5;
      short back = 0;
      GOOD(cudaMemcpy2DToArray(first, 0, 0, &value, 2, 2, 1, cudaMemcpyHostToDevice));
      GOOD(cudaMemcpy2DFromArray(&back, 2, first, 0, 0, 2, 1, cudaMemcpyDeviceToHost));
      EXPECT(back == 5);
      GOOD(cudaFreeMipmappedArray(all));
#ifdef __CPU_DEVICE__  // which knows that it was freed
      EXPECT(cudaArrayGetInfo(nullptr, nullptr, nullptr, first) != cudaSuccess);
      cudaGetLastError();
#endif
    }
}

// ---- boxes ----

// A place in memory or in an array, with a copy of its bytes that loops over single elements change.
struct Place {
  cudaArray_t array = nullptr;
  unsigned char *memory = nullptr;
  bool on_device = false;
  size_t element = 1, width = 0, height = 0, depth = 0, pitch = 0, rows = 0;  // width in elements
  std::vector<unsigned char> bytes;                                           // width * height * depth elements

  unsigned char *at(size_t x, size_t y, size_t z) { return &bytes[((z * height + y) * width + x) * element]; }
  void fill() {
    bytes.resize(width * height * depth * element);
    for (auto &byte : bytes) byte = static_cast<unsigned char>(engine());
  }
  cudaMemcpy3DParms whole(std::vector<unsigned char> &plain, bool to_host) {
    plain.resize(bytes.size());
    cudaMemcpy3DParms copy = {};
    const cudaPitchedPtr host = make_cudaPitchedPtr(plain.data(), width * element, width * element, height);
    const cudaPitchedPtr own = make_cudaPitchedPtr(memory, pitch, width * element, rows);
    (to_host ? copy.dstPtr : copy.srcPtr) = host;
    if (array != nullptr)
      (to_host ? copy.srcArray : copy.dstArray) = array;
    else
      (to_host ? copy.srcPtr : copy.dstPtr) = own;
    copy.extent = make_cudaExtent(array != nullptr ? width : width * element, height, depth);
    copy.kind = cudaMemcpyDefault;
    return copy;
  }
  void put() {
    std::vector<unsigned char> plain;
    const cudaMemcpy3DParms copy = whole(plain, false);
    plain = bytes;
    GOOD(cudaMemcpy3D(&copy));
  }
  bool is_right() {
    std::vector<unsigned char> plain;
    const cudaMemcpy3DParms copy = whole(plain, true);
    GOOD(cudaMemcpy3D(&copy));
    return plain == bytes;
  }
};
cudaChannelFormatDesc format_of(size_t element) {
  if (element == 1) return cudaCreateChannelDesc<unsigned char>();
  if (element == 2) return cudaCreateChannelDesc<short>();
  if (element == 4) return cudaCreateChannelDesc<float>();
  return element == 8 ? cudaCreateChannelDesc<int2>() : cudaCreateChannelDesc<float4>();
}
Place make_place(size_t element) {
  Place it;
  it.element = element;
  it.width = 1 + below(7), it.height = 1 + below(5), it.depth = 1 + below(4);
  const int kind = static_cast<int>(below(4));
  if (kind < 2) {
    const cudaChannelFormatDesc format = format_of(element);
    GOOD(cudaMalloc3DArray(&it.array, &format, make_cudaExtent(it.width, it.height, it.depth), kind == 1 ? cudaArrayLayered : 0));
  } else {
    it.on_device = kind == 2;
    it.rows = it.height + below(3);
    if (it.on_device) {
      cudaPitchedPtr given;
      GOOD(cudaMalloc3D(&given, make_cudaExtent(it.width * element, it.rows, it.depth)));
      it.memory = static_cast<unsigned char *>(given.ptr), it.pitch = given.pitch;
      EXPECT(given.xsize == it.width * element && given.ysize == it.rows && given.pitch >= it.width * element);
    } else {
      it.pitch = it.width * element + below(9);
      GOOD(cudaMallocHost(&it.memory, it.pitch * it.rows * it.depth));
    }
  }
  it.fill();
  it.put();
  return it;
}

void boxes() {
  for (int round = 0; round < 1500; round++) {
    const size_t element = size_t(1) << below(5);
    Place from = make_place(element), to = make_place(element);
    const bool arrays = from.array != nullptr || to.array != nullptr;
    size_t size[3], start[3], end[3];
    const size_t from_sides[3] = {from.width, from.height, from.depth}, to_sides[3] = {to.width, to.height, to.depth};
    for (int d = 0; d < 3; d++) {
      size[d] = 1 + below(std::min(from_sides[d], to_sides[d]));
      start[d] = below(from_sides[d] - size[d] + 1), end[d] = below(to_sides[d] - size[d] + 1);
    }
    const int beyond = below(4) == 0 ? static_cast<int>(below(3)) : -1;  // one element too far in this dimension
    if (beyond >= 0) {
      if (from.array != nullptr)
        start[beyond] = from_sides[beyond] - size[beyond] + 1;
      else if (to.array != nullptr)
        end[beyond] = to_sides[beyond] - size[beyond] + 1;
    }
    const bool is_refused = beyond >= 0 && arrays;
    cudaMemcpy3DParms copy = {};
    // Next to an array, positions in memory are in its elements, too, as on an H200; else they are in bytes.
    const auto place = [&](Place &it, const size_t at[3], cudaArray_t *array, cudaPitchedPtr *memory, cudaPos *position) {
      if (it.array != nullptr) {
        *array = it.array, *position = make_cudaPos(at[0], at[1], at[2]);
        return;
      }
      *memory = make_cudaPitchedPtr(it.memory, it.pitch, it.width * element, it.rows);
      *position = make_cudaPos(arrays ? at[0] : at[0] * element, at[1], at[2]);
    };
    place(from, start, &copy.srcArray, &copy.srcPtr, &copy.srcPos);
    place(to, end, &copy.dstArray, &copy.dstPtr, &copy.dstPos);
    copy.extent = make_cudaExtent(arrays ? size[0] : size[0] * element, size[1], size[2]);
    copy.kind = cudaMemcpyDefault;
    const bool async = below(2) == 0;
    const cudaError_t error = async ? cudaMemcpy3DAsync(&copy, nullptr) : cudaMemcpy3D(&copy);
    GOOD(cudaDeviceSynchronize());
    if (is_refused) {
      EXPECT(error == cudaErrorInvalidValue && cudaGetLastError() == cudaErrorInvalidValue);
    } else {
      GOOD(error);
      for (size_t z = 0; z < size[2]; z++)
        for (size_t y = 0; y < size[1]; y++)
          for (size_t x = 0; x < size[0]; x++)
            memcpy(to.at(end[0] + x, end[1] + y, end[2] + z), from.at(start[0] + x, start[1] + y, start[2] + z), element);
    }
    EXPECT(from.is_right());
    EXPECT(to.is_right());
    for (Place *it : {&from, &to})
      GOOD(it->array != nullptr ? cudaFreeArray(it->array) : it->on_device ? cudaFree(it->memory) : cudaFreeHost(it->memory));
  }
}

// A row alone needs no pitch, in copies and fills of each kind; several rows need one that holds them.
void rows_without_pitch() {
  char *device, back[64];
  GOOD(cudaMalloc(&device, 64));
  char host[64];
  for (int i = 0; i < 64; i++) host[i] = static_cast<char>(i + 1);
  for (const size_t height : {0, 1, 2})
    for (const size_t pitch : {0, 15, 16, 17}) {
      GOOD(cudaMemset(device, 0, 64));
      const bool can_be = pitch >= 16 || height <= 1;
      const cudaError_t copied = cudaMemcpy2D(device, 16, host, pitch, 16, height, cudaMemcpyHostToDevice);
      // 15 bytes cannot hold a row of 16, even if it is alone. Measured on an H200.
      const bool holds = height == 0 || pitch >= 16 || (height == 1 && pitch == 0);
      EXPECT(copied == (holds ? cudaSuccess : height == 1 ? cudaErrorInvalidValue : cudaErrorInvalidPitchValue));
      GOOD(cudaMemcpy(back, device, 64, cudaMemcpyDeviceToHost));
      for (size_t i = 0; i < 64; i++)
        EXPECT(back[i] == (copied == cudaSuccess && i < 16 * height ? host[i / 16 * pitch + i % 16] : 0));
      GOOD(cudaMemset(device, 0, 64));
      const cudaError_t filled = cudaMemset2D(device, pitch, 9, 16, height);
      EXPECT((filled == cudaSuccess) == can_be);
      GOOD(cudaMemcpy(back, device, 64, cudaMemcpyDeviceToHost));
      for (size_t i = 0; i < 64; i++) {
        bool inside = false;
        for (size_t y = 0; y < height && filled == cudaSuccess; y++) inside |= i >= y * pitch && i < y * pitch + 16;
        EXPECT(back[i] == (inside ? 9 : 0));
      }
    }
  cudaGetLastError();
  GOOD(cudaFree(device));
}

// Rows with wide gaps: each lies in other pages.
void far_rows() {
  constexpr size_t kPitch = 12288, kRows = 5, kWidth = 40;
  char *device, *other;
  GOOD(cudaMalloc(&device, kPitch * kRows));
  GOOD(cudaMalloc(&other, kPitch * kRows));
  std::vector<char> host(kWidth * kRows), back(kWidth * kRows);
  for (size_t i = 0; i < host.size(); i++) host[i] = static_cast<char>(i * 7);
  for (const bool async : {false, true}) {
    GOOD(cudaMemset2D(device, kPitch, 3, kWidth, kRows));
    GOOD(cudaMemcpy2D(back.data(), kWidth, device, kPitch, kWidth, kRows, cudaMemcpyDeviceToHost));
    for (const char c : back) EXPECT(c == 3);
    GOOD(async ? cudaMemcpy2DAsync(device, kPitch, host.data(), kWidth, kWidth, kRows, cudaMemcpyHostToDevice)
               : cudaMemcpy2D(device, kPitch, host.data(), kWidth, kWidth, kRows, cudaMemcpyHostToDevice));
    GOOD(cudaMemcpy2D(other, kPitch, device, kPitch, kWidth, kRows, cudaMemcpyDeviceToDevice));
    GOOD(cudaMemcpy2D(back.data(), kWidth, other, kPitch, kWidth, kRows, cudaMemcpyDeviceToHost));
    EXPECT(back == host);
  }
  GOOD(cudaFree(device));
  GOOD(cudaFree(other));
}

int main() {
  size_t free_before = 0, free_after = 0, total = 0;
  GOOD(cudaFree(nullptr));
  GOOD(cudaMemGetInfo(&free_before, &total));
  cube_maps();
  formats();
  levels();
  boxes();
  rows_without_pitch();
  far_rows();
  GOOD(cudaMemGetInfo(&free_after, &total));
#ifdef __CPU_DEVICE__  // GPUs keep some
  EXPECT(free_before == free_after);
#endif
  if (wrong != 0) printf("%d wrong\n", wrong);
  return wrong != 0;
}
