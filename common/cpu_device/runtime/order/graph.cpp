// CUDA graphs. A node holds what the queue would run (see enqueue()): it is made by doing the work
// in a stream that writes down instead of queueing. Launching a graph queues its nodes, one after
// the other in an order that their dependencies allow.
#include "../check/check.h"
#include "../device/calls.h"
#include "../device/device.h"
#include "../device/host_lock.h"
#include "../faults/error_messages.h"
#include "graph.h"
#include "graph_capture.h"
#include "streams.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <set>

using namespace cpu_device;

namespace cpu_device {

// A graph that is being captured from one or several streams.
struct Capture {
  std::unique_ptr<CUgraph_st> graph{new CUgraph_st};
  bool is_given = false;  // the program made the graph, and destroys it
  Stream* origin = nullptr;
  bool is_invalid = false;    // since a call that is not allowed in a capture,
  Site ended_by{nullptr, 0};  // here
  std::map<Stream*, std::vector<CUgraphNode_st*>> last;  // what the stream's next node waits for
};

namespace {

constexpr const char* kNodeNames[] = {"kernel", "copy",  "memset",         "host function",
                                      "graph",  "empty", "wait for event", "record event"};
const char* name_of(cudaGraphNodeType type) {
  return static_cast<size_t>(type) < std::size(kNodeNames) ? kNodeNames[type] : "node";
}

struct CapturedEvent {
  Capture* capture;
  std::vector<CUgraphNode_st*> nodes;
};
std::map<cudaEvent_t, CapturedEvent>& captured_events() {
  static auto* all = new std::map<cudaEvent_t, CapturedEvent>;
  return *all;
}

// Copies the nodes of a graph; `originals` becomes their own nodes' origin.
void clone_into(CUgraph_st* clone, const CUgraph_st& graph) {
  clone->parts = graph.parts;
  clone->conditions = graph.conditions;
  std::map<const CUgraphNode_st*, CUgraphNode_st*> copies;
  for (const auto& node : graph.nodes) {
    CUgraphNode_st* copy = add_node(clone, node->type, node->site, node->work, {});
    copy->original = node.get();
    copy->enabled = node->enabled;
    copy->kernel = node->kernel;
    copy->copy = node->copy;
    copy->memset = node->memset;
    copy->host = node->host;
    copy->event = node->event;
    copy->child = node->child;
    copy->memory = node->memory;
    copy->parts = node->parts;
    copies[node.get()] = copy;
  }
  for (const auto& node : graph.nodes)
    for (CUgraphNode_st* before : node->after) copies[node.get()]->after.push_back(copies[before]);
}

}  // namespace

CUgraphNode_st* add_node(CUgraph_st* graph, cudaGraphNodeType type, Site site,
                         std::vector<Written> work, std::vector<CUgraphNode_st*> after) {
  graph->nodes.push_back(std::make_unique<CUgraphNode_st>(
      CUgraphNode_st{type, site, std::move(work), std::move(after), nullptr}));
  graph->nodes.back()->graph = graph;
  return graph->nodes.back().get();
}

cudaError_t write_down(const StreamCall& call, std::vector<Written>* work) {
  Capture capture;
  Stream stream{current_device(), true, nullptr};
  stream.capture = &capture;
  register_stream(&stream);
  const cudaError_t before = cudaGetLastError();
  const cudaError_t error = call(reinterpret_cast<cudaStream_t>(&stream));
  unregister_stream(&stream);
  if (error != cudaSuccess) return error;
  if (before != cudaSuccess) fail(before);
  for (const auto& node : capture.graph->nodes)
    work->insert(work->end(), node->work.begin(), node->work.end());
  return cudaSuccess;
}

cudaError_t build(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                  size_t count, cudaGraphNodeType type, Site site, const StreamCall& call) {
  const Guard guard(host_lock());
  if (node == nullptr || graph == nullptr || (count > 0 && after == nullptr))
    return fail(cudaErrorInvalidValue, site, "the pointer to the node of a graph is NULL");
  std::vector<Written> work;
  const cudaError_t error = write_down(call, &work);
  if (error != cudaSuccess) return error;
  *node = add_node(graph, type, site, std::move(work), {after, after + count});
  return cudaSuccess;
}

std::vector<CUgraphNode_st*> order_of(const CUgraph_st& graph) {
  std::vector<CUgraphNode_st*> order;
  std::set<CUgraphNode_st*> done;
  while (order.size() < graph.nodes.size()) {
    CUgraphNode_st* next = nullptr;
    for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend() && next == nullptr; ++node) {
      const auto is_done = [&](CUgraphNode_st* before) { return done.count(before) != 0; };
      if (!is_done(node->get()) &&
          std::all_of((*node)->after.begin(), (*node)->after.end(), is_done))
        next = node->get();
    }
    if (next == nullptr) return {};
    order.push_back(next);
    done.insert(next);
  }
  return order;
}

CUgraphNode_st* node_of(CUgraphExec_st* executable, cudaGraphNode_t node) {
  for (const auto& own : executable->graph.nodes)
    if (own->original == node || own.get() == node) return own.get();
  return nullptr;
}

cudaError_t replace(CUgraphExec_st* executable, cudaGraphNode_t node, Site site,
                    const StreamCall& call) {
  const Guard guard(host_lock());
  CUgraphNode_st* own = executable == nullptr ? nullptr : node_of(executable, node);
  if (own == nullptr)
    return fail(cudaErrorInvalidValue, site, "this node does not belong to the graph that was instantiated");
  std::vector<Written> work;
  const cudaError_t error = write_down(call, &work);
  if (error == cudaSuccess) own->work = std::move(work);
  return error;
}

cudaError_t memset_of(const cudaMemsetParams& p, cudaStream_t stream, Site site) {
  if (p.elementSize == 1)
    return cudaMemset2DAsync(p.dst, p.height > 1 ? p.pitch : p.width, static_cast<int>(p.value),
                             p.width, p.height, stream, site);
  if (p.elementSize != 2 && p.elementSize != 4)
    return fail(cudaErrorInvalidValue, site,
                format("a memset node cannot have elements of %u bytes, only 1, 2 or 4", p.elementSize));
  enqueue(find_stream(stream, site), site, [p, site] {
    check::copied(p.dst, p.pitch, nullptr, 0, p.width * p.elementSize, p.height, site);
    for (size_t y = 0; y < p.height; y++)
      for (size_t x = 0; x < p.width; x++)
        memcpy(static_cast<char*>(p.dst) + y * p.pitch + x * p.elementSize, &p.value,
               p.elementSize);
    return cudaSuccess;
  });
  return cudaSuccess;
}

CUgraphNode_st* capture_node(Stream* stream, cudaGraphNodeType type, Site site) {
  std::vector<CUgraphNode_st*>& last = stream->capture->last[stream];
  last = {add_node(stream->capture->graph.get(), type, site, {}, last)};
  return last.front();
}

void write_into(Capture* capture, Stream* stream, Site site, std::function<cudaError_t()> run,
                bool is_kernel) {
  std::vector<CUgraphNode_st*>& last = capture->last[stream];
  last = {add_node(capture->graph.get(),
                   is_kernel ? cudaGraphNodeTypeKernel : cudaGraphNodeTypeMemcpy, site,
                   {{std::move(run), is_kernel}}, last)};
}

void capture_event(cudaEvent_t event, Stream* stream) {
  captured_events()[event] = {stream->capture, stream->capture->last[stream]};
}
void forget_captured_event(cudaEvent_t event) { captured_events().erase(event); }

bool wait_for_captured_event(cudaEvent_t event, Stream* stream) {
  const auto found = captured_events().find(event);
  if (found == captured_events().end()) return false;
  stream->capture = found->second.capture;  // the stream joins the capture
  auto& last = stream->capture->last[stream];
  last.insert(last.end(), found->second.nodes.begin(), found->second.nodes.end());
  return true;
}

cudaError_t refuse_in_capture(Stream* stream, Site site, const std::string& why, const char* remedy) {
  stream->capture->is_invalid = true;
  stream->capture->ended_by = site;
  return fail(cudaErrorStreamCaptureUnsupported, site, why, remedy);
}

}  // namespace cpu_device

// ---- capturing ----

static cudaError_t begin_capture(cudaStream_t handle, CUgraph_st* graph,
                                 std::vector<CUgraphNode_st*> after, Site site) {
  const Guard guard(host_lock());
  Stream* stream = find_stream(handle, site);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (handle == nullptr || handle == cudaStreamLegacy)
    return fail(cudaErrorStreamCaptureUnsupported, site, "the default stream cannot be captured",
                "create a stream with cudaStreamCreate().");
  if (stream->capture != nullptr)
    return fail(cudaErrorIllegalState, site, "this stream is already being captured");
  stream->capture = new Capture;
  stream->capture->origin = stream;
  if (graph != nullptr) {
    stream->capture->graph.reset(graph);
    stream->capture->is_given = true;
  }
  stream->capture->last[stream] = std::move(after);
  return cudaSuccess;
}
cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode, Site site) {
  return begin_capture(handle, nullptr, {}, site);
}
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t handle, cudaGraph_t graph,
                                          const cudaGraphNode_t* after, const cudaGraphEdgeData*,
                                          size_t count, cudaStreamCaptureMode, Site site) {
  if (graph == nullptr) return fail(cudaErrorInvalidValue);
  return begin_capture(handle, graph, {after, after + count}, site);
}

cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph, Site site) {
  const Guard guard(host_lock());
  Stream* stream = find_stream(handle, site);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  Capture* capture = stream->capture;
  if (capture == nullptr)
    return fail(cudaErrorIllegalState, site, "this stream is not being captured",
                "call cudaStreamBeginCapture() first.");
  if (capture->origin != stream)
    return fail(cudaErrorStreamCaptureUnmatched, site, "the capture started in another stream");
  const bool is_valid = !capture->is_invalid;
  // Everything that other streams did must have been waited for by this one.
  std::set<CUgraphNode_st*> reached(capture->last[stream].begin(), capture->last[stream].end());
  for (auto node = capture->graph->nodes.rbegin(); node != capture->graph->nodes.rend(); ++node)
    if (reached.count(node->get()) != 0)
      reached.insert((*node)->after.begin(), (*node)->after.end());
  bool unjoined = false;
  for (const auto& [other, last] : capture->last) {
    unjoined |= std::any_of(last.begin(), last.end(),
                            [&](CUgraphNode_st* node) { return reached.count(node) == 0; });
    other->capture = nullptr;
  }
  stream->capture = nullptr;
  for (auto event = captured_events().begin(); event != captured_events().end();)
    event = event->second.capture == capture ? captured_events().erase(event) : std::next(event);
  const std::unique_ptr<Capture> owner(capture);
  if (graph != nullptr) *graph = nullptr;
  CUgraph_st* captured = capture->is_given || (!unjoined && is_valid) ? capture->graph.release() : nullptr;
  if (!is_valid)
    return fail(cudaErrorStreamCaptureInvalidated, site,
                format("a call that is not allowed in a capture has ended it, in line %d", capture->ended_by.line));
  if (unjoined)
    return fail(cudaErrorStreamCaptureUnjoined, site,
                "the capture ends before one of its streams has joined the first one",
                "call cudaEventRecord() in that stream and cudaStreamWaitEvent() in the first stream.");
  if (graph != nullptr) *graph = captured;
  return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status, Site site) {
  const Guard guard(host_lock());
  const Stream* stream = find_stream(handle, site);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  *status = stream->capture == nullptr      ? cudaStreamCaptureStatusNone
            : stream->capture->is_invalid ? cudaStreamCaptureStatusInvalidated
                                          : cudaStreamCaptureStatusActive;
  return cudaSuccess;
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** after, const cudaGraphEdgeData** edges,
                                     size_t* count, Site site) {
  const cudaError_t error = cudaStreamIsCapturing(handle, status, site);
  if (error != cudaSuccess || *status != cudaStreamCaptureStatusActive) return error;
  const Guard guard(host_lock());
  Stream* stream = find_stream(handle, site);
  const std::vector<CUgraphNode_st*>& last = stream->capture->last[stream];
  if (id != nullptr) *id = reinterpret_cast<unsigned long long>(stream->capture);
  if (graph != nullptr) *graph = stream->capture->graph.get();
  if (after != nullptr) *after = last.data();
  if (edges != nullptr) *edges = nullptr;
  if (count != nullptr) *count = last.size();
  return cudaSuccess;
}
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t handle, cudaGraphNode_t* after,
                                                size_t count, unsigned int flags, Site site) {
  const Guard guard(host_lock());
  Stream* stream = find_stream(handle, site);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (stream->capture == nullptr)
    return fail(cudaErrorIllegalState, site, "this stream is not being captured");
  std::vector<CUgraphNode_st*>& last = stream->capture->last[stream];
  if (flags == cudaStreamSetCaptureDependencies) last.clear();
  last.insert(last.end(), after, after + count);
  return cudaSuccess;
}
// Edges say at which point of a node the next one may start (a kernel's programmatic launch); here each waits
// until the node before it is done, which is later.
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t handle, cudaGraphNode_t* after,
                                                const cudaGraphEdgeData*, size_t count, unsigned int flags,
                                                Site site) {
  return cudaStreamUpdateCaptureDependencies(handle, after, count, flags, site);
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  static thread_local cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;
  std::swap(current, *mode);
  return cudaSuccess;
}

// ---- building ----

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int) {
  *graph = new CUgraph_st;
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  if (graph == nullptr) return fail(cudaErrorInvalidValue);
  delete graph;
  return cudaSuccess;
}
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  if (clone == nullptr || graph == nullptr) return fail(cudaErrorInvalidValue);
  *clone = new CUgraph_st;
  clone_into(*clone, *graph);
  return cudaSuccess;
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, size_t count,
                                   const cudaKernelNodeParams* what, Site site) {
  const cudaError_t error =
      build(node, graph, after, count, cudaGraphNodeTypeKernel, site, [&](cudaStream_t stream) {
        return cudaLaunchKernel(what->func, what->gridDim, what->blockDim, what->kernelParams,
                                what->sharedMemBytes, stream, site);
      });
  if (error == cudaSuccess) (*node)->kernel = *what;
  return error;
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, size_t count,
                                   const cudaMemcpy3DParms* what, Site site) {
  const cudaError_t error =
      build(node, graph, after, count, cudaGraphNodeTypeMemcpy, site,
            [&](cudaStream_t stream) { return cudaMemcpy3DAsync(what, stream, site); });
  if (error == cudaSuccess) (*node)->copy = *what;
  return error;
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* after, size_t count, void* to,
                                     const void* from, size_t bytes, cudaMemcpyKind kind,
                                     Site site) {
  return build(node, graph, after, count, cudaGraphNodeTypeMemcpy, site, [&](cudaStream_t stream) {
    return cudaMemcpyAsync(to, from, bytes, kind, stream, site);
  });
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, size_t count,
                                   const cudaMemsetParams* what, Site site) {
  const cudaError_t error =
      build(node, graph, after, count, cudaGraphNodeTypeMemset, site,
            [&](cudaStream_t stream) { return memset_of(*what, stream, site); });
  if (error == cudaSuccess) (*node)->memset = *what;
  return error;
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* after, size_t count,
                                 const cudaHostNodeParams* what, Site site) {
  const cudaError_t error =
      build(node, graph, after, count, cudaGraphNodeTypeHost, site, [&](cudaStream_t stream) {
        return cudaLaunchHostFunc(stream, what->fn, what->userData, site);
      });
  if (error == cudaSuccess) (*node)->host = *what;
  return error;
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* after, size_t count, Site site) {
  return build(node, graph, after, count, cudaGraphNodeTypeEmpty, site,
               [](cudaStream_t) { return cudaSuccess; });
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* after, size_t count,
                                       cudaGraph_t child, Site site) {
  const cudaError_t error = build(node, graph, after, count, cudaGraphNodeTypeGraph, site,
                                  [](cudaStream_t) { return cudaSuccess; });
  if (error != cudaSuccess) return error;
  (*node)->child = child;
  for (const CUgraphNode_st* one : order_of(*child))
    (*node)->work.insert((*node)->work.end(), one->work.begin(), one->work.end());
  return cudaSuccess;
}
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* file, unsigned int) {
  std::ofstream out(file);
  std::map<const CUgraphNode_st*, size_t> number;
  out << "digraph graph_of_cuda {\n";
  for (const auto& node : graph->nodes) {
    const size_t n = number.size();
    number[node.get()] = n;
    out << "  n" << n << " [label=\"" << name_of(node->type) << "\"]\n";
  }
  for (const auto& node : graph->nodes)
    for (const CUgraphNode_st* before : node->after)
      out << "  n" << number[before] << " -> n" << number[node.get()] << "\n";
  out << "}\n";
  return out ? cudaSuccess : fail(cudaErrorOperatingSystem);
}

// ---- running ----

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags,
                                 Site site) {
  const Guard guard(host_lock());
  if (executable == nullptr || graph == nullptr)
    return fail(cudaErrorInvalidValue, site, "cudaGraphInstantiate: the pointer is NULL");
  auto made = std::make_unique<CUgraphExec_st>();
  clone_into(&made->graph, *graph);
  made->flags = flags;
  made->order = order_of(made->graph);
  if (made->order.size() != made->graph.nodes.size())
    return fail(cudaErrorInvalidValue, site, "the nodes of the graph depend on each other in a cycle");
  *executable = made.release();
  check::object_made("executable graph", reinterpret_cast<uintptr_t>(*executable), site);
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                 cudaGraphNode_t* error_node, char* log, size_t log_bytes,
                                 Site site) {
  if (error_node != nullptr) *error_node = nullptr;
  if (log != nullptr && log_bytes > 0) *log = '\0';
  return cudaGraphInstantiate(executable, graph, 0ull, site);
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                          unsigned long long flags, Site site) {
  return cudaGraphInstantiate(executable, graph, flags, site);
}

static cudaError_t refuse_graph_in_capture(Stream* stream, Site site, const char* verb) {
  return refuse_in_capture(stream, site, format("an executable graph cannot be %s a stream that is being captured", verb),
                           "add the graph that it was made of with cudaGraphAddChildGraphNode(), or launch it after cudaStreamEndCapture().");
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t handle, Site site) {
  const Guard guard(host_lock());
  Stream* stream = find_stream(handle, site);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (executable == nullptr) return fail(cudaErrorInvalidValue, site, "cudaGraphLaunch: the graph is NULL");
  calls::note("launch a graph of %zu nodes in %s", executable->order.size(), calls::name("stream", handle));
  if (stream->capture != nullptr) return refuse_graph_in_capture(stream, site, "launched into");
  const cudaError_t memory = allocate_memory_of(executable, site);
  if (memory != cudaSuccess) return memory;
  if (executable->order.empty()) return cudaSuccess;  // nothing waits for nothing, not even in the default stream
  // Between an operation of the stream that begins the graph and one that ends it, each node waits
  // for those that its dependencies name.
  const auto nothing = [] { return cudaSuccess; };
  const auto set_conditions = [conditions = executable->graph.conditions] {
    for (const auto& condition : conditions)
      if (condition->is_set_anew) condition->value = condition->initial;
    return cudaSuccess;
  };
  const OperationPointer begin = enqueue(stream, site, set_conditions);
  add_dependency(*begin, executable->last_launch);
  std::map<const CUgraphNode_st*, OperationPointer> last;
  for (CUgraphNode_st* node : executable->order) {
    node->lane.device = stream->device;
    OperationPointer operation = enqueue(&node->lane, node->site, nothing);
    add_dependency(*operation, begin);
    for (const CUgraphNode_st* before : node->after) add_dependency(*operation, last[before]);
    for (const Written& work : node->work) {
      if (!node->enabled) break;
      operation = enqueue(&node->lane, node->site, work.run, work.is_kernel);
      operation->what = name_of(node->type);
    }
    if (node->enabled && node->type == cudaGraphNodeTypeEventRecord)
      operation = record(node->event, &node->lane, node->site);
    last[node] = operation;
  }
  const OperationPointer end = enqueue(stream, site, nothing);
  for (const auto& [node, operation] : last) add_dependency(*end, operation);
  executable->last_launch = end;
  return fail(device(stream->device).broken);
}
cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t handle, Site site) {
  const Guard guard(host_lock());
  Stream* stream = find_stream(handle, site);
  if (stream == nullptr) return cudaErrorInvalidResourceHandle;
  if (executable == nullptr) return fail(cudaErrorInvalidValue, site, "cudaGraphUpload: the graph is NULL");
  return stream->capture == nullptr ? cudaSuccess : refuse_graph_in_capture(stream, site, "uploaded in");
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  check::object_released("executable graph", reinterpret_cast<uintptr_t>(executable));
  delete executable;
  return cudaSuccess;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info, Site site) {
  const Guard guard(host_lock());
  *info = {cudaGraphExecUpdateSuccess, nullptr, nullptr};
  auto& own = executable->graph.nodes;
  bool same = own.size() == graph->nodes.size();
  for (size_t i = 0; same && i < own.size(); i++) {
    same = own[i]->after.size() == graph->nodes[i]->after.size();
    if (same && own[i]->type != graph->nodes[i]->type) {
      *info = {cudaGraphExecUpdateErrorNodeTypeChanged, graph->nodes[i].get(), nullptr};
      return fail(cudaErrorGraphExecUpdateFailure);
    }
  }
  if (!same) {
    info->result = cudaGraphExecUpdateErrorTopologyChanged;
    return fail(cudaErrorGraphExecUpdateFailure, site,
                "the graph has different nodes or dependencies than the instantiated one",
                "instantiate it again.");
  }
  for (size_t i = 0; i < own.size(); i++) own[i]->work = graph->nodes[i]->work;  // its nodes stay those of the first graph
  return cudaSuccess;
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphNode_t* error_node, cudaGraphExecUpdateResult* result,
                                Site site) {
  cudaGraphExecUpdateResultInfo info;
  const cudaError_t error = cudaGraphExecUpdate(executable, graph, &info, site);
  if (error_node != nullptr) *error_node = info.errorNode;
  *result = info.result;
  return error;
}
