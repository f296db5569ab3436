// Device memory is given to free().
#include <cstdlib>

int main() {
  int* values;
  cudaMalloc(&values, 16 * sizeof(int));
  cudaMemset(values, 0, 16 * sizeof(int));
#ifdef RIGHT
  cudaFree(values);
#else
  free(values);  // finds wrong-pointer
#endif
}
