// What the files of the runtime share. Who may call whom: api functions (memory, streams, devices)
// -> queue -> engine -> fibers; everybody may use report.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "../include/cuda_runtime.h"
#include "check/check.h"

namespace cpu_device {

// ---- report.cpp: errors in words ----

std::string format(const char* text, ...) __attribute__((format(printf, 1, 2)));
// Prints an explanation on stderr: where, what, the line of source if it can be read, and a hint.
void explain(Site site, const std::string& what, const std::string& hint = "",
             const char* kind = "other");
// The launch of a kernel that failed, until the program asks what went wrong.
void note_failure(Site site);
Site unnoticed_failure();
// Remembers the error for cudaGetLastError and returns it.
cudaError_t fail(cudaError_t error);
// The same, with an explanation.
// `kind` is what a checked run calls it (check/findings.cpp).
cudaError_t fail(cudaError_t error, Site site, const std::string& what,
                 const std::string& hint = "", const char* kind = "wrong-pointer");
// "(3,0,0)"
std::string in_words(dim3 index);
// "file:line" of the first of these program addresses that lies in the learner's own files, with the
// help of addr2line; file is empty if unknown. Used only once something has gone wrong, so it may be
// slow. Addresses are return addresses, innermost first.
struct Place {
  std::string file;
  int line = 0;
};
Place place_of(const void* const* program_counters, int count);
void remember_path();  // where the command is looked for

// ---- settings, from the environment (settings.cpp) ----

enum class Order { forward, reverse, shuffle };

struct Settings {
  int workers;           // CPU_DEVICE_THREADS, default: the cores this process may use
  int multiprocessors;   // CPU_DEVICE_MULTIPROCESSORS: what programs are told; default: the workers
  int devices;           // CPU_DEVICE_COUNT, default 1
  size_t memory;         // CPU_DEVICE_MEMORY, bytes of each device
  Order order;           // CPU_DEVICE_ORDER=forward|reverse|shuffle[:SEED]
  uint32_t seed;
  bool lockstep;         // CPU_DEVICE_LOCKSTEP=1: the lanes of a warp in lockstep, as before Volta
  bool exited_may_miss;  // CPU_DEVICE_EXITED_THREADS=ignore: exited threads do not count at barriers
};
const Settings& settings();

// Of this machine: 4096 on x86-64, up to 65536 on Arm.
size_t page_bytes();

// ---- one lock for the host side: queues, memory, devices ----

class HostLock {
 public:
  void lock() {
    // Whoever gave a kernel its turn holds the lock, and waits.
    if (check::on && check::runs_in_turns) return;
    mutex_.lock();
    depth_++;
  }
  void unlock() {
    if (check::on && check::runs_in_turns) return;
    depth_--;
    mutex_.unlock();
  }
  bool try_lock() {
    if (!mutex_.try_lock()) return false;
    depth_++;
    return true;
  }
  // Calls the function; others may have the lock meanwhile, which the caller has, however often.
  template <typename Function>
  void without(Function function) {
    const unsigned depth = depth_;
    for (unsigned i = 0; i < depth; i++) unlock();
    function();
    for (unsigned i = 0; i < depth; i++) lock();
  }

 private:
  std::recursive_mutex mutex_;
  unsigned depth_ = 0;
};
HostLock& host_lock();
using Guard = std::lock_guard<HostLock>;

// ---- engine.cpp: running kernels ----

struct Launch {
  KernelType type;
  std::vector<unsigned char> arguments;  // aligned by hand, see arguments_address()
  dim3 grid, block;
  size_t shared_bytes;
  Site site;
  int device;
  bool cooperative = false;  // its blocks run at the same time, and may meet at grid_barrier()
  dim3 cluster = {1, 1, 1};  // blocks that run at the same time, and may meet at cluster_barrier()
  bool is_tail = false;      // by a kernel in cudaStreamTailLaunch
  int depth = 0;             // 0: launched by the host, 1: by a kernel of the host's, ...
#ifdef CPU_DEVICE_CHECK
  std::vector<NamedPointer> named;  // the parameters that are pointers
  mutable check::Baton* baton = nullptr;  // for its workers
#endif

  const void* arguments_address() const {
    const auto address = reinterpret_cast<uintptr_t>(arguments.data());
    return reinterpret_cast<const void*>((address + type.alignment - 1) / type.alignment *
                                         type.alignment);
  }
};
// Runs the whole grid and returns when it is done, or the error that ended it; `alone`: on the calling
// thread only.
cudaError_t run_grid(const Launch& launch, bool alone = false);
// A kernel's launch and its wait for what it has launched, see nested.cpp.
void launch_from_kernel(std::shared_ptr<Launch> child);
cudaError_t wait_for_children(Site site);

// ---- queue.cpp: work that runs late ----

struct Stream;

struct Operation {
  uint64_t id;
  const Stream* stream = nullptr;  // may be destroyed by now: to compare, not to follow
  int device;
  bool is_kernel = false;
  bool done = false;
  bool running = false;  // on another thread, beside the host
  uint64_t waits_before = 0;  // of the host, when this was queued
  const char* what = "operation";
  check::Moment moment;
  Site site;
  std::function<cudaError_t()> run;
  std::vector<std::shared_ptr<Operation>> after;  // must be done before
  // Bytes that a copy or a fill touches, as far as they are known.
  struct Range {
    uintptr_t low, high;  // high: exclusive
    bool written;
  };
  std::vector<Range> ranges;
};
using OperationPointer = std::shared_ptr<Operation>;

struct Capture;  // see graph.cpp

struct Stream {
  int device;
  bool non_blocking;  // does not wait for the default stream
  OperationPointer last;
  Capture* capture = nullptr;  // what is queued is written into a graph instead
  unsigned timeline = 0;  // see check::Moment
  int priority = 0;       // only remembered
};
// Notes that the event happens when the stream has come here.
OperationPointer record(cudaEvent_t event, Stream* stream, Site site);
// Streams of the runtime's own, for find_stream().
void know_stream(Stream* stream);
void forget_stream(Stream* stream);

// ---- graph.cpp ----

// What a node of a graph does.
struct Written {
  std::function<cudaError_t()> run;
  bool is_kernel;
};
void write_into(Capture* capture, Stream* stream, Site site, std::function<cudaError_t()> run,
                bool is_kernel);
void capture_event(cudaEvent_t event, Stream* stream);
void forget_captured_event(cudaEvent_t event);
// True if the event was recorded in a capture, which the stream then takes part in.
bool wait_for_captured_event(cudaEvent_t event, Stream* stream);

// ---- starter.cpp: work that starts by itself in the end ----

void note_queued();
void note_host_function();
void stop_starting();

// The stream of a handle; null (and the error is explained) if there is none.
Stream* find_stream(cudaStream_t handle, Site site);
// Adds work at the end of the stream.
OperationPointer enqueue(Stream* stream, Site site, std::function<cudaError_t()> run,
                         bool is_kernel = false);
// Whether nothing is queued and nothing runs; false, too, where another thread has the queues just now.
bool nothing_is_queued();
// Notes what a queued copy or fill touches, and says so if other work that is queued touches the
// same bytes and nothing orders the two.
void set_ranges(const OperationPointer& operation, std::vector<Operation::Range> ranges);
// It must not run before `on`, which may be null.
void add_dependency(Operation& operation, const OperationPointer& on);
// Runs it and all that it depends on, if that has not happened yet.
void force(const OperationPointer& operation);
// Whether work is queued that need not wait for this operation.
bool others_could_run(const Operation& operation);
// What the calling thread runs of the queue from now on, it runs beside the host, which goes on.
void run_beside_host();
// Whether a kernel may wait for the host: it runs beside the host, and the host does not wait for it.
bool host_may_act();
// True if work runs as soon as it is queued, see host_algorithms.h.
bool runs_at_once();
bool host_runs_algorithms();  // for include/cpu_device/host_algorithms.h
// Runs all that a device has queued; its error, if any. In a checked run kernels that get nowhere may be left.
cudaError_t synchronize_device(int device, bool to_the_end = true);

// ---- device.cpp ----

struct Device {
  Stream default_stream;
  std::vector<Stream*> streams;            // created by the program
  cudaError_t broken = cudaSuccess;        // an error from which the device does not recover
  size_t memory_used = 0;
  int max_dynamic_shared = 48 * 1024;      // raised by cudaFuncSetAttribute
  std::vector<bool> peers;
};
Device& device(int index);
int current_device();
const cudaDeviceProp& properties();

// Is it the address of a kernel that is known?
bool is_kernel(const void* address);
// How much __shared__ memory it declares by itself; 0 if the program was stripped of its symbols.
size_t static_shared_bytes(const void* kernel);
// Where its parameters lie in a struct of them, and the size of all.
std::vector<size_t> kernel_offsets(const void* kernel, size_t* bytes);

// The program has called the runtime interface, and not from within the driver interface: then the
// device's primary context is current.
void note_runtime_use();
bool runtime_in_use();

// Memory of cudaMallocAsync(), of which a pool keeps account, see pools.cpp.
cudaError_t new_block_in_order(void** pointer, size_t bytes, Site site);
void pool_gets_back(const void* pointer);

// ---- memory.cpp ----

enum class MemoryKind { device, pinned, managed, symbol, graphics };

struct Block {
  uintptr_t base;
  size_t bytes;
  MemoryKind kind;
  int device;
  unsigned int flags;
  Site site;       // where it was allocated
  void* mapping;   // what to unmap, with the guard pages; null if there is nothing to unmap
  size_t mapping_bytes;
  bool closed_to_host = false;  // unless an OpenDeviceMemory lives
};
// The block that holds the address, or null.
const Block* find_block(const void* address);
// malloc() and free(), new and delete of a kernel, in a checked run.
void* allocate_in_kernel(size_t bytes, Site site);
void free_in_kernel(void* pointer, Site site);
// What is known about an address, in words, and what to do about it; both empty if nothing is known.
struct Known {
  std::string what, hint;
};
Known describe(const void* address);
// What a copy has to do with a crash of host code at the address, and where it is written; empty if
// nothing.
Known describe_copy(const void* address, Site* site);
void free_all_memory(int device);

// ---- fresh.cpp: what memory holds that nobody has written ----

// Fills whole pages, large ones when they are first used if that may be; else those stay zeros.
constexpr unsigned kFreshWord = 0x7ffb7ffb;  // what fresh memory holds, again and again
void fill_fresh(void* memory, size_t bytes, bool may_be_late);
// Whether the fault at the address was the first use of such memory, which is filled now.
bool fill_on_fault(const void* address);
void forget_fresh(uintptr_t start, size_t bytes);

// ---- edges.cpp: writes next to an allocation ----

// `first`: where its pages begin; `rounded`: what the allocation's bytes are rounded up to.
void watch_edges(const Block& block, uintptr_t first, size_t rounded);
void forget_edges(uintptr_t base);
// Whether anybody has written there since the last look; explains it as the work of `who` at `site`.
// `by_host`: looks only where host code can write; otherwise device memory must be open.
bool edges_damaged(Site site, const char* who, bool by_host);

// ---- memory.cpp, again ----

// Puts the device's own copies of __device__ and __constant__ variables in place.
void select_symbols(int device);
// Memory of the device's that somebody else has mapped, see mapping.cpp.
void add_mapped_memory(void* memory, size_t bytes, Site site);
void remove_mapped_memory(void* memory, size_t bytes);
// Memory of OpenGL's that is mapped for CUDA.
void add_graphics_memory(void* memory, size_t bytes, Site site);
void remove_graphics_memory(void* memory);
// While one of these lives, device memory can be touched; otherwise host code that follows a device
// pointer is stopped, as it would be with a GPU. Costs a system call for each allocation, so only
// the first few, and not the largest, are kept closed.
class OpenDeviceMemory {
 public:
  OpenDeviceMemory();
  ~OpenDeviceMemory();
  OpenDeviceMemory(const OpenDeviceMemory&) = delete;
  OpenDeviceMemory& operator=(const OpenDeviceMemory&) = delete;
};

// While one of these lives, memory of other devices is closed, unless `device` may access them as
// peers: for kernels, where there are several devices.
class CloseForeignMemory {
 public:
  explicit CloseForeignMemory(int device);
  ~CloseForeignMemory();
  CloseForeignMemory(const CloseForeignMemory&) = delete;
  CloseForeignMemory& operator=(const CloseForeignMemory&) = delete;

 private:
  int device_;
};

}  // namespace cpu_device
