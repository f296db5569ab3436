// CUDA graphs: their nodes one by one. What depends on what, what a node does and how that is
// changed, before the graph is instantiated and after.
#pragma once

#include "api_more.h"
#include "graphs.h"

#define CPU_DEVICE_SITE cpu_device::Site site = cpu_device::Site::here()

// ---- dependencies ----
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, size_t count);
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData* edges,
                                     size_t count);  // CUDA 13's, and so below
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, size_t count);
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData* edges,
                                        size_t count);
// These give as many as `count` says and set it to how many there are.
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count);
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count);
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              size_t* count);
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData* edges, size_t* count);
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                         size_t* count);
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                         cudaGraphEdgeData* edges, size_t* count);
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                           size_t* count);
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                           cudaGraphEdgeData* edges, size_t* count);
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node);
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type);
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* copy, cudaGraphNode_t original,
                                     cudaGraph_t clone);
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* child);

// ---- what a node does: Get for nodes that were built, Set before and ExecSet after instantiation
// ----
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* what);
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* what,
                                         CPU_DEVICE_SITE);
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* what, CPU_DEVICE_SITE);
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* what);
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* what,
                                         CPU_DEVICE_SITE);
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* what, CPU_DEVICE_SITE);
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* what);
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* what,
                                         CPU_DEVICE_SITE);
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemsetParams* what, CPU_DEVICE_SITE);
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* what);
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* what,
                                       CPU_DEVICE_SITE);
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const cudaHostNodeParams* what, CPU_DEVICE_SITE);
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                           size_t bytes, cudaMemcpyKind kind, CPU_DEVICE_SITE);
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node,
                                               void* to, const void* from, size_t bytes,
                                               cudaMemcpyKind kind, CPU_DEVICE_SITE);
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                 cudaGraph_t child, CPU_DEVICE_SITE);
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                    unsigned int enabled);
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                    unsigned int* enabled);

// Copies from and to __device__ variables.
template <typename T>
inline cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                  const cudaGraphNode_t* after, size_t count,
                                                  const T& symbol, const void* from, size_t bytes,
                                                  size_t offset, cudaMemcpyKind kind,
                                                  CPU_DEVICE_SITE) {
  char* address = nullptr;
  const cudaError_t error = cudaGetSymbolAddress(&address, symbol);
  return error != cudaSuccess ? error
                              : cudaGraphAddMemcpyNode1D(node, graph, after, count,
                                                         address + offset, from, bytes, kind, site);
}
template <typename T>
inline cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                    const cudaGraphNode_t* after, size_t count,
                                                    void* to, const T& symbol, size_t bytes,
                                                    size_t offset, cudaMemcpyKind kind,
                                                    CPU_DEVICE_SITE) {
  char* address = nullptr;
  const cudaError_t error = cudaGetSymbolAddress(&address, symbol);
  return error != cudaSuccess ? error
                              : cudaGraphAddMemcpyNode1D(node, graph, after, count, to,
                                                         address + offset, bytes, kind, site);
}

// ---- events ----
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* after, size_t count,
                                        cudaEvent_t event, CPU_DEVICE_SITE);
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* after, size_t count, cudaEvent_t event,
                                      CPU_DEVICE_SITE);
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event);
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event);

// ---- memory of a graph: it stays the graph's while the program runs, also between launches ----
struct cudaMemAllocNodeParams {
  cudaMemPoolProps poolProps;
  const cudaMemAccessDesc* accessDescs;
  size_t accessDescCount, bytesize;
  void* dptr;  // the result
};
enum cudaGraphMemAttributeType {
  cudaGraphMemAttrUsedMemCurrent = 0,
  cudaGraphMemAttrUsedMemHigh = 1,
  cudaGraphMemAttrReservedMemCurrent = 2,
  cudaGraphMemAttrReservedMemHigh = 3
};
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* after, size_t count,
                                     cudaMemAllocNodeParams* what, CPU_DEVICE_SITE);
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* after, size_t count, void* pointer,
                                    CPU_DEVICE_SITE);
cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType which,
                                           void* value);
cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType which,
                                           void* value);
cudaError_t cudaDeviceGraphMemTrim(int device);

// ---- conditions: a kernel says whether, or how often, a part of the graph runs ----
typedef unsigned long long cudaGraphConditionalHandle;
enum { cudaGraphCondAssignDefault = 1 };
enum cudaGraphConditionalNodeType {
  cudaGraphCondTypeIf = 0,
  cudaGraphCondTypeWhile = 1,
  cudaGraphCondTypeSwitch = 2
};
struct cudaConditionalNodeParams {
  cudaGraphConditionalHandle handle;
  cudaGraphConditionalNodeType type;
  unsigned int size;         // how many parts: 1, 2 for if and else, more for a switch
  cudaGraph_t* phGraph_out;  // the result: the parts, empty
};
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                             unsigned int initial = 0, unsigned int flags = 0);
void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value);

// ---- any node ----
struct cudaGraphNodeParams {
  cudaGraphNodeType type;
  int reserved0[3];
  union {
    long long reserved1[29];
    struct {
      void* func;
      dim3 gridDim, blockDim;
      unsigned int sharedMemBytes;
      void** kernelParams;
      void** extra;
    } kernel;
    struct {
      int flags, reserved[3];
      cudaMemcpy3DParms copyParams;
    } memcpy;
    cudaMemsetParams memset;
    cudaHostNodeParams host;
    struct {
      cudaGraph_t graph;
    } graph;
    struct {
      cudaEvent_t event;
    } eventWait, eventRecord;
    cudaMemAllocNodeParams alloc;
    struct {
      void* dptr;
    } free;
    cudaConditionalNodeParams conditional;
  };
};
cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                             size_t count, cudaGraphNodeParams* what, CPU_DEVICE_SITE);
cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                             const cudaGraphEdgeData* edges, size_t count,
                             cudaGraphNodeParams* what, CPU_DEVICE_SITE);

#undef CPU_DEVICE_SITE
