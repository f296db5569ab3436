// Small CUDA programs as plain data: generated from a seed, or read from text; and an oracle that
// says which of their accesses race. tests/checked_run/random_kernels.cu runs them and compares.
//
// The oracle builds the graph of all operations explicitly: nodes are operations, edges say "comes
// before" by the rules of CUDA, and bitsets hold its transitive closure. No clocks and no shadow
// memory, so that it shares no mistake with a race detector, which has nothing else.
//
// A program is a list of statements, in an order in which it could run: no statement waits for what
// a later one does. As text, one statement a line:
//
//   launch 0 2 64               a kernel in stream 0, of 2 blocks of 64 threads; what follows is its
//   0.33 write4 gi+8            block 0, thread 33 writes 4 bytes, 8 bytes from the start of gi
//   0.33 fence
//   0.33 exch4 flags+0          the atomic operations write values of their own, never 0
//   1.0 poll_volatile flags+0   waits until flags+0 is not 0
//   1.* barrier                 every thread of block 1
//   1.32 syncwarp 0000000f      the lanes 0 to 3 of thread 32's warp; so are shuffle and vote
//   memset 1 gi+0 64            host: in stream 1, 64 bytes (stream 0: legacy; 1, 2: blocking;
//   copy 3 gi+0 gl+16 32        3, 4: not blocking); 32 bytes from gl+16 to gi+0
//   fetch gi+0 64               host: blocking copy to the host
//   record 1 0 / wait 2 0       event 0 is recorded in stream 1, stream 2 waits for it
//   sync_stream 1 / sync        the host waits
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <initializer_list>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "../../common/program/random.h"

namespace random_kernels {

// ------------------------------------------------------------------------------------ statements

enum class Access { none, read, write, update, compare };  // compare: writes only if it succeeds
enum class Strength { weak, is_volatile, atomic };
enum class Scope { none, block, device, system };

// Every kind of statement: name, bytes, access, strength, scope. Those of kernels stand in the order
// of the lines of the kernel's switch, so that a finding's line tells the statement.
#define RANDOM_KERNELS_CODES(X)                     \
  X(read1, 1, read, weak, none)                     \
  X(read2, 2, read, weak, none)                     \
  X(read4, 4, read, weak, none)                     \
  X(read8, 8, read, weak, none)                     \
  X(read16, 16, read, weak, none)                   \
  X(write1, 1, write, weak, none)                   \
  X(write2, 2, write, weak, none)                   \
  X(write4, 4, write, weak, none)                   \
  X(write8, 8, write, weak, none)                   \
  X(write16, 16, write, weak, none)                 \
  X(other_read1, 1, read, weak, none)               \
  X(other_read4, 4, read, weak, none)               \
  X(other_write1, 1, write, weak, none)             \
  X(other_write4, 4, write, weak, none)             \
  X(volatile_read1, 1, read, is_volatile, system)   \
  X(volatile_read2, 2, read, is_volatile, system)   \
  X(volatile_read4, 4, read, is_volatile, system)   \
  X(volatile_read8, 8, read, is_volatile, system)   \
  X(volatile_write1, 1, write, is_volatile, system) \
  X(volatile_write2, 2, write, is_volatile, system) \
  X(volatile_write4, 4, write, is_volatile, system) \
  X(volatile_write8, 8, write, is_volatile, system) \
  X(add4, 4, update, atomic, device)                \
  X(add4_block, 4, update, atomic, block)           \
  X(add4_system, 4, update, atomic, system)         \
  X(add8, 8, update, atomic, device)                \
  X(exch4, 4, update, atomic, device)               \
  X(exch4_block, 4, update, atomic, block)          \
  X(exch4_system, 4, update, atomic, system)        \
  X(exch8, 8, update, atomic, device)               \
  X(exch8_block, 8, update, atomic, block)          \
  X(cas4, 4, compare, atomic, device)               \
  X(cas4_block, 4, compare, atomic, block)          \
  X(cas4_system, 4, compare, atomic, system)        \
  X(cas8, 8, compare, atomic, device)               \
  X(poll_volatile, 4, read, is_volatile, system)    \
  X(poll_add, 4, update, atomic, device)            \
  X(poll_add_block, 4, update, atomic, block)       \
  X(poll_cas, 4, compare, atomic, device)           \
  X(poll_cas_block, 4, compare, atomic, block)      \
  X(poll_cas_system, 4, compare, atomic, system)    \
  X(lock, 4, update, atomic, device)                \
  X(lock_block, 4, update, atomic, block)           \
  X(unlock, 4, update, atomic, device)              \
  X(unlock_block, 4, update, atomic, block)         \
  X(unlock_plain, 4, write, weak, none)             \
  X(fence_block, 0, none, weak, block)              \
  X(fence, 0, none, weak, device)                   \
  X(fence_system, 0, none, weak, system)            \
  X(barrier, 0, none, weak, none)                   \
  X(syncwarp, 0, none, weak, none)                  \
  X(shuffle, 0, none, weak, none)                   \
  X(vote, 0, none, weak, none)                      \
  X(launch, 0, none, weak, none)                    \
  X(memset, 0, write, weak, none)                   \
  X(copy, 0, write, weak, none)                     \
  X(fetch, 0, read, weak, none)                     \
  X(record, 0, none, weak, none)                    \
  X(wait, 0, none, weak, none)                      \
  X(sync_stream, 0, none, weak, none)               \
  X(sync, 0, none, weak, none)

enum class Code {
#define RANDOM_KERNELS_NAME(name, bytes, access, strength, scope) name,
  RANDOM_KERNELS_CODES(RANDOM_KERNELS_NAME)
#undef RANDOM_KERNELS_NAME
      nothing  // a statement that was taken out
};

struct CodeFacts {
  const char* name;
  int bytes;
  Access access;
  Strength strength;
  Scope scope;
};

inline const CodeFacts& facts(Code code) {
  static const CodeFacts all[] = {
#define RANDOM_KERNELS_FACTS(name, bytes, access, strength, scope) \
  {#name, bytes, Access::access, Strength::strength, Scope::scope},
      RANDOM_KERNELS_CODES(RANDOM_KERNELS_FACTS)
#undef RANDOM_KERNELS_FACTS
          {"nothing", 0, Access::none, Strength::weak, Scope::none}};
  return all[static_cast<int>(code)];
}

inline bool one_of(Code code, Code first, Code last) { return code >= first && code <= last; }
inline bool is_host(Code code) { return one_of(code, Code::launch, Code::sync); }
inline bool is_poll(Code code) { return one_of(code, Code::poll_volatile, Code::poll_cas_system); }
inline bool is_lock(Code code) { return code == Code::lock || code == Code::lock_block; }
inline bool is_unlock(Code code) { return one_of(code, Code::unlock, Code::unlock_plain); }
inline bool is_fence(Code code) { return one_of(code, Code::fence_block, Code::fence_system); }
inline bool is_warp(Code code) { return one_of(code, Code::syncwarp, Code::vote); }
inline bool is_strong(Code code) { return facts(code).strength != Strength::weak; }
// Not by one thread alone.
inline bool is_group(Code code) { return code == Code::barrier || is_warp(code); }
// An access that nothing else waits for: a program may do without.
inline bool is_data(Code code) { return one_of(code, Code::read1, Code::cas8); }

constexpr int kMaxBlocks = 4, kMaxThreads = 96;
constexpr int kStreams = 5, kFirstNonBlocking = 3, kEvents = 4;

// Memory: four global arrays of mixed types, an array of flags, and the same in shared memory.
struct ArrayFacts {
  const char* name;
  int bytes;
};
enum Array { gc, gi, gl, gq, flags, kShared, sc = kShared, si, sl, sq, shared_flags, kArrays };
constexpr ArrayFacts kArrayFacts[kArrays] = {{"gc", 512}, {"gi", 2048}, {"gl", 1024},
                                             {"gq", 1024}, {"flags", 256}, {"sc", 128},
                                             {"si", 512}, {"sl", 256}, {"sq", 512},
                                             {"shared_flags", 64}};

struct Place {
  int array = 0, offset = 0;
};

struct Statement {
  Code code = Code::nothing;
  int block = 0, thread = 0;  // who; for a warp operation any thread of the warp
  unsigned mask = 0;
  Place place, source;
  int stream = 0, event = 0, bytes = 0;  // of the host's operations
  int grid = 0, block_size = 0;          // of launches
};

using Program = std::vector<Statement>;

// ------------------------------------------------------------------------------------------ text

inline std::string text_of(const Statement& s) {
  const auto place = [](Place p) {
    return std::string(kArrayFacts[p.array].name) + "+" + std::to_string(p.offset);
  };
  const auto number = [](int value) { return " " + std::to_string(value); };
  const std::string name = facts(s.code).name;
  const std::string who = std::to_string(s.block) + "." + std::to_string(s.thread) + " ";
  char mask[16];
  std::snprintf(mask, sizeof mask, " %08x", s.mask);
  switch (s.code) {
    case Code::launch: return name + number(s.stream) + number(s.grid) + number(s.block_size);
    case Code::memset: return name + number(s.stream) + " " + place(s.place) + number(s.bytes);
    case Code::copy:
      return name + number(s.stream) + " " + place(s.place) + " " + place(s.source) +
             number(s.bytes);
    case Code::fetch: return name + " " + place(s.place) + number(s.bytes);
    case Code::record:
    case Code::wait: return name + number(s.stream) + number(s.event);
    case Code::sync_stream: return name + number(s.stream);
    case Code::sync: return name;
    case Code::barrier: return std::to_string(s.block) + ".* " + name;
    default: break;
  }
  if (is_warp(s.code)) return who + name + mask;
  if (facts(s.code).bytes > 0) return who + name + " " + place(s.place);
  return who + name;
}

inline std::string text_of(const Program& program) {
  std::string text;
  for (const Statement& s : program)
    if (s.code != Code::nothing) text += text_of(s) + "\n";
  return text;
}

// Reads one line; throws std::runtime_error where it makes no sense.
inline Statement parse_statement(const std::string& line) {
  std::istringstream words(line);
  const auto wrong = [&] { return std::runtime_error("not a statement: " + line); };
  const auto number = [&] {
    int value = 0;
    if (!(words >> value)) throw wrong();
    return value;
  };
  const auto place = [&] {
    std::string word;
    words >> word;
    const size_t plus = word.find('+');
    for (int i = 0; i < kArrays && plus != std::string::npos; i++)
      if (word.substr(0, plus) == kArrayFacts[i].name)
        return Place{i, std::atoi(word.c_str() + plus + 1)};
    throw wrong();
  };
  Statement s;
  std::string word;
  words >> word;
  const size_t dot = word.find('.');
  if (dot != std::string::npos) {
    s.block = std::atoi(word.c_str());
    s.thread = std::atoi(word.c_str() + dot + 1);
    words >> word;
  }
  for (int i = 0; i < static_cast<int>(Code::nothing); i++)
    if (word == facts(static_cast<Code>(i)).name) s.code = static_cast<Code>(i);
  if (s.code == Code::nothing || is_host(s.code) != (dot == std::string::npos)) throw wrong();
  if (is_host(s.code) && s.code != Code::fetch && s.code != Code::sync) s.stream = number();
  if (s.code == Code::launch) {
    s.grid = number();
    s.block_size = number();
  } else if (one_of(s.code, Code::memset, Code::fetch)) {
    s.place = place();
    if (s.code == Code::copy) s.source = place();
    s.bytes = number();
  } else if (s.code == Code::record || s.code == Code::wait) {
    s.event = number();
  } else if (is_warp(s.code)) {
    if (!(words >> std::hex >> s.mask)) throw wrong();
  } else if (facts(s.code).bytes > 0) {
    s.place = place();
  }
  return s;
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    if (line.find_first_not_of(" \t") != std::string::npos) lines.push_back(line);
  return lines;
}

inline Program parse_program(const std::string& text) {
  Program program;
  for (const std::string& line : lines_of(text)) program.push_back(parse_statement(line));
  return program;
}

// Says in one line why the program cannot be run ("" if it can): threads that are not there, places
// beyond an array, a wait without anybody who ends it.
inline std::string why_invalid(const Program& program) {
  const Statement* launch = nullptr;
  std::set<std::pair<int, int>> written;  // places with something to see for a poll
  std::map<std::tuple<int, int, int, int>, int> held;
  std::set<int> recorded;
  for (const Statement& s : program) {
    const std::string line = "'" + text_of(s) + "': ";
    const int bytes = std::max(s.bytes, facts(s.code).bytes);
    if (bytes > 0 && (s.place.offset < 0 || s.place.offset + bytes > kArrayFacts[s.place.array].bytes))
      return line + "beyond the array";
    if (s.code == Code::launch) {
      if (!held.empty()) return line + "a lock of the kernel before is never released";
      if (s.grid < 1 || s.grid > kMaxBlocks || s.block_size < 1 || s.block_size > kMaxThreads)
        return line + "at most 4 blocks of 96 threads";
      launch = &s;
      for (auto it = written.begin(); it != written.end();)
        it = it->first >= kShared ? written.erase(it) : std::next(it);
    } else if (is_host(s.code)) {
      if (s.stream < 0 || s.stream >= kStreams || s.event < 0 || s.event >= kEvents)
        return line + "no such stream or event";
      if (s.code == Code::wait && recorded.count(s.event) == 0) return line + "never recorded";
      if (s.code == Code::record) recorded.insert(s.event);
      if (bytes > 0 && s.place.array >= kShared) return line + "the host has no shared memory";
      launch = nullptr;
      if (!held.empty()) return line + "a lock of the kernel before is never released";
    } else if (s.code != Code::nothing) {
      if (launch == nullptr) return line + "outside of a kernel";
      if (s.block < 0 || s.block >= launch->grid || s.thread < 0 || s.thread >= launch->block_size)
        return line + "no such thread";
      const int size = facts(s.code).bytes;
      if (size > 0 && s.place.offset % size != 0) return line + "misaligned";
      const auto key = std::make_tuple(s.block, s.thread, s.place.array, s.place.offset);
      if (is_poll(s.code) && written.count({s.place.array, s.place.offset}) == 0)
        return line + "nobody writes what it waits for";
      if (!is_poll(s.code) && size > 0 && facts(s.code).access != Access::read)
        written.insert({s.place.array, s.place.offset});
      if (is_lock(s.code) && ++held[key] > 1) return line + "locked twice";
      if (is_unlock(s.code) && held.erase(key) == 0) return line + "it does not hold the lock";
      if (is_warp(s.code)) {
        const int lanes = std::min(32, launch->block_size - s.thread / 32 * 32);
        if (s.mask == 0 || (lanes < 32 && s.mask >> lanes != 0)) return line + "no such lanes";
      }
    }
  }
  return held.empty() ? "" : "a lock is never released";
}

// What each statement writes: odd by a lock, even by an unlock, and otherwise different from what any
// other strong operation writes, so that what a read has seen tells whom it read from.
inline std::vector<uint64_t> values_of(const Program& program) {
  std::vector<uint64_t> values(program.size());
  uint64_t small = 0;
  for (size_t i = 0; i < program.size(); i++) {
    const Code code = program[i].code;
    uint64_t value = (i + 1) * 0x9e3779b97f4a7c15u;
    value ^= value >> 32;
    const int bytes = facts(code).bytes;
    if (bytes == 1) value = is_strong(code) ? ++small % 127 + 1 : value | 0x80;
    if (bytes == 2) value = is_strong(code) ? ++small % 0x7fff + 1 : value | 0x8000;
    if (bytes == 4) value |= 0x40000000;
    if (is_lock(code)) value |= 1;
    if (is_unlock(code)) value &= ~uint64_t{1};
    values[i] = bytes == 0 || bytes == 16 ? value : value & (~uint64_t{0} >> (64 - 8 * bytes));
  }
  return values;
}

// ---------------------------------------------------------------------------------------- oracle

// A graph without cycles, and who comes before whom in it.
class Graph {
 public:
  explicit Graph(int nodes) : successors_(nodes), predecessors_(nodes) {}

  int add_node() {
    successors_.emplace_back();
    predecessors_.push_back(0);
    return static_cast<int>(successors_.size()) - 1;
  }
  void add_edge(int from, int to) {
    successors_[from].push_back(to);
    predecessors_[to]++;
  }

  // The transitive closure: for each node the set of those before it. False if there is a cycle.
  bool close() {
    const size_t nodes = successors_.size();
    words_ = (nodes + 63) / 64;
    before_.assign(nodes * words_, 0);
    std::vector<int> ready;
    std::vector<int> missing = predecessors_;
    for (size_t i = 0; i < nodes; i++)
      if (missing[i] == 0) ready.push_back(static_cast<int>(i));
    size_t done = 0;
    for (; !ready.empty(); done++) {
      const int node = ready.back();
      ready.pop_back();
      const uint64_t* mine = &before_[node * words_];
      for (const int next : successors_[node]) {
        uint64_t* theirs = &before_[next * words_];
        for (size_t w = 0; w < words_; w++) theirs[w] |= mine[w];
        theirs[node / 64] |= uint64_t{1} << node % 64;
        if (--missing[next] == 0) ready.push_back(next);
      }
    }
    return done == nodes;
  }

  bool ordered(int a, int b) const { return is_before(a, b) || is_before(b, a); }
  bool is_before(int a, int b) const { return before_[b * words_ + a / 64] >> a % 64 & 1; }

 private:
  std::vector<std::vector<int>> successors_;
  std::vector<int> predecessors_;
  std::vector<uint64_t> before_;
  size_t words_ = 0;
};

struct Race {
  int first, second;  // statements
  bool certain;       // otherwise neither verdict is wrong: see conflict() and was_seen()
};

// Marks a value that nobody has observed.
constexpr uint64_t kUnseen = 0;

// The races of a program, from what its atomic and volatile reads have observed.
class Oracle {
 public:
  Oracle(const Program& program, const std::vector<uint64_t>& observed)
      : program_(program),
        observed_(observed),
        values_(values_of(program)),
        graph_(static_cast<int>(program.size())) {
    add_kernels();
    add_host();
    add_synchronization();
    possible_ = graph_.close();
    if (possible_) find_races();
  }

  const std::vector<Race>& races() const { return races_; }
  // False if the observed values contradict each other.
  bool possible() const { return possible_; }

 private:
  // ---- program order, barriers, kernels' beginning and end ----

  int thread_id(int launch, int block, int thread) const {
    return (launch * kMaxBlocks + block) * kMaxThreads + thread;
  }

  void add_kernels() {
    const size_t count = program_.size();
    launch_of_.assign(count, -1);
    position_.assign(count, -1);
    int launch = -1;
    for (size_t i = 0; i < count; i++) {
      const Statement& s = program_[i];
      if (s.code == Code::launch) {
        launch = static_cast<int>(launches_.size());
        launches_.push_back(static_cast<int>(i));
        threads_.resize(threads_.size() + kMaxBlocks * kMaxThreads);
      } else if (s.code != Code::nothing && !is_host(s.code)) {
        launch_of_[i] = launch;
        for_each_thread(s, program_[launches_[launch]].block_size, [&](int thread) {
          auto& mine = threads_[thread_id(launch, s.block, thread)];
          position_[i] = static_cast<int>(mine.size());
          mine.push_back(static_cast<int>(i));
        });
      }
    }
    for (size_t i = 0; i < launches_.size(); i++) ends_.push_back(graph_.add_node());
    for (size_t thread = 0; thread < threads_.size(); thread++) {
      const size_t l = thread / (kMaxBlocks * kMaxThreads);
      add_program_order(threads_[thread], launches_[l], ends_[l]);
    }
    for (size_t l = 0; l < launches_.size(); l++) graph_.add_edge(launches_[l], ends_[l]);
  }

  // Calls function(thread) for each thread that executes the statement and is ordered by it with the
  // others: shuffles and votes order nothing, so that nobody is.
  template <typename Function>
  static void for_each_thread(const Statement& s, int block_size, const Function& function) {
    if (s.code == Code::shuffle || s.code == Code::vote) return;
    for (int thread = 0; thread < block_size; thread++) {
      const bool takes_part = s.code == Code::barrier ||
                              (s.code == Code::syncwarp && thread / 32 == s.thread / 32 &&
                               (s.mask >> thread % 32 & 1) != 0) ||
                              (!is_group(s.code) && thread == s.thread);
      if (takes_part) function(thread);
    }
  }

  void add_program_order(const std::vector<int>& statements, int begin, int end) {
    int last = begin;
    for (const int statement : statements) {
      graph_.add_edge(last, statement);
      last = statement;
    }
    graph_.add_edge(last, end);
  }

  // ---- streams, events, the host's waits ----

  void add_host() {
    std::vector<int> tails(kStreams, -1), events(kEvents, -1);
    std::vector<int> host;  // what the host has waited for
    int last_legacy = -1, launch = 0;
    for (size_t i = 0; i < program_.size(); i++) {
      const Statement& s = program_[i];
      const int node = static_cast<int>(i);
      if (s.code == Code::sync) {
        for (const int tail : tails)
          if (tail >= 0) host.push_back(tail);
      } else if (s.code == Code::sync_stream) {
        // To wait for the legacy default stream is to wait for the blocking streams, as on an H100:
        // tests/conformance/recorded/order.txt.
        for (int other = 0; other < kStreams; other++)
          if (tails[other] >= 0 && (other == s.stream || (s.stream == 0 && other < kFirstNonBlocking)))
            host.push_back(tails[other]);
      } else if (is_host(s.code)) {
        std::vector<int> before = host;
        before.push_back(tails[s.stream]);
        if (s.stream == 0) before.insert(before.end(), tails.begin(), tails.begin() + kFirstNonBlocking);
        if (s.stream < kFirstNonBlocking) before.push_back(last_legacy);
        if (s.code == Code::wait) before.push_back(events[s.event]);
        for (const int other : before)
          if (other >= 0) graph_.add_edge(other, node);
        const int end = s.code == Code::launch ? ends_[launch++] : node;
        tails[s.stream] = end;
        if (s.stream == 0) last_legacy = end;
        if (s.code == Code::record) events[s.event] = end;
        if (s.code == Code::fetch) host.push_back(end);
      }
    }
  }

  // ---- release and acquire ----

  // Whether the scope of an operation of statement a includes the thread of b.
  bool includes(Scope scope, int a, int b) const {
    if (scope == Scope::none) return false;
    if (scope != Scope::block) return true;
    return launch_of_[a] == launch_of_[b] && program_[a].block == program_[b].block;
  }
  bool same_thread(int a, int b) const {
    return launch_of_[a] >= 0 && launch_of_[a] == launch_of_[b] &&
           program_[a].block == program_[b].block && program_[a].thread == program_[b].thread;
  }
  bool same_block(int a, int b) const { return includes(Scope::block, a, b); }
  bool include_each_other(int a, int b) const {
    return includes(facts(program_[a].code).scope, a, b) &&
           includes(facts(program_[b].code).scope, b, a);
  }
  // Two strong operations that see each other as whole.
  bool morally_strong(int a, int b) const {
    return is_strong(program_[a].code) && is_strong(program_[b].code) &&
           (same_thread(a, b) || include_each_other(a, b)) && same_place(a, b) &&
           facts(program_[a].code).bytes == facts(program_[b].code).bytes;
  }
  bool same_place(int a, int b) const {
    const Place &p = program_[a].place, &q = program_[b].place;
    return p.array == q.array && p.offset == q.offset && (p.array < kShared || same_block(a, b));
  }
  bool reads(int i) const {
    const Access access = facts(program_[i].code).access;
    return access == Access::read || access == Access::update || access == Access::compare;
  }
  // A comparison succeeds when it sees 0, see the kernel.
  bool failed(int i) const {
    return facts(program_[i].code).access == Access::compare && observed_[i] != 0;
  }

  uint64_t written_value(int i) const {
    const Code code = program_[i].code;
    const int bytes = facts(code).bytes;
    const uint64_t value = values_[i];
    if (!one_of(code, Code::add4, Code::add8)) return value;
    return (observed_[i] + value) & (~uint64_t{0} >> (64 - 8 * bytes));
  }

  // For each strong read: from which strong write it read, and with the atomic read-modify-writes
  // between, from which others. Then fence before the write, fence after the read.
  void add_synchronization() {
    std::map<std::tuple<int, int, uint64_t>, std::vector<int>> writers;
    for (int i = 0; i < static_cast<int>(program_.size()); i++) {
      const Statement& s = program_[i];
      const Access access = facts(s.code).access;
      if (is_strong(s.code) && access != Access::read && !is_poll(s.code) && !failed(i))
        writers[{s.place.array, s.place.offset, written_value(i)}].push_back(i);
    }
    for (int i = 0; i < static_cast<int>(program_.size()); i++) {
      if (!is_strong(program_[i].code) || !reads(i)) continue;
      std::set<int> seen;
      for (int reader = i; reads(reader) && observed_[reader] != kUnseen;) {
        const Place place = program_[reader].place;
        int writer = -1;
        for (const int w : writers[{place.array, place.offset, observed_[reader]}])
          if (w != reader && morally_strong(w, reader)) writer = w;
        if (writer < 0 || !seen.insert(writer).second) break;
        if (!same_thread(writer, i)) {
          readers_[writer].push_back(i);
          synchronize(writer, i);
        }
        reader = writer;  // a read-modify-write hands on what it has read from
      }
    }
  }

  void synchronize(int writer, int reader) {
    const int release = find_fence(writer, -1, reader), acquire = find_fence(reader, +1, writer);
    if (release >= 0 && acquire >= 0) graph_.add_edge(release, acquire);
  }

  // The nearest fence of i's thread before (-1) or after (+1) i that includes the thread of other.
  int find_fence(int i, int step, int other) const {
    const Statement& s = program_[i];
    const auto& mine = threads_[thread_id(launch_of_[i], s.block, s.thread)];
    const int count = static_cast<int>(mine.size());
    for (int at = position_[i] + step; at >= 0 && at < count; at += step) {
      const Code code = program_[mine[at]].code;
      if (is_fence(code) && includes(facts(code).scope, i, other)) return mine[at];
    }
    return -1;
  }

  // ---- conflicts ----

  enum class Conflict { no, maybe, yes };

  Conflict conflict(int a, bool a_writes, int b, bool b_writes) const {
    if ((!a_writes && !b_writes) || same_thread(a, b)) return Conflict::no;
    if (program_[a].place.array >= kShared && !same_block(a, b)) return Conflict::no;
    if (morally_strong(a, b)) {
      const bool old_style = program_[a].place.array >= kShared && same_block(a, b) &&
                             program_[a].thread / 32 == program_[b].thread / 32;
      const int volatiles = (facts(program_[a].code).strength == Strength::is_volatile) +
                            (facts(program_[b].code).strength == Strength::is_volatile);
      if (!old_style || volatiles == 0) return Conflict::no;
      return volatiles == 2 ? Conflict::yes : Conflict::maybe;
    }
    // Did the comparison write? One that waits did so while it saw 0, if it ever did.
    const bool a_surely = a_writes && !failed(a), b_surely = b_writes && !failed(b);
    return a_surely || b_surely ? Conflict::yes : Conflict::maybe;
  }

  struct Touch {
    int statement;
    int first, last;  // bytes of the array
    bool writes;
  };

  void find_races() {
    // Accesses by the 16 bytes that they touch; an access of a kernel never touches more.
    std::map<std::pair<int, int>, std::vector<Touch>> chunks;
    const auto touch = [&](int i, Place place, int bytes, bool writes) {
      const Touch one{i, place.offset, place.offset + bytes - 1, writes};
      for (int chunk = one.first / 16; chunk <= one.last / 16; chunk++)
        chunks[{place.array, chunk}].push_back(one);
    };
    for (int i = 0; i < static_cast<int>(program_.size()); i++) {
      const Statement& s = program_[i];
      const int bytes = std::max(s.bytes, facts(s.code).bytes);
      if (bytes > 0) touch(i, s.place, bytes, facts(s.code).access != Access::read);
      if (s.code == Code::copy) touch(i, s.source, bytes, false);
    }
    std::set<std::pair<int, int>> known;
    for (const auto& chunk : chunks) {
      const auto& touches = chunk.second;
      for (size_t k = 1; k < touches.size(); k++)
        for (size_t j = 0; j < k; j++) check_pair(touches[j], touches[k], &known);
    }
  }

  void check_pair(const Touch& a, const Touch& b, std::set<std::pair<int, int>>* known) {
    if (a.last < b.first || b.last < a.first || a.statement == b.statement) return;
    const Conflict kind = conflict(a.statement, a.writes, b.statement, b.writes);
    if (kind == Conflict::no || graph_.ordered(a.statement, b.statement)) return;
    if (!known->insert({a.statement, b.statement}).second) return;
    const bool seen = was_seen(a.statement, b.statement) || was_seen(b.statement, a.statement);
    races_.push_back({a.statement, b.statement, kind == Conflict::yes && !seen});
  }

  // Whether an atomic write was observed by somebody who comes before b. PTX takes that for an order
  // of this one write (not of what precedes it): who has seen all others count may set the counter
  // to 0. A detector may ask for fences there.
  bool was_seen(int writer, int b) const {
    const auto readers = readers_.find(writer);
    if (readers == readers_.end()) return false;
    for (const int reader : readers->second)
      if (reader == b || graph_.is_before(reader, b)) return true;
    return false;
  }

  const Program& program_;
  const std::vector<uint64_t>& observed_;
  const std::vector<uint64_t> values_;
  Graph graph_;
  std::vector<int> launch_of_;             // of each statement; -1: the host's
  std::vector<int> position_;              // of each statement among its thread's
  std::vector<int> launches_, ends_;       // nodes: a kernel begins, and ends
  std::vector<std::vector<int>> threads_;  // statements of each thread, in program order
  std::map<int, std::vector<int>> readers_;  // of each strong write: who has observed it
  std::vector<Race> races_;
  bool possible_ = false;
};

// What the reads would observe if the statements ran one after the other, as far as somebody waits
// for it: polls and locks. Data are not followed.
inline std::vector<uint64_t> expected_observations(const Program& program) {
  const std::vector<uint64_t> values = values_of(program);
  std::vector<uint64_t> observed(program.size(), kUnseen);
  std::map<std::tuple<int, int, int>, uint64_t> memory;  // shared memory: by block
  for (size_t i = 0; i < program.size(); i++) {
    const Statement& s = program[i];
    const CodeFacts& f = facts(s.code);
    if (s.code == Code::launch)
      for (auto it = memory.begin(); it != memory.end();)
        it = std::get<0>(it->first) >= kShared ? memory.erase(it) : std::next(it);
    if (is_host(s.code) || f.bytes == 0) continue;
    uint64_t& now =
        memory[{s.place.array, s.place.offset, s.place.array >= kShared ? s.block : 0}];
    if (is_poll(s.code) || is_lock(s.code) || is_unlock(s.code)) observed[i] = now;
    const bool adds = one_of(s.code, Code::add4, Code::add8);
    if (adds && (s.place.array == flags || s.place.array == shared_flags)) observed[i] = now;
    if (f.access != Access::read && !is_poll(s.code)) 
      now = (values[i] + (adds ? now : 0)) & (~uint64_t{0} >> (64 - 8 * std::min(f.bytes, 8)));
  }
  return observed;
}

// ------------------------------------------------------------------------------------- generator

enum class Aim { any_races, no_race, one_pair };

class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed ^ 0x5eed) {
    aim_ = seed % 3 == 0 ? Aim::any_races : seed % 3 == 1 ? Aim::no_race : Aim::one_pair;
    const int kind = pick(10);
    if (kind < 7) {
      add_kernel(0, 4, 2 + pick(10));
    } else if (kind == 7) {
      for (int kernels = 2 + pick(2); kernels > 0; kernels--) add_kernel(0, 2, 1 + pick(5));
    } else {
      add_streams();
    }
    reduce();
  }

  const Program& program() const { return program_; }
  Aim aim() const { return aim_; }

 private:
  struct Thread {
    int block, thread;
  };

  int pick(int count) { return static_cast<int>(random_.below(static_cast<uint32_t>(count))); }
  bool chance(int percent) { return pick(100) < percent; }
  template <typename T>
  T any_of(std::initializer_list<T> list) {
    return list.begin()[pick(static_cast<int>(list.size()))];
  }

  // ---- statements ----

  void say(Thread who, Code code, Place place = {}) {
    Statement s;
    s.code = code;
    s.block = who.block;
    s.thread = who.thread;
    s.place = place;
    program_.push_back(s);
  }
  void say_fence(Thread who, Scope scope) {
    if (scope == Scope::none) return;
    say(who, scope == Scope::block    ? Code::fence_block
             : scope == Scope::device ? Code::fence
                                      : Code::fence_system);
  }
  void say_warp(Code code, int block, int warp, unsigned mask) {
    const int lanes = std::min(32, block_size_ - 32 * warp);
    if (lanes < 32) mask &= (1u << lanes) - 1;
    if (mask == 0) return;
    say({block, 32 * warp}, code);
    program_.back().mask = mask;
  }
  Statement& say_host(Code code, int stream) {
    Statement s;
    s.code = code;
    s.stream = stream;
    program_.push_back(s);
    return program_.back();
  }

  // ---- accesses ----

  Thread any_thread() {
    // Few threads do most of the work, so that they meet.
    if (!actors_.empty() && chance(80)) return actors_[pick(static_cast<int>(actors_.size()))];
    return {pick(grid_), pick(block_size_)};
  }

  Place any_place(int bytes) {
    Place place = hot_[pick(static_cast<int>(hot_.size()))];
    place.offset += pick(16 / bytes) * bytes;
    return place;
  }

  Code any_access() {
    const int kind = pick(100);
    if (kind < 30)
      return any_of({Code::read1, Code::read2, Code::read4, Code::read8, Code::read16,
                     Code::other_read1, Code::other_read4});
    if (kind < 65)
      return any_of({Code::write1, Code::write2, Code::write4, Code::write8, Code::write16,
                     Code::other_write1, Code::other_write4});
    if (kind < 75)
      return any_of({Code::volatile_read1, Code::volatile_read2, Code::volatile_read4,
                     Code::volatile_read8, Code::volatile_write1, Code::volatile_write2,
                     Code::volatile_write4, Code::volatile_write8});
    if (kind < 97 || aim_ != Aim::any_races)
      return any_of({Code::add4, Code::add4_block, Code::add4_system, Code::add8, Code::exch4,
                     Code::exch4_block, Code::exch4_system, Code::exch8, Code::exch8_block});
    return any_of({Code::cas4, Code::cas4_block, Code::cas4_system, Code::cas8});
  }
  Code plain_access() {
    Code code = any_access();
    while (is_strong(code)) code = any_access();
    return code;
  }

  void say_access(Thread who) {
    const Code code = plain_only_ ? plain_access() : any_access();
    say(who, code, any_place(facts(code).bytes));
  }
  void say_access_at(Thread who, Place chunk) {
    const Code code = chance(80) || plain_only_ ? plain_access() : any_access();
    const int bytes = facts(code).bytes;
    chunk.offset += pick(16 / bytes) * bytes;
    say(who, code, chunk);
  }

  // ---- phrases ----

  void say_accesses() {
    for (int threads = 1 + pick(4); threads > 0; threads--) {
      const Thread who = any_thread();
      for (int count = 1 + pick(2); count > 0; count--) say_access(who);
    }
  }

  // Each thread of one block, or of all, accesses an element of its own, or its neighbor's.
  void say_pattern() {
    const Code code = any_of({Code::read1, Code::read4, Code::read8, Code::write1, Code::write4,
                              Code::write8, Code::volatile_read4, Code::volatile_write4, Code::add4,
                              Code::add4_block});
    const int bytes = facts(code).bytes, shift = any_of({0, 0, 1, 31, 32});
    const bool shared = chance(60);
    const int array = bytes == 1 ? (shared ? sc : gc) : bytes == 4 ? (shared ? si : gi)
                                                                   : (shared ? sl : gl);
    const int elements = kArrayFacts[array].bytes / bytes;
    const int first = shared && chance(50) ? pick(grid_) : 0;
    const int last = shared && chance(50) ? first : grid_ - 1;
    const bool same_for_all = chance(15);
    for (int block = first; block <= last; block++)
      for (int thread = 0; thread < block_size_; thread++) {
        const int index = (shared ? 0 : block * block_size_) + thread + shift;
        say({block, thread}, code, {array, same_for_all ? 0 : index % elements * bytes});
      }
  }

  void say_barrier(int block) { say({block, 0}, Code::barrier); }
  void say_barriers() {
    if (chance(30)) return say_barrier(pick(grid_));
    for (int block = 0; block < grid_; block++) say_barrier(block);
  }

  void say_warps() {
    const Code code = chance(70) ? Code::syncwarp : any_of({Code::shuffle, Code::vote});
    const unsigned mask = any_of({0xffffffffu, 0xffffu, 0xffff0000u, 0x55555555u, random_.bits()});
    const int warps = (block_size_ + 31) / 32;
    const Thread who = any_thread();
    if (chance(60)) {
      say_warp(code, who.block, who.thread / 32, chance(50) ? mask : mask | 1u << who.thread % 32);
    } else {
      for (int block = 0; block < grid_; block++)
        for (int warp = 0; warp < warps; warp++) say_warp(code, block, warp, mask);
    }
  }

  // A scope for a fence or an atomic that ought to be `needed`.
  Scope any_scope(Scope needed) {
    const int kind = pick(100);
    if (kind < 12) return Scope::none;
    if (kind < 24) return Scope::block;
    if (kind < 34) return Scope::system;
    return needed;
  }

  Code flag_write(Scope scope, bool may_be_volatile) {
    if (chance(8)) return Code::write4;
    if (may_be_volatile && chance(25)) return Code::volatile_write4;
    if (scope == Scope::block) return any_of({Code::exch4_block, Code::add4_block});
    if (scope == Scope::system) return any_of({Code::exch4_system, Code::add4_system});
    return any_of({Code::exch4, Code::add4, Code::exch4_system});
  }
  Code flag_poll(Scope scope, bool may_be_volatile) {
    if (may_be_volatile && chance(40)) return Code::poll_volatile;
    if (scope == Scope::block) return any_of({Code::poll_add_block, Code::poll_cas_block});
    if (scope == Scope::system) return Code::poll_cas_system;
    return any_of({Code::poll_add, Code::poll_cas});
  }

  Place next_flag(bool shared) {
    const Place place{shared ? shared_flags : flags, 4 * (shared ? next_shared_++ : next_global_++)};
    return place;
  }
  bool out_of_flags() const {
    return 4 * next_shared_ + 16 > kArrayFacts[shared_flags].bytes ||
           4 * next_global_ + 16 > kArrayFacts[flags].bytes;
  }

  // Someone writes data, then a flag; somebody else waits for the flag and uses the data.
  void say_handoff() {
    if (out_of_flags()) return;
    const Thread writer = any_thread();
    Thread reader = any_thread();
    for (int i = 0; i < 5 && same(writer, reader); i++) reader = any_thread();
    if (same(writer, reader)) return;
    const bool same_block = writer.block == reader.block;
    const bool same_warp = same_block && writer.thread / 32 == reader.thread / 32;
    const Scope needed = same_block && chance(60) ? Scope::block : Scope::device;
    const bool shared = same_block && chance(50);
    const Place flag = next_flag(shared);
    const bool may_be_volatile = !(shared && same_warp);
    const Place data = hot_[pick(static_cast<int>(hot_.size()))];
    // The data may be another thread's of the block, which a barrier hands over.
    const Thread first = chance(25) ? Thread{writer.block, pick(block_size_)} : writer;
    const Thread last = chance(25) ? Thread{reader.block, pick(block_size_)} : reader;

    say_access_at(first, data);
    if (!same(first, writer)) say_barrier(writer.block);
    say_fence(writer, any_scope(needed));
    if (chance(20)) say_access_at(writer, data);  // too late
    Scope flag_scope = any_scope(needed);
    if (flag_scope == Scope::none) flag_scope = needed;
    say(writer, flag_write(flag_scope, may_be_volatile), flag);
    if (chance(20)) say_access_at(writer, data);
    flag_scope = any_scope(needed);
    if (flag_scope == Scope::none) flag_scope = needed;
    say(reader, flag_poll(flag_scope, may_be_volatile), flag);
    if (chance(15)) say_access_at(reader, data);  // too early
    say_fence(reader, any_scope(needed));
    if (!same(last, reader)) say_barrier(reader.block);
    say_access_at(last, data);
    if (chance(50)) say_access_at(last, data);
  }
  static bool same(Thread a, Thread b) { return a.block == b.block && a.thread == b.thread; }

  // Some threads use the same data under a lock, all in the same right or wrong way.
  void say_locks() {
    if (out_of_flags()) return;
    const int threads = 2 + pick(3);
    const bool one_block = chance(50);
    const int block = pick(grid_);
    const Scope needed = one_block && chance(60) ? Scope::block : Scope::device;
    const Place lock = next_flag(one_block && chance(40));
    const Place data = hot_[pick(static_cast<int>(hot_.size()))];
    const Scope acquire = any_scope(needed), release = any_scope(needed);
    const bool narrow_lock = chance(10), narrow_unlock = chance(10), plain = chance(8);
    const Code take = needed == Scope::block || narrow_lock ? Code::lock_block : Code::lock;
    const Code leave = plain                                    ? Code::unlock_plain
                       : needed == Scope::block || narrow_unlock ? Code::unlock_block
                                                                 : Code::unlock;
    for (int i = 0; i < threads; i++) {
      Thread who = any_thread();
      if (one_block) who.block = block;
      say(who, take, lock);
      say_fence(who, acquire);
      for (int count = 1 + pick(2); count > 0; count--) say_access_at(who, data);
      say_fence(who, release);
      say(who, leave, lock);
    }
  }

  void say_phrase() {
    const int kind = pick(100);
    if (kind < 30) say_accesses();
    else if (kind < 40) say_pattern();
    else if (kind < 58) say_barriers();
    else if (kind < 70) say_warps();
    else if (kind < 74) say_fence(any_thread(), any_of({Scope::block, Scope::device}));
    else if (kind < 90) say_handoff();
    else say_locks();
  }

  // ---- kernels and streams ----

  void choose_hot_places(bool only_global) {
    hot_.clear();
    for (int count = 2 + pick(3); count > 0; count--) {
      const int array = only_global || chance(50) ? any_of<int>({gc, gi, gl, gq})
                                                  : any_of<int>({sc, si, sl, sq});
      // At the beginning, where patterns are too.
      hot_.push_back({array, 16 * pick(std::min(8, kArrayFacts[array].bytes / 16))});
    }
  }

  void add_kernel(int stream, int most_blocks, int phrases) {
    Statement& launch = say_host(Code::launch, stream);
    launch.grid = grid_ = 1 + pick(most_blocks);
    launch.block_size = block_size_ = any_of({32, 64, 96, 33, 64, 48});
    if (hot_.empty() || chance(30)) choose_hot_places(false);
    actors_.clear();
    for (int count = 2 + pick(4); count > 0; count--)
      actors_.push_back({pick(grid_), pick(block_size_)});
    next_shared_ = 0;
    for (; phrases > 0; phrases--) say_phrase();
  }

  // Kernels do not wait for kernels, and a fence next to an atomic might order them by chance: so
  // there are no fences here.
  void add_streams() {
    choose_hot_places(true);
    plain_only_ = chance(60);
    const int streams[] = {pick(kStreams), pick(kStreams), pick(kStreams)};
    const auto stream = [&] { return streams[pick(3)]; };
    bool recorded[kEvents] = {};
    for (int steps = 4 + pick(7); steps > 0; steps--) {
      const int kind = pick(100);
      if (kind < 40) {
        const Statement launch = [&] {
          Statement& s = say_host(Code::launch, stream());
          s.grid = grid_ = 1 + pick(2);
          s.block_size = block_size_ = any_of({32, 64});
          return s;
        }();
        actors_ = {{pick(grid_), pick(launch.block_size)}};
        for (int count = 1 + pick(3); count > 0; count--) {
          if (chance(70)) say_accesses();
          else if (chance(50)) say_pattern();
          else say_barriers();
        }
      } else if (kind < 50) {
        Statement& s = say_host(Code::memset, stream());
        s.place = hot_[pick(static_cast<int>(hot_.size()))];
        s.bytes = any_of({1, 16, 32});
      } else if (kind < 58) {
        Statement& s = say_host(Code::copy, stream());
        s.place = hot_[pick(static_cast<int>(hot_.size()))];
        s.source = {gq, 512};
        s.bytes = any_of({4, 16});
        if (chance(50)) std::swap(s.place, s.source);
      } else if (kind < 63) {
        Statement& s = say_host(Code::fetch, 0);
        s.place = hot_[pick(static_cast<int>(hot_.size()))];
        s.bytes = 16;
      } else if (kind < 92) {
        const int event = pick(kEvents);
        const int from = streams[pick(3)], to = streams[pick(3)];
        if (from == 0 || to == 0) continue;
        if (!recorded[event] || chance(60)) say_host(Code::record, from).event = event;
        recorded[event] = true;
        say_host(Code::wait, to).event = event;
      } else if (kind < 96) {
        say_host(Code::sync_stream, stream());
      } else {
        say_host(Code::sync, 0);
      }
    }
  }

  // ---- fewer races ----

  void take_out(int statement) { program_[statement].code = Code::nothing; }

  // Takes out data accesses until there is no race, or no pair but one.
  void reduce() {
    std::pair<int, int> planted{-1, -1};
    for (int round = 0; aim_ != Aim::any_races && round < 20; round++) {
      const std::vector<uint64_t> observed = expected_observations(program_);
      const std::vector<Race> races = Oracle(program_, observed).races();
      if (aim_ == Aim::one_pair && planted.first < 0 && !races.empty()) {
        const Race& race = races[pick(static_cast<int>(races.size()))];
        planted = {race.first, race.second};
      }
      bool changed = false;
      for (const Race& race : races) {
        const auto spare = [&](int i) {
          return !is_data(program_[i].code) || i == planted.first || i == planted.second ||
                 program_[i].place.array == flags || program_[i].place.array == shared_flags;
        };
        int victim = chance(50) ? race.first : race.second;
        if (spare(victim)) victim = race.first + race.second - victim;
        const bool gone = program_[race.first].code == Code::nothing ||
                          program_[race.second].code == Code::nothing;
        if (gone || spare(victim)) continue;
        take_out(victim);
        changed = true;
      }
      if (!changed) break;
    }
    program_.erase(std::remove_if(program_.begin(), program_.end(),
                                  [](const Statement& s) { return s.code == Code::nothing; }),
                   program_.end());
  }

  course::Random random_;
  Aim aim_;
  Program program_;
  int grid_ = 1, block_size_ = 32;
  std::vector<Thread> actors_;
  std::vector<Place> hot_;
  bool plain_only_ = false;
  int next_global_ = 0, next_shared_ = 0;
};

}  // namespace random_kernels
