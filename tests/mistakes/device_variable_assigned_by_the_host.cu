// Host code assigns to its own variable of that name, not to the device's.
__device__ int limit;
__global__ void use(int* y) { y[threadIdx.x] = limit; }  // finds wrong-side
int main() {
  int *y, h = 5;
#ifdef RIGHT
  cudaMemcpyToSymbol(limit, &h, sizeof h);
#else
  limit = h;  // finds wrong-side
#endif
  cudaMalloc(&y, 32);
  use<<<1, 8>>>(y);
  cudaDeviceSynchronize();
}
