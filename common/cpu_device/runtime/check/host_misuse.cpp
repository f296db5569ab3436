// Mistakes of host code around kernels: memory that is freed while work may still use it, objects
// copied instead of what they point to, functions of the C library that touch device memory.
#include <malloc.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>
#include <unwind.h>

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <ostream>

#include "../execution/kernel_heap.h"
#include "accesses.h"
#include "findings.h"
#include "happens_before.h"
#include "host_accesses.h"
#include "host_turns.h"
#include "memory_names.h"
#include "shadow.h"
#include "source_lines.h"
#include "uninitialized_reads.h"
#include "unwritten_results.h"
#include "variables.h"
#include "host_misuse.h"

namespace cpu_device::check {

namespace {

// Arguments of host functions that are queued.
bool functions_queued = false;
struct Argument {
  const void* data;
  const Operation* operation;
  Moment moment;
};
std::vector<Argument>& arguments() {
  static auto* all = new std::vector<Argument>;
  return *all;
}

void report(const char* kind, const SourcePlace& at, const std::string& what, const std::string& hint) {
  Finding finding;
  finding.kind = kind;
  finding.place = at;
  finding.title = what;
  finding.hint = hint;
  add_finding(std::move(finding));
  flush_findings();
}

}  // namespace

void run_queued(bool to_the_end) {
  hold_host_clock(true);
  for (int i = 0; i < settings().devices; i++) synchronize_device(i, to_the_end);
  hold_host_clock(false);
}

static bool frees_at(uintptr_t base, size_t bytes, Stream* stream, const SourcePlace& place) {
  Region* region = find_region(base);
  if (region == nullptr) return false;
  // What was queued before runs first; the host has not waited for it, though.
  run_queued(true);
  Moment now;
  if (stream != nullptr && stream->last != nullptr) {
    now = stream->last->moment;
  }
  const Done* user = nullptr;
  const auto look = [&](Record r) {
    if (segment(r) <= 1 || (r & (kSet | kBeyond)) != 0) return;
    const Done& earlier = done_of(segment(r));
    if (earlier.host || host_ordered(earlier, segment(r))) return;
    if (stream != nullptr && moment_contains(now, earlier)) return;
    user = &earlier;
  };
  for_cells(*region, base, bytes, [&](Cell& cell, uintptr_t, unsigned) {
    look(cell.write);
    look_at_reads(cell.reads, look);
  });
  if (user == nullptr) return false;
  report("freed-in-use", place,
         format("memory is freed while the device may still use it (%s%s, queued in line %d)",
                user->is_kernel ? "kernel " : "", user->what, user->site.line),
         stream == nullptr ? "call cudaStreamSynchronize() or cudaDeviceSynchronize() before you free it."
                           : "free it in the stream that used it last, or let this stream wait for the other one with "
                             "an event.");
  return true;
}

void frees(uintptr_t base, size_t bytes, Stream* stream, Site site) { frees_at(base, bytes, stream, place_of_call(site)); }

// What lies there, be it more than the object has: it is only looked at.
__attribute__((no_sanitize("address"))) static void peek(const void* pointer, uintptr_t (&words)[3]) {
  for (size_t i = 0; i < 3; i++) words[i] = static_cast<const volatile uintptr_t*>(pointer)[i];
}

namespace {

// What the program has of malloc() and new. Libraries may free some of it, and it is not noticed then.
struct HostBlock {
  size_t bytes;
  const void* counter;
  bool fresh;  // it held what fresh memory holds
};
std::mutex host_blocks_mutex;
std::map<uintptr_t, HostBlock>& host_blocks() {
  static auto* all = new std::map<uintptr_t, HostBlock>;
  return *all;
}

void* note_host_block(void* pointer, size_t bytes, const void* counter, bool fresh) {
  constexpr size_t kMostFilled = size_t(64) << 20;
  if (pointer == nullptr) return pointer;
  fresh = fresh && bytes <= kMostFilled;
  if (fresh) fill_as_fresh(reinterpret_cast<uintptr_t>(pointer), bytes);
  const std::lock_guard<std::mutex> guard(host_blocks_mutex);
  host_blocks()[reinterpret_cast<uintptr_t>(pointer)] = {bytes, counter, fresh};
  return pointer;
}

// Memory that is registered for the device must be unregistered first.
void look_for_registered(uintptr_t base, size_t bytes, const Program& here) {
  SourcePlace place;
  {
    const Guard guard(host_lock());
    const Block* const block = first_block_in(reinterpret_cast<const void*>(base), bytes);
    if (block == nullptr || block->kind != MemoryKind::pinned || block->base + block->bytes > base + bytes) return;
    place = users_place(here);
    if (frees_at(block->base, block->bytes, nullptr, place)) return;
  }
  report("wrong-pointer", place, "memory that is still registered with cudaHostRegister() is freed",
         "call cudaHostUnregister() before you free the memory.");
}

// `freed_by`: where the program frees it; null if the block only moves.
void forget_host_block(const void* pointer, const Program* freed_by = nullptr) {
  const auto base = reinterpret_cast<uintptr_t>(pointer);
  size_t bytes = 0;
  {
    const std::lock_guard<std::mutex> guard(host_blocks_mutex);
    const auto known = host_blocks().find(base);
    if (known == host_blocks().end()) return;
    bytes = known->second.bytes;
    host_blocks().erase(known);
  }
  if (freed_by != nullptr && other_regions_known != 0) look_for_registered(base, bytes, *freed_by);
  forget_unwritten(base, base + bytes);
}

// Bytes that are left from there in an array of host code, and where it comes from; false if unknown.
bool left_in_block(uintptr_t at, size_t* left, std::string* where) {
  const std::lock_guard<std::mutex> guard(host_blocks_mutex);
  auto after = host_blocks().upper_bound(at);
  if (after == host_blocks().begin()) return false;
  const auto& [base, block] = *--after;
  if (at - base >= block.bytes || !is_mapped(base - sizeof(size_t))) return false;
  const size_t usable = malloc_usable_size(reinterpret_cast<void*>(base));
  if (usable < block.bytes || usable > block.bytes + page_bytes()) return false;  // another one by now
  *left = base + block.bytes - at;
  const SourcePlace place = source_place({block.counter, {nullptr, 0}, Access::write, Scope::system, 0});
  *where = format(" of the %zu bytes allocated at %s:%d", block.bytes, place.file.c_str(), place.line);
  return true;
}

}  // namespace

bool fresh_host_block(uintptr_t address, uintptr_t* base, size_t* bytes, const void** counter) {
  const std::lock_guard<std::mutex> guard(host_blocks_mutex);
  auto after = host_blocks().upper_bound(address);
  if (after == host_blocks().begin()) return false;
  const auto& [low, block] = *--after;
  if (!block.fresh || address - low >= block.bytes || !is_mapped(low - sizeof(size_t))) return false;
  const size_t usable = malloc_usable_size(reinterpret_cast<void*>(low));
  if (usable < block.bytes || usable > block.bytes + page_bytes()) return false;  // another one by now
  *base = low;
  *bytes = block.bytes;
  *counter = block.counter;
  return true;
}

namespace {

// Of a local variable: up to the return address above the variables of its function.
struct Frame {
  uintptr_t at, end;
};
_Unwind_Reason_Code look_at_frame(_Unwind_Context* context, void* data) {
  auto* frame = static_cast<Frame*>(data);
  const uintptr_t top = _Unwind_GetCFA(context);
  if (frame->at >= top) return _URC_NO_REASON;
  frame->end = top - sizeof(void*);
  return _URC_END_OF_STACK;
}
bool left_in_frame(uintptr_t at, size_t* left, std::string* where) {
  constexpr size_t kStack = size_t(8) << 20;
  if (at - reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) > kStack) return false;
  Frame frame{at, 0};
  _Unwind_Backtrace(look_at_frame, &frame);
  if (frame.end <= at) return false;
  *left = frame.end - at;
  *where = " before the end of the function's local variables";
  return true;
}

bool is_too_short(uintptr_t at, size_t bytes, const char* side, Site site) {
  size_t left = 0;
  std::string where;
  if (is_variable(at)) {
    left = variable_left(at);
    where = " of the variable " + variable_name(at);
    if (left == 0) return false;
  } else if (!left_in_block(at, &left, &where) && !left_in_frame(at, &left, &where)) {
    return false;
  }
  if (bytes <= left) return false;
  report("out-of-bounds", place_of_call(site),
         format("the %s of the copy on the host is too small for %zu bytes: only %zu bytes are left", side, bytes, left) +
             where,
         "the size is in bytes, and both sides must be large enough. Pass count * sizeof(element).");
  return true;
}

}  // namespace

bool host_side(const void* pointer, size_t bytes, const char* side, Site site) {
  const Muted quiet;
  const auto at = reinterpret_cast<uintptr_t>(pointer);
  uintptr_t words[3];
  if (at % sizeof(void*) != 0 || (at & 4095) > 4096 - sizeof words) return !is_too_short(at, bytes, side, site);
  peek(pointer, words);
  // A std::vector: begin, end, end of its memory; and the elements are what was meant.
  if (words[0] == 0 || words[0] % 4 != 0 || words[1] - words[0] != bytes || words[2] < words[1] ||
      !is_mapped(words[0]))
    return !is_too_short(at, bytes, side, site);
  report("wrong-pointer", place_of_call(site),
         "the host side of the copy is a std::vector object, not its elements",
         "&vector is the address of the object, which holds three pointers. Pass vector.data().");
  return true;
}

void host_function(const void* data, const Operation& operation) {
  watch_host();
  functions_queued = true;
  if (data != nullptr) arguments().push_back({data, &operation, operation.moment});
}
bool host_functions_queued() { return functions_queued; }

// Memory of malloc() or new in a kernel lies where its cells are. False: the caller is host code, or a
// header's, whose memory others may free.
bool kernel_allocates(size_t bytes, const void* counter, void** pointer) {
  const Program here{counter, {nullptr, 0}, Access::write, Scope::system, 0};
  if (checking == nullptr || is_own_header(here)) return false;
  *pointer = allocate_in_kernel(bytes, lasting_site(here));
  return true;
}

void* allocated_by_host(void* pointer, size_t bytes, const void* counter, bool fresh) {
  return note_host_block(pointer, bytes, counter, fresh);
}
void moved_by_host(const void* pointer) { forget_host_block(pointer); }

// free() and delete, called by the program.
void host_frees(const void* pointer, const void* counter) {
  if (pointer == nullptr) return;
  const auto at = reinterpret_cast<uintptr_t>(pointer);
  const Program here{counter, {nullptr, 0}, Access::write, Scope::system, 0};
  forget_host_block(pointer, &here);
  if (arena.contains(at)) {
    report("wrong-pointer", source_place(here), "free() or delete of device memory",
           "free memory from cudaMalloc() with cudaFree(), and pinned memory with cudaFreeHost().");
    return;
  }
  for (Argument& argument : arguments()) {
    if (argument.data != pointer || host_contains(argument.moment)) continue;
    argument.data = nullptr;
    report("freed-in-use", source_place(here),
           "the argument of a queued host function is freed before the function has run",
           "free it in the function itself, or after cudaStreamSynchronize().");
    return;
  }
}

}  // namespace cpu_device::check

// nvcc --check makes the program call these instead of the C library's.
extern "C" {

#define CALLER __builtin_return_address(0)
using cpu_device::check::library_access;
using cpu_device::check::library_copy;

static bool may_free(void* pointer, const void* counter) {
  using namespace cpu_device::check;
  const bool on_device = arena.contains(reinterpret_cast<uintptr_t>(pointer));
  if (checking != nullptr && on_device) {
    if (const cpu_device::Block* block = cpu_device::find_block(pointer)) tell_early_of(*checking, block->base, block->bytes);
    cpu_device::free_in_kernel(
        pointer, lasting_site({counter, {nullptr, 0}, Access::write, cpu_device::Scope::system, 0}));
  } else
    host_frees(pointer, counter);
  return !on_device;
}
#define ALLOCATES(NAME, ALLOCATE)                                                 \
  void* cpu_device_checked_##NAME(size_t bytes) {                                 \
    void* pointer = nullptr;                                                      \
    if (cpu_device::check::kernel_allocates(bytes, CALLER, &pointer)) return pointer; \
    return cpu_device::check::allocated_by_host(ALLOCATE(bytes), bytes, CALLER, true); \
  }
ALLOCATES(malloc, malloc)
ALLOCATES(_Znwm, ::operator new)
ALLOCATES(_Znam, ::operator new[])
void* cpu_device_checked_calloc(size_t count, size_t size) {
  return cpu_device::check::allocated_by_host(calloc(count, size), count * size, CALLER, false);
}
void* cpu_device_checked_realloc(void* pointer, size_t bytes) {
  cpu_device::check::moved_by_host(pointer);
  return cpu_device::check::allocated_by_host(realloc(pointer, bytes), bytes, CALLER, false);
}
void cpu_device_checked_free(void* pointer) {
  if (may_free(pointer, CALLER)) free(pointer);
}
void cpu_device_checked__ZdlPv(void* pointer) {
  if (may_free(pointer, CALLER)) ::operator delete(pointer);
}
void cpu_device_checked__ZdlPvm(void* pointer, size_t) {
  if (may_free(pointer, CALLER)) ::operator delete(pointer);
}
void cpu_device_checked__ZdaPv(void* pointer) {
  if (may_free(pointer, CALLER)) ::operator delete[](pointer);
}
void cpu_device_checked__ZdaPvm(void* pointer, size_t) {
  if (may_free(pointer, CALLER)) ::operator delete[](pointer);
}
// A place in the program has one way to access memory: in the same call, but not the same place.
#define WRITES (static_cast<const char*>(CALLER) - 1)
void* cpu_device_checked_memcpy(void* to, const void* from, size_t bytes) {
  library_copy(to, from, bytes, CALLER, WRITES);
  return memcpy(to, from, bytes);
}
void* cpu_device_checked_memmove(void* to, const void* from, size_t bytes) {
  library_copy(to, from, bytes, CALLER, WRITES);
  return memmove(to, from, bytes);
}
// The host and its functions in streams wait for each other with these.
int cpu_device_checked_pthread_mutex_lock(pthread_mutex_t* mutex) {
  const int error = pthread_mutex_lock(mutex);
  cpu_device::check::take_up(mutex);
  return error;
}
int cpu_device_checked_pthread_mutex_unlock(pthread_mutex_t* mutex) {
  cpu_device::check::give(mutex);
  return pthread_mutex_unlock(mutex);
}
int cpu_device_checked_pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  cpu_device::check::give(mutex);
  const int error = pthread_cond_wait(condition, mutex);
  cpu_device::check::take_up(mutex);
  return error;
}
int cpu_device_checked_pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                              clockid_t clock, const timespec* until) {
  cpu_device::check::give(mutex);
  const int error = pthread_cond_clockwait(condition, mutex, clock, until);
  cpu_device::check::take_up(mutex);
  return error;
}
void cpu_device_checked__ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(
    std::condition_variable* condition, std::unique_lock<std::mutex>* lock) {
  cpu_device::check::give(lock->mutex());
  condition->wait(*lock);
  cpu_device::check::take_up(lock->mutex());
}
// What leaves the program.
int cpu_device_checked_memcmp(const void* a, const void* b, size_t bytes) {
  library_access(a, bytes, false, CALLER);
  library_access(b, bytes, false, CALLER);
  return memcmp(a, b, bytes);
}
size_t cpu_device_checked_fwrite(const void* from, size_t size, size_t count, FILE* file) {
  library_access(from, size * count, false, CALLER);
  return fwrite(from, size, count, file);
}
ssize_t cpu_device_checked_write(int file, const void* from, size_t bytes) {
  library_access(from, bytes, false, CALLER);
  return write(file, from, bytes);
}
std::ostream* cpu_device_checked__ZNSo5writeEPKcl(std::ostream* to, const char* from, std::streamsize bytes) {
  library_access(from, static_cast<size_t>(bytes), false, CALLER);
  return &to->write(from, bytes);
}
void* cpu_device_checked_memset(void* to, int value, size_t bytes) {
  library_access(to, bytes, true, CALLER);
  return memset(to, value, bytes);
}
}
