// Memory of malloc() is given to cudaFree().
#include <cstdlib>

int main() {
  int* values = static_cast<int*>(calloc(16, sizeof(int)));
#ifdef RIGHT
  free(values);
#else
  cudaFree(values);  // finds wrong-pointer
#endif
}
