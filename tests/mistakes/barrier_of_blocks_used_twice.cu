// A barrier made of a counter is used a second time with the same target, which is already reached.
__device__ int arrived, first[4], second[4];

__device__ void meet(int target) {
  __threadfence();
  atomicAdd(&arrived, 1);
  while (atomicAdd(&arrived, 0) < target) __nanosleep(20);
  __threadfence();
}

__global__ void step() {
  const int me = blockIdx.x, next = (me + 1) % gridDim.x;
  first[me] = me;
  meet(gridDim.x);
  second[me] = first[next];  // finds race-grid
#ifdef RIGHT
  meet(2 * gridDim.x);
#else
  meet(gridDim.x);
#endif
  first[me] = second[me] + 1;  // finds race-grid
}

int main() {
  step<<<4, 1>>>();
  cudaDeviceSynchronize();
}
