// A timeline of all ranks as text: what each rank computed and received in one step, and when.
#pragma once

#include <stdio.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../common/handle_error.h"
#include "../common/program/timing.h"
#include "mpi_world.h"

namespace nbody {

// A stretch of time, in milliseconds since the step began: the bodies of rank `owner` were
// received, or pulled this rank's.
struct Stretch {
  bool receiving;
  int owner;
  double begin_ms, end_ms;
};

// How long both kinds of stretches ran at the same time, as a share of the time spent receiving.
inline double overlap(const std::vector<Stretch>& stretches) {
  double receiving = 0, both = 0;
  for (const Stretch& one : stretches) {
    if (!one.receiving) continue;
    receiving += one.end_ms - one.begin_ms;
    for (const Stretch& other : stretches)
      if (!other.receiving)
        both += std::max(
            0.0, std::min(one.end_ms, other.end_ms) - std::max(one.begin_ms, other.begin_ms));
  }
  return receiving > 0 ? both / receiving : 0;
}

// One row: each stretch as the last digit of the owner's number.
inline std::string timeline_row(const std::vector<Stretch>& stretches, bool receiving,
                                double elapsed_ms, int columns) {
  std::string row(columns, '.');
  for (const Stretch& one : stretches) {
    if (one.receiving != receiving || elapsed_ms <= 0) continue;
    const int first = static_cast<int>(one.begin_ms / elapsed_ms * columns);
    const int last = static_cast<int>(one.end_ms / elapsed_ms * columns);
    for (int i = std::max(first, 0); i < columns && i <= std::max(first, last - 1); i++)
      row[i] = static_cast<char>('0' + one.owner % 10);
  }
  return row;
}

// Records one step of this rank after start() was called. Before that it costs nothing.
class Trace {
 public:
  Trace() = default;
  ~Trace() { clear(); }
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  // The device is idle. From here on all is recorded.
  void start(cudaStream_t stream) {
    on_ = true;
    start_ = event(stream);
    HANDLE_ERROR(cudaEventSynchronize(start_));
    watch_ = course::Stopwatch();
  }

  double now_ms() const { return on_ ? watch_.elapsed_ms() : 0; }

  // An event in the stream, to be given to computed() or received(); null while nothing is
  // recorded.
  cudaEvent_t event(cudaStream_t stream) {
    if (!on_) return nullptr;
    cudaEvent_t event = nullptr;
    HANDLE_ERROR(cudaEventCreate(&event));
    HANDLE_ERROR(cudaEventRecord(event, stream));
    events_.push_back(event);
    return event;
  }

  void computed(int owner, cudaEvent_t begin, cudaEvent_t end) {
    if (on_) marks_.push_back({false, owner, begin, end});
  }
  void received(int owner, cudaEvent_t begin, cudaEvent_t end) {
    if (on_) marks_.push_back({true, owner, begin, end});
  }
  void received(int owner, double begin_ms, double end_ms) {
    if (on_) stretches_.push_back({true, owner, begin_ms, end_ms});
  }

  // The device is idle again. Returns what it did.
  std::vector<Stretch> finish() {
    for (const Mark& mark : marks_) {
      float begin = 0, end = 0;
      HANDLE_ERROR(cudaEventElapsedTime(&begin, start_, mark.begin));
      HANDLE_ERROR(cudaEventElapsedTime(&end, start_, mark.end));
      stretches_.push_back({mark.receiving, mark.owner, begin, end});
    }
    const std::vector<Stretch> result = stretches_;
    clear();
    return result;
  }

 private:
  struct Mark {
    bool receiving;
    int owner;
    cudaEvent_t begin, end;
  };

  void clear() {
    for (const cudaEvent_t event : events_) cudaEventDestroy(event);
    events_.clear();
    marks_.clear();
    stretches_.clear();
    on_ = false;
  }

  bool on_ = false;
  cudaEvent_t start_ = nullptr;
  course::Stopwatch watch_;
  std::vector<cudaEvent_t> events_;
  std::vector<Mark> marks_;
  std::vector<Stretch> stretches_;
};

// Called by all ranks with what each of them did; rank 0 prints two rows for each.
inline void print_timeline(MPI_Comm ranks, const std::vector<Stretch>& mine, int columns = 72) {
  int rank = 0, size = 1;
  MPI_Comm_rank(ranks, &rank);
  MPI_Comm_size(ranks, &size);
  const int count = static_cast<int>(mine.size());
  std::vector<int> how_many(size), first(size);
  MPI_Allgather(&count, 1, MPI_INT, how_many.data(), 1, MPI_INT, ranks);
  for (int r = 1; r < size; r++) first[r] = first[r - 1] + how_many[r - 1];
  std::vector<Stretch> all(first.back() + how_many.back());
  const DataType<Stretch> type;
  MPI_Gatherv(mine.data(), count, type, all.data(), how_many.data(), first.data(), type, 0, ranks);
  if (rank != 0) return;
  double elapsed_ms = 0;
  for (const Stretch& one : all) elapsed_ms = std::max(elapsed_ms, one.end_ms);
  printf("\none step, %.3f ms; a digit is the rank whose bodies are used or received\n",
         elapsed_ms);
  for (int r = 0; r < size; r++) {
    const std::vector<Stretch> his(all.begin() + first[r], all.begin() + first[r] + how_many[r]);
    printf("rank %3d computes %s\n", r, timeline_row(his, false, elapsed_ms, columns).c_str());
    if (size > 1)
      printf("         receives %s  %.0f %% of it while computing\n",
             timeline_row(his, true, elapsed_ms, columns).c_str(), 100 * overlap(his));
  }
}

}  // namespace nbody
