// The host changes a managed variable that a kernel on its way has yet to read.
__managed__ int limit;
__device__ int results[32];

__global__ void clip() {
  results[threadIdx.x] = min(static_cast<int>(threadIdx.x), limit);  // finds race-host
}

int main() {
  limit = 10;
  clip<<<1, 32>>>();
#ifdef RIGHT
  cudaDeviceSynchronize();
#endif
  limit = 20;  // finds race-host
  clip<<<1, 32>>>();
  cudaDeviceSynchronize();
}
