// A stream is captured into a graph that the program has made, behind a node that is in it already.
#include <cstdio>

__global__ void twice_and_one(int* value) { *value = 2 * *value + 1; }

int main() {
  int *value, result = 0;
  cudaMalloc(&value, sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaMemsetParams zero = {};
  zero.dst = value;
  zero.elementSize = sizeof(int);
  zero.width = zero.height = 1;
  cudaGraphNode_t first;
  cudaGraphAddMemsetNode(&first, graph, nullptr, 0, &zero);
  cudaStreamBeginCaptureToGraph(stream, graph, &first, nullptr, 1, cudaStreamCaptureModeGlobal);
  for (int i = 0; i < 3; i++) twice_and_one<<<1, 1, 0, stream>>>(value);
  cudaStreamEndCapture(stream, nullptr);
  size_t nodes = 0, roots = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  cudaGraphGetRootNodes(graph, nullptr, &roots);
  cudaGraphExec_t executable;
  cudaGraphInstantiate(&executable, graph, 0);
  for (int i = 0; i < 2; i++) cudaGraphLaunch(executable, stream);
  cudaMemcpyAsync(&result, value, sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  const bool right =
      nodes == 4 && roots == 1 && result == 7 && cudaGraphDestroy(graph) == cudaSuccess;
  printf("%zu nodes, %d: %s\n", nodes, result, right ? "right" : "wrong");
  cudaGraphExecDestroy(executable);
  cudaStreamDestroy(stream);
  cudaFree(value);
  return right ? 0 : 1;
}
