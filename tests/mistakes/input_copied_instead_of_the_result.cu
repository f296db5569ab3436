// The host copies what the kernel has read, not what it has written.
// environment: CPU_DEVICE_UNREAD=error
__global__ void shift(const float* from, float* to) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[(i + 1) % 128];
}

int main() {
  float values[128] = {};
  float *from, *to;
  cudaMalloc(&from, sizeof values);
  cudaMallocAsync(&to, sizeof values, 0);  // finds unread-result
  cudaMemcpy(from, values, sizeof values, cudaMemcpyHostToDevice);
  shift<<<2, 64>>>(from, to);
#ifdef RIGHT
  cudaMemcpy(values, to, sizeof values, cudaMemcpyDeviceToHost);
#else
  cudaMemcpy(values, from, sizeof values, cudaMemcpyDeviceToHost);
#endif
  cudaFree(from);
  cudaFreeAsync(to, 0);
}
