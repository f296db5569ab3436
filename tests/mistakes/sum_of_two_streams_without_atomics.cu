// trap: kernels of two streams may add to one sum with atomics; these do it plainly.
__device__ int total;

__global__ void add(int value) {
#ifdef RIGHT
  atomicAdd(&total, value);
#else
  total += value;  // finds race-kernels
#endif
}

int main() {
  cudaStream_t first, second;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  add<<<1, 1, 0, first>>>(3);
  add<<<1, 1, 0, second>>>(4);
  cudaDeviceSynchronize();
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
}
