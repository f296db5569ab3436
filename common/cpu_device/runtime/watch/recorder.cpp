// Records a launch for the page of `./course watch`, access by access.
//
// The recorder also decides which thread runs next. Each thread stops before each access. When all threads of a
// block have stopped, one warp continues, with those of its lanes that are about to make the same access. So the
// page shows the requests of a warp as a GPU makes them. All values come from this run, also in programs with
// races: 32 lanes that execute `x++` all read 0, and then all write 1.
//
// - Of the groups in a warp, the one that is earliest in the source goes first. Functions in other files come
//   before the kernel's own lines. So lanes meet again after a branch or a loop. A lane that waits comes last: its
//   atomic changed nothing, or its volatile read returned nothing new. So locks make progress, and such a lane is
//   recorded once, not for each attempt.
// - A warp makes 4 steps in a row. Then the next warp has its turn. Blocks take turns after each step. Up to 16
//   blocks have their own workers. Others start when these end.
// - The order depends on nothing else. The same program with the same input gives the same file.
//
// It stops after 20,000 accesses of a launch, and starts no further launch after that. It records 3 launches of
// one kernel in the same shape. What comes after that runs as in any checked run. Arrays larger than 64 KB are
// recorded only where they are accessed. The compiler reports the copy of a structure as a write and then a read,
// and copies after that. If a warp's write has changed nothing when the next access comes, it is therefore
// recorded after a read in the same line.
//
// CPU_DEVICE_WATCH_BLOCKS=0-3 records only these blocks of each launch. CPU_DEVICE_WATCH_EVENTS=1000 records that
// many accesses of each launch, so that later launches have a share.
//
// The file has one JSON object per line. tools/watch.py makes a page from it:
//   {"launch": NAME, "grid": [x,y,z], "block": [x,y,z], "shared": BYTES, "file": F, "line": L}
//   {"array": N, "name": NAME, "space": "global|shared|variable", "bytes": B, "element": E, "type": T,
//    "base": ADDRESS, "origin": OFFSET, "block": BLOCK or -1, "file": F, "line": L, "data": HEX}
//       at its first access. NAME is "" if no parameter points there. F and L say where it was allocated
//   {"place": N, "file": F, "line": L, "access": "read|write|atomic"}
//   {"step": [BLOCK, WARP, PLACE, [[LANE, ARRAY, OFFSET, BYTES, BEFORE, AFTER], ...]]}   AFTER of writes
//   {"wait": [BLOCK, "barrier|warp", LINE, [THREAD, ...]]}, {"exit": [BLOCK, [THREAD, ...]]}
//   {"pass": [BLOCK, LINE]}
//   {"end": EVENTS, "cut": true|false, "failed": true|false}
//   {"missed": NAME}   a launch that is not recorded, because earlier ones have reached the limit
//   {"finding": KIND, "file": F, "line": L, "others": [[F, L], ...], "title": T, "details": D, "hint": H}
#include "watch.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <map>

#include "../check/findings.h"
#include "../check/memory_names.h"
#include "../check/source_lines.h"
#include "../check/workers.h"
#include "../device/lasting.h"

namespace cpu_device::watch {

using check::Access;
using check::Context;

bool recording = false;

namespace {

constexpr uint64_t kMostEvents = 20000;   // of a launch; about so many of all
constexpr int kMostLaunches = 3;          // of one kernel in the same shape
constexpr size_t kMostBytes = 64 * 1024;  // of an array that is recorded whole
constexpr unsigned kStepsInARow = 4;      // of a warp
constexpr size_t kMostValueBytes = 64;    // of one access

// ---- what is recorded of a launch ----

// Lines of the trace that are not in the file yet.
std::string& text() {
  static auto* all = new std::string;
  return *all;
}
uint64_t events = 0;      // of all launches
uint64_t launch_events = 0;
bool cut = false;

const char* path = nullptr;
uint64_t most_of_a_launch = kMostEvents;
uint64_t first_block = 0, last_block = UINT64_MAX;  // that are recorded

bool is_watched(uint64_t block) { return first_block <= block && block <= last_block; }

// What tools/watch.py sets.
void read_settings() {
  if (const char* most = getenv("CPU_DEVICE_WATCH_EVENTS"))
    most_of_a_launch = std::clamp<uint64_t>(strtoull(most, nullptr, 10), 1, kMostEvents);
  unsigned long long first = 0, last = 0;
  if (const char* range = getenv("CPU_DEVICE_WATCH_BLOCKS");
      range != nullptr && sscanf(range, "%llu-%llu", &first, &last) == 2) {
    first_block = first;
    last_block = last;
  }
}

// Empties the file before the program's own code runs, which may fork.
__attribute__((constructor(kFirst))) void start() {
  path = getenv("CPU_DEVICE_WATCH");
  if (path != nullptr && *path == '\0') path = nullptr;
  if (path == nullptr) return;
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) {
    fprintf(stderr, "CPU device: CPU_DEVICE_WATCH: cannot write '%s': %s\n", path, strerror(errno));
    _exit(2);
  }
  close(file);
  read_settings();
}

void write_out() {
  if (text().empty()) return;
  // A program may fork, and both of them record.
  const int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
  for (size_t done = 0; file >= 0 && done < text().size();) {
    const ssize_t count = write(file, text().data() + done, text().size() - done);
    if (count <= 0) break;
    done += static_cast<size_t>(count);
  }
  if (file >= 0) close(file);
  text().clear();
}

std::string quoted(const std::string& words) {
  std::string out = "\"";
  for (const char c : words) {
    if (c == '"' || c == '\\')
      out += std::string("\\") + c;
    else if (static_cast<unsigned char>(c) < 0x20)
      out += format("\\u%04x", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out + "\"";
}

std::string hex(uintptr_t address, size_t bytes) {
  static const char digits[] = "0123456789abcdef";
  std::string out(2 * bytes, '0');
  for (size_t i = 0; i < bytes; i++) {
    const unsigned char byte = *reinterpret_cast<const volatile unsigned char*>(address + i);
    out[2 * i] = digits[byte >> 4];
    out[2 * i + 1] = digits[byte & 15];
  }
  return out;
}

// ---- arrays and places ----

// Arrays by their address and, in shared memory, block.
using Arrays = std::map<std::pair<uintptr_t, uint64_t>, unsigned>;
Arrays& arrays() {
  static auto* all = new Arrays;
  return *all;
}

// The places in the program that have been seen in this launch, in the order of the source.
struct SeenPlace {
  bool elsewhere = false;  // not in the file of the launch: a function that is called from there
  int line = 0;
  const void* counter = nullptr;
};
using Places = std::map<unsigned, SeenPlace>;
Places& places() {
  static auto* all = new Places;
  return *all;
}
std::string& launch_file() {
  static auto* all = new std::string;
  return *all;
}

struct Found {
  unsigned array = 0;
  uintptr_t base = 0;
  size_t bytes = 0;
};

bool find_array(const Context& c, uintptr_t address, Found* found) {
  check::ArrayInfo info;
  if (!check::find_array(c, address, &info)) return false;
  const uint64_t block = info.shared ? c.block : UINT64_MAX;
  const auto [at, is_new] = arrays().try_emplace({info.base, block}, static_cast<unsigned>(arrays().size()));
  *found = {at->second, info.base, info.bytes};
  if (!is_new) return true;
  text() += format("{\"array\": %u, \"name\": ", at->second) + quoted(info.name) +
          format(", \"space\": \"%s\", \"bytes\": %zu, \"element\": %zu, \"type\": ",
                 info.shared ? "shared" : info.variable ? "variable" : "global", info.bytes, info.element) +
          quoted(info.type) +
          format(", \"base\": %llu, \"origin\": %zu, \"block\": %lld, \"file\": ",
                 static_cast<unsigned long long>(info.base), info.origin,
                 info.shared ? static_cast<long long>(block) : -1) +
          quoted(info.allocated.file == nullptr ? "" : info.allocated.file) +
          format(", \"line\": %d, \"data\": \"", info.allocated.line) +
          (info.bytes <= kMostBytes ? hex(info.base, info.bytes) : std::string()) + "\"}\n";
  return true;
}

// What is there now; empty if it lies beyond the array.
std::string value_at(const Found& found, uintptr_t address, size_t bytes) {
  if (address - found.base + bytes > found.bytes) return "";
  return hex(address, std::min(bytes, kMostValueBytes));
}

const char* access_name(Access access) {
  return check::is_plain(access) || check::is_volatile(access)
             ? (check::is_read(access) ? "read" : "write")
             : "atomic";
}

void tell_place(unsigned id) {
  const auto [seen, is_new] = places().try_emplace(id);
  if (!is_new) return;
  const check::SourcePlace at = check::source_place(check::place(id));
  seen->second = {at.file != launch_file(), at.line, check::place(id).counter};
  text() += format("{\"place\": %u, \"file\": ", id) + quoted(at.file) +
          format(", \"line\": %d, \"access\": \"%s\"}\n", at.line, access_name(check::place(id).access));
}

// ---- threads ----

// A thread that has stopped before an access.
struct Parked {
  bool here = false, waits = false;
  unsigned place = 0;
};

// The last thing that a thread did, if it changed nothing and told it nothing new.
struct Idle {
  unsigned place = 0;
  uintptr_t address = 0;
  std::string value;
};

struct Lane {
  unsigned lane;
  Idle* idle;
  Found found;
  size_t offset, bytes;
  std::string before, after;
  bool settled;
};
struct Step {
  uint64_t block = 0;
  unsigned warp = 0, place = 0;
  std::vector<Lane> lanes;
};

// A block that runs.
struct Running {
  uint64_t block = 0;
  unsigned next_warp = 0, steps_in_a_row = 0;
  Parked parked[kMaxThreads];
  WaitKind told[kMaxThreads];  // what the trace says of the thread
  Idle idle[kMaxThreads];
  // The compiler tells of a structure that is copied as a write and then a read; the copy follows. So a
  // warp's write that has changed nothing yet is told behind a read in the same line.
  std::map<unsigned, Step> held;
};
using Blocks = std::map<Worker*, Running>;
Blocks& blocks() {
  static auto* all = new Blocks;
  return *all;
}

// The step that is being done, and its block.
Step& step() {
  static auto* all = new Step;
  return *all;
}
Running* step_of = nullptr;

// The access that came last has happened when anything else does. One by which a thread waits is
// told once.
void settle() {
  if (step().lanes.empty() || step().lanes.back().settled) return;
  Lane& lane = step().lanes.back();
  const Access kind = check::place(step().place).access;
  const uintptr_t address = lane.found.base + lane.offset;
  lane.settled = true;
  if (kind != Access::read && kind != Access::volatile_read)
    lane.after = value_at(lane.found, address, lane.bytes);
  const bool may_wait = !check::is_plain(kind) && (lane.after.empty() || lane.after == lane.before);
  const Idle now{step().place, address, may_wait ? lane.before : ""};
  Idle& before = *lane.idle;
  const bool again = may_wait && before.place == now.place && before.address == address &&
                     before.value == now.value;
  before = now;
  if (!again) return;
  step().lanes.pop_back();
  events--;
  launch_events--;
}

void tell(const Step& done) {
  if (done.lanes.empty()) return;
  text() += format("{\"step\": [%llu, %u, %u, [", static_cast<unsigned long long>(done.block), done.warp,
                 done.place);
  for (const Lane& lane : done.lanes) {
    text() += format("%s[%u, %u, %zu, %zu, \"%s\", \"%s\"]", &lane == done.lanes.data() ? "" : ", ",
                   lane.lane, lane.found.array, lane.offset, lane.bytes, lane.before.c_str(),
                   lane.after.c_str());
  }
  text() += "]]}\n";
}

void tell_held(Running& b, unsigned warp) {
  const auto held = b.held.find(warp);
  if (held == b.held.end()) return;
  for (Lane& lane : held->second.lanes)
    lane.after = value_at(lane.found, lane.found.base + lane.offset, lane.bytes);
  tell(held->second);
  b.held.erase(held);
}

void end_step() {
  settle();
  if (step().lanes.empty()) return;
  const bool may_copy = check::place(step().place).access == Access::write &&
                        std::all_of(step().lanes.begin(), step().lanes.end(),
                                    [](const Lane& lane) { return lane.after == lane.before; });
  if (may_copy) {
    tell_held(*step_of, step().warp);
    step_of->held[step().warp] = step();
  } else {
    tell(step());
    tell_held(*step_of, step().warp);
  }
  step().lanes.clear();
}

// Threads that have come to a barrier or have ended since.
void tell_states(Worker& w) {
  if (!recording) return;
  end_step();
  const auto found = blocks().find(&w);
  if (found == blocks().end()) return;
  Running& b = found->second;
  for (unsigned warp = 0; 32 * warp < w.threads; warp++) {
    std::map<std::pair<WaitKind, int>, std::string> groups;
    for (unsigned i = 32 * warp; i < std::min(w.threads, 32 * warp + 32); i++) {
      const WaitKind kind = w.states[i].kind;
      if (kind == b.told[i]) continue;
      b.told[i] = kind;
      if (kind != WaitKind::parked) tell_held(b, warp);
      if (kind != WaitKind::barrier && kind != WaitKind::warp && kind != WaitKind::part && kind != WaitKind::ended)
        continue;
      std::string& threads = groups[{kind, kind == WaitKind::ended ? 0 : w.states[i].line}];
      threads += (threads.empty() ? "" : ", ") + std::to_string(i);
    }
    for (const auto& [what, threads] : groups) {
      const auto block = static_cast<unsigned long long>(b.block);
      if (what.first == WaitKind::ended)
        text() += format("{\"exit\": [%llu, [", block) + threads + "]]}\n";
      else
        text() += format("{\"wait\": [%llu, \"%s\", %d, [", block,
                       what.first == WaitKind::barrier ? "barrier"
                       : what.first == WaitKind::part  ? "part"
                                                       : "warp",
                       what.second) +
                threads + "]]}\n";
    }
  }
}

// ---- workers side by side ----

std::mutex arrival_mutex;
std::condition_variable& all_here() {
  static auto* all = new std::condition_variable;
  return *all;
}
int expected_workers = 0, arrived_workers = 0;

// Launches of one kernel in the same shape.
struct Alike {
  int count = 0, missed = 0;
  uint64_t events = 0;  // of the last one
};
Alike* alike = nullptr;
using Shapes = std::map<std::string, Alike>;
Shapes& shapes() {
  static auto* all = new Shapes;
  return *all;
}

}  // namespace

bool wanted() { return path != nullptr; }

void launch_begins(const Launch& launch, int workers) {
  if (!wanted()) return;
  const std::string shape = format("%s %u %u %u %u %u %u", launch.type.name, launch.grid.x, launch.grid.y,
                                   launch.grid.z, launch.block.x, launch.block.y, launch.block.z);
  expected_workers = uint64_t(launch.grid.x) * launch.grid.y * launch.grid.z > 1 ? workers : 1;
  arrived_workers = 0;
  alike = &shapes()[shape];
  recording = events + alike->events < kMostEvents && alike->count++ < kMostLaunches;
  if (!recording) {
    if (alike->count + alike->missed >= kMostLaunches) return;
    alike->missed++;
    text() += "{\"missed\": " + quoted(launch.type.name) + "}\n";
    write_out();
    return;
  }
  launch_events = 0;
  cut = false;
  launch_file() = launch.site.file;
  arrays().clear();
  places().clear();
  blocks().clear();
  const dim3 g = launch.grid, b = launch.block;
  text() += "{\"launch\": " + quoted(launch.type.name) +
          format(", \"grid\": [%u, %u, %u], \"block\": [%u, %u, %u], \"shared\": %zu, \"file\": ", g.x, g.y,
                 g.z, b.x, b.y, b.z, launch.shared_bytes) +
          quoted(launch.site.file) + format(", \"line\": %d}\n", launch.site.line);
}

void launch_ends(cudaError_t error) {
  if (!recording && !cut) return;
  end_step();
  recording = false;
  alike->events = launch_events;
  text() += format("{\"end\": %llu, \"cut\": %s, \"failed\": %s}\n",
                 static_cast<unsigned long long>(launch_events), cut ? "true" : "false",
                 error != cudaSuccess ? "true" : "false");
  cut = false;
  write_out();
}

void worker_arrives() {
  if (!recording || expected_workers == 1) return;
  std::unique_lock<std::mutex> lock(arrival_mutex);
  arrived_workers++;
  all_here().notify_all();
  // A process that was forked has no helpers.
  all_here().wait_for(lock, std::chrono::seconds(2), [] { return arrived_workers >= expected_workers; });
}

void block_ends(Worker& w) {
  tell_states(w);
  const auto running = blocks().find(&w);
  if (!recording || running == blocks().end()) return;
  while (!running->second.held.empty())
    tell_held(running->second, running->second.held.begin()->first);
}

void worker_ends(Worker& w) {
  if (!recording) return;
  block_ends(w);
  blocks().erase(&w);
}

void block_begins(Worker& w) {
  if (!recording) return;
  if (!is_watched(check::checking->block)) {
    blocks().erase(&w);
    return;
  }
  Running& b = blocks()[&w];
  b.block = check::checking->block;
  b.next_warp = b.steps_in_a_row = 0;
  for (unsigned i = 0; i < w.threads; i++) {
    w.states[i].kind = b.told[i] = WaitKind::running;
    b.parked[i] = {};
    b.idle[i] = {};
  }
}

void barrier_passed(Worker& w, Site site) {
  if (!recording || !is_watched(check::checking->block)) return;
  tell_states(w);
  text() += format("{\"pass\": [%llu, %d]}\n", static_cast<unsigned long long>(blocks()[&w].block), site.line);
  for (unsigned i = 0; i < w.threads; i++) w.states[i].kind = blocks()[&w].told[i] = WaitKind::running;
}

void finding(const check::Finding& f) {
  if (!wanted()) return;
  end_step();
  text() += format("{\"finding\": \"%s\", \"file\": ", f.kind) + quoted(f.place.file) +
          format(", \"line\": %d, \"others\": [", f.place.line);
  for (const check::Second& other : f.others)
    text() += (&other == f.others.data() ? "[" : ", [") + quoted(other.place.file) +
            format(", %d]", other.place.line);
  text() += "], \"title\": " + quoted(f.title) + ", \"details\": " + quoted(f.details) +
          ", \"hint\": " + quoted(f.hint) + "}\n";
  write_out();
}

void access(Context& c, uintptr_t address, size_t bytes, unsigned place) {
  Worker& w = *c.worker;
  const unsigned thread = w.current;
  Found found;
  settle();
  if (!recording || !is_watched(c.block) || !find_array(c, address, &found)) return;
  tell_place(place);
  const bool ignored = c.result_ignored;  // others come in between
  Running& b = blocks()[&w];
  Idle& idle = b.idle[thread];
  b.parked[thread] = {true,
                      idle.place == place && idle.address == address && !idle.value.empty() &&
                          idle.value == value_at(found, address, bytes),
                      place};
  w.wait(WaitKind::parked, {nullptr, 0});
  if (w.grid->error.load(std::memory_order_relaxed) != cudaSuccess) w.leave_grid();
  c.result_ignored = ignored;
  settle();
  if (!recording) return;
  step().lanes.push_back({thread % 32, &idle, found, address - found.base, bytes,
                        value_at(found, address, bytes), "", false});
  events++;
  launch_events++;
}

bool release_parked(Worker& w) {
  const auto running = blocks().find(&w);
  if (running == blocks().end()) return false;
  tell_states(w);
  if (recording) {
    check::let_other_workers_run();
    end_step();
    if (launch_events >= most_of_a_launch) {
      recording = false;
      cut = true;
    }
  }
  Running& b = running->second;
  if (!recording) {  // from here on as fast as ever
    bool any = false;
    for (unsigned i = 0; i < w.threads; i++) {
      if (!b.parked[i].here) continue;
      b.parked[i].here = false;
      w.push_ready(i);
      any = true;
    }
    return any;
  }
  const unsigned warps = (w.threads + 31) / 32;
  const auto key = [&](unsigned i) {
    const Parked& p = b.parked[i];
    const SeenPlace& at = places()[p.place];
    return std::make_tuple(p.waits, !at.elsewhere, at.line, at.counter, p.place);
  };
  for (unsigned tried = 0; tried < warps; tried++) {
    const unsigned warp = (b.next_warp + tried) % warps;
    unsigned first = kMaxThreads;
    for (unsigned i = 32 * warp; i < std::min(w.threads, 32 * warp + 32); i++)
      if (b.parked[i].here && (first == kMaxThreads || key(i) < key(first))) first = i;
    if (first == kMaxThreads) continue;
    if (warp != b.next_warp) b.steps_in_a_row = 0;
    const bool stays = !b.parked[first].waits && ++b.steps_in_a_row < kStepsInARow;
    b.next_warp = stays ? warp : warp + 1;
    if (!stays) b.steps_in_a_row = 0;
    step().block = b.block;
    step().warp = warp;
    step().place = b.parked[first].place;
    step_of = &b;
    const auto held = b.held.find(warp);
    if (held != b.held.end() && (places()[held->second.place].line != places()[step().place].line ||
                                 check::place(step().place).access != Access::read))
      tell_held(b, warp);
    const auto chosen = key(first);
    for (unsigned i = 32 * warp; i < std::min(w.threads, 32 * warp + 32); i++) {
      if (!b.parked[i].here || key(i) != chosen) continue;
      b.parked[i].here = false;
      w.push_ready(i);
    }
    return true;
  }
  return false;
}

}  // namespace cpu_device::watch
