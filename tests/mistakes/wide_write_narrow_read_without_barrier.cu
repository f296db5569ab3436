// One warp writes float4, the other reads single floats of them without a barrier.
__device__ float results[32];

__global__ void spread() {
  __shared__ float4 vectors[32];
  const int t = threadIdx.x;
  if (t < 32) vectors[t] = make_float4(t, 1, 2, 3);  // finds race-block
#ifdef RIGHT
  __syncthreads();
#endif
  const float* numbers = &vectors[0].x;
  if (t >= 32) results[t - 32] = numbers[t + 60];  // finds race-block
}

int main() {
  spread<<<1, 64>>>();
  cudaDeviceSynchronize();
}
