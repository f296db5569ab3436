// "Last block done": the last block reads the others' results without a fence after the counter.
__device__ int parts[4], done, total;

__global__ void sum_up() {
  parts[blockIdx.x] = blockIdx.x + 1;  // finds race-fence
  __threadfence();
  if (atomicAdd(&done, 1) != 3) return;
#ifdef RIGHT
  __threadfence();
#endif
  int sum = 0;
  for (int part : parts) sum += part;  // finds race-fence
  total = sum;
}

int main() {
  sum_up<<<4, 1>>>();
  cudaDeviceSynchronize();
}
