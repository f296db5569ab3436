// Averages each element with its neighbors: a tile with a halo in shared memory.
// Topic: stencils
#include <cstdio>
#include <cstdlib>
#include <vector>

#define HANDLE_ERROR(call)        \
  if (cudaError_t error = (call)) \
  printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)), exit(1)

constexpr int kThreads = 256, kRadius = 3;

// out[i] = the average of in[i - kRadius] to in[i + kRadius]; elements beyond the ends count as 0.
__global__ void average_kernel(const float* in, float* out, int n) {
  __shared__ float tile[kThreads + 2 * kRadius];
  const int first = blockIdx.x * kThreads - kRadius;  // the element that tile[0] holds
  for (int k = threadIdx.x; k < kThreads + 2 * kRadius; k += kThreads) {
    const int i = first + k;
    tile[k] = i >= 0 && i < n ? in[i] : 0;
  }
  __syncthreads();
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k <= 2 * kRadius; k++) sum += tile[threadIdx.x + k];
  out[i] = sum / (2 * kRadius + 1);
}

void moving_average(const float* in, float* out, int n) {
  float *dev_in, *dev_out;
  HANDLE_ERROR(cudaMalloc(&dev_in, n * sizeof(float)));
  HANDLE_ERROR(cudaMalloc(&dev_out, n * sizeof(float)));
  HANDLE_ERROR(cudaMemcpy(dev_in, in, n * sizeof(float), cudaMemcpyHostToDevice));
  average_kernel<<<(n + kThreads - 1) / kThreads, kThreads>>>(dev_in, dev_out, n);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(out, dev_out, n * sizeof(float), cudaMemcpyDeviceToHost));
  cudaFree(dev_in);
  cudaFree(dev_out);
}

int main() {
  const int n = 1000;
  std::vector<float> in(n, 7.0f), out(n);
  moving_average(in.data(), out.data(), n);
  printf("first %g, inside %g\n", out[0], out[500]);  // 4 of 7 elements count at the end
  return out[0] == 4 && out[256] == 7 && out[n - 1] == 4 ? 0 : 1;
}
