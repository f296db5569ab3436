// In dynamic shared memory, doubles start behind 33 floats: at an address not divisible by 8.
__device__ double results[32];

__global__ void use(int floats) {
  extern __shared__ double memory[];
  float* first = reinterpret_cast<float*>(memory);
  double* second = reinterpret_cast<double*>(first + floats);
  first[threadIdx.x] = 1;
  second[threadIdx.x] = 2;  // finds misaligned
  results[threadIdx.x] = first[threadIdx.x];
}

int main() {
#ifdef RIGHT
  use<<<1, 32, 34 * sizeof(float) + 32 * sizeof(double)>>>(34);
#else
  use<<<1, 32, 34 * sizeof(float) + 32 * sizeof(double)>>>(33);
#endif
  cudaDeviceSynchronize();
}
