// trap: atomics of different widths side by side are right; the narrow one is counted plainly here.
struct Statistics {
  unsigned long long sum;
  unsigned int count;
  float largest;
};

__device__ Statistics statistics;

__global__ void measure() {
  const unsigned int value = 100 + blockIdx.x;
  atomicAdd(&statistics.sum, static_cast<unsigned long long>(value));
#ifdef RIGHT
  atomicAdd(&statistics.count, 1u);
#else
  statistics.count++;  // finds race-grid
#endif
  atomicExch(&statistics.largest, 0.5f);
}

int main() {
  measure<<<4, 1>>>();
  cudaDeviceSynchronize();
}
