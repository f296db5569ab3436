// A tree of locks: each pair of blocks competes for a leaf, and the winners for the root, which is asked only once.
__device__ int leaf[2], root, total;

__device__ void take(int* lock) {
  while (atomicCAS(lock, 0, 1) != 0) __nanosleep(20);
}

__global__ void add() {
  int* mine = &leaf[blockIdx.x / 2];
  take(mine);
#ifdef RIGHT
  take(&root);
#else
  atomicCAS(&root, 0, 1);
#endif
  __threadfence();
  total += 1;  // finds race-grid
  __threadfence();
  atomicExch(&root, 0);
  atomicExch(mine, 0);
}

int main() {
  add<<<4, 1>>>();
  cudaDeviceSynchronize();
}
