// The cuBLAS of before version 2, as older books have it: no handle, letters instead of enumerators, and
// results that are returned. Over cublas_v2.h, next to whose functions these are overloads.
#pragma once

#include "cublas_v2.h"

#define CUBLAS_H_

namespace cpu_device {

struct OldBlas {
  cublasHandle_t handle = nullptr;
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  void note(cublasStatus_t now) {
    if (now != CUBLAS_STATUS_SUCCESS) status = now;
  }
};
inline OldBlas& old_blas() {
  static OldBlas state;
  return state;
}
inline cublasOperation_t blas_op(char c) {
  return c == 'n' || c == 'N' ? CUBLAS_OP_N : c == 't' || c == 'T' ? CUBLAS_OP_T : CUBLAS_OP_C;
}
inline cublasFillMode_t blas_fill(char c) {
  return c == 'u' || c == 'U' ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
}
inline cublasSideMode_t blas_side(char c) {
  return c == 'l' || c == 'L' ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
}
inline cublasDiagType_t blas_diagonal(char c) {
  return c == 'u' || c == 'U' ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
}

}  // namespace cpu_device

#define CPU_DEVICE_SITE cpu_device::Site site = cpu_device::Site::here()

inline cublasStatus cublasInit(CPU_DEVICE_SITE) {
  cpu_device::OldBlas& old = cpu_device::old_blas();
  return old.handle != nullptr ? CUBLAS_STATUS_SUCCESS : cublasCreate(&old.handle, site);
}
inline cublasStatus cublasShutdown() {
  cpu_device::OldBlas& old = cpu_device::old_blas();
  const cublasStatus_t status = cublasDestroy(old.handle);
  old.handle = nullptr;
  return status;
}
inline cublasStatus cublasGetError() {
  const cublasStatus_t status = cpu_device::old_blas().status;
  cpu_device::old_blas().status = CUBLAS_STATUS_SUCCESS;
  return status;
}
inline cublasStatus cublasAlloc(int n, int element, void** pointer, CPU_DEVICE_SITE) {
  return cudaMalloc(pointer, static_cast<size_t>(n) * element, site) == cudaSuccess
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_ALLOC_FAILED;
}
inline cublasStatus cublasFree(void* pointer, CPU_DEVICE_SITE) {
  return cudaFree(pointer, site) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INTERNAL_ERROR;
}
inline cublasStatus cublasSetKernelStream(cudaStream_t stream) {
  return cublasSetStream(cpu_device::old_blas().handle, stream);
}

#define CPU_DEVICE_OLD(NAME, ...)                                                                 \
  cpu_device::OldBlas& old = cpu_device::old_blas();                                              \
  old.note(NAME(old.handle, __VA_ARGS__, site))
#define CPU_DEVICE_OLD_BLAS(S, T)                                                                 \
  inline T cublas##S##dot(int n, const T* x, int x_step, const T* y, int y_step, CPU_DEVICE_SITE) { \
    T result{};                                                                                   \
    CPU_DEVICE_OLD(cublas##S##dot, n, x, x_step, y, y_step, &result);                             \
    return result;                                                                                \
  }                                                                                               \
  inline void cublas##S##axpy(int n, T alpha, const T* x, int x_step, T* y, int y_step,           \
                              CPU_DEVICE_SITE) {                                                  \
    CPU_DEVICE_OLD(cublas##S##axpy, n, &alpha, x, x_step, y, y_step);                             \
  }                                                                                               \
  inline void cublas##S##copy(int n, const T* x, int x_step, T* y, int y_step, CPU_DEVICE_SITE) { \
    CPU_DEVICE_OLD(cublas##S##copy, n, x, x_step, y, y_step);                                     \
  }                                                                                               \
  inline void cublas##S##swap(int n, T* x, int x_step, T* y, int y_step, CPU_DEVICE_SITE) {       \
    CPU_DEVICE_OLD(cublas##S##swap, n, x, x_step, y, y_step);                                     \
  }                                                                                               \
  inline void cublas##S##scal(int n, T alpha, T* x, int step, CPU_DEVICE_SITE) {                  \
    CPU_DEVICE_OLD(cublas##S##scal, n, &alpha, x, step);                                          \
  }                                                                                               \
  inline void cublas##S##gemv(char op, int m, int n, T alpha, const T* a, int lda, const T* x,    \
                              int x_step, T beta, T* y, int y_step, CPU_DEVICE_SITE) {            \
    CPU_DEVICE_OLD(cublas##S##gemv, cpu_device::blas_op(op), m, n, &alpha, a, lda, x, x_step,     \
                   &beta, y, y_step);                                                             \
  }                                                                                               \
  inline void cublas##S##ger(int m, int n, T alpha, const T* x, int x_step, const T* y,           \
                             int y_step, T* a, int lda, CPU_DEVICE_SITE) {                        \
    CPU_DEVICE_OLD(cublas##S##ger, m, n, &alpha, x, x_step, y, y_step, a, lda);                   \
  }                                                                                               \
  inline void cublas##S##trsv(char fill, char op, char diagonal, int n, const T* a, int lda,      \
                              T* x, int step, CPU_DEVICE_SITE) {                                  \
    CPU_DEVICE_OLD(cublas##S##trsv, cpu_device::blas_fill(fill), cpu_device::blas_op(op),         \
                   cpu_device::blas_diagonal(diagonal), n, a, lda, x, step);                      \
  }                                                                                               \
  inline void cublas##S##gemm(char op_a, char op_b, int m, int n, int k, T alpha, const T* a,     \
                              int lda, const T* b, int ldb, T beta, T* c, int ldc,                \
                              CPU_DEVICE_SITE) {                                                  \
    CPU_DEVICE_OLD(cublas##S##gemm, cpu_device::blas_op(op_a), cpu_device::blas_op(op_b), m, n,   \
                   k, &alpha, a, lda, b, ldb, &beta, c, ldc);                                     \
  }                                                                                               \
  inline void cublas##S##symm(char side, char fill, int m, int n, T alpha, const T* a, int lda,   \
                              const T* b, int ldb, T beta, T* c, int ldc, CPU_DEVICE_SITE) {      \
    CPU_DEVICE_OLD(cublas##S##symm, cpu_device::blas_side(side), cpu_device::blas_fill(fill), m,  \
                   n, &alpha, a, lda, b, ldb, &beta, c, ldc);                                     \
  }                                                                                               \
  inline void cublas##S##syrk(char fill, char op, int n, int k, T alpha, const T* a, int lda,     \
                              T beta, T* c, int ldc, CPU_DEVICE_SITE) {                           \
    CPU_DEVICE_OLD(cublas##S##syrk, cpu_device::blas_fill(fill), cpu_device::blas_op(op), n, k,   \
                   &alpha, a, lda, &beta, c, ldc);                                                \
  }                                                                                               \
  inline void cublas##S##trsm(char side, char fill, char op, char diagonal, int m, int n,         \
                              T alpha, const T* a, int lda, T* b, int ldb, CPU_DEVICE_SITE) {     \
    CPU_DEVICE_OLD(cublas##S##trsm, cpu_device::blas_side(side), cpu_device::blas_fill(fill),     \
                   cpu_device::blas_op(op), cpu_device::blas_diagonal(diagonal), m, n, &alpha, a, \
                   lda, b, ldb);                                                                  \
  }
CPU_DEVICE_OLD_BLAS(S, float)
CPU_DEVICE_OLD_BLAS(D, double)
#undef CPU_DEVICE_OLD_BLAS
#define CPU_DEVICE_OLD_RESULT(NAME, T, TYPE)                         \
  inline TYPE NAME(int n, const T* x, int step, CPU_DEVICE_SITE) {   \
    TYPE result{};                                                   \
    CPU_DEVICE_OLD(NAME, n, x, step, &result);                       \
    return result;                                                   \
  }
CPU_DEVICE_OLD_RESULT(cublasIsamax, float, int)
CPU_DEVICE_OLD_RESULT(cublasIdamax, double, int)
CPU_DEVICE_OLD_RESULT(cublasIsamin, float, int)
CPU_DEVICE_OLD_RESULT(cublasIdamin, double, int)
CPU_DEVICE_OLD_RESULT(cublasSasum, float, float)
CPU_DEVICE_OLD_RESULT(cublasDasum, double, double)
CPU_DEVICE_OLD_RESULT(cublasSnrm2, float, float)
CPU_DEVICE_OLD_RESULT(cublasDnrm2, double, double)
#undef CPU_DEVICE_OLD_RESULT
#undef CPU_DEVICE_OLD
#undef CPU_DEVICE_SITE
