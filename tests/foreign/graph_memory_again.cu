// A graph whose nodes allocate memory is launched again, after the program has freed that memory outside of it:
// each launch has its memory at the same place. Without the free, the second launch is an error.
#include <cstdio>

#define CHECK(call)                                                             \
  do {                                                                          \
    const cudaError_t code = (call);                                            \
    if (code != cudaSuccess) {                                                  \
      printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorName(code));        \
      return 1;                                                                 \
    }                                                                           \
  } while (0)

constexpr int n = 100000;
__global__ void fill(int* to, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = value + i;
}

int check(cudaGraphExec_t executable, cudaStream_t stream, int* memory, int value) {
  static int back[n];
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaMemcpyAsync(back, memory, sizeof back, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  for (int i = 0; i < n; i++)
    if (back[i] != value + i) return printf("[%d]: %d, expected %d\n", i, back[i], value + i), 1;
  return 0;
}

int main() {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));

  // Built node by node.
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaMemAllocNodeParams what = {};
  what.bytesize = n * sizeof(int);
  what.poolProps.allocType = cudaMemAllocationTypePinned;
  what.poolProps.location.type = cudaMemLocationTypeDevice;
  cudaGraphNode_t allocation, kernel;
  CHECK(cudaGraphAddMemAllocNode(&allocation, graph, nullptr, 0, &what));
  int value = 7;
  void* arguments[] = {&what.dptr, &value};
  cudaKernelNodeParams launch = {};
  launch.func = reinterpret_cast<void*>(fill);
  launch.gridDim = dim3((n + 255) / 256), launch.blockDim = dim3(256);
  launch.kernelParams = arguments;
  CHECK(cudaGraphAddKernelNode(&kernel, graph, &allocation, 1, &launch));
  cudaGraphExec_t executable;
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  int* const memory = static_cast<int*>(what.dptr);
  if (check(executable, stream, memory, 7) != 0) return 1;
  if (cudaGraphLaunch(executable, stream) != cudaErrorInvalidValue) return printf("launched without a free\n"), 1;
  for (int i = 0; i < 3; i++) {
    CHECK(cudaFreeAsync(memory, stream));
    if (check(executable, stream, memory, 7) != 0) return 1;
  }
  CHECK(cudaFree(memory));
  if (check(executable, stream, memory, 7) != 0) return 1;
  CHECK(cudaFree(memory));
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));

  // Captured: allocated in the graph and freed outside, and freed in the graph.
  int *kept, *scratch;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMallocAsync(&kept, n * sizeof(int), stream));
  CHECK(cudaMallocAsync(&scratch, n * sizeof(int), stream));
  fill<<<(n + 255) / 256, 256, 0, stream>>>(scratch, 40);
  CHECK(cudaMemcpyAsync(kept, scratch, n * sizeof(int), cudaMemcpyDeviceToDevice, stream));
  CHECK(cudaFreeAsync(scratch, stream));
  CHECK(cudaStreamEndCapture(stream, &graph));
  size_t nodes = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  if (nodes != 5) return printf("%zu nodes, expected 5\n", nodes), 1;
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 3; i++) {
    if (check(executable, stream, kept, 40) != 0) return 1;
    CHECK(cudaFreeAsync(kept, stream));
  }
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphInstantiate(&executable, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  for (int i = 0; i < 3; i++)
    if (check(executable, stream, kept, 40) != 0) return 1;
  return 0;
}
