// After a published bug: a function sums up in shared memory, and its caller uses it twice. Nothing keeps the second call from
// overwriting what the first one still reads. https://github.com/NVIDIA/apex/pull/1798 (April 2024)
constexpr int kThreads = 128;

__device__ float sum_of_block(float* shared, float mine) {
  const int t = threadIdx.x;
  shared[t] = mine;  // finds race-block
  for (int half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) shared[t] += shared[t + half];
  }
  __syncthreads();
  const float sum = shared[0];  // finds race-block
#ifdef RIGHT
  __syncthreads();
#endif
  return sum;
}

__global__ void norms(const float* parameters, const float* updates, float* ratios) {
  __shared__ float shared[kThreads];
  const int t = threadIdx.x;
  const float first = sum_of_block(shared, parameters[t] * parameters[t]);
  const float second = sum_of_block(shared, updates[t] * updates[t]);
  ratios[t] = first / second;
}

int main() {
  float values[kThreads], ratios[kThreads];
  for (float& value : values) value = 2;
  float* memory;
  cudaMalloc(&memory, 2 * sizeof values);
  cudaMemcpy(memory, values, sizeof values, cudaMemcpyHostToDevice);
  norms<<<1, kThreads>>>(memory, memory, memory + kThreads);
  cudaMemcpy(ratios, memory + kThreads, sizeof ratios, cudaMemcpyDeviceToHost);
  cudaFree(memory);
  return ratios[7] != 1;
}
