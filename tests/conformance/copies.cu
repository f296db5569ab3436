// Records copies and fills of all kinds: 1-D, 2-D, 3-D, arrays, unequal pitches, pinned, pageable and device memory, and the
// errors of those that cannot be. A row has the error and a hash of the destination.
#include <vector>

#include "rows.h"

constexpr size_t kBytes = 16384;
unsigned char* places[4];  // pageable, pinned, device, managed
const char* const place_names[] = {"pageable", "pinned", "device", "managed"};

uint64_t hash(const std::vector<unsigned char>& data) {
  uint64_t h = 1469598103934665603ull;
  for (const unsigned char byte : data) h = (h ^ byte) * 1099511628211ull;
  return h;
}

void fill(unsigned char* memory, unsigned seed) {
  std::vector<unsigned char> data(kBytes);
  for (size_t i = 0; i < kBytes; i++) data[i] = static_cast<unsigned char>((i * 31 + i / 256 * 7 + seed) % 251);
  NEEDED(cudaMemcpy(memory, data.data(), kBytes, cudaMemcpyDefault));
}

uint64_t hash_of(const unsigned char* memory) {
  std::vector<unsigned char> data(kBytes);
  NEEDED(cudaMemcpy(data.data(), memory, kBytes, cudaMemcpyDefault));
  return hash(data);
}

void end(cudaError_t error, const unsigned char* destination) {
  const cudaError_t later = cudaDeviceSynchronize();
  cudaGetLastError();
  printf(" = %d/%d %016llx\n", error, later, static_cast<unsigned long long>(hash_of(destination)));
}

unsigned char *from, *to;
void start(int source, int destination) {
  static unsigned char* second[4];
  if (second[0] == nullptr) {
    second[0] = static_cast<unsigned char*>(malloc(kBytes));
    NEEDED(cudaMallocHost(&second[1], kBytes));
    NEEDED(cudaMalloc(&second[2], kBytes));
    NEEDED(cudaMallocManaged(&second[3], kBytes));
  }
  from = places[source];
  to = second[destination];
  fill(from, 1);
  fill(to, 100);
}

void linear_copies(int source, int destination, cudaStream_t stream) {
  for (const size_t offset : {0, 1, 3, 256})
    for (const size_t bytes : {0, 1, 5, 255, 4096}) {
      start(source, destination);
      printf("copy %s %s offset %zu bytes %zu", place_names[source], place_names[destination], offset, bytes);
      end(cudaMemcpy(to + 2 * offset, from + offset, bytes, cudaMemcpyDefault), to);
      start(source, destination);
      printf("copy async %s %s offset %zu bytes %zu", place_names[source], place_names[destination], offset, bytes);
      end(cudaMemcpyAsync(to + 2 * offset, from + offset, bytes, cudaMemcpyDefault, stream), to);
    }
}

void flat_copies(int source, int destination) {
  struct {
    size_t to_pitch, from_pitch, width, height;
  } const shapes[] = {{64, 64, 64, 10}, {64, 128, 33, 9}, {128, 64, 64, 9}, {37, 41, 36, 20}, {64, 64, 0, 5},
                      {64, 64, 5, 0},   {32, 64, 33, 4},  {64, 32, 33, 4},  {1, 1, 1, 100},   {100, 1, 1, 50}};
  for (const auto& s : shapes) {
    start(source, destination);
    printf("copy2d %s %s pitches %zu %zu width %zu height %zu", place_names[source], place_names[destination], s.to_pitch,
           s.from_pitch, s.width, s.height);
    end(cudaMemcpy2D(to + 5, s.to_pitch, from + 3, s.from_pitch, s.width, s.height, cudaMemcpyDefault), to);
  }
}

void deep_copies(int source, int destination) {
  for (const int variant : {0, 1, 2, 3, 4, 5}) {
    start(source, destination);
    cudaMemcpy3DParms p{};
    p.srcPtr = make_cudaPitchedPtr(from, variant == 1 ? 48 : 32, 30, 8);
    p.dstPtr = make_cudaPitchedPtr(to, 40, 40, variant == 2 ? 12 : 8);
    p.srcPos = variant >= 3 ? make_cudaPos(3, 2, 1) : make_cudaPos(0, 0, 0);
    p.dstPos = variant == 4 ? make_cudaPos(7, 1, 2) : make_cudaPos(0, 0, 0);
    p.extent = variant == 5 ? make_cudaExtent(20, 0, 3) : make_cudaExtent(20, 5, 4);
    p.kind = cudaMemcpyDefault;
    printf("copy3d %s %s variant %d", place_names[source], place_names[destination], variant);
    end(cudaMemcpy3D(&p), to);
  }
}

void fills() {
  for (const int place : {1, 2, 3})
    for (const int value : {0, 1, 255, 256, -1})
      for (const size_t bytes : {0, 1, 77, 4096}) {
        start(0, place);
        printf("set %s value %d bytes %zu", place_names[place], value, bytes);
        end(cudaMemset(to + 3, value, bytes), to);
      }
  for (const size_t pitch : {16, 64, 100})
    for (const size_t width : {0, 1, 16, 60})
      for (const size_t height : {0, 1, 7}) {
        start(0, 2);
        printf("set2d pitch %zu width %zu height %zu", pitch, width, height);
        end(cudaMemset2D(to + 1, pitch, 0xab, width, height), to);
      }
  for (const size_t width : {1, 20, 33})
    for (const size_t depth : {0, 1, 3}) {
      start(0, 2);
      printf("set3d width %zu depth %zu", width, depth);
      end(cudaMemset3D(make_cudaPitchedPtr(to, 32, 32, 6), 0x5a, make_cudaExtent(width, 4, depth)), to);
    }
}

void arrays() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  cudaArray_t array;
  NEEDED(cudaMallocArray(&array, &format, 30, 20));
  for (const size_t x : {0, 4, 8, 3, 120, 200})
    for (const size_t y : {0, 5, 19, 20})
      for (const size_t width : {4, 64, 120, 5})
        for (const size_t height : {1, 10, 21}) {
          start(2, 2);
          std::vector<unsigned char> blank(30 * 20 * 4, 9);
          NEEDED(cudaMemcpy2DToArray(array, 0, 0, blank.data(), 120, 120, 20, cudaMemcpyHostToDevice));
          printf("to array x %zu y %zu width %zu height %zu", x, y, width, height);
          const cudaError_t error = cudaMemcpy2DToArray(array, x, y, from, 128, width, height, cudaMemcpyDeviceToDevice);
          cudaGetLastError();
          NEEDED(cudaMemcpy2DFromArray(to, 120, array, 0, 0, 120, 20, cudaMemcpyDeviceToDevice));
          end(error, to);
        }
  for (const size_t x : {0, 16, 116, 120})
    for (const size_t width : {0, 4, 104, 120}) {
      start(2, 1);
      printf("from array x %zu width %zu", x, width);
      end(cudaMemcpy2DFromArray(to, 128, array, x, 2, width, 7, cudaMemcpyDeviceToHost), to);
    }
  NEEDED(cudaFreeArray(array));
}

void wrong_kinds() {
  for (const int source : {0, 1, 2})
    for (const int destination : {0, 1, 2})
      for (const int kind : {0, 1, 2, 3, 4, 5, -1}) {
        if (source != 0 && destination != 0) continue;  // pinned and device memory may be named either way
        const bool readable = (source == 0) == (kind == 0 || kind == 1 || kind == 4) || kind > 4 || kind < 0;
        if (!readable) continue;  // undefined: pageable memory named as the device's
        const bool writable = (destination == 0) == (kind == 0 || kind == 2 || kind == 4) || kind > 4 || kind < 0;
        if (!writable) continue;
        start(source, destination);
        printf("kind %d from %s to %s", kind, place_names[source], place_names[destination]);
        end(cudaMemcpy(to, from, 100, static_cast<cudaMemcpyKind>(kind)), to);
      }
}

int main() {
  places[0] = static_cast<unsigned char*>(malloc(kBytes));
  NEEDED(cudaMallocHost(&places[1], kBytes));
  NEEDED(cudaMalloc(&places[2], kBytes));
  NEEDED(cudaMallocManaged(&places[3], kBytes));
  cudaStream_t stream;
  NEEDED(cudaStreamCreate(&stream));
  for (int source = 0; source < 4; source++)
    for (int destination = 0; destination < 4; destination++) {
      linear_copies(source, destination, stream);
      flat_copies(source, destination);
      deep_copies(source, destination);
    }
  fills();
  arrays();
  wrong_kinds();
  return 0;
}
