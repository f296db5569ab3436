// Once a swap has failed it fails for ever, because the loop goes on with the old value.
// environment: CPU_DEVICE_TIMEOUT=2
__device__ int best;

__global__ void find_maximum() {
  const int mine = 1 + (blockIdx.x * 37 + threadIdx.x * 11) % 101;
#ifdef RIGHT
  int old = atomicAdd(&best, 0), assumed = old - 1;
  while (mine > old && old != assumed) {
    assumed = old;
    old = atomicCAS(&best, assumed, mine);
  }
#else
  const int old = atomicAdd(&best, 0);
  if (mine > old)
    while (atomicCAS(&best, old, mine) != old) {  // finds no-progress
    }
#endif
}

int main() {
  find_maximum<<<4, 32>>>();
  cudaDeviceSynchronize();
}
