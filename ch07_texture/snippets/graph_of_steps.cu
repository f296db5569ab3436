// Launches many small kernels with one call: a CUDA graph, captured from a stream.
// Topic: graphs
#include <cstdio>
#include <cstdlib>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

__global__ void add_one(int* x) { x[threadIdx.x] += 1; }

// Captures `steps` launches. Nothing runs here: the calls become the nodes of a graph.
cudaGraphExec_t capture_steps(int* dev_x, int steps) {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  HANDLE_ERROR(cudaStreamCreate(&stream));
  HANDLE_ERROR(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int i = 0; i < steps; i++) add_one<<<1, 64, 0, stream>>>(dev_x);
  HANDLE_ERROR(cudaStreamEndCapture(stream, &graph));
  HANDLE_ERROR(cudaGraphInstantiate(&executable, graph, 0));
  HANDLE_ERROR(cudaGraphDestroy(graph));
  HANDLE_ERROR(cudaStreamDestroy(stream));
  return executable;
}

int main() {
  int *dev_x, x[64];
  HANDLE_ERROR(cudaMalloc(&dev_x, sizeof x));
  HANDLE_ERROR(cudaMemset(dev_x, 0, sizeof x));
  const cudaGraphExec_t ten_steps = capture_steps(dev_x, 10);
  for (int i = 0; i < 5; i++) HANDLE_ERROR(cudaGraphLaunch(ten_steps, 0));  // 50 kernels, 5 calls
  HANDLE_ERROR(cudaMemcpy(x, dev_x, sizeof x, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaGraphExecDestroy(ten_steps));
  HANDLE_ERROR(cudaFree(dev_x));
  printf("after 5 launches of 10 steps: %d\n", x[63]);
  return x[0] == 50 && x[63] == 50 ? 0 : 1;
}
