// A pointer to one thread's local variable means nothing to the others.
__global__ void share(int* out) {
  __shared__ int* where;
  __shared__ int value;
  int mine = 7;
  if (threadIdx.x == 0) {
#ifdef RIGHT
    value = mine;
    where = &value;
#else
    where = &mine;
#endif
  }
  __syncthreads();
  out[threadIdx.x] = *where;  // finds wrong-side
}
int main() {
  int* d;
  cudaMalloc(&d, 128);
  share<<<1, 32>>>(d);
  cudaDeviceSynchronize();
}
