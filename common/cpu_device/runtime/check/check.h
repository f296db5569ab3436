// What the runtime tells the checked run (check/, see CHECKED_RUN.md): where kernels, threads,
// barriers, operations and memory begin and end. In a library that is built without
// CPU_DEVICE_CHECK all of this is empty and costs nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "../../include/cuda_runtime.h"

namespace cpu_device {

enum class Order;

struct Launch;
struct Operation;
struct Stream;
struct Worker;

// How strongly memory is ordered, and for whom.
enum class Scope : unsigned char { none, block, device, system };

namespace check {

// The time at which an operation of a stream happens, and what has happened before it: for each
// timeline (host first, then streams in the order in which they were first used) how many of its
// steps.
struct Moment {
  unsigned timeline = 0;
  uint64_t step = 0;
  std::vector<uint64_t> before;
};

#ifdef CPU_DEVICE_CHECK

constexpr bool on = true;

// The pointers among the parameters of the kernel that is being launched.
void take_names(std::vector<NamedPointer>* into);
// The host launches a kernel with these, or has asked for the address of a variable of the device.
void passes_pointers(const std::vector<NamedPointer>& named, const char* kernel, Site site);
void symbol_address_asked(const void* symbol);
// The program has made an object ("stream"), or has released it.
void object_made(const char* what, uintptr_t handle, Site site);
void object_released(const char* what, uintptr_t handle);

// ---- schedules: schedules.cpp ----
// Before the first run of a launch; whether it is to run once more, with its memory restored.
void begin_schedules(const Launch& launch);
bool next_schedule(const Launch& launch, cudaError_t* result);
// How many blocks of the run that begins are at work side by side.
int blocks_at_once(uint64_t blocks);
// In which order blocks and threads begin: every second schedule reverses it.
Order order_of_run(Order set);
// So many workers have been started, and are in line for their first turn. The caller's own turn comes
// after theirs. None begins before the caller is also in line.
void hold_first_turn();
uint64_t workers_in_line();  // so far
void wait_for_workers_in_line(uint64_t count);
// The launch cannot run again: it has allocated memory, or launched a kernel.
void forbid_schedules();

// ---- kernels: called on the worker that runs them ----
void launch_begins(const Launch& launch);
void launch_ends(const Launch& launch, cudaError_t error);
// Checked runs look at one thread at a time, and all their blocks run on one worker; but not those
// that are watched, see watch/.
int most_workers();
void worker_begins(Worker& worker);
void worker_ends();
void block_begins(Worker& worker);
void thread_begins(Worker& worker, unsigned thread);
void thread_continues(Worker& worker, unsigned thread);
void thread_waits(Worker& worker);
void thread_ends(Worker& worker);
void barrier_passed(Worker& worker, Site site);
// The lanes in `mask` of a warp have met in __syncwarp().
void lanes_met(Worker& worker, unsigned warp, unsigned mask, Site site);
// __activemask() has returned the calling lane and no other.
void only_caller_is_active(Site site, const std::string& kernel);
// The thread is at a barrier of part of the block, as the first or not; those who wait there go on.
void part_arrives(unsigned number, bool is_first);
void part_passes(unsigned number, const uint16_t* waiting, unsigned count);
// The block's threads [first, first + count) have met in the barrier of a tile.
void tile_met(Worker& worker, unsigned first, unsigned count);
// All threads of all blocks have met in grid.sync().
void grid_met(Worker& worker);
// The blocks of a cluster run; have met in cluster.sync(), or in the halves of it; have all ended.
void cluster_begins();
void cluster_met(bool in_halves);
void cluster_ends();
// The thread is at the barrier's first half; will wait at a barrier of its block that orders nothing.
void cluster_arrived();
void wait_in_cluster();
// Other workers may go on now, if there are any. One that waits for others pauses; it gets on in the
// order in which those who paused have queued.
void let_other_workers_run();
void pause_worker();
uint64_t queue_worker();
void resume_worker(uint64_t place_in_queue);
// Called when no thread of the block is ready: those that watch/ keeps may be, then.
bool release_parked(Worker& worker);
// The kernels that a kernel has launched: all of them, and each.
void children_begin();
void child_begins(const Launch& child);
void child_ends(const Launch& child);
void children_end();
// A kernel launches it; records an event in a stream of its own; lets one wait for an event.
void kernel_launches(Launch* child);
void kernel_records_event(cudaEvent_t event, cudaStream_t stream);
void kernel_waits_for_event(cudaStream_t stream, cudaEvent_t event);
// Whether the other threads may go on when one has ended with a fault, and that one has.
bool may_go_on_after_fault();
void note_fault();

// ---- the order of operations ----
void enqueued(Operation& operation, Stream& stream);
void after(Operation& operation, const Moment& other);
void operation_begins(Operation& operation);
void operation_ends(const Operation& operation);
void host_waited_for(const Operation& operation);
void stream_destroyed(const Stream& stream, Site site);
// Waiting for an event that was never recorded is a mistake, but not in a loop whose later rounds find it
// recorded. `who`: waits, in words.
void waits_for_event(bool recorded, const char* who, Site site);
// The program's line that has called, perhaps through a library's headers: for calls that do not bring theirs.
Site site_of_caller();

// Work was queued. If the host then goes on and on without a call of CUDA, it waits for that work,
// which then runs: always at the same access.
void note_queued();
// Runs all that is queued, for a host that has not asked for it. The caller holds host_lock(). A kernel that
// makes no progress is left, unless it is to run to the end.
void run_queued(bool to_the_end = false);
// Keeps host code from being looked at meanwhile, if another thread does that; may fail.
std::unique_lock<std::recursive_mutex> hold_host_code();

// ---- kernels that wait for the host: host_turns.cpp ----
struct Baton;
// Whether a kernel may be left before it ends; whether one has been.
bool takes_turns();
bool kernel_waits();
// Runs the kernel, which may have been left, until it is done or, if need not be, makes no progress.
void run_in_turns(Operation& operation, bool to_the_end, const std::function<void()>& work);
// Devices share what belongs to one at a time: memory that is closed, variables.
void end_kernels_of_other_devices(int device);
// Whether the kernel that runs may wait for what the host does next.
bool host_may_act();
// Called by a kernel that makes no progress. True if the host has done something meanwhile.
bool let_host_run();
// Whether a kernel has been left for some time, and the host gives it no turns.
bool wants_turn();
// This system thread is such a kernel's.
extern __thread bool runs_in_turns;

// ---- memory ----
// A place for `bytes` (a multiple of the page) in the checked part of the address space; null if
// there is none left.
void* reserve(size_t bytes);
void allocated(uintptr_t base, size_t bytes, bool written, Site site);
void freed(uintptr_t base, size_t bytes);
// The host frees memory that queued work may still use. `stream`: in the order of that stream, which
// work that was queued before need not be; null: now.
void frees(uintptr_t base, size_t bytes, Stream* stream, Site site);
// The host's side of a copy: is it an object that only points to the elements? False if it is so short
// that the copy must not be made.
bool host_side(const void* pointer, size_t bytes, const char* side, Site site);
// Queued work of the host's own will be given this pointer.
void host_function(const void* data, const Operation& operation);
// An operation reads or writes rows of memory: copies, fills. `from` null: the bytes are new.
void copied(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
            size_t height, Site site);
void registered(uintptr_t base, size_t bytes);
// A kernel reads, in the runtime's own code: through a texture.
void kernel_reads(const void* address, size_t bytes, Site site);
// Reads of this memory from now on are not reported: through a texture, or by a library.
void read_unseen(const void* address);
// A call has returned an error.
void call_failed();
// For the words of a finding: the program has asked for such a copy to device memory.
void copied_from_host(void* to, size_t bytes, Site site);
// A launch failed; the program has asked for errors since.
void launch_failed(Site site, const std::string& what);
void error_asked();
// The program is about to be killed by a signal: says what was found.
void end_by_signal();

// ---- findings of the runtime itself ----
// Notes an explanation that the runtime gives anyway as a finding of this kind (findings.cpp).
void explained(const char* kind, Site site, const std::string& what, const std::string& hint);

#else

constexpr bool on = false;

inline void begin_schedules(const Launch&) {}
constexpr bool next_schedule(const Launch&, cudaError_t*) { return false; }
constexpr int blocks_at_once(uint64_t) { return 1; }
constexpr Order order_of_run(Order set) { return set; }
inline void object_made(const char*, uintptr_t, Site) {}
inline void object_released(const char*, uintptr_t) {}
inline void hold_first_turn() {}
constexpr uint64_t workers_in_line() { return 0; }
inline void wait_for_workers_in_line(uint64_t) {}
inline void forbid_schedules() {}
inline void launch_begins(const Launch&) {}
inline void launch_ends(const Launch&, cudaError_t) {}
inline int most_workers() { return 256; }
inline void worker_begins(Worker&) {}
inline void worker_ends() {}
inline void block_begins(Worker&) {}
inline void thread_begins(Worker&, unsigned) {}
inline void thread_continues(Worker&, unsigned) {}
inline void thread_waits(Worker&) {}
inline void thread_ends(Worker&) {}
inline void barrier_passed(Worker&, Site) {}
inline void lanes_met(Worker&, unsigned, unsigned, Site) {}
inline void only_caller_is_active(Site, const std::string&) {}
inline void tile_met(Worker&, unsigned, unsigned) {}
inline void part_arrives(unsigned, bool) {}
inline void part_passes(unsigned, const uint16_t*, unsigned) {}
inline void grid_met(Worker&) {}
inline void cluster_begins() {}
inline void cluster_met(bool) {}
inline void cluster_arrived() {}
inline void wait_in_cluster() {}
inline void cluster_ends() {}
inline void let_other_workers_run() {}
inline void pause_worker() {}
inline uint64_t queue_worker() { return 0; }
inline void resume_worker(uint64_t) {}
inline bool release_parked(Worker&) { return false; }
inline void children_begin() {}
inline void child_begins(const Launch&) {}
inline void child_ends(const Launch&) {}
inline void children_end() {}
inline void kernel_launches(Launch*) {}
inline void kernel_records_event(cudaEvent_t, cudaStream_t) {}
inline void kernel_waits_for_event(cudaStream_t, cudaEvent_t) {}
constexpr bool may_go_on_after_fault() { return false; }
inline void note_fault() {}
inline void enqueued(Operation&, Stream&) {}
inline void after(Operation&, const Moment&) {}
inline void operation_begins(Operation&) {}
inline void operation_ends(const Operation&) {}
inline void host_waited_for(const Operation&) {}
inline void stream_destroyed(const Stream&, Site) {}
inline void waits_for_event(bool, const char*, Site) {}
inline Site site_of_caller() { return {nullptr, 0}; }
inline void note_queued() {}
inline void run_queued(bool = false) {}
constexpr bool takes_turns() { return false; }
constexpr bool kernel_waits() { return false; }
inline void run_in_turns(Operation&, bool, const std::function<void()>&) {}
inline void end_kernels_of_other_devices(int) {}
constexpr bool host_may_act() { return false; }
constexpr bool let_host_run() { return false; }
constexpr bool wants_turn() { return false; }
constexpr bool runs_in_turns = false;
inline std::unique_lock<std::recursive_mutex> hold_host_code() { return {}; }
inline void* reserve(size_t) { return nullptr; }
inline void allocated(uintptr_t, size_t, bool, Site) {}
inline void freed(uintptr_t, size_t) {}
inline void frees(uintptr_t, size_t, Stream*, Site) {}
inline bool host_side(const void*, size_t, const char*, Site) { return true; }
inline void host_function(const void*, const Operation&) {}
inline void copied(void*, size_t, const void*, size_t, size_t, size_t, Site) {}
inline void registered(uintptr_t, size_t) {}
inline void kernel_reads(const void*, size_t, Site) {}
inline void read_unseen(const void*) {}
inline void call_failed() {}
inline void copied_from_host(void*, size_t, Site) {}
inline void launch_failed(Site, const std::string&) {}
inline void error_asked() {}
inline void end_by_signal() {}
inline void explained(const char*, Site, const std::string&, const std::string&) {}

#endif

}  // namespace check
}  // namespace cpu_device
