// Whether kernels run on the GPU: prints "name<TAB>driver<TAB>runtime" (CUDA versions), or what is wrong.
#include <stdio.h>

__global__ void answer(int* result) { *result = 42; }

int main() {
  int driver = 0, runtime = 0, result = 0, *device = nullptr;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  cudaDeviceProp properties;
  cudaError_t error = cudaGetDeviceProperties(&properties, 0);
  if (error == cudaSuccess) error = cudaMalloc(&device, sizeof result);
  if (error == cudaSuccess) answer<<<1, 1>>>(device);
  if (error == cudaSuccess) error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaMemcpy(&result, device, sizeof result, cudaMemcpyDefault);
  if (error != cudaSuccess) printf("%s\n", cudaGetErrorString(error));
  if (error != cudaSuccess || result != 42) return 1;
  printf("%s\t%d.%d\t%d.%d\n", properties.name, driver / 1000, driver % 1000 / 10, runtime / 1000,
         runtime % 1000 / 10);
}
