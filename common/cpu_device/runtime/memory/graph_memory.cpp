// Nodes of a graph that allocate and free memory. Its place is known as soon as the node is there, and the same in
// each launch; what the program has freed outside of the graph is brought back by the next one.
#include <algorithm>

#include "../faults/error_messages.h"
#include "allocations.h"
#include "pools.h"
#include "../order/graph.h"
#include "../order/graph_capture.h"

using namespace cpu_device;

namespace {

// Whether a node of the graph itself frees it.
bool is_freed_within(const CUgraph_st& graph, const void* memory) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const auto& node) {
    return node->type == cudaGraphNodeTypeMemFree && node->memory == memory;
  });
}

bool is_allocated(const void* memory) {
  const Block* block = find_block(memory);
  // What frees it is queued: the graph's next launch needs its place.
  if (block != nullptr && block->freed.file != nullptr) {
    synchronize_device(block->device);
    block = find_block(memory);
  }
  return block != nullptr && block->base == reinterpret_cast<uintptr_t>(memory);
}

}  // namespace

namespace cpu_device {

cudaError_t allocate_memory_of(CUgraphExec_st* executable, Site site) {
  for (const auto& node : executable->graph.nodes) {
    if (node->type != cudaGraphNodeTypeMemAlloc || node->memory == nullptr) continue;
    if (!is_allocated(node->memory)) {
      const cudaError_t error = reallocate_for_graph(node->memory, node->site);
      if (error != cudaSuccess) return error;
    } else if (executable->was_launched && (executable->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) == 0 &&
               !is_freed_within(executable->graph, node->memory)) {
      return fail(cudaErrorInvalidValue, site,
                  format("cudaGraphLaunch: the memory that the graph allocates in line %d is still allocated by the previous "
                         "launch",
                         node->site.line),
                  "free it first, with cudaFreeAsync(), cudaFree() or a node of the graph. Or instantiate the graph with "
                  "cudaGraphInstantiateFlagAutoFreeOnLaunch.");
    }
  }
  executable->was_launched = true;
  return cudaSuccess;
}

static CUgraphNode_st* add_to_capture(Stream* stream, cudaGraphNodeType type, void* memory, Site site) {
  CUgraphNode_st* const node = capture_node(stream, type, site);
  node->memory = memory;
  return node;
}
cudaError_t capture_allocation(Stream* stream, void** pointer, size_t bytes, Site site) {
  const cudaError_t error = allocate_for_graph(pointer, bytes, site);
  if (error == cudaSuccess) add_to_capture(stream, cudaGraphNodeTypeMemAlloc, *pointer, site);
  return error;
}
void capture_free(Stream* stream, void* pointer, Site site) {
  add_to_capture(stream, cudaGraphNodeTypeMemFree, pointer, site);
}

}  // namespace cpu_device

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     size_t count, cudaMemAllocNodeParams* what, Site site) {
  if (what == nullptr) return fail(cudaErrorInvalidValue);
  cudaError_t error = build(node, graph, after, count, cudaGraphNodeTypeMemAlloc, site,
                            [](cudaStream_t) { return cudaSuccess; });
  if (error == cudaSuccess) error = allocate_for_graph(&what->dptr, what->bytesize, site);
  if (error == cudaSuccess) (*node)->memory = what->dptr;
  return error;
}
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                    size_t count, void* pointer, Site site) {
  if (graph == nullptr || pointer == nullptr) return fail(cudaErrorInvalidValue);
  const bool is_freed = std::any_of(graph->nodes.begin(), graph->nodes.end(), [&](const auto& other) {
    return other->type == cudaGraphNodeTypeMemFree && other->memory == pointer;
  });
  if (is_freed)
    return fail(cudaErrorInvalidValue, site, "the graph has a node that frees this memory already", "free it once in a graph.");
  const cudaError_t error = build(node, graph, after, count, cudaGraphNodeTypeMemFree, site,
                                  [](cudaStream_t) { return cudaSuccess; });
  if (error == cudaSuccess) (*node)->memory = pointer;
  return error;
}
