// Random programs of streams against a model of CUDA's order (random_order.h). No program may show an order that CUDA forbids.
// The CPU device also runs only what it must, the newest first.
//
//   random_order --seeds 300                   programs of the seeds 1 to 300; failures are made smaller and printed
//   random_order --show 17, --run FILE         the program of seed 17, or one as text
//   random_order --self-test                   programs with known orders
//
// On a GPU (nvcc -std=c++17 random_order.cu) it tests the model; with one GPU, only programs for one.
#include <condition_variable>
#include <fstream>
#include <functional>
#include <iostream>
#include <mutex>
#include <thread>

#include "../../common/handle_error.h"
#include "../../common/program/options.h"
#include "random_order.h"

using namespace random_order;

#ifdef __CPU_DEVICE__
constexpr bool kRunsLate = true;
#else
constexpr bool kRunsLate = false;
#endif

// ---- what programs write ----

constexpr int kMostNotes = 4096, kMostStatements = 512, kWords = 256;
constexpr int kWrongContents = 1 << 20;
struct Note {
  int number;
  unsigned long long fills;  // that were done
};
struct Board {
  int count;
  Note notes[kMostNotes];
  int copies[kMostStatements];
  unsigned char fills[64];
};

__host__ __device__ unsigned long long fills_of(const Board* board) {
  unsigned long long all = 0;
  for (int i = 0; i < 64; i++) all |= static_cast<unsigned long long>(static_cast<const volatile unsigned char*>(board->fills)[i]) << i;
  return all;
}
__device__ void note(Board* board, int number) {
  const unsigned long long fills = fills_of(board);
  const int at = atomicAdd_system(&board->count, 1);
  if (at < kMostNotes) board->notes[at] = {number, fills};
}

__global__ void note_number(Board* board, int number, int cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
  note(board, number);
}
// Memory holds `before` if it was used before.
__global__ void use_memory(Board* board, int* memory, int before, int number) {
  bool wrong = false;
  for (int i = 0; i < kWords; i++) {
    wrong = wrong || (before >= 0 && memory[i] != before + i);
    memory[i] = number + i;
  }
  note(board, number + (wrong ? kWrongContents : 0));
}

struct HostNote {
  Board* board;
  int number;
};
void note_on_host(void* data) {
  const auto* what = static_cast<const HostNote*>(data);
  const unsigned long long fills = fills_of(what->board);
  const int at = __atomic_fetch_add(&what->board->count, 1, __ATOMIC_SEQ_CST);
  if (at < kMostNotes) what->board->notes[at] = {what->number, fills};
}

// Another thread of the host, which does what it is told.
class OtherThread {
 public:
  OtherThread() : thread_([this] { work(); }) {}
  ~OtherThread() {
    run([this] { over_ = true; });
    thread_.join();
  }
  void run(const std::function<void()>& what) {
    std::unique_lock<std::mutex> lock(mutex_);
    task_ = &what;
    changed_.notify_all();
    changed_.wait(lock, [this] { return task_ == nullptr; });
  }

 private:
  void work() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!over_) {
      changed_.wait(lock, [this] { return task_ != nullptr; });
      (*task_)();
      task_ = nullptr;
      changed_.notify_all();
    }
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void()>* task_ = nullptr;
  bool over_ = false;
  std::thread thread_;
};

// ---- running a program ----

struct Observed {
  std::vector<Note> notes;
  std::vector<int> copies;      // by statement
  std::vector<int> counts;      // notes at the end of each statement for which the host waits, and at the very end
};

class Runner {
 public:
  Runner() {
    HANDLE_ERROR(cudaGetDeviceCount(&devices_));
    HANDLE_ERROR(cudaMallocManaged(&board_, sizeof *board_));
    for (int i = 0; i < kStreamCount; i++)
      if (kStreams[i].device < devices_) make_stream(i);
    for (int i = 0; i < kEvents + kMemories; i++)
      if (i >= kEvents || device_of_event(i) < devices_) {
        HANDLE_ERROR(cudaSetDevice(i >= kEvents ? 0 : device_of_event(i)));
        HANDLE_ERROR(cudaEventCreateWithFlags(&events_[i], i % 2 == 0 ? cudaEventDefault : cudaEventDisableTiming));
      }
  }
  ~Runner() {
    cudaFree(board_);
    for (int i = 0; i < kStreamCount; i++)
      if (is_created(i)) cudaStreamDestroy(streams_[i]);
    for (cudaEvent_t event : events_)
      if (event != nullptr) cudaEventDestroy(event);
  }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  int devices() const { return devices_; }

  Observed run(const Program& program) {
    // Each event begins as one that was never recorded.
    for (int i = 0; i < kEvents + kMemories; i++)
      if (events_[i] != nullptr) {
        HANDLE_ERROR(cudaSetDevice(i >= kEvents ? 0 : device_of_event(i)));
        HANDLE_ERROR(cudaEventDestroy(events_[i]));
        HANDLE_ERROR(cudaEventCreateWithFlags(&events_[i], i % 2 == 0 ? cudaEventDefault : cudaEventDisableTiming));
      }
    memset(board_, 0, sizeof *board_);
    observed_ = {};
    observed_.copies.resize(program.size());
    host_notes_.resize(program.size());
    fills_ = 0;
    for (size_t i = 0; i < program.size(); i++) {
      const Statement& s = program[i];
      if (s.graph >= 0) continue;
      const bool names_stream = s.code < Code::sync_event && s.code != Code::record;
      const int stream = s.code == Code::record ? s.second : s.first;
      const int device = s.code == Code::sync_event ? device_of_event(s.first) : names_stream || s.code == Code::record ? kStreams[stream].device : s.first;
      const std::function<void()> act = [&] {
        HANDLE_ERROR(cudaSetDevice(device));
        execute(program, i);
      };
      if ((names_stream || s.code == Code::record) && kStreams[stream].thread == 1)
        other_.run(act);
      else
        act();
    }
    for (int device = 0; device < std::min(devices_, 2); device++) {
      HANDLE_ERROR(cudaSetDevice(device));
      HANDLE_ERROR(cudaDeviceSynchronize());
      observed_.counts.push_back(count());
    }
    observed_.notes.assign(board_->notes, board_->notes + std::min(board_->count, kMostNotes));
    for (size_t i = 0; i < program.size(); i++)
      if (program[i].code == Code::copy) observed_.copies[i] = board_->copies[i];
    for (auto& [number, memory] : memories_) HANDLE_ERROR(cudaFree(memory.first));
    memories_.clear();
    for (auto& [number, graph] : graphs_) HANDLE_ERROR(cudaGraphExecDestroy(graph));
    graphs_.clear();
    return observed_;
  }

 private:
  static bool is_created(int i) {
    return kStreams[i].kind == StreamKind::blocking || kStreams[i].kind == StreamKind::non_blocking;
  }
  void make_stream(int i) {
    HANDLE_ERROR(cudaSetDevice(kStreams[i].device));
    streams_[i] = kStreams[i].kind == StreamKind::per_thread ? cudaStreamPerThread : nullptr;
    if (is_created(i))
      HANDLE_ERROR(cudaStreamCreateWithFlags(&streams_[i], kStreams[i].kind == StreamKind::blocking ? cudaStreamDefault : cudaStreamNonBlocking));
  }
  int count() const { return *static_cast<volatile int*>(&board_->count); }
  static int cycles_of(int number) { return kRunsLate ? 0 : number * 7919 % 5 * 20000; }

  void note_in(cudaStream_t stream, Code code, int number) {
    if (code == Code::host) {
      host_notes_[number] = {board_, number};
      HANDLE_ERROR(cudaLaunchHostFunc(stream, note_on_host, &host_notes_[number]));
    } else {
      note_number<<<1, 1, 0, stream>>>(board_, number, cycles_of(number));
      HANDLE_ERROR(cudaGetLastError());
    }
  }

  cudaGraphExec_t capture(const Program& program, int graph) {
    cudaEvent_t events[kEventsOfDevice0], fork;
    for (cudaEvent_t* event : {&events[0], &events[1], &events[2], &fork}) HANDLE_ERROR(cudaEventCreate(event));
    bool recorded[kEventsOfDevice0] = {};
    const cudaStream_t origin = streams_[kOriginOfCapture];
    std::set<int> joined{kOriginOfCapture};
    HANDLE_ERROR(cudaStreamBeginCapture(origin, cudaStreamCaptureModeRelaxed));
    for (size_t i = 0; i < program.size(); i++) {
      const Statement& s = program[i];
      if (s.graph != graph) continue;
      const int own = s.code == Code::record ? s.second : s.first;
      if (joined.insert(own).second) {
        HANDLE_ERROR(cudaEventRecord(fork, origin));
        HANDLE_ERROR(cudaStreamWaitEvent(streams_[own], fork, 0));
      }
      if (s.code == Code::record) {
        HANDLE_ERROR(cudaEventRecord(events[s.first], streams_[own]));
        recorded[s.first] = true;
      } else if (s.code == Code::wait) {
        if (recorded[s.second]) HANDLE_ERROR(cudaStreamWaitEvent(streams_[own], events[s.second], 0));
      } else {
        note_in(streams_[own], s.code, static_cast<int>(i));
      }
    }
    for (const int stream : joined)
      if (stream != kOriginOfCapture) {
        HANDLE_ERROR(cudaEventRecord(fork, streams_[stream]));
        HANDLE_ERROR(cudaStreamWaitEvent(origin, fork, 0));
      }
    cudaGraph_t captured;
    cudaGraphExec_t executable;
    HANDLE_ERROR(cudaStreamEndCapture(origin, &captured));
    HANDLE_ERROR(cudaGraphInstantiate(&executable, captured, 0));
    HANDLE_ERROR(cudaGraphDestroy(captured));
    for (cudaEvent_t event : {events[0], events[1], events[2], fork}) HANDLE_ERROR(cudaEventDestroy(event));
    return executable;
  }

  void execute(const Program& program, size_t at) {
    const Statement& s = program[at];
    const int number = static_cast<int>(at);
    const cudaStream_t stream = streams_[s.code == Code::record ? s.second : s.code < Code::sync_event ? s.first : 0];
    switch (s.code) {
      case Code::kernel: case Code::host: note_in(stream, s.code, number); break;
      case Code::copy:
        HANDLE_ERROR(cudaMemcpyAsync(&board_->copies[at], &board_->count, sizeof(int), cudaMemcpyDefault, stream));
        break;
      case Code::fill: HANDLE_ERROR(cudaMemsetAsync(&board_->fills[fills_++], 1, 1, stream)); break;
      case Code::record: HANDLE_ERROR(cudaEventRecord(events_[s.first], stream)); break;
      case Code::wait: HANDLE_ERROR(cudaStreamWaitEvent(stream, events_[s.second], 0)); break;
      case Code::launch:
        if (graphs_.count(s.second) == 0) graphs_[s.second] = capture(program, s.second);
        HANDLE_ERROR(cudaGraphLaunch(graphs_[s.second], stream));
        break;
      case Code::allocate:
        if (memories_.count(s.second) == 0) {
          int* memory;
          HANDLE_ERROR(cudaMallocAsync(&memory, kWords * sizeof(int), stream));
          use_memory<<<1, 1, 0, stream>>>(board_, memory, -1, number);
          HANDLE_ERROR(cudaEventRecord(events_[kEvents + s.second], stream));
          memories_[s.second] = {memory, number};
        }
        break;
      case Code::use: case Code::free:
        if (const auto found = memories_.find(s.second); found != memories_.end()) {
          auto& [memory, before] = found->second;
          HANDLE_ERROR(cudaStreamWaitEvent(stream, events_[kEvents + s.second], 0));
          if (s.code == Code::use) {
            use_memory<<<1, 1, 0, stream>>>(board_, memory, before, number);
            HANDLE_ERROR(cudaEventRecord(events_[kEvents + s.second], stream));
            before = number;
          } else {
            HANDLE_ERROR(cudaFreeAsync(memory, stream));
            memories_.erase(found);
          }
        }
        break;
      case Code::again:
        HANDLE_ERROR(cudaStreamDestroy(stream));
        make_stream(s.first);
        break;
      case Code::sync_stream: HANDLE_ERROR(cudaStreamSynchronize(stream)); break;
      case Code::sync_event: HANDLE_ERROR(cudaEventSynchronize(events_[s.first])); break;
      case Code::sync_device: HANDLE_ERROR(cudaDeviceSynchronize()); break;
      case Code::free_any: {
        void* memory;
        HANDLE_ERROR(cudaMalloc(&memory, 4096));
        HANDLE_ERROR(cudaFree(memory));
        break;
      }
      case Code::fetch: {
        HANDLE_ERROR(cudaMemcpy(&observed_.copies[at], &board_->count, sizeof(int), cudaMemcpyDeviceToHost));
        break;
      }
    }
    if (s.code >= Code::sync_stream) observed_.counts.push_back(count());
  }

  int devices_ = 0, fills_ = 0;
  Board* board_ = nullptr;
  cudaStream_t streams_[kStreamCount] = {};
  cudaEvent_t events_[kEvents + kMemories] = {};
  std::map<int, std::pair<int*, int>> memories_;  // and what they hold
  std::map<int, cudaGraphExec_t> graphs_;
  std::vector<HostNote> host_notes_;
  Observed observed_;
  OtherThread other_;
};

// ---- comparing ----

std::string name_of(const Program& program, const Operation& operation) {
  std::string text = text_of({program[operation.number]});
  text.pop_back();
  return "line " + std::to_string(operation.number + 1) + " (" + text + ")";
}

// Which fill of the program a statement is.
int fill_number(const Program& program, int statement) {
  return static_cast<int>(std::count_if(program.begin(), program.begin() + statement, [](const Statement& s) { return s.code == Code::fill; }));
}

// What is wrong with what was observed; empty if nothing is.
std::string forbidden(const Program& program, const Model& model, const Observed& seen) {
  const std::vector<Operation>& all = model.operations();
  std::vector<int> place(all.size(), -1);  // of its note
  std::map<int, std::vector<int>> with_number;
  for (size_t i = 0; i < all.size(); i++)
    if (all[i].does == Does::notes) with_number[all[i].number].push_back(static_cast<int>(i));
  std::map<int, size_t> met;
  for (size_t i = 0; i < seen.notes.size(); i++) {
    if (seen.notes[i].number >= kWrongContents) return "line " + std::to_string(seen.notes[i].number - kWrongContents + 1) + ": the memory holds something else\n";
    auto& candidates = with_number[seen.notes[i].number];
    const size_t which = met[seen.notes[i].number]++;
    if (which >= candidates.size()) return "line " + std::to_string(seen.notes[i].number + 1) + " ran too often\n";
    place[candidates[which]] = static_cast<int>(i);
  }
  for (size_t i = 0; i < all.size(); i++)
    if (all[i].does == Does::notes && place[i] < 0) return name_of(program, all[i]) + " never ran\n";
  for (size_t b = 0; b < all.size(); b++)
    for (size_t a = 0; a < all.size(); a++) {
      if (!all[b].before[a]) continue;
      const bool wrong =
          all[a].does == Does::notes && all[b].does == Does::notes ? place[a] > place[b] :
          all[a].does == Does::notes && all[b].does == Does::copies ? place[a] >= seen.copies[all[b].number] :
          all[a].does == Does::copies && all[b].does == Does::notes ? place[b] < seen.copies[all[a].number] :
          all[a].does == Does::copies && all[b].does == Does::copies ? seen.copies[all[a].number] > seen.copies[all[b].number] :
          all[a].does == Does::fills && all[b].does == Does::notes ? (seen.notes[place[b]].fills >> fill_number(program, all[a].number) & 1) == 0 :
          all[a].does == Does::notes && all[b].does == Does::fills ? (seen.notes[place[a]].fills >> fill_number(program, all[b].number) & 1) != 0 : false;
      if (wrong) return name_of(program, all[a]) + " must come before " + name_of(program, all[b]) + "\n";
    }
  std::bitset<kMostOperations> waited_for;
  for (size_t w = 0; w < model.waits().size() && w < seen.counts.size(); w++) {
    for (const int one : model.waits()[w].for_these) waited_for |= all[one].before, waited_for.set(one);
    for (size_t i = 0; i < all.size(); i++) {
      if (all[i].does != Does::notes) continue;
      const std::string when = " when the host has passed line " + std::to_string(model.waits()[w].statement + 1) + "\n";
      if (waited_for[i] && place[i] >= seen.counts[w]) return name_of(program, all[i]) + " has not run" + when;
      if (kRunsLate && !waited_for[i] && place[i] < seen.counts[w]) return name_of(program, all[i]) + " need not have run, but has," + when;
    }
  }
  return "";
}

// The same for what a device shows that runs the newest first.
std::string not_the_latest(const Program& program, const Model& model, const Observed& seen) {
  std::vector<size_t> ends;
  unsigned long long fills = 0;
  size_t notes = 0;
  for (const int i : model.latest_order(&ends)) {
    const Operation& operation = model.operations()[i];
    if (operation.does == Does::fills) fills |= 1ull << fill_number(program, operation.number);
    if (operation.does == Does::copies && seen.copies[operation.number] != static_cast<int>(notes))
      return name_of(program, operation) + " comes after " + std::to_string(seen.copies[operation.number]) + " notes, not " + std::to_string(notes) + "\n";
    if (operation.does != Does::notes) continue;
    if (seen.notes[notes].number != operation.number)
      return name_of(program, operation) + " is not the next, but line " + std::to_string(seen.notes[notes].number + 1) + "\n";
    if (seen.notes[notes].fills != fills) return name_of(program, operation) + " sees other fills\n";
    notes++;
  }
  return "";
}

std::string examine(Runner* runner, const Program& program) {
  const Model model(program);
  const Observed seen = runner->run(program);
  std::string wrong = forbidden(program, model, seen);
  if (wrong.empty() && kRunsLate && !model.has_graphs()) wrong = not_the_latest(program, model, seen);
  return wrong;
}

// Takes out statements as long as something is still wrong.
Program shrink(Runner* runner, Program program) {
  for (size_t length = program.size() / 2; length > 0; length /= 2)
    for (size_t at = 0; at < program.size();) {
      Program fewer = program;
      fewer.erase(fewer.begin() + static_cast<long>(at), fewer.begin() + static_cast<long>(std::min(at + length, fewer.size())));
      if (!fewer.empty() && !examine(runner, fewer).empty())
        program = fewer;
      else
        at += length;
    }
  return program;
}

bool needs_two_devices(const Program& program) {
  for (const Statement& s : program) {
    const bool names_stream = s.code < Code::sync_event && s.code != Code::record;
    if (s.code == Code::record ? device_of_event(s.first) == 1 : names_stream ? kStreams[s.first].device == 1 || (s.code == Code::wait && device_of_event(s.second) == 1)
        : s.code == Code::sync_event ? device_of_event(s.first) == 1 : s.first == 1)
      return true;
  }
  return false;
}

int run_seeds(int seeds) {
  Runner runner;
  int failed = 0, ran = 0;
  for (int seed = 1; seed <= seeds && failed < 5; seed++) {
    const Program program = random_program(static_cast<uint32_t>(seed));
    if (runner.devices() < 2 && needs_two_devices(program)) continue;
    ran++;
    if (examine(&runner, program).empty()) continue;
    failed++;
    const Program small = shrink(&runner, program);
    printf("seed %d, %zu of its %zu statements are enough:\n%swrong: %s\n", seed, small.size(), program.size(),
           text_of(small).c_str(), examine(&runner, small).c_str());
  }
  printf("%d programs, %d failed\n", ran, failed);
  return failed > 0 ? course::kExitWrong : 0;
}

// Programs, and the order in which the CPU device must run their lines.
int self_test() {
  struct Known {
    const char *program, *order;
  };
  const Known all[] = {
      {"kernel a\nkernel a\nsync_stream a\n", "1 2"},
      {"kernel a\nkernel b\nsync_device 0\n", "2 1"},
      {"kernel a\nkernel b\nsync_stream b\nkernel b\n", "2 4 1"},
      {"kernel a\nkernel legacy\nkernel b\n", "1 2 3"},
      {"kernel c\nkernel legacy\nkernel d\n", "3 2 1"},
      {"kernel a\nrecord 0 a\nwait b 0\nkernel b\nkernel c\n", "5 1 4"},
      {"kernel a\nrecord 0 a\nkernel b\nrecord 0 b\nwait c 0\nkernel c\n", "3 6 1"},
      {"kernel a\nagain a\nkernel legacy\n", "1 3"},
      {"kernel other_thread\nkernel per_thread\nkernel legacy\n", "2 1 3"},
      {"kernel a\nfetch 0\nkernel b\n", "1 3"},
  };
  Runner runner;
  int failed = 0;
  for (const Known& one : all) {
    const Program program = parse(one.program);
    std::string order, wrong = examine(&runner, program);
    std::vector<size_t> ends;
    const Model model(program);
    for (const int i : model.latest_order(&ends)) {
      const Operation& operation = model.operations()[i];
      if (operation.does == Does::notes) order += (order.empty() ? "" : " ") + std::to_string(operation.number + 1);
    }
    if (order == one.order && wrong.empty() && text_of(program) == one.program) continue;
    printf("%sorder %s, not %s\n%s", text_of(program).c_str(), order.c_str(), one.order, wrong.c_str());
    failed++;
  }
  // An order that is forbidden must be called so.
  const Program two = parse("kernel a\nkernel a\n");
  Observed seen;
  seen.notes = {{1, 0}, {0, 0}};
  seen.counts = {2};
  seen.copies.resize(2);
  if (forbidden(two, Model(two), seen).empty()) printf("an order that is forbidden is not noticed\n"), failed++;
  printf("%d failed\n", failed);
  return failed > 0 ? course::kExitWrong : 0;
}

int main(int count, char** arguments) {
  int seeds = 0, show = 0;
  std::string file;
  bool test = false;
  course::Options("Runs random programs of streams, and compares their order with a model.")
      .number("seeds", &seeds, 0, 1000000, "how many programs")
      .number("show", &show, 0, 1000000, "the program of this seed")
      .text("run", "FILE", &file, "a program as text")
      .flag("self-test", &test, "programs with known orders")
      .parse(count, arguments);
  if (test) return self_test();
  if (seeds > 0) return run_seeds(seeds);
  Program program = random_program(static_cast<uint32_t>(show));
  if (!file.empty()) {
    std::ifstream stream(file);
    std::ostringstream text;
    text << stream.rdbuf();
    program = parse(text.str());
  }
  Runner runner;
  const std::string wrong = examine(&runner, program);
  printf("%s%s", text_of(program).c_str(), wrong.c_str());
  return wrong.empty() ? 0 : course::kExitWrong;
}
