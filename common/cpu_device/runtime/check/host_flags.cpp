// What the host tells a kernel by a flag.
#include <unordered_map>
#include <utility>
#include <vector>

#include "clocks.h"
#include "happens_before.h"
#include "host_accesses.h"
#include "host_turns.h"
#include "operations.h"
#include "release_acquire.h"

namespace cpu_device::check {

namespace {

struct HostFlag {
  Steps known;
  bool by_copy = false;
  const Clock* clock = nullptr;  // the same
  uint64_t made = 0;             // of which `clocks`
};
std::unordered_map<uintptr_t, HostFlag>& host_flags() {
  static auto* all = new std::unordered_map<uintptr_t, HostFlag>;
  return *all;
}
std::vector<uint64_t>& known_at_fence() {
  static auto* all = new std::vector<uint64_t>;
  return *all;
}
constexpr size_t kMostFlags = 1000000;

void set_flag(uintptr_t address, std::vector<uint64_t> known, bool by_copy) {
  if (host_flags().size() < kMostFlags) host_flags()[address] = {std::move(known), by_copy, nullptr, 0};
}

const Clock* clock_of(HostFlag& flag) {
  if (flag.clock != nullptr && flag.made == times_cleared()) return flag.clock;
  flag.made = times_cleared();
  flag.clock = add_clock({nullptr, nullptr, UINT64_MAX, 0, 0, 0, 0, 0, 0, Scope::none, 0, keep_steps(flag.known)});
  return flag.clock;
}

}  // namespace

void observe_host(Context& c, uintptr_t address) {
  const auto found = host_flags().find(address);
  if (found == host_flags().end()) return;
  const Clock* clock = clock_of(found->second);
  ThreadClock& t = c.threads[c.who & 1023];
  if (seen_lately(t, clock)) return;
  note_ordering_atomic();
  c.own_clocks = true;
  // Copies are not followed so exactly: they need no fence.
  const Clock*& to = found->second.by_copy ? t.known : t.pending_device;
  to = joined(to, clock);
}

void host_publishes(const void* address, bool after_fence_only) {
  if (!operations_are_open() || checking != nullptr || in_operation()) return;
  const auto alone = stop_host_code();  // other threads of the host may have given a kernel its turn
  if (find_region(reinterpret_cast<uintptr_t>(address)) == nullptr) return;
  note_host_step();
  if (!after_fence_only)
    set_flag(reinterpret_cast<uintptr_t>(address), what_host_knows(), false);
  else if (!known_at_fence().empty())
    set_flag(reinterpret_cast<uintptr_t>(address), known_at_fence(), false);
}
void host_fences() {
  if (!operations_are_open() || checking != nullptr || in_operation()) return;
  const auto alone = stop_host_code();
  known_at_fence() = what_host_knows();
}
void copy_publishes(uintptr_t address) {
  if (now == nullptr) return;
  std::vector<uint64_t> known;
  join(known, *now);
  set_flag(address, std::move(known), true);
}

bool host_has_told() { return !host_flags().empty(); }
void forget_flag(uintptr_t address) { host_flags().erase(address); }

}  // namespace cpu_device::check
