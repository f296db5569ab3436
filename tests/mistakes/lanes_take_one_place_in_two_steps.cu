// The lanes of a warp fill a list: each reads its length, and adds one to it afterwards.
__device__ int list[64], length;

__global__ void collect() {
  if (threadIdx.x % 3 == 0) {
#ifdef RIGHT
    const int at = atomicAdd(&length, 1);
#else
    const int at = atomicAdd(&length, 0);
    atomicAdd(&length, 1);
#endif
    list[at] = threadIdx.x;  // finds race-exclusion
  }
}

int main() {
  collect<<<1, 32>>>();
  cudaDeviceSynchronize();
}
