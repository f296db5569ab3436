// After a published bug: the bins of a histogram are cleared by the first warp, and all warps count at once.
// https://github.com/alicevision/popsift/pull/82 (PopSift, April 2020)
constexpr int kBins = 36, kThreads = 128;

__global__ void orientations(const int* angles, int* bins) {
  __shared__ int counts[kBins];
  const int t = threadIdx.x;
  if (t < kBins) counts[t] = 0;  // finds race-atomic
#ifdef RIGHT
  __syncthreads();
#endif
  atomicAdd(&counts[angles[t] / 10], 1);  // finds race-atomic
  __syncthreads();
  if (t < kBins) bins[t] = counts[t];
}

int main() {
  int angles[kThreads], bins[kBins];
  for (int i = 0; i < kThreads; i++) angles[i] = i * 37 % 360;
  int *device_angles, *device_bins;
  cudaMalloc(&device_angles, sizeof angles);
  cudaMalloc(&device_bins, sizeof bins);
  cudaMemcpy(device_angles, angles, sizeof angles, cudaMemcpyHostToDevice);
  orientations<<<1, kThreads>>>(device_angles, device_bins);
  cudaMemcpy(bins, device_bins, sizeof bins, cudaMemcpyDeviceToHost);
  int counted = 0;
  for (int count : bins) counted += count;
  cudaFree(device_angles);
  cudaFree(device_bins);
  return counted != kThreads;
}
