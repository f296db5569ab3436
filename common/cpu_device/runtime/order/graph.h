// What graph.cpp and graph_nodes.cpp know of a graph.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "../../include/cpu_device/graphs.h"
#include "queue.h"

namespace cpu_device {
// What a node of a graph does.
struct Written {
  std::function<cudaError_t()> run;
  bool is_kernel;
};

// The value that a kernel sets for a conditional node.
struct Condition {
  std::atomic<unsigned int> value;
  unsigned int initial;
  bool is_set_anew;  // by each launch, to the initial value
};
}  // namespace cpu_device

struct CUgraph_st;
struct CUgraphNode_st {
  cudaGraphNodeType type;
  cpu_device::Site site;
  std::vector<cpu_device::Written> work;
  std::vector<CUgraphNode_st*> after;
  CUgraphNode_st* original;  // of a clone's node
  bool enabled = true;
  // What a node that was built, not captured, was made of.
  cudaKernelNodeParams kernel{};
  cudaMemcpy3DParms copy{};
  cudaMemsetParams memset{};
  cudaHostNodeParams host{};
  cudaEvent_t event = nullptr;
  cudaGraph_t child = nullptr;
  void* memory = nullptr;                     // that it allocates or frees
  std::vector<CUgraph_st*> parts;             // of a conditional node
  CUgraph_st* graph = nullptr;                // that it belongs to
  cpu_device::Stream lane{0, true, nullptr};  // in which it runs, at the same time as other nodes
};
struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
  std::vector<std::shared_ptr<CUgraph_st>> parts;  // of its conditional nodes
  std::vector<std::shared_ptr<cpu_device::Condition>> conditions;
};
struct CUgraphExec_st {
  CUgraph_st graph;                    // a clone
  std::vector<CUgraphNode_st*> order;  // in which the nodes run
  unsigned long long flags = 0;        // cudaGraphInstantiateFlag...
  bool was_launched = false;
  cpu_device::OperationPointer last_launch;  // each launch waits for the one before, in whatever stream
};

namespace cpu_device {

using StreamCall = std::function<cudaError_t(cudaStream_t)>;

CUgraphNode_st* add_node(CUgraph_st* graph, cudaGraphNodeType type, Site site,
                         std::vector<Written> work, std::vector<CUgraphNode_st*> after);
// A node after those that the stream, which is being captured, has come to.
CUgraphNode_st* capture_node(Stream* stream, cudaGraphNodeType type, Site site);
// What `call(stream)` puts into a stream.
cudaError_t write_down(const StreamCall& call, std::vector<Written>* work);
// A node that does what `call(stream)` puts into a stream.
cudaError_t build(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                  size_t count, cudaGraphNodeType type, Site site, const StreamCall& call);
// The same for a node of a graph that has been instantiated.
cudaError_t replace(CUgraphExec_st* executable, cudaGraphNode_t node, Site site,
                    const StreamCall& call);
// The executable graph's own node; null if it has none.
CUgraphNode_st* node_of(CUgraphExec_st* executable, cudaGraphNode_t node);
// An order in which each node comes after those it waits for; empty if there is none. Of several
// that could be next, the newest comes first: a dependency that the program forgot is not met by luck.
std::vector<CUgraphNode_st*> order_of(const CUgraph_st& graph);
// Gives a graph that is about to be launched the memory that its nodes allocate.
cudaError_t allocate_memory_of(CUgraphExec_st* executable, Site site);
cudaError_t memset_of(const cudaMemsetParams& what, cudaStream_t stream, Site site);

}  // namespace cpu_device
