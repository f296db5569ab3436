// A graph of two kernels, of which the second reads what the first writes.
#include <cstdio>

__global__ void fill(int* x) { x[threadIdx.x] = threadIdx.x; }    // finds race-kernels
__global__ void negate(int* x) { x[threadIdx.x] = -x[threadIdx.x]; }  // finds race-kernels

int main() {
  int* x;
  cudaMalloc(&x, 32 * sizeof(int));
  cudaMemset(x, 0, 32 * sizeof(int));
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  void* arguments[] = {&x};
  cudaKernelNodeParams fill_node{}, negate_node{};
  fill_node.func = (void*)fill;
  negate_node.func = (void*)negate;
  fill_node.gridDim = negate_node.gridDim = dim3(1);
  fill_node.blockDim = negate_node.blockDim = dim3(32);
  fill_node.kernelParams = negate_node.kernelParams = arguments;
  cudaGraphNode_t first, second;
  cudaGraphAddKernelNode(&first, graph, nullptr, 0, &fill_node);
#ifdef RIGHT
  cudaGraphAddKernelNode(&second, graph, &first, 1, &negate_node);
#else
  cudaGraphAddKernelNode(&second, graph, nullptr, 0, &negate_node);
#endif
  cudaGraphExec_t executable;
  cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0);
  cudaGraphLaunch(executable, 0);
  cudaDeviceSynchronize();
  int last = 0;
  cudaMemcpy(&last, x + 31, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", last);
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cudaFree(x);
}
