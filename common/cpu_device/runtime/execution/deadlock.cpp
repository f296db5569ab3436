// Explains why a block makes no progress (which of its threads wait where), and notes threads that left early.
#include <map>
#include <string>
#include <utility>

#include "../device/settings.h"
#include "blocks_at_once.h"
#include "engine.h"

namespace cpu_device {

// Once per grid; run_grid() prints it.
void Worker::note(Failure text) {
  if (!grid->is_noted.exchange(true)) grid->note = std::move(text);
}

void Worker::note_exited(const char* what) {
  if (settings().exited_may_miss || grid->is_noted || grid->fault != cudaSuccess) return;
  const Index at = block_index();
  Site site = grid->launch->site;
  for (unsigned i = 0; i < threads; i++)
    if (states[i].kind == WaitKind::barrier || states[i].kind == WaitKind::warp)
      site = {states[i].file, states[i].line};
  note(failure_at(
      site,
      format("note: %u of %u threads of kernel %s, block (%u,%u,%u), left in line %d, before a %s that the others "
             "reach",
             finished, threads, grid->launch->type.name, at.x, at.y, at.z, grid->launch->exit_line, what),
      "GPUs since Volta do not wait for threads that have left, and neither does the CPU device. Older GPUs hang. Let "
      "threads without work skip the work, not the barrier. A checked run (nvcc --check) reports this as an error.",
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

// "31 wait in a loop", "1 waits in a loop".
static std::string counted(unsigned count, std::string doing) {
  if (count == 1) {
    const size_t verb = doing.find(' ');
    const std::string plural = doing.substr(0, verb);
    doing.replace(0, verb, plural == "have" ? "has" : plural == "retry" ? "retries" : plural + "s");
  }
  return std::to_string(count) + " " + doing;
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
                    {WaitKind::spinning, "retry an atomic that never succeeds"},
                    {WaitKind::yielding, "wait in a loop"},
                    {WaitKind::held, "have succeeded, but the warp has not left the loop"},
                    {WaitKind::part, "wait at a barrier for part of the block"}};
  const auto waits = [this](unsigned i, WaitKind kind) { return states[i].kind == kind; };
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
      details += "\n    " + counted(line.second, group.doing) +
                 format(", line %d: %s ", line.first.second, line.second == 1 ? "thread" : "threads") +
                 thread_list(threads, [&](unsigned i) {
                   return waits(i, group.kind) && states[i].line == line.first.second &&
                          states[i].file == line.first.first;
                 });
      for (unsigned i = 0; first.file == nullptr && i < threads; i++)
        if (waits(i, group.kind)) first = {states[i].file, states[i].line};
    }
  }
  if (finished > 0)
    details += "\n    " + counted(finished, "have left the kernel") + (finished == 1 ? ": thread " : ": threads ") +
               thread_list(threads, [&](unsigned i) { return states[i].kind == WaitKind::ended; });

  const bool at_barrier = groups[0].count > 0, in_warp = groups[1].count > 0;
  const bool spinning = groups[2].count + groups[3].count > 0, held = groups[4].count > 0;
  const char *title, *waits_for, *hint, *kind = "no-progress";
  std::string begun;
  if (spinning && !held && grid->has_waiting_blocks()) {
    for (unsigned i = 0; i < threads; i++)
      if (waits(i, WaitKind::spinning) || waits(i, WaitKind::yielding)) first = {states[i].file, states[i].line};
    title = "deadlock between blocks";
    waits_for = "for blocks that have not started";
    hint = "a GPU also starts a block only when another one has ended, once its multiprocessors are full. Use fewer "
           "blocks, each with a loop over the data, or split the kernel into two launches. If the threads wait for a "
           "lock, check that it is released, and never taken twice.";
    begun = format("\n    %d of %llu blocks have started, and none of them can end", grid->active_workers.load(),
                   static_cast<unsigned long long>(grid->blocks));
    const int at_once = most_blocks_at_once(grid->launch->block, grid->launch->shared_bytes);
    if (grid->blocks > static_cast<uint64_t>(at_once))
      begun += format("\n    at most %d such blocks run at the same time on this device", at_once);
  } else if (held) {
    title = "livelock of a warp in lockstep";
    waits_for = "for each other";
    hint = "in lockstep, lanes of one warp that compete for a lock block each other. Let one lane at a time take the "
           "lock, or use no lock. On GPUs since Volta, lanes do not run in lockstep, and this kernel ends.";
  } else if (spinning) {
    title = "no progress";
    waits_for = "for a lock or a flag that never changes";
    hint = at_barrier ? "a thread that waits at a barrier cannot release its lock. Release the lock before the barrier."
                      : "check that the lock is released and never taken twice, and that some thread sets the flag.";
  } else if (in_warp) {
    kind = "shuffle";
    title = "incomplete warp operation";
    waits_for = "in a warp operation that not all of its lanes reach";
    hint = "the mask must name exactly the lanes that reach this line. Correct the mask, or let all of its lanes reach the line.";
  } else if (groups[5].count > 0) {
    kind = "barrier";
    title = "incomplete barrier";
    waits_for = "at a barrier that too few threads reach";
    hint = "bar.sync waits for as many threads as it names. Let that many reach it, with bar.sync or bar.arrive.";
  } else if (different_barriers > 1) {
    kind = "barrier";
    title = "divergent barriers";
    waits_for = "at different barriers";
    hint = "all threads of the block must reach the same __syncthreads(). Move it out of the branches.";
  } else {
    kind = "barrier";
    title = "divergent barrier";
    waits_for = "at a barrier that the others never reach";
    hint = "all threads of the block must reach __syncthreads(). Move it out of the if. Let threads without work skip "
           "the work, not the barrier. GPUs since Volta do not wait for threads that have left, so the kernel may seem "
           "to work there (CPU_DEVICE_EXITED_THREADS=ignore does the same).";
  }
  unsigned waiting = 0;
  for (const Group& group : groups) waiting += group.count;
  const Index at = block_index();
  return {first.file == nullptr ? "" : first.file, first.line,
          format("%s in kernel %s, block (%u,%u,%u): %u of %u thread%s wait%s ", title, grid->launch->type.name, at.x,
                 at.y, at.z, waiting, threads, threads == 1 ? "" : "s", waiting == 1 ? "s" : "") +
              waits_for +
              details + begun,
          hint, kind};
}

}  // namespace cpu_device
