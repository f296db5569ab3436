// While a stream is captured, the program chooses itself what the next node comes after, as CUDA 13 declares
// the call; and the codes of errors that programs print by name.
#include <cstdio>
#include <cufft.h>

#define CHECK(call)                                                             \
  do {                                                                          \
    const cudaError_t code = (call);                                            \
    if (code != cudaSuccess) {                                                  \
      printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorName(code));        \
      return 1;                                                                 \
    }                                                                           \
  } while (0)

__global__ void set(int* value, int to) { *value = to; }
__global__ void add(int* value, const int* other) { *value += *other; }

const char* name_of(cufftResult code) {
  switch (code) {
    case CUFFT_SUCCESS: return "CUFFT_SUCCESS";
    case CUFFT_MISSING_DEPENDENCY: return "CUFFT_MISSING_DEPENDENCY";
    case CUFFT_NVRTC_FAILURE: return "CUFFT_NVRTC_FAILURE";
    case CUFFT_NVJITLINK_FAILURE: return "CUFFT_NVJITLINK_FAILURE";
    default: return "other";
  }
}

int main() {
  if (CUFFT_MISSING_DEPENDENCY != 0x11 || CUFFT_NVRTC_FAILURE != 0x12 || CUFFT_NVJITLINK_FAILURE != 0x13) return 1;
  printf("%s\n", name_of(CUFFT_NVRTC_FAILURE));
  int *a, *b;
  CHECK(cudaMallocManaged(&a, sizeof(int)));
  CHECK(cudaMallocManaged(&b, sizeof(int)));
  *a = *b = 0;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  set<<<1, 1, 0, stream>>>(a, 40);
  cudaStreamCaptureStatus status;
  cudaGraph_t graph;
  const cudaGraphNode_t* last;
  const cudaGraphEdgeData* edges;
  size_t count;
  CHECK(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &last, &edges, &count));
  if (status != cudaStreamCaptureStatusActive || count != 1) return 1;
  // A node that the program adds itself, next to the captured one; what is captured next comes after both.
  cudaGraphNode_t own;
  int to = 2;
  void* arguments[] = {&b, &to};
  cudaKernelNodeParams what = {};
  what.func = reinterpret_cast<void*>(set);
  what.gridDim = what.blockDim = dim3(1);
  what.kernelParams = arguments;
  CHECK(cudaGraphAddKernelNode(&own, graph, nullptr, 0, &what));
  CHECK(cudaStreamUpdateCaptureDependencies(stream, &own, nullptr, 1, cudaStreamAddCaptureDependencies));
  CHECK(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &last, &edges, &count));
  if (count != 2) return printf("%zu nodes to come after, expected 2\n", count), 1;
  add<<<1, 1, 0, stream>>>(a, b);
  CHECK(cudaStreamEndCapture(stream, &graph));
  size_t edge_count = 0;
  CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edge_count));
  if (edge_count != 2) return printf("%zu edges, expected 2\n", edge_count), 1;
  cudaGraphExec_t executable;
  CHECK(cudaGraphInstantiate(&executable, graph, 0));
  CHECK(cudaGraphLaunch(executable, stream));
  CHECK(cudaStreamSynchronize(stream));
  if (*a != 42) return printf("%d, expected 42\n", *a), 1;
  return 0;
}
