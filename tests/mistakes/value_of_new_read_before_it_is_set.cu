// A kernel reads what it got from new before it has written there.
__global__ void work(int* out) {
#ifdef RIGHT
  int* value = new int(7);
#else
  int* value = new int;
#endif
  out[threadIdx.x] = *value;  // finds uninitialized
  delete value;
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  work<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
