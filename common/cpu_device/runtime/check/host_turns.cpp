// A kernel that waits for what the host does next. What a query starts, or the starter, runs on a
// system thread of its own, but not at the same time as host code: the two take turns, so that the
// check's data need no locks and findings are the same each time. The kernel leaves its turn to the
// host where it makes no progress; the host, where it asks the device for something, or polls.
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <thread>

#include "../faults/signals.h"
#include "observer.h"
#include "../watch/watch.h"
#include "happens_before.h"
#include "host_accesses.h"
#include "host_turns.h"

namespace cpu_device::check {

__thread bool runs_in_turns = false;
bool has_turn = false;

namespace {

// Volatile accesses and atomics of a kernel, after which the host gets a turn.
constexpr unsigned kPolls = 2048;
constexpr auto kTurnOfOtherHostThreads = std::chrono::microseconds(100);

struct Kernel {
  Operation* operation;
  std::function<void()> work;
  bool over = false;
  std::thread thread;
};

struct Turns {
  std::mutex mutex;
  std::condition_variable passed;
  Kernel* holder = nullptr;  // null: the host
  std::vector<Kernel*> kernels;
};
Turns& turns() {
  static auto* all = new Turns;  // to the program's very end: a kernel may be left for good
  return *all;
}
std::atomic<int> kernels_begun{0}, hosts_waiting{0};
std::atomic<uint64_t> turns_given{0}, host_steps{0};
unsigned polls = 0;
bool more_is_queued = false;  // elsewhere, while the host waits for a kernel

void run(Kernel& kernel) {
  block_program_signals();
  runs_in_turns = true;
  Turns& t = turns();
  {
    std::unique_lock<std::mutex> lock(t.mutex);
    t.passed.wait(lock, [&] { return t.holder == &kernel; });
  }
  kernel.work();
  const std::lock_guard<std::mutex> lock(t.mutex);
  kernel.over = true;
  t.holder = nullptr;
  has_turn = false;
  t.passed.notify_all();
}

// Returns when the kernel has left its turn, or has ended and is gone: then true.
bool give_turn(Kernel& kernel) {
  Turns& t = turns();
  const auto no_host_code = stop_host_code();
  {
    std::unique_lock<std::mutex> lock(t.mutex);
    turns_given++;
    polls = 0;
    t.holder = &kernel;
    has_turn = true;
    t.passed.notify_all();
    t.passed.wait(lock, [&] { return t.holder == nullptr; });
  }
  if (!kernel.over) return false;
  kernel.thread.join();
  t.kernels.erase(std::find(t.kernels.begin(), t.kernels.end(), &kernel));
  kernels_begun--;
  delete &kernel;
  return true;
}

Kernel* find_kernel(const Operation& operation) {
  for (Kernel* kernel : turns().kernels)
    if (kernel->operation == &operation) return kernel;
  return nullptr;
}

}  // namespace

bool kernel_waits() { return kernels_begun > 0; }
bool host_may_act() { return kernel_waits() && hosts_waiting == 0; }
bool takes_turns() { return !observing() && !watch::wanted(); }

// What is queued elsewhere begins on a GPU, too, while a kernel waits. The host has not waited for it.
static void run_other_streams(int device) {
  static bool running = false;  // a device may need what another one does first
  if (running) return;
  running = true;
  hold_host_clock(true);
  synchronize_device(device, false);
  hold_host_clock(false);
  running = false;
}

// The caller holds host_lock().
void run_in_turns(Operation& operation, bool to_the_end, const std::function<void()>& work) {
  Kernel* kernel = find_kernel(operation);
  if (kernel == nullptr) {
    kernel = new Kernel{&operation, work, false, {}};
    kernel->thread = std::thread([kernel] { run(*kernel); });
    turns().kernels.push_back(kernel);
    kernels_begun++;
    operation.running = true;
  }
  if (!to_the_end) {
    if (give_turn(*kernel))
      operation.running = false;
    else
      expect_turns();
    return;
  }
  hosts_waiting++;
  for (;;) {
    more_is_queued = others_could_run(operation);
    if (give_turn(*kernel)) break;
    if (more_is_queued) run_other_streams(operation.device);
    if (operation.done) break;
    // Another kernel, or another thread of the host, may have to do something first.
    const std::vector<Kernel*> others = turns().kernels;
    for (Kernel* other : others)
      if (other != kernel && std::count(turns().kernels.begin(), turns().kernels.end(), other) > 0) give_turn(*other);
    host_lock().without([] { std::this_thread::sleep_for(kTurnOfOtherHostThreads); });
    if (operation.done) break;  // another thread of the host has waited for it, too
  }
  hosts_waiting--;
  operation.running = false;
}

void end_kernels_of_other_devices(int device) {
  const std::vector<Kernel*> all = turns().kernels;
  for (const Kernel* kernel : all)
    if (std::count(turns().kernels.begin(), turns().kernels.end(), kernel) > 0 && kernel->operation->device != device)
      run_in_turns(*kernel->operation, true, nullptr);
}

bool let_host_run() {
  Turns& t = turns();
  Kernel* const me = t.holder;
  if (!has_turn || me == nullptr) return false;
  Context* const mine = checking;
  checking = nullptr;
  LeftLaunch left;
  leave_launch(&left);
  const uint64_t before = host_steps;
  {
    std::unique_lock<std::mutex> lock(t.mutex);
    t.holder = nullptr;
    has_turn = false;
    t.passed.notify_all();
    t.passed.wait(lock, [&] { return t.holder == me; });
  }
  enter_launch(&left);
  checking = mine;
  return host_steps != before;
}

void count_poll() {
  if (++polls < kPolls || (hosts_waiting > 0 && !more_is_queued)) return;
  polls = 0;
  let_host_run();
}

void note_host_step() {
  if (kernel_waits()) host_steps++;
}
uint64_t host_steps_made() { return host_steps; }
uint64_t turns_taken() { return turns_given; }

// Asked again and again, by the starter: a host that sleeps gives no turns.
bool wants_turn() {
  static uint64_t seen = 0;
  static int looks = 0;
  const uint64_t now = turns_given;
  looks = kernel_waits() && now == seen ? looks + 1 : 0;
  seen = now;
  constexpr int kLooks = 4;
  return looks >= kLooks;
}

}  // namespace cpu_device::check
