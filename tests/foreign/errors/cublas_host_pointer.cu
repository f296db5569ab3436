// expect: cublasSscal: x is not in device memory
#include <cublas_v2.h>

int main() {
  float x[4] = {1, 2, 3, 4}, alpha = 2;
  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 77;
  return cublasSscal(handle, 4, &alpha, x, 1) == CUBLAS_STATUS_SUCCESS ? 0 : 1;
}
