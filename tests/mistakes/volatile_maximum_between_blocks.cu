// A volatile maximum is compared and written in two steps.
__device__ volatile int best;

__global__ void find(int stride) {
  const int mine = 1 + blockIdx.x * stride % 7;
#ifdef RIGHT
  atomicMax((int*)&best, mine);
#else
  if (mine > best) best = mine;  // finds lost-update
#endif
}

int main() {
  find<<<6, 1>>>(3);
  cudaDeviceSynchronize();
}
