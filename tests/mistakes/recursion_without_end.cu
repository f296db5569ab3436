// The recursion ends at 0, which an odd number of steps of 2 never meets.
// environment: CPU_DEVICE_TIMEOUT=2
__device__ int result;

__device__ int depth(int n) {  // finds no-progress
  return n == 0 ? 0 : 1 + depth(n - 2);
}

__global__ void descend(int n) { result = depth(n); }

int main() {
#ifdef RIGHT
  descend<<<1, 1>>>(8);
#else
  descend<<<1, 1>>>(7);
#endif
  cudaDeviceSynchronize();
}
