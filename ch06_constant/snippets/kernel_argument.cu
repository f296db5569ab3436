// Passes a table as a kernel argument: constant memory that belongs to one launch.
// Topic: constant memory
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

constexpr int kLimits = 10;
struct Limits {
  float values[kLimits];
};

// out[i] = how many of the limits data[i] exceeds. All lanes read the same limit at the same time.
// __grid_constant__ promises that the kernel does not change the argument.
__global__ void classify_kernel(const __grid_constant__ Limits limits, const float* data, int* out,
                                int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int exceeded = 0;
  for (int k = 0; k < kLimits; k++) exceeded += data[i] > limits.values[k];
  out[i] = exceeded;
}

void classify(const Limits& limits, const float* data, int* out, int n) {
  float* dev_data;
  int* dev_out;
  HANDLE_ERROR(cudaMalloc(&dev_data, n * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&dev_out, n * sizeof(int)));
  HANDLE_ERROR(cudaMemcpy(dev_data, data, n * sizeof(float), cudaMemcpyHostToDevice));
  classify_kernel<<<(n + 255) / 256, 256>>>(limits, dev_data, dev_out, n);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(out, dev_out, n * sizeof(int), cudaMemcpyDeviceToHost));
  cudaFree(dev_data);
  cudaFree(dev_out);
}

int main() {
  Limits limits;
  for (int k = 0; k < kLimits; k++) limits.values[k] = 100.0f * k;
  std::vector<float> data(1000);
  for (int i = 0; i < 1000; i++) data[i] = i;
  std::vector<int> out(1000);
  classify(limits, data.data(), out.data(), 1000);
  printf("%g exceeds %d limits\n", data[555], out[555]);
  return out[0] == 0 && out[555] == 6 && out[999] == 10 ? 0 : 1;
}
