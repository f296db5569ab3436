// A copy in the background, in PTX: committed, and never waited for.
__device__ void copy(void* to, const void* from) {
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from));  // finds race-block
}

__global__ void reverse(const int* in, int* out) {
  __shared__ __align__(16) int s[128];
  const int t = threadIdx.x;
  copy(s + 4 * t, in + 4 * t);
  asm volatile("cp.async.commit_group;");
#ifdef RIGHT
  asm volatile("cp.async.wait_group 0;");
#endif
  __syncthreads();
  for (int i = 0; i < 4; i++) out[4 * t + i] = s[127 - 4 * t - i];  // finds race-block
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 512);
  cudaMalloc(&out, 512);
  cudaMemset(in, 0, 512);
  reverse<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
