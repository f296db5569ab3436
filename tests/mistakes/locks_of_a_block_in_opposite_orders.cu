// Lane 0 of each warp moves one unit between two accounts of the block. The two warps take the locks in opposite orders.
// Right: a third lock lets only one of them take two.
__global__ void move(int* out) {
  __shared__ int locks[3], accounts[2];
  if (threadIdx.x < 3) locks[threadIdx.x] = 0;
  if (threadIdx.x < 2) accounts[threadIdx.x] = 10;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    const int from = threadIdx.x / 32, to = 1 - from;
#ifdef RIGHT
    while (atomicCAS(&locks[2], 0, 1) != 0) {}
#endif
    while (atomicCAS(&locks[from], 0, 1) != 0) {}  // finds lock-order
    while (atomicCAS(&locks[to], 0, 1) != 0) {}    // finds lock-order
    __threadfence_block();
    accounts[from]--;
    accounts[to]++;
    __threadfence_block();
    atomicExch(&locks[to], 0);
    atomicExch(&locks[from], 0);
#ifdef RIGHT
    atomicExch(&locks[2], 0);
#endif
  }
  __syncthreads();
  if (threadIdx.x < 2) out[2 * blockIdx.x + threadIdx.x] = accounts[threadIdx.x];
}

int main() {
  int* out;
  cudaMalloc(&out, 4 * sizeof(int));
  move<<<2, 64>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
