// Ctrl-\ prints where every thread of the running kernels stands, as Java's virtual machine does.
//
// The handler may interrupt anything, such as malloc(), so it only wakes a thread that does the work. That
// one stops each worker by a signal for as long as it takes to copy what it needs, and prints afterwards.
#include <execinfo.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "../faults/error_messages.h"
#include "../faults/signals.h"
#include "debugger.h"

namespace cpu_device {

extern "C" DebuggedWorker cpu_device_debugger_workers[kMostDebugged];

namespace {

constexpr int kMostFrames = 64;

struct Frames {
  void* address[kMostFrames];
  int count = 0;
};

// What is copied of a worker while it stands still.
struct Snapshot {
  const char* kernel;
  Index block, grid_size, block_size;
  unsigned threads, started, finished, current, waiting_count, ready_head, ready_count;
  bool in_loops;
  uint64_t blocks, handed_out;
  ThreadState states[kMaxThreads];
  uint16_t order[kMaxThreads], waiting[kMaxThreads], ready[kMaxThreads];
  Index index_of[kMaxThreads];
  Frames frames;
};

sem_t asked;
pid_t own_process = 0;
Frames host_frames{};

Snapshot snapshot{};
enum class Answer : int { none, wanted, copied, done };
std::atomic<Answer> answer{Answer::none};
std::atomic<bool> in_some_kernel{false};

void copy_worker(const Worker& w) {
  const Launch& launch = *w.grid->launch;
  snapshot.kernel = launch.type.name;
  snapshot.block = block_index();
  snapshot.grid_size = {launch.grid.x, launch.grid.y, launch.grid.z};
  snapshot.block_size = {launch.block.x, launch.block.y, launch.block.z};
  snapshot.threads = w.threads;
  snapshot.started = w.started;
  snapshot.finished = w.finished;
  snapshot.current = w.current;
  snapshot.waiting_count = w.waiting_count;
  snapshot.ready_head = w.ready_head;
  snapshot.ready_count = w.ready_count;
  snapshot.in_loops = w.in_loops;
  snapshot.blocks = w.grid->blocks;
  snapshot.handed_out = w.grid->next;
  memcpy(snapshot.states, w.states, w.threads * sizeof(ThreadState));
  memcpy(snapshot.order, w.order, sizeof snapshot.order);
  memcpy(snapshot.waiting, w.waiting, sizeof snapshot.waiting);
  memcpy(snapshot.ready, w.ready, sizeof snapshot.ready);
  memcpy(snapshot.index_of, w.index_of, w.threads * sizeof(Index));
}

// On a worker, which stands still until it returns.
void tell_snapshot(int, siginfo_t*, void*) {
  const int error_before = errno;
  Answer wanted = Answer::wanted;
  if (answer.compare_exchange_strong(wanted, Answer::copied)) {
    const Worker* worker = this_worker;
    in_some_kernel = worker != nullptr && worker->in_kernel;
    if (in_some_kernel) {
      copy_worker(*worker);
      snapshot.frames.count = backtrace(snapshot.frames.address, kMostFrames);
    }
    answer = Answer::done;
  }
  errno = error_before;
}

bool ask(pid_t thread) {
  answer = Answer::wanted;
  if (syscall(SYS_tgkill, getpid(), thread, question_signal()) != 0) return false;
  for (int i = 0; i < 500 && answer != Answer::done; i++) usleep(1000);
  Answer wanted = Answer::wanted;
  // One that does not answer, such as a stopped one, must not answer the next question.
  if (answer.compare_exchange_strong(wanted, Answer::none)) return false;
  while (answer != Answer::done) usleep(1000);
  return in_some_kernel;
}

// What a thread does, and the line.
struct Standing {
  const char* doing;
  int line;
  bool operator==(const Standing& other) const {
    return strcmp(doing, other.doing) == 0 && line == other.line;
  }
};

const char* words_for(WaitKind kind) {
  switch (kind) {
    case WaitKind::barrier: return "wait at __syncthreads()";
    case WaitKind::warp: return "wait in a warp operation";
    case WaitKind::part: return "wait at a barrier for part of the block";
    case WaitKind::yielding: return "wait in a loop";
    case WaitKind::spinning: return "retry an atomic";
    case WaitKind::held: return "wait for their warp to leave a loop";
    case WaitKind::parked: return "wait for other threads";
    default: return "run";
  }
}

std::vector<Standing> standings(int line_of_current) {
  const Snapshot& s = snapshot;
  if (s.in_loops) return std::vector<Standing>(s.threads, Standing{"run together, as a loop", line_of_current});
  std::vector<Standing> all(s.threads, Standing{"not started", 0});
  for (unsigned i = 0; i < s.started; i++) {
    const unsigned thread = s.order[i];
    const ThreadState& state = s.states[thread];
    if (state.kind == WaitKind::ended)
      all[thread] = {"ended", 0};
    else
      all[thread] = {words_for(state.kind), state.kind == WaitKind::yielding ? 0 : state.line};
  }
  for (unsigned i = 0; i < s.ready_count; i++) {
    Standing& one = all[s.ready[(s.ready_head + i) % kMaxThreads]];
    if (strcmp(one.doing, words_for(WaitKind::barrier)) == 0) one.doing = "passed __syncthreads()";
  }
  const bool between_threads = s.states[s.current].kind == WaitKind::ended && s.finished == s.started;
  if (s.current < s.threads && s.started > 0 && !between_threads) all[s.current] = {"runs", line_of_current};
  return all;
}

std::string in_words(Index at) { return format("(%u,%u,%u)", at.x, at.y, at.z); }

std::string describe_block() {
  const Snapshot& s = snapshot;
  const Place place = place_of(s.frames.address, s.frames.count);
  const std::vector<Standing> all = standings(place.line);
  std::string text = format("  kernel %s, block %s of a grid of %s, %u threads", s.kernel,
                            in_words(s.block).c_str(), in_words(s.grid_size).c_str(), s.threads);
  if (!place.file.empty()) text += ", " + place.file;
  text += "\n";
  for (unsigned first = 0; first < all.size();) {
    unsigned last = first;
    while (last + 1 < all.size() && all[last + 1] == all[first]) last++;
    std::string range = in_words(s.index_of[first]);
    if (last > first) range += "-" + in_words(s.index_of[last]);
    text += format("    %-26s %5u  %s", range.c_str(), last - first + 1, all[first].doing);
    if (all[first].line > 0) text += format(", line %d", all[first].line);
    text += "\n";
    first = last + 1;
  }
  return text;
}

std::string report() {
  std::string blocks;
  bool any_in_loops = false;
  int silent = 0;
  for (DebuggedWorker& entry : cpu_device_debugger_workers) {
    const pid_t thread = entry.thread;
    if (thread == 0 || entry.worker == nullptr || !entry.worker->in_kernel) continue;
    if (ask(thread)) {
      blocks += describe_block();
      any_in_loops |= snapshot.in_loops;
    } else if (answer == Answer::none) {
      silent++;
    }
  }
  std::string text;
  if (blocks.empty() && silent == 0) {
    const Place host = place_of(host_frames.address, host_frames.count);
    text = "CPU device: no kernel is running";
    if (!host.file.empty()) text += format("; the host is at %s:%d", host.file.c_str(), host.line);
    return text + "\n";
  }
  text = "CPU device: what the threads of the running kernels do\n" + blocks;
  if (silent > 0) text += format("  %d more blocks did not report in time\n", silent);
  if (any_in_loops) text += "  For the place of each thread, run with CPU_DEVICE_LOOPS=0\n";
  return text;
}

void wake_reporter(int number, siginfo_t*, void*) {
  const int error_before = errno;
  if (getpid() != own_process) {  // a child has no thread that would answer
    signal(number, SIG_DFL);
    raise(number);
    return;
  }
  host_frames.count = backtrace(host_frames.address, kMostFrames);
  sem_post(&asked);
  errno = error_before;
}

void listen() {
  block_program_signals();
  for (;;) {
    if (sem_wait(&asked) != 0) continue;
    const std::string text = report();
    if (write(STDERR_FILENO, text.data(), text.size()) < 0) continue;
  }
}

void install(int number, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, nullptr);
}

}  // namespace

int question_signal() { return SIGRTMAX - 3; }

void answer_quit_signal() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction before;
    if (sigaction(SIGQUIT, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) return;
    if (sem_init(&asked, 0, 0) != 0) return;
    own_process = getpid();
    try {
      std::thread(listen).detach();
    } catch (const std::system_error&) {  // without a thread to spare, Ctrl-\ does as everywhere
      return;
    }
    install(question_signal(), tell_snapshot);
    install(SIGQUIT, wake_reporter);
  });
}

}  // namespace cpu_device
