// cudaMemcpyDefault takes the name of a __device__ variable for host memory.
__device__ int table[8];
__global__ void use(int* y) { y[threadIdx.x] = table[threadIdx.x]; }  // finds wrong-pointer
int main() {
  int h[8] = {1, 2, 3, 4}, *y;
#ifdef RIGHT
  void* at;
  cudaGetSymbolAddress(&at, table);
  cudaMemcpy(at, h, sizeof h, cudaMemcpyHostToDevice);
#else
  cudaMemcpy(table, h, sizeof h, cudaMemcpyDefault);  // finds wrong-pointer
#endif
  cudaMalloc(&y, 32);
  use<<<1, 8>>>(y);
  cudaDeviceSynchronize();
}
