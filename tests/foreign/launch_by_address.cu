// In the manner of libraries that launch by cudaLaunchKernel() with the kernel as a plain address.
#include <cstdio>
#include <vector>

template <typename T>
__global__ void scale(T *x, T factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= factor;
}
namespace mine {
__global__ void shift(float *x, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += by;
}
}  // namespace mine

int main() {
  const int n = 1000;
  float *x;
  cudaMallocManaged(&x, n * sizeof(float));
  for (int i = 0; i < n; i++) x[i] = i;
  float factor = 2, by = 1;
  int count = n;
  void *scale_arguments[] = {(void *)&x, (void *)&factor, (void *)&count};
  void *shift_arguments[] = {&x, &by, &count};
  const void *kernel = (const void *)mine::shift;
  cudaError_t e1 = cudaLaunchKernel((void *)scale<float>, dim3(8), dim3(128), scale_arguments, 0, 0);
  cudaError_t e2 = cudaLaunchKernel(kernel, dim3(8), dim3(128), shift_arguments, 0, 0);
  cudaError_t e3 =
      cudaLaunchKernel(reinterpret_cast<void *>(&scale<float>), 8, 128, scale_arguments, 0, 0);
  cudaError_t e4 = cudaDeviceSynchronize();
  if (e1 || e2 || e3 || e4) return 1;
  for (int i = 0; i < n; i++)
    if (x[i] != (2.0f * i + 1) * 2) return 1;
  // Occupancy, and an attribute, by address too.
  int blocks = 0;
  cudaFuncAttributes attributes;
  if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, mine::shift, 256, 0) || blocks < 1)
    return 1;
  if (cudaFuncGetAttributes(&attributes, (const void *)mine::shift)) return 1;
  printf("%d blocks, at most %d threads\n", blocks, attributes.maxThreadsPerBlock);
  return 0;
}
