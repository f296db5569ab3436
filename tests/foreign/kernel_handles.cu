// In the manner of newer samples: kernels by their handles and names, and a grid that begins before the one in front of
// it has ended (programmatic dependent launch, sm_90 and later).
#include <cstdio>
#include <cstring>

__global__ void produce(int *x) {
  x[threadIdx.x] = threadIdx.x;
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}
__global__ void consume(int *x, int more) {
#if __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
  x[threadIdx.x] += more;
}
__global__ void consume_in_ptx(int *x, int more) {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
  x[threadIdx.x] += more;
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}

int main() {
  int *x, n = 64, more = 100, wrong = 0;
  cudaMallocManaged(&x, n * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  produce<<<1, n, 0, stream>>>(x);
  cudaLaunchAttribute early;
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t how = {};
  how.gridDim = 1;
  how.blockDim = n;
  how.stream = stream;
  how.attrs = &early;
  how.numAttrs = 1;
  cudaLaunchKernelEx(&how, consume, x, more);
  cudaLaunchKernelEx(&how, consume_in_ptx, x, 1000);
  cudaKernel_t handle;
  if (cudaGetKernel(&handle, (const void *)consume) != cudaSuccess) return 1;
  void *arguments[] = {&x, &more};
  if (cudaLaunchKernel((const void *)handle, dim3(1), dim3(n), arguments, 0, stream) != cudaSuccess) return 1;
  if (cudaStreamSynchronize(stream) != cudaSuccess) return 1;
  for (int i = 0; i < n; i++) wrong += x[i] != i + 1200;
  const char *name = nullptr;
  if (cudaFuncGetName(&name, (const void *)produce) != cudaSuccess || strstr(name, "produce") == nullptr) wrong++;
  if (cudaFuncGetName(&name, x) == cudaSuccess) wrong++;  // no kernel
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
