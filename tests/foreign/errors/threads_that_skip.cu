// The book's mistake: threads skip a barrier in an if and go on. It is stopped, though some GPUs hide it.
// expect: divergent barrier in kernel sum_up
__global__ void sum_up(int* out) {
  __shared__ int cache[256];
  cache[threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (unsigned half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      cache[threadIdx.x] += cache[threadIdx.x + half];
      __syncthreads();
    }
  }
  if (threadIdx.x == 0) *out = cache[0];
}
int main() {
  int* out;
  cudaMalloc(&out, sizeof(int));
  sum_up<<<1, 256>>>(out);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
