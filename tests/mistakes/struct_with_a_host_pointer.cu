// A struct is copied to the kernel, but the pointer inside it is the host's.
#include <vector>

struct Array {
  const float* values;
  int size;
};

__device__ float sum;

__global__ void sum_up(Array array) {
  for (int i = 0; i < array.size; i++) sum += array.values[i];  // finds wrong-side
}

int main() {
  const std::vector<float> host(20, 1.0f);
  float* values;
  cudaMalloc(&values, 20 * sizeof(float));
  cudaMemcpy(values, host.data(), 20 * sizeof(float), cudaMemcpyHostToDevice);
#ifdef RIGHT
  sum_up<<<1, 1>>>({values, 20});
#else
  sum_up<<<1, 1>>>({host.data(), 20});
#endif
  cudaDeviceSynchronize();
  cudaFree(values);
}
