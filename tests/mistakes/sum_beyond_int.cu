// The sum of large numbers goes beyond what an int holds.
__device__ long long result;

__global__ void sum_up(int count) {
#ifdef RIGHT
  long long sum = 0;
#else
  int sum = 0;
#endif
  for (int i = 0; i < count; i++) sum += 500000000;  // finds arithmetic
  result = sum;
}

int main() {
  sum_up<<<1, 1>>>(5);
  cudaDeviceSynchronize();
}
