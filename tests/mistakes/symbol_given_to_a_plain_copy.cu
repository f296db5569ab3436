// A __constant__ variable's name is its host address: cudaMemcpy() needs the symbol's own function.
__constant__ float factors[4];
__device__ float results[4];

__global__ void read() { results[threadIdx.x] = factors[threadIdx.x]; }

int main() {
  const float host[4] = {1, 2, 3, 4};
#ifdef RIGHT
  cudaMemcpyToSymbol(factors, host, sizeof(host));
#else
  cudaMemcpy(factors, host, sizeof(host), cudaMemcpyHostToDevice);  // finds wrong-pointer
#endif
  read<<<1, 4>>>();
  cudaDeviceSynchronize();
}
