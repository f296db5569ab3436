// trap: thread 0 fences for its block on both sides of the counter; wrong without the second fence.
__device__ int parts[4], done, copies[4];

__global__ void sum_up() {
  __shared__ bool last;
  const int t = threadIdx.x;
  const int sum = __syncthreads_count(t % 3 == 0);
  if (t == 0) {
    parts[blockIdx.x] = sum;  // finds race-fence
    __threadfence();
    last = atomicAdd(&done, 1) == 3;
#ifdef RIGHT
    __threadfence();
#endif
  }
  __syncthreads();
  if (last && t < 4) copies[t] = parts[t];  // finds race-fence
}

int main() {
  sum_up<<<4, 64>>>();
  cudaDeviceSynchronize();
}
