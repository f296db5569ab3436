// A mean is computed for a group that has no members.
__device__ int sums[8] = {1, 2, 3, 4, 5, 6, 7, 8}, sizes[8] = {1, 1, 2, 0, 3, 1, 1, 1}, means[8];

__global__ void average() {
  const int i = threadIdx.x;
#ifdef RIGHT
  means[i] = sizes[i] > 0 ? sums[i] / sizes[i] : 0;
#else
  means[i] = sums[i] / sizes[i];  // finds arithmetic
#endif
}

int main() {
  average<<<1, 8>>>();
  cudaDeviceSynchronize();
}
