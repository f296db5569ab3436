// cp.async.wait_group waits for groups, and nobody has made this copy a part of one.
__global__ void copy(const float* in, float* out, int n) {
  __shared__ float s[64];
  const int t = threadIdx.x, given = t < n ? 4 : 0;
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(s + t));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(at), "l"(in), "r"(given));  // finds race-block
#ifdef RIGHT
  asm volatile("cp.async.wait_all;");
#else
  asm volatile("cp.async.wait_group 0;");
#endif
  __syncthreads();
  out[t] = s[63 - t];  // finds race-block
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 4);
  cudaMalloc(&out, 256);
  cudaMemset(in, 0, 4);
  copy<<<1, 64>>>(in, out, 50);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
