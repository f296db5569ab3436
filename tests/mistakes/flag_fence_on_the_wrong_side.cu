// The fence stands after the flag is set, where it no longer orders the data before it.
__device__ int data, flag, result;

__global__ void pass_on() {
  if (blockIdx.x == 0) {
    data = 42;  // finds race-fence
#ifdef RIGHT
    __threadfence();
    atomicExch(&flag, 1);
#else
    atomicExch(&flag, 1);
    __threadfence();
#endif
  } else {
    while (atomicAdd(&flag, 0) == 0) __nanosleep(20);
    __threadfence();
    result = data;  // finds race-fence
  }
}

int main() {
  pass_on<<<2, 1>>>();
  cudaDeviceSynchronize();
}
