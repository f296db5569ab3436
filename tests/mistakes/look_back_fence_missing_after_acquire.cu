// Look-back: a block reads the prefix of the block before it without a fence after its flag.
__device__ int prefixes[5];
__device__ volatile int ready[5] = {1};

__global__ void scan() {
  const int b = blockIdx.x + 1;
  while (ready[b - 1] == 0) __nanosleep(20);
#ifdef RIGHT
  __threadfence();
#endif
  prefixes[b] = prefixes[b - 1] + b;  // finds race-fence
  __threadfence();
  ready[b] = 1;
}

int main() {
  scan<<<4, 1>>>();
  cudaDeviceSynchronize();
}
