// A barrier opens when all blocks but one have arrived.
__device__ int arrived, values[4], sums[4];

__global__ void step() {
  values[blockIdx.x] = blockIdx.x;  // finds race-grid
  __threadfence();
  atomicAdd(&arrived, 1);
#ifdef RIGHT
  while (atomicAdd(&arrived, 0) < 4) __nanosleep(20);
#else
  while (atomicAdd(&arrived, 0) < 3) __nanosleep(20);
#endif
  __threadfence();
  sums[blockIdx.x] = values[0] + values[1] + values[2] + values[3];  // finds race-grid
}

int main() {
  step<<<4, 1>>>();
  cudaDeviceSynchronize();
}
