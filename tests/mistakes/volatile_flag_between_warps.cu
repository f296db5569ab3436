// trap: a volatile flag between warps of a block, with fences of the block; wrong without them.
__device__ int result;

__global__ void pass_on() {
  __shared__ int data;
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    data = 42;  // finds race-fence
#ifdef RIGHT
    __threadfence_block();
#endif
    flag = 1;
  }
  if (threadIdx.x == 32) {
    while (flag == 0) __nanosleep(20);
#ifdef RIGHT
    __threadfence_block();
#endif
    result = data;  // finds race-fence
  }
}

int main() {
  pass_on<<<1, 64>>>();
  cudaDeviceSynchronize();
}
