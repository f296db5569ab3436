// All threads clear the counter, and some already count.
__global__ void compact(const int* in, int* out, int* total) {
  __shared__ int count;
#ifdef RIGHT
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
#else
  count = 0;  // finds race-atomic
#endif
  if (in[threadIdx.x] > 0) out[atomicAdd(&count, 1)] = in[threadIdx.x];  // finds race-atomic
  __syncthreads();
  if (threadIdx.x == 0) *total = count;
}
int main() {
  int h[64], *in, *out, *n;
  for (int i = 0; i < 64; i++) h[i] = i % 3;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMalloc(&n, 4);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  compact<<<1, 64>>>(in, out, n);
  cudaDeviceSynchronize();
}
