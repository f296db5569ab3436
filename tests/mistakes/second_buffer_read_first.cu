// Two buffers take turns; the kernel starts with the one that nobody has filled.
__global__ void step(const int* from, int* to) {
  to[threadIdx.x] = from[threadIdx.x] + 1;  // finds uninitialized
}

int main() {
  int* buffers[2];
  for (int*& buffer : buffers) cudaMalloc(&buffer, 32 * sizeof(int));
  cudaMemset(buffers[0], 0, 32 * sizeof(int));
#ifdef RIGHT
  step<<<1, 32>>>(buffers[0], buffers[1]);
#else
  step<<<1, 32>>>(buffers[1], buffers[0]);
#endif
  cudaDeviceSynchronize();
  for (int* buffer : buffers) cudaFree(buffer);
}
