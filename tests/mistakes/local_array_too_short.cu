// An array of a thread's own has 8 elements; the ninth is written.
__device__ int results[32];

__global__ void digits(int count) {
  int places[8] = {};
  int rest = threadIdx.x;
  for (int i = 0; i < count; i++) {
    places[i] = rest % 2;  // finds out-of-bounds
    rest /= 2;
  }
  int sum = 0;
  for (int place : places) sum += place;
  results[threadIdx.x] = sum;
}

int main() {
#ifdef RIGHT
  digits<<<1, 32>>>(8);
#else
  digits<<<1, 32>>>(9);
#endif
  cudaDeviceSynchronize();
}
