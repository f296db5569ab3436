// Random calls of the driver interface on three devices, compared with models: which context is current, and memory that the
// program maps itself. Each call must succeed or fail as the model says, and each answer must be the model's.
#include <cuda.h>
#include <doctest/doctest.h>
#include <stdlib.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <map>
#include <random>
#include <thread>
#include <vector>

namespace {

constexpr int kDevices = 3;
const bool three_devices = setenv("CPU_DEVICE_COUNT", "3", 1) == 0;  // before the first CUDA call

struct Random {
  std::mt19937 engine;
  int below(int n) { return int(engine() % unsigned(n)); }
  template <typename Container>
  auto of(Container& from) { return std::next(from.begin(), below(int(from.size()))); }
};

// ---- contexts ----

struct Context {
  int device;
  unsigned flags;
};
struct Contexts {
  std::map<CUcontext, Context> live;
  std::vector<CUcontext> stack, gone;
  CUcontext primary[kDevices] = {};
  int below = 0;  // the runtime's device while no context is on the stack
};

// Of this thread, after each call.
void check_current(const Contexts& model) {
  const CUcontext expected = model.stack.empty() ? model.primary[model.below] : model.stack.back();
  const int device = model.stack.empty() ? model.below : model.live.at(expected).device;
  CUcontext current = nullptr;
  CUdevice of_driver = -1;
  int of_runtime = -1, of_memory = -1;
  unsigned flags = 99;
  CHECK(cuCtxGetCurrent(&current) == CUDA_SUCCESS);
  CHECK(current == expected);
  CHECK(cuCtxGetDevice(&of_driver) == CUDA_SUCCESS);
  CHECK(of_driver == device);
  CHECK(cudaGetDevice(&of_runtime) == cudaSuccess);
  CHECK(of_runtime == device);
  CHECK(cuCtxGetFlags(&flags) == CUDA_SUCCESS);
  CHECK(flags == (model.stack.empty() ? 0 : model.live.at(expected).flags));
  CUdeviceptr memory = 0;
  CHECK(cuMemAlloc(&memory, 16) == CUDA_SUCCESS);
  CHECK(cuPointerGetAttribute(&of_memory, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, memory) == CUDA_SUCCESS);
  CHECK(of_memory == device);
  CHECK(cuMemFree(memory) == CUDA_SUCCESS);
}

void some_contexts(unsigned seed) {
  Random random{std::mt19937(seed)};
  Contexts model;
  for (int d = 0; d < kDevices; d++) {
    REQUIRE(cuDevicePrimaryCtxRetain(&model.primary[d], d) == CUDA_SUCCESS);
    model.live[model.primary[d]] = {d, 0};
  }
  model.below = random.below(kDevices);
  CHECK(cudaSetDevice(model.below) == cudaSuccess);
  check_current(model);
  // Where the last context went without a pop, the program selects the runtime's device again.
  const auto select_if_empty = [&] {
    if (model.stack.empty()) CHECK(cudaSetDevice(model.below) == cudaSuccess);
  };
  for (int step = 0; step < 60; step++) {
    CAPTURE(step);
    const int what = random.below(10);
    CUcontext context = nullptr;
    if (what < 2) {
      const int device = random.below(kDevices + 2) - 1;
      const unsigned flags = unsigned(random.below(3));
      const CUresult got = cuCtxCreate(&context, nullptr, flags, device);
      CHECK(got == (device >= 0 && device < kDevices ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE));
      if (got != CUDA_SUCCESS) continue;
      CHECK(model.live.count(context) == 0);
      model.live[context] = {device, flags};
      model.stack.push_back(context);
      const auto reused = std::find(model.gone.begin(), model.gone.end(), context);
      if (reused != model.gone.end()) model.gone.erase(reused);
    } else if (what < 4) {
      context = random.of(model.live)->first;
      CHECK(cuCtxPushCurrent(context) == CUDA_SUCCESS);
      model.stack.push_back(context);
    } else if (what < 6 && !model.stack.empty()) {
      const bool asks = random.below(3) != 0;
      CHECK(cuCtxPopCurrent(asks ? &context : nullptr) == CUDA_SUCCESS);
      if (asks) CHECK(context == model.stack.back());
      model.stack.pop_back();
    } else if (what == 6) {
      context = random.below(4) == 0 ? nullptr : random.of(model.live)->first;
      CHECK(cuCtxSetCurrent(context) == CUDA_SUCCESS);
      if (!model.stack.empty()) model.stack.pop_back();
      if (context != nullptr) model.stack.push_back(context);
      select_if_empty();
    } else if (what == 7) {
      const auto chosen = random.of(model.live);
      context = chosen->first;
      if (std::find(model.primary, std::end(model.primary), context) != std::end(model.primary)) continue;
      CHECK(cuCtxDestroy(context) == CUDA_SUCCESS);
      model.live.erase(chosen);
      model.gone.push_back(context);
      model.stack.erase(std::remove(model.stack.begin(), model.stack.end(), context), model.stack.end());
      select_if_empty();
    } else if (what == 8 && !model.gone.empty()) {
      context = *random.of(model.gone);
      CHECK(cuCtxPushCurrent(context) == CUDA_ERROR_INVALID_CONTEXT);
      CHECK(cuCtxSetCurrent(context) == CUDA_ERROR_INVALID_CONTEXT);
      CHECK(cuCtxDestroy(context) == CUDA_ERROR_INVALID_CONTEXT);
    } else if (what == 9) {
      const int device = random.below(kDevices);
      CHECK(cuDevicePrimaryCtxRetain(&context, device) == CUDA_SUCCESS);
      CHECK(context == model.primary[device]);
      CHECK(cuDevicePrimaryCtxRelease(device) == CUDA_SUCCESS);
      if (random.below(2) == 0) CHECK(cuDevicePrimaryCtxReset(device) == CUDA_SUCCESS);
    }
    check_current(model);
  }
  for (const auto& [context, about] : model.live)
    if (std::find(model.primary, std::end(model.primary), context) == std::end(model.primary))
      CHECK(cuCtxDestroy(context) == CUDA_SUCCESS);
}

// ---- memory that the program maps ----

constexpr size_t kPiece = size_t(2) << 20;

struct Memory {
  int pieces, device, holders = 1, mappings = 0;
  std::vector<unsigned> contents;
};
struct Mapping {
  int pieces;
  CUmemGenericAllocationHandle memory;
  unsigned long long access = CU_MEM_ACCESS_FLAGS_PROT_NONE;
};
struct Mapped {
  std::map<CUdeviceptr, int> reserved;
  std::map<CUmemGenericAllocationHandle, Memory> memories;
  std::map<CUdeviceptr, Mapping> mapped;
  std::vector<CUmemGenericAllocationHandle> gone;
  size_t free_bytes[kDevices] = {};

  bool is_reserved(CUdeviceptr from, int pieces) const {
    return std::any_of(reserved.begin(), reserved.end(), [&](const auto& one) {
      return from >= one.first && from + pieces * kPiece <= one.first + one.second * kPiece;
    });
  }
  bool is_mapped(CUdeviceptr from, size_t bytes) const {
    return std::any_of(mapped.begin(), mapped.end(), [&](const auto& one) {
      return from < one.first + one.second.pieces * kPiece && one.first < from + bytes;
    });
  }
  // Whether whole mappings, without a gap, are these bytes.
  bool is_covered(CUdeviceptr from, size_t bytes) const {
    const CUdeviceptr end = from + bytes;
    for (auto it = mapped.find(from); it != mapped.end() && it->first == from && from < end; it = mapped.find(from))
      from += it->second.pieces * kPiece;
    return from == end;
  }
  void drop(CUmemGenericAllocationHandle handle) {
    Memory& memory = memories.at(handle);
    if (memory.holders > 0 || memory.mappings > 0) return;
    free_bytes[memory.device] += memory.pieces * kPiece;
    memories.erase(handle);
    gone.push_back(handle);
  }
};

size_t free_bytes_of(int device) {
  size_t now = 0, total = 0;
  CHECK(cudaSetDevice(device) == cudaSuccess);
  CHECK(cudaMemGetInfo(&now, &total) == cudaSuccess);
  return now;
}
CUmemAllocationProp on_device(int device) {
  CUmemAllocationProp what = {};
  what.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  what.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  what.location.id = device;
  return what;
}

void some_mappings(unsigned seed) {
  Random random{std::mt19937(seed)};
  Mapped model;
  for (int d = 0; d < kDevices; d++) model.free_bytes[d] = free_bytes_of(d);
  const auto expect = [](CUresult got, bool possible) { CHECK(got == (possible ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE)); };
  unsigned next = seed * 1000;
  const auto any_address = [&]() -> CUdeviceptr {
    if (model.reserved.empty()) return 0;
    const auto of = random.of(model.reserved);
    return of->first + random.below(of->second + 1) * kPiece;
  };
  for (int step = 0; step < 150; step++) {
    CAPTURE(step);
    const int what = random.below(12);
    if (what == 0) {
      const size_t sizes[] = {kPiece, 2 * kPiece, 4 * kPiece, 5 * kPiece, 0, kPiece / 2, kPiece + 1};
      const size_t alignments[] = {0, 4096, kPiece, 2 * kPiece, 16 * kPiece, 3 * kPiece, kPiece + 1};
      const size_t bytes = sizes[random.below(7)], alignment = alignments[random.below(7)];
      CUdeviceptr base = 0;
      const bool possible = bytes >= kPiece && bytes % kPiece == 0 && (alignment & (alignment - 1)) == 0;
      expect(cuMemAddressReserve(&base, bytes, alignment, 0, 0), possible);
      if (!possible) continue;
      CHECK(base % std::max(alignment, kPiece) == 0);
      for (const auto& [other, pieces] : model.reserved) CHECK((base + bytes <= other || other + pieces * kPiece <= base));
      model.reserved[base] = int(bytes / kPiece);
    } else if (what == 1 && !model.reserved.empty()) {
      const auto chosen = random.of(model.reserved);
      const int off = random.below(4) == 0 ? random.below(3) - 1 : 0, shift = random.below(6) == 0 ? 1 : 0;
      const size_t bytes = (chosen->second + off) * kPiece;
      const bool possible = off == 0 && shift == 0 && !model.is_mapped(chosen->first, bytes);
      const CUdeviceptr base = chosen->first;
      expect(cuMemAddressFree(base + shift * kPiece, bytes), possible);
      if (!possible) continue;
      model.reserved.erase(chosen);
      expect(cuMemAddressFree(base, bytes), false);
      if (!model.memories.empty()) expect(cuMemMap(base, kPiece, 0, model.memories.begin()->first, 0), false);
    } else if (what < 4) {
      const size_t sizes[] = {kPiece, 2 * kPiece, 3 * kPiece, 0, kPiece - 4096};
      const size_t bytes = sizes[random.below(5)];
      const int device = random.below(kDevices + 2) - 1, mistake = random.below(8);
      CUmemAllocationProp of = on_device(device);
      if (mistake == 0) of.type = CU_MEM_ALLOCATION_TYPE_INVALID;
      if (mistake == 1) of.location.type = CU_MEM_LOCATION_TYPE_HOST;
      CUmemGenericAllocationHandle handle = 0;
      const bool possible = bytes != 0 && bytes % kPiece == 0 && mistake > 1 && device >= 0 && device < kDevices;
      expect(cuMemCreate(&handle, bytes, &of, 0), possible);
      if (!possible) continue;
      CHECK(model.memories.count(handle) == 0);
      model.memories[handle] = {int(bytes / kPiece), device};
      model.memories[handle].contents.assign(bytes / kPiece, 0);
      model.free_bytes[device] -= bytes;
    } else if (what < 6 && !model.memories.empty()) {
      const auto chosen = random.of(model.memories);
      const CUdeviceptr at = any_address() + (random.below(10) == 0 ? 4096 : 0);
      const int pieces = random.below(8) == 0 ? 0 : 1 + random.below(chosen->second.pieces + 1);
      const size_t offset = random.below(10) == 0 ? kPiece : 0;
      const bool possible = chosen->second.holders > 0 && pieces > 0 && pieces <= chosen->second.pieces && offset == 0 &&
                            at % kPiece == 0 && model.is_reserved(at, pieces) && !model.is_mapped(at, pieces * kPiece);
      expect(cuMemMap(at, pieces * kPiece, offset, chosen->first, 0), possible);
      if (!possible) continue;
      model.mapped[at] = {pieces, chosen->first};
      chosen->second.mappings++;
    } else if (what == 6 && !model.mapped.empty()) {
      const auto chosen = random.of(model.mapped);
      const CUdeviceptr at = chosen->first;
      size_t bytes = (chosen->second.pieces + random.below(3)) * kPiece;
      if (random.below(4) == 0) bytes = chosen->second.pieces * kPiece - 4096;  // a part of a mapping
      const bool possible = model.is_covered(at, bytes);
      if (!possible && bytes >= chosen->second.pieces * kPiece) continue;  // what is unmapped then is not documented
      expect(cuMemUnmap(at, bytes), possible);
      for (CUdeviceptr end = at + bytes, from = at; possible && from < end;) {
        const auto it = model.mapped.find(from);
        const CUmemGenericAllocationHandle memory = it->second.memory;
        from += it->second.pieces * kPiece;
        model.mapped.erase(it);
        model.memories.at(memory).mappings--;
        model.drop(memory);
      }
      if (possible) expect(cuMemUnmap(at, bytes), false);
    } else if (what == 7 && !model.memories.empty()) {
      const auto chosen = random.of(model.memories);
      const CUmemGenericAllocationHandle handle = chosen->first;
      const bool possible = chosen->second.holders > 0;
      expect(cuMemRelease(handle), possible);
      if (!possible) continue;
      chosen->second.holders--;
      model.drop(handle);
    } else if (what == 8) {
      const CUdeviceptr at = any_address();
      const size_t bytes = (1 + random.below(4)) * kPiece;
      const CUmemAccess_flags all[] = {CU_MEM_ACCESS_FLAGS_PROT_NONE, CU_MEM_ACCESS_FLAGS_PROT_READ, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
      CUmemAccessDesc access = {};
      access.location = on_device(random.below(kDevices)).location;
      access.flags = all[std::min(random.below(5), 2)];
      const bool possible = model.is_covered(at, bytes);
      expect(cuMemSetAccess(at, bytes, &access, 1), possible);
      for (auto& [from, mapping] : model.mapped)
        if (possible && from >= at && from < at + bytes) mapping.access = access.flags;
    } else if (what == 9 && !model.mapped.empty()) {
      const auto chosen = random.of(model.mapped);
      CUmemGenericAllocationHandle handle = 0;
      const size_t inside = random.below(2) == 0 ? 0 : chosen->second.pieces * kPiece - 1;
      expect(cuMemRetainAllocationHandle(&handle, reinterpret_cast<void*>(chosen->first + inside)), true);
      CHECK(handle == chosen->second.memory);
      model.memories.at(handle).holders++;
      const CUdeviceptr behind = chosen->first + chosen->second.pieces * kPiece;
      if (!model.is_mapped(behind, 1)) expect(cuMemRetainAllocationHandle(&handle, reinterpret_cast<void*>(behind)), false);
    } else if (what == 10 && !model.gone.empty()) {
      const CUmemGenericAllocationHandle handle = *random.of(model.gone);
      CUmemAllocationProp got;
      expect(cuMemRelease(handle), false);
      expect(cuMemGetAllocationPropertiesFromHandle(&got, handle), false);
      if (!model.reserved.empty()) expect(cuMemMap(any_address(), kPiece, 0, handle, 0), false);
    } else if (what == 11 && !model.mapped.empty()) {
      const auto chosen = random.of(model.mapped);
      const int piece = random.below(chosen->second.pieces);
      if (chosen->second.access != CU_MEM_ACCESS_FLAGS_PROT_READWRITE) continue;
      expect(cuMemsetD32(chosen->first + piece * kPiece + kPiece - 4, ++next, 1), true);
      model.memories.at(chosen->second.memory).contents[piece] = next;
    }
    // All that can be asked.
    for (const auto& [handle, memory] : model.memories) {
      CUmemAllocationProp got;
      memset(&got, 0x5a, sizeof got);
      expect(cuMemGetAllocationPropertiesFromHandle(&got, handle), true);
      CHECK((got.type == CU_MEM_ALLOCATION_TYPE_PINNED && got.location.type == CU_MEM_LOCATION_TYPE_DEVICE));
      CHECK((got.location.id == memory.device && got.requestedHandleTypes == CU_MEM_HANDLE_TYPE_NONE));
    }
    for (const auto& [at, mapping] : model.mapped) {
      unsigned long long access = 99;
      CUmemLocation where = on_device(0).location;
      expect(cuMemGetAccess(&access, &where, at + mapping.pieces * kPiece - 1), true);
      CHECK(access == mapping.access);
      if (access == CU_MEM_ACCESS_FLAGS_PROT_NONE) continue;
      for (int piece = 0; piece < mapping.pieces; piece++) {
        unsigned got = 1;
        expect(cuMemcpyDtoH(&got, at + piece * kPiece + kPiece - 4, 4), true);
        CHECK(got == model.memories.at(mapping.memory).contents[piece]);
      }
    }
    for (int d = 0; d < kDevices; d++) CHECK(free_bytes_of(d) == model.free_bytes[d]);
  }
  for (const auto& [at, mapping] : model.mapped) expect(cuMemUnmap(at, mapping.pieces * kPiece), true);
  for (const auto& [base, pieces] : model.reserved) expect(cuMemAddressFree(base, pieces * kPiece), true);
  for (const auto& [handle, memory] : model.memories)
    for (int i = 0; i < memory.holders; i++) expect(cuMemRelease(handle), true);
}

}  // namespace

TEST_CASE("contexts of three devices, against a model of the stack of each thread") {
  REQUIRE(three_devices);
  REQUIRE(cudaFree(nullptr) == cudaSuccess);
  REQUIRE(cuInit(0) == CUDA_SUCCESS);
  for (unsigned seed = 1; seed <= 25; seed++) {
    CAPTURE(seed);
    std::thread([seed] { some_contexts(seed); }).join();  // an empty stack
  }
}

TEST_CASE("mapped memory of three devices, against a model") {
  REQUIRE(cuInit(0) == CUDA_SUCCESS);
  const auto files = [] {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return std::distance(begin(all), end(all));
  };
  const auto before = files();
  for (unsigned seed = 1; seed <= 12; seed++) {
    CAPTURE(seed);
    some_mappings(seed);
  }
  CHECK(files() == before);
}

TEST_CASE("memory of one device: as much as it has, and gone after its reset") {
  for (int d = 0; d < kDevices; d++) {
    CAPTURE(d);
    const CUmemAllocationProp of = on_device(d);
    const size_t most = free_bytes_of(d) / kPiece * kPiece;
    CUmemGenericAllocationHandle all = 0, more = 0;
    CHECK(cuMemCreate(&all, most + kPiece, &of, 0) == CUDA_ERROR_OUT_OF_MEMORY);
    CHECK(cuMemCreate(&all, most, &of, 0) == CUDA_SUCCESS);
    CHECK(cuMemCreate(&more, kPiece, &of, 0) == CUDA_ERROR_OUT_OF_MEMORY);
    CHECK(cuMemRelease(all) == CUDA_SUCCESS);

    void* memory[kDevices];
    for (int i = 0; i < kDevices; i++) {
      CHECK(cudaSetDevice(i) == cudaSuccess);
      CHECK(cudaMalloc(&memory[i], 100) == cudaSuccess);
    }
    const int current = (d + 1) % kDevices;
    CHECK(cudaSetDevice(current) == cudaSuccess);
    CHECK(cuDevicePrimaryCtxReset(d) == CUDA_SUCCESS);
    int now = -1;
    CHECK(cudaGetDevice(&now) == cudaSuccess);
    CHECK(now == current);
    for (int i = 0; i < kDevices; i++) {
      cudaPointerAttributes about;
      CHECK(cudaPointerGetAttributes(&about, memory[i]) == cudaSuccess);
      CHECK((about.type == cudaMemoryTypeDevice) == (i != d));
      if (i != d) CHECK(cudaFree(memory[i]) == cudaSuccess);
    }
  }
}

TEST_CASE("each device by its identifiers, through both interfaces") {
  std::vector<CUuuid> seen;
  for (int d = 0; d < kDevices; d++) {
    cudaDeviceProp p;
    REQUIRE(cudaGetDeviceProperties(&p, d) == cudaSuccess);
    CUuuid uuid;
    CHECK(cuDeviceGetUuid(&uuid, d) == CUDA_SUCCESS);
    CHECK(memcmp(&uuid, &p.uuid, sizeof uuid) == 0);
    for (const CUuuid& other : seen) CHECK(memcmp(&uuid, &other, sizeof uuid) != 0);
    seen.push_back(uuid);
    char text[32] = "", same[32] = "";
    CHECK(cuDeviceGetPCIBusId(text, sizeof text, d) == CUDA_SUCCESS);
    CHECK(cudaDeviceGetPCIBusId(same, sizeof same, d) == cudaSuccess);
    CHECK(strcmp(text, same) == 0);
    int found = -1, value = -1, can = -1, can_too = -1;
    CHECK(cudaDeviceGetByPCIBusId(&found, text) == cudaSuccess);
    CHECK(found == d);
    CHECK(cudaDeviceGetAttribute(&value, cudaDevAttrPciBusId, d) == cudaSuccess);
    CHECK(value == p.pciBusID);
    for (int peer = 0; peer < kDevices; peer++) {
      CHECK(cuDeviceCanAccessPeer(&can, d, peer) == CUDA_SUCCESS);
      CHECK(cudaDeviceCanAccessPeer(&can_too, d, peer) == cudaSuccess);
      CHECK((can == can_too && can == (d != peer)));
    }
  }
}
