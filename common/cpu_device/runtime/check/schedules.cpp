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
#include "lock_order.h"
#include "memory_names.h"
#include "reports.h"
#include "switches.h"

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
// CPU_DEVICE_SCHEDULE: which schedules follow schedule 0, "7" or "1-1000". Without it, those from 3 on follow while
// they cost little, and then 1 and 2.
struct Wanted {
  bool chosen = false;
  unsigned first = 1, last = 2;
};
bool read_number(const char** text, unsigned* number) {
  char* end = nullptr;
  errno = 0;
  const long long value = **text >= '0' && **text <= '9' ? strtoll(*text, &end, 10) : -1;
  if (value < 0 || errno != 0 || value > INT32_MAX) return false;
  *text = end;
  *number = static_cast<unsigned>(value);
  return true;
}
const Wanted& wanted() {
  static const Wanted all = [] {
    const char* const text = getenv("CPU_DEVICE_SCHEDULE");
    if (text == nullptr || *text == '\0') return Wanted{};
    Wanted chosen{true, 0, 0};
    const char* at = text;
    bool right = read_number(&at, &chosen.first);
    chosen.last = chosen.first;
    if (right && *at == '-') right = read_number(&++at, &chosen.last) && chosen.first <= chosen.last;
    if (!right || *at != '\0') {
      fprintf(stderr, "CPU device: CPU_DEVICE_SCHEDULE must be a whole number from 0 to %d, or two of them as in "
              "1-100, not '%s'\n", INT32_MAX, text);
      _exit(2);
    }
    chosen.first = std::max(chosen.first, 1u);
    return chosen;
  }();
  return all;
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
bool may_run_again = false;
uint64_t findings_before = 0, accesses_at_begin = 0, accesses_before = 0, launches_before = 0;
FirstRun first_run{};

// Schedules from 3 on are for small launches. So much they may cost in a program, in accesses; starting
// a run, and a turn of a block, cost as much as so many.
constexpr uint64_t kSmallLaunch = 3000, kCostOfRun = 300, kCostOfTurn = 50;
constexpr unsigned kMostOfMany = 120;
uint64_t many_left = 250000;

// 0: none.
unsigned schedule_after(unsigned last) {
  const Wanted& all = wanted();
  if (all.chosen) {
    const unsigned next = std::max(last + 1, all.first);
    return next <= all.last ? next : 0;
  }
  if (last == 1) return 2;
  if (last == 2) return 0;
  const unsigned next = last == 0 ? kFirstOfMany : last + 1;
  return many_left == 0 || first_run.accesses > kSmallLaunch || next >= kFirstOfMany + kMostOfMany ? 1 : next;
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
uint32_t& variable_word(uintptr_t address) { return *reinterpret_cast<uint32_t*>(address); }

void restore_memory() {
  for (const auto& [address, word] : words()) variable_word(address) = word.before;
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
    const std::string where = address_in_words(nullptr, address, 4);  // `count`, or `byte 4 of counts`
    note.details = "\n    " + std::string(where.rfind("byte ", 0) == 0 ? "the int at " : "") + where + " is " +
                   std::to_string(static_cast<int32_t>(before)) + " under schedule 0 and " +
                   std::to_string(static_cast<int32_t>(after)) + format(" under schedule %u", schedule);
    note.hint = "this is fine if every order is correct, as in a list. Otherwise, look for a value that is read and "
                "written in two steps.";
    add_finding(std::move(note));
    return true;
  };
  for (const auto& [address, word] : words())
    if (differ(address, word.first_result, variable_word(address))) return;
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
  points_reached = 0;
  if ((wanted().chosen && wanted().last == 0) || !has_atomics() || observing() || watch::wanted() || runs_in_turns ||
      launch_is_left() || only_device < -1)
    return;
  const Known& known = kernels()[launch.type.run];
  if ((known.launched && !known.matters) || (known.explored >= kMostLaunches && !wanted().chosen)) return;
  words().clear();
  logs_writes = may_run_again = save_memory(launch.device);
  accesses_at_begin = accesses_checked;
  findings_before = findings_known();
}

bool next_schedule(const Launch& launch, cudaError_t* result) {
  if (launch.depth > 0) return false;
  end_run_locks();
  if (take_given_up()) {
    *result = cudaSuccess;
    for (const auto& [address, word] : words()) variable_word(address) = word.first_result;
    for (const Saved& one : first_result())
      memcpy(reinterpret_cast<void*>(one.base), one.bytes.data(), one.bytes.size());
    end_schedules();
    tell_lock_orders(launch);
    flush_findings();
    return false;
  }
  const cudaError_t error = *result;
  Known& known = kernels()[launch.type.run];
  known.launched = true;
  known.matters |= schedules_matter;
  if (schedule != 0 && error == cudaSuccess && findings_known() == findings_before) note_other_result(launch);
  if (schedule >= kFirstOfMany) {
    const uint64_t cost = accesses_checked - accesses_before + kCostOfRun + kCostOfTurn * turns_taken_by_blocks();
    many_left -= std::min(many_left, cost);
    accesses_checked = accesses_before;
  }
  if (schedule == 0) first_run = {accesses_checked - accesses_at_begin, points_reached, launches_checked,
                 uint64_t(launch.grid.x) * launch.grid.y * launch.grid.z * launch.block.x * launch.block.y * launch.block.z};
  const unsigned next = schedule_after(schedule);
  const bool goes_on = may_run_again && schedules_matter && error == cudaSuccess &&
                       findings_known() == findings_before && next != 0;
  if (!goes_on) {
    tell_volatile_races();
    flush_findings();
    end_schedules();
    tell_lock_orders(launch);  // of all runs, not of one schedule
    flush_findings();
    return false;
  }
  if (schedule == 0) {
    known.explored++;
    accesses_before = accesses_checked;
    launches_before = launches_checked;
    silence(true);
    for (auto& [address, word] : words()) word.first_result = variable_word(address);
    for (const Saved& one : saved()) {
      const auto* from = reinterpret_cast<const unsigned char*>(one.base);
      first_result().push_back({one.base, {from, from + one.bytes.size()}});
    }
  }
  schedule = next;
  begin_switches(first_run);
  restore_memory();
  return true;
}

void log_write(uintptr_t address, size_t bytes) {
  constexpr size_t kMostWords = 1000000;
  for (uintptr_t at = address & ~uintptr_t(3); at < address + bytes; at += 4)
    words().try_emplace(at, Word{variable_word(at), variable_word(at)});
  if (words().size() > kMostWords) forbid_schedules();
}

int blocks_at_once(uint64_t blocks) {
  return schedule == 0 ? 1 : static_cast<int>(std::min(blocks, kBlocksAtOnce));
}

Order order_of_run(Order set) {
  return schedule == 0 ? set : schedule / 2 % 2 == 1 ? Order::reverse : Order::forward;
}

void forbid_schedules() { logs_writes = may_run_again = false; }

std::string schedule_in_words() {
  if (schedule == 0) return "";
  return format("\n    found under schedule %u (CPU_DEVICE_SCHEDULE=%u repeats it)", schedule, schedule) +
         switches_in_words();
}

}  // namespace cpu_device::check
