// Two blocks find that nothing has been set up yet, and both do it.
__device__ int state, table[8], out[6];

__global__ void use() {
#ifdef RIGHT
  if (atomicCAS(&state, 0, 1) == 0) {
#else
  if (atomicAdd(&state, 0) == 0) {
#endif
    for (int i = 0; i < 8; i++) table[i] = i * i;  // finds race-exclusion  // finds race-exclusion#1
    __threadfence();
    atomicExch(&state, 2);
  }
  while (atomicAdd(&state, 0) != 2) __nanosleep(20);
  __threadfence();
  out[blockIdx.x] = table[blockIdx.x];  // finds race-exclusion#1
}

int main() {
  use<<<6, 1>>>();
  cudaDeviceSynchronize();
}
