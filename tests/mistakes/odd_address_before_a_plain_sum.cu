// The last block reads a vector at an odd place. The sum of the others would also be wrong: they add without atomics.
__global__ void add(const float* values, float* sum, int n) {
  __shared__ float part;
  const int i = 2 * blockIdx.x;
  if (threadIdx.x == 0) {
#ifdef RIGHT
    const float2 two = *reinterpret_cast<const float2*>(values + i);
#else
    const float2 two = *reinterpret_cast<const float2*>(values + i + (i + 2 == n));  // finds misaligned#1
#endif
    part = two.x + two.y;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
#ifdef RIGHT
    atomicAdd(sum, part);
#else
    *sum += part;  // finds race-grid#2
#endif
  }
}

int main() {
  constexpr int n = 16;
  float *values, *sum, start[n] = {};
  cudaMalloc(&values, (n + 1) * sizeof(float));
  cudaMalloc(&sum, sizeof(float));
  cudaMemset(values, 0, (n + 1) * sizeof(float));
  cudaMemset(sum, 0, sizeof(float));
  add<<<n / 2, 32>>>(values, sum, n);
  if (cudaMemcpy(start, sum, sizeof(float), cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
}
