// A ring's index is advanced, and set back in a second step: meanwhile another block is beyond the end.
__device__ unsigned int next;
__device__ int ring[4];

__global__ void put() {
  for (int i = 0; i < 2; i++) {
#ifdef RIGHT
    const unsigned int slot = atomicInc(&next, 3);
#else
    const unsigned int slot = atomicAdd(&next, 1);
    if (slot == 3) atomicExch(&next, 0);  // finds lost-update
#endif
    atomicExch(&ring[slot], i);  // finds lost-update#1
  }
}

int main() {
  put<<<4, 1>>>();
  cudaDeviceSynchronize();
}
