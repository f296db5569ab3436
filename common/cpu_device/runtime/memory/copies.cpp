// Copies and fills: both sides are looked up, and what does not fit is explained.
#include <link.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../check/check.h"
#include "../device/calls.h"
#include "../device/device.h"
#include "../device/host_lock.h"
#include "../device/settings.h"
#include "../faults/error_messages.h"
#include "../order/queue.h"
#include "around_operations.h"
#include "blocks.h"
#include "copies.h"
#include "uninitialized_memory.h"

namespace cpu_device {

namespace {

const char* name_of(cudaMemcpyKind kind) {
  switch (kind) {
    case cudaMemcpyHostToHost:
      return "cudaMemcpyHostToHost";
    case cudaMemcpyHostToDevice:
      return "cudaMemcpyHostToDevice";
    case cudaMemcpyDeviceToHost:
      return "cudaMemcpyDeviceToHost";
    case cudaMemcpyDeviceToDevice:
      return "cudaMemcpyDeviceToDevice";
    default:
      return "cudaMemcpyDefault";
  }
}

struct Side {
  const Block* block = nullptr;
  bool device() const { return block != nullptr && block->kind != MemoryKind::pinned; }
  bool managed() const { return block != nullptr && block->kind == MemoryKind::managed; }
  // Memory that the device can reach without the driver's help.
  bool pageable() const { return block == nullptr; }
};

std::string side_in_words(const Side& side) {
  if (side.block == nullptr) return "ordinary host memory";
  return block_in_words(*side.block);
}

// Looks up a pointer and checks that `bytes` from there are all inside. `symbol` pointers are known
// to be good.
cudaError_t check_side(const void* pointer, size_t bytes, const char* name, Site site, Side* side) {
  if (pointer == nullptr)
    return fail(cudaErrorInvalidValue, site, format("the %s is NULL", name),
                "check that the memory was allocated, and that the allocation succeeded.");
  side->block = find_block(pointer);
  if (const Site freed = where_freed(pointer); freed.file != nullptr)
    return fail(cudaErrorInvalidValue, site, format("the %s was %s", name, freed_in_words(freed).c_str()),
                "free memory only after its last use.", "use-after-free");
  if (side->block == nullptr) return cudaSuccess;
  const size_t left = side->block->base + side->block->bytes - reinterpret_cast<uintptr_t>(pointer);
  if (bytes > left)
    return fail(cudaErrorInvalidValue, site,
                format("the %s is too small for %zu bytes: ", name, bytes) +
                    (left == side->block->bytes ? "it has only the " : format("only %zu bytes are left of the ", left)) +
                    block_in_words(*side->block),
                "the size is in bytes. Pass count * sizeof(element).");
  return cudaSuccess;
}

// Whether device memory, or a registered device variable, holds this pointer: then a kernel has stored it
// there. Searches all of it except large allocations, so only for pointers that are otherwise unknown.
bool device_holds(const void* pointer) {
  constexpr size_t kLarge = size_t(64) << 20;
  const OpenDeviceMemory open;
  for (const auto& [base, block] : blocks()) {
    if (block.kind == MemoryKind::pinned || block.bytes > kLarge) continue;
    const auto* words = reinterpret_cast<void* const*>((base + 7) / 8 * 8);
    const auto* end = reinterpret_cast<void* const*>((base + block.bytes) / 8 * 8);
    if (words < end && std::find(words, end, pointer) != end) return true;
  }
  return false;
}

// A variable that no function has: the host's, or one that is __device__, which looks the same here.
bool is_global_variable(const void* pointer) {
  struct Search {
    uintptr_t address;
    bool found;
  } search{reinterpret_cast<uintptr_t>(pointer), false};
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        auto* it = static_cast<Search*>(data);
        for (int i = 0; i < info->dlpi_phnum; i++) {
          const auto& part = info->dlpi_phdr[i];
          const uintptr_t from = info->dlpi_addr + part.p_vaddr;
          if (part.p_type == PT_LOAD && it->address - from < part.p_memsz) it->found = true;
        }
        return 0;
      },
      &search);
  return search.found;
}

// Checks a copy of any shape; the sizes are those from the first byte to the last.
cudaError_t check_copy(void* to, size_t to_bytes, const void* from, size_t from_bytes,
                       cudaMemcpyKind kind, bool async, Site site, Side* target, Side* source) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    return fail(cudaErrorInvalidMemcpyDirection, site,
                format("copy direction %d does not exist", static_cast<int>(kind)));
  cudaError_t error = check_side(to, to_bytes, "destination of the copy", site, target);
  if (error == cudaSuccess) error = check_side(from, from_bytes, "source of the copy", site, source);
  if (error != cudaSuccess || kind == cudaMemcpyDefault) return error;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  // Pinned memory counts as the device's too, because kernels may use it.
  const auto fits = [](const Side& side, const void* pointer, bool wanted) {
    return side.managed() || side.device() == wanted ||
           (wanted &&
            (side.block != nullptr || (is_global_variable(pointer) && device_holds(pointer))));
  };
  if (fits(*target, to, to_device) && fits(*source, from, from_device)) return cudaSuccess;
  const cudaMemcpyKind right = target->device() ? source->device() ? cudaMemcpyDeviceToDevice
                                                                   : cudaMemcpyHostToDevice
                               : source->device() ? cudaMemcpyDeviceToHost
                                                  : cudaMemcpyHostToHost;
  // A GPU, too, copies what it knows, such as pinned memory, the way that the addresses say. A program that measures does so
  // a hundred times, and needs to hear of it once.
  const bool copies = async && target->block != nullptr && source->block != nullptr;
  static auto* said = new std::set<std::pair<std::string, int>>;
  if (copies && site.file != nullptr && !said->insert({site.file, site.line}).second) return cudaSuccess;
  explain(site,
          format("wrong copy direction %s: the destination is %s, the source is %s", name_of(kind),
                 side_in_words(*target).c_str(), side_in_words(*source).c_str()),
          format("use %s, or check whether the destination (first) and the source (second) are swapped.",
                 name_of(right)),
          "wrong-pointer");
  return copies ? cudaSuccess : fail(cudaErrorInvalidValue);
}

// Other work may be in the gaps between rows.
Operation::Range range(const void* start, size_t pitch, const Rows& rows, bool written) {
  const auto low = reinterpret_cast<uintptr_t>(start);
  if (rows.height > 1 && pitch != rows.width) return {low, low, written, pitch, rows.width, rows.height};
  return {low, low + rows.width * rows.height, written};
}

void copy_rows(void* to, const void* from, const Rows& rows) {
  if (rows.to_pitch == rows.width && rows.from_pitch == rows.width) {
    memmove(to, from, rows.width * rows.height);
    return;
  }
  for (size_t y = 0; y < rows.height; y++)
    memmove(static_cast<char*>(to) + y * rows.to_pitch,
            static_cast<const char*>(from) + y * rows.from_pitch, rows.width);
}

// The copy that this thread is making, and the last one to a variable on the stack of host code: for
// explanations of crashes, since `cudaMemcpy(&vector, ...)` overwrites the vector and what is near it.
struct NotedCopy {
  Site site;
  uintptr_t to;
  size_t bytes;
};
thread_local const NotedCopy* volatile copy_at_work = nullptr;
thread_local NotedCopy last_to_stack{{nullptr, 0}, 0, 0};

void copy_noted(Site site, void* to, const void* from, const Rows& rows) {
  const auto target = reinterpret_cast<uintptr_t>(to);
  const NotedCopy note{site, target, rows.width * rows.height};
  constexpr size_t kStack = size_t(8) << 20;
  if (target - reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) < kStack &&
      note.bytes > sizeof(void*))
    last_to_stack = note;
  copy_at_work = &note;
  std::atomic_signal_fence(std::memory_order_seq_cst);  // the handler of a crash reads it
  copy_rows(to, from, rows);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  copy_at_work = nullptr;
}

// Says once that all that a copy brings to the host is what memory holds before it is written. A NaN stays what it is in
// sums and products, so the values may come from other memory. Where only a part is like that, it may be room to spare.
void note_fresh(Site site, const void* from, size_t bytes) {
  static std::atomic<bool> told{false};
  unsigned first = 0;
  if (check::on || bytes < sizeof first || bytes % sizeof first != 0 || told.load(std::memory_order_relaxed)) return;
  memcpy(&first, from, sizeof first);
  const auto* const start = static_cast<const char*>(from);
  if (first != kFreshWord || memcmp(start, start + sizeof first, bytes - sizeof first) != 0) return;
  if (!any_kernel_was_queued() || told.exchange(true)) return;
  explain(site,
          format("note: all %zu bytes of the copy come from memory that was never initialized, or were computed from "
                 "it (NaN as a float, 2147188731 as an int)",
                 bytes),
          "check what the kernels read and write. Comparisons with NaN are false, so a test such as fabs(a - b) > eps does "
          "not find it. nvcc --check names the line that reads it.");
}

}  // namespace

// Where one side of a copy is, for CPU_DEVICE_CALLS.
static std::string place_of(const Side& side) {
  if (side.block == nullptr) return "pageable memory";
  if (side.block->kind == MemoryKind::pinned) return "pinned memory";
  return format(side.managed() ? "managed memory of device %d" : "device %d", side.block->device);
}

static void note_copy(const Side& to, const Side& from, const Rows& rows, cudaStream_t handle, const Stream& stream,
                      bool async) {
  if (!calls::wanted()) return;
  const std::string lines = rows.height > 1 ? format("%zu rows of ", rows.height) : "";
  calls::note("%scopy%s %s%zu bytes, %s to %s, in %s", stream.capture != nullptr ? "capture: " : "", async ? " later" : "",
              lines.c_str(), rows.width, place_of(from).c_str(), place_of(to).c_str(), calls::name("stream", handle));
}

cudaError_t copy(void* to, const void* from, const Rows& rows, cudaMemcpyKind kind,
                 cudaStream_t handle, bool async, Site site) {
  const Guard guard(host_lock());
  Stream* stream = find_stream(handle, site);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  // As on an H200: without rows, any pitch is valid. A single row also accepts a pitch of 0.
  const auto fits = [&](size_t pitch) { return rows.width <= pitch || rows.height == 0 || (pitch == 0 && rows.height == 1); };
  if (!fits(rows.to_pitch) || !fits(rows.from_pitch))
    return fail(rows.height == 1 ? cudaErrorInvalidValue : cudaErrorInvalidPitchValue, site,
                format("rows of %zu bytes are longer than the pitches of %zu and %zu bytes", rows.width,
                       rows.to_pitch, rows.from_pitch));
  const cudaError_t broken = device(stream->device).broken;
  if (broken != cudaSuccess) return fail(broken);
  if (rows.width == 0 || rows.height == 0) return cudaSuccess;  // and waits for nothing, as a GPU's
  Side target, source;
  const cudaError_t error =
      check_copy(to, rows.to_pitch * (rows.height - 1) + rows.width, from,
                 rows.from_pitch * (rows.height - 1) + rows.width, kind, async, site, &target, &source);
  if (error != cudaSuccess) return error;
  note_copy(target, source, rows, handle, *stream, async);
  const bool within_device = target.device() && source.device();
  if (check::on && target.device() && !source.device())
    check::copied_from_host(to, rows.width * rows.height, site);
  if ((source.pageable() && !check::host_side(from, rows.width * rows.height, "source", site)) ||
      (target.pageable() && !check::host_side(to, rows.width * rows.height, "destination", site)))
    return fail(cudaErrorInvalidValue);
  if (async && source.pageable() && target.device() && stream->capture == nullptr) {
    // From pageable memory the driver takes its own copy before it returns.
    auto staged = std::make_shared<std::vector<unsigned char>>(rows.width * rows.height);
    copy_rows(staged->data(), from, {rows.width, rows.from_pitch, rows.width, rows.height});
    const OperationPointer operation = enqueue(stream, site, [=] {
      check::copied(to, rows.to_pitch, nullptr, 0, rows.width, rows.height, site);
      copy_rows(to, staged->data(), {rows.to_pitch, rows.width, rows.width, rows.height});
      return cudaSuccess;
    });
    operation->what = "copy";
    set_ranges(operation, {range(to, rows.to_pitch, rows, true)});
    return cudaSuccess;
  }
  const bool result = source.device() && !target.device(), to_host = result && rows.height == 1;
  const OperationPointer operation = enqueue(stream, site, [=] {
    check::copied(to, rows.to_pitch, from, rows.from_pitch, rows.width, rows.height, site);
    if (to_host) note_fresh(site, from, rows.width);
    copy_noted(site, to, from, rows);
    if (result) calls::damage(static_cast<char*>(to) + (rows.height - 1) * rows.to_pitch, rows.width);
    return cudaSuccess;
  });
  operation->what = "copy";
  set_ranges(operation,
             {range(to, rows.to_pitch, rows, true), range(from, rows.from_pitch, rows, false)});
  const bool within_host = !target.device() && !source.device();
  const bool may_be_late =
      (within_device && (async || !target.managed() || !source.managed())) || (async && !source.pageable() && !target.pageable() && !within_host);
  if (!may_be_late) {
    complete(operation);
    check::host_waited_for(*operation);
  }
  return fail(device(stream->device).broken);
}

static cudaError_t fill(void* pointer, size_t pitch, int value, size_t width, size_t height,
                 cudaStream_t handle, bool async, Site site) {
  const Guard guard(host_lock());
  Stream* stream = find_stream(handle, site);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  const cudaError_t broken = device(stream->device).broken;
  if (broken != cudaSuccess) return fail(broken);
  if (width == 0 || height == 0) return cudaSuccess;
  if (width > pitch && height > 1)  // of one row, nobody asks for the pitch
    return fail(cudaErrorInvalidValue, site, "cudaMemset2D: the rows are longer than the pitch");
  Side side;
  const cudaError_t error =
      check_side(pointer, pitch * (height - 1) + width, "memory of cudaMemset()", site, &side);
  if (error != cudaSuccess) return error;
  if (side.block == nullptr)
    return fail(cudaErrorInvalidValue, site, "cudaMemset of ordinary host memory",
                "use memset() for host memory.");
  calls::note("%sfill %zu rows of %zu bytes with %d in %s", stream->capture != nullptr ? "capture: " : "", height, width,
              value, calls::name("stream", handle));
  const OperationPointer operation = enqueue(stream, site, [=] {
    check::copied(pointer, pitch, nullptr, 0, width, height, site);
    for (size_t y = 0; y < height; y++) memset(static_cast<char*>(pointer) + y * pitch, value, width);
    return cudaSuccess;
  });
  operation->what = "memset";
  set_ranges(operation, {range(pointer, pitch, {pitch, pitch, width, height}, true)});
  if (async || (side.device() && !side.managed())) return cudaSuccess;
  // The host waits for memory that it can access itself.
  complete(operation);
  check::host_waited_for(*operation);
  return fail(device(stream->device).broken);
}

Known describe_copy(const void* address, Site* site) {
  const char* const vector = "if this is a std::vector, pass vector.data() instead of &vector.";
  const auto a = reinterpret_cast<uintptr_t>(address);
  if (const NotedCopy* copy = copy_at_work) {
    *site = copy->site;
    if (a - copy->to < copy->bytes)
      return {format("the copy writes %zu bytes, but its destination ends after %zu bytes",
                     copy->bytes, static_cast<size_t>(a - copy->to)),
              vector};
    return {format("the copy reads %zu bytes, but its source has fewer", copy->bytes), vector};
  }
  if (last_to_stack.bytes == 0) return {};
  *site = last_to_stack.site;
  return {format("before that, the copy at %s:%d wrote %zu bytes to a local variable, which may be too small",
                 site->file, site->line, last_to_stack.bytes),
          vector};
}

}  // namespace cpu_device

using namespace cpu_device;

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, Site site) {
  return copy(to, from, {bytes, bytes, bytes, 1}, kind, nullptr, false, site);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream, Site site) {
  return copy(to, from, {bytes, bytes, bytes, 1}, kind, stream, true, site);
}
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                         size_t height, cudaMemcpyKind kind, Site site) {
  return copy(to, from, {to_pitch, from_pitch, width, height}, kind, nullptr, false, site);
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t stream,
                              Site site) {
  return copy(to, from, {to_pitch, from_pitch, width, height}, kind, stream, true, site);
}

cudaError_t cudaMemset(void* pointer, int value, size_t bytes, Site site) {
  return fill(pointer, bytes, value, bytes, 1, nullptr, false, site);
}
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t bytes, cudaStream_t stream, Site site) {
  return fill(pointer, bytes, value, bytes, 1, stream, true, site);
}
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height,
                         Site site) {
  return fill(pointer, pitch, value, width, height, nullptr, false, site);
}
cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream, Site site) {
  return fill(pointer, pitch, value, width, height, stream, true, site);
}

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes, Site site) {
  const Guard guard(host_lock());
  for (int index : {to_device, from_device})
    if (!check_device(index, site, "cudaMemcpyPeer")) return cudaErrorInvalidDevice;
  for (int i = 0; i < settings().devices; i++) synchronize_device(i);
  return copy(to, from, {bytes, bytes, bytes, 1}, cudaMemcpyDeviceToDevice, nullptr, false, site);
}
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                                cudaStream_t stream, Site site) {
  for (int index : {to_device, from_device})
    if (!check_device(index, site, "cudaMemcpyPeerAsync")) return cudaErrorInvalidDevice;
  return copy(to, from, {bytes, bytes, bytes, 1}, cudaMemcpyDeviceToDevice, stream, true, site);
}
