// Who is ordered with whom. Decided by CUDA's rules on the program's threads, streams and events,
// never by the order in which this run executes them.
#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <set>
#include <unordered_map>

#include "../observe/observer.h"
#include "../watch/watch.h"
#include "internal_check.h"

// Defined where a program that is linked uses fences or __syncwarp() (uses_*.cpp).
extern const bool cpu_device_uses_fences __attribute__((weak));
extern const bool cpu_device_uses_warp_barriers __attribute__((weak));

namespace cpu_device::check {

__thread Context* checking = nullptr;
__thread bool muted = false;

// ---- segments ----

namespace {

uint64_t next_segment = 2;  // 1 is the beginning, see kWritten
std::vector<SegmentInfo> infos;
uint64_t infos_first = 2;
constexpr size_t kMaxInfos = size_t(8) << 20;

std::vector<Done> done;  // sorted by first segment
uint64_t first_of_launch = 0;
const Launch* running = nullptr;

bool has_fences() { return &cpu_device_uses_fences != nullptr; }

}  // namespace

static bool orders_memory = false;  // an atomic of C++ has done so
void note_ordering_atomic() {
  if (!orders_memory) forget_memos();
  orders_memory = true;
}

bool precise() {
  return orders_memory || has_fences() || &cpu_device_uses_warp_barriers != nullptr;
}

uint64_t new_segment(uint64_t block, uint32_t epoch) {
  infos.push_back({block, epoch});
  return next_segment++;
}

bool segment_info(uint64_t number, SegmentInfo* info) {
  if (number < infos_first) return false;
  *info = infos[number - infos_first];
  return true;
}

uint64_t launch_first() { return first_of_launch; }

// Segments of others than the running launch, since it began: [first, second), in order.
using Segments = std::vector<std::pair<uint64_t, uint64_t>>;
static Segments& others() {
  static auto* all = new Segments;
  return *all;
}
static bool launch_was_left = false;  // if not, there are none
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
  const auto fits = [&](size_t i) {
    return i < done.size() && done[i].first_segment <= number &&
           (i + 1 == done.size() || number < done[i + 1].first_segment);
  };
  if (fits(last)) return done[last];
  const auto after = std::upper_bound(
      done.begin(), done.end(), number,
      [](uint64_t value, const Done& entry) { return value < entry.first_segment; });
  if (after == done.begin()) return nothing;
  last = static_cast<size_t>(after - done.begin()) - 1;
  return done[last];
}

// ---- operations ----

namespace {

std::vector<uint64_t> steps{0};     // taken on each timeline; the host's is 0
std::vector<uint64_t> executed{0};  // of which so many have run
std::vector<uint64_t> host_knows{0};
uint64_t host_step = 1;
int operations_open = 0;  // queued, and not over
Moment* now = nullptr;  // of the operation that is running
// On this thread of the host: others may have been woken by it, and go on.
thread_local bool runs_operation = false;
Moment* now_here() { return runs_operation ? now : nullptr; }

void join(std::vector<uint64_t>& into, const std::vector<uint64_t>& other) {
  if (into.size() < other.size()) into.resize(other.size());
  for (size_t i = 0; i < other.size(); i++) into[i] = std::max(into[i], other[i]);
}

void join(std::vector<uint64_t>& into, const Moment& moment) {
  join(into, moment.before);
  if (into.size() <= moment.timeline) into.resize(moment.timeline + 1);
  into[moment.timeline] = std::max(into[moment.timeline], moment.step);
}

uint64_t at(const std::vector<uint64_t>& clock, size_t i) { return i < clock.size() ? clock[i] : 0; }

void remember(unsigned timeline, uint64_t step, Site site, const char* what, bool host,
              int of_device = 0) {
  if (executed.size() <= timeline) executed.resize(timeline + 1);
  executed[timeline] = std::max(executed[timeline], step);
  done.push_back({next_segment, timeline, step, site, what, host, false, of_device});
}

}  // namespace

void enqueued(Operation& operation, Stream& stream) {
  if (stream.timeline == 0) {
    stream.timeline = static_cast<unsigned>(steps.size());
    steps.push_back(0);
  }
  operation.moment.timeline = stream.timeline;
  operation.moment.step = ++steps[stream.timeline];
  operation.moment.before = host_knows;
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
bool several_streams() { return steps.size() > 2; }

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
  join(host_knows, moment);
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
  if (host_knows.size() <= operation.timeline) host_knows.resize(operation.timeline + 1);
  uint64_t& known = host_knows[operation.timeline];
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
  return now == nullptr || at(now->before, earlier.timeline) >= earlier.step ||
         (now->timeline == earlier.timeline && earlier.step <= now->step);
}

bool moment_contains(const Moment& moment, const Done& earlier) {
  return at(moment.before, earlier.timeline) >= earlier.step ||
         (moment.timeline == earlier.timeline && earlier.step <= moment.step);
}
bool host_contains(const Moment& moment) { return at(host_knows, moment.timeline) >= moment.step; }

bool host_ordered(const Done& earlier, uint64_t segment_number) {
  if (earlier.host) return true;
  const uint64_t known = at(host_knows, earlier.timeline);
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

static bool all_ordered() {
  if (now == nullptr) return true;
  for (size_t i = 0; i < executed.size(); i++)
    if (at(now->before, i) < executed[i] && !(i == now->timeline && executed[i] <= now->step))
      return false;
  return true;
}

// ---- launches, blocks, threads ----

namespace {

std::deque<Clock> clocks;
std::deque<Steps> steps_known;  // by threads, of the host: each of them once
std::unordered_map<uintptr_t, Published> published;
uint64_t times_cleared = 0;  // `clocks`
int launches_left = 0;
uint64_t launch_floor = 0;
uint64_t any_left = 0;
constexpr uint64_t kMostAny = 200000;  // atomics of a launch that are followed for words alone

std::vector<Context*>& contexts() {
  static auto* all = new std::vector<Context*>;
  return *all;
}

}  // namespace

void begin_launch_clocks(const Launch& launch) {
  if (infos.size() > kMaxInfos && launches_left == 0) {
    infos.clear();
    infos_first = next_segment;
  }
  running = &launch;
  first_of_launch = next_segment;
  launch_floor = all_ordered() ? next_segment : 0;
  if (done.empty()) remember(0, 0, launch.site, "", false);
  if (done.back().is_kernel) {  // launched by a kernel: after it, in the same operation
    done.push_back(done.back());
    done.back().first_segment = next_segment;
    done.back().site = launch.site;
  }
  done.back().what = launch.type.name;
  done.back().is_kernel = true;
  if (launches_left == 0) {
    clocks.clear();
    steps_known.clear();
    times_cleared++;
  }
  others().clear();
  published.clear();
  any_left = kMostAny;
}

void end_launch_clocks() {
  running = nullptr;
  first_of_launch = next_segment;
}

bool launch_is_left() { return launches_left > 0; }

// Launches that have waited for the host: their timeline and step.
static std::set<std::pair<unsigned, uint64_t>>& ever_left() {
  static auto* all = new std::set<std::pair<unsigned, uint64_t>>;
  return *all;
}
bool was_left(const Done& operation) { return ever_left().count({operation.timeline, operation.step}) != 0; }

void leave_launch(LeftLaunch* left) {
  left->launch = running;
  left->first = first_of_launch;
  left->floor = launch_floor;
  left->any_left = any_left;
  left->next_segment = next_segment;
  left->done = done.size();
  left->mine = done_of(next_segment - 1);
  left->now = now;
  ever_left().emplace(left->mine.timeline, left->mine.step);
  left->published.swap(published);
  left->others.swap(others());
  launch_was_left = true;
  launches_left++;
  now = nullptr;
  end_launch_clocks();
}

void enter_launch(LeftLaunch* left) {
  running = left->launch;
  first_of_launch = left->first;
  launch_floor = left->floor;
  any_left = left->any_left;
  now = left->now;
  left->published.swap(published);
  left->others.swap(others());
  launches_left--;
  if (done.size() == left->done) return;
  done.push_back(left->mine);  // what comes now is the launch's again
  done.back().first_segment = next_segment;
  new_segment(0, 0);
  others().emplace_back(left->next_segment, next_segment);
}

void block_begins(Worker& worker) {
  if (observing()) return observe_block(worker);
  Context& c = *checking;
  watch::block_ends(worker);
  if (c.block_first != 0) block_ends(c);
  const Launch& launch = *worker.grid->launch;
  const Index at = block_index();
  c.block = at.x + uint64_t(launch.grid.x) * (at.y + uint64_t(launch.grid.y) * at.z);
  c.epoch = 0;
  c.floor = std::max(launch_floor, c.floor);
  c.block_first = c.epoch_first = c.block_segment = new_segment(c.block, 0);
  c.last_barrier = {nullptr, 0};
  refresh_shared(c);
  c.threads.assign(worker.threads, ThreadClock{});
  c.copies.clear();
  c.own_clocks = false;
  watch::block_begins(worker);
}

void reset_floor(Context& c) { c.floor = launch_floor; }

void thread_continues(Worker& worker, unsigned index) {
  if (observing()) return observe_thread_runs(worker);
  Context& c = *checking;
  const uint64_t own = c.threads[index].segment;
  c.who = make_who(own != 0 ? own : c.block_segment, index);
  c.stack_low = reinterpret_cast<uintptr_t>(worker.running->stack);
  c.stack_bytes = worker.running->stack_bytes;
}

void thread_begins(Worker& worker, unsigned index) { thread_continues(worker, index); }

void thread_waits(Worker&) {
  if (observing()) observe_thread_waits();
}
void thread_ends(Worker&) {
  if (observing()) observe_thread_ends();
}

// What is known together. Mostly one contains the other, because the host's knowledge only grows.
static const Steps* joined(const Steps* a, const Steps* b) {
  if (a == nullptr || a == b) return b;
  if (b == nullptr) return a;
  Steps both = *a;
  join(both, *b);
  if (both == *a) return a;
  if (both == *b) return b;
  steps_known.push_back(std::move(both));
  return &steps_known.back();
}

static void add_clock(Clock clock) {
  for (const Clock* part : {clock.first, clock.second})
    if (part != nullptr && part->host != nullptr) clock.host = joined(clock.host, part->host);
  clock.before = next_segment;
  clocks.push_back(clock);
}

static const Clock* joined(const Clock* a, const Clock* b) {
  if (a == nullptr || a == b) return b;
  if (b == nullptr) return a;
  add_clock({a, b, UINT64_MAX, 0, 0, 0, 0, 0, 0, Scope::none, 0});
  return &clocks.back();
}

void give_own_segment(Context& c, unsigned index) {
  c.threads[index].segment = new_segment(c.block, c.epoch);
  c.own_clocks = true;
  if ((c.who & 1023) == index) c.who = make_who(c.threads[index].segment, index);
}

void know(Context& c, uint64_t block, uint64_t last_segment) {
  const auto self = static_cast<uint16_t>(c.who & 1023);
  const Clock*& known = c.threads[self].known;
  add_clock({known, nullptr, block, 0, self, 0, last_segment, 0, 0, Scope::none, 0});
  known = &clocks.back();
}

// What the threads of a group know together.
static void share(std::vector<ThreadClock*>& group, bool forget_own_block) {
  const Clock *known = nullptr, *release_block = nullptr, *release_device = nullptr,
              *pending_block = nullptr, *pending_device = nullptr, *any = nullptr;
  for (const ThreadClock* t : group) {
    known = joined(known, t->known);
    release_block = joined(release_block, t->release_block);
    release_device = joined(release_device, t->release_device);
    pending_block = joined(pending_block, t->pending_block);
    pending_device = joined(pending_device, t->pending_device);
    any = joined(any, t->any);
  }
  uint64_t fenced = 0;
  for (const ThreadClock* t : group) fenced = std::max(fenced, t->fenced);
  if (forget_own_block && !has_fences() && !orders_memory) known = nullptr;
  for (ThreadClock* t : group) {
    t->known = known;
    t->release_block = release_block;
    t->release_device = release_device;
    t->pending_block = pending_block;
    t->pending_device = pending_device;
    t->any = any;
    t->fenced = fenced;
  }
}

static std::vector<Site>& all_barriers() {
  static auto* all = new std::vector<Site>;
  return *all;
}
const std::vector<Site>& barriers_passed() { return all_barriers(); }

static void note_barrier(Site site) {
  for (const Site& known : all_barriers())
    if (known.line == site.line && known.file == site.file) return;
  all_barriers().push_back(site);
}

static void cluster_met_in_halves();

void barrier_passed(Worker& worker, Site site) {
  if (observing()) return;
  Context& c = *checking;
  if (c.orders_nothing) {
    c.orders_nothing = false;
    if (!c.in_cluster) cluster_met_in_halves();  // a block alone
    return;
  }
  watch::barrier_passed(worker, site);
  c.epoch++;
  c.block_segment = c.epoch_first = new_segment(c.block, c.epoch);
  if (site.line != c.last_barrier.line || site.file != c.last_barrier.file) note_barrier(site);
  c.last_barrier = site;
  if (!c.own_clocks) return;
  if (!c.copies.empty()) c.epoch_first = std::min(c.epoch_first, oldest_copy(c));
  std::vector<ThreadClock*> all;
  for (ThreadClock& t : c.threads) all.push_back(&t);
  share(all, true);
  for (ThreadClock& t : c.threads) t.segment = 0;
}

// Lanes of one or several warps in a row, from `warp` on, have met.
static void met(Worker& worker, unsigned warp, const std::vector<unsigned>& masks) {
  Context& c = *checking;
  std::vector<ThreadClock*> lanes;
  for (unsigned i = 0; i < 32 * masks.size(); i++)
    if ((masks[i / 32] >> i % 32 & 1) && 32 * warp + i < worker.threads)
      lanes.push_back(&c.threads[32 * warp + i]);
  share(lanes, false);
  const Clock* together = lanes[0]->known;
  for (unsigned i = 0; i < masks.size(); i++) {
    add_clock({together, nullptr, c.block, c.epoch, static_cast<uint16_t>(32 * (warp + i)),
                      masks[i], next_segment - 1, 0, 0, Scope::none, 0});
    together = &clocks.back();
  }
  const uint64_t fresh = new_segment(c.block, c.epoch);
  for (ThreadClock* t : lanes) {
    t->known = together;
    t->segment = fresh;
  }
  c.own_clocks = true;
  const unsigned self = c.who & 1023;
  c.who = make_who(fresh, self);
}

void lanes_met(Worker& worker, unsigned warp, unsigned mask, Site) {
  if (!observing()) met(worker, warp, {mask});
}

void tile_met(Worker& worker, unsigned first, unsigned count) {
  if (!observing()) met(worker, first / 32, std::vector<unsigned>(count / 32, 0xffffffffu));
}

// What the calling thread has done so far. What it does from now on is no part of that.
static const Clock* done_so_far(Context& c) {
  note_ordering_atomic();
  const auto self = static_cast<uint16_t>(c.who & 1023);
  add_clock({c.threads[self].known, nullptr, c.block, c.epoch, self, 0, c.who >> 10, 0, 0, Scope::none, 0});
  const Clock* const result = &clocks.back();
  give_own_segment(c, self);
  return result;
}

void part_arrives(unsigned number, bool is_first) {
  if (checking == nullptr) return;
  const Clock*& all = checking->part_barriers[number];
  if (is_first) all = nullptr;
  all = joined(all, done_so_far(*checking));
}

void part_passes(unsigned number, const uint16_t* waiting, unsigned count) {
  if (checking == nullptr) return;
  Context& c = *checking;
  for (unsigned i = 0; i < count; i++)
    c.threads[waiting[i]].known = joined(c.threads[waiting[i]].known, c.part_barriers[number]);
  c.own_clocks = true;
}

// Everything in the launch so far has happened before everything to come.
void grid_met(Worker&) {
  for (Context* c : contexts())
    if (c->active) c->floor = next_segment;
  launch_floor = next_segment;
}

// ---- clusters ----

static std::vector<Context*>& cluster_members() {
  static auto* all = new std::vector<Context*>;
  return *all;
}

void cluster_begins() {
  if (observing()) return;
  cluster_members().clear();
  note_ordering_atomic();  // threads of several blocks are ordered: all readers must be kept
}

void join_cluster(Context& c) {
  const dim3& size = current_launch()->cluster;
  c.in_cluster = size.x * size.y * size.z > 1;
  if (c.in_cluster) cluster_members().push_back(&c);
}

const std::vector<Context*>& members_of_cluster() { return cluster_members(); }

Context* holder_in_cluster(const Context& c, uintptr_t address) {
  for (Context* member : cluster_members())
    if (member != &c && member->local.contains(address)) return member;
  return nullptr;
}

bool same_cluster(uint64_t a, uint64_t b) {
  const dim3 &grid = current_launch()->grid, &size = current_launch()->cluster;
  const auto cluster_of = [&](uint64_t block) {
    const uint64_t x = block % grid.x, y = block / grid.x % grid.y, z = block / grid.x / grid.y;
    return std::array<uint64_t, 3>{x / size.x, y / size.y, z / size.z};
  };
  return size.x * size.y * size.z > 1 && cluster_of(a) == cluster_of(b);
}

void cluster_arrived() {
  if (checking == nullptr) return;
  const Clock* const done = done_so_far(*checking);
  checking->threads[checking->who & 1023].arrived = done;
}

void wait_in_cluster() {
  if (checking != nullptr) checking->orders_nothing = true;
}

// Each thread knows what all did before they arrived.
static void cluster_met_in_halves() {
  std::vector<Context*> members{checking};
  if (checking->in_cluster) members = cluster_members();
  const Clock* together = nullptr;
  for (Context* c : members) {
    if (!c->active) continue;
    for (ThreadClock& t : c->threads) {
      together = joined(together, t.arrived);
      t.arrived = nullptr;
    }
  }
  for (Context* c : members) {
    if (!c->active) continue;
    for (ThreadClock& t : c->threads) t.known = joined(t.known, together);
    c->own_clocks = true;
  }
}

// Each block has just passed a barrier of its own, and no thread has gone on from it: all that its
// threads did is of an earlier epoch, and all of them know the same.
void cluster_met(bool in_halves) {
  if (observing()) return;
  if (in_halves) return cluster_met_in_halves();
  const Clock* together = nullptr;
  for (const Context* c : cluster_members())
    if (c->active) together = joined(together, c->threads[0].known);
  for (const Context* c : cluster_members()) {
    if (!c->active) continue;
    add_clock({together, nullptr, c->block, c->epoch, 0, 0, 0, 0, 0, Scope::none, 0});
    together = &clocks.back();
  }
  for (Context* c : cluster_members()) {
    if (!c->active) continue;
    for (ThreadClock& t : c->threads) t.known = together;
    c->own_clocks = true;
  }
}

void add_context(Context* c) { contexts().push_back(c); }
const std::vector<Context*>& all_contexts() { return contexts(); }

void fence(Context& c, Scope scope) {
  ThreadClock& t = c.threads[c.who & 1023];
  const unsigned self = c.who & 1023;
  t.known = joined(t.known, t.pending_block);
  if (scope != Scope::block) t.known = joined(t.known, t.pending_device);
  const uint64_t segment_now = c.who >> 10;
  add_clock({t.known, nullptr, c.block, c.epoch, static_cast<uint16_t>(self), 0, segment_now,
                    0, 0, Scope::none, 0});
  t.release_block = &clocks.back();
  t.block_fence = segment_now;
  if (scope != Scope::block) {
    t.release_device = &clocks.back();
    t.device_fence = t.fenced = segment_now;
  }
  give_own_segment(c, self);
}

// Whether the thread has seen this already: who waits in a loop sees the same again and again.
static bool seen_lately(ThreadClock& t, const Clock* clock) {
  for (const Clock* known : t.observed)
    if (known == clock) return true;
  t.observed[t.next_observed++ % 4] = clock;
  return false;
}

static void add_once(Published& p, const Clock*& to, const Clock* from) {
  if (from == nullptr) return;
  if (to != nullptr && std::find(p.joined.begin(), p.joined.end(), from) != p.joined.end()) return;
  to = joined(to, from);
}

// ---- what the host tells a kernel, by a flag ----

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
std::vector<uint64_t> known_at_fence;
constexpr size_t kMostFlags = 1000000;

void set_flag(uintptr_t address, std::vector<uint64_t> known, bool by_copy) {
  if (host_flags().size() < kMostFlags) host_flags()[address] = {std::move(known), by_copy, nullptr, 0};
}

std::vector<uint64_t> what_host_knows() {
  std::vector<uint64_t> known = host_knows;
  known[0] = host_step++;
  return known;
}

const Clock* clock_of(HostFlag& flag) {
  if (flag.clock != nullptr && flag.made == times_cleared) return flag.clock;
  flag.made = times_cleared;
  steps_known.push_back(flag.known);
  add_clock({nullptr, nullptr, UINT64_MAX, 0, 0, 0, 0, 0, 0, Scope::none, 0, &steps_known.back()});
  flag.clock = &clocks.back();
  return flag.clock;
}

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

}  // namespace

void host_publishes(const void* address, bool after_fence_only) {
  if (operations_open == 0 || checking != nullptr || in_operation()) return;
  const auto alone = stop_host_code();  // other threads of the host may have given a kernel its turn
  if (find_region(reinterpret_cast<uintptr_t>(address)) == nullptr) return;
  note_host_step();
  if (!after_fence_only)
    set_flag(reinterpret_cast<uintptr_t>(address), what_host_knows(), false);
  else if (!known_at_fence.empty())
    set_flag(reinterpret_cast<uintptr_t>(address), known_at_fence, false);
}
void host_fences() {
  if (operations_open == 0 || checking != nullptr || in_operation()) return;
  const auto alone = stop_host_code();
  known_at_fence = what_host_knows();
}
void copy_publishes(uintptr_t address) {
  if (now == nullptr) return;
  std::vector<uint64_t> known;
  join(known, *now);
  set_flag(address, std::move(known), true);
}

void observe(Context& c, uintptr_t address, Scope scope) {
  if (!host_flags().empty() && scope != Scope::block) observe_host(c, address);
  if (!precise() && any_left == 0) return;
  const auto found = published.find(address);
  if (found == published.end()) return;
  const Published& p = found->second;
  ThreadClock& t = c.threads[c.who & 1023];
  if (p.block == c.block && p.in_block != nullptr && !seen_lately(t, p.in_block))
    t.pending_block = joined(t.pending_block, p.in_block);
  if (scope != Scope::block && p.device != nullptr && !seen_lately(t, p.device))
    t.pending_device = joined(t.pending_device, p.device);
  t.observed_block_only = scope == Scope::block;
  if (p.any != nullptr) {
    constexpr size_t kMostWords = 64;
    size_t slot = 0;
    while (slot < t.words.size() && t.words[slot].address != address) slot++;
    if (slot == kMostWords) slot = t.next_word++ % kMostWords;
    if (slot == t.words.size()) t.words.emplace_back();
    t.words[slot] = {address, p.any};
  }
  if (p.any != nullptr && !seen_lately(t, p.any)) {
    t.any = joined(t.any, p.any);
    c.own_clocks = true;
  }
}

void publish(Context& c, uintptr_t address, Scope scope, bool continues) {
  if (!continues && !host_flags().empty()) host_flags().erase(address);
  if (!precise() && any_left == 0) return;
  const unsigned self = c.who & 1023;
  ThreadClock& t = c.threads[self];
  Published& p = published[address];
  if (!continues) p.device = nullptr;
  if (!continues || p.block != c.block) p.in_block = nullptr;
  p.block = c.block;
  if (p.device == nullptr && p.in_block == nullptr) p.joined.clear();
  if (scope != Scope::block) add_once(p, p.device, t.release_device);
  add_once(p, p.in_block, t.release_block);
  for (const Clock* from : {t.release_device, t.release_block})
    if (from != nullptr && p.joined.size() < 64 &&
        std::find(p.joined.begin(), p.joined.end(), from) == p.joined.end())
      p.joined.push_back(from);
  if (any_left == 0) return;
  any_left--;
  const Clock* all = joined(t.any, t.known);
  add_clock({all, continues ? p.any : nullptr, c.block, c.epoch,
                    static_cast<uint16_t>(self), 0, c.who >> 10, t.block_fence, t.device_fence, scope,
                    0});
  p.any = &clocks.back();
  if (precise()) give_own_segment(c, self);
}

static uint64_t search = 0;

// Finds the entry that contains (block, epoch, thread, segment) in what `from` knows.
static const Clock* find_in(const Clock* from, uint64_t block, uint32_t epoch, unsigned thread_index,
                            uint64_t segment_number) {
  // Each with the atomic through which it came.
  static auto& open = *new std::vector<std::pair<const Clock*, const Clock*>>;
  open.clear();
  search++;
  if (from != nullptr) open.emplace_back(from, nullptr);
  while (!open.empty()) {
    auto [c, via] = open.back();
    open.pop_back();
    if (c->seen == search || segment_number >= c->before) continue;
    if (c->scope != Scope::none) via = c;
    c->seen = search;
    if (c->block == block) {
      const Clock* found = via != nullptr ? via : c;
      if (epoch < c->epoch) return found;
      const bool covers = c->lanes == 0 ? c->thread == thread_index
                                        : c->thread / 32 == thread_index / 32 &&
                                              (c->lanes >> thread_index % 32 & 1) != 0;
      if (covers && epoch == c->epoch && segment_number <= c->segment) return found;
    }
    if (c->second != nullptr) open.emplace_back(c->second, via);
    if (c->first != nullptr) open.emplace_back(c->first, via);
  }
  return nullptr;
}

static bool told_of(const Clock* clock, const Done& operation) {
  return clock != nullptr && clock->host != nullptr && at(*clock->host, operation.timeline) >= operation.step;
}

bool ordered(const Context& c, Record earlier) {
  const uint64_t number = segment(earlier);
  if (number < c.floor || number <= 1) return true;
  if (!of_launch(number)) {
    const Done& other = done_of(number);
    return operation_ordered(other) || told_of(c.threads[c.who & 1023].known, other);
  }
  SegmentInfo info;
  if (!segment_info(number, &info)) return true;
  if (info.block == c.block) {
    if (info.epoch < c.epoch) return true;
    if (thread(earlier) == (c.who & 1023)) return true;
  }
  if (!c.own_clocks) return false;
  return find_in(c.threads[c.who & 1023].known, info.block, static_cast<uint32_t>(info.epoch),
                 thread(earlier), number) != nullptr;
}

bool host_has_read(const Context& c, Record earlier) {
  if (of_launch(segment(earlier)) || !is_read(place(place_of(earlier)).access)) return false;
  const Done& read = done_of(segment(earlier));
  return read.host && told_of(c.threads[c.who & 1023].pending_device, read);
}

const Clock* through_word(const Context& c, Record earlier, uintptr_t address) {
  SegmentInfo info;
  if (!of_launch(segment(earlier)) || !segment_info(segment(earlier), &info)) return nullptr;
  for (const auto& word : c.threads[c.who & 1023].words)
    if (word.address == address && word.any != nullptr)
      return find_in(word.any, info.block, static_cast<uint32_t>(info.epoch), thread(earlier),
                     segment(earlier));
  return nullptr;
}

const Clock* through_atomics(const Context& c, Record earlier) {
  SegmentInfo info;
  if (!of_launch(segment(earlier)) || !segment_info(segment(earlier), &info)) return nullptr;
  return find_in(c.threads[c.who & 1023].any, info.block, static_cast<uint32_t>(info.epoch),
                 thread(earlier), segment(earlier));
}

}  // namespace cpu_device::check
