// In a tree of locks, each block has a leaf of its own, and takes the root only if its number is even.
__device__ int leaf[4], root, total;

__device__ void take(int* lock) {
  while (atomicCAS(lock, 0, 1) != 0) __nanosleep(20);
}

__global__ void add() {
#ifdef RIGHT
  int* mine = &leaf[blockIdx.x / 2];
  const bool climbs = true;
#else
  int* mine = &leaf[blockIdx.x];
  const bool climbs = blockIdx.x % 2 == 0;
#endif
  take(mine);
  if (climbs) take(&root);
  __threadfence();
  total += 1;  // finds race-grid
  __threadfence();
  if (climbs) atomicExch(&root, 0);
  atomicExch(mine, 0);
}

int main() {
  add<<<4, 1>>>();
  cudaDeviceSynchronize();
}
