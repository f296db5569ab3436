// A fold of half a warp begins with a step from the other half, which does not take part.
__global__ void fold(int* out) {
  int v = threadIdx.x;
#ifdef RIGHT
  v += __shfl_down_sync(0xffffffff, v, 16);
  if (threadIdx.x < 16) {
#else
  if (threadIdx.x < 16) {
    v += __shfl_down_sync(0x0000ffff, v, 16);  // finds shuffle
#endif
    for (int k = 8; k > 0; k /= 2) v += __shfl_down_sync(0x0000ffff, v, k);
  }
  if (threadIdx.x == 0) *out = v;
}
int main() {
  int* d;
  cudaMalloc(&d, 4);
  fold<<<1, 32>>>(d);
  cudaDeviceSynchronize();
}
