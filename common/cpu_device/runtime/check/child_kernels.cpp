// The order of kernels that a kernel launches. For the rest of the program, all of them belong to the operation that
// launched them, and end with it.
#include "child_kernels.h"

#include <map>
#include <utility>

#include "operations.h"

namespace cpu_device::check {

namespace {

struct Child {
  unsigned timeline = 0;
  uint64_t step = 0;
  Steps before;    // of each timeline of a stream in a kernel
  Steps children;  // those that it has launched, and theirs

  Steps known() const {  // while it runs, to those that it launches
    Steps all = before;
    if (all.size() <= timeline) all.resize(timeline + 1);
    all[timeline] = step;
    return all;
  }
  Steps after() const {
    Steps all = known();
    join(all, children);
    return all;
  }
};
// By the stream, and the block that launched.
using StreamOfKernel = std::pair<uint64_t, uint64_t>;
// The children of one kernel.
struct Siblings {
  std::map<StreamOfKernel, Child> last;
  std::map<uint64_t, Child> ended;  // by their numbers, if events order some
  Steps all;
};
std::vector<Siblings>& families() {  // each one of a child of the one before
  static auto* all = new std::vector<Siblings>;
  return *all;
}
std::vector<Child>& running_children() {
  static auto* all = new std::vector<Child>;
  return *all;
}
std::vector<uint64_t>& steps_of_streams() {  // number 0 is no stream
  static auto* all = new std::vector<uint64_t>(1);
  return *all;
}

// What a kernel has asked for so far. Its children run when it is done, and an event orders them by what had been
// launched when it was recorded.
using Numbers = std::vector<uint64_t>;
struct Asked {
  std::map<StreamOfKernel, Numbers> before;  // what the next launch in a stream comes after
  std::map<cudaEvent_t, Numbers> recorded;
};
Asked& asked() {
  static auto* all = new Asked;
  return *all;
}
uint64_t children_launched = 0;
bool has_events = false;

constexpr uint64_t kLastDefaultStream = 2;
StreamOfKernel key_of(uint64_t stream, uint64_t block) { return {stream, stream <= kLastDefaultStream ? block : 0}; }
StreamOfKernel key_of(const Launch& child) { return key_of(child.stream, child.launching_block); }
StreamOfKernel key_of(cudaStream_t stream) { return key_of(reinterpret_cast<uintptr_t>(stream), checking->block); }
bool is_forgotten(const Launch& child) {
  return child.stream == reinterpret_cast<uintptr_t>(cudaStreamFireAndForget);
}

}  // namespace

void kernel_launches(Launch* child) {
  if (checking == nullptr) return;
  const Muted quiet;
  child->number = ++children_launched;
  if (is_forgotten(*child)) return;
  Numbers& before = asked().before[key_of(*child)];
  child->after = before;
  before = {child->number};
}

void kernel_records_event(cudaEvent_t event, cudaStream_t stream) {
  if (checking == nullptr) return;
  const StreamOfKernel key = key_of(stream);
  const Muted quiet;
  asked().recorded[event] = asked().before[key];
}

void kernel_waits_for_event(cudaStream_t stream, cudaEvent_t event) {
  if (checking == nullptr) return;
  const StreamOfKernel key = key_of(stream);
  const Muted quiet;
  has_events = true;
  Numbers& before = asked().before[key];
  const Numbers& recorded = asked().recorded[event];
  before.insert(before.end(), recorded.begin(), recorded.end());
}

void children_begin() {
  asked() = {};
  if (families().empty()) steps_of_streams().assign(1, 0);
  families().emplace_back();
}

void child_begins(const Launch& launch) {
  Siblings& family = families().back();
  Child child;
  if (!running_children().empty()) child.before = running_children().back().known();
  const auto last = family.last.find(key_of(launch));
  if (launch.is_tail) {
    join(child.before, family.all);
  } else if (last != family.last.end() && !is_forgotten(launch)) {
    child.timeline = last->second.timeline;
    join(child.before, last->second.after());
  }
  for (const uint64_t number : launch.after)
    if (const auto other = family.ended.find(number); other != family.ended.end())
      join(child.before, other->second.after());
  if (child.timeline == 0) {
    child.timeline = static_cast<unsigned>(steps_of_streams().size());
    steps_of_streams().push_back(0);
  }
  child.step = ++steps_of_streams()[child.timeline];
  running_children().push_back(child);
}

void child_ends(const Launch& launch) {
  const Child child = running_children().back();
  running_children().pop_back();
  Siblings& family = families().back();
  join(family.all, child.after());
  family.last[key_of(launch)] = child;
  if (has_events) family.ended[launch.number] = child;
}

void children_end() {
  if (!running_children().empty()) join(running_children().back().children, families().back().all);
  families().pop_back();
}

void name_child(Done* operation) {
  const bool is_child = !running_children().empty();
  operation->child_timeline = is_child ? running_children().back().timeline : 0;
  operation->child_step = is_child ? running_children().back().step : 0;
}

bool child_ordered(const Done& earlier) {
  if (earlier.child_timeline == 0 || running_children().empty()) return true;
  const Child& child = running_children().back();
  return at(child.before, earlier.child_timeline) >= earlier.child_step ||
         (child.timeline == earlier.child_timeline && earlier.child_step <= child.step);
}

bool children_overlap() { return !running_children().empty() && steps_of_streams().size() > 2; }

}  // namespace cpu_device::check
