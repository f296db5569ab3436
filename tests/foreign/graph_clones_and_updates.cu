// In the manner of samples about graphs: built node by node, cloned, parameters set in the instance, conditional use of
// child graphs, and an instance updated by a second capture.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define OK(x)                                                                      \
  if (cudaError_t e_ = (x); e_ != cudaSuccess) {                                   \
    fprintf(stderr, "line %d: %s (%s)\n", __LINE__, cudaGetErrorName(e_), cudaGetErrorString(e_)); \
    exit(1);                                                                       \
  }

__global__ void axpy(int n, double a, const double* x, double* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
__global__ void reduce(const double* y, int n, double* sum) {
  __shared__ double part[128];
  double mine = 0;
  for (int i = threadIdx.x; i < n; i += 128) mine += y[i];
  part[threadIdx.x] = mine;
  __syncthreads();
  for (int s = 64; s; s >>= 1) {
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) *sum = part[0];
}

struct HostCheck {
  double* value;
  std::vector<double> seen;
};
void note(void* p) {
  HostCheck* check = (HostCheck*)p;
  check->seen.push_back(*check->value);
}

int main() {
  const int n = 1000;
  double *x, *y, *sum, *result;
  OK(cudaMalloc(&x, n * sizeof(double)));
  OK(cudaMalloc(&y, n * sizeof(double)));
  OK(cudaMalloc(&sum, sizeof(double)));
  OK(cudaMallocHost(&result, sizeof(double)));
  std::vector<double> ones(n, 1.0);
  OK(cudaMemcpy(x, ones.data(), n * sizeof(double), cudaMemcpyHostToDevice));
  HostCheck check{result, {}};

  cudaGraph_t graph;
  OK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t clear, add, total, copy, host;
  cudaMemsetParams set = {};
  set.dst = y;
  set.value = 0;
  set.elementSize = 4;
  set.width = 2 * n;
  set.height = 1;
  OK(cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &set));
  int count = n;
  double a = 2.0;
  void* args[] = {&count, &a, &x, &y};
  cudaKernelNodeParams kernel = {};
  kernel.func = (void*)axpy;
  kernel.gridDim = dim3((n + 255) / 256);
  kernel.blockDim = dim3(256);
  kernel.kernelParams = args;
  OK(cudaGraphAddKernelNode(&add, graph, &clear, 1, &kernel));
  void* args2[] = {&y, &count, &sum};
  cudaKernelNodeParams second = {};
  second.func = (void*)reduce;
  second.gridDim = dim3(1);
  second.blockDim = dim3(128);
  second.kernelParams = args2;
  OK(cudaGraphAddKernelNode(&total, graph, &add, 1, &second));
  OK(cudaGraphAddMemcpyNode1D(&copy, graph, &total, 1, result, sum, sizeof(double), cudaMemcpyDeviceToHost));
  cudaHostNodeParams call = {};
  call.fn = note;
  call.userData = &check;
  OK(cudaGraphAddHostNode(&host, graph, &copy, 1, &call));

  size_t nodes = 0, roots = 0, edges = 0;
  OK(cudaGraphGetNodes(graph, nullptr, &nodes));
  OK(cudaGraphGetRootNodes(graph, nullptr, &roots));
  OK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  printf("%zu nodes, %zu roots, %zu edges\n", nodes, roots, edges);

  cudaGraph_t clone;
  OK(cudaGraphClone(&clone, graph));
  cudaGraphNode_t add_in_clone;
  OK(cudaGraphNodeFindInClone(&add_in_clone, add, clone));
  a = 5.0;
  OK(cudaGraphKernelNodeSetParams(add_in_clone, &kernel));

  cudaGraphExec_t exec, exec_clone;
  OK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
  OK(cudaGraphInstantiateWithFlags(&exec_clone, clone, 0));
  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));
  OK(cudaGraphLaunch(exec, stream));
  OK(cudaGraphLaunch(exec_clone, stream));
  a = 7.0;
  OK(cudaGraphExecKernelNodeSetParams(exec, add, &kernel));
  OK(cudaGraphLaunch(exec, stream));
  OK(cudaGraphLaunch(exec_clone, stream));
  OK(cudaStreamSynchronize(stream));

  // The same shape, captured: the instance can take it over.
  cudaGraph_t captured;
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  OK(cudaMemsetAsync(y, 0, n * sizeof(double), stream));
  axpy<<<(n + 255) / 256, 256, 0, stream>>>(n, 11.0, x, y);
  reduce<<<1, 128, 0, stream>>>(y, n, sum);
  OK(cudaMemcpyAsync(result, sum, sizeof(double), cudaMemcpyDeviceToHost, stream));
  OK(cudaLaunchHostFunc(stream, note, &check));
  OK(cudaStreamEndCapture(stream, &captured));
  cudaGraphExec_t fresh;
  OK(cudaGraphInstantiate(&fresh, captured, 0));
  OK(cudaGraphLaunch(fresh, stream));
  OK(cudaStreamSynchronize(stream));
  // Another constant only.
  cudaGraph_t again;
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  OK(cudaMemsetAsync(y, 0, n * sizeof(double), stream));
  axpy<<<(n + 255) / 256, 256, 0, stream>>>(n, 13.0, x, y);
  reduce<<<1, 128, 0, stream>>>(y, n, sum);
  OK(cudaMemcpyAsync(result, sum, sizeof(double), cudaMemcpyDeviceToHost, stream));
  OK(cudaLaunchHostFunc(stream, note, &check));
  OK(cudaStreamEndCapture(stream, &again));
  cudaGraphExecUpdateResultInfo info;
  OK(cudaGraphExecUpdate(fresh, again, &info));
  if (info.result != cudaGraphExecUpdateSuccess) return 1;
  OK(cudaGraphLaunch(fresh, stream));
  // A child.
  cudaGraph_t parent;
  cudaGraphNode_t first, child;
  OK(cudaGraphCreate(&parent, 0));
  OK(cudaGraphAddEmptyNode(&first, parent, nullptr, 0));
  OK(cudaGraphAddChildGraphNode(&child, parent, &first, 1, again));
  cudaGraphNodeType type;
  OK(cudaGraphNodeGetType(child, &type));
  if (type != cudaGraphNodeTypeGraph) return 1;
  cudaGraphExec_t whole;
  OK(cudaGraphInstantiate(&whole, parent, 0));
  OK(cudaGraphUpload(whole, stream));
  OK(cudaGraphLaunch(whole, stream));
  OK(cudaStreamSynchronize(stream));

  const double expected[] = {2, 5, 7, 5, 11, 13, 13};
  bool right = check.seen.size() == 7 && nodes == 5 && roots == 1 && edges == 4;
  for (size_t i = 0; i < check.seen.size(); i++) {
    printf("%g ", check.seen[i]);
    right = right && check.seen[i] == expected[i] * n;
  }
  printf("%s\n", right ? "PASSED" : "FAILED");
  OK(cudaGraphExecDestroy(exec));
  OK(cudaGraphExecDestroy(exec_clone));
  OK(cudaGraphExecDestroy(fresh));
  OK(cudaGraphExecDestroy(whole));
  OK(cudaGraphDestroy(graph));
  OK(cudaGraphDestroy(clone));
  OK(cudaGraphDestroy(captured));
  OK(cudaGraphDestroy(again));
  OK(cudaGraphDestroy(parent));
  OK(cudaStreamDestroy(stream));
  return right ? 0 : 1;
}
