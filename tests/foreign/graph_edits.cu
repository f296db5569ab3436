// In the manner of programs that keep a graph and change it: what each kind of node was given, what it does after it was changed in
// the graph or only in what was instantiated from it, edges that come and go, parts that are switched off and on again.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

int wrong = 0;
void failed(int line, const char *what) { wrong++, printf("line %d: %s\n", line, what); }
#define EXPECT(...) ((__VA_ARGS__) ? void() : failed(__LINE__, #__VA_ARGS__))
#define GOOD(call) EXPECT((call) == cudaSuccess)
#define BAD(call) (EXPECT((call) != cudaSuccess), (void)cudaGetLastError())

const int n = 32;
__device__ int variable[n];
int *memory, *other;  // n elements each

__global__ void add(int *to, int value) { to[threadIdx.x] += value; }
__global__ void multiply(int *to, int value) { to[threadIdx.x] *= value; }
void note(void *list) { static_cast<std::vector<int> *>(list)->push_back(1); }
void note_two(void *list) { static_cast<std::vector<int> *>(list)->push_back(2); }

std::vector<int> content(const int *of) {
  std::vector<int> host(n);
  GOOD(cudaMemcpy(host.data(), of, sizeof(int) * n, cudaMemcpyDeviceToHost));
  return host;
}
bool all_are(const int *of, int value) { return content(of) == std::vector<int>(n, value); }
void set_all(int *to, int value) {
  const std::vector<int> host(n, value);
  GOOD(cudaMemcpy(to, host.data(), sizeof(int) * n, cudaMemcpyHostToDevice));
}
cudaGraphExec_t instantiated(cudaGraph_t graph) {
  cudaGraphExec_t executable = nullptr;
  GOOD(cudaGraphInstantiate(&executable, graph, 0));
  return executable;
}
void launch(cudaGraphExec_t executable) {
  GOOD(cudaGraphLaunch(executable, nullptr));
  GOOD(cudaDeviceSynchronize());
}
// Runs what the graph is now.
void launch(cudaGraph_t graph) {
  cudaGraphExec_t executable = instantiated(graph);
  launch(executable);
  GOOD(cudaGraphExecDestroy(executable));
}
cudaGraphNodeType type_of(cudaGraphNode_t node) {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  GOOD(cudaGraphNodeGetType(node, &type));
  return type;
}

void kernels() {
  cudaGraph_t graph;
  cudaGraphNode_t node;
  GOOD(cudaGraphCreate(&graph, 0));
  int value = 3;
  void *arguments[] = {&memory, &value};
  cudaKernelNodeParams what = {}, got = {};
  what.func = reinterpret_cast<void *>(add), what.gridDim = dim3(1), what.blockDim = dim3(n), what.kernelParams = arguments;
  GOOD(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &what));
  EXPECT(type_of(node) == cudaGraphNodeTypeKernel);
  value = 100;  // the arguments were copied
  GOOD(cudaGraphKernelNodeGetParams(node, &got));
  EXPECT(got.func == what.func && got.gridDim.x == 1 && got.blockDim.x == n && got.blockDim.y == 1 && got.sharedMemBytes == 0);
  set_all(memory, 5);
  launch(graph);
  EXPECT(all_are(memory, 8));
  // Changed only where it was instantiated: kernel, arguments, sizes.
  cudaGraphExec_t executable = instantiated(graph);
  value = 7;
  what.func = reinterpret_cast<void *>(multiply), what.blockDim = dim3(4);
  GOOD(cudaGraphExecKernelNodeSetParams(executable, node, &what));
  value = 200;
  set_all(memory, 5), launch(executable);
  std::vector<int> expected(n, 5);
  std::fill_n(expected.begin(), 4, 35);
  EXPECT(content(memory) == expected);
  launch(executable);  // again
  std::fill_n(expected.begin(), 4, 245);
  EXPECT(content(memory) == expected);
  set_all(memory, 5), launch(graph);
  EXPECT(all_are(memory, 8));
  GOOD(cudaGraphKernelNodeGetParams(node, &got));
  EXPECT(got.func == reinterpret_cast<void *>(add) && got.blockDim.x == n);
  // Changed in the graph: what was instantiated before stays as it is.
  value = 9, what.blockDim = dim3(n);
  GOOD(cudaGraphKernelNodeSetParams(node, &what));
  GOOD(cudaGraphKernelNodeGetParams(node, &got));
  EXPECT(got.func == reinterpret_cast<void *>(multiply) && got.blockDim.x == n);
  set_all(memory, 2), launch(graph);
  EXPECT(all_are(memory, 18));
  set_all(memory, 2), launch(executable);
  EXPECT(content(memory)[0] == 14 && content(memory)[4] == 2);
  // Off and on.
  unsigned int enabled = 7;
  GOOD(cudaGraphNodeGetEnabled(executable, node, &enabled));
  EXPECT(enabled == 1);
  for (const unsigned int on : {0u, 0u, 1u, 1u, 0u, 1u}) {
    GOOD(cudaGraphNodeSetEnabled(executable, node, on));
    GOOD(cudaGraphNodeGetEnabled(executable, node, &enabled));
    set_all(memory, 2), launch(executable);
    EXPECT(enabled == on && content(memory)[0] == (on ? 14 : 2));
  }
  GOOD(cudaGraphExecDestroy(executable));
  GOOD(cudaGraphDestroy(graph));
}

void copies() {
  cudaGraph_t graph;
  cudaGraphNode_t node;
  std::vector<int> host(n), second(n, 9);
  for (int i = 0; i < n; i++) host[i] = i * i;
  GOOD(cudaGraphCreate(&graph, 0));
  cudaMemcpy3DParms what = {}, got = {};
  // 3 of 4 rows of 6 elements out of rows of 8.
  what.srcPtr = make_cudaPitchedPtr(host.data(), 8 * sizeof(int), 8 * sizeof(int), 4),
  what.srcPos = make_cudaPos(sizeof(int), 1, 0);
  what.dstPtr = make_cudaPitchedPtr(memory, 6 * sizeof(int), 6 * sizeof(int), 5),
  what.extent = make_cudaExtent(6 * sizeof(int), 3, 1);
  what.kind = cudaMemcpyHostToDevice;
  GOOD(cudaGraphAddMemcpyNode(&node, graph, nullptr, 0, &what));
  EXPECT(type_of(node) == cudaGraphNodeTypeMemcpy);
  GOOD(cudaGraphMemcpyNodeGetParams(node, &got));
  EXPECT(got.srcPtr.ptr == host.data() && got.dstPtr.ptr == memory && got.srcPos.x == sizeof(int) && got.srcPos.y == 1 &&
         got.extent.width == 6 * sizeof(int) && got.extent.height == 3 && got.extent.depth == 1);
  const auto expect = [&](int rows, const std::vector<int> &from, int line) {
    std::vector<int> expected(n, -1);
    for (int y = 0; y < rows; y++)
      for (int x = 0; x < 6; x++) expected[y * 6 + x] = from[(y + 1) * 8 + x + 1];
    if (content(memory) != expected) failed(line, "the rows");
  };
  set_all(memory, -1), launch(graph), expect(3, host, __LINE__);
  cudaGraphExec_t executable = instantiated(graph);
  cudaMemcpy3DParms changed = what;
  changed.srcPtr.ptr = second.data(), changed.extent.height = 2;
  // In a graph that is instantiated, only copies of a single row can be replaced.
  EXPECT(cudaGraphExecMemcpyNodeSetParams(executable, node, &changed) == cudaErrorInvalidValue);
  cudaGetLastError();
  set_all(memory, -1), launch(executable), expect(3, host, __LINE__);
  set_all(memory, -1), launch(graph), expect(3, host, __LINE__);
  GOOD(cudaGraphMemcpyNodeSetParams(node, &changed)), GOOD(cudaGraphMemcpyNodeGetParams(node, &got));
  EXPECT(got.srcPtr.ptr == second.data() && got.extent.height == 2);
  set_all(memory, -1), launch(graph), expect(2, second, __LINE__);
  GOOD(cudaGraphExecDestroy(executable)), GOOD(cudaGraphDestroy(graph));

  // One piece, and pieces of variables.
  GOOD(cudaGraphCreate(&graph, 0));
  GOOD(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, memory + 1, host.data() + 2, 3 * sizeof(int), cudaMemcpyHostToDevice));
  set_all(memory, -1), launch(graph);
  std::vector<int> expected(n, -1);
  std::copy_n(host.begin() + 2, 3, expected.begin() + 1);
  EXPECT(content(memory) == expected);
  executable = instantiated(graph);
  GOOD(cudaGraphExecMemcpyNodeSetParams1D(executable, node, memory + 4, second.data(), 2 * sizeof(int), cudaMemcpyHostToDevice));
  set_all(memory, -1), launch(executable);
  std::vector<int> moved(n, -1);
  std::fill_n(moved.begin() + 4, 2, 9);
  EXPECT(content(memory) == moved);
  set_all(memory, -1), launch(graph);
  EXPECT(content(memory) == expected);
  GOOD(cudaGraphMemcpyNodeSetParams1D(node, memory + 4, second.data(), 2 * sizeof(int), cudaMemcpyHostToDevice));
  set_all(memory, -1), launch(graph);
  EXPECT(content(memory) == moved);
  GOOD(cudaGraphExecDestroy(executable)), GOOD(cudaGraphDestroy(graph));
  GOOD(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t to, from;
  std::vector<int> zeros(n), back(n, -5);
  GOOD(cudaMemcpyToSymbol(variable, zeros.data(), sizeof variable));
  GOOD(cudaGraphAddMemcpyNodeToSymbol(&to, graph, nullptr, 0, variable, host.data() + 5, 2 * sizeof(int), 3 * sizeof(int),
                                      cudaMemcpyHostToDevice));
  GOOD(cudaGraphAddMemcpyNodeFromSymbol(&from, graph, &to, 1, back.data() + 1, variable, 4 * sizeof(int), 2 * sizeof(int),
                                        cudaMemcpyDeviceToHost));
  launch(graph);
  std::vector<int> in_variable(n), expected_back(n, -5);
  in_variable[3] = host[5], in_variable[4] = host[6];
  std::copy_n(in_variable.begin() + 2, 4, expected_back.begin() + 1);
  EXPECT(back == expected_back);
  std::vector<int> whole(n);
  GOOD(cudaMemcpyFromSymbol(whole.data(), variable, sizeof variable));
  EXPECT(whole == in_variable);
  GOOD(cudaGraphDestroy(graph));
}

void fills() {
  for (const unsigned int size : {1u, 2u, 4u}) {
    cudaGraph_t graph;
    cudaGraphNode_t node;
    GOOD(cudaGraphCreate(&graph, 0));
    cudaMemsetParams what = {}, got = {};
    what.dst = reinterpret_cast<char *>(memory) + 8, what.elementSize = size, what.value = 0x01020304, what.width = 3,
    what.height = 2, what.pitch = 24;
    if (size < 4) what.value &= (1u << 8 * size) - 1;
    GOOD(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &what));
    EXPECT(type_of(node) == cudaGraphNodeTypeMemset);
    GOOD(cudaGraphMemsetNodeGetParams(node, &got));
    EXPECT(got.dst == what.dst && got.elementSize == size && got.value == what.value && got.width == 3 && got.height == 2 &&
           got.pitch == 24);
    const auto expect = [&](int first, unsigned int value, int rows, int line) {
      std::vector<int> expected(n, -1);
      auto *const bytes = reinterpret_cast<char *>(expected.data());
      for (int y = 0; y < rows; y++)
        for (int x = 0; x < 3; x++) memcpy(bytes + first + y * 24 + x * size, &value, size);
      if (content(memory) != expected) failed(line, "the filled rows");
    };
    set_all(memory, -1), launch(graph), expect(8, what.value, 2, __LINE__);
    cudaGraphExec_t executable = instantiated(graph);
    cudaMemsetParams changed = what;
    changed.dst = memory, changed.value = 5, changed.height = size == 4 ? 2 : 1;
    if (changed.height == 2) {
      GOOD(cudaGraphExecMemsetNodeSetParams(executable, node, &changed));
      set_all(memory, -1), launch(executable), expect(0, 5, 2, __LINE__);
    }
    set_all(memory, -1), launch(graph), expect(8, what.value, 2, __LINE__);
    GOOD(cudaGraphMemsetNodeSetParams(node, &changed)), GOOD(cudaGraphMemsetNodeGetParams(node, &got));
    EXPECT(got.dst == memory && got.value == 5);
    set_all(memory, -1), launch(graph), expect(0, 5, static_cast<int>(changed.height), __LINE__);
    GOOD(cudaGraphExecDestroy(executable)), GOOD(cudaGraphDestroy(graph));
  }
}

void host_functions() {
  cudaGraph_t graph;
  cudaGraphNode_t node;
  std::vector<int> calls, others;
  GOOD(cudaGraphCreate(&graph, 0));
  cudaHostNodeParams what = {}, got = {};
  what.fn = note, what.userData = &calls;
  GOOD(cudaGraphAddHostNode(&node, graph, nullptr, 0, &what));
  EXPECT(type_of(node) == cudaGraphNodeTypeHost);
  GOOD(cudaGraphHostNodeGetParams(node, &got));
  EXPECT(got.fn == note && got.userData == &calls);
  launch(graph);
  EXPECT(calls == std::vector<int>({1}));
  cudaGraphExec_t executable = instantiated(graph);
  what.fn = note_two, what.userData = &others;
  GOOD(cudaGraphExecHostNodeSetParams(executable, node, &what));
  launch(executable), launch(executable), launch(graph);
  EXPECT(others == std::vector<int>({2, 2}) && calls == std::vector<int>({1, 1}));
  GOOD(cudaGraphHostNodeSetParams(node, &what)), GOOD(cudaGraphHostNodeGetParams(node, &got));
  EXPECT(got.fn == note_two && got.userData == &others);
  launch(graph);
  EXPECT(others.size() == 3 && calls.size() == 2);
  GOOD(cudaGraphExecDestroy(executable)), GOOD(cudaGraphDestroy(graph));
}

cudaGraphNode_t add_kernel(cudaGraph_t graph, void (*kernel)(int *, int), int value, std::vector<cudaGraphNode_t> after = {}) {
  cudaGraphNode_t node;
  void *arguments[] = {&memory, &value};
  cudaKernelNodeParams what = {};
  what.func = reinterpret_cast<void *>(kernel), what.gridDim = dim3(1), what.blockDim = dim3(n), what.kernelParams = arguments;
  GOOD(cudaGraphAddKernelNode(&node, graph, after.data(), after.size(), &what));
  return node;
}

void parts() {
  cudaGraph_t inner, changed, graph, got = nullptr;
  cudaGraphNode_t child;
  GOOD(cudaGraphCreate(&inner, 0)), GOOD(cudaGraphCreate(&changed, 0)), GOOD(cudaGraphCreate(&graph, 0));
  add_kernel(inner, add, 1), add_kernel(changed, add, 50);
  const cudaGraphNode_t first = add_kernel(graph, multiply, 10);
  GOOD(cudaGraphAddChildGraphNode(&child, graph, &first, 1, inner));
  add_kernel(graph, multiply, 2, {child});
  EXPECT(type_of(child) == cudaGraphNodeTypeGraph);
  GOOD(cudaGraphChildGraphNodeGetGraph(child, &got));
  size_t count = 9;
  GOOD(cudaGraphGetNodes(got, nullptr, &count));
  EXPECT(count == 1);
  BAD(cudaGraphChildGraphNodeGetGraph(first, &got));
  set_all(memory, 3), launch(graph);
  EXPECT(all_are(memory, 62));
  cudaGraphExec_t executable = instantiated(graph);
  GOOD(cudaGraphExecChildGraphNodeSetParams(executable, child, changed));
  set_all(memory, 3), launch(executable);
  EXPECT(all_are(memory, 160));
  set_all(memory, 3), launch(graph);
  EXPECT(all_are(memory, 62));
  GOOD(cudaGraphExecDestroy(executable));
  for (cudaGraph_t one : {inner, changed, graph}) GOOD(cudaGraphDestroy(one));
}

void edges() {
  cudaGraph_t graph;
  GOOD(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t first = add_kernel(graph, add, 1), last = add_kernel(graph, multiply, 3), empty;
  GOOD(cudaGraphAddEmptyNode(&empty, graph, nullptr, 0));
  EXPECT(type_of(empty) == cudaGraphNodeTypeEmpty);
  const auto count_of = [&](auto call) {
    size_t count = 77;
    GOOD(call(&count));
    return count;
  };
  const auto edges_now = [&] {
    return count_of([&](size_t *c) { return cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, c); });
  };
  const auto roots_now = [&] { return count_of([&](size_t *c) { return cudaGraphGetRootNodes(graph, nullptr, c); }); };
  EXPECT(edges_now() == 0 && roots_now() == 3);
  const cudaGraphNode_t from[] = {first, empty}, to[] = {empty, last};
  GOOD(cudaGraphAddDependencies(graph, from, to, nullptr, 2));
  EXPECT(edges_now() == 2 && roots_now() == 1);
  cudaGraphNode_t starts[3] = {}, ends[3] = {};
  size_t room = 3;
  GOOD(cudaGraphGetEdges(graph, starts, ends, nullptr, &room));
  EXPECT(room == 2);
  for (int i = 0; i < 2; i++) EXPECT((starts[i] == first && ends[i] == empty) || (starts[i] == empty && ends[i] == last));
  room = 1;
  cudaGraphNode_t nodes[4] = {};
  GOOD(cudaGraphNodeGetDependencies(last, nodes, nullptr, &room));
  EXPECT(room == 1 && nodes[0] == empty);
  room = 2;
  GOOD(cudaGraphNodeGetDependentNodes(first, nodes, nullptr, &room));
  EXPECT(room == 1 && nodes[0] == empty);
  EXPECT(count_of([&](size_t *c) { return cudaGraphNodeGetDependencies(first, nullptr, nullptr, c); }) == 0);
  EXPECT(count_of([&](size_t *c) { return cudaGraphNodeGetDependentNodes(last, nullptr, nullptr, c); }) == 0);
  set_all(memory, 4), launch(graph);
  EXPECT(all_are(memory, 15));
  // The other way round.
  GOOD(cudaGraphRemoveDependencies(graph, from, to, nullptr, 2));
  EXPECT(edges_now() == 0 && roots_now() == 3);
  BAD(cudaGraphRemoveDependencies(graph, from, to, nullptr, 1));
  GOOD(cudaGraphAddDependencies(graph, to + 1, from, nullptr, 1));
  set_all(memory, 4), launch(graph);
  EXPECT(all_are(memory, 13));
  // A node that is gone takes its edges with it.
  cudaGraphNode_t middle = add_kernel(graph, add, 1000, {last});
  GOOD(cudaGraphAddDependencies(graph, &middle, &empty, nullptr, 1));
  EXPECT(edges_now() == 3 && count_of([&](size_t *c) { return cudaGraphGetNodes(graph, nullptr, c); }) == 4);
  GOOD(cudaGraphDestroyNode(middle));
  EXPECT(edges_now() == 1 && count_of([&](size_t *c) { return cudaGraphGetNodes(graph, nullptr, c); }) == 3);
  set_all(memory, 4), launch(graph);
  EXPECT(all_are(memory, 13));
  // The copy has nodes of its own, which are found by the originals.
  cudaGraph_t clone;
  cudaGraphNode_t twin = nullptr;
  GOOD(cudaGraphClone(&clone, graph)), GOOD(cudaGraphNodeFindInClone(&twin, first, clone));
  EXPECT(twin != nullptr && twin != first && type_of(twin) == cudaGraphNodeTypeKernel);
  GOOD(cudaGraphDestroyNode(twin));
  set_all(memory, 4), launch(clone);
  EXPECT(all_are(memory, 12));
  set_all(memory, 4), launch(graph);
  EXPECT(all_are(memory, 13));
  GOOD(cudaGraphDestroy(clone));
  // Its picture names each node and each edge.
  GOOD(cudaGraphDebugDotPrint(graph, "graph.dot", 0));
  std::ifstream file("graph.dot");
  std::string line;
  int arrows = 0;
  bool is_graph = false;
  while (std::getline(file, line))
    arrows += line.find("->") != std::string::npos, is_graph |= line.find("digraph") != std::string::npos;
  EXPECT(is_graph && arrows == 1);
  remove("graph.dot");
  GOOD(cudaGraphDestroy(graph));
}

void events() {
  cudaGraph_t graph;
  cudaEvent_t event, got = nullptr;
  cudaGraphNode_t record, wait;
  GOOD(cudaEventCreateWithFlags(&event, cudaEventDisableTiming)), GOOD(cudaGraphCreate(&graph, 0));
  const cudaGraphNode_t first = add_kernel(graph, add, 1);
  GOOD(cudaGraphAddEventRecordNode(&record, graph, &first, 1, event));
  EXPECT(type_of(record) == cudaGraphNodeTypeEventRecord);
  GOOD(cudaGraphEventRecordNodeGetEvent(record, &got));
  EXPECT(got == event);
  BAD(cudaGraphEventRecordNodeGetEvent(first, &got));
  set_all(memory, 0);
  cudaGraphExec_t executable = instantiated(graph);
  GOOD(cudaGraphLaunch(executable, nullptr)), GOOD(cudaEventSynchronize(event));
  EXPECT(cudaEventQuery(event) == cudaSuccess && all_are(memory, 1));
  GOOD(cudaGraphExecDestroy(executable)), GOOD(cudaGraphDestroy(graph));
  GOOD(cudaGraphCreate(&graph, 0));
  got = nullptr;
  GOOD(cudaGraphAddEventWaitNode(&wait, graph, nullptr, 0, event));
  EXPECT(type_of(wait) == cudaGraphNodeTypeWaitEvent);
  GOOD(cudaGraphEventWaitNodeGetEvent(wait, &got));
  EXPECT(got == event);
  add_kernel(graph, add, 1, {wait});
  launch(graph);
  EXPECT(all_are(memory, 2));
  GOOD(cudaGraphDestroy(graph)), GOOD(cudaEventDestroy(event));
}

int main() {
  GOOD(cudaMalloc(&memory, n * sizeof(int))), GOOD(cudaMalloc(&other, n * sizeof(int)));
  kernels(), copies(), fills(), host_functions(), parts(), edges(), events();
  puts(wrong ? "wrong" : "right");
  return wrong != 0;
}
