// From `kernel<<<grid, block, shared, stream>>>(arguments)` to an entry in the queue.
#include <cstring>
#include <map>

#include "../check/check.h"
#include "../device/calls.h"
#include "../device/device.h"
#include "../device/host_lock.h"
#include "../device/lasting.h"
#include "../driver/runtime_use.h"
#include "../faults/error_messages.h"
#include "../memory/allocations.h"
#include "../memory/closed_memory.h"
#include "../order/queue.h"
#include "blocks_at_once.h"
#include "dynamic_parallelism.h"
#include "engine.h"
#include "kernels.h"
#include "launch.h"

namespace cpu_device {

namespace {

struct AboutKernel {
  int most_threads;  // of a block
  const char* name;
};
struct Configuration {
  dim3 grid, block;
  size_t shared_bytes = 0;
  cudaStream_t stream = nullptr;
  Site site{nullptr, 0};
  bool cooperative = false;
  dim3 cluster = {1, 1, 1};
  const char* to_host = nullptr;  // a parameter that refers to memory which no kernel may use
  int most_threads = static_cast<int>(kMaxThreads);  // of a block, by __launch_bounds__
  AboutKernel* asked = nullptr;  // no launch: only this is wanted
  int exit_line = 0;  // where threads may leave before the others, or 0
};
// A stack, because an argument of a launch may launch something itself.
thread_local OfThread<std::vector<Configuration>> next_launches;

// Empty if the configuration is possible, else what is wrong with it; sets the hint and the error. CUDA 13 answers
// cudaErrorInvalidValue (tests/conformance/recorded/limits.txt); older ones answered cudaErrorInvalidConfiguration.
std::string problem(const Configuration& c, std::string* hint, cudaError_t* error) {
  const cudaDeviceProp& p = properties();
  *error = cudaErrorInvalidValue;
  const auto beyond = [](dim3 v, const int* limit) {
    return v.x > static_cast<unsigned>(limit[0]) || v.y > static_cast<unsigned>(limit[1]) ||
           v.z > static_cast<unsigned>(limit[2]);
  };
  if (c.grid.x == 0 || c.grid.y == 0 || c.grid.z == 0) {
    *hint = "skip the launch when there is nothing to do. To cover n elements, launch (n + threads - 1) / threads blocks.";
    return "a grid of " + in_words(c.grid) + " blocks is empty";
  }
  if (c.block.x == 0 || c.block.y == 0 || c.block.z == 0) {
    *hint = "use at least 1 thread in each dimension.";
    return "a block of " + in_words(c.block) + " threads is empty";
  }
  const uint64_t threads = uint64_t(c.block.x) * c.block.y * c.block.z;
  if (c.block.x > UINT32_MAX / 2 || threads > static_cast<uint64_t>(p.maxThreadsPerBlock)) {
    *hint = format("use at most %d threads per block, and more blocks.", p.maxThreadsPerBlock);
    return format("a block of %s = %llu threads is too large", in_words(c.block).c_str(),
                  static_cast<unsigned long long>(threads));
  }
  if (threads > static_cast<uint64_t>(c.most_threads)) {
    if (c.most_threads == 1) {  // what __tile_global__ stands for
      *hint = "launch it with blocks of 1 thread: kernel<<<blocks, 1>>>(...)";
      return "a tile kernel, or one with __launch_bounds__(1), has blocks of 1 thread, not of " + in_words(c.block);
    }
    *hint = format("launch it with at most %d threads per block, or raise the bound. The compiler assigns registers for "
                   "no more threads.",
                   c.most_threads);
    return format("a block of %s = %llu threads exceeds its __launch_bounds__(%d)",
                  in_words(c.block).c_str(), static_cast<unsigned long long>(threads), c.most_threads);
  }
  if (beyond(c.block, p.maxThreadsDim)) {
    *hint = format("use at most %d x %d x %d threads.", p.maxThreadsDim[0], p.maxThreadsDim[1],
                   p.maxThreadsDim[2]);
    return "a block of " + in_words(c.block) + " threads is too large in one dimension";
  }
  if (beyond(c.grid, p.maxGridSize)) {
    *hint = format("use at most %d x %d x %d blocks.", p.maxGridSize[0], p.maxGridSize[1],
                   p.maxGridSize[2]);
    return "a grid of " + in_words(c.grid) + " blocks is too large in one dimension";
  }
  if (c.grid.x % c.cluster.x != 0 || c.grid.y % c.cluster.y != 0 || c.grid.z % c.cluster.z != 0) {
    *hint = "make the grid size a multiple of the cluster size in each dimension.";
    return "a grid of " + in_words(c.grid) + " blocks is not a multiple of the cluster " +
           in_words(c.cluster);
  }
  return "";
}

}  // namespace

void configure(dim3 grid, dim3 block, size_t shared_bytes, cudaStream_t stream, const char* file,
               int line) {
  next_launches->push_back({grid, block, shared_bytes, stream, {file, line}});
}

void cluster(unsigned int x, unsigned int y, unsigned int z) {
  if (!next_launches->empty()) next_launches->back().cluster = {x, y, z};
}

void launch_bounds(int threads, int, int) {
  if (!next_launches->empty() && threads > 0)
    next_launches->back().most_threads = std::min(threads, static_cast<int>(kMaxThreads));
}

void threads_may_leave(int line) {
  if (!next_launches->empty()) next_launches->back().exit_line = line;
}

void refer(const char* parameter, const volatile void* address) {
  if (in_kernel() || next_launches->empty() || next_launches->back().asked != nullptr) return;
  const Guard guard(host_lock());
  if (find_block(const_cast<const void*>(address)) == nullptr) next_launches->back().to_host = parameter;
}

static void note_launch(const Launch& launch, cudaStream_t stream, bool captured) {
  if (!calls::wanted()) return;
  std::string more = launch.cooperative ? ", cooperative" : "";
  if (launch.cluster.x * launch.cluster.y * launch.cluster.z > 1) more += ", clusters of " + in_words(launch.cluster);
  if (launch.shared_bytes > 0) more += format(", %zu bytes of shared memory", launch.shared_bytes);
  calls::note("%slaunch %s, %s blocks of %s threads%s in %s", captured ? "capture: " : "", launch.type.name,
              in_words(launch.grid).c_str(), in_words(launch.block).c_str(), more.c_str(), calls::name("stream", stream));
  calls::launched();
}

void launch(const KernelType& type, const void* arguments) {
  const bool given = !next_launches->empty();
  const Configuration c = given ? next_launches->back() : Configuration{};
  if (given) next_launches->pop_back();
#ifdef CPU_DEVICE_CHECK
  std::vector<NamedPointer> named;
  check::take_names(&named);
#endif
  if (!given) {
    fail(cudaErrorInvalidConfiguration, {nullptr, 0},
         format("the kernel %s is called like an ordinary function", type.name),
         format("launch it with %s<<<blocks, threads>>>(...).", type.name));
    return;
  }
  if (c.asked != nullptr) {
    *c.asked = {c.most_threads, type.name};
    return;
  }
  auto prepared = std::make_shared<Launch>();
  prepared->type = type;
  prepared->arguments.resize(type.size + type.alignment);
  memcpy(const_cast<void*>(prepared->arguments_address()), arguments, type.size);
  prepared->grid = c.grid;
  prepared->block = c.block;
  prepared->shared_bytes = c.shared_bytes;
  prepared->site = c.site;
  prepared->cooperative = c.cooperative;
  prepared->cluster = c.cluster;
  prepared->exit_line = c.exit_line;
  prepared->has_tiles = c.most_threads == 1;
#ifdef CPU_DEVICE_CHECK
  prepared->named = std::move(named);
#endif
  if (in_kernel()) {
    prepared->is_tail = c.stream == cudaStreamTailLaunch;
    prepared->stream = reinterpret_cast<uintptr_t>(c.stream);
    std::string hint;
    cudaError_t error;
    const std::string wrong = problem(c, &hint, &error);
    if (!wrong.empty())
      fail(error, c.site,
           format("kernel %s cannot be launched: ", type.name) + wrong, hint);
    else
      launch_from_kernel(std::move(prepared));
    return;
  }
  note_runtime_use();
  const Guard guard(host_lock());
  const int here = current_device();
  Stream* stream = find_stream(c.stream, c.site);
  if (stream == nullptr) return;
  if (stream->device != here) {
    fail(cudaErrorInvalidResourceHandle, c.site,
         format("%s is launched in a stream of device %d while device %d is current", type.name,
                stream->device, here),
         "call cudaSetDevice() with the stream's device first.");
    return;
  }
  if (c.to_host != nullptr) {
    check::launch_failed(c.site, "a reference to host memory");
    fail(cudaErrorIllegalAddress, c.site,
         format("kernel %s cannot run: its parameter '%s' refers to host memory", type.name, c.to_host),
         "a reference is an address, and a GPU cannot access host memory. Pass the value, or put the object into managed "
         "memory.",
         "wrong-pointer");
    return;
  }
#ifdef CPU_DEVICE_CHECK
  check::passes_pointers(prepared->named, type.name, c.site);
#endif
  std::string hint;
  cudaError_t error;
  const std::string wrong = problem(c, &hint, &error);
  if (!wrong.empty()) {
    check::launch_failed(c.site, wrong);
    fail(error, c.site,
         format("kernel %s cannot be launched: ", type.name) + wrong, hint, "launch");
    return;
  }
  const unsigned in_cluster = c.cluster.x * c.cluster.y * c.cluster.z;
  if (in_cluster == 0 || in_cluster > kMaxBlocksOfCluster) {
    fail(cudaErrorInvalidClusterSize, c.site,
         format("kernel %s cannot be launched: a cluster of %u blocks is not possible", type.name, in_cluster),
         format("use 1 to %u blocks per cluster.", kMaxBlocksOfCluster), "launch");
    return;
  }
  if (in_cluster > 1 && c.cooperative) {
    fail(cudaErrorNotSupported, c.site,
         format("kernel %s cannot be launched: the CPU device does not support clusters in cooperative launches", type.name),
         "", "launch");
    return;
  }
  if (c.shared_bytes > static_cast<size_t>(device(here).max_dynamic_shared)) {
    fail(cudaErrorInvalidValue, c.site,
         format("kernel %s cannot be launched: %zu bytes of dynamic shared memory exceed the limit of %d bytes per block",
                type.name, c.shared_bytes, device(here).max_dynamic_shared),
         format("use less, or allow up to %zu bytes with cudaFuncSetAttribute(kernel, "
                "cudaFuncAttributeMaxDynamicSharedMemorySize, bytes).",
                kMaxShared),
         "launch");
    check::launch_failed(c.site, "too much dynamic shared memory");
    return;
  }
  if (c.cooperative) {
    const int at_once = most_blocks_at_once(c.block, c.shared_bytes);
    if (uint64_t(c.grid.x) * c.grid.y * c.grid.z > static_cast<uint64_t>(at_once)) {
      fail(cudaErrorCooperativeLaunchTooLarge, c.site,
           format("kernel %s cannot be launched cooperatively: only %d such blocks can run at the same time",
                  type.name, at_once),
           "launch at most cudaOccupancyMaxActiveBlocksPerMultiprocessor() blocks times the number of multiprocessors.",
           "launch");
      return;
    }
  }
  if (device(here).broken != cudaSuccess) {
    fail(device(here).broken);
    return;
  }
  prepared->device = here;
  const auto run = [prepared] {
    const CloseForeignMemory closed(prepared->device);
    return run_grid(*prepared);
  };
  note_launch(*prepared, c.stream, stream->capture != nullptr);
  enqueue(stream, c.site, run, true);
}

void make_cooperative() {
  if (!next_launches->empty()) next_launches->back().cooperative = true;
}

// ---- kernels by their address, as cudaLaunchKernel() takes them ----

namespace {
struct KnownKernel {
  KernelCall call;
  const size_t* offsets;
  size_t parameters;
  bool copyable;
};
std::map<const void*, KnownKernel>& known_kernels() {
  static auto* all = new std::map<const void*, KnownKernel>;
  return *all;
}
}  // namespace

void know_kernel(const void* kernel, KernelCall call, const size_t* offsets, size_t parameters,
                 bool copyable) {
  const Guard guard(host_lock());
  known_kernels()[kernel] = {call, offsets, parameters, copyable};
}
bool is_kernel(const void* address) {
  const Guard guard(host_lock());
  return known_kernels().count(address) != 0;
}
std::vector<size_t> kernel_offsets(const void* kernel, size_t* bytes) {
  const Guard guard(host_lock());
  const auto found = known_kernels().find(kernel);
  if (found == known_kernels().end()) return {};
  const KnownKernel& known = found->second;
  *bytes = known.offsets[known.parameters];
  return {known.offsets, known.offsets + known.parameters};
}

KernelCall find_kernel(const void* kernel, Site site) {
  const Guard guard(host_lock());
  const auto found = known_kernels().find(kernel);
  if (found != known_kernels().end()) return found->second.call;
  fail(cudaErrorInvalidDeviceFunction, site, "the pointer is not the address of a kernel",
       "pass the kernel's name, or (void*)name.");
  return nullptr;
}

// The name and the bound of a kernel. The bound is an expression in the kernel's stub, which may be a template:
// calling the stub with zeros for arguments evaluates it, and launches nothing.
static AboutKernel about_kernel(const void* kernel) {
  AboutKernel about{static_cast<int>(kMaxThreads), ""};
  KnownKernel known;
  {
    const Guard guard(host_lock());
    const auto found = known_kernels().find(kernel);
    if (found == known_kernels().end() || !found->second.copyable) return about;
    known = found->second;
  }
  std::vector<std::max_align_t> zeros(known.offsets[known.parameters] / sizeof(std::max_align_t) + 1);
  std::vector<void*> arguments;
  for (size_t i = 0; i < known.parameters; i++)
    arguments.push_back(reinterpret_cast<char*>(zeros.data()) + known.offsets[i]);
  Configuration asking;
  asking.asked = &about;
  next_launches->push_back(asking);
  known.call(kernel, arguments.data());
  return about;
}
// How many threads a block of it may have.
static int most_threads(const void* kernel) { return about_kernel(kernel).most_threads; }

cudaError_t set_kernel_attribute(cudaFuncAttribute attribute, int value, Site site) {
  const Guard guard(host_lock());
  if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
    if (value < 0 || static_cast<size_t>(value) > kMaxShared)
      return fail(cudaErrorInvalidValue, site,
                  format("%d bytes of dynamic shared memory exceed the limit of %zu bytes per block", value,
                         kMaxShared));
    // For all kernels of the device at once: a kernel's stub does not know its own address.
    int& most = device(current_device()).max_dynamic_shared;
    most = std::max(most, value);
  }
  if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout && (value < -1 || value > 100))
    return fail(cudaErrorInvalidValue, site, format("the carveout is %d percent of the shared memory, not 0 to 100", value));
  return cudaSuccess;
}

cudaError_t get_kernel_attributes(cudaFuncAttributes* attributes, const void* kernel) {
  if (!is_kernel(kernel)) return fail(cudaErrorInvalidResourceHandle);
  *attributes = {};
  attributes->maxThreadsPerBlock = most_threads(kernel);
  attributes->sharedSizeBytes = static_shared_bytes(kernel);
  attributes->numRegs = 32;
  attributes->ptxVersion = attributes->binaryVersion = 10 * properties().major + properties().minor;
  attributes->maxDynamicSharedSizeBytes = device(current_device()).max_dynamic_shared;
  return cudaSuccess;
}

// What a GPU of the advertised size would hold, by warps and by shared memory; registers are unknown here.
// __launch_bounds__ plays no part in it, as on an H200. A block takes its shared memory in pieces of 128 bytes, and 1 KiB
// that the system reserves for itself.
cudaError_t occupancy(int* blocks, const void* kernel, int block_size, size_t shared_bytes) {
  const cudaDeviceProp& p = properties();
  if (blocks == nullptr || block_size < 1) return fail(cudaErrorInvalidValue);
  const int warps = (block_size - 1) / 32 + 1;
  int count = block_size > p.maxThreadsPerBlock ? 0 : p.maxThreadsPerMultiProcessor / 32 / warps;
  count = std::min(count, p.maxBlocksPerMultiProcessor);
  const size_t fixed = kernel == nullptr ? 0 : static_shared_bytes(kernel);
  const auto most = static_cast<size_t>(device(current_device()).max_dynamic_shared);
  if (shared_bytes > most || (most == p.sharedMemPerBlock && fixed + shared_bytes > most)) count = 0;
  if (shared_bytes > 0 || fixed > 0) {
    const size_t bytes = (fixed + shared_bytes + 127) / 128 * 128 + p.reservedSharedMemPerBlock;
    count = std::min<int>(count, static_cast<int>(p.sharedMemPerMultiprocessor / bytes));
  }
  *blocks = count;
  return cudaSuccess;
}

int most_blocks_at_once(dim3 block, size_t shared_bytes) {
  const int threads = static_cast<int>(block.x * block.y * block.z);
  int at_once = 0;
  occupancy(&at_once, nullptr, threads, shared_bytes);
  return std::max(at_once * properties().multiProcessorCount, std::min(kMaxBlocksAtOnce, kMaxThreadsAtOnce / threads));
}

// The largest of the block sizes with which most threads fit on a multiprocessor: the limit itself, then whole warps below it.
cudaError_t occupancy_size(int* min_grid, int* block_size, const void* kernel, int limit, size_t (*shared_bytes)(int, const void*),
                           const void* context) {
  if (min_grid == nullptr || block_size == nullptr || limit < 0) return fail(cudaErrorInvalidValue);
  const int most = most_threads(kernel), longest = limit == 0 ? most : std::min(limit, most);
  int best = -1;
  for (int whole = (longest + 31) / 32 * 32; whole > 0; whole -= 32) {
    const int size = std::min(whole, longest);
    int blocks = 0;
    occupancy(&blocks, kernel, size, shared_bytes == nullptr ? 0 : shared_bytes(size, context));
    if (blocks * size <= best) continue;
    best = blocks * size;
    *block_size = size;
    *min_grid = blocks * properties().multiProcessorCount;
  }
  return cudaSuccess;
}

}  // namespace cpu_device

using namespace cpu_device;

cudaError_t cpu_device::launch_by_address(const void* kernel, dim3 grid, dim3 block,
                                          void** arguments, size_t shared_bytes,
                                          cudaStream_t stream, bool cooperative, dim3 in_cluster,
                                          Site site) {
  const KernelCall call = find_kernel(kernel, site);
  if (call == nullptr) return cudaErrorInvalidDeviceFunction;
  configure(grid, block, shared_bytes, stream, site.file, site.line);
  if (cooperative) make_cooperative();
  cluster(in_cluster.x, in_cluster.y, in_cluster.z);
  // The error of this launch, and none from before, which stays for cudaGetLastError().
  const cudaError_t before = cudaGetLastError();
  call(kernel, arguments);
  const cudaError_t error = cudaPeekAtLastError();
  if (error != cudaSuccess) return error;
  if (before != cudaSuccess) fail(before);
  return cudaSuccess;
}
cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes, cudaStream_t stream, Site site) {
  return launch_by_address(kernel, grid, block, arguments, shared_bytes, stream, false, {1, 1, 1}, site);
}
cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        size_t shared_bytes, cudaStream_t stream, Site site) {
  return launch_by_address(kernel, grid, block, arguments, shared_bytes, stream, true, {1, 1, 1}, site);
}

cudaError_t cudaGetKernel(cudaKernel_t* handle, const void* kernel, Site site) {
  if (find_kernel(kernel, site) == nullptr) return cudaErrorInvalidDeviceFunction;
  *handle = static_cast<cudaKernel_t>(const_cast<void*>(kernel));
  return cudaSuccess;
}
cudaError_t cudaFuncGetName(const char** name, const void* kernel, Site site) {
  if (find_kernel(kernel, site) == nullptr) return cudaErrorInvalidDeviceFunction;
  *name = about_kernel(kernel).name;
  return cudaSuccess;
}
cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* kernel, Site site) {
  if (find_kernel(kernel, site) == nullptr) return cudaErrorInvalidDeviceFunction;
  *function = static_cast<cudaFunction_t>(const_cast<void*>(kernel));
  return cudaSuccess;
}
