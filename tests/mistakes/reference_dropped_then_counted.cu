// Two blocks drop their references and look afterwards. Both see that none is left, and both clear the object.
__device__ int references = 4, object[4];

__global__ void drop() {
  __threadfence();
#ifdef RIGHT
  const bool last = atomicSub(&references, 1) == 1;
#else
  atomicSub(&references, 1);
  const bool last = atomicAdd(&references, 0) == 0;
#endif
  __threadfence();
  if (last)
    for (int i = 0; i < 4; i++) object[i] = i;  // finds race-exclusion
}

int main() {
  drop<<<4, 1>>>();
  cudaDeviceSynchronize();
}
