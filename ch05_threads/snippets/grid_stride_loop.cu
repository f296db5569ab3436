// Computes y = a * x + y for any number of elements with any number of threads: a grid-stride loop.
// Topic: indexing
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

__global__ void saxpy_kernel(float a, const float* x, float* y, int n) {
  const int stride = gridDim.x * blockDim.x;  // the number of all threads
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) y[i] = a * x[i] + y[i];
}

// y = a * x + y, n elements each.
void saxpy(float a, const float* x, float* y, int n) {
  const size_t bytes = n * sizeof(float);
  float *dev_x, *dev_y;
  HANDLE_ERROR(cudaMalloc(&dev_x, bytes));
  HANDLE_ERROR(cudaMalloc(&dev_y, bytes));
  HANDLE_ERROR(cudaMemcpy(dev_x, x, bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpy(dev_y, y, bytes, cudaMemcpyHostToDevice));
  saxpy_kernel<<<32, 256>>>(a, dev_x, dev_y, n);  // correct with any two numbers
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(y, dev_y, bytes, cudaMemcpyDeviceToHost));
  cudaFree(dev_x);
  cudaFree(dev_y);
}

int main() {
  const int n = 100000;
  std::vector<float> x(n, 3.0f), y(n, 1.0f);
  saxpy(2.0f, x.data(), y.data(), n);
  int wrong = 0;
  for (float value : y) wrong += value != 7.0f;
  printf("%d of %d elements are wrong\n", wrong, n);
  return wrong == 0 ? 0 : 1;
}
