// Ends kernels that run on without getting anywhere: CPU_DEVICE_TIMEOUT seconds, as a GPU with a display
// ends those that run too long.
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <thread>

#include "../faults/signals.h"
#include "findings.h"
#include "happens_before.h"
#include "host_turns.h"
#include "source_lines.h"
#include "watchdog.h"

namespace cpu_device::check {

volatile bool time_is_up = false;
static std::atomic<int> ticks_without_progress{0};  // of 0.1 s

namespace {

int seconds() {
  static const int value = [] {
    const char* text = getenv("CPU_DEVICE_TIMEOUT");
    if (text == nullptr || *text == '\0') return 60;
    char* end = nullptr;
    errno = 0;
    const long number = strtol(text, &end, 10);
    if (*end != '\0' || errno != 0 || number < 1 || number > 1000000) {
      fprintf(stderr,
              "CPU device: CPU_DEVICE_TIMEOUT must be a whole number of seconds from 1 to 1000000, not "
              "'%s'\n",
              text);
      _exit(2);
    }
    return static_cast<int>(number);
  }();
  return value;
}

// Changes whenever a thread or a block begins, ends, or gets past a barrier, or an atomic changes
// memory.
uint64_t progress() {
  uint64_t sum = (launches_checked << 32) + host_steps_made();
  for (const Context* c : all_contexts())
    if (c->active)
      sum += c->worker->started + c->worker->finished + c->worker->barriers_passed +
             c->worker->blocks_begun + *c->changes;
  return sum;
}

bool in_launch() {
  for (const Context* c : all_contexts())
    if (c->active) return true;
  return false;
}

// The thread does not come by any access: it is stopped where it is.
void stop_here(int, siginfo_t*, void* data) {
  if (checking == nullptr || !time_is_up) return;
  static auto& at = *new SourcePlace;
#if defined(__x86_64__)
  const greg_t counter = static_cast<const ucontext_t*>(data)->uc_mcontext.gregs[REG_RIP];
#else
  const auto counter = static_cast<const ucontext_t*>(data)->uc_mcontext.pc;
#endif
  const Program here{reinterpret_cast<const void*>(counter + 1), {nullptr, 0}, Access::read, Scope::none, 0};
  if (!is_own_header(here)) at = source_place(here);
  const Site launch = checking->worker->grid->launch->site;
  stop_endless(*checking, at.line > 0 ? Site{at.file.c_str(), at.line} : launch);
}

void watch() {
  uint64_t before = 0, turns_before = 0;
  int still = 0;
  for (;;) {
    usleep(100 * 1000);
    const uint64_t now = progress(), turns_now = turns_taken();
    // A kernel that has been left uses no time, as long as the host is at work elsewhere.
    if (kernel_waits() && !has_turn && turns_now == turns_before) continue;
    turns_before = turns_now;
    still = !in_launch() || now != before ? 0 : still + 1;
    before = now;
    ticks_without_progress = still;
    const int limit = has_fault ? 5 : 10 * seconds();
    if (still == limit) time_is_up = true;
    if (still < limit + 5) continue;
    for (const Context* c : all_contexts())
      if (c->active) pthread_kill(c->system_thread, SIGURG);
    still = 0;
  }
}

}  // namespace

void watch_time() {
  static const bool started = [] {
    seconds();
    struct sigaction action {};
    action.sa_sigaction = stop_here;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigaction(SIGURG, &action, nullptr);
    std::thread([] {
      block_program_signals();
      watch();
    }).detach();
    return true;
  }();
  (void)started;
}

volatile bool has_fault = false;

bool runs_without_progress() { return ticks_without_progress >= 2; }

void stop_waiting(Context& c, Site site) {
  c.worker->abort_grid(cudaErrorLaunchTimeout, site,
                       "no progress" + where_in_kernel() + ": all remaining threads wait for each other in loops",
                       "check that every order of the threads sets each flag and releases each lock.", "no-progress");
}

void stop_endless(Context& c, Site site) {
  time_is_up = false;
  c.worker->abort_grid(cudaErrorLaunchTimeout, site,
                       "no progress" + where_in_kernel() + ": no thread has ended or passed a barrier for " +
                           std::to_string(seconds()) + " s",
                       "check the conditions of the loops. A plain read may never see the write of another thread. Use "
                       "an atomic or a volatile variable. CPU_DEVICE_TIMEOUT sets the time limit in seconds.",
                       "no-progress");
}

}  // namespace cpu_device::check
