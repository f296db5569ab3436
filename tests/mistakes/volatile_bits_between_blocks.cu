// Each block sets its bit in a volatile word.
__device__ volatile unsigned int bits;

__global__ void set() {
#ifdef RIGHT
  atomicOr((unsigned int*)&bits, 1u << blockIdx.x);
#else
  bits = bits | 1u << blockIdx.x;  // finds lost-update
#endif
}

int main() {
  set<<<6, 1>>>();
  cudaDeviceSynchronize();
}
