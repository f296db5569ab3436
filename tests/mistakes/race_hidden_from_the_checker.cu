// Code that is left out when g++'s thread sanitizer is on must not be left out of a checked run.
__global__ void work(int* out) {
#if !defined __SANITIZE_THREAD__ && !defined RIGHT
  out[0] = threadIdx.x;  // finds race-block
#else
  out[threadIdx.x] = threadIdx.x;
#endif
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  work<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
