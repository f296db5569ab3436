// Whether kernels run on the CPU device.
__global__ void answer(int* result) { *result = 42; }
int main() {
  int result = 0, *device = nullptr;
  if (cudaMalloc(&device, sizeof result) != cudaSuccess) return 1;
  answer<<<1, 1>>>(device);
  if (cudaMemcpy(&result, device, sizeof result, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  return result == 42 ? 0 : 1;
}
