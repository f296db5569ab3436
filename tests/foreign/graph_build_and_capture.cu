// In the manner of samples about CUDA graphs: a reduction captured from two streams, the same built
// node by node, updated and launched again.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                  \
  do {                                                                               \
    cudaError_t error = (call);                                                      \
    if (error != cudaSuccess) {                                                      \
      fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(error));         \
      exit(1);                                                                       \
    }                                                                                \
  } while (0)

__global__ void add_to(int *x, int by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += by;
}
void CUDART_CB count_up(void *data) { ++*static_cast<int *>(data); }

int main() {
  const int n = 1000;
  int *x, *y, *host, called = 0;
  CHECK(cudaMalloc((void **)&x, n * sizeof(int)));
  CHECK(cudaMalloc(&y, n * sizeof(int)));
  CHECK(cudaMallocHost(&host, 2 * n * sizeof(int)));
  CHECK(cudaMemset(x, 0, n * sizeof(int)));
  CHECK(cudaMemset(y, 0, n * sizeof(int)));
  cudaStream_t one, two;
  cudaEvent_t fork, join;
  CHECK(cudaStreamCreate(&one));
  CHECK(cudaStreamCreate(&two));
  CHECK(cudaEventCreate(&fork));
  CHECK(cudaEventCreate(&join));

  // Captured: nothing runs meanwhile.
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CHECK(cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal));
  add_to<<<4, 256, 0, one>>>(x, 1, n);
  CHECK(cudaEventRecord(fork, one));
  CHECK(cudaStreamWaitEvent(two, fork, 0));
  add_to<<<4, 256, 0, two>>>(y, 2, n);
  CHECK(cudaMemcpyAsync(host + n, y, n * sizeof(int), cudaMemcpyDeviceToHost, two));
  CHECK(cudaEventRecord(join, two));
  CHECK(cudaMemcpyAsync(host, x, n * sizeof(int), cudaMemcpyDeviceToHost, one));
  CHECK(cudaStreamWaitEvent(one, join, 0));
  CHECK(cudaLaunchHostFunc(one, count_up, &called));
  CHECK(cudaStreamEndCapture(one, &graph));
  size_t nodes = 0;
  CHECK(cudaGraphGetNodes(graph, NULL, &nodes));
  if (nodes != 5 || called != 0) return 1;
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 3; i++) CHECK(cudaGraphLaunch(executable, one));
  CHECK(cudaStreamSynchronize(one));
  if (called != 3) return 1;
  for (int i = 0; i < n; i++)
    if (host[i] != 3 || host[n + i] != 6) {
      fprintf(stderr, "%d: %d %d\n", i, host[i], host[n + i]);
      return 1;
    }
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));

  // Built: set to 0, add, copy.
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t set, add, copy;
  cudaMemsetParams zero = {};
  zero.dst = x;
  zero.elementSize = 4;
  zero.width = n;
  zero.height = 1;
  zero.value = 5;
  CHECK(cudaGraphAddMemsetNode(&set, graph, NULL, 0, &zero));
  int by = 10, count = n;
  void *arguments[] = {&x, &by, &count};
  cudaKernelNodeParams kernel = {};
  kernel.func = (void *)add_to;
  kernel.gridDim = dim3(4);
  kernel.blockDim = dim3(256);
  kernel.kernelParams = arguments;
  CHECK(cudaGraphAddKernelNode(&add, graph, &set, 1, &kernel));
  CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, &add, 1, host, x, n * sizeof(int),
                                 cudaMemcpyDeviceToHost));
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CHECK(cudaGraphLaunch(executable, two));
  CHECK(cudaStreamSynchronize(two));
  if (host[0] != 15 || host[n - 1] != 15) return 1;
  by = 20;
  CHECK(cudaGraphExecKernelNodeSetParams(executable, add, &kernel));
  CHECK(cudaGraphLaunch(executable, two));
  CHECK(cudaStreamSynchronize(two));
  if (host[0] != 25 || host[n - 1] != 25) return 1;
  cudaGraphNodeType type;
  CHECK(cudaGraphNodeGetType(add, &type));
  printf("%zu captured nodes; then %d\n", nodes, host[0]);
  return type == cudaGraphNodeTypeKernel ? 0 : 1;
}
