// Blocks take places in a queue with a plain tail++: two get the same place.
__device__ int tail, queue[16];

__global__ void append() {
#ifdef RIGHT
  const int place = atomicAdd(&tail, 1);
#else
  const int place = 8 * 0 + tail++;  // finds race-grid
#endif
  if (place < 0) queue[0] = 1;
}

int main() {
  append<<<8, 1>>>();
  cudaDeviceSynchronize();
}
