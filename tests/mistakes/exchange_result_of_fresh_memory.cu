// trap: an exchange whose result nobody uses initializes the word; one whose result counts reads it.
__global__ void mark(int* seen, int* out) {
#ifdef RIGHT
  atomicExch(&seen[threadIdx.x], 1);
  out[threadIdx.x] = 1;
#else
  out[threadIdx.x] = atomicExch(&seen[threadIdx.x], 1);  // finds uninitialized
#endif
}

int main() {
  int *seen, *out;
  cudaMalloc(&seen, 32 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  mark<<<1, 32>>>(seen, out);
  cudaDeviceSynchronize();
  cudaFree(seen);
  cudaFree(out);
}
