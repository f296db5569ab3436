// Explains why a block makes no progress (which of its threads wait where), and notes threads that left early.
#include <map>
#include <string>
#include <utility>

#include "../device/settings.h"
#include "engine.h"

namespace cpu_device {

// Once per grid; run_grid() prints it.
void Worker::note(Failure text) {
  if (!grid->is_noted.exchange(true)) grid->note = std::move(text);
}

void Worker::note_exited(const char* what) {
  if (settings().exited_may_miss || grid->is_noted) return;
  const Index at = block_index();
  Site site = grid->launch->site;
  for (unsigned i = 0; i < threads; i++)
    if (states[i].kind == WaitKind::barrier || states[i].kind == WaitKind::warp)
      site = {states[i].file, states[i].line};
  note(failure_at(
      site,
      format("note: %u of %u threads of kernel %s, block (%u,%u,%u), left (line %d) before a %s that the others "
             "reach",
             finished, threads, grid->launch->type.name, at.x, at.y, at.z, grid->launch->exit_line, what),
      "on GPUs since Volta, and here, threads that have left no longer count; on older ones the kernel hung. A "
      "checked run (nvcc --check) reports it. Let threads without work skip the work, not the barrier",
      "barrier"));
}

// "0-31, 64" of the threads for which the function holds.
template <typename Predicate>
static std::string thread_list(unsigned threads, const Predicate& holds) {
  std::string text;
  int ranges = 0;
  for (unsigned i = 0; i < threads; i++) {
    if (!holds(i)) continue;
    unsigned last = i;
    while (last + 1 < threads && holds(last + 1)) last++;
    if (++ranges > 8) return text + ", ...";
    text += (text.empty() ? "" : ", ") + std::to_string(i) +
            (last > i ? "-" + std::to_string(last) : "");
    i = last;
  }
  return text;
}

void Worker::end_deadlock() { abort_grid(cudaErrorLaunchFailure, explain_deadlock()); }

Failure Worker::explain_deadlock() const {
  struct Group {
    WaitKind kind;
    const char* doing;  // what its threads do
    unsigned count = 0;
  };
  Group groups[] = {{WaitKind::barrier, "wait at __syncthreads()"},
                    {WaitKind::warp, "wait in a warp operation"},
                    {WaitKind::spinning, "spin at an atomic that never changes anything"},
                    {WaitKind::yielding, "wait in a loop"},
                    {WaitKind::held, "have succeeded, and wait for their warp to leave the loop"},
                    {WaitKind::part, "wait at a barrier of part of the block"}};
  const auto waits = [this](unsigned i, WaitKind kind) {
    return (i != current || kind != WaitKind::yielding) && states[i].kind == kind;
  };
  std::string details;
  Site first = grid->launch->site;
  int different_barriers = 0;
  for (Group& group : groups) {
    // The threads of a group by the line where they wait.
    std::map<std::pair<std::string, int>, unsigned> lines;
    for (unsigned i = 0; i < threads; i++)
      if (waits(i, group.kind)) lines[{states[i].file, states[i].line}]++;
    for (const auto& line : lines) {
      if (group.count == 0 && details.empty()) first = {nullptr, 0};
      group.count += line.second;
      if (group.kind == WaitKind::barrier) different_barriers++;
      details += format("\n    %u %s, line %d: threads ", line.second, group.doing,
                        line.first.second) +
                 thread_list(threads, [&](unsigned i) {
                   return waits(i, group.kind) && states[i].line == line.first.second &&
                          states[i].file == line.first.first;
                 });
      for (unsigned i = 0; first.file == nullptr && i < threads; i++)
        if (waits(i, group.kind)) first = {states[i].file, states[i].line};
    }
  }
  if (finished > 0)
    details += format("\n    %u have left the kernel: threads ", finished) +
               thread_list(threads, [&](unsigned i) { return states[i].kind == WaitKind::ended; });

  const bool at_barrier = groups[0].count > 0, in_warp = groups[1].count > 0;
  const bool spinning = groups[2].count + groups[3].count > 0, held = groups[4].count > 0;
  const char *title, *hint, *kind = "no-progress";
  std::string begun;
  if (spinning && !held && grid->has_waiting_blocks()) {
    title = "blocks wait for blocks that have not begun";
    hint = "a barrier across all blocks needs a grid that fits on the device at once: fewer blocks, "
           "each with a loop over the data; or two launches, the second of which begins when the first "
           "has ended (if they wait for a lock: one that is never released, or taken twice)";
    begun = format("\n    of %llu blocks, %d are at work, and none of these ends: a GPU, too, begins "
                   "a block only where another has ended, once its multiprocessors are full",
                   static_cast<unsigned long long>(grid->blocks), grid->active_workers.load());
  } else if (held) {
    title = "livelock of a warp in lockstep";
    hint = "lanes of one warp must not compete for a lock: let one lane at a time do it, or use no lock "
           "(since Volta each lane goes its own way, and this ends)";
  } else if (spinning) {
    title = "nobody makes progress";
    hint = at_barrier ? "a thread that waits at a barrier cannot release the lock it holds"
                      : "a lock that is never released, or taken twice; or a flag that nobody sets";
  } else if (in_warp) {
    kind = "shuffle";
    title = "a warp operation that not all its lanes reach";
    hint = "name in the mask exactly the lanes that come here, and let all of them come";
  } else if (groups[5].count > 0) {
    kind = "barrier";
    title = "a barrier of part of the block that too few threads reach";
    hint = "as many threads as bar.sync names must come there, with bar.sync or bar.arrive of the same barrier";
  } else if (different_barriers > 1) {
    kind = "barrier";
    title = "threads of one block meet at different barriers";
    hint = "all threads of the block must reach the same __syncthreads(): move it out of the branches";
  } else {
    kind = "barrier";
    title = "divergent barrier";
    hint = "a __syncthreads() must be reached by every thread of the block: move it out of the if, and "
           "let threads without work skip the work, not the barrier (on GPUs since Volta, threads that "
           "left no longer count, so it may seem to work there; CPU_DEVICE_EXITED_THREADS=ignore does so)";
  }
  const Index at = block_index();
  return {first.file == nullptr ? "" : first.file, first.line,
          format("%s in kernel %s, block (%u,%u,%u) of %u threads: some wait for what never comes",
                 title, grid->launch->type.name, at.x, at.y, at.z, threads) +
              details + begun,
          hint, kind};
}

}  // namespace cpu_device
