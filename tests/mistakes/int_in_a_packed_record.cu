// A record of 5 bytes: the int behind its first byte is read as if it were aligned.
__global__ void read(const unsigned char* records, int* results) {
#ifdef RIGHT
  const unsigned char* record = records + 8 * threadIdx.x + 4;
#else
  const unsigned char* record = records + 5 * threadIdx.x + 1;
#endif
  results[threadIdx.x] = *reinterpret_cast<const int*>(record);  // finds misaligned
}

int main() {
  unsigned char* records;
  int* results;
  cudaMalloc(&records, 32 * 8);
  cudaMalloc(&results, 32 * sizeof(int));
  cudaMemset(records, 0, 32 * 8);
  read<<<1, 32>>>(records, results);
  cudaDeviceSynchronize();
  cudaFree(results);
  cudaFree(records);
}
