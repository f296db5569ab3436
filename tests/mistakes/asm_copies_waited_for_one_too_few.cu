// Two stages of copies in PTX: the tile that is used next may be the newest but one.
template <int newest>
__device__ void wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(newest));
}

__global__ void sum(const float* in, float* out, int tiles) {
  __shared__ __align__(16) float s[2][128];
  const int t = threadIdx.x;
  float total = 0;
  for (int k = 0; k <= tiles; k++) {
    if (k < tiles) {
      const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&s[k % 2][4 * t]));
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(in + 128 * k + 4 * t));  // finds race-block
    }
    asm volatile("cp.async.commit_group;");
    if (k == 0) continue;
#ifdef RIGHT
    wait<1>();
#else
    wait<2>();
#endif
    __syncthreads();
    for (int i = 0; i < 4; i++) total += s[(k - 1) % 2][127 - 4 * t - i];  // finds race-block
    __syncthreads();
  }
  out[t] = total;
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 8 * 512);
  cudaMalloc(&out, 128);
  cudaMemset(in, 0, 8 * 512);
  sum<<<1, 32>>>(in, out, 8);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
