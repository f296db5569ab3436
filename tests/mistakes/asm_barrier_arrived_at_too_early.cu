// One warp fills, the other waits at a named barrier; but who fills arrives there first.
__global__ void hand_over(int* out) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  if (t < 32) {
#ifndef RIGHT
    asm volatile("bar.arrive 1, 64;" ::: "memory");
#endif
    s[t] = t;  // finds race-block
#ifdef RIGHT
    asm volatile("bar.arrive 1, 64;" ::: "memory");
#endif
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[t - 32] = s[63 - t];  // finds race-block
  }
}

int main() {
  int* out;
  cudaMalloc(&out, 128);
  hand_over<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
