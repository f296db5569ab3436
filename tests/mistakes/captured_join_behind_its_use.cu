// The join of two captured streams comes behind the kernel that needs both.
#include <cstdio>
__global__ void set(int* a, int n, int v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = v;  // finds race-kernels
}
__global__ void add(const int* a, const int* b, int* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];  // finds race-kernels
}
int main() {
  int *a, *b, *c, n = 256;
  cudaMalloc(&a, n * 4);
  cudaMalloc(&b, n * 4);
  cudaMalloc(&c, n * 4);
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaEvent_t fork, join;
  cudaEventCreate(&fork);
  cudaEventCreate(&join);
  cudaGraph_t graph;
  cudaGraphExec_t run;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaEventRecord(fork, s);
  cudaStreamWaitEvent(t, fork, 0);
  set<<<1, 256, 0, s>>>(a, n, 1);
  set<<<1, 256, 0, t>>>(b, n, 2);
#ifdef RIGHT
  cudaEventRecord(join, t);
  cudaStreamWaitEvent(s, join, 0);
  add<<<1, 256, 0, s>>>(a, b, c, n);
#else
  add<<<1, 256, 0, s>>>(a, b, c, n);
  cudaEventRecord(join, t);
  cudaStreamWaitEvent(s, join, 0);
#endif
  cudaStreamEndCapture(s, &graph);
  cudaGraphInstantiate(&run, graph, nullptr, nullptr, 0);
  cudaGraphLaunch(run, s);
  cudaStreamSynchronize(s);
}
