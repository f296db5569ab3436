// trap: a volatile flag with fences on both sides is right; here the fence after it is missing.
__device__ int data, result;
__device__ volatile int flag;

__global__ void pass_on() {
  if (blockIdx.x == 1) {
    data = 42;  // finds race-fence
    __threadfence();
    flag = 1;
  } else {
    while (flag == 0) __nanosleep(20);
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
