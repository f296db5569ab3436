// Each thread arrives at an mbarrier, and reads what others write without waiting for them.
__global__ void meet(int* out) {
  __shared__ unsigned long long bar;
  __shared__ int s[64];
  const int t = threadIdx.x;
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&bar));
  if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(at));
  __syncthreads();
  s[t] = t;  // finds race-block
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(at) : "memory");
#ifdef RIGHT
  unsigned over = 0;
  while (over == 0)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(over)
                 : "r"(at), "r"(0)
                 : "memory");
#endif
  out[t] = s[63 - t];  // finds race-block
}

int main() {
  int* out;
  cudaMalloc(&out, 256);
  meet<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
