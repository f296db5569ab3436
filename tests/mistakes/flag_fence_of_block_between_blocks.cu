// The fence before the flag reaches no further than the block; the reader is in another block.
__device__ int data, flag, result;

__global__ void pass_on() {
  if (blockIdx.x == 0) {
    data = 42;  // finds race-scope
#ifdef RIGHT
    __threadfence();
#else
    __threadfence_block();
#endif
    atomicExch(&flag, 1);
  } else {
    while (atomicAdd(&flag, 0) == 0) __nanosleep(20);
    __threadfence();
    result = data;  // finds race-scope
  }
}

int main() {
  pass_on<<<2, 1>>>();
  cudaDeviceSynchronize();
}
