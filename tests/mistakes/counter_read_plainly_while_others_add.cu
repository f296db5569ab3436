// One block reads the counter like any variable while the others change it with atomics.
__device__ int counter, seen;

__global__ void count() {
  if (blockIdx.x != 0) atomicAdd(&counter, 1);  // finds race-atomic
#ifdef RIGHT
  if (blockIdx.x == 0) seen = atomicAdd(&counter, 0);
#else
  if (blockIdx.x == 0) seen = counter;  // finds race-atomic
#endif
}

int main() {
  count<<<4, 1>>>();
  cudaDeviceSynchronize();
}
