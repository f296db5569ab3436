// The second array in dynamic shared memory starts in the middle of the first.
__device__ int results[64];

__global__ void two_arrays() {
  extern __shared__ int memory[];
  int* first = memory;
#ifdef RIGHT
  int* second = memory + 64;
#else
  int* second = memory + 32;
#endif
  const int t = threadIdx.x;
  first[t] = t;       // finds race-block
  second[t] = 2 * t;  // finds race-block
  __syncthreads();
  results[t] = first[t] + second[t];
}

int main() {
  two_arrays<<<1, 64, 128 * sizeof(int)>>>();
  cudaDeviceSynchronize();
}
