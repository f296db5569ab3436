// A table of powers of two in 64 bits is one entry too long.
__device__ unsigned long long powers[65];

__global__ void make_powers() {
  const int n = threadIdx.x;
#ifdef RIGHT
  powers[n] = n == 64 ? 0 : 1ull << n;
#else
  powers[n] = 1ull << n;  // finds arithmetic
#endif
}

int main() {
  make_powers<<<1, 65>>>();
  cudaDeviceSynchronize();
}
