// Runs of a launch under several schedules.
#include "schedules.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "observer.h"
#include "../watch/watch.h"
#include "access_sets.h"
#include "clocks.h"
#include "findings.h"
#include "happens_before.h"
#include "host_turns.h"
#include "memory_names.h"

// Defined where a program that is linked has atomics (uses_atomics.cpp), or atomics of C++.
extern const bool cpu_device_uses_atomics __attribute__((weak));
extern const bool cpu_device_uses_standard_atomics __attribute__((weak));
extern const bool cpu_device_uses_flags __attribute__((weak));

namespace cpu_device::check {

unsigned schedule = 0;
bool schedules_matter = false;
bool logs_writes = false;

namespace {

constexpr size_t kMostMemory = size_t(256) << 20;  // saved for one launch
constexpr unsigned kMostLaunches = 8;              // of one kernel that run under several schedules
constexpr uint64_t kBlocksAtOnce = 4;
// Turns of workers cost a switch of system threads each. After so many they get rare.
constexpr uint64_t kManyTurns = 4000;

// CPU_DEVICE_SCHEDULE: which schedules follow schedule 0.
const std::vector<unsigned>& wanted() {
  static const auto* all = [] {
    const char* text = getenv("CPU_DEVICE_SCHEDULE");
    if (text == nullptr || *text == '\0') return new std::vector<unsigned>{1, 2};
    char* end = nullptr;
    errno = 0;
    const long long number = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || number < 0 || number > INT32_MAX) {
      fprintf(stderr, "CPU device: CPU_DEVICE_SCHEDULE must be a whole number from 0 to %d, not '%s'\n",
              INT32_MAX, text);
      _exit(2);
    }
    if (number == 0) return new std::vector<unsigned>;
    return new std::vector<unsigned>{static_cast<unsigned>(number)};
  }();
  return *all;
}

bool has_atomics() {
  return &cpu_device_uses_atomics != nullptr || &cpu_device_uses_standard_atomics != nullptr ||
         &cpu_device_uses_flags != nullptr;
}

// What is known of a kernel from its launches.
struct Known {
  bool launched = false, matters = false;
  unsigned explored = 0;
};
std::map<void (*)(const void*), Known>& kernels() {
  static auto* all = new std::map<void (*)(const void*), Known>;
  return *all;
}

struct Saved {
  uintptr_t base;
  std::vector<unsigned char> bytes;
};
std::vector<Saved>& saved() {  // from before the launch
  static auto* all = new std::vector<Saved>;
  return *all;
}
std::vector<Saved>& first_result() {  // from after schedule 0
  static auto* all = new std::vector<Saved>;
  return *all;
}
size_t next_of_wanted = 0;
bool may_run_again = false;
uint64_t findings_before = 0, accesses_at_begin = 0, accesses_before = 0, launches_before = 0;

// Each launch draws its own numbers, the same in each run of the program.
uint64_t random_state = 0, turns_of_launch = 0;
// Switches that are left: about as many as cost what the launch costs under schedule 0. A lock for which all
// threads of a block compete would take far more.
uint64_t switches_left = 0;
constexpr uint64_t kFewestSwitches = 20000;
// A run in which threads compete for a lock for too long is given up, and the result of schedule 0 counts.
constexpr uint64_t kMostClocksSearched = 10000000, kFewestAccesses = 50000;
uint64_t last_access = 0, last_clock = 0;
uint64_t last_progress = 0;
bool given_up = false;

// Changes whenever a thread or a block begins, ends or gets past a barrier, or an atomic changes memory.
uint64_t progress_of_launch() {
  uint64_t sum = 1;
  for (const Context* c : all_contexts())
    if (c->active)
      sum += c->worker->started + c->worker->finished + c->worker->barriers_passed + c->worker->blocks_begun + *c->changes;
  return sum;
}
uint64_t draw() {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}

bool save_memory(int device) {
  size_t total = 0;
  std::vector<std::pair<uintptr_t, size_t>> ranges;
  for_all_blocks([&](const Block& block) {
    if (block.kind == MemoryKind::symbol || (block.kind == MemoryKind::device && block.device != device)) return;
    ranges.emplace_back(block.base, block.bytes);
    total += block.bytes;
  });
  if (total > kMostMemory) return false;
  for (const auto& [base, bytes] : ranges) {
    const auto* from = reinterpret_cast<const unsigned char*>(base);
    saved().push_back({base, {from, from + bytes}});
  }
  return true;
}

// Words of variables, by their addresses: before the launch, and after schedule 0.
struct Word {
  uint32_t before, first_result;
};
std::map<uintptr_t, Word>& words() {
  static auto* all = new std::map<uintptr_t, Word>;
  return *all;
}
uint32_t& word_at(uintptr_t address) { return *reinterpret_cast<uint32_t*>(address); }

void restore_memory() {
  for (const auto& [address, word] : words()) word_at(address) = word.before;
  for (const Saved& one : saved()) memcpy(reinterpret_cast<void*>(one.base), one.bytes.data(), one.bytes.size());
}

// Sums of floating-point numbers in another order.
bool nearly_same(uint32_t a, uint32_t b) {
  float x, y;
  memcpy(&x, &a, sizeof x);
  memcpy(&y, &b, sizeof y);
  return std::fabs(x - y) <= 1e-3f * std::max(std::fabs(x), std::fabs(y)) && std::fabs(x) > 1e-30f;
}

// The result may depend on the order of threads where any order will do: no mistake, but worth a look.
void note_other_result(const Launch& launch) {
  static bool noted = false;
  if (noted) return;
  const auto differ = [&](uintptr_t address, uint32_t before, uint32_t after) {
    if (before == after || nearly_same(before, after)) return false;
    noted = true;
    const Muted quiet;
    Finding note;
    note.kind = "other";
    note.level = "note";
    note.place = place_of_call(launch.site);
    note.title = std::string("the result of kernel ") + launch.type.name + " depends on the order of its threads";
    note.details = "\n    " + address_in_words(nullptr, address, 4) + " is " +
                   std::to_string(static_cast<int32_t>(before)) + " under schedule 0 and " +
                   std::to_string(static_cast<int32_t>(after)) + format(" under schedule %u", schedule);
    note.hint = "this is fine if every order is correct, as in a list. Otherwise, look for a value that is read and "
                "written in two steps.";
    add_finding(std::move(note));
    return true;
  };
  for (const auto& [address, word] : words())
    if (differ(address, word.first_result, word_at(address))) return;
  for (const Saved& one : first_result()) {
    const auto* now = reinterpret_cast<const unsigned char*>(one.base);
    for (size_t at = 0; at + 4 <= one.bytes.size(); at += 4) {
      uint32_t before, after;
      memcpy(&before, one.bytes.data() + at, 4);
      memcpy(&after, now + at, 4);
      if (differ(one.base + at, before, after)) return;
    }
  }
}

// What kernels print, they have printed under schedule 0.
int silent_output = -1;
void silence(bool now) {
  fflush(stdout);
  if (now && silent_output < 0) {
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0) return;
    silent_output = dup(STDOUT_FILENO);
    if (silent_output >= 0) dup2(nowhere, STDOUT_FILENO);
    close(nowhere);
  } else if (!now && silent_output >= 0) {
    dup2(silent_output, STDOUT_FILENO);
    close(silent_output);
    silent_output = -1;
  }
}

void end_schedules() {
  if (schedule != 0) {
    silence(false);
    accesses_checked = accesses_before;
    launches_checked = launches_before;
  }
  schedule = 0;
  saved().clear();
  first_result().clear();
  words().clear();
  logs_writes = false;
  may_run_again = false;
}

}  // namespace

void begin_schedules(const Launch& launch) {
  if (launch.depth > 0) return forbid_schedules();
  schedules_matter = false;
  end_schedules();
  if (wanted().empty() || !has_atomics() || observing() || watch::wanted() || runs_in_turns ||
      launch_is_left() || only_device < -1)
    return;
  const Known& known = kernels()[launch.type.run];
  if ((known.launched && !known.matters) || known.explored >= kMostLaunches) return;
  words().clear();
  logs_writes = may_run_again = save_memory(launch.device);
  next_of_wanted = 0;
  accesses_at_begin = accesses_checked;
  findings_before = findings_known();
}

bool next_schedule(const Launch& launch, cudaError_t* result) {
  if (launch.depth > 0) return false;
  if (given_up) {
    given_up = false;
    *result = cudaSuccess;
    for (const auto& [address, word] : words()) word_at(address) = word.first_result;
    for (const Saved& one : first_result())
      memcpy(reinterpret_cast<void*>(one.base), one.bytes.data(), one.bytes.size());
    end_schedules();
    return false;
  }
  const cudaError_t error = *result;
  Known& known = kernels()[launch.type.run];
  known.launched = true;
  known.matters |= schedules_matter;
  if (schedule != 0 && error == cudaSuccess && findings_known() == findings_before) note_other_result(launch);
  const bool goes_on = may_run_again && schedules_matter && error == cudaSuccess &&
                       findings_known() == findings_before && next_of_wanted < wanted().size();
  if (!goes_on) {
    end_schedules();
    return false;
  }
  if (schedule == 0) {
    known.explored++;
    accesses_before = accesses_checked;
    launches_before = launches_checked;
    silence(true);
    for (auto& [address, word] : words()) word.first_result = word_at(address);
    for (const Saved& one : saved()) {
      const auto* from = reinterpret_cast<const unsigned char*>(one.base);
      first_result().push_back({one.base, {from, from + one.bytes.size()}});
    }
  }
  schedule = wanted()[next_of_wanted++];
  random_state = (schedule * 0x9e3779b97f4a7c15u) ^ (launches_before * 0xc2b2ae3d27d4eb4fu) ^ 0x5851f42d4c957f2du;
  turns_of_launch = 0;
  switches_left = kFewestSwitches + (accesses_before - accesses_at_begin) / 4;
  for (int i = 0; i < 8; i++) draw();
  last_access = accesses_checked + 4 * (accesses_before - accesses_at_begin) + kFewestAccesses;
  last_clock = clocks_searched + kMostClocksSearched;
  last_progress = 0;
  restore_memory();
  return true;
}

void log_write(uintptr_t address, size_t bytes) {
  constexpr size_t kMostWords = 1000000;
  for (uintptr_t at = address & ~uintptr_t(3); at < address + bytes; at += 4)
    words().try_emplace(at, Word{word_at(at), word_at(at)});
  if (words().size() > kMostWords) forbid_schedules();
}

int blocks_at_once(uint64_t blocks) {
  return schedule == 0 ? 1 : static_cast<int>(std::min(blocks, kBlocksAtOnce));
}

void forbid_schedules() { logs_writes = may_run_again = false; }

std::string schedule_in_words() {
  if (schedule == 0) return "";
  return format("\n    found under schedule %u; CPU_DEVICE_SCHEDULE=%u repeats it", schedule, schedule);
}

// Of a launch that makes no progress any more, the watchdog tells.
static void give_up(Worker& worker) {
  const uint64_t now = progress_of_launch();
  if (now == last_progress) {
    last_access = last_clock = UINT64_MAX;
    return;
  }
  if (last_progress == 0) {  // a first look: the same once more, to see whether there is any
    last_progress = now;
    last_access = accesses_checked + kFewestAccesses / 2;
    last_clock = clocks_searched + kMostClocksSearched / 2;
    return;
  }
  given_up = true;
  worker.abort_grid(cudaErrorUnknown, Failure{});
}

// Odd schedules let everybody get as far as the next such operation, one after the other. Even ones switch
// at random, the higher ones more rarely.
void switch_threads(Context& c) {
  Worker& worker = *c.worker;
  if (__builtin_expect(accesses_checked > last_access || clocks_searched > last_clock, 0)) give_up(worker);
  const bool alone = worker.ready_count == 0 && worker.started == worker.threads;
  const uint64_t number = draw();
  const bool in_turn = schedule % 2 == 1;
  const unsigned rarity = schedule <= 2 ? 1 : 1 + schedule / 2 % 4;  // one in 2^rarity
  const bool switches = in_turn || (number & ((1u << rarity) - 1)) == 0;
  if (!switches || switches_left == 0) return;
  switches_left--;
  const unsigned others = alone ? 1 : 3;  // of so many switches, one is to another block
  const bool rare = turns_of_launch >= kManyTurns;
  if ((number >> 16) % (rare ? 64 * others : others) == 0) {
    turns_of_launch++;
    const Muted quiet;  // while the turn is given away, the library's own accesses are not the thread's
    let_other_workers_run();
    return;
  }
  worker.preempt(in_turn ? 0 : static_cast<unsigned>(number >> 32));
}

}  // namespace cpu_device::check
