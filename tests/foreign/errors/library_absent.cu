// expect: cublas_v2.h: cuBLAS is not on the CPU device
#include <cublas_v2.h>
int main() {
  cublasHandle_t handle;
  return cublasCreate(&handle);
}
