// Random calls of the driver interface on three devices, compared with models: which context is current, and memory that the
// program maps itself. Each call must succeed or fail as the model says, and each answer must be the model's.
#include <cooperative_groups.h>
#include <cuda.h>
#include <doctest/doctest.h>
#include <stdlib.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <map>
#include <random>
#include <set>
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
  int pieces, device, holders, mappings;
  std::vector<unsigned> contents;
};
struct Mapping {
  int pieces;
  CUmemGenericAllocationHandle memory;
  unsigned long long access;
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
      const int pieces = int(bytes / kPiece);
      model.memories[handle] = {pieces, device, 1, 0, std::vector<unsigned>(pieces)};
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
      model.mapped[at] = {pieces, chosen->first, CU_MEM_ACCESS_FLAGS_PROT_NONE};
      chosen->second.mappings++;
    } else if (what == 6 && !model.mapped.empty()) {
      const auto chosen = random.of(model.mapped);
      const CUdeviceptr at = chosen->first;
      size_t bytes = (chosen->second.pieces + random.below(3)) * kPiece;
      if (random.below(4) == 0) bytes = chosen->second.pieces * kPiece - 4096;  // a part of a mapping
      const bool possible = model.is_covered(at, bytes);
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

namespace {

__global__ void note_launch(int* to, int first, double second) {
  const auto cluster = cooperative_groups::this_cluster();
  if (threadIdx.x + threadIdx.y + threadIdx.z != 0) return;
  const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const int all[] = {int(gridDim.x), int(gridDim.y), int(gridDim.z), int(blockDim.x), int(blockDim.y), int(blockDim.z), first, int(second),
                     int(cluster.dim_blocks().x), int(cluster.dim_blocks().y), int(cluster.dim_blocks().z)};
  for (int i = 0; i < 11; i++) to[11 * block + i] = all[i];
}
__global__ void after_all(int* sum, int* to) {
  if (threadIdx.x == 0) atomicAdd(sum, 1);
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0) to[blockIdx.x] = *sum;
}

}  // namespace

TEST_CASE("launches of the driver interface: sizes, both forms of arguments, clusters, cooperative grids") {
  Random random{std::mt19937(3)};
  REQUIRE(cudaSetDevice(0) == cudaSuccess);
  CUfunction function = nullptr, cooperative = nullptr;
  REQUIRE(cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(note_launch)) == cudaSuccess);
  REQUIRE(cudaGetFuncBySymbol(&cooperative, reinterpret_cast<const void*>(after_all)) == cudaSuccess);
  CHECK(cuFuncLoad(function) == CUDA_SUCCESS);
  int* to = nullptr;
  REQUIRE(cudaMallocManaged(&to, 11 * 64 * sizeof(int)) == cudaSuccess);
  for (int round = 0; round < 60; round++) {
    CAPTURE(round);
    std::fill_n(to, 11 * 64, -1);
    int first = random.below(1000);
    double second = random.below(1000);
    const int how = random.below(4);
    unsigned cluster[3] = {1, 1, 1}, grid[3], block[3];
    for (int d = 0; d < 3; d++) {
      if (how == 3) cluster[d] = 1 + random.below(2);
      grid[d] = cluster[d] * (1 + random.below(2)), block[d] = 1 + random.below(5);
    }
    void* arguments[] = {&to, &first, &second};
    // As the members of a struct.
    struct { int* to; int first; double second; } together = {to, first, second};
    size_t bytes = sizeof together, short_of = sizeof together - 1;
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &together, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
    void* too_short[] = {CU_LAUNCH_PARAM_BUFFER_SIZE, &short_of, CU_LAUNCH_PARAM_BUFFER_POINTER, &together, CU_LAUNCH_PARAM_END};
    if (how < 2) {
      CHECK(cuLaunchKernel(function, grid[0], grid[1], grid[2], block[0], block[1], block[2], 0, nullptr, nullptr, too_short) == CUDA_ERROR_INVALID_VALUE);
      CHECK(cuLaunchKernel(function, grid[0], grid[1], grid[2], block[0], block[1], block[2], 0, nullptr, how == 0 ? arguments : nullptr,
                           how == 0 ? nullptr : extra) == CUDA_SUCCESS);
    } else {
      CUlaunchAttribute attributes[2] = {};
      attributes[0].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, attributes[0].value.cooperative = 0;
      attributes[1].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
      attributes[1].value.clusterDim.x = cluster[0], attributes[1].value.clusterDim.y = cluster[1], attributes[1].value.clusterDim.z = cluster[2];
      CUlaunchConfig config = {};
      config.gridDimX = grid[0], config.gridDimY = grid[1], config.gridDimZ = grid[2];
      config.blockDimX = block[0], config.blockDimY = block[1], config.blockDimZ = block[2];
      config.attrs = attributes, config.numAttrs = how == 3 ? 2 : random.below(2);
      CHECK(cuLaunchKernelEx(&config, function, random.below(2) == 0 ? arguments : nullptr, extra) == CUDA_SUCCESS);
    }
    CHECK(cuCtxSynchronize() == CUDA_SUCCESS);
    for (unsigned i = 0; i < 64; i++) {
      const int wanted[] = {int(grid[0]), int(grid[1]), int(grid[2]), int(block[0]), int(block[1]), int(block[2]), first, int(second),
                            int(cluster[0]), int(cluster[1]), int(cluster[2])};
      for (int k = 0; k < 11; k++) REQUIRE(to[11 * i + k] == (i < grid[0] * grid[1] * grid[2] ? wanted[k] : -1));
    }
  }
  // Only a cooperative grid waits for all of its blocks.
  std::fill_n(to, 64, 0);
  int *sum = to, *results = to + 1;
  void* arguments[] = {&sum, &results};
  CUlaunchAttribute yes = {};
  yes.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, yes.value.cooperative = 1;
  CUlaunchConfig config = {};
  config.gridDimX = 8, config.gridDimY = config.gridDimZ = 1, config.blockDimX = 4, config.blockDimY = config.blockDimZ = 1;
  config.attrs = &yes, config.numAttrs = 1;
  CHECK(cuLaunchKernelEx(&config, cooperative, arguments, nullptr) == CUDA_SUCCESS);
  CHECK(cuCtxSynchronize() == CUDA_SUCCESS);
  for (int i = 0; i < 8; i++) CHECK(results[i] == 8);

  // Each attribute of a kernel, through both interfaces.
  for (const auto& [driver, runtime] : {std::pair(function, reinterpret_cast<const void*>(note_launch)), std::pair(cooperative, reinterpret_cast<const void*>(after_all))}) {
    cudaFuncAttributes all;
    REQUIRE(cudaFuncGetAttributes(&all, runtime) == cudaSuccess);
    const std::pair<CUfunction_attribute, int> values[] = {
        {CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, all.maxThreadsPerBlock}, {CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, int(all.sharedSizeBytes)},
        {CU_FUNC_ATTRIBUTE_NUM_REGS, all.numRegs},                         {CU_FUNC_ATTRIBUTE_PTX_VERSION, all.ptxVersion},
        {CU_FUNC_ATTRIBUTE_BINARY_VERSION, all.binaryVersion},             {CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, all.maxDynamicSharedSizeBytes}};
    for (const auto& [which, wanted] : values) {
      int got = -7;
      CHECK(cuFuncGetAttribute(&got, which, driver) == CUDA_SUCCESS);
      CHECK(got == wanted);
      got = -7;
      CHECK(cuKernelGetAttribute(&got, which, reinterpret_cast<CUkernel>(driver), 0) == CUDA_SUCCESS);
      CHECK(got == wanted);
    }
    const char *name = nullptr, *same = nullptr;
    CHECK(cuFuncGetName(&name, driver) == CUDA_SUCCESS);
    CHECK(cudaFuncGetName(&same, runtime) == cudaSuccess);
    CHECK(strcmp(name, same) == 0);
  }
  CHECK(cudaFree(to) == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("figures of devices, limits, streams and pointers, through both interfaces") {
  for (int d = 0; d < kDevices; d++) {
    CAPTURE(d);
    REQUIRE(cudaSetDevice(d) == cudaSuccess);
    void* some = nullptr;
    REQUIRE(cudaMalloc(&some, (d + 1) << 20) == cudaSuccess);
    size_t now[2], total[2], all = 0;
    CHECK(cudaMemGetInfo(&now[0], &total[0]) == cudaSuccess);
    CHECK(cuMemGetInfo(&now[1], &total[1]) == CUDA_SUCCESS);
    CHECK((now[0] == now[1] && total[0] == total[1] && now[0] < total[0]));
    CHECK(cuDeviceTotalMem(&all, d) == CUDA_SUCCESS);
    CHECK(all == total[0]);
    for (int which = 1; which < 150; which++) {
      int first = -77, second = -77;
      if (cudaDeviceGetAttribute(&first, cudaDeviceAttr(which), d) != cudaSuccess || which == CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED) continue;
      CHECK(cuDeviceGetAttribute(&second, CUdevice_attribute(which), d) == CUDA_SUCCESS);
      CAPTURE(which);
      if (first >= 0) CHECK(first == second);
    }
    for (const auto which : {CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED}) {
      int value = -7;
      CHECK(cuDeviceGetAttribute(&value, which, d) == CUDA_SUCCESS);
      CHECK(value == 0);
    }
    const std::pair<cudaDeviceAttr, int> fixed[] = {{cudaDevAttrHostMemoryPoolsSupported, 1}, {cudaDevAttrHostNumaMemoryPoolsSupported, 0},
                                                    {cudaDevAttrCanFlushRemoteWrites, 0},     {cudaDevAttrGPUDirectRDMAFlushWritesOptions, 0},
                                                    {cudaDevAttrNumaConfig, 0},               {cudaDevAttrNumaId, -1}};
    for (const auto& [which, wanted] : fixed) {
      int value = -7;
      CHECK(cudaDeviceGetAttribute(&value, which, d) == cudaSuccess);
      CHECK(value == wanted);
    }
    cudaDeviceProp p;
    CUdevprop old;
    int major = 0, minor = -1;
    REQUIRE(cudaGetDeviceProperties(&p, d) == cudaSuccess);
    CHECK(cuDeviceComputeCapability(&major, &minor, d) == CUDA_SUCCESS);
    CHECK((major == p.major && minor == p.minor));
    CHECK(cuDeviceGetProperties(&old, d) == CUDA_SUCCESS);
    CHECK((old.maxThreadsPerBlock == p.maxThreadsPerBlock && old.sharedMemPerBlock == int(p.sharedMemPerBlock) && old.SIMDWidth == p.warpSize));
    CHECK((old.totalConstantMemory == int(p.totalConstMem) && old.regsPerBlock == p.regsPerBlock && old.memPitch == int(p.memPitch)));
    CHECK((old.textureAlign == int(p.textureAlignment)));
    for (int i = 0; i < 3; i++) CHECK((old.maxThreadsDim[i] == p.maxThreadsDim[i] && old.maxGridSize[i] == p.maxGridSize[i]));
    for (int limit = 0; limit < 8; limit++) {
      size_t first = 7, second = 7;
      const cudaError_t error = cudaDeviceGetLimit(&first, cudaLimit(limit));
      CHECK(int(cuCtxGetLimit(&second, CUlimit(limit))) == int(error));
      CHECK(first == second);
      CHECK((error == cudaSuccess || error == cudaErrorUnsupportedLimit));
    }
    for (const unsigned flags : {0u, 1u})
      for (const int priority : {0, -1, -5}) {
        CUstream stream = nullptr;
        REQUIRE(cuStreamCreateWithPriority(&stream, flags, priority) == CUDA_SUCCESS);
        unsigned of[2] = {7, 7};
        int at[2] = {7, 7}, device[2] = {7, 7};
        unsigned long long id[2] = {7, 8};
        CHECK((cuStreamGetFlags(stream, &of[0]) == CUDA_SUCCESS && cudaStreamGetFlags(stream, &of[1]) == cudaSuccess));
        CHECK((cuStreamGetPriority(stream, &at[0]) == CUDA_SUCCESS && cudaStreamGetPriority(stream, &at[1]) == cudaSuccess));
        CHECK((cuStreamGetDevice(stream, &device[0]) == CUDA_SUCCESS && cudaStreamGetDevice(stream, &device[1]) == cudaSuccess));
        CHECK((cuStreamGetId(stream, &id[0]) == CUDA_SUCCESS && cudaStreamGetId(stream, &id[1]) == cudaSuccess));
        CHECK((of[0] == flags && of[1] == flags && at[0] == at[1] && device[0] == d && device[1] == d && id[0] == id[1]));
        CUcontext context = nullptr, primary = nullptr, too = nullptr;
        CUgreenCtx part = reinterpret_cast<CUgreenCtx>(8);
        CHECK(cuStreamGetCtx(stream, &context) == CUDA_SUCCESS);
        CHECK(cuStreamGetCtx_v2(stream, &too, &part) == CUDA_SUCCESS);
        CHECK(cuDevicePrimaryCtxRetain(&primary, d) == CUDA_SUCCESS);
        CHECK((context == primary && too == primary && part == nullptr));
        CHECK(cuStreamDestroy(stream) == CUDA_SUCCESS);
      }
    CHECK(cudaFree(some) == cudaSuccess);
  }
  cudaGetLastError();
}

// Advice and prefetches are kept for an allocation as long as it is there.
TEST_CASE("advice on managed memory, against a model") {
  struct Advice {
    int mostly_read = 0, preferred = cudaInvalidDeviceId, prefetched = cudaInvalidDeviceId;
    std::set<int> by;
  };
  Random random{std::mt19937(5)};
  char* memory[2] = {};
  Advice model[2];
  const size_t bytes[2] = {1 << 16, 3 << 16};
  for (int step = 0; step < 300; step++) {
    CAPTURE(step);
    const int i = random.below(2), what = random.below(8);
    Advice& mine = model[i];
    if (memory[i] == nullptr || what == 0) {
      if (memory[i] != nullptr) CHECK(cudaFree(memory[i]) == cudaSuccess);
      REQUIRE(cudaMallocManaged(&memory[i], bytes[i]) == cudaSuccess);
      mine = {};
    }
    cudaMemLocation where = {};
    const int device = random.below(kDevices + 1) - 1;
    where.type = device < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    where.id = device < 0 ? 0 : device;
    const cudaMemoryAdvise all[] = {cudaMemAdviseSetReadMostly, cudaMemAdviseUnsetReadMostly, cudaMemAdviseSetPreferredLocation,
                                    cudaMemAdviseUnsetPreferredLocation, cudaMemAdviseSetAccessedBy, cudaMemAdviseUnsetAccessedBy};
    if (what == 7) {
      CHECK(cudaMemPrefetchAsync(memory[i], bytes[i], where, 0, nullptr) == cudaSuccess);
      mine.prefetched = device;
    } else if (what > 0) {
      CHECK(cudaMemAdvise(memory[i], bytes[i], all[what - 1], where) == cudaSuccess);
      if (what < 3) mine.mostly_read = what == 1;
      if (what == 3) mine.preferred = device;
      if (what == 4) mine.preferred = cudaInvalidDeviceId;
      if (what == 5) mine.by.insert(device);
      if (what == 6) mine.by.erase(device);
    }
    CHECK(cudaMemAdvise(memory[i], bytes[i] + 1, cudaMemAdviseSetReadMostly, where) == cudaErrorInvalidValue);
    for (int k = 0; k < 2; k++) {
      if (memory[k] == nullptr) continue;
      int mostly_read = 7, preferred = 7, prefetched = 7, by[5] = {7, 7, 7, 7, 7};
      void* to[] = {&mostly_read, &preferred, &prefetched, by};
      size_t sizes[] = {4, 4, 4, 4 * sizeof(int)};
      cudaMemRangeAttribute which[] = {cudaMemRangeAttributeReadMostly, cudaMemRangeAttributePreferredLocation, cudaMemRangeAttributeLastPrefetchLocation,
                                       cudaMemRangeAttributeAccessedBy};
      REQUIRE(cudaMemRangeGetAttributes(to, sizes, which, 4, memory[k], bytes[k]) == cudaSuccess);
      CHECK(mostly_read == model[k].mostly_read);
      CHECK(preferred == model[k].preferred);
      CHECK(prefetched == model[k].prefetched);
      std::multiset<int> got(by, by + 4), wanted(model[k].by.begin(), model[k].by.end());
      while (wanted.size() < 4) wanted.insert(cudaInvalidDeviceId);
      CHECK(got == wanted);
      CHECK(by[4] == 7);
      CHECK(cudaMemRangeGetAttribute(by, 4, which[3], memory[k], bytes[k]) == cudaSuccess);
      CHECK((by[1] == *std::next(got.begin(), 0) || got.count(by[1]) != 0));
      for (const size_t odd : {0, 3, 5}) CHECK(cudaMemRangeGetAttribute(by, odd, which[0], memory[k], bytes[k]) == cudaErrorInvalidValue);
      CHECK(cudaMemRangeGetAttribute(nullptr, 4, which[0], memory[k], bytes[k]) == cudaErrorInvalidValue);
      CHECK(cudaMemRangeGetAttribute(by, 4, cudaMemRangeAttribute(7), memory[k], bytes[k]) == cudaErrorInvalidValue);
    }
    cudaGetLastError();
  }
  for (char* one : memory) CHECK(cudaFree(one) == cudaSuccess);
}

// Rows from and to the host, device memory and arrays, with and without pitches, compared with loops.
TEST_CASE("copies of rows of the driver interface, against loops") {
  Random random{std::mt19937(9)};
  REQUIRE(cudaSetDevice(0) == cudaSuccess);
  constexpr size_t kWidth = 48, kHeight = 6, kMost = 64 * 8;  // bytes of a row of the arrays, rows
  CUstream stream = nullptr;
  REQUIRE(cuStreamCreate(&stream, 0) == CUDA_SUCCESS);
  for (int round = 0; round < 400; round++) {
    CAPTURE(round);
    CUarray array[2];
    CUdeviceptr memory[2];
    std::vector<unsigned char> host[2], before[2];
    CUDA_MEMCPY2D copy = {};
    copy.WidthInBytes = 4 * (1 + random.below(6)), copy.Height = 1 + random.below(4);
    int kind[2];
    size_t pitch[2], x[2], y[2];
    for (int i = 0; i < 2; i++) {
      kind[i] = random.below(3);
      // Without a pitch, the rows lie one after the other.
      const bool plain = kind[i] != 2 && random.below(3) == 0;
      pitch[i] = kind[i] == 2 ? kWidth : plain ? copy.WidthInBytes : copy.WidthInBytes + 4 * random.below(8);
      x[i] = kind[i] == 2 || !plain ? 4 * random.below(int((kind[i] == 2 ? kWidth - copy.WidthInBytes : pitch[i] - copy.WidthInBytes) / 4) + 1) : 0;
      y[i] = random.below(int(kind[i] == 2 ? kHeight - copy.Height : 3));
      host[i].resize(kind[i] == 2 ? kWidth * kHeight : kMost);
      for (unsigned char& one : host[i]) one = static_cast<unsigned char>(random.below(256));
      before[i] = host[i];
      REQUIRE(cuMemAlloc(&memory[i], kMost) == CUDA_SUCCESS);
      const CUDA_ARRAY_DESCRIPTOR form = {kWidth / 4, kHeight, CU_AD_FORMAT_UNSIGNED_INT8, 4};
      REQUIRE(cuArrayCreate(&array[i], &form) == CUDA_SUCCESS);
      if (kind[i] == 1) REQUIRE(cuMemcpyHtoD(memory[i], host[i].data(), kMost) == CUDA_SUCCESS);
      if (kind[i] == 2) REQUIRE(cudaMemcpy2DToArray(array[i], 0, 0, host[i].data(), kWidth, kWidth, kHeight, cudaMemcpyHostToDevice) == cudaSuccess);
      const size_t said = plain || kind[i] == 2 ? 0 : pitch[i];
      const CUmemorytype type = kind[i] == 0 ? CU_MEMORYTYPE_HOST : kind[i] == 1 ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_ARRAY;
      if (i == 0) {
        copy.srcMemoryType = type, copy.srcHost = host[0].data(), copy.srcDevice = memory[0], copy.srcArray = array[0];
        copy.srcPitch = said, copy.srcXInBytes = x[0], copy.srcY = y[0];
      } else {
        copy.dstMemoryType = type, copy.dstHost = host[1].data(), copy.dstDevice = memory[1], copy.dstArray = array[1];
        copy.dstPitch = said, copy.dstXInBytes = x[1], copy.dstY = y[1];
      }
    }
    const bool async = random.below(2) == 0;
    REQUIRE((async ? cuMemcpy2DAsync(&copy, stream) : cuMemcpy2D(&copy)) == CUDA_SUCCESS);
    REQUIRE(cuStreamSynchronize(stream) == CUDA_SUCCESS);
    REQUIRE(cuCtxSynchronize() == CUDA_SUCCESS);
    for (size_t row = 0; row < copy.Height; row++)
      std::copy_n(&before[0][(y[0] + row) * pitch[0] + x[0]], copy.WidthInBytes, &before[1][(y[1] + row) * pitch[1] + x[1]]);
    if (kind[1] == 1) REQUIRE(cuMemcpyDtoH(host[1].data(), memory[1], kMost) == CUDA_SUCCESS);
    if (kind[1] == 2) REQUIRE(cudaMemcpy2DFromArray(host[1].data(), kWidth, array[1], 0, 0, kWidth, kHeight, cudaMemcpyDeviceToHost) == cudaSuccess);
    CHECK(host[1] == before[1]);
    for (int i = 0; i < 2; i++) CHECK((cuMemFree(memory[i]) == CUDA_SUCCESS && cuArrayDestroy(array[i]) == CUDA_SUCCESS));
  }
  CHECK(cuStreamDestroy(stream) == CUDA_SUCCESS);
}
