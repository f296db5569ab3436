// trap: a whole block may leave before a barrier; here the last block loses half of its threads.
__device__ int results[128];

__global__ void reverse(int n) {
  __shared__ int values[64];
  const int t = threadIdx.x, first = blockIdx.x * 64, i = first + t;
#ifdef RIGHT
  if (first >= n) return;
  values[t] = i;
#else
  if (i >= n) return;
  values[t] = i;
#endif
  __syncthreads();  // finds barrier
  results[i] = values[t / 32 * 32 + 31 - t % 32];
}

int main() {
#ifdef RIGHT
  reverse<<<3, 64>>>(128);
#else
  reverse<<<2, 64>>>(96);
#endif
  cudaDeviceSynchronize();
}
