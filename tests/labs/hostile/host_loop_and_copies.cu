// Verdict: no kernel wrote it
// A loop of the host, whose results travel to the device and back, past a kernel that only looks at them.
__global__ void look(const float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && c[i] > 1e20f) printf("large\n");
}

void vector_add(const float* a, const float* b, float* c, int n) {
  float* dev_c;
  for (int i = 0; i < n; i++) c[i] = a[i] + b[i];
  cudaMalloc(&dev_c, n * sizeof(float));
  cudaMemcpy(dev_c, c, n * sizeof(float), cudaMemcpyHostToDevice);
  if (n > 0) look<<<n / 256 + 1, 256>>>(dev_c, n);
  cudaMemcpy(c, dev_c, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(dev_c);
}
