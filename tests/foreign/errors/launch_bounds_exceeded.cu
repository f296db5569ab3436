// A launch beyond __launch_bounds__ that nobody asks about.
// expect: a block of (16,16,1) = 256 threads exceeds its __launch_bounds__(128)
__global__ void __launch_bounds__(128) fill(float *x) { x[threadIdx.y * blockDim.x + threadIdx.x] = 1; }
int main() {
  float *x;
  cudaMalloc(&x, 256 * sizeof(float));
  fill<<<1, dim3(16, 16)>>>(x);
  return cudaDeviceSynchronize() == cudaSuccess && cudaGetLastError() == cudaSuccess ? 0 : 1;
}
