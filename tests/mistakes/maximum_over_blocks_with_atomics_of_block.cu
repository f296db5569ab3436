// atomicMax_block() is atomic within a block; all blocks look for this maximum.
__global__ void find_maximum(int* best) {
  const int mine = threadIdx.x * 31 % 17 + blockIdx.x;
#ifdef RIGHT
  atomicMax(best, mine);
#else
  atomicMax_block(best, mine);  // finds race-scope
#endif
}

int main() {
  int* best;
  cudaMalloc(&best, sizeof(int));
  cudaMemset(best, 0, sizeof(int));
  find_maximum<<<4, 64>>>(best);
  cudaDeviceSynchronize();
  cudaFree(best);
}
