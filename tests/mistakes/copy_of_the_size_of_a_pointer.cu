// sizeof() of a pointer is 8 bytes, and not the size of the array that it points to.
__device__ float results[32];

__global__ void twice(const float* values) {
  results[threadIdx.x] = 2 * values[threadIdx.x];  // finds uninitialized
}

static void send(float* to, const float* from) {
#ifdef RIGHT
  cudaMemcpy(to, from, 32 * sizeof(*from), cudaMemcpyHostToDevice);
#else
  cudaMemcpy(to, from, sizeof(from), cudaMemcpyHostToDevice);
#endif
}

int main() {
  float host[32] = {1, 2, 3}, *values;
  cudaMalloc(&values, sizeof(host));
  send(values, host);
  twice<<<1, 32>>>(values);
  cudaDeviceSynchronize();
  cudaFree(values);
}
