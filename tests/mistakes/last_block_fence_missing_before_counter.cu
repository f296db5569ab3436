// "Last block done": a block counts itself as done without a fence after its result.
__device__ int parts[4], done, total;

__global__ void sum_up() {
  parts[blockIdx.x] = blockIdx.x + 1;  // finds race-fence
#ifdef RIGHT
  __threadfence();
#endif
  if (atomicAdd(&done, 1) != 3) return;
  __threadfence();
  int sum = 0;
  for (int part : parts) sum += part;  // finds race-fence
  total = sum;
}

int main() {
  sum_up<<<4, 1>>>();
  cudaDeviceSynchronize();
}
