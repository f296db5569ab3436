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
// The children of one kernel.
struct Siblings {
  std::map<std::pair<uint64_t, uint64_t>, Child> last;  // by the stream, and the block that launched
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

bool events_between = false;

constexpr uint64_t kLastDefaultStream = 2;
std::pair<uint64_t, uint64_t> key_of(const Launch& child) {
  return {child.stream, child.stream <= kLastDefaultStream ? child.launching_block : 0};
}
bool is_forgotten(const Launch& child) {
  return child.stream == reinterpret_cast<uintptr_t>(cudaStreamFireAndForget);
}

}  // namespace

void kernel_waits_for_event() { events_between = true; }

void children_begin() {
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
  if (earlier.child_timeline == 0 || events_between || running_children().empty()) return true;
  const Child& child = running_children().back();
  return at(child.before, earlier.child_timeline) >= earlier.child_step ||
         (child.timeline == earlier.child_timeline && earlier.child_step <= child.step);
}

bool children_overlap() { return !running_children().empty() && steps_of_streams().size() > 2; }

}  // namespace cpu_device::check
