// trap: a volatile flag with fences on both sides is right; here the fence before it is missing.
__device__ int data[32], results[32];
__device__ volatile int flag;

__global__ void pass_on() {
  const int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t;  // finds race-fence
    __syncwarp();
#ifdef RIGHT
    __threadfence();
#endif
    if (t == 0) flag = 1;
  } else {
    while (flag == 0) __nanosleep(20);
    __threadfence();
    results[t] = data[t];  // finds race-fence
  }
}

int main() {
  pass_on<<<2, 32>>>();
  cudaDeviceSynchronize();
}
