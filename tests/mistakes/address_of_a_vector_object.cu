// &vector is the address of the vector's own three pointers; its elements are at vector.data().
#include <vector>

int main() {
  const std::vector<int> host(6, 7);
  int* values;
  cudaMalloc(&values, 6 * sizeof(int));
#ifdef RIGHT
  cudaMemcpy(values, host.data(), 6 * sizeof(int), cudaMemcpyHostToDevice);
#else
  cudaMemcpy(values, &host, 6 * sizeof(int), cudaMemcpyHostToDevice);  // finds wrong-pointer
#endif
  cudaFree(values);
}
