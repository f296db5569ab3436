// A mask of n bits is made by a shift that goes wrong for n = 32.
__device__ unsigned int masks[33];

__global__ void make_masks() {
  const int n = threadIdx.x;
#ifdef RIGHT
  masks[n] = n == 32 ? 0xffffffffu : (1u << n) - 1;
#else
  masks[n] = (1u << n) - 1;  // finds arithmetic
#endif
}

int main() {
  make_masks<<<1, 33>>>();
  cudaDeviceSynchronize();
}
