// No barrier behind the counting: the total races, and so do the flags that say who has counted.
__global__ void count(const int* in, int* total, int* quiet) {
  __shared__ int sum;
  __shared__ bool done[128];
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  done[threadIdx.x] = in[threadIdx.x] > 0;  // finds race-block
  if (in[threadIdx.x] > 0) atomicAdd(&sum, 1);  // finds race-block
#ifdef RIGHT
  __syncthreads();
#endif
  if (threadIdx.x == 0) *total = sum;  // finds race-block
  quiet[threadIdx.x] = !done[127 - threadIdx.x];  // finds race-block
}

int main() {
  int h[128], *in, *total, *quiet;
  for (int i = 0; i < 128; i++) h[i] = i % 2;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&total, 4);
  cudaMalloc(&quiet, sizeof h);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  count<<<1, 128>>>(in, total, quiet);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(total);
  cudaFree(quiet);
}
