// Filters a signal with weights in constant memory: every thread reads the same weight.
// Topic: constant memory
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

constexpr int kWeights = 5;
__constant__ float weights[kWeights];

// out[i] = weights[0] * in[i] + weights[1] * in[i + 1] + ...; in has n + kWeights - 1 elements.
__global__ void filter_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < kWeights; k++) sum += weights[k] * in[i + k];
  out[i] = sum;
}

void filter(const float* in, const float* host_weights, float* out, int n) {
  const size_t in_bytes = (n + kWeights - 1) * sizeof(float);
  float *dev_in, *dev_out;
  HANDLE_ERROR(cudaMalloc(&dev_in, in_bytes));
  HANDLE_ERROR(cudaMalloc(&dev_out, n * sizeof(float)));
  HANDLE_ERROR(cudaMemcpy(dev_in, in, in_bytes, cudaMemcpyHostToDevice));
  HANDLE_ERROR(cudaMemcpyToSymbol(weights, host_weights, sizeof(weights)));
  filter_kernel<<<(n + 255) / 256, 256>>>(dev_in, dev_out, n);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(out, dev_out, n * sizeof(float), cudaMemcpyDeviceToHost));
  cudaFree(dev_in);
  cudaFree(dev_out);
}

int main() {
  const int n = 500;
  const float binomial[kWeights] = {1, 4, 6, 4, 1};
  std::vector<float> in(n + kWeights - 1), out(n);
  for (size_t i = 0; i < in.size(); i++) in[i] = i;
  filter(in.data(), binomial, out.data(), n);
  printf("out[10] = %g\n", out[10]);
  return out[10] == 16 * 12 && out[n - 1] == 16 * (n + 1) ? 0 : 1;
}
