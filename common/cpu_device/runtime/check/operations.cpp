// When the operations of streams happen, and what the host knows of them.
#include "operations.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "child_kernels.h"
#include "observer.h"
#include "happens_before.h"
#include "host_turns.h"
#include "segments.h"

namespace cpu_device::check {

Moment* now = nullptr;

namespace {

using Count = std::vector<uint64_t>;  // of each timeline; the host's is 0
// Taken on each.
Count& steps() {
  static auto* all = new Count{0};
  return *all;
}
// Of which so many have run.
Count& executed() {
  static auto* all = new Count{0};
  return *all;
}
Count& host_knows() {
  static auto* all = new Count{0};
  return *all;
}
uint64_t host_step = 1;
int operations_open = 0;  // queued, and not over
// On this thread of the host: others may have been woken by it, and go on.
thread_local bool runs_operation = false;
Moment* now_here() { return runs_operation ? now : nullptr; }

}  // namespace

void join(std::vector<uint64_t>& into, const std::vector<uint64_t>& other) {
  if (into.size() < other.size()) into.resize(other.size());
  for (size_t i = 0; i < other.size(); i++) into[i] = std::max(into[i], other[i]);
}

void join(std::vector<uint64_t>& into, const Moment& moment) {
  join(into, moment.before);
  if (into.size() <= moment.timeline) into.resize(moment.timeline + 1);
  into[moment.timeline] = std::max(into[moment.timeline], moment.step);
}

void remember(unsigned timeline, uint64_t step, Site site, const char* what, bool host,
              int of_device) {
  if (executed().size() <= timeline) executed().resize(timeline + 1);
  executed()[timeline] = std::max(executed()[timeline], step);
  all_done().push_back({next_segment, timeline, step, site, what, host, false, of_device});
}

void enqueued(Operation& operation, Stream& stream) {
  if (stream.timeline == 0) {
    stream.timeline = static_cast<unsigned>(steps().size());
    steps().push_back(0);
  }
  operation.moment.timeline = stream.timeline;
  operation.moment.step = ++steps()[stream.timeline];
  operation.moment.before = host_knows();
  operation.moment.before[0] = host_step++;
  operations_open++;
  if (operation.is_kernel) forget_polling();
}

void after(Operation& operation, const Moment& other) {
  if (other.timeline != 0) join(operation.moment.before, other);
}

void operation_begins(Operation& operation) {
  if (observing()) observer->operation_begins(operation);
  now = &operation.moment;
  runs_operation = true;
  remember(now->timeline, now->step, operation.site, operation.is_kernel ? "kernel" : operation.what,
           false, operation.device);
  new_segment(0, 0);
}
void operation_ends(const Operation&) {
  operations_open--;
  now = nullptr;
  runs_operation = false;
}

static bool held = false;
void hold_host_clock(bool hold) { held = hold; }

static std::map<unsigned, Site>& destroyed() {
  static auto* all = new std::map<unsigned, Site>;
  return *all;
}
void stream_destroyed(const Stream& stream, Site site) {
  if (stream.timeline != 0) destroyed()[stream.timeline] = site;
}
const Site* destroyed_stream(unsigned timeline) {
  const auto found = destroyed().find(timeline);
  return found == destroyed().end() ? nullptr : &found->second;
}
bool several_streams() { return steps().size() > 2; }

// What the host knows of an operation by a flag only: up to a segment. Of each timeline the last such one.
// For what the host queues then, the whole operation comes before.
struct PartlyKnown {
  uint64_t step = 0, segment = 0;
};
static std::unordered_map<unsigned, PartlyKnown>& partly_known() {
  static auto* all = new std::unordered_map<unsigned, PartlyKnown>;
  return *all;
}
static void host_learns(const Moment& moment) {
  join(host_knows(), moment);
  for (auto part = partly_known().begin(); part != partly_known().end();) {
    const uint64_t known = part->first == moment.timeline ? moment.step : at(moment.before, part->first);
    part = known >= part->second.step ? partly_known().erase(part) : std::next(part);
  }
}

void host_waited_for(const Operation& operation) {
  if (held) return;
  if (operation.moment.timeline != 0) host_learns(operation.moment);
}

void host_saw(const Done& operation, uint64_t segment_number) {
  if (host_knows().size() <= operation.timeline) host_knows().resize(operation.timeline + 1);
  uint64_t& known = host_knows()[operation.timeline];
  if (known > operation.step) return;
  PartlyKnown& part = partly_known()[operation.timeline];
  if (known == operation.step && part.step != operation.step) {  // all of it is known
    partly_known().erase(operation.timeline);
    return;
  }
  known = operation.step;
  part = {operation.step, std::max(part.step == operation.step ? part.segment : 0, segment_number)};
}

// What was given with a mutex or an atomic variable, by functions in streams and by the host.
struct Given {
  Moment by_function;
  uint64_t by_host = 0;
};
static std::map<const void*, Given>& given() {
  static auto* all = new std::map<const void*, Given>;
  return *all;
}
void give(const void* object) {
  if (!host_functions_queued() || checking != nullptr) return;
  if (const Moment* mine = now_here())
    given()[object].by_function = *mine;
  else
    given()[object].by_host = host_step++;
}
void take_up(const void* object) {
  const auto found = given().find(object);
  if (found == given().end()) return;
  if (Moment* mine = now_here())
    mine->before[0] = std::max(mine->before[0], found->second.by_host);
  else
    host_learns(found->second.by_function);
}

bool operation_ordered(const Done& earlier) {
  if (now != nullptr && now->timeline == earlier.timeline && now->step == earlier.step) return child_ordered(earlier);
  return now == nullptr || at(now->before, earlier.timeline) >= earlier.step ||
         (now->timeline == earlier.timeline && earlier.step <= now->step);
}

bool moment_contains(const Moment& moment, const Done& earlier) {
  return at(moment.before, earlier.timeline) >= earlier.step ||
         (moment.timeline == earlier.timeline && earlier.step <= moment.step);
}
bool host_contains(const Moment& moment) { return at(host_knows(), moment.timeline) >= moment.step; }

bool host_ordered(const Done& earlier, uint64_t segment_number) {
  if (earlier.host) return true;
  const uint64_t known = at(host_knows(), earlier.timeline);
  if (known != earlier.step || partly_known().empty()) return known >= earlier.step;
  const auto part = partly_known().find(earlier.timeline);
  return part == partly_known().end() || part->second.step != earlier.step ||
         segment_number <= part->second.segment;
}

// The record of what host code does now.
Record host_record(unsigned place_id) {
  static uint64_t of_step = 0, segment_number = 0;
  if (now_here() != nullptr) return record_of(make_who(next_segment - 1, 0), place_id);  // a callback
  if (of_step != host_step) {
    of_step = host_step;
    remember(0, host_step, {nullptr, 0}, "host code", true);
    segment_number = new_segment(0, 0);
  }
  return record_of(make_who(segment_number, 0), place_id);
}
bool in_operation() { return now_here() != nullptr; }

bool all_ordered() {
  if (now == nullptr) return true;
  for (size_t i = 0; i < executed().size(); i++)
    if (at(now->before, i) < executed()[i] && !(i == now->timeline && executed()[i] <= now->step))
      return false;
  return true;
}

bool operations_are_open() { return operations_open > 0; }

std::vector<uint64_t> what_host_knows() {
  std::vector<uint64_t> known = host_knows();
  known[0] = host_step++;
  return known;
}

}  // namespace cpu_device::check
