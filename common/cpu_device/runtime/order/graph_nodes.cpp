// The nodes of CUDA graphs one by one: dependencies, what a node does, memory, events, conditions.
#include <algorithm>
#include <cstring>

#include "../device/host_lock.h"
#include "../faults/error_messages.h"
#include "graph.h"

using namespace cpu_device;

// ---- dependencies ----

cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, size_t count) {
  for (size_t i = 0; i < count; i++) to[i]->after.push_back(from[i]);
  return cudaSuccess;
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                     size_t count) {
  return cudaGraphAddDependencies(graph, from, to, count);
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, size_t count) {
  for (size_t i = 0; i < count; i++) {
    auto& after = to[i]->after;
    const auto edge = std::find(after.begin(), after.end(), from[i]);
    if (edge == after.end()) return fail(cudaErrorInvalidValue);
    after.erase(edge);
  }
  return cudaSuccess;
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                        size_t count) {
  return cudaGraphRemoveDependencies(graph, from, to, count);
}

// Gives as many of `found` as there is room for, and says how many there are.
static cudaError_t give(const std::vector<CUgraphNode_st*>& found, cudaGraphNode_t* nodes,
                        size_t* count) {
  if (count == nullptr) return fail(cudaErrorInvalidValue);
  if (nodes != nullptr) std::copy_n(found.begin(), std::min(*count, found.size()), nodes);
  *count = found.size();
  return cudaSuccess;
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  if (graph == nullptr) return fail(cudaErrorInvalidValue);
  std::vector<CUgraphNode_st*> found;
  for (const auto& node : graph->nodes) found.push_back(node.get());
  return give(found, nodes, count);
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  if (graph == nullptr) return fail(cudaErrorInvalidValue);
  std::vector<CUgraphNode_st*> found;
  for (const auto& node : graph->nodes)
    if (node->after.empty()) found.push_back(node.get());
  return give(found, nodes, count);
}
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              size_t* count) {
  if (graph == nullptr || count == nullptr) return fail(cudaErrorInvalidValue);
  std::vector<CUgraphNode_st*> first, second;
  for (const auto& node : graph->nodes)
    for (CUgraphNode_st* before : node->after) {
      first.push_back(before);
      second.push_back(node.get());
    }
  size_t room = *count;
  give(first, from, &room);
  return give(second, to, count);
}
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* edges, size_t* count) {
  if (edges != nullptr && count != nullptr) std::fill_n(edges, *count, cudaGraphEdgeData{});
  return cudaGraphGetEdges(graph, from, to, count);
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                         size_t* count) {
  if (node == nullptr) return fail(cudaErrorInvalidValue);
  return give(node->after, nodes, count);
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                         cudaGraphEdgeData* edges, size_t* count) {
  if (edges != nullptr && count != nullptr) std::fill_n(edges, *count, cudaGraphEdgeData{});
  return cudaGraphNodeGetDependencies(node, nodes, count);
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                           size_t* count) {
  if (node == nullptr) return fail(cudaErrorInvalidValue);
  std::vector<CUgraphNode_st*> found;
  for (const auto& other : node->graph->nodes)
    if (std::count(other->after.begin(), other->after.end(), node) != 0)
      found.push_back(other.get());
  return give(found, nodes, count);
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                           cudaGraphEdgeData* edges, size_t* count) {
  if (edges != nullptr && count != nullptr) std::fill_n(edges, *count, cudaGraphEdgeData{});
  return cudaGraphNodeGetDependentNodes(node, nodes, count);
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  if (node == nullptr) return fail(cudaErrorInvalidValue);
  auto& nodes = node->graph->nodes;
  for (const auto& other : nodes)
    other->after.erase(std::remove(other->after.begin(), other->after.end(), node),
                       other->after.end());
  nodes.erase(std::find_if(nodes.begin(), nodes.end(),
                           [&](const auto& other) { return other.get() == node; }));
  return cudaSuccess;
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  if (node == nullptr || type == nullptr) return fail(cudaErrorInvalidValue);
  *type = node->type;
  return cudaSuccess;
}
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* copy, cudaGraphNode_t original,
                                     cudaGraph_t clone) {
  for (const auto& node : clone->nodes)
    if (node->original == original) {
      *copy = node.get();
      return cudaSuccess;
    }
  return fail(cudaErrorInvalidValue);
}
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* child) {
  if (node == nullptr || node->child == nullptr) return fail(cudaErrorInvalidValue);
  *child = node->child;
  return cudaSuccess;
}

// ---- what a node does ----

static cudaError_t put(const cudaKernelNodeParams& what, cudaStream_t stream, Site site) {
  return cudaLaunchKernel(what.func, what.gridDim, what.blockDim, what.kernelParams,
                          what.sharedMemBytes, stream, site);
}
static cudaError_t put(const cudaMemcpy3DParms& what, cudaStream_t stream, Site site) {
  return cudaMemcpy3DAsync(&what, stream, site);
}
static cudaError_t put(const cudaMemsetParams& what, cudaStream_t stream, Site site) {
  return memset_of(what, stream, site);
}
static cudaError_t put(const cudaHostNodeParams& what, cudaStream_t stream, Site site) {
  return cudaLaunchHostFunc(stream, what.fn, what.userData, site);
}

static cudaError_t change(cudaGraphNode_t node, const StreamCall& call) {
  if (node == nullptr) return fail(cudaErrorInvalidValue);
  const Guard guard(host_lock());
  std::vector<Written> work;
  const cudaError_t error = write_down(call, &work);
  if (error == cudaSuccess) node->work = std::move(work);
  return error;
}

// What cannot be replaced in a graph that is instantiated: on a GPU, too, copies of several rows.
template <typename What>
static cudaError_t replaceable(cudaGraphNode_t, const What&, Site) {
  return cudaSuccess;
}
static cudaError_t replaceable(cudaGraphNode_t node, const cudaMemcpy3DParms& what, Site site) {
  const auto is_row = [](const cudaExtent& extent) { return extent.height <= 1 && extent.depth <= 1; };
  if (node == nullptr || (is_row(node->copy.extent) && is_row(what.extent))) return cudaSuccess;
  return fail(cudaErrorInvalidValue, site, "cudaGraphExecMemcpyNodeSetParams: only copies of a single row can be replaced",
              "change the node itself with cudaGraphMemcpyNodeSetParams(), and instantiate the graph anew.");
}

#define CPU_DEVICE_NODE_PARAMETERS(NAME, TYPE, MEMBER, KNOWN)                                      \
  cudaError_t cudaGraph##NAME##NodeGetParams(cudaGraphNode_t node, TYPE* what) {                   \
    if (node == nullptr || node->type != cudaGraphNodeType##NAME || !(KNOWN))                      \
      return fail(cudaErrorNotSupported, {nullptr, 0},                                             \
                  "only a node that was added, not captured, has known parameters");             \
    *what = node->MEMBER;                                                                          \
    return cudaSuccess;                                                                            \
  }                                                                                                \
  cudaError_t cudaGraph##NAME##NodeSetParams(cudaGraphNode_t node, const TYPE* what, Site site) {  \
    const cudaError_t error =                                                                      \
        change(node, [&](cudaStream_t stream) { return put(*what, stream, site); });               \
    if (error == cudaSuccess) node->MEMBER = *what;                                                \
    return error;                                                                                  \
  }                                                                                                \
  cudaError_t cudaGraphExec##NAME##NodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node, \
                                                 const TYPE* what, Site site) {                    \
    const cudaError_t error = replaceable(node, *what, site);                                      \
    if (error != cudaSuccess) return error;                                                        \
    return replace(executable, node, site,                                                         \
                   [&](cudaStream_t stream) { return put(*what, stream, site); });                 \
  }
CPU_DEVICE_NODE_PARAMETERS(Kernel, cudaKernelNodeParams, kernel, node->kernel.func != nullptr)
CPU_DEVICE_NODE_PARAMETERS(Memcpy, cudaMemcpy3DParms, copy, node->copy.extent.width != 0)
CPU_DEVICE_NODE_PARAMETERS(Memset, cudaMemsetParams, memset, node->memset.dst != nullptr)
CPU_DEVICE_NODE_PARAMETERS(Host, cudaHostNodeParams, host, node->host.fn != nullptr)
#undef CPU_DEVICE_NODE_PARAMETERS

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                           size_t bytes, cudaMemcpyKind kind, Site site) {
  return change(node, [&](cudaStream_t stream) {
    return cudaMemcpyAsync(to, from, bytes, kind, stream, site);
  });
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               void* to, const void* from, size_t bytes,
                                               cudaMemcpyKind kind, Site site) {
  return replace(executable, node, site, [&](cudaStream_t stream) {
    return cudaMemcpyAsync(to, from, bytes, kind, stream, site);
  });
}
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                 cudaGraph_t child, Site site) {
  const cudaError_t error =
      replace(executable, node, site, [](cudaStream_t) { return cudaSuccess; });
  if (error != cudaSuccess) return error;
  auto& work = node_of(executable, node)->work;
  for (const CUgraphNode_st* one : order_of(*child))
    work.insert(work.end(), one->work.begin(), one->work.end());
  return cudaSuccess;
}
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                    unsigned int enabled) {
  CUgraphNode_st* own = node_of(executable, node);
  if (own == nullptr) return fail(cudaErrorInvalidValue);
  own->enabled = enabled != 0;
  return cudaSuccess;
}
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                    unsigned int* enabled) {
  const CUgraphNode_st* own = node_of(executable, node);
  if (own == nullptr) return fail(cudaErrorInvalidValue);
  *enabled = own->enabled;
  return cudaSuccess;
}

// ---- events ----

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* after, size_t count,
                                        cudaEvent_t event, Site site) {
  const cudaError_t error = build(node, graph, after, count, cudaGraphNodeTypeEventRecord, site,
                                  [](cudaStream_t) { return cudaSuccess; });
  if (error == cudaSuccess) (*node)->event = event;
  return error;
}
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* after, size_t count, cudaEvent_t event,
                                      Site site) {
  const cudaError_t error = build(node, graph, after, count, cudaGraphNodeTypeWaitEvent, site,
                                  [](cudaStream_t) { return cudaSuccess; });
  if (error == cudaSuccess) (*node)->event = event;
  return error;
}
static cudaError_t event_of(cudaGraphNode_t node, cudaEvent_t* event) {
  if (node == nullptr || node->event == nullptr) return fail(cudaErrorInvalidValue);
  *event = node->event;
  return cudaSuccess;
}
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return event_of(node, event);
}
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return event_of(node, event);
}

cudaError_t cudaDeviceGetGraphMemAttribute(int, cudaGraphMemAttributeType, void* value) {
  memset(value, 0, sizeof(unsigned long long));
  return cudaSuccess;
}
cudaError_t cudaDeviceSetGraphMemAttribute(int, cudaGraphMemAttributeType, void*) {
  return cudaSuccess;
}
cudaError_t cudaDeviceGraphMemTrim(int) { return cudaSuccess; }

// ---- conditions ----

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                             unsigned int initial, unsigned int flags) {
  if (handle == nullptr || graph == nullptr) return fail(cudaErrorInvalidValue);
  auto condition = std::make_shared<Condition>();
  condition->value = condition->initial = initial;
  condition->is_set_anew = (flags & cudaGraphCondAssignDefault) != 0;
  *handle = reinterpret_cast<cudaGraphConditionalHandle>(condition.get());
  graph->conditions.push_back(std::move(condition));
  return cudaSuccess;
}
void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value) {
  reinterpret_cast<Condition*>(handle)->value = value;
}

static cudaError_t run_part(const CUgraph_st& part) {
  for (const CUgraphNode_st* node : order_of(part))
    for (const Written& work : node->work) {
      const cudaError_t error = work.run();
      if (error != cudaSuccess) return error;
    }
  return cudaSuccess;
}
static cudaError_t run_conditional(const Condition& condition, cudaGraphConditionalNodeType type,
                                   const std::vector<CUgraph_st*>& parts) {
  cudaError_t error = cudaSuccess;
  const unsigned int value = condition.value;
  switch (type) {
    case cudaGraphCondTypeIf:
      if (value != 0) return run_part(*parts[0]);
      return parts.size() > 1 ? run_part(*parts[1]) : cudaSuccess;
    case cudaGraphCondTypeSwitch:
      return value < parts.size() ? run_part(*parts[value]) : cudaSuccess;
    case cudaGraphCondTypeWhile:
      while (error == cudaSuccess && condition.value != 0) error = run_part(*parts[0]);
  }
  return error;
}
static cudaError_t add_conditional(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, size_t count,
                                   cudaConditionalNodeParams* what, Site site) {
  if (what->size == 0 || what->handle == 0)
    return fail(cudaErrorInvalidValue, site,
                "the conditional node has no handle or no bodies");
  const unsigned int most = what->type == cudaGraphCondTypeWhile ? 1 : what->type == cudaGraphCondTypeIf ? 2 : what->size;
  if (what->size > most)
    return fail(cudaErrorInvalidValue, site, format("a conditional node of this type has no %u bodies", what->size),
                "1 for cudaGraphCondTypeWhile, 1 or 2 for cudaGraphCondTypeIf, any number for cudaGraphCondTypeSwitch.");
  const cudaError_t error = build(node, graph, after, count, cudaGraphNodeTypeConditional, site,
                                  [](cudaStream_t) { return cudaSuccess; });
  if (error != cudaSuccess) return error;
  std::vector<CUgraph_st*>& parts = (*node)->parts;
  for (unsigned int i = 0; i < what->size; i++) {
    graph->parts.push_back(std::make_shared<CUgraph_st>());
    parts.push_back(graph->parts.back().get());
  }
  what->phGraph_out = parts.data();
  const auto* condition = reinterpret_cast<const Condition*>(what->handle);
  (*node)->work = {{[condition, type = what->type, parts = parts] {
                      return run_conditional(*condition, type, parts);
                    },
                    false}};
  return cudaSuccess;
}

// ---- any node ----

cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                             size_t count, cudaGraphNodeParams* what, Site site) {
  switch (what->type) {
    case cudaGraphNodeTypeKernel: {
      const auto& from = what->kernel;
      const cudaKernelNodeParams kernel{from.func,           from.gridDim,      from.blockDim,
                                        from.sharedMemBytes, from.kernelParams, from.extra};
      return cudaGraphAddKernelNode(node, graph, after, count, &kernel, site);
    }
    case cudaGraphNodeTypeMemcpy:
      return cudaGraphAddMemcpyNode(node, graph, after, count, &what->memcpy.copyParams, site);
    case cudaGraphNodeTypeMemset:
      return cudaGraphAddMemsetNode(node, graph, after, count, &what->memset, site);
    case cudaGraphNodeTypeHost:
      return cudaGraphAddHostNode(node, graph, after, count, &what->host, site);
    case cudaGraphNodeTypeGraph:
      return cudaGraphAddChildGraphNode(node, graph, after, count, what->graph.graph, site);
    case cudaGraphNodeTypeEmpty:
      return cudaGraphAddEmptyNode(node, graph, after, count, site);
    case cudaGraphNodeTypeWaitEvent:
      return cudaGraphAddEventWaitNode(node, graph, after, count, what->eventWait.event, site);
    case cudaGraphNodeTypeEventRecord:
      return cudaGraphAddEventRecordNode(node, graph, after, count, what->eventRecord.event, site);
    case cudaGraphNodeTypeMemAlloc:
      return cudaGraphAddMemAllocNode(node, graph, after, count, &what->alloc, site);
    case cudaGraphNodeTypeMemFree:
      return cudaGraphAddMemFreeNode(node, graph, after, count, what->free.dptr, site);
    case cudaGraphNodeTypeConditional:
      return add_conditional(node, graph, after, count, &what->conditional, site);
  }
  return fail(cudaErrorInvalidValue, site, "cudaGraphAddNode: this node type does not exist");
}
cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                             const cudaGraphEdgeData*, size_t count, cudaGraphNodeParams* what,
                             Site site) {
  return cudaGraphAddNode(node, graph, after, count, what, site);
}
