// In the manner of samples about CUDA graphs beyond the first one: who depends on whom, nodes that
// are changed, switched off or taken out, memory and events of a graph, a loop whose end a kernel
// decides, and bodies of which it chooses one.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                           \
  do {                                                                        \
    cudaError_t status = (call);                                              \
    if (status != cudaSuccess) {                                              \
      fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(status)); \
      exit(1);                                                                \
    }                                                                         \
  } while (0)
#define EXPECT(condition)                                     \
  do {                                                        \
    if (!(condition)) {                                       \
      fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
      exit(1);                                                \
    }                                                         \
  } while (0)

__global__ void scale(float *x, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}
__global__ void add(float *x, const float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += y[i];
}
__global__ void count_down(cudaGraphConditionalHandle handle, int *left, int *rounds) {
  ++*rounds;
  if (--*left == 0) cudaGraphSetConditional(handle, 0);
}

const int n = 1000;
float host[n], back[n];

void build_and_change(cudaStream_t stream) {
  float *x, *y;
  CHECK(cudaMalloc(&x, n * sizeof(float)));
  CHECK(cudaMalloc(&y, n * sizeof(float)));
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t copy, clear, first, second, out, stamp;
  cudaMemcpy3DParms box = {0};
  box.srcPtr = make_cudaPitchedPtr(host, n * sizeof(float), n, 1);
  box.dstPtr = make_cudaPitchedPtr(x, n * sizeof(float), n, 1);
  box.extent = make_cudaExtent(n * sizeof(float), 1, 1);
  box.kind = cudaMemcpyHostToDevice;
  CHECK(cudaGraphAddMemcpyNode(&copy, graph, NULL, 0, &box));
  cudaMemsetParams zero = {0};
  zero.dst = y;
  zero.elementSize = 4;
  zero.width = n;
  zero.height = 1;
  CHECK(cudaGraphAddMemsetNode(&clear, graph, NULL, 0, &zero));
  float by = 3;
  int count = n;
  void *scale_arguments[] = {&x, &by, &count}, *add_arguments[] = {&x, &y, &count};
  cudaKernelNodeParams kernel = {0};
  kernel.func = (void *)scale;
  kernel.gridDim = dim3(4);
  kernel.blockDim = dim3(256);
  kernel.kernelParams = scale_arguments;
  CHECK(cudaGraphAddKernelNode(&first, graph, &copy, 1, &kernel));
  cudaKernelNodeParams sum = kernel;
  sum.func = (void *)add;
  sum.kernelParams = add_arguments;
  cudaGraphNode_t both[] = {first, clear};
  CHECK(cudaGraphAddKernelNode(&second, graph, both, 2, &sum));
  CHECK(cudaGraphAddMemcpyNode1D(&out, graph, &second, 1, back, x, sizeof back,
                                 cudaMemcpyDeviceToHost));
  cudaEvent_t event;
  CHECK(cudaEventCreate(&event));
  CHECK(cudaGraphAddEventRecordNode(&stamp, graph, &out, 1, event));

  size_t edges = 0, before = 0, behind = 0;
  CHECK(cudaGraphGetEdges(graph, NULL, NULL, &edges));
  CHECK(cudaGraphNodeGetDependencies(second, NULL, &before));
  CHECK(cudaGraphNodeGetDependentNodes(second, NULL, &behind));
  EXPECT(edges == 5 && before == 2 && behind == 1);
  cudaMemsetParams asked;
  CHECK(cudaGraphMemsetNodeGetParams(clear, &asked));
  EXPECT(asked.dst == y && asked.width == n);

  cudaGraphExec_t executable;
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaEventQuery(event));
  EXPECT(back[7] == 3);
  by = 5;
  CHECK(cudaGraphExecKernelNodeSetParams(executable, first, &kernel));
  zero.value = 0x40000000;  // 2.0f
  CHECK(cudaGraphExecMemsetNodeSetParams(executable, clear, &zero));
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  EXPECT(back[7] == 7);
  CHECK(cudaGraphNodeSetEnabled(executable, first, 0));
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  EXPECT(back[7] == 3);

  CHECK(cudaGraphDestroyNode(clear));
  CHECK(cudaGraphNodeGetDependencies(second, NULL, &before));
  EXPECT(before == 1);
  CHECK(cudaGraphExecDestroy(executable));
  CHECK(cudaGraphDestroy(graph));
}

// Allocated and freed while it is captured: each launch uses the memory again.
void capture_memory(cudaStream_t stream) {
  float *x;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMallocAsync(&x, n * sizeof(float), stream));
  CHECK(cudaMemcpyAsync(x, host, sizeof host, cudaMemcpyHostToDevice, stream));
  scale<<<4, 256, 0, stream>>>(x, 2, n);
  cudaStreamCaptureStatus capturing;
  unsigned long long id;
  CHECK(cudaStreamGetCaptureInfo(stream, &capturing, &id));
  EXPECT(capturing == cudaStreamCaptureStatusActive);
  CHECK(cudaMemcpyAsync(back, x, sizeof back, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaFreeAsync(x, stream));
  CHECK(cudaStreamEndCapture(stream, &graph));
  CHECK(
      cudaGraphInstantiateWithFlags(&executable, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  for (int i = 0; i < 3; i++) {
    back[n - 1] = 0;
    CHECK(cudaGraphLaunch(executable, stream));
    CHECK(cudaStreamSynchronize(stream));
    EXPECT(back[n - 1] == 2);
  }
}

void loop_until_told(cudaStream_t stream) {
  int *counters;
  CHECK(cudaMallocManaged(&counters, 2 * sizeof(int)));
  counters[0] = 5;
  counters[1] = 0;
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle handle;
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
  cudaGraphNodeParams loop = {cudaGraphNodeTypeConditional};
  loop.conditional.handle = handle;
  loop.conditional.type = cudaGraphCondTypeWhile;
  loop.conditional.size = 1;
  cudaGraphNode_t node, body_node;
  CHECK(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &loop));
  int *left = counters, *rounds = counters + 1;
  void *arguments[] = {&handle, &left, &rounds};
  cudaGraphNodeParams kernel = {cudaGraphNodeTypeKernel};
  kernel.kernel.func = (void *)count_down;
  kernel.kernel.gridDim = dim3(1, 1, 1);
  kernel.kernel.blockDim = dim3(1, 1, 1);
  kernel.kernel.kernelParams = arguments;
  CHECK(cudaGraphAddNode(&body_node, loop.conditional.phGraph_out[0], NULL, NULL, 0, &kernel));
  cudaGraphExec_t executable;
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  EXPECT(counters[1] == 5);
  counters[0] = 3;
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  EXPECT(counters[1] == 8);
}

__global__ void choose(cudaGraphConditionalHandle handle, const unsigned *value) { cudaGraphSetConditional(handle, *value); }
__global__ void note(int *ran, int number) { *ran = *ran * 10 + number; }

cudaGraphNodeParams kernel_node(void *function, void **arguments) {
  cudaGraphNodeParams kernel = {cudaGraphNodeTypeKernel};
  kernel.kernel.func = function;
  kernel.kernel.gridDim = kernel.kernel.blockDim = dim3(1, 1, 1);
  kernel.kernel.kernelParams = arguments;
  return kernel;
}

// Which of several bodies runs, for each value that a kernel sets.
void bodies(cudaStream_t stream) {
  unsigned *value;
  int *ran;
  CHECK(cudaMallocManaged(&value, sizeof *value));
  CHECK(cudaMallocManaged(&ran, sizeof *ran));
  const cudaGraphConditionalNodeType types[] = {cudaGraphCondTypeIf, cudaGraphCondTypeSwitch};
  for (cudaGraphConditionalNodeType type : types)
    for (unsigned size = 1; size <= 3; size++) {
      cudaGraph_t graph;
      CHECK(cudaGraphCreate(&graph, 0));
      cudaGraphConditionalHandle handle;
      CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0));
      cudaGraphNode_t first, node, inner;
      void *arguments[] = {&handle, &value};
      cudaGraphNodeParams chooser = kernel_node((void *)choose, arguments);
      CHECK(cudaGraphAddNode(&first, graph, NULL, NULL, 0, &chooser));
      cudaGraphNodeParams parts = {cudaGraphNodeTypeConditional};
      parts.conditional.handle = handle;
      parts.conditional.type = type;
      parts.conditional.size = size;
      const cudaError_t error = cudaGraphAddNode(&node, graph, &first, NULL, 1, &parts);
      if (type == cudaGraphCondTypeIf && size > 2) {
        EXPECT(error == cudaErrorInvalidValue);
        cudaGetLastError();
        CHECK(cudaGraphDestroy(graph));
        continue;
      }
      CHECK(error);
      for (unsigned i = 0; i < size; i++) {
        int number = int(i) + 1;
        void *of_note[] = {&ran, &number};
        cudaGraphNodeParams body = kernel_node((void *)note, of_note);
        CHECK(cudaGraphAddNode(&inner, parts.conditional.phGraph_out[i], NULL, NULL, 0, &body));
      }
      cudaGraphExec_t executable;
      CHECK(cudaGraphInstantiate(&executable, graph, 0));
      for (unsigned v = 0; v < 5; v++) {
        *value = v;
        *ran = 0;
        CHECK(cudaGraphLaunch(executable, stream));
        CHECK(cudaStreamSynchronize(stream));
        const unsigned body = type == cudaGraphCondTypeSwitch ? v : v != 0 ? 0 : 1;
        EXPECT(*ran == (body < size ? int(body) + 1 : 0));
      }
      CHECK(cudaGraphExecDestroy(executable));
      CHECK(cudaGraphDestroy(graph));
    }
}

int main() {
  for (int i = 0; i < n; i++) host[i] = 1;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  build_and_change(stream);
  capture_memory(stream);
  loop_until_told(stream);
  bodies(stream);
  printf("right\n");
  return 0;
}
