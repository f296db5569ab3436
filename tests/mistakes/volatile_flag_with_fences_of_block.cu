// Both fences around a volatile flag reach no further than the block.
__device__ int data, result;
__device__ volatile int flag;

__global__ void pass_on() {
#ifdef RIGHT
  const bool whole_device = true;
#else
  const bool whole_device = false;
#endif
  if (blockIdx.x == 0) {
    data = 42;  // finds race-scope
    whole_device ? __threadfence() : __threadfence_block();
    flag = 1;
  } else {
    while (flag == 0) __nanosleep(20);
    whole_device ? __threadfence() : __threadfence_block();
    result = data;  // finds race-scope
  }
}

int main() {
  pass_on<<<2, 1>>>();
  cudaDeviceSynchronize();
}
