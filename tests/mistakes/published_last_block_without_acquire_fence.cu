// After a published bug: in a sum of two stages, the last block reads the sums of the others without a fence after the
// counter. https://github.com/pytorch/pytorch/pull/128455 (PyTorch, June 2024)
constexpr int kBlocks = 6, kThreads = 64;
__device__ float staged[kBlocks], total;
__device__ int semaphore;

__global__ void sum(const float* values) {
  __shared__ float sums[kThreads];
  __shared__ bool is_last;
  const int t = threadIdx.x;
  sums[t] = values[blockIdx.x * kThreads + t];
  for (int half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) sums[t] += sums[t + half];
  }
  if (t == 0) {
    staged[blockIdx.x] = sums[0];  // finds race-fence
    __threadfence();
    is_last = atomicAdd(&semaphore, 1) == kBlocks - 1;
  }
  __syncthreads();
  if (!is_last) return;
#ifdef RIGHT
  __threadfence();
#endif
  float mine = t < kBlocks ? staged[t] : 0;  // finds race-fence
  sums[t] = mine;
  for (int half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) sums[t] += sums[t + half];
  }
  if (t == 0) total = sums[0];
}

int main() {
  float values[kBlocks * kThreads], result = 0;
  for (float& value : values) value = 1;
  float* device_values;
  cudaMalloc(&device_values, sizeof values);
  cudaMemcpy(device_values, values, sizeof values, cudaMemcpyHostToDevice);
  sum<<<kBlocks, kThreads>>>(device_values);
  cudaMemcpyFromSymbol(&result, total, sizeof result);
  cudaFree(device_values);
  return result != kBlocks * kThreads;
}
