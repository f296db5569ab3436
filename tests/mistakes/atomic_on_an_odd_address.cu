// A counter of 4 bytes lies at an address that is not divisible by 4.
__global__ void count(unsigned char* memory) {
#ifdef RIGHT
  unsigned char* counter = memory + 4;
#else
  unsigned char* counter = memory + 2;
#endif
  atomicAdd(reinterpret_cast<unsigned int*>(counter), 1u);  // finds misaligned
}

int main() {
  unsigned char* memory;
  cudaMalloc(&memory, 64);
  cudaMemset(memory, 0, 64);
  count<<<1, 32>>>(memory);
  cudaDeviceSynchronize();
  cudaFree(memory);
}
