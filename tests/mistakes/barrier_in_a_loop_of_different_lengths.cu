// Each thread goes round a loop as often as it has elements, with a barrier in the loop.
__device__ int results[64];

__global__ void work(int n) {
  __shared__ int values[64];
  const int t = threadIdx.x;
  int sum = 0;
#ifdef RIGHT
  for (int first = 0; first < n; first += 64) {
    const int i = first + t;
#else
  for (int i = t; i < n; i += 64) {
#endif
    values[t] = i;
    __syncthreads();  // finds barrier
    sum += values[t] % 7;
  }
  results[t] = sum;
}

int main() {
  work<<<1, 64>>>(96);
  cudaDeviceSynchronize();
}
