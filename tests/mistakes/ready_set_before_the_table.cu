// The block that sets up a table says that it is ready before it has filled it.
__device__ int state, table[4], out[4];

__global__ void use() {
  if (atomicCAS(&state, 0, 1) == 0) {
#ifdef RIGHT
    for (int i = 0; i < 4; i++) table[i] = i * i;
    __threadfence();
    atomicExch(&state, 2);
#else
    atomicExch(&state, 2);
    for (int i = 0; i < 4; i++) table[i] = i * i;  // finds race-grid
#endif
  }
  while (atomicAdd(&state, 0) != 2) __nanosleep(20);
  __threadfence();
  out[blockIdx.x] = table[blockIdx.x];  // finds race-grid
}

int main() {
  use<<<4, 1>>>();
  cudaDeviceSynchronize();
}
