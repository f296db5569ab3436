// A function that is given a pointer to the first of two shared arrays reads one element too far.
__device__ int last_of(const int* values, int count) {
#ifdef RIGHT
  return values[count - 1];
#else
  return values[count];  // finds out-of-bounds
#endif
}

__global__ void pick(int* out) {
  __shared__ int first[32];
  __shared__ int second[32];
  first[threadIdx.x] = threadIdx.x;
  second[threadIdx.x] = 0;
  __syncthreads();
  out[threadIdx.x] = last_of(first, 32) + second[threadIdx.x];
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  pick<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
