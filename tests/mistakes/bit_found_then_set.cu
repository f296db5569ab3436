// Two blocks find the same free bit of a map, and set it without looking whether they were the first.
__device__ unsigned int used;
__device__ int data[32];

__global__ void allocate() {
#ifdef RIGHT
  int bit;
  unsigned int old;
  do {
    bit = __ffs(~atomicOr(&used, 0u)) - 1;
    old = atomicOr(&used, 1u << bit);
  } while ((old >> bit & 1) != 0);
#else
  const int bit = __ffs(~atomicOr(&used, 0u)) - 1;
  atomicOr(&used, 1u << bit);
#endif
  data[bit] = blockIdx.x;  // finds race-exclusion
}

int main() {
  allocate<<<6, 1>>>();
  cudaDeviceSynchronize();
}
