// cudaMalloc() failed, nobody looked, and its pointer is used all the same.
int main() {
#ifdef RIGHT
  const size_t bytes = 64 * sizeof(int);
#else
  const size_t bytes = size_t{1} << 50;
#endif
  int* values = nullptr;
  cudaMalloc(&values, bytes);
  cudaMemset(values, 0, 64 * sizeof(int));  // finds wrong-pointer
  cudaFree(values);
}
