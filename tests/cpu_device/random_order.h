// Random programs of streams, events, host functions, graphs and stream-ordered memory as plain data, and a model that says
// which orders CUDA allows. tests/cpu_device/random_order.cu runs them and compares.
//
// The model knows nothing of the runtime: it is a graph of operations with an edge for each rule of CUDA, and bitsets hold
// its transitive closure. As text, a statement a line:
//
//   kernel S, host S       a kernel or a host function in stream S: it notes its number, and which fills are done
//   copy S                 an asynchronous copy: of how many have noted their number
//   fill S                 an asynchronous fill of a byte
//   record E S, wait S E   event E is recorded in S, S waits for it
//   launch S G             graph G in stream S. Before it is launched first, its statements (`G: kernel S`) are captured
//   allocate S K           stream-ordered memory K; `use` writes to it and looks for what was written before, `free` frees it
//   again S                the stream is destroyed, and another one takes its place
//   sync_stream S, sync_event E, sync_device D, fetch D, free_any D     the host waits; fetch: for a blocking copy
#pragma once

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <cstdio>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../common/program/random.h"

namespace random_order {

enum class Code {
  kernel, host, copy, fill, record, wait, launch, allocate, use, free, again, sync_stream, sync_event, sync_device, fetch,
  free_any
};
constexpr const char* kNames[] = {"kernel", "host", "copy", "fill", "record", "wait", "launch", "allocate", "use", "free",
                                  "again", "sync_stream", "sync_event", "sync_device", "fetch", "free_any"};

struct Statement {
  Code code;
  int first, second;  // as in the text; 0 where there is none
  int graph;          // that it is a part of; -1: none
};
using Program = std::vector<Statement>;

enum class StreamKind { legacy, per_thread, blocking, non_blocking };
struct StreamFacts {
  const char* name;
  StreamKind kind;
  int device, thread;
};
constexpr StreamFacts kStreams[] = {
    {"legacy", StreamKind::legacy, 0, 0},           {"per_thread", StreamKind::per_thread, 0, 0},
    {"a", StreamKind::blocking, 0, 0},              {"b", StreamKind::blocking, 0, 0},
    {"c", StreamKind::non_blocking, 0, 0},          {"d", StreamKind::non_blocking, 0, 0},
    {"other_thread", StreamKind::per_thread, 0, 1}, {"legacy1", StreamKind::legacy, 1, 0},
    {"e", StreamKind::blocking, 1, 0},              {"f", StreamKind::non_blocking, 1, 0}};
constexpr int kStreamCount = sizeof kStreams / sizeof *kStreams, kStreamsOfDevice0 = 7;
constexpr int kEvents = 5, kEventsOfDevice0 = 3;  // the others belong to device 1
constexpr int kGraphs = 2, kMemories = 3;
constexpr int kOriginOfCapture = 2;
constexpr int kStreamsOfCapture[] = {2, 3, 4, 5};

inline int device_of_event(int event) { return event < kEventsOfDevice0 ? 0 : 1; }

// ---- as text ----

inline std::string text_of(const Program& program) {
  std::string text;
  for (const Statement& s : program) {
    if (s.graph >= 0) text += std::to_string(s.graph) + ": ";
    text += kNames[static_cast<int>(s.code)];
    const auto stream = [](int number) { return std::string(" ") + kStreams[number].name; };
    switch (s.code) {
      case Code::record: text += " " + std::to_string(s.first) + stream(s.second); break;
      case Code::wait: case Code::launch: case Code::allocate: case Code::use: case Code::free:
        text += stream(s.first) + " " + std::to_string(s.second);
        break;
      case Code::sync_event: case Code::sync_device: case Code::fetch: case Code::free_any:
        text += " " + std::to_string(s.first);
        break;
      default: text += stream(s.first);
    }
    text += "\n";
  }
  return text;
}

inline Program parse(const std::string& text) {
  Program program;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    Statement s{Code::kernel, 0, 0, -1};
    std::string word;
    if (!(words >> word)) continue;
    if (word.back() == ':') {
      s.graph = std::stoi(word);
      words >> word;
    }
    const auto* name = std::find(std::begin(kNames), std::end(kNames), word);
    if (name == std::end(kNames)) throw std::runtime_error("no statement: " + line);
    s.code = static_cast<Code>(name - kNames);
    for (int* number : {&s.first, &s.second}) {
      if (!(words >> word)) break;
      const auto* stream = std::find_if(std::begin(kStreams), std::end(kStreams), [&](const StreamFacts& f) { return word == f.name; });
      *number = stream == std::end(kStreams) ? std::stoi(word) : static_cast<int>(stream - kStreams);
    }
    program.push_back(s);
  }
  return program;
}

// ---- random ones ----

inline Program random_program(uint32_t seed) {
  course::Random random(seed);
  const auto below = [&](int count) { return static_cast<int>(random.below(static_cast<uint32_t>(count))); };
  Program program;
  const int length = 4 + below(32), streams = below(3) == 0 ? kStreamCount : kStreamsOfDevice0;
  const int devices = streams == kStreamCount ? 2 : 1, events = devices == 2 ? kEvents : kEventsOfDevice0;
  const int graphs = below(3) == 0 ? 1 + below(kGraphs) : 0;
  for (int g = 0; g < graphs; g++) {
    const int body = 1 + below(7);
    for (int i = 0; i < body; i++) {
      const int s = kStreamsOfCapture[below(4)], e = below(kEventsOfDevice0);
      switch (below(5)) {
        case 0: program.push_back({Code::host, s, 0, g}); break;
        case 1: program.push_back({Code::record, e, s, g}); break;
        case 2: program.push_back({Code::wait, s, e, g}); break;
        default: program.push_back({Code::kernel, s, 0, g});
      }
    }
  }
  for (int i = 0; i < length; i++) {
    const int s = below(streams), e = below(events);
    const auto on_its_device = [&](int event) {
      int stream = below(streams);
      while (kStreams[stream].device != device_of_event(event)) stream = below(streams);
      return stream;
    };
    const int choice = below(24);
    if (choice < 6) program.push_back({Code::kernel, s, 0, -1});
    else if (choice < 8) program.push_back({Code::host, s, 0, -1});
    else if (choice < 9) program.push_back({Code::copy, s, 0, -1});
    else if (choice < 11) program.push_back({Code::fill, s, 0, -1});
    else if (choice < 14) program.push_back({Code::record, e, on_its_device(e), -1});
    else if (choice < 17) program.push_back({Code::wait, s, e, -1});
    else if (choice < 18 && graphs > 0) program.push_back({Code::launch, below(kStreamsOfDevice0), below(graphs), -1});
    else if (choice < 20) {
      const int k = below(kMemories);
      const Code code = below(3) == 0 ? Code::free : below(2) == 0 ? Code::allocate : Code::use;
      program.push_back({code, below(kStreamsOfDevice0), k, -1});
    } else if (choice < 21) {
      if (kStreams[s].kind == StreamKind::blocking || kStreams[s].kind == StreamKind::non_blocking)
        program.push_back({Code::again, s, 0, -1});
    } else if (choice < 22) program.push_back({Code::sync_stream, s, 0, -1});
    else if (choice < 23) program.push_back({Code::sync_event, e, 0, -1});
    else
      program.push_back({below(3) == 0 ? Code::sync_device : below(3) == 0 ? Code::free_any : Code::fetch, below(devices), 0, -1});
  }
  return program;
}

// ---- the model ----

constexpr size_t kMostOperations = 1024;

enum class Does { nothing, notes, copies, fills };
struct Operation {
  Does does = Does::nothing;
  int number = -1;  // what it notes, or which copy or fill it is
  bool in_graph = false;
  std::vector<int> after;
  std::bitset<kMostOperations> before;  // all of them
};

// After a statement for which the host waits: for these operations.
struct Wait {
  size_t statement;
  std::vector<int> for_these;
};

// Numbers are given in the order of the text, so that the model and the program agree: see number_of().
class Model {
 public:
  explicit Model(const Program& program) : program_(program) {
    for (size_t i = 0; i < program.size(); i++)
      if (program[i].graph < 0) add(i);
    for (int device = 0; device < 2; device++) wait_for_device(program.size(), device);
    for (Operation& operation : operations_)
      for (const int one : operation.after) operation.before |= operations_[one].before, operation.before.set(one);
  }
  const std::vector<Operation>& operations() const { return operations_; }
  const std::vector<Wait>& waits() const { return waits_; }
  bool has_graphs() const { return has_graphs_; }

  // What runs last of all that could be next is what was queued first: the order of those who run only what they must.
  std::vector<int> latest_order(std::vector<size_t>* ends_of_waits) const {
    std::vector<int> order;
    std::vector<bool> done(operations_.size());
    for (const Wait& wait : waits_) {
      std::bitset<kMostOperations> needed;
      for (const int one : wait.for_these) needed |= operations_[one].before, needed.set(one);
      for (bool more = true; more;) {
        more = false;
        for (int i = static_cast<int>(operations_.size()) - 1; i >= 0 && !more; i--) {
          const auto is_done = [&](int one) { return done[one]; };
          if (!needed[i] || done[i] || !std::all_of(operations_[i].after.begin(), operations_[i].after.end(), is_done)) continue;
          done[i] = more = true;
          order.push_back(i);
        }
      }
      ends_of_waits->push_back(order.size());
    }
    return order;
  }

 private:
  void add(size_t at) {
    const Statement& s = program_[at];
    const int number = static_cast<int>(at);
    switch (s.code) {
      case Code::kernel: case Code::host: enqueue(s.first, Does::notes, number); break;
      case Code::copy: enqueue(s.first, Does::copies, number); break;
      case Code::fill: enqueue(s.first, Does::fills, number); break;
      case Code::record: events_[s.first] = enqueue(s.second, Does::nothing, -1); break;
      case Code::wait: wait_for_event(s.first, s.second); break;
      case Code::launch: launch(s.second, s.first); break;
      case Code::allocate:
        if (memory_.count(s.second) == 0) memory_[s.second] = enqueue(s.first, Does::notes, number);
        break;
      case Code::use: case Code::free:
        if (memory_.count(s.second) == 0) break;
        chain(s.first, s.second, s.code == Code::use ? number : -1);
        if (s.code == Code::free) memory_.erase(s.second);
        break;
      case Code::again:
        if (last_.count(s.first) != 0 && kStreams[s.first].kind == StreamKind::blocking) destroyed_.push_back({kStreams[s.first].device, last_[s.first]});
        if (last_.count(s.first) != 0) ends_[kStreams[s.first].device].push_back(last_[s.first]);
        last_.erase(s.first);
        break;
      case Code::sync_stream: wait_for_stream(at, s.first); break;
      case Code::sync_event: wait_for(at, events_.count(s.first) != 0 ? std::vector<int>{events_[s.first]} : std::vector<int>{}); break;
      case Code::sync_device: case Code::free_any: wait_for_device(at, s.first); break;
      case Code::fetch: wait_for(at, {enqueue(s.first == 0 ? 0 : kStreamsOfDevice0, Does::copies, number)}); break;
    }
  }

  int enqueue(int stream, Does does, int number) {
    Operation operation;
    operation.does = does;
    operation.number = number;
    const StreamFacts& facts = kStreams[stream];
    if (last_.count(stream) != 0) operation.after.push_back(last_[stream]);
    for (const auto& [other, last] : last_) {
      const StreamFacts& theirs = kStreams[other];
      if (theirs.device != facts.device) continue;
      const bool is_legacy = facts.kind == StreamKind::legacy, other_is_legacy = theirs.kind == StreamKind::legacy;
      if (is_legacy != other_is_legacy && facts.kind != StreamKind::non_blocking && theirs.kind != StreamKind::non_blocking)
        operation.after.push_back(last);
    }
    if (facts.kind == StreamKind::legacy)
      for (const auto& [device, last] : destroyed_)
        if (device == facts.device) operation.after.push_back(last);
    return last_[stream] = push(std::move(operation));
  }

  int push(Operation operation) {
    if (operations_.size() == kMostOperations) throw std::runtime_error("too many operations");
    operations_.push_back(std::move(operation));
    return static_cast<int>(operations_.size()) - 1;
  }

  void wait_for_event(int stream, int event) {
    const bool is_legacy = kStreams[stream].kind == StreamKind::legacy;  // there it is work in any case
    if (events_.count(event) == 0 || (is_over(events_[event]) && !is_legacy)) return;
    operations_[enqueue(stream, Does::nothing, -1)].after.push_back(events_[event]);
  }

  // The stream-ordered memory's own event orders each use after the one before.
  void chain(int stream, int memory, int number) {
    if (!is_over(memory_[memory]) || kStreams[stream].kind == StreamKind::legacy) operations_[enqueue(stream, Does::nothing, -1)].after.push_back(memory_[memory]);
    memory_[memory] = enqueue(stream, number < 0 ? Does::nothing : Does::notes, number);
  }

  void launch(int graph, int stream) {
    if (std::none_of(program_.begin(), program_.end(), [&](const Statement& s) {
          return s.graph == graph && (s.code == Code::kernel || s.code == Code::host);
        }))
      return;  // a graph without nodes
    has_graphs_ = true;
    const int begin = enqueue(stream, Does::nothing, -1);
    if (last_launch_.count(graph) != 0) operations_[begin].after.push_back(last_launch_[graph]);
    std::map<int, std::vector<int>> last, events;  // of the streams of the capture
    last[kOriginOfCapture] = {begin};
    std::vector<int> all{begin};
    for (size_t i = 0; i < program_.size(); i++) {
      const Statement& s = program_[i];
      if (s.graph != graph) continue;
      const int own = s.code == Code::record ? s.second : s.first;
      if (last.count(own) == 0) last[own] = last[kOriginOfCapture];
      if (s.code == Code::record) {
        events[s.first] = last[own];
      } else if (s.code == Code::wait) {
        const std::vector<int>& of_event = events[s.second];
        last[own].insert(last[own].end(), of_event.begin(), of_event.end());
      } else {
        Operation operation;
        operation.does = Does::notes;
        operation.number = static_cast<int>(i);
        operation.in_graph = true;
        operation.after = last[own];
        last[own] = {push(std::move(operation))};
        all.push_back(last[own].front());
      }
    }
    const int end = enqueue(stream, Does::nothing, -1);
    operations_[end].after.insert(operations_[end].after.end(), all.begin(), all.end());
    last_launch_[graph] = end;
  }

  bool is_over(int operation) const {
    for (const Wait& wait : waits_)
      for (const int one : wait.for_these)
        if (one == operation || comes_before(operation, one)) return true;
    return false;
  }
  bool comes_before(int earlier, int later) const {
    std::vector<int> open{later};
    std::set<int> seen;
    while (!open.empty()) {
      const int one = open.back();
      open.pop_back();
      if (one == earlier) return true;
      for (const int before : operations_[one].after)
        if (before >= earlier && seen.insert(before).second) open.push_back(before);
    }
    return false;
  }

  void wait_for(size_t at, std::vector<int> these) { waits_.push_back({at, std::move(these)}); }
  // Waiting for the default stream is waiting for all that block.
  void wait_for_stream(size_t at, int stream) {
    std::vector<int> these;
    const StreamFacts& facts = kStreams[stream];
    for (const auto& [other, last] : last_) {
      const bool blocks = kStreams[other].device == facts.device && kStreams[other].kind != StreamKind::non_blocking;
      if (other == stream || (facts.kind == StreamKind::legacy && blocks)) these.push_back(last);
    }
    if (facts.kind == StreamKind::legacy)
      for (const auto& [device, last] : destroyed_)
        if (device == facts.device) these.push_back(last);
    wait_for(at, std::move(these));
  }
  void wait_for_device(size_t at, int device) {
    std::vector<int> these = ends_[device];
    for (const auto& [stream, last] : last_)
      if (kStreams[stream].device == device) these.push_back(last);
    wait_for(at, std::move(these));
  }

  const Program& program_;
  std::vector<Operation> operations_;
  std::vector<Wait> waits_;
  std::map<int, int> last_, events_, memory_, last_launch_;
  std::map<int, std::vector<int>> ends_;           // of a device's streams that were destroyed
  std::vector<std::pair<int, int>> destroyed_;     // blocking ones: device, last operation
  bool has_graphs_ = false;
};

}  // namespace random_order
