// Switches between threads, drawn from the number of a schedule.
#include "switches.h"

#include <algorithm>
#include <vector>

#include "clocks.h"
#include "findings.h"
#include "happens_before.h"
#include "messages.h"
#include "schedules.h"
#include "source_lines.h"
#include "watchdog.h"
#include "workers.h"

namespace cpu_device::check {

uint64_t points_reached = 0;
bool comes_to_point = false;

namespace {

// Turns of workers cost a switch of system threads each. After so many they get rare.
constexpr uint64_t kManyTurns = 4000;
// Switches that are left. One costs about as much as six accesses, and a turn of blocks as much as six switches. So a
// run costs little more than the one under schedule 0. They are spread over the launch: each part of it has its share.
constexpr uint64_t kFewestSwitches = 3000, kAccessesPerSwitch = 32, kSwitchesPerTurn = 6, kParts = 8;
constexpr uint64_t kSwitchesOfMany = 2000;
// One in so many threads starts late.
uint64_t late_odds = 2;
// A run in which threads compete for a lock for too long is given up.
constexpr uint64_t kMostClocksSearched = 10000000, kFewestAccesses = 50000;
constexpr size_t kMostListed = 4;

uint64_t random_state = 0, turns_of_launch = 0, switches_left = 0;
uint64_t switches_per_part = 0, points_per_part = 1;  // under schedules 1 and 2
// Threads that come to the same place so many times without any progress of the launch wait in vain.
constexpr uint64_t kTurnsInVain = 1000000;
uint64_t turns_in_loops = 0, progress_in_loops = 0;
uint64_t last_access = 0, last_clock = 0, last_progress = 0;
bool given_up = false;

std::vector<uint64_t>& waits_at() {  // points, of a schedule with few switches
  static auto* all = new std::vector<uint64_t>;
  return *all;
}
struct Made {
  std::string who;
  Program place;
};
std::vector<Made>& made() {
  static auto* all = new std::vector<Made>;
  return *all;
}

uint64_t draw() {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}

// Changes whenever a thread or a block begins, ends or gets past a barrier, or an atomic changes memory.
uint64_t progress_of_launch() {
  uint64_t sum = 1;
  for (const Context* c : all_contexts())
    if (c->active)
      sum += c->worker->started + c->worker->finished + c->worker->barriers_passed + c->worker->blocks_begun + *c->changes;
  return sum;
}

// The watchdog reports a launch that no longer makes progress.
void give_up(Worker& worker) {
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

bool is_for_small_launches() { return schedule >= kFirstOfMany; }
bool has_few_switches() { return is_for_small_launches() && schedule % 2 == 1; }

bool is_alone(const Worker& worker) { return worker.ready_count == 0 && worker.started == worker.threads; }

void let_other_blocks_run() {
  turns_of_launch++;
  const Muted quiet;  // while the turn is given away, the library's own accesses are not the thread's
  let_other_workers_run();
}

// The thread lets all others run until none of them gets anywhere without it.
void wait_for_others(Worker& worker) {
  constexpr int kMostPasses = 500;
  uint64_t last = progress_of_launch();
  int still = 0;
  for (int pass = 0; pass < kMostPasses && still < 3 && switches_left > 0; pass++) {
    switches_left--;
    if (is_alone(worker) || pass % 8 == 7)
      let_other_blocks_run();
    else
      worker.preempt(0);
    const uint64_t now = progress_of_launch();
    still = now == last ? still + 1 : 0;
    last = now;
  }
}

void switch_few(Context& c, const Program& here) {
  ThreadClock& thread = c.threads[c.who & 1023];
  const bool late = thread.delay == 0 && draw() % late_odds == 0;
  thread.delay = 1;  // it has started
  const auto& points = waits_at();
  if (!late && !std::binary_search(points.begin(), points.end(), points_reached)) return;
  if (made().size() <= kMostListed) {
    const Muted quiet;
    made().push_back({thread_in_words(c.block, static_cast<unsigned>(c.who & 1023), true), here});
  }
  wait_for_others(*c.worker);
}

// What the parts of the launch that are still to come may need is not for this one.
bool may_switch() {
  if (is_for_small_launches()) return switches_left > 0;
  const uint64_t parts_to_come = kParts - 1 - std::min(points_reached / points_per_part, kParts - 1);
  return switches_left > parts_to_come * switches_per_part;
}

// The turns of a thread that starts late.
void delay(Context& c) {
  ThreadClock& thread = c.threads[c.who & 1023];
  constexpr unsigned kMostTurns = 12, kStarted = 1u << 31;
  if (thread.delay == 0) thread.delay = kStarted + (draw() % late_odds < 2 ? draw() % kMostTurns : 0);
  else if (draw() % (8 * late_odds) == 0) thread.delay = kStarted + draw() % kMostTurns;
  for (; thread.delay > kStarted && switches_left > 0; thread.delay--, switches_left--) {
    if (is_alone(*c.worker) || thread.delay % 4 == 0)
      let_other_blocks_run();
    else
      c.worker->preempt(0);
  }
}

}  // namespace

void begin_switches(const FirstRun& first) {
  random_state = (schedule * 0x9e3779b97f4a7c15u) ^ (first.number * 0xc2b2ae3d27d4eb4fu) ^ 0x5851f42d4c957f2du;
  for (int i = 0; i < 8; i++) draw();
  turns_of_launch = points_reached = 0;
  switches_left = is_for_small_launches() ? kSwitchesOfMany : kFewestSwitches + first.accesses / kAccessesPerSwitch;
  switches_per_part = switches_left / kParts;
  points_per_part = first.points / kParts + 1;
  late_odds = std::max<uint64_t>(2, first.threads / 4);
  last_access = accesses_checked + 4 * first.accesses + kFewestAccesses;
  last_clock = clocks_searched + kMostClocksSearched;
  last_progress = turns_in_loops = progress_in_loops = 0;
  made().clear();
  waits_at().clear();
  if (!has_few_switches()) return;
  for (unsigned i = 0; i <= schedule / 2 % 3; i++) waits_at().push_back(1 + draw() % std::max<uint64_t>(first.points, 1));
  std::sort(waits_at().begin(), waits_at().end());
}

bool take_given_up() {
  const bool was = given_up;
  given_up = false;
  return was;
}

uint64_t turns_taken_by_blocks() { return turns_of_launch; }

void switch_threads(Context& c, const char* file, int line, const void* counter) {
  Worker& worker = *c.worker;
  if (__builtin_expect(!comes_to_point && ++turns_in_loops % kTurnsInVain == 0, 0)) {
    const uint64_t now = progress_of_launch();
    if (now == progress_in_loops) stop_waiting(c, lasting_site({counter, {file, line}, Access::atomic, Scope::none, 0}));
    progress_in_loops = now;
  }
  if (__builtin_expect(accesses_checked > last_access || clocks_searched > last_clock, 0)) give_up(worker);
  // A thread that waits in a loop gives its turn away soon: nothing is gained by a switch at each of its looks.
  if (is_for_small_launches() && !comes_to_point) return;
  if (has_few_switches()) return switch_few(c, {counter, {file, line}, Access::atomic, Scope::none, 0});
  const uint64_t number = draw();
  const bool in_turn = schedule != 2;
  if (schedule > 2) delay(c);
  if ((!in_turn && (number & 1) != 0) || !may_switch()) return;
  switches_left--;
  const unsigned others = is_alone(worker) ? 1 : 3;  // of so many switches, one is to another block
  const bool rare = turns_of_launch >= kManyTurns;
  if ((number >> 16) % (rare ? 64 * others : others) == 0) {
    if (!is_for_small_launches()) switches_left -= std::min(switches_left, kSwitchesPerTurn - 1);
    return let_other_blocks_run();
  }
  worker.preempt(in_turn ? 0 : static_cast<unsigned>(number >> 32));
}

std::string switches_in_words() {
  if (schedule == 2) return "; threads switch at random at atomics, fences and volatile accesses";
  if (!has_few_switches()) return "; threads take turns at each atomic, fence and volatile access";
  if (made().empty() || made().size() > kMostListed) return "";
  std::string text = ":";
  for (const Made& one : made()) {
    const SourcePlace at = source_place(one.place);
    text += "\n      " + one.who +
            format(" stops before line %d, and the others run until they end or wait", at.line);
  }
  return text;
}

}  // namespace cpu_device::check
