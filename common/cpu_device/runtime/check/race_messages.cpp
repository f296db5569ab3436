// Races of threads in words: what is missing between the two accesses.
#include <algorithm>
#include <cstring>

#include "async_copies.h"
#include "findings.h"
#include "happens_before.h"
#include "memory_names.h"
#include "messages.h"
#include "places.h"
#include "reports.h"
#include "schedules.h"
#include "source_lines.h"

namespace cpu_device::check {

namespace {

struct Verdict {
  const char *kind, *title;
  std::string hint;
};

// The line of `function` in which it, or what it calls, is.
int line_in(const std::string& function, const SourcePlace& at) {
  if (at.function == function) return at.line;
  for (const SourcePlace& caller : at.callers)
    if (caller.function == function) return caller.line;
  return 0;
}

// Two threads of a block, of different warps or in one line.
Verdict missing_barrier(Site last_barrier, const SourcePlace& first, const SourcePlace& second) {
  // In the innermost function that holds both, if it is known.
  const SourcePlace* both = nullptr;
  int one = 0, other = 0;
  std::vector<const SourcePlace*> outwards{&second};
  for (const SourcePlace& caller : second.callers) outwards.push_back(&caller);
  for (const SourcePlace* at : outwards) {
    if (at->file != first.file || (one = line_in(at->function, first)) == 0) continue;
    both = at;
    other = at->line;
    break;
  }
  if (both == nullptr)
    return {"race-block", "missing barrier",
            "the threads of a block do not wait for each other. Put a __syncthreads() in the kernel, between the call "
            "that leads to one line and the call that leads to the other."};
  // The threads came from the barrier to one line, and round the loop to the other.
  if (last_barrier.line > 0 && (one < last_barrier.line) != (other < last_barrier.line))
    return {"race-block", "missing barrier at the end of the loop",
            "a fast thread can start its next iteration while others still run this one. Put another __syncthreads() at "
            "the end of the loop body."};
  if (one == other)
    return {"race-block", "missing barrier",
            format("in line %d, one thread reads an element that another thread writes. Put a __syncthreads() between "
                   "the reads and the writes. In a loop, also put one at the end of the loop body.",
                   one)};
  for (const Site& barrier : barriers_passed())
    if (as_compiled(barrier.file) == both->file && barrier.line > std::min(one, other) &&
        barrier.line < std::max(one, other))
      return {"race-block", "missing barrier",
              format("the barrier in line %d does not separate these accesses: the threads take another path, through "
                     "a loop or past a branch. Put a __syncthreads() on that path.",
                     barrier.line)};
  if (one != first.line || other != second.line)
    return {"race-block", "missing barrier",
            format("the threads of a block do not wait for each other. Put a __syncthreads() between the calls in line "
                   "%d and line %d, where all threads of the block reach it.",
                   std::min(one, other), std::max(one, other))};
  return {"race-block", "missing barrier",
          "the threads of a block do not wait for each other. Put a __syncthreads() between the two lines, where all "
          "threads of the block reach it."};
}

// One of the two is a copy in the background.
Verdict missing_wait(bool is_open, bool same_block) {
  if (!same_block)
    return {"race-grid", "blocks run in any order",
            "__syncthreads() does not wait for other blocks. End the kernel here and launch another one."};
  if (is_open)
    return {"race-block", "missing wait for an asynchronous copy",
            "the copy may still be in flight. Wait for it with __pipeline_wait_prior(), consumer_wait(), cg::wait(), or "
            "at the cuda::barrier that was passed to the copy. If other threads read the data, put a __syncthreads() after "
            "the wait."};
  return {"race-block", "missing barrier",
          "a thread waits only for its own copies. Put a __syncthreads() after that wait, before other threads read "
          "the data."};
}

// What is missing between two accesses of threads of one launch.
Verdict judge(const Context& c, Record earlier, Record now, const SourcePlace& first,
              const SourcePlace& second, SegmentInfo other) {
  const Program& a = place(place_of(earlier));
  const Program& b = place(place_of(now));
  const bool same_block = (other.block & ~kBackground) == c.block;
  SegmentInfo mine{};
  segment_info(segment(now), &mine);
  if (other.in_background() || mine.in_background())
    return missing_wait(!other.in_background() || is_open_copy(c, thread(earlier), segment(earlier)), same_block);
  const bool same_warp = same_block && thread(earlier) / 32 == thread(now) / 32;
  const bool same_line = first.line == second.line && first.file == second.file;
  if (is_volatile(a.access) && is_volatile(b.access))
    return {"warp-sync", "warp-synchronous code",
            "since Volta, the lanes of a warp can run at different times, and volatile does not synchronize them. Put a "
            "__syncwarp() between the steps."};
  if (!is_plain(a.access) && !is_plain(b.access)) {
    if (a.bytes != b.bytes)
      return {"race-atomic", "atomics of different sizes on the same bytes",
              "an operation is atomic only with respect to atomics of the same size. Use one size for all of them."};
    return {"race-scope", "atomic scope too narrow",
            "an atomic with _block or thread_scope_block is atomic only among the threads of its own block. Between "
            "blocks, use the version for the whole device."};
  }
  const bool atomic = is_atomic(a.access) || is_atomic(b.access);
  if (const Clock* seen = atomic ? nullptr : through_atomics(c, earlier)) {
    const uint64_t when = segment(earlier);
    const bool block_ok = seen->block_fence >= when && seen->block_fence != 0;
    const bool device_ok = seen->device_fence >= when && seen->device_fence != 0;
    const ThreadClock& me = c.threads[thread(now)];
    const char* const block_fence =
        "__threadfence_block() and thread_scope_block order memory only for the threads of the same block. Between "
        "blocks, use __threadfence() or thread_scope_device.";
    if (!block_ok)
      return {"race-fence", "missing fence",
              "an atomic orders only its own word. Put a __threadfence() between the last write and the atomic that "
              "releases it, and another one after the atomic that acquires it."};
    if (!same_block && !device_ok)
      return {"race-scope", "fence scope too narrow", block_fence};
    if (!same_block && (seen->scope == Scope::block || me.observed_block_only))
      return {"race-scope", "atomic scope too narrow",
              "an atomic with _block or thread_scope_block does not synchronize with other blocks. Use the version for "
              "the whole device."};
    if (!same_block && me.block_fence > me.device_fence)
      return {"race-scope", "fence scope too narrow", block_fence};
    return {"race-fence", "missing fence",
            "an atomic orders only its own word. Put a __threadfence() after the atomic that reads the flag or takes "
            "the lock, before the data is accessed."};
  }
  if (atomic) {
    const bool writes = a.access == Access::write || b.access == Access::write;
    return {"race-atomic",
            writes ? "non-atomic write to a value that is updated atomically"
                   : "non-atomic read of a value that is updated atomically",
            writes && same_block && !same_line
                ? "an operation is atomic only with respect to other atomics. If the write initializes the value, put "
                  "a __syncthreads() after it. Otherwise make it atomic: atomicExch() writes, atomicAdd(p, 0) reads."
            : writes
                ? "an operation is atomic only with respect to other atomics. Write with atomicExch(), and read with "
                  "atomicAdd(p, 0)."
                : "the value can still change. Wait until all updates are done (at a barrier, or at the end of the "
                  "kernel), or read it with atomicAdd(p, 0)."};
  }
  if (same_line && a.access == Access::write && b.access == Access::write)
    return {same_warp ? "race-warp" : same_block ? "race-block" : "race-grid",
            "several threads write to the same address",
            "it is undefined which write comes last. Check the index, or let only one thread write."};
  if (!same_block && same_cluster(other.block, c.block))
    return {"race-grid", "missing cluster.sync()",
            "__syncthreads() waits only for the threads of one block. Put a cluster.sync() between the two lines."};
  if (!same_block)
    return {"race-grid", "blocks run in any order",
            "__syncthreads() does not wait for other blocks. End the kernel here and launch another one, or use atomics "
            "with fences."};
  if (same_warp)
    return {"race-warp", "missing __syncwarp()",
            std::string("since Volta, the lanes of a warp can run at different times. Put a __syncwarp() between ") +
                (same_line ? "the reads and the writes" : "the two lines") +
                ", or a __syncthreads() if other warps take part."};
  return missing_barrier(c.last_barrier, first, second);
}

// Under the first schedule of the threads, atomics put these accesses in an order.
void judge_by_schedule(Verdict* verdict) {
  for (const char* kind : {"race-warp", "race-block", "race-grid"})
    if (strcmp(verdict->kind, kind) == 0)
      *verdict = {"race-exclusion", "broken mutual exclusion",
                  "the lock or flag lets two threads in at the same time. Take a lock with while (atomicCAS(lock, 0, 1) "
                  "!= 0); __threadfence(); and release it with __threadfence(); atomicExch(lock, 0);"};
}

}  // namespace

void report_race(Context& c, Record earlier, Record now, uintptr_t address, unsigned bytes, bool) {
  const Muted quiet;
  if (!of_launch(segment(earlier))) {
    report_operations(earlier, place_of(now), address, verb(place(place_of(now)).access, false),
                      current_launch()->site);
    return;
  }
  SegmentInfo info{};
  segment_info(segment(earlier), &info);
  const SourcePlace first = source_place(place(place_of(earlier)));
  SourcePlace second = source_place(place(place_of(now)));
  Verdict verdict = judge(c, earlier, now, first, second, info);
  if (schedule != 0) judge_by_schedule(&verdict);
  const bool in_background = info.in_background();
  info.block &= ~kBackground;
  Finding finding;
  finding.kind = verdict.kind;
  finding.place = second;
  finding.others = {{first, "access", verb(place(place_of(earlier)).access, true)}};
  if (strcmp(verdict.kind, "race-atomic") == 0)
    for (const Record r : {earlier, now})
      if (place(place_of(r)).access == Access::read) finding.plain_read = place_of(r);
  const bool both_write = place(place_of(earlier)).access == Access::write && place(place_of(now)).access == Access::write;
  if (first.line == second.line && first.file == second.file)
    (both_write ? finding.write_met_write : finding.read_met_write) = true;
  if (is_guess(finding.plain_read)) return;
  finding.values_matter = !both_write;
  if (both_write) note_write_race(finding, address, bytes);
  if (count_again(finding)) return;
  const bool same_block = info.block == c.block;
  std::string whose;
  address = own_counterpart(c, address, &whose);
  const std::string what = address_in_words(&c, address, bytes) + whose;
  ArrayInfo array;
  if (find_array(c, address, &array)) {
    finding.array = format("%zx", static_cast<size_t>(array.base));
    finding.array_name = array.name;
  }
  finding.kernel = current_launch()->type.name;
  finding.in_block = same_block;
  finding.launch = launches_checked;
  const Index at = block_index();
  add_callers(&second, place(place_of(now)));
  finding.title = std::string(verdict.title) + ": race in kernel " + current_launch()->type.name;
  finding.title += same_block ? format(", in block (%u,%u,%u)", at.x, at.y, at.z) : ", between blocks";
  finding.details = access_line(thread_in_words(c.block, thread(now), !same_block),
                                verb(place(place_of(now)).access, false), what, second, finding.place.file) +
                    access_line((in_background ? "a copy by " : "") +
                                    thread_in_words(info.block, thread(earlier), !same_block),
                                verb(place(place_of(earlier)).access, true), what, first, finding.place.file);
  if (same_block && !in_background)
    finding.details += c.last_barrier.file == nullptr
                           ? std::string("\n    no barrier between them since the kernel started")
                           : format("\n    no barrier between them since the __syncthreads() in line %d",
                                    c.last_barrier.line);
  finding.hint = verdict.hint;
  add_finding(std::move(finding));
}

namespace {

struct VolatileRace {
  unsigned later;  // its place
  Finding finding;
};
std::vector<VolatileRace>& volatile_races() {
  static auto* all = new std::vector<VolatileRace>;
  return *all;
}

}  // namespace

void hold_volatile_race(Context& c, Record earlier, Record now, uintptr_t address, unsigned bytes) {
  const Muted quiet;
  for (const VolatileRace& known : volatile_races())
    if (known.later == place_of(now)) return;
  SegmentInfo info{};
  segment_info(segment(earlier), &info);
  const bool same_block = info.block == c.block;
  const Access later = place(place_of(now)).access;
  Finding finding;
  finding.kind = "race-volatile";
  finding.place = source_place(place(place_of(now)));
  const SourcePlace first = source_place(place(place_of(earlier)));
  finding.others = {{first, "access", verb(Access::volatile_write, true)}};
  finding.kernel = current_launch()->type.name;
  finding.launch = launches_checked;
  const std::string what = address_in_words(&c, address, bytes);
  finding.title = "volatile does not order other accesses: race in kernel " + finding.kernel +
                  (same_block ? ", in a block" : ", between blocks");
  finding.details = access_line(thread_in_words(c.block, thread(now), !same_block), verb(later, false), what,
                                finding.place, finding.place.file) +
                    access_line(thread_in_words(info.block, thread(earlier), !same_block),
                                verb(Access::volatile_write, true), what, first, finding.place.file);
  finding.hint = is_read(later)
                     ? "the flag says that the value is there, but the two may become visible in the other order. Put a "
                       "__threadfence() between the write of the value and the write of the flag, and another one after the "
                       "read of the flag."
                     : "an atomic puts the two writes in order, but they may become visible in the other order. Put a "
                       "__threadfence() between the first write and the atomic after it, and another one between the atomic "
                       "that sees it and the second write.";
  finding.found_under = schedule_in_words();
  volatile_races().push_back({place_of(now), std::move(finding)});
}

void tell_volatile_races() {
  for (VolatileRace& one : volatile_races())
    if (!is_polled(one.later)) add_finding(std::move(one.finding));
  volatile_races().clear();
}

void report_left_block(Context& c, Record use, uintptr_t address, unsigned bytes, uint64_t owner) {
  const Muted quiet;
  const Program& p = place(place_of(use));
  Finding finding;
  finding.kind = "race-grid";
  finding.place = source_place(p);
  if (count_again(finding)) return;
  SegmentInfo info{};
  segment_info(segment(use), &info);
  finding.kernel = current_launch()->type.name;
  finding.launch = launches_checked;
  finding.title = std::string("missing cluster.sync() at the end of kernel ") + current_launch()->type.name + ": " +
                  block_in_words(owner) + " may have ended, and its shared memory is gone";
  finding.details = access_line(thread_in_words(info.block & ~kBackground, thread(use), true), verb(p.access, false),
                                address_in_words(&c, own_counterpart(c, address, nullptr), bytes) + " of " +
                                    block_in_words(owner),
                                finding.place, finding.place.file);
  finding.hint = "a block's shared memory is freed when the block ends. Put a cluster.sync() after the last access by other "
                 "blocks.";
  add_finding(std::move(finding));
}

}  // namespace cpu_device::check
