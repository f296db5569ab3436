// The host passes the name of a __device__ array: on a GPU, that is the address of the host's own array.
__device__ int bins[16];

__global__ void count(const int* data, int n, int* to) {
  const int i = threadIdx.x;
  if (i < n) atomicAdd(&to[data[i] % 16], 1);
}

int main() {
  int* data;
  cudaMalloc(&data, 64 * sizeof(int));
  cudaMemset(data, 0, 64 * sizeof(int));
  int* to = nullptr;
#ifdef RIGHT
  cudaGetSymbolAddress((void**)&to, bins);
#else
  to = bins;
#endif
  count<<<1, 64>>>(data, 64, to);  // finds wrong-pointer
  cudaDeviceSynchronize();
  cudaFree(data);
}
