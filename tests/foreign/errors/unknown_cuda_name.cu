// A name that the library here does not have: the first line says where it belongs and what helps.
// expect: errors/unknown_cuda_name.cu:8: 'cublasFrobnicate' looks like a CUDA name (cuBLAS) that the CPU device does not have. Check the spelling.
#include <cublas_v2.h>

int main() {
  cublasHandle_t handle;
  cublasCreate(&handle);
  return cublasFrobnicate(handle);
}
