// "Last block done": the fence before the counter reaches no further than the block.
__device__ int parts[4], total;
__device__ unsigned int done;

__global__ void sum_up() {
  parts[blockIdx.x] = blockIdx.x + 1;  // finds race-scope
#ifdef RIGHT
  __threadfence();
#else
  __threadfence_block();
#endif
  if (atomicInc(&done, 3) != 3) return;
  __threadfence();
  int sum = 0;
  for (int part : parts) sum += part;  // finds race-scope
  total = sum;
}

int main() {
  sum_up<<<4, 1>>>();
  cudaDeviceSynchronize();
}
