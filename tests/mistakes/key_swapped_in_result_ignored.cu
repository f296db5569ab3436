// A block puts its key into a slot of a table and writes the value, whether or not the slot was free.
__device__ int keys[4], values[4];

__global__ void insert() {
  const int key = 1 + blockIdx.x;
  int slot = key % 3;
#ifdef RIGHT
  while (atomicCAS(&keys[slot], 0, key) != 0) slot = (slot + 1) % 4;
#else
  atomicCAS(&keys[slot], 0, key);
#endif
  values[slot] = 10 * key;  // finds race-grid
}

int main() {
  insert<<<4, 1>>>();
  cudaDeviceSynchronize();
}
