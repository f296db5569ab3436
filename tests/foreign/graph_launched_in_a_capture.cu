// In the manner of libraries that replay a recorded part within a larger recording: a graph that is launched while a stream is
// captured does what it does when it is launched at once, also after its nodes were changed or switched off.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#define CHECK(call) \
  if ((call) != cudaSuccess) fprintf(stderr, "line %d: %s failed\n", __LINE__, #call), exit(2)

// Each leaves its mark, and what it found: so the order shows, too.
__global__ void step(int *state, int number) { *state = *state * 10 + number; }

struct Recorded {
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaGraphNode_t kernels[3], clear, copy;
};

int *state, *extra, wrong = 0;

// clear `extra`; three steps, one after the other; a copy of the state.
Recorded recorded() {
  Recorded it;
  CHECK(cudaGraphCreate(&it.graph, 0));
  cudaMemsetParams zero = {};
  zero.dst = extra, zero.elementSize = 4, zero.width = 1, zero.height = 1, zero.value = 5;
  CHECK(cudaGraphAddMemsetNode(&it.clear, it.graph, nullptr, 0, &zero));
  const cudaGraphNode_t *before = &it.clear;
  for (int i = 0; i < 3; i++) {
    int number = i + 1;
    void *arguments[] = {&state, &number};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void *)step, kernel.gridDim = dim3(1), kernel.blockDim = dim3(1), kernel.kernelParams = arguments;
    CHECK(cudaGraphAddKernelNode(&it.kernels[i], it.graph, before, 1, &kernel));
    before = &it.kernels[i];
  }
  CHECK(cudaGraphAddMemcpyNode1D(&it.copy, it.graph, before, 1, extra + 1, state, 4, cudaMemcpyDeviceToDevice));
  CHECK(cudaGraphInstantiate(&it.executable, it.graph, 0));
  return it;
}

std::vector<int> result(const std::function<void(cudaStream_t)> &work) {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  const int start[] = {7, 0, 0};
  int end[3];
  CHECK(cudaMemcpy(state, start, sizeof start, cudaMemcpyHostToDevice));
  work(stream);
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemcpy(end, state, sizeof end, cudaMemcpyDeviceToHost));
  CHECK(cudaStreamDestroy(stream));
  return {end[0], end[1], end[2]};
}

void compare(const char *what, const std::function<void(Recorded &)> &change, int expected) {
  Recorded it = recorded();
  change(it);
  const auto at_once = result([&](cudaStream_t stream) { CHECK(cudaGraphLaunch(it.executable, stream)); });
  const auto captured = result([&](cudaStream_t stream) {
    cudaGraph_t outer;
    cudaGraphExec_t executable;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    CHECK(cudaGraphLaunch(it.executable, stream));
    CHECK(cudaStreamEndCapture(stream, &outer));
    CHECK(cudaGraphInstantiate(&executable, outer, 0));
    CHECK(cudaGraphLaunch(executable, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaGraphExecDestroy(executable));
    CHECK(cudaGraphDestroy(outer));
  });
  if (at_once != captured || at_once[0] != expected) {
    wrong++;
    fprintf(stderr, "%s: at once %d %d %d, captured %d %d %d\n", what, at_once[0], at_once[1], at_once[2], captured[0], captured[1],
            captured[2]);
  }
  CHECK(cudaGraphExecDestroy(it.executable));
  CHECK(cudaGraphDestroy(it.graph));
}

int main() {
  CHECK(cudaMalloc(&state, 3 * sizeof(int)));
  extra = state + 1;
  compare("as it is", [](Recorded &) {}, 7123);
  for (int off = 0; off < 3; off++) {
    const int left[] = {723, 713, 712};
    compare("a kernel off", [&](Recorded &it) { CHECK(cudaGraphNodeSetEnabled(it.executable, it.kernels[off], 0)); }, left[off]);
    compare("off and on", [&](Recorded &it) {
      CHECK(cudaGraphNodeSetEnabled(it.executable, it.kernels[off], 0));
      CHECK(cudaGraphNodeSetEnabled(it.executable, it.kernels[off], 1));
    }, 7123);
  }
  compare("the memset off", [](Recorded &it) { CHECK(cudaGraphNodeSetEnabled(it.executable, it.clear, 0)); }, 7123);
  compare("the copy off", [](Recorded &it) { CHECK(cudaGraphNodeSetEnabled(it.executable, it.copy, 0)); }, 7123);
  compare("other arguments", [](Recorded &it) {
    int number = 9;
    void *arguments[] = {&state, &number};
    cudaKernelNodeParams kernel = {};
    kernel.func = (void *)step, kernel.gridDim = dim3(1), kernel.blockDim = dim3(1), kernel.kernelParams = arguments;
    CHECK(cudaGraphExecKernelNodeSetParams(it.executable, it.kernels[1], &kernel));
  }, 7193);
  compare("another value", [](Recorded &it) {
    cudaMemsetParams two = {};
    two.dst = state, two.elementSize = 4, two.width = 1, two.height = 1, two.value = 2;
    CHECK(cudaGraphExecMemsetNodeSetParams(it.executable, it.clear, &two));
  }, 2123);
  puts(wrong ? "wrong" : "right");
  return wrong != 0;
}
