// The last thread of the block reads the total before the first thread has surely written it.
__device__ int result;

__global__ void total_of_warps() {
  __shared__ int total;
  const int t = threadIdx.x;
  const int sum = __reduce_add_sync(0xffffffffu, t);
  if (t == 0) total = sum;  // finds race-block
#ifdef RIGHT
  __syncthreads();
#endif
  if (t == 127) result = total + sum;  // finds race-block
}

int main() {
  total_of_warps<<<1, 128>>>();
  cudaDeviceSynchronize();
}
