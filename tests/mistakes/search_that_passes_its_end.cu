// The loop looks for a number whose remainder is 7, but no remainder of a division by 4 is. The overflow of its counter
// is not the mistake.
// gpu: hangs
__global__ void find(int* found, int divisor, int remainder) {
  int i = 29 << 26;  // so that this test is short
#ifdef RIGHT
  while (i % divisor != remainder % divisor)
#else
  while (i % divisor != remainder)
#endif
    i++;  // finds no-progress
  *found = i;
}

int main() {
  int* found;
  cudaMalloc(&found, sizeof(int));
  find<<<1, 1>>>(found, 4, 7);
  cudaDeviceSynchronize();
  cudaFree(found);
}
