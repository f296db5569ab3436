// Graphs and what they keep: what a capture's next node waits for, against a model; instances that were updated; values of
// conditions from one launch to the next; parameters of nodes of each type, as given; memory that comes and goes. And what is
// left of events and pools that are no more.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <vector>

int wrong = 0;
void failed(int line, const char *what) {
  if (wrong++ < 30) printf("line %d: %s\n", line, what);
}
#define EXPECT(...) ((__VA_ARGS__) ? void() : failed(__LINE__, #__VA_ARGS__))
#define GOOD(...) EXPECT((__VA_ARGS__) == cudaSuccess)

std::mt19937 engine(17);
size_t below(size_t n) { return engine() % n; }

__global__ void add(int *sum, int value) { atomicAdd(sum, value); }
void count(void *number) { ++*static_cast<int *>(number); }

using Nodes = std::set<cudaGraphNode_t>;
Nodes dependencies(cudaGraphNode_t node) {
  size_t n = 0;
#if CUDART_VERSION >= 13000
  GOOD(cudaGraphNodeGetDependencies(node, nullptr, nullptr, &n));
#else
  GOOD(cudaGraphNodeGetDependencies(node, nullptr, &n));
#endif
  std::vector<cudaGraphNode_t> all(n);
#if CUDART_VERSION >= 13000
  if (n > 0) GOOD(cudaGraphNodeGetDependencies(node, all.data(), nullptr, &n));
#else
  if (n > 0) GOOD(cudaGraphNodeGetDependencies(node, all.data(), &n));
#endif
  return Nodes(all.begin(), all.end());
}
Nodes waits_for(cudaStream_t stream) {
  cudaStreamCaptureStatus status;
  const cudaGraphNode_t *nodes = nullptr;
  size_t n = 0;
#if CUDART_VERSION >= 13000
  GOOD(cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, &nodes, nullptr, &n));
#else
  GOOD(cudaStreamGetCaptureInfo_v2(stream, &status, nullptr, nullptr, &nodes, &n));
#endif
  EXPECT(status == cudaStreamCaptureStatusActive);
  return Nodes(nodes, nodes + n);
}
void change_dependencies(cudaStream_t stream, const Nodes &nodes, unsigned flags) {
  std::vector<cudaGraphNode_t> all(nodes.begin(), nodes.end());
#if CUDART_VERSION >= 13000
  GOOD(cudaStreamUpdateCaptureDependencies(stream, all.data(), nullptr, all.size(), flags));
#else
  GOOD(cudaStreamUpdateCaptureDependencies(stream, all.data(), all.size(), flags));
#endif
}

// Work, events and changed dependencies in three streams, in any order.
void captures() {
  for (int round = 0; round < 120; round++) {
    constexpr int kStreams = 3, kEvents = 3;
    cudaStream_t streams[kStreams];
    cudaEvent_t events[kEvents];
    for (auto &stream : streams) GOOD(cudaStreamCreate(&stream));
    for (auto &event : events) GOOD(cudaEventCreate(&event));
    int *sum, host = 0;
    GOOD(cudaMalloc(&sum, sizeof(int)));
    bool joined[kStreams] = {true, false, false}, recorded[kEvents] = {};
    Nodes last[kStreams], at_event[kEvents], all;
    std::map<cudaGraphNode_t, Nodes> before;
    GOOD(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeRelaxed));
    for (int step = 0; step < 14; step++) {
      const size_t s = below(kStreams), e = below(kEvents);
      switch (below(6)) {
        case 0:
        case 1: {
          if (!joined[s]) break;
          const Nodes old = last[s];
          if (below(2) == 0)
            add<<<1, 1, 0, streams[s]>>>(sum, 1);
          else
            GOOD(cudaLaunchHostFunc(streams[s], count, &host));
          const Nodes now = waits_for(streams[s]);
          EXPECT(now.size() == 1 && all.count(*now.begin()) == 0);
          before[*now.begin()] = old;
          all.insert(*now.begin());
          last[s] = now;
          break;
        }
        case 2:
          if (!joined[s]) break;
          GOOD(cudaEventRecord(events[e], streams[s]));
          recorded[e] = true, at_event[e] = last[s];
          break;
        case 3:
          if (!recorded[e]) break;
          GOOD(cudaStreamWaitEvent(streams[s], events[e], 0));
          last[s].insert(at_event[e].begin(), at_event[e].end());
          joined[s] = true;
          break;
        default: {
          if (!joined[s]) break;
          Nodes some;
          for (const cudaGraphNode_t node : all)
            if (below(3) == 0) some.insert(node);
          const bool set = below(2) == 0;
          if (set) last[s].clear();
          last[s].insert(some.begin(), some.end());
          change_dependencies(streams[s], some, set ? cudaStreamSetCaptureDependencies : cudaStreamAddCaptureDependencies);
        }
      }
      for (size_t i = 0; i < kStreams; i++) {
        cudaStreamCaptureStatus status;
        GOOD(cudaStreamIsCapturing(streams[i], &status));
        EXPECT((status == cudaStreamCaptureStatusActive) == joined[i]);
        if (joined[i]) EXPECT(waits_for(streams[i]) == last[i]);
      }
    }
    for (size_t i = 1; i < kStreams; i++)
      if (joined[i]) {
        GOOD(cudaEventRecord(events[0], streams[i]));
        GOOD(cudaStreamWaitEvent(streams[0], events[0], 0));
      }
    cudaGraph_t graph = nullptr;
    GOOD(cudaStreamEndCapture(streams[0], &graph));
    for (const auto &[node, nodes] : before) EXPECT(dependencies(node) == nodes);
    size_t n = 0;
    GOOD(cudaGraphGetNodes(graph, nullptr, &n));
    EXPECT(n == all.size());
    for (const auto stream : streams) {
      cudaStreamCaptureStatus status;
      GOOD(cudaStreamIsCapturing(stream, &status));
      EXPECT(status == cudaStreamCaptureStatusNone);
    }
    GOOD(cudaGraphDestroy(graph));
    for (const auto stream : streams) GOOD(cudaStreamDestroy(stream));
    for (const auto event : events) GOOD(cudaEventDestroy(event));
    GOOD(cudaFree(sum));
  }
}

// An event belongs to a capture only until it is recorded elsewhere, or is no more.
void events_that_left() {
  cudaStream_t captured, other, third;
  GOOD(cudaStreamCreateWithFlags(&captured, cudaStreamNonBlocking));
  GOOD(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  GOOD(cudaStreamCreateWithFlags(&third, cudaStreamNonBlocking));
  int *sum;
  GOOD(cudaMalloc(&sum, sizeof(int)));
  for (int round = 0; round < 2; round++) {
    cudaEvent_t event;
    GOOD(cudaEventCreate(&event));
    GOOD(cudaStreamBeginCapture(captured, cudaStreamCaptureModeRelaxed));
    add<<<1, 1, 0, captured>>>(sum, 1);
    GOOD(cudaEventRecord(event, captured));
    if (round == 0) {
      GOOD(cudaEventRecord(event, other));
      GOOD(cudaStreamWaitEvent(third, event, 0));
    } else {  // made anew, perhaps at the same address
      GOOD(cudaEventDestroy(event));
      std::vector<cudaEvent_t> more(50);
      for (auto &one : more) {
        GOOD(cudaEventCreate(&one));
        GOOD(cudaStreamWaitEvent(third, one, 0));
      }
      event = more.back(), more.pop_back();
      for (const auto one : more) GOOD(cudaEventDestroy(one));
    }
    cudaStreamCaptureStatus status;
    GOOD(cudaStreamIsCapturing(third, &status));
    EXPECT(status == cudaStreamCaptureStatusNone);
    cudaGraph_t graph = nullptr;
    GOOD(cudaStreamEndCapture(captured, &graph));
    GOOD(cudaGraphDestroy(graph));
    GOOD(cudaEventDestroy(event));
  }
  for (const auto stream : {captured, other, third}) GOOD(cudaStreamDestroy(stream));
  GOOD(cudaFree(sum));
}

cudaGraph_t counting(std::vector<cudaGraphNode_t> *nodes, std::vector<int> &counters) {
  cudaGraph_t graph;
  GOOD(cudaGraphCreate(&graph, 0));
  nodes->resize(counters.size());
  for (size_t i = 0; i < counters.size(); i++) {
    const cudaHostNodeParams what = {count, &counters[i]};
    GOOD(cudaGraphAddHostNode(&(*nodes)[i], graph, i > 0 ? &(*nodes)[i - 1] : nullptr, i > 0, &what));
  }
  return graph;
}
void updates() {
  std::vector<int> first(3), second(3), third(3);
  std::vector<cudaGraphNode_t> nodes, new_nodes;
  const cudaGraph_t graph = counting(&nodes, first), newer = counting(&new_nodes, second);
  cudaGraphExec_t ready;
  GOOD(cudaGraphInstantiate(&ready, graph, 0));
  GOOD(cudaGraphLaunch(ready, nullptr));
  cudaGraphExecUpdateResultInfo info;
  memset(&info, 0x5a, sizeof info);
  GOOD(cudaGraphExecUpdate(ready, newer, &info));
  EXPECT(info.result == cudaGraphExecUpdateSuccess && info.errorNode == nullptr);
  GOOD(cudaGraphLaunch(ready, nullptr));
  const cudaHostNodeParams what = {count, &third[1]};
  // Its nodes are still those of the graph that it was made of.
  EXPECT(cudaGraphExecHostNodeSetParams(ready, new_nodes[1], &what) == cudaErrorInvalidValue);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  GOOD(cudaGraphExecHostNodeSetParams(ready, nodes[1], &what));
  GOOD(cudaGraphLaunch(ready, nullptr));
  GOOD(cudaDeviceSynchronize());
  EXPECT(first == std::vector<int>({1, 1, 1}) && second == std::vector<int>({2, 1, 2}) && third == std::vector<int>({0, 1, 0}));
  // What does not fit changes nothing, and names the node of the new graph.
  for (int changed = 0; changed < 3; changed++) {
    cudaGraph_t odd;
    GOOD(cudaGraphCreate(&odd, 0));
    cudaGraphNode_t node[3];
    for (int i = 0; i < 3; i++) {
      const cudaHostNodeParams same = {count, &third[i]};
      if (i == changed)
        GOOD(cudaGraphAddEmptyNode(&node[i], odd, i > 0 ? &node[i - 1] : nullptr, i > 0));
      else
        GOOD(cudaGraphAddHostNode(&node[i], odd, i > 0 ? &node[i - 1] : nullptr, i > 0, &same));
    }
    EXPECT(cudaGraphExecUpdate(ready, odd, &info) == cudaErrorGraphExecUpdateFailure);
    EXPECT(cudaGetLastError() == cudaErrorGraphExecUpdateFailure);
    EXPECT(info.result == cudaGraphExecUpdateErrorNodeTypeChanged && info.errorNode == node[changed]);
    GOOD(cudaGraphDestroy(odd));
  }
  std::vector<int> four(4), two(2);
  for (std::vector<int> *counters : {&four, &two}) {
    std::vector<cudaGraphNode_t> others;
    const cudaGraph_t other = counting(&others, *counters);
    EXPECT(cudaGraphExecUpdate(ready, other, &info) == cudaErrorGraphExecUpdateFailure);
    EXPECT(cudaGetLastError() == cudaErrorGraphExecUpdateFailure && info.result == cudaGraphExecUpdateErrorTopologyChanged);
    GOOD(cudaGraphDestroy(other));
  }
  GOOD(cudaGraphLaunch(ready, nullptr));
  GOOD(cudaDeviceSynchronize());
  EXPECT(first == std::vector<int>({1, 1, 1}) && second == std::vector<int>({3, 1, 3}) && third == std::vector<int>({0, 2, 0}));
  EXPECT(four == std::vector<int>(4) && two == std::vector<int>(2));
  GOOD(cudaGraphExecDestroy(ready));
  GOOD(cudaGraphDestroy(graph));
  GOOD(cudaGraphDestroy(newer));
}

// ---- conditions ----

__global__ void set_if_asked(cudaGraphConditionalHandle handle, const int *value) {
  if (*value >= 0) cudaGraphSetConditional(handle, static_cast<unsigned>(*value));
}
void conditions() {
  for (const cudaGraphConditionalNodeType type : {cudaGraphCondTypeIf, cudaGraphCondTypeSwitch})
    for (const unsigned initial : {0u, 1u, 2u})
      for (const bool anew : {false, true}) {
        int *value, *counts;  // managed
        GOOD(cudaMallocManaged(&value, sizeof(int)));
        GOOD(cudaMallocManaged(&counts, 3 * sizeof(int)));
        memset(counts, 0, 3 * sizeof(int));
        cudaGraph_t graph;
        cudaGraphConditionalHandle handle;
        cudaGraphNode_t first, branch, body;
        GOOD(cudaGraphCreate(&graph, 0));
        GOOD(cudaGraphConditionalHandleCreate(&handle, graph, initial, anew ? cudaGraphCondAssignDefault : 0));
        void *arguments[] = {&handle, &value};
        cudaKernelNodeParams kernel = {};
        kernel.func = reinterpret_cast<void *>(set_if_asked), kernel.gridDim = 1, kernel.blockDim = 1, kernel.kernelParams = arguments;
        GOOD(cudaGraphAddKernelNode(&first, graph, nullptr, 0, &kernel));
        cudaGraphNodeParams what = {};
        const int bodies = type == cudaGraphCondTypeIf ? 2 : 3;
        what.type = cudaGraphNodeTypeConditional;
        what.conditional.handle = handle, what.conditional.type = type, what.conditional.size = bodies;
#if CUDART_VERSION >= 13000
        GOOD(cudaGraphAddNode(&branch, graph, &first, nullptr, 1, &what));
#else
        GOOD(cudaGraphAddNode(&branch, graph, &first, 1, &what));
#endif
        for (int i = 0; i < bodies; i++) {
          int *sum = counts + i, one = 1;
          void *in_body[] = {&sum, &one};
          cudaKernelNodeParams adding = {};
          adding.func = reinterpret_cast<void *>(add), adding.gridDim = 1, adding.blockDim = 1, adding.kernelParams = in_body;
          GOOD(cudaGraphAddKernelNode(&body, what.conditional.phGraph_out[i], nullptr, 0, &adding));
        }
        cudaGraphExec_t ready;
        GOOD(cudaGraphInstantiate(&ready, graph, 0));
        unsigned now = initial;
        int wanted[3] = {};
        for (int launch = 0; launch < 12; launch++) {
          *value = launch == 0 ? static_cast<int>(initial) : static_cast<int>(below(5)) - 1;
          if (anew) now = initial;
          if (*value >= 0) now = static_cast<unsigned>(*value);
          const int runs = type == cudaGraphCondTypeIf ? (now != 0 ? 0 : 1) : now < 3 ? static_cast<int>(now) : -1;
          if (runs >= 0) wanted[runs]++;
          GOOD(cudaGraphLaunch(ready, nullptr));
          GOOD(cudaDeviceSynchronize());
          EXPECT(std::equal(wanted, wanted + 3, counts));
        }
        GOOD(cudaGraphExecDestroy(ready));
        GOOD(cudaGraphDestroy(graph));
        GOOD(cudaFree(value));
        GOOD(cudaFree(counts));
      }
}

// ---- parameters and memory ----

__global__ void with_shared(unsigned *bytes) {
  extern __shared__ unsigned char dynamic[];
  if (*bytes > 0) dynamic[*bytes - 1] = 1;
}
void parameters() {
  unsigned *bytes;
  GOOD(cudaMallocManaged(&bytes, sizeof(unsigned)));
  cudaGraph_t graph;
  GOOD(cudaGraphCreate(&graph, 0));
  void *arguments[] = {&bytes};
  for (const unsigned shared : {0u, 16u, 1000u, 49152u, 49153u}) {
    cudaGraphNodeParams what = {};
    what.type = cudaGraphNodeTypeKernel;
    what.kernel.func = reinterpret_cast<void *>(with_shared);
    what.kernel.gridDim = dim3(2, 3, 4), what.kernel.blockDim = dim3(5, 6, 7);
    what.kernel.sharedMemBytes = shared, what.kernel.kernelParams = arguments;
    cudaGraphNode_t node;
#if CUDART_VERSION >= 13000
    const cudaError_t error = cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &what);
#else
    const cudaError_t error = cudaGraphAddNode(&node, graph, nullptr, 0, &what);
#endif
    if (shared > 49152) {
      EXPECT(error != cudaSuccess);
      continue;
    }
    GOOD(error);
    cudaKernelNodeParams got = {};
    GOOD(cudaGraphKernelNodeGetParams(node, &got));
    EXPECT(got.sharedMemBytes == shared && got.func == what.kernel.func);
    EXPECT(got.gridDim.x == 2 && got.gridDim.y == 3 && got.gridDim.z == 4 && got.blockDim.x == 5 && got.blockDim.y == 6 && got.blockDim.z == 7);
    cudaGraphExec_t ready;
    *bytes = shared;
    GOOD(cudaGraphInstantiate(&ready, graph, 0));
    GOOD(cudaGraphLaunch(ready, nullptr));
    GOOD(cudaDeviceSynchronize());
    GOOD(cudaGraphExecDestroy(ready));
    GOOD(cudaGraphDestroyNode(node));
  }
  cudaGetLastError();
  GOOD(cudaGraphDestroy(graph));
  GOOD(cudaFree(bytes));
}

size_t free_bytes() {
  size_t free_now = 0, total = 0;
  GOOD(cudaDeviceSynchronize());
  GOOD(cudaMemGetInfo(&free_now, &total));
  return free_now;
}
void memory() {
#ifdef __CPU_DEVICE__  // GPUs keep some
  const size_t at_first = free_bytes();
#endif
  cudaGraph_t graph;
  GOOD(cudaGraphCreate(&graph, 0));
  cudaMemAllocNodeParams what = {};
  what.poolProps.allocType = cudaMemAllocationTypePinned;
  what.poolProps.location.type = cudaMemLocationTypeDevice;
  what.bytesize = 5000;
  cudaGraphNode_t node;
  GOOD(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &what));
  cudaGraphExec_t ready;
  GOOD(cudaGraphInstantiate(&ready, graph, 0));
  for (int launch = 0; launch < 4; launch++) {
    GOOD(cudaGraphLaunch(ready, nullptr));
    GOOD(cudaMemset(what.dptr, launch, 5000));
#ifdef __CPU_DEVICE__
    EXPECT(free_bytes() == at_first - 5000);
#endif
    EXPECT(cudaGraphLaunch(ready, nullptr) == cudaErrorInvalidValue && cudaGetLastError() == cudaErrorInvalidValue);
    GOOD(launch % 2 == 0 ? cudaFree(what.dptr) : cudaFreeAsync(what.dptr, nullptr));
#ifdef __CPU_DEVICE__
    EXPECT(free_bytes() == at_first);
#endif
  }
  GOOD(cudaGraphExecDestroy(ready));
  GOOD(cudaGraphDestroy(graph));
}

// Memory may outlive its pool; a new pool, perhaps at the same address, knows nothing of it.
void pools() {
  for (int round = 0; round < 4; round++) {
    cudaMemPoolProps how = {};
    how.allocType = cudaMemAllocationTypePinned;
    how.location.type = cudaMemLocationTypeDevice;
    cudaMemPool_t pool, next[20];
    void *memory;
    GOOD(cudaMemPoolCreate(&pool, &how));
    GOOD(cudaMallocFromPoolAsync(&memory, 4096, pool, nullptr));
    GOOD(cudaMemPoolDestroy(pool));
    for (auto &one : next) GOOD(cudaMemPoolCreate(&one, &how));
    GOOD(round % 2 == 0 ? cudaFreeAsync(memory, nullptr) : cudaFree(memory));
    GOOD(cudaDeviceSynchronize());
    for (const auto one : next) {
      unsigned long long used = 77;
      GOOD(cudaMemPoolGetAttribute(one, cudaMemPoolAttrUsedMemCurrent, &used));
      EXPECT(used == 0);
      GOOD(cudaMemPoolDestroy(one));
    }
  }
}

// What goes well says nothing of an error that nobody has asked for.
void errors_that_wait() {
  int *sum, one = 1;
  GOOD(cudaMalloc(&sum, sizeof(int)));
  void *arguments[] = {&sum, &one};
  EXPECT(cudaMemset(nullptr, 0, 4) == cudaErrorInvalidValue);
  GOOD(cudaLaunchKernel(reinterpret_cast<const void *>(add), 1, 1, arguments, 0, nullptr));
  EXPECT(cudaPeekAtLastError() == cudaErrorInvalidValue);
  cudaGraph_t graph;
  cudaGraphNode_t node;
  cudaKernelNodeParams kernel = {};
  kernel.func = reinterpret_cast<void *>(add), kernel.gridDim = 1, kernel.blockDim = 1, kernel.kernelParams = arguments;
  GOOD(cudaGraphCreate(&graph, 0));
  GOOD(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &kernel));
  EXPECT(cudaPeekAtLastError() == cudaErrorInvalidValue);
  GOOD(cudaDeviceSynchronize());
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue && cudaGetLastError() == cudaSuccess);
  GOOD(cudaGraphDestroy(graph));
  GOOD(cudaFree(sum));
}

int main() {
  captures();
  events_that_left();
  updates();
  conditions();
  parameters();
  memory();
  pools();
  errors_that_wait();
  if (wrong != 0) printf("%d wrong\n", wrong);
  return wrong != 0;
}
