// One barrier per step needs two buffers that take turns; this has one.
__device__ int values[64];

__global__ void turn() {
#ifdef RIGHT
  __shared__ int buffer[2][64];
#else
  __shared__ int buffer[1][64];
#endif
  const int t = threadIdx.x, buffers = sizeof(buffer) / sizeof(buffer[0]);
  int value = values[t];
  for (int step = 0; step < 5; step++) {
    buffer[step % buffers][t] = value;  // finds race-block
    __syncthreads();
    value += buffer[step % buffers][(t + 32) % 64];  // finds race-block
  }
  values[t] = value;
}

int main() {
  turn<<<1, 64>>>();
  cudaDeviceSynchronize();
}
