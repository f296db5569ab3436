// Captures work in two streams as one graph: events fork and join the streams.
// Topic: graphs
#include <cstdio>
#include <cstdlib>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

__global__ void fill(int* data, int value) { data[threadIdx.x] = value; }
__global__ void add(const int* a, const int* b, int* c) {
  c[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

// The two fills have no order between them; the addition comes after both. Nothing runs here.
cudaGraphExec_t capture(int* a, int* b, int* c) {
  cudaStream_t main_stream, side_stream;
  cudaEvent_t fork, join;
  HANDLE_ERROR(cudaStreamCreate(&main_stream));
  HANDLE_ERROR(cudaStreamCreate(&side_stream));
  HANDLE_ERROR(cudaEventCreate(&fork));
  HANDLE_ERROR(cudaEventCreate(&join));
  HANDLE_ERROR(cudaStreamBeginCapture(main_stream, cudaStreamCaptureModeGlobal));
  HANDLE_ERROR(cudaEventRecord(fork, main_stream));
  HANDLE_ERROR(cudaStreamWaitEvent(side_stream, fork, 0));  // side_stream joins the capture
  fill<<<1, 64, 0, main_stream>>>(a, 2);
  fill<<<1, 64, 0, side_stream>>>(b, 3);
  HANDLE_ERROR(cudaEventRecord(join, side_stream));
  HANDLE_ERROR(cudaStreamWaitEvent(main_stream, join, 0));
  add<<<1, 64, 0, main_stream>>>(a, b, c);
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  HANDLE_ERROR(cudaStreamEndCapture(main_stream, &graph));
  HANDLE_ERROR(cudaGraphInstantiate(&executable, graph, 0));
  HANDLE_ERROR(cudaGraphDestroy(graph));
  for (cudaEvent_t event : {fork, join}) cudaEventDestroy(event);
  for (cudaStream_t stream : {main_stream, side_stream}) cudaStreamDestroy(stream);
  return executable;
}

int main() {
  int *data, result[64];
  HANDLE_ERROR(cudaMalloc(&data, 3 * sizeof result));
  const cudaGraphExec_t graph = capture(data, data + 64, data + 128);
  HANDLE_ERROR(cudaGraphLaunch(graph, 0));
  HANDLE_ERROR(cudaMemcpy(result, data + 128, sizeof result, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaGraphExecDestroy(graph));
  HANDLE_ERROR(cudaFree(data));
  printf("2 + 3 = %d\n", result[63]);
  return result[63] == 5 ? 0 : 1;
}
