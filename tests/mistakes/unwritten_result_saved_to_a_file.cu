// The blocks do not cover the array, and the result goes to a file unseen.
#include <cstdio>
#include <cstring>
__global__ void fill(unsigned char* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = 'a';
}
int main() {
  unsigned char *d, h[1000];
  cudaMalloc(&d, 1000);
#ifdef RIGHT
  fill<<<4, 256>>>(d, 1000);
#else
  fill<<<3, 256>>>(d, 1000);
#endif
  cudaMemcpy(h, d, 1000, cudaMemcpyDeviceToHost);
  FILE* f = fopen("/dev/null", "wb");
  fwrite(h, 1, 1000, f);  // finds unwritten-copy
  fclose(f);
}
