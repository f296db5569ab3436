// The kernel writes its result through the address of a variable on the host's stack.
__global__ void answer(int* result) {
  *result = 42;  // finds wrong-side
}

int main() {
  int result = 0, *on_device;
  cudaMalloc(&on_device, sizeof(int));
#ifdef RIGHT
  answer<<<1, 1>>>(on_device);
  cudaMemcpy(&result, on_device, sizeof(int), cudaMemcpyDeviceToHost);
#else
  answer<<<1, 1>>>(&result);
#endif
  cudaDeviceSynchronize();
  cudaFree(on_device);
}
