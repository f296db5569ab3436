// Threads that wait for others in a loop of atomics: they let others run. When no thread makes progress, the
// launch ends with an explanation.
#include <sched.h>

#include <chrono>
#include <cstring>

#include "../check/check.h"
#include "../device/device.h"
#include "../device/host_time.h"
#include "../device/settings.h"
#include "../faults/error_messages.h"
#include "../memory/uninitialized_memory.h"
#include "../order/queue.h"
#include "blocks_at_once.h"
#include "engine.h"

// Atomics of this worker that changed memory: progress.
__thread unsigned int cpu_device_changes __asm__("cpu_device_changes");
bool cpu_device_lockstep __asm__("cpu_device_lockstep") = false;  // set by run_grid()

namespace cpu_device {

// So many atomics in a row without effect, and it is not by chance.
static constexpr unsigned kPatience = 8;
// So long without progress, and there will be none. Somebody whose local variables change may count
// the rounds, or be at work on data that change nothing, and gets more time.
static constexpr auto kHopeless = std::chrono::milliseconds(1500);
static constexpr auto kPauseOfDebugger = std::chrono::milliseconds(20);
static constexpr auto kHopelessMoving = std::chrono::seconds(60);
// And so many looks at the state of things, for a computer that was asleep in the meantime.
static constexpr unsigned kHopelessLooks = 1000;
// When blocks that have not begun get workers of their own.
static constexpr auto kTimeForExtra = std::chrono::milliseconds(2);

void spin(Site site) {
  if (in_kernel()) this_worker->spin(site);
}

void Worker::spin(Site site) {
  if (in_loops) return;  // what is run so waits for nobody
  if (spinning_thread != current) {
    spinning_thread = current;
    spins = 0;
  }
  if (++spins < kPatience) return;
  spins = 0;
  let_others_run(WaitKind::spinning, site);
}

// What the thread has in its registers and on its stack, from `frame` on: a thread that comes to the same place with
// the same contents, while nothing else happens, will do so forever.
__attribute__((no_sanitize("address"))) static uint64_t contents(const Fiber* fiber, const void* frame) {
  const auto* from = static_cast<const unsigned char*>(frame);
  const unsigned char* to = fiber->stack + fiber->stack_bytes;
  if (from < fiber->stack || from >= to) return 0;
  uint64_t hash = 0;
  for (; from + sizeof(uint64_t) <= to; from += sizeof(uint64_t)) {
    uint64_t word;
    __builtin_memcpy(&word, from, sizeof word);
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash;
}

// Here the caller's registers are stored, in a frame that has nothing else: those of take_turn() count its turns, and would
// look as if the thread got on.
__attribute__((noinline)) void Worker::let_others_run(WaitKind kind, Site site) {
  __builtin_unwind_init();
  const auto* frame = static_cast<const unsigned char*>(__builtin_frame_address(0));
#if defined(__x86_64__)
  frame -= 5 * sizeof(void*);
#endif
  take_turn(kind, site, frame);
  asm volatile("");  // the frame stays until then
}

// The thread goes to the end of the queue. If nothing at all has happened on this worker since many
// such turns, looks whether all other workers are in the same state.
__attribute__((noinline)) void Worker::take_turn(WaitKind kind, Site site, const void* frame) {
  const uint64_t progress =
      uint64_t(cpu_device_changes) + started + finished + barriers_passed + blocks_begun;
  // In a checked run the other workers stand still meanwhile: a thread that is alone does not look in vain for long.
  const bool alone = check::on && ready_count == 0 && started == threads;
  const unsigned patience = alone ? 4 : 4 * threads + 64;
  if (progress != last_progress) {
    last_progress = progress;
    idle_turns = 0;
    set_stuck(false);
  } else if (++idle_turns > patience) {
    states[current].kind = kind;  // if this is found to be in vain
    states[current].file = site.file;
    states[current].line = site.line;
    const uint64_t now = contents(running, frame);
    const bool moving = now != contents_of[current];
    contents_of[current] = now;
    set_stuck(true, moving);
    if (check::on) {
      // Here the stack always changes, and one worker runs at a time.
      const bool none_moves = grid->stuck_workers == grid->active_workers;
      if (none_moves && (grid->fault != cudaSuccess || waits_in_vain(*grid))) end_deadlock();
      if (none_moves || idle_turns % 64 == 0) grid->add_worker_in_line();
      check::let_other_workers_run();
      const bool all_stuck = grid->stuck_workers == grid->active_workers && !grid->extra_on_its_way;
      if (all_stuck && check::let_host_run()) {
        set_stuck(false);
        idle_turns = patience - patience / 4;
      }
    } else if (ready_count == 0 && started == threads) {
      sched_yield();
    }
  }
  if (ready_count == 0 && started == threads) check::release_parked(*this);
  push_ready(current);
  wait(kind, site);
  if (grid->error.load(std::memory_order_relaxed) != cudaSuccess) leave_grid();
}

void Worker::set_stuck(bool now, bool moving) {
  if (!now && !stuck) return;
  const auto time = host_time();
  if (now != stuck) {
    stuck = now;
    stuck_since = last_look = time;
    grid->stuck_workers += now ? 1 : -1;
    grid->epoch++;
    // Somebody else may begin the blocks that it has in hand.
    if (now && position < end) {
      grid->give_back(position, end);
      end = position;
    }
  }
  // While a debugger has stopped the program, nobody has waited.
  if (settings().debugged && time - last_look > kPauseOfDebugger) seen_since += time - last_look;
  last_look = time;
  if (!stuck) return;
  if (moving && time - stuck_since < kHopelessMoving) grid->epoch++;
  // All that are at work have been stuck, without a change, since a while?
  if (grid->stuck_workers != grid->active_workers || grid->epoch != seen_epoch) {
    seen_epoch = grid->epoch;
    seen_since = time;
    looks = 0;
    return;
  }
  if (host_may_act()) {
    seen_since = time;
    return;
  }
  looks++;
  // They may wait for blocks that have not begun.
  if (!check::on && time - seen_since > kTimeForExtra && grid->add_worker()) return;
  // The block that holds a lane for its warp knows more: it speaks first.
  const bool holds = std::any_of(states, states + threads, [](const ThreadState& state) {
    return state.kind == WaitKind::held;
  });
  const auto patience = settings().lockstep && !holds ? 2 * kHopeless : kHopeless;
  if (looks > kHopelessLooks && time - seen_since > patience) end_deadlock();
}

// ---- warps in lockstep: CPU_DEVICE_LOCKSTEP=1 ----
//
// Before Volta a warp had one program counter. Lanes that had left a loop waited, switched off, for
// those still in it. With `while (atomicCAS(lock, 0, 1) != 0);` the lane that got the lock waits for
// lanes that wait for the lock: a livelock. To show that, compare-and-swaps of a warp are done
// together here, and a lane that succeeds is held as long as others, which failed at the same time, come
// back to the same line.

namespace {

// Has the thread ended, or does it wait for others? A thread that was woken shows it only when it runs.
bool out_of_the_way(const Worker& w, unsigned thread) {
  const WaitKind kind = w.states[thread].kind;
  if (kind != WaitKind::barrier && kind != WaitKind::warp && kind != WaitKind::part)
    return kind == WaitKind::ended;
  for (unsigned i = 0; i < w.ready_count; i++)
    if (w.ready[(w.ready_head + i) % kMaxThreads] == thread) return false;
  return true;
}

}  // namespace

uint64_t lockstep_swap(void* address, size_t bytes, uint64_t expected, uint64_t desired, Site site) {
  const auto swap_now = [&] {
    uint64_t old = expected;
    const auto exchange = [&](auto* memory) {
      using Memory = std::remove_pointer_t<decltype(memory)>;
      Memory found = static_cast<Memory>(expected);
      __atomic_compare_exchange_n(memory, &found, static_cast<Memory>(desired), false,
                                  __ATOMIC_RELAXED, __ATOMIC_RELAXED);
      old = found;
    };
    if (bytes == 2)
      exchange(static_cast<uint16_t*>(address));
    else if (bytes == 4)
      exchange(static_cast<uint32_t*>(address));
    else
      exchange(static_cast<uint64_t*>(address));
    if (old == expected) cpu_device_changes++;
    return old;
  };
  if (!in_kernel()) return swap_now();

  Worker& w = *this_worker;
  const unsigned self = w.current, first = self / 32 * 32, last = std::min(first + 32, w.threads);
  LockstepLane& me = w.lockstep[self];
  // 1. All lanes of the warp get here, or somewhere else where they wait.
  me.phase = LockstepLane::arrived;
  me.site = site;
  const auto all_arrived = [&] {
    for (unsigned lane = first; lane < last; lane++)
      if (w.lockstep[lane].phase == LockstepLane::elsewhere && !out_of_the_way(w, lane)) return false;
    return true;
  };
  while (!all_arrived()) w.let_others_run(WaitKind::spinning, site);
  // 2. Each does its swap; the first to finish waits for the others again.
  const uint64_t old = swap_now();
  me.lost = old != expected;
  me.phase = LockstepLane::swapped;
  const auto all_swapped = [&] {
    for (unsigned lane = first; lane < last; lane++)
      if (w.lockstep[lane].phase == LockstepLane::arrived) return false;
    return true;
  };
  while (!all_swapped()) w.let_others_run(WaitKind::spinning, site);
  // 3. Losers go on, round the loop. Winners are held until no loser of this line is left.
  if (me.lost) {
    w.let_others_run(WaitKind::spinning, site);
  } else {
    const auto losers_in_the_loop = [&] {
      for (unsigned lane = first; lane < last; lane++) {
        const LockstepLane& other = w.lockstep[lane];
        if (lane != self && other.lost && other.site.line == site.line && !out_of_the_way(w, lane))
          return true;
      }
      return false;
    };
    me.phase = LockstepLane::held;
    while (losers_in_the_loop()) w.let_others_run(WaitKind::held, site);
  }
  me.phase = LockstepLane::elsewhere;
  return old;
}

static std::atomic<bool> told{false};

static void tell_of_warp(Site site) {
  if (told.exchange(true)) return;
  const std::string now = settings().in_step ? "This run keeps them in step, as GPUs often do. With CPU_DEVICE_LOCKSTEP=0 it does not."
                                             : "Without CPU_DEVICE_LOCKSTEP=0, the run keeps them in step, as GPUs often do.";
  explain(site, "warp-synchronous code" + where_in_kernel() + ": it reads data that other lanes wrote one step before",
          "since Volta, the lanes of a warp can run at different times, and volatile does not synchronize them. Call "
          "__syncwarp() between a read and the write that follows, and again after the write. " + now);
}

// Says once what is wrong when a second lane of a warp comes by: one lane alone may do this.
static void note_step(Site site) {
  if (told.load(std::memory_order_relaxed) || !in_kernel()) return;
  static thread_local uint64_t block = 0;
  static thread_local unsigned thread = 0;
  const Worker& w = *this_worker;
  const bool same_warp = block == w.blocks_begun && thread / 32 == w.current / 32;
  if (same_warp && thread != w.current) tell_of_warp(site);
  block = w.blocks_begun;
  thread = w.current;
}

// Nobody goes on before all lanes of the warp have done as many steps, or wait or have ended. Without
// CPU_DEVICE_LOCKSTEP=1, a lane also goes on if the others do not come: they may wait for what it does next.
void lockstep_step(bool counts_on_it, Site site) {
  if (!in_kernel()) return;
  if (counts_on_it && !settings().lockstep) note_step(site);
  Worker& w = *this_worker;
  if (!settings().in_step || w.in_loops) return;
  if (!w.in_lockstep) {  // the first step of this grid here: the states of threads that have not begun are those of an earlier block
    w.in_lockstep = true;
    for (LockstepLane& lane : w.lockstep) lane.steps = 0;
    for (unsigned i = w.started; i < w.threads; i++) w.states[w.order[i]].kind = WaitKind::running;
  }
  const unsigned self = w.current, first = self / 32 * 32, last = std::min(first + 32, w.threads);
  const unsigned steps = ++w.lockstep[self].steps;
  cpu_device_changes++;
  constexpr unsigned kPatienceWithLanes = 100;
  uint64_t seen = 0;
  for (unsigned turns = 0;; turns++) {
    bool all_came = true;
    uint64_t done = 0;
    for (unsigned lane = first; lane < last; lane++) {
      done += w.lockstep[lane].steps;
      all_came &= w.lockstep[lane].steps >= steps || out_of_the_way(w, lane);
    }
    if (done != seen) turns = 0;
    seen = done;
    if (all_came || (turns > kPatienceWithLanes && !settings().lockstep)) return;
    w.let_others_run(WaitKind::spinning, site);
  }
}

// Of lanes of one warp that have met as often, one reads and another one writes at the same address. Their order does
// not matter: the threads run one after the other here.
void note_exchange(const void* address, bool is_write, Site site) {
  if (told.load(std::memory_order_relaxed) || settings().lockstep || !in_kernel()) return;
  struct Last {
    const void* address = nullptr;
    uint64_t when = 0;  // the block, and how often the lane has met others
    unsigned reader = kNoThread, writer = kNoThread;
  };
  constexpr size_t kKept = 1024;  // the latest at each address
  static thread_local Last kept[kKept];
  const Worker& w = *this_worker;
  const uint64_t when = (w.blocks_begun << 40) + (w.barriers_passed << 20) + w.lockstep[w.current].meetings;
  Last& last = kept[reinterpret_cast<uintptr_t>(address) / 2 % kKept];
  if (last.address != address || last.when != when) last = {address, when, kNoThread, kNoThread};
  const auto is_other = [&](unsigned thread) { return thread != kNoThread && thread != w.current && thread / 32 == w.current / 32; };
  if (is_other(last.writer) ? !is_write : is_write && is_other(last.reader)) tell_of_warp(site);
  (is_write ? last.writer : last.reader) = w.current;
}

static_assert(kFreshPattern == kFreshWord, "known to atomics.h, too");
void added_to_fresh(Site site) {
  static std::atomic<bool> told{false};
  if (check::on || told.exchange(true)) return;
  explain(site, "atomic update of uninitialized memory" + where_in_kernel(),
          "new memory holds arbitrary values, here 2147188731 in every int. Call cudaMemset() before the kernel.");
}

}  // namespace cpu_device
