// The host changes mapped memory that a kernel on its way has yet to read.
__device__ int results[32];

__global__ void use(const int* values) {
  results[threadIdx.x] = values[threadIdx.x];  // finds race-host
}

int main() {
  int *host, *mapped;
  cudaHostAlloc(&host, 32 * sizeof(int), cudaHostAllocMapped);
  cudaHostGetDevicePointer(&mapped, host, 0);
  for (int i = 0; i < 32; i++) host[i] = i;
  use<<<1, 32>>>(mapped);
#ifdef RIGHT
  cudaDeviceSynchronize();
#endif
  host[5] = -1;  // finds race-host
  cudaDeviceSynchronize();
  cudaFreeHost(host);
}
