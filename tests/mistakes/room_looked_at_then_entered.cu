// The look and the entry are two steps, so two blocks see an empty room and both go in.
__device__ int inside, visits;

__global__ void visit() {
#ifdef RIGHT
  const bool enters = atomicAdd(&inside, 1) == 0;
#else
  const bool enters = atomicAdd(&inside, 0) == 0;
  if (enters) atomicAdd(&inside, 1);
#endif
  if (enters) {
    __threadfence();
    visits++;  // finds race-exclusion
    __threadfence();
  }
#ifdef RIGHT
  atomicSub(&inside, 1);
#else
  if (enters) atomicSub(&inside, 1);
#endif
}

int main() {
  visit<<<6, 1>>>();
  cudaDeviceSynchronize();
}
