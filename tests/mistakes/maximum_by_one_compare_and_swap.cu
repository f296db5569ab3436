// One compare-and-swap, no loop: if another thread was faster, this one's maximum is lost.
__device__ int best;

__global__ void find_maximum() {
  const int mine = 1 + (blockIdx.x * 37 + threadIdx.x * 11) % 101;
  int old = atomicAdd(&best, 0);
#ifdef RIGHT
  while (mine > old) {
    const int assumed = old;
    old = atomicCAS(&best, assumed, mine);
    if (old == assumed) break;
  }
#else
  if (mine > old) atomicCAS(&best, old, mine);  // finds lost-update
#endif
}

int main() {
  find_maximum<<<4, 32>>>();
  cudaDeviceSynchronize();
}
