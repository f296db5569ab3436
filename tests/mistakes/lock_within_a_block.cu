// trap: threads of one block need fences of the block only; but they do need them.
__device__ int result;

__global__ void add() {
  __shared__ int lock, total;
  if (threadIdx.x == 0) lock = total = 0;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS_block(&lock, 0, 1) != 0) __nanosleep(20);
#ifdef RIGHT
    __threadfence_block();
#endif
    total += threadIdx.x;  // finds race-fence
#ifdef RIGHT
    __threadfence_block();
#endif
    atomicExch_block(&lock, 0);
  }
  __syncthreads();
  if (threadIdx.x == 0) result = total;
}

int main() {
  add<<<1, 128>>>();
  cudaDeviceSynchronize();
}
