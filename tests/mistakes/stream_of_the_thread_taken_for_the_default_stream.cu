// The default stream of a thread is ordered with no other one but the legacy default stream.
__global__ void fill(int* a) { a[threadIdx.x] = 1; }  // finds race-kernels
__global__ void twice(int* a) { a[threadIdx.x] *= 2; }  // finds race-kernels
int main() {
  int* d;
  cudaMalloc(&d, 256);
  cudaStream_t s;
  cudaStreamCreate(&s);
#ifdef RIGHT
  fill<<<1, 64, 0, cudaStreamLegacy>>>(d);
#else
  fill<<<1, 64, 0, cudaStreamPerThread>>>(d);
#endif
  twice<<<1, 64, 0, s>>>(d);
  cudaDeviceSynchronize();
}
