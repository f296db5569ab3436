// Starts queued work in the background when the host waits without calling CUDA: for a callback, or for mapped
// memory to change. It starts late, so that a forgotten synchronization still shows.
#include <time.h>

#include <atomic>
#include <chrono>
#include <system_error>
#include <thread>

#include "../check/check.h"
#include "../device/host_lock.h"
#include "../device/host_time.h"
#include "../device/settings.h"
#include "../faults/signals.h"
#include "background_start.h"
#include "queue.h"

namespace cpu_device {

namespace {

// A program that has used this much processor time since it last queued work waits, or computes for a long
// time. Processor time, so that a slow machine changes nothing.
constexpr double kBusySeconds = 1.5;
// A program that sleeps while a host function is queued waits for that function.
constexpr auto kPatienceForHostFunction = std::chrono::milliseconds(400);
constexpr auto kPatience = std::chrono::seconds(10);

// A checked run must be the same each time: it counts the host's accesses (see check::note_queued()). Here only
// a host is noticed that sleeps, or is busy in a library.
constexpr auto kCheckedPatience = std::chrono::seconds(60);
constexpr double kSleeping = 0.2;  // of the time, at most so much at work

std::atomic<uint64_t> queued{0};
std::atomic<bool> host_function_queued{false}, over{false};

double processor_seconds() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

// Whether a program that has queued nothing for so long, and was at work for `used` seconds, waits.
bool is_waiting(std::chrono::duration<double> since, double used) {
  const std::chrono::duration<double> patience =
      host_function_queued ? kPatienceForHostFunction : kPatience;
  if (!check::on) return used >= kBusySeconds || since >= patience;
  return since >= kCheckedPatience || (since >= patience && used < kSleeping * since.count());
}

void start_all() {
  const auto held = check::hold_host_code();
  if (!check::on)
    for (int i = 0; i < settings().devices; i++) synchronize_device(i);
  else if (held.owns_lock())
    check::run_queued();
}

void watch() {
  block_program_signals();
  run_concurrently_with_host();
  uint64_t seen = 0, started = 0;
  double used = 0;
  auto since = host_time();
  while (!over) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const uint64_t now_queued = queued;
    const auto now = host_time();
    if (check::wants_turn() && host_lock().try_lock()) {
      if (!over) start_all();
      host_lock().unlock();
    }
    if (now_queued != seen) {
      seen = now_queued;
      used = processor_seconds();
      since = now;
      continue;
    }
    if (started == seen) continue;
    if (!is_waiting(now - since, processor_seconds() - used)) continue;
    if (!host_lock().try_lock()) continue;  // another thread is in a call
    started = seen;
    host_function_queued = false;
    if (!over && queued == seen) start_all();
    host_lock().unlock();
  }
}

}  // namespace

void note_queued() {
  check::note_queued();
  if (queued++ != 0) return;
  try {
    std::thread(watch).detach();
  } catch (const std::system_error&) {  // the system has no thread left; calls that wait for results still work
  }
}
void note_host_function() { host_function_queued = true; }
void stop_background_start() { over = true; }

}  // namespace cpu_device
