// Look-back: the fences between prefix and flag reach no further than the block.
__device__ int prefixes[5], ready[5] = {1};

__global__ void scan() {
  const int b = blockIdx.x + 1;
  while (atomicAdd(&ready[b - 1], 0) == 0) __nanosleep(20);
  __threadfence();
  prefixes[b] = prefixes[b - 1] + b;  // finds race-scope
#ifdef RIGHT
  __threadfence();
#else
  __threadfence_block();
#endif
  atomicExch(&ready[b], 1);
}

int main() {
  scan<<<4, 1>>>();
  cudaDeviceSynchronize();
}
