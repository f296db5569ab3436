// In the manner of libraries that find out too late that a stream is being captured: calls that a capture does not allow end it,
// whichever its mode; the same calls in another stream do not. A graph that is part of a larger one does what it does alone, also
// after its nodes were changed or switched off.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#define CHECK(call) \
  if ((call) != cudaSuccess) fprintf(stderr, "line %d: %s failed\n", __LINE__, #call), exit(2)

int wrong = 0;

void expect(const char *what, int got, int wanted) {
  if (got != wanted) wrong++, fprintf(stderr, "%s: %d, expected %d\n", what, got, wanted);
}

__global__ void step(int *state, int number) { *state = *state * 10 + number; }

struct Refused {
  const char *name;
  std::function<cudaError_t(cudaGraphExec_t, cudaStream_t)> call;
};

// Three steps, one after the other.
cudaGraph_t steps(int *state, cudaGraphNode_t *nodes) {
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  for (int i = 0; i < 3; i++) {
    int number = i + 1;
    void *arguments[] = {&state, &number};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void *)step, kernel.gridDim = dim3(1), kernel.blockDim = dim3(1), kernel.kernelParams = arguments;
    CHECK(cudaGraphAddKernelNode(&nodes[i], graph, i > 0 ? &nodes[i - 1] : nullptr, i > 0, &kernel));
  }
  return graph;
}

int main() {
  int *state, value = 7;
  cudaStream_t stream, other;
  cudaGraphNode_t nodes[3], child;
  cudaGraphExec_t executable, larger;
  CHECK(cudaMalloc(&state, sizeof(int)));
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamCreate(&other));
  cudaGraph_t graph = steps(state, nodes), outer, captured;
  CHECK(cudaGraphInstantiate(&executable, graph, 0));

  const Refused calls[] = {
      {"cudaGraphLaunch", [](cudaGraphExec_t it, cudaStream_t in) { return cudaGraphLaunch(it, in); }},
      {"cudaGraphUpload", [](cudaGraphExec_t it, cudaStream_t in) { return cudaGraphUpload(it, in); }},
      {"cudaStreamSynchronize", [](cudaGraphExec_t, cudaStream_t in) { return cudaStreamSynchronize(in); }},
  };
  const cudaStreamCaptureMode modes[] = {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed};
  for (const Refused &one : calls)
    for (cudaStreamCaptureMode mode : modes) {
      cudaStreamCaptureStatus status;
      CHECK(cudaStreamBeginCapture(stream, mode));
      expect(one.name, one.call(executable, stream), cudaErrorStreamCaptureUnsupported);
      CHECK(cudaStreamIsCapturing(stream, &status));
      expect("the state of the capture", status, cudaStreamCaptureStatusInvalidated);
      expect("its end", cudaStreamEndCapture(stream, &captured), cudaErrorStreamCaptureInvalidated);
      expect("its graph", captured != nullptr, 0);
      cudaGetLastError();
      CHECK(cudaStreamIsCapturing(stream, &status));
      expect("the state afterwards", status, cudaStreamCaptureStatusNone);
    }

  // Elsewhere the launch is allowed, and the capture goes on.
  CHECK(cudaMemcpy(state, &value, sizeof value, cudaMemcpyHostToDevice));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  CHECK(cudaGraphLaunch(executable, other));
  step<<<1, 1, 0, stream>>>(state, 5);
  CHECK(cudaStreamEndCapture(stream, &captured));
  CHECK(cudaStreamSynchronize(other));
  CHECK(cudaMemcpy(&value, state, sizeof value, cudaMemcpyDeviceToHost));
  expect("launched in another stream", value, 7123);
  CHECK(cudaGraphDestroy(captured));

  for (int off = -1; off < 3; off++) {
    const int results[] = {7123, 723, 713, 712};
    cudaGraphExec_t alone;
    CHECK(cudaGraphInstantiate(&alone, graph, 0));
    if (off >= 0) CHECK(cudaGraphNodeSetEnabled(alone, nodes[off], 0));
    value = 7;
    CHECK(cudaMemcpy(state, &value, sizeof value, cudaMemcpyHostToDevice));
    CHECK(cudaGraphLaunch(alone, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemcpy(&value, state, sizeof value, cudaMemcpyDeviceToHost));
    expect("alone", value, results[off + 1]);
    CHECK(cudaGraphExecDestroy(alone));
  }
  CHECK(cudaGraphCreate(&outer, 0));
  CHECK(cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, graph));
  CHECK(cudaGraphInstantiate(&larger, outer, 0));
  value = 7;
  CHECK(cudaMemcpy(state, &value, sizeof value, cudaMemcpyHostToDevice));
  CHECK(cudaGraphLaunch(larger, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemcpy(&value, state, sizeof value, cudaMemcpyDeviceToHost));
  expect("as a part of another", value, 7123);
  puts(wrong ? "wrong" : "right");
  return wrong != 0;
}
