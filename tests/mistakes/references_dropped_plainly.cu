// trap: atomics that commute need no order; one block drops its reference with a plain --.
__device__ int references = 4, peak;

__global__ void use() {
  if (blockIdx.x != 0) atomicMax(&peak, atomicSub(&references, 1));  // finds race-atomic
#ifdef RIGHT
  if (blockIdx.x == 0) atomicMax(&peak, atomicAdd(&references, -1));
#else
  if (blockIdx.x == 0) references--;  // finds race-atomic
#endif
}

int main() {
  use<<<4, 1>>>();
  cudaDeviceSynchronize();
}
