// One block adds with += to what the others add to with atomics.
__device__ float total;

__global__ void add() {
  if (blockIdx.x != 0) atomicAdd(&total, 0.5f);  // finds race-atomic
#ifdef RIGHT
  if (blockIdx.x == 0) atomicAdd(&total, 2.0f);
#else
  if (blockIdx.x == 0) total += 2.0f;  // finds race-atomic
#endif
}

int main() {
  add<<<4, 1>>>();
  cudaDeviceSynchronize();
}
