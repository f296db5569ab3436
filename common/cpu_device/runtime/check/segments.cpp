// Spans of time, and the operations and launches that they belong to.
#include "segments.h"

#include <algorithm>

namespace cpu_device::check {

uint64_t next_segment = 2;  // 1 is the beginning, see kWritten
std::vector<Done>& all_done() {
  static auto* all = new std::vector<Done>;
  return *all;
}
uint64_t first_of_launch = 0;
const Launch* running = nullptr;
bool launch_was_left = false;

namespace {

std::vector<SegmentInfo>& infos() {
  static auto* all = new std::vector<SegmentInfo>;
  return *all;
}
uint64_t infos_first = 2;
constexpr size_t kMaxInfos = size_t(8) << 20;

}  // namespace

uint64_t new_segment(uint64_t block, uint32_t epoch) {
  infos().push_back({block, epoch});
  return next_segment++;
}

bool segment_info(uint64_t number, SegmentInfo* info) {
  if (number < infos_first) return false;
  *info = infos()[number - infos_first];
  return true;
}

uint64_t launch_first() { return first_of_launch; }

Segments& others() {
  static auto* all = new Segments;
  return *all;
}

bool of_launch(uint64_t number) {
  if (number < first_of_launch || !launch_was_left) return number >= first_of_launch;
  const auto behind = std::upper_bound(
      others().begin(), others().end(), number,
      [](uint64_t value, const std::pair<uint64_t, uint64_t>& range) { return value < range.first; });
  return behind == others().begin() || number >= std::prev(behind)->second;
}
const Launch* current_launch() { return running; }

const Done& done_of(uint64_t number) {
  static const Done nothing{};
  static size_t last = 0;
  const std::vector<Done>& all = all_done();
  const auto fits = [&](size_t i) {
    return i < all.size() && all[i].first_segment <= number && (i + 1 == all.size() || number < all[i + 1].first_segment);
  };
  if (fits(last)) return all[last];
  const auto after = std::upper_bound(
      all.begin(), all.end(), number,
      [](uint64_t value, const Done& entry) { return value < entry.first_segment; });
  if (after == all.begin()) return nothing;
  last = static_cast<size_t>(after - all.begin()) - 1;
  return all[last];
}

void forget_old_segments() {
  if (infos().size() <= kMaxInfos) return;
  infos().clear();
  infos_first = next_segment;
}

}  // namespace cpu_device::check
