// Captures a round of work in two streams once, as a graph, and launches it many times.
//
// Not in the book. If a program repeats the same calls in every round, it can capture them once as
// a graph. Each round then launches the graph. What to look at: the second stream joins the capture
// when it waits for an event of the first. At the end, the first waits for an event of the second.
// In the graph, the two copies have no order between them, and the kernel comes after both. Then a
// round is one call. The data may change from round to round, but not the addresses.
//
//   ./course run stream_graph --size 1000 --rounds 1000

#include <vector>

#include "../common/lessons/pinned_memory.h"
#include "../common/program/compare.h"
#include "../common/program/device.h"
#include "../common/program/options.h"
#include "../common/program/timing.h"
#include "average.h"

// What a round needs.
struct Round {
  size_t n;
  PinnedMemory<int> a, b, c;
  int *dev_a, *dev_b, *dev_c;
  cudaStream_t stream[2];
  cudaEvent_t begun, copied;

  explicit Round(size_t count) : n(count), a(n), b(n), c(n) {
    for (int** memory : {&dev_a, &dev_b, &dev_c}) HANDLE_ERROR(cudaMalloc(memory, n * sizeof(int)));
    for (cudaStream_t& one : stream) HANDLE_ERROR(cudaStreamCreate(&one));
    for (cudaEvent_t* event : {&begun, &copied}) HANDLE_ERROR(cudaEventCreate(event));
  }
  ~Round() {
    for (int* memory : {dev_a, dev_b, dev_c}) cudaFree(memory);
    for (cudaStream_t one : stream) cudaStreamDestroy(one);
    for (cudaEvent_t event : {begun, copied}) cudaEventDestroy(event);
  }
  Round(const Round&) = delete;
  Round& operator=(const Round&) = delete;
};

// Queues a round: c = the average of neighbors in a and b. It is done when stream 0 is done.
void queue(Round& r) {
  const size_t bytes = r.n * sizeof(int);
  HANDLE_ERROR(cudaEventRecord(r.begun, r.stream[0]));
  HANDLE_ERROR(
      cudaStreamWaitEvent(r.stream[1], r.begun, 0));  // in a capture, this makes stream 1 join
  HANDLE_ERROR(cudaMemcpyAsync(r.dev_a, r.a.get(), bytes, cudaMemcpyHostToDevice, r.stream[0]));
  HANDLE_ERROR(cudaMemcpyAsync(r.dev_b, r.b.get(), bytes, cudaMemcpyHostToDevice, r.stream[1]));
  HANDLE_ERROR(cudaEventRecord(r.copied, r.stream[1]));
  HANDLE_ERROR(cudaStreamWaitEvent(r.stream[0], r.copied, 0));  // the join
  average<<<blocks_for(r.n), kGroup, 0, r.stream[0]>>>(r.dev_a, r.dev_b, r.dev_c, r.n);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpyAsync(r.c.get(), r.dev_c, bytes, cudaMemcpyDeviceToHost, r.stream[0]));
}

// The same calls as a graph. Nothing runs here.
cudaGraphExec_t capture(Round& r) {
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  HANDLE_ERROR(cudaStreamBeginCapture(r.stream[0], cudaStreamCaptureModeGlobal));
  queue(r);
  HANDLE_ERROR(cudaStreamEndCapture(r.stream[0], &graph));
  HANDLE_ERROR(cudaGraphInstantiate(&executable, graph, 0));
  HANDLE_ERROR(cudaGraphDestroy(graph));
  return executable;
}

// ---- Checking and timing, not the lesson.

// Runs `rounds` rounds, each with new data and queued by start(). Returns whether all are right.
template <typename Start>
bool run_rounds(Round& r, int rounds, const Start& start) {
  for (int round = 0; round < rounds; round++) {
    fill_randomly(r.a.get(), r.n, 10 + round);
    fill_randomly(r.b.get(), r.n, 20 + round);
    start();
    HANDLE_ERROR(cudaStreamSynchronize(r.stream[0]));
    const std::vector<int> expected = average_on_cpu(r.a.get(), r.b.get(), r.n);
    if (!course::verify("c", r.c.get(), expected.data(), r.n)) return false;
  }
  return true;
}

// Milliseconds per round, when `rounds` rounds are queued without waiting in between.
template <typename Start>
double round_ms(Round& r, int rounds, const Start& start) {
  return course::measure_host_ms([&] {
           for (int round = 0; round < rounds; round++) start();
           HANDLE_ERROR(cudaStreamSynchronize(r.stream[0]));
         }) /
         rounds;
}

int main(int argc, char** argv) {
  size_t n = 10000;
  int rounds = 100;
  course::Options options("Rounds of work in two streams, by calls and by a graph.");
  options.number("size", &n, 1, 1 << 28, "elements of each array");
  options.number("rounds", &rounds, 1, 1000000, "rounds that are timed");
  options.parse(argc, argv);
  course::require_memory(3.0 * sizeof(int) * n, 4.0 * sizeof(int) * n);

  Round round(n);
  const cudaGraphExec_t graph = capture(round);
  const auto by_calls = [&] { queue(round); };
  const auto by_graph = [&] { HANDLE_ERROR(cudaGraphLaunch(graph, round.stream[0])); };
  if (!run_rounds(round, 3, by_calls) || !run_rounds(round, 3, by_graph)) return course::kExitWrong;
  printf("%s in each round, all verified\n", course::count_of(n, "average").c_str());
  const double calls_ms = round_ms(round, rounds, by_calls);
  const double graph_ms = round_ms(round, rounds, by_graph);
  HANDLE_ERROR(cudaGraphExecDestroy(graph));
  printf("a round by 8 calls %.4f ms, by a graph %.4f ms; %s\n", calls_ms, graph_ms,
         course::device_name().c_str());
  if (course::runs_on_cpu_device()) printf("times on the CPU device say nothing about a GPU\n");
  return 0;
}
