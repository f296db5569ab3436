// Edges that hold for every call of a kind: memory may be used up to its last byte and not beyond it, every device answers as
// the first one does, and a second round answers as the first one did.
#include <doctest/doctest.h>
#include <stdlib.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "../harness/run_program.h"

using course::messages_of;

namespace {

// Before the first CUDA call.
const bool three_devices = setenv("CPU_DEVICE_COUNT", "3", 1) == 0;

using Bytes = std::vector<unsigned char>;

// Rows of `width` bytes, each `pitch` bytes after the one before. The last row needs no pitch.
struct Shape {
  size_t width, pitch, height;
  size_t span() const { return pitch * (height - 1) + width; }
};

std::vector<Shape> shapes() {
  std::vector<Shape> all;
  for (const size_t width : {1, 4, 255, 256, 257})
    for (const size_t gap : {0, 1, 63})
      for (const size_t height : {1, 2, 5}) all.push_back({width, width + gap, height});
  return all;
}

Bytes pattern(size_t bytes) {
  Bytes all(bytes);
  for (size_t i = 0; i < bytes; i++) all[i] = static_cast<unsigned char>(i * 7 + 1);
  return all;
}

// What a call writes to device memory, and how.
struct Writer {
  const char* name;
  bool only_plain;  // rows without gaps
  std::function<cudaError_t(unsigned char*, const unsigned char* host, const unsigned char* device, const Shape&)> write;
};

cudaError_t set_volume(unsigned char* to, const Shape& s, bool async) {
  const cudaPitchedPtr volume = make_cudaPitchedPtr(to, s.pitch, s.width, s.height);
  const cudaExtent extent = make_cudaExtent(s.width, s.height, 1);
  return async ? cudaMemset3DAsync(volume, 9, extent, nullptr) : cudaMemset3D(volume, 9, extent);
}

cudaError_t copy_volume(unsigned char* to, const unsigned char* from, const Shape& s, cudaMemcpyKind kind) {
  cudaMemcpy3DParms copy{};
  copy.srcPtr = make_cudaPitchedPtr(const_cast<unsigned char*>(from), s.pitch, s.width, s.height);
  copy.dstPtr = make_cudaPitchedPtr(to, s.pitch, s.width, s.height);
  copy.extent = make_cudaExtent(s.width, s.height, 1);
  copy.kind = kind;
  return cudaMemcpy3D(&copy);
}

const std::vector<Writer>& writers() {
  static const std::vector<Writer> all = {
      {"cudaMemcpy from the host", true,
       [](auto* to, auto* host, auto*, const Shape& s) { return cudaMemcpy(to, host, s.span(), cudaMemcpyHostToDevice); }},
      {"cudaMemcpyAsync from the host", true,
       [](auto* to, auto* host, auto*, const Shape& s) { return cudaMemcpyAsync(to, host, s.span(), cudaMemcpyDefault, nullptr); }},
      {"cudaMemcpy within the device", true,
       [](auto* to, auto*, auto* device, const Shape& s) { return cudaMemcpy(to, device, s.span(), cudaMemcpyDeviceToDevice); }},
      {"cudaMemcpy2D from the host", false,
       [](auto* to, auto* host, auto*, const Shape& s) {
         return cudaMemcpy2D(to, s.pitch, host, s.pitch, s.width, s.height, cudaMemcpyHostToDevice);
       }},
      {"cudaMemcpy2D within the device", false,
       [](auto* to, auto*, auto* device, const Shape& s) {
         return cudaMemcpy2D(to, s.pitch, device, s.pitch, s.width, s.height, cudaMemcpyDeviceToDevice);
       }},
      {"cudaMemcpy2DAsync", false,
       [](auto* to, auto*, auto* device, const Shape& s) {
         return cudaMemcpy2DAsync(to, s.pitch, device, s.pitch, s.width, s.height, cudaMemcpyDefault, nullptr);
       }},
      {"cudaMemcpy3D from the host", false,
       [](auto* to, auto* host, auto*, const Shape& s) { return copy_volume(to, host, s, cudaMemcpyHostToDevice); }},
      {"cudaMemcpy3D within the device", false,
       [](auto* to, auto*, auto* device, const Shape& s) { return copy_volume(to, device, s, cudaMemcpyDeviceToDevice); }},
      {"cudaMemset", true, [](auto* to, auto*, auto*, const Shape& s) { return cudaMemset(to, 9, s.span()); }},
      {"cudaMemsetAsync", true, [](auto* to, auto*, auto*, const Shape& s) { return cudaMemsetAsync(to, 9, s.span(), nullptr); }},
      {"cudaMemset2D", false, [](auto* to, auto*, auto*, const Shape& s) { return cudaMemset2D(to, s.pitch, 9, s.width, s.height); }},
      {"cudaMemset2DAsync", false,
       [](auto* to, auto*, auto*, const Shape& s) { return cudaMemset2DAsync(to, s.pitch, 9, s.width, s.height, nullptr); }},
      {"cudaMemset3D", false, [](auto* to, auto*, auto*, const Shape& s) { return set_volume(to, s, false); }},
      {"cudaMemset3DAsync", false, [](auto* to, auto*, auto*, const Shape& s) { return set_volume(to, s, true); }},
  };
  return all;
}

unsigned char* allocated(const Bytes& contents) {
  unsigned char* memory = nullptr;
  REQUIRE(cudaMalloc(&memory, contents.size()) == cudaSuccess);
  REQUIRE(cudaMemcpy(memory, contents.data(), contents.size(), cudaMemcpyHostToDevice) == cudaSuccess);
  return memory;
}

Bytes contents_of(const unsigned char* memory, size_t bytes) {
  Bytes contents(bytes);
  REQUIRE(cudaMemcpy(contents.data(), memory, bytes, cudaMemcpyDeviceToHost) == cudaSuccess);
  return contents;
}

// What must be in memory that held zeros.
Bytes expected(const Bytes& from, const Shape& s, bool set) {
  Bytes all(from.size(), 0);
  for (size_t y = 0; y < s.height; y++)
    for (size_t x = 0; x < s.width; x++) all[y * s.pitch + x] = set ? 9 : from[y * s.pitch + x];
  return all;
}

void check_edge(const Writer& writer, const Shape& s) {
  CAPTURE(writer.name);
  CAPTURE(s.width);
  CAPTURE(s.pitch);
  CAPTURE(s.height);
  const Bytes from = pattern(s.span()), zeros(s.span(), 0);
  unsigned char* const source = allocated(from);
  unsigned char* const exact = allocated(zeros);
  CHECK(writer.write(exact, from.data(), source, s) == cudaSuccess);
  const bool set = std::string(writer.name).find("set") != std::string::npos;
  CHECK(contents_of(exact, s.span()) == expected(from, s, set));
  if (s.span() > 1) {
    unsigned char* const shorter = allocated(Bytes(s.span() - 1, 0));
    cudaError_t error = cudaSuccess;
    CHECK(messages_of([&] { error = writer.write(shorter, from.data(), source, s); }) != "");
    CHECK(error == cudaErrorInvalidValue);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    CHECK(contents_of(shorter, s.span() - 1) == Bytes(s.span() - 1, 0));
    CHECK(cudaFree(shorter) == cudaSuccess);
  }
  CHECK(cudaFree(exact) == cudaSuccess);
  CHECK(cudaFree(source) == cudaSuccess);
}

// ---- the answers of one device, as text ----

class Answers {
 public:
  template <typename T>
  void add(const char* what, T value) { text_ += std::string(what) + " " + std::to_string(static_cast<long long>(value)) + "\n"; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void pools(Answers* answers, int device) {
  cudaMemPoolProps how{};
  how.allocType = cudaMemAllocationTypePinned;
  how.location = {cudaMemLocationTypeDevice, device};
  cudaMemPool_t first, own, now;
  uint64_t used = 0, high = 0;
  answers->add("default pool", cudaDeviceGetDefaultMemPool(&first, device));
  answers->add("create", cudaMemPoolCreate(&own, &how));
  answers->add("set", cudaDeviceSetMemPool(device, own));
  cudaDeviceGetMemPool(&now, device);
  answers->add("is set", now == own);
  void* memory = nullptr;
  answers->add("allocate", cudaMallocAsync(&memory, 1000, nullptr));
  cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &used);
  answers->add("used", used);
  answers->add("free", cudaFreeAsync(memory, nullptr));
  cudaStreamSynchronize(nullptr);
  cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &used);
  cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemHigh, &high);
  answers->add("used at the end", used);
  answers->add("most", high);
  answers->add("destroy", cudaMemPoolDestroy(own));
  cudaDeviceGetMemPool(&now, device);
  answers->add("the default pool is back", now == first);
}

void memory(Answers* answers) {
  size_t before = 0, during = 0, after = 0, total = 0;
  cudaMemGetInfo(&before, &total);
  int *plain = nullptr, *managed = nullptr, *pinned = nullptr;
  answers->add("cudaMalloc", cudaMalloc(&plain, 1 << 20));
  cudaMemGetInfo(&during, &total);
  answers->add("cudaMallocManaged", cudaMallocManaged(&managed, 4));
  answers->add("cudaMallocHost", cudaMallocHost(&pinned, 4));
  cudaPointerAttributes of{};
  cudaPointerGetAttributes(&of, plain);
  int device = -1;
  cudaGetDevice(&device);
  answers->add("is on this device", of.device == device && of.type == cudaMemoryTypeDevice);
  answers->add("cudaFree", cudaFree(plain));
  answers->add("cudaFree of managed memory", cudaFree(managed));
  answers->add("cudaFreeHost", cudaFreeHost(pinned));
  cudaMemGetInfo(&after, &total);
  answers->add("taken", before - during);
  answers->add("given back", before - after);
  answers->add("of", total);
}

void streams(Answers* answers) {
  cudaStream_t stream;
  cudaEvent_t event;
  int device = -1, priority = 0, wanted = -1;
  unsigned flags = 99;
  for (const int given : {-9, -5, -1, 0, 3}) {
    answers->add("create", cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, given));
    cudaStreamGetPriority(stream, &priority);
    cudaStreamGetFlags(stream, &flags);
    cudaStreamGetDevice(stream, &wanted);
    cudaGetDevice(&device);
    answers->add("priority", priority);
    answers->add("flags", flags);
    answers->add("its device", wanted == device);
    answers->add("destroy", cudaStreamDestroy(stream));
  }
  answers->add("event", cudaEventCreate(&event));
  answers->add("record", cudaEventRecord(event));
  answers->add("synchronize", cudaEventSynchronize(event));
  answers->add("query", cudaEventQuery(event));
  answers->add("destroy", cudaEventDestroy(event));
}

void settings(Answers* answers, int device) {
  for (int which = 1; which < 120; which++) {
    const auto attribute = static_cast<cudaDeviceAttr>(which);
    if (attribute == cudaDevAttrPciDeviceId || attribute == cudaDevAttrPciBusId) continue;
    int value = -1;
    answers->add("error", messages_of([&] { answers->add("attribute", cudaDeviceGetAttribute(&value, attribute, device)); }).size());
    answers->add("value", value);
  }
  for (const cudaLimit limit : {cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize}) {
    size_t before = 0, set = 0;
    cudaDeviceGetLimit(&before, limit);
    answers->add("set limit", cudaDeviceSetLimit(limit, 2 * before));
    cudaDeviceGetLimit(&set, limit);
    answers->add("doubled", set == 2 * before);
    cudaDeviceSetLimit(limit, before);
  }
  cudaFuncCache cache = cudaFuncCachePreferL1;
  answers->add("set cache", cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
  answers->add("cache", cudaDeviceGetCacheConfig(&cache));
  answers->add("is", cache);
  cudaGetLastError();
}

std::string answers_of(int device) {
  Answers answers;
  answers.add("set", cudaSetDevice(device));
  pools(&answers, device);
  memory(&answers);
  streams(&answers);
  settings(&answers, device);
  answers.add("synchronize", cudaDeviceSynchronize());
  answers.add("last error", cudaGetLastError());
  return answers.text();
}

}  // namespace

TEST_CASE("every copy and every fill may end where its memory ends, and not one byte later") {
  REQUIRE(three_devices);
  for (const Writer& writer : writers())
    for (const Shape& shape : shapes())
      if (!writer.only_plain || shape.pitch == shape.width) check_edge(writer, shape);
}

TEST_CASE("every device answers as the first one, and the second time as the first time") {
  const std::string first = answers_of(0);
  CHECK(first.find("the default pool is back 1") != std::string::npos);
  for (const int device : {0, 1, 2, 1}) {
    CAPTURE(device);
    CHECK(answers_of(device) == first);
  }
  CHECK(cudaSetDevice(0) == cudaSuccess);
}
