// Blocks take places in a queue with a plain tail++: two get the same place.
__device__ int tail, places[8];

__global__ void append() {
#ifdef RIGHT
  places[blockIdx.x] = atomicAdd(&tail, 1);
#else
  places[blockIdx.x] = tail++;  // finds race-grid
#endif
}

int main() {
  append<<<8, 1>>>();
  cudaDeviceSynchronize();
}
