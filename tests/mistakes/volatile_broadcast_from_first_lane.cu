// The first lane of each warp writes volatile shared memory, and the others read it at once.
__device__ int results[64];

__global__ void broadcast() {
  __shared__ volatile int firsts[2];
  const int t = threadIdx.x, warp = t / 32;
  if (t % 32 == 0) firsts[warp] = t + 1;  // finds warp-sync
#ifdef RIGHT
  __syncwarp();
#endif
  results[t] = firsts[warp];  // finds warp-sync
}

int main() {
  broadcast<<<1, 64>>>();
  cudaDeviceSynchronize();
}
