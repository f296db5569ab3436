// The first thread overwrites what it told the others before the last one has surely read it.
__device__ int results[4];

__global__ void follow() {
  __shared__ int choice;
  for (int step = 0; step < 4; step++) {
    if (threadIdx.x == 0) choice = step * step;  // finds race-block
    __syncthreads();
    if (threadIdx.x == 63) results[step] = choice;  // finds race-block
#ifdef RIGHT
    __syncthreads();
#endif
  }
}

int main() {
  follow<<<1, 64>>>();
  cudaDeviceSynchronize();
}
