// cudaFree() is given a pointer that was moved on, not the one from cudaMalloc().
int main() {
  int* values;
  cudaMalloc(&values, 64 * sizeof(int));
#ifdef RIGHT
  int* next = values;
#else
  int* next = values + 32;
#endif
  cudaMemset(next, 0, 32 * sizeof(int));
  cudaFree(next);  // finds wrong-pointer
}
