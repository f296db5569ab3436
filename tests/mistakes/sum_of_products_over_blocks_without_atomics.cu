// Blocks along z each compute a part of the same product and add it with +=.
__device__ float a[4][32], b[4][32], c[32];

__global__ void multiply() {
  const int x = threadIdx.x, k = blockIdx.z;
  const float part = a[k][x] * b[k][x];
#ifdef RIGHT
  atomicAdd(&c[x], part);
#else
  c[x] += part;  // finds race-grid
#endif
}

int main() {
  multiply<<<dim3(1, 1, 4), 32>>>();
  cudaDeviceSynchronize();
}
