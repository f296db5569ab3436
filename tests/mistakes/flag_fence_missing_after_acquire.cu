// The data are read without a fence after the flag: they may have been read before it.
__device__ int data, flag, result;

__global__ void pass_on() {
  if (blockIdx.x == 0) {
    data = 42;  // finds race-fence
    __threadfence();
    atomicExch(&flag, 1);
  } else {
    while (atomicAdd(&flag, 0) == 0) __nanosleep(20);
#ifdef RIGHT
    __threadfence();
#endif
    result = data;  // finds race-fence
  }
}

int main() {
  pass_on<<<2, 1>>>();
  cudaDeviceSynchronize();
}
