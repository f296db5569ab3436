// cuSOLVER for dense matrices in float and double, over the LAPACK in OpenBLAS, which is loaded when a
// program creates a handle: LU, Cholesky and QR factors, symmetric eigenvalues, singular values; eigenvalues also of
// Hermitian matrices.
// Matrices lie column by column, as in Fortran.
#pragma once

#include "cusolver_common.h"

#define CPU_DEVICE_SITE cpu_device::Site site = cpu_device::Site::here()

typedef struct cusolverDnContext* cusolverDnHandle_t;

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* handle, CPU_DEVICE_SITE);
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream);
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t* stream);

// How much workspace a call wants: LAPACK takes its own, but what a program allocates must not be
// nothing, which is an error of cudaMalloc's where a GPU would have none.
inline cusolverStatus_t cpu_device_solver_workspace(cusolverDnHandle_t handle, int smallest, int* lwork) {
  if (handle == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (smallest < 0 || lwork == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  *lwork = smallest + 1;
  return CUSOLVER_STATUS_SUCCESS;
}

// For each type: S float, D double. `pivots` of getrf may be null: no rows are exchanged then.
#define CPU_DEVICE_SOLVER(S, T)                                                                        \
  inline cusolverStatus_t cusolverDn##S##getrf_bufferSize(cusolverDnHandle_t handle, int m, int n, T*, \
                                                          int, int* lwork) {                           \
    return cpu_device_solver_workspace(handle, m < n ? m : n, lwork);                                  \
  }                                                                                                    \
  cusolverStatus_t cusolverDn##S##getrf(cusolverDnHandle_t handle, int m, int n, T* a, int lda,        \
                                        T* work, int* pivots, int* info, CPU_DEVICE_SITE);             \
  cusolverStatus_t cusolverDn##S##getrs(cusolverDnHandle_t handle, cublasOperation_t op, int n,        \
                                        int columns, const T* a, int lda, const int* pivots, T* b,     \
                                        int ldb, int* info, CPU_DEVICE_SITE);                          \
  inline cusolverStatus_t cusolverDn##S##potrf_bufferSize(                                             \
      cusolverDnHandle_t handle, cublasFillMode_t, int n, T*, int, int* lwork) {                       \
    return cpu_device_solver_workspace(handle, n, lwork);                                              \
  }                                                                                                    \
  cusolverStatus_t cusolverDn##S##potrf(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, T* a, \
                                        int lda, T* work, int lwork, int* info, CPU_DEVICE_SITE);      \
  cusolverStatus_t cusolverDn##S##potrs(cusolverDnHandle_t handle, cublasFillMode_t fill, int n,       \
                                        int columns, const T* a, int lda, T* b, int ldb, int* info,    \
                                        CPU_DEVICE_SITE);                                              \
  inline cusolverStatus_t cusolverDn##S##geqrf_bufferSize(cusolverDnHandle_t handle, int, int n, T*,   \
                                                          int, int* lwork) {                           \
    return cpu_device_solver_workspace(handle, n, lwork);                                              \
  }                                                                                                    \
  cusolverStatus_t cusolverDn##S##geqrf(cusolverDnHandle_t handle, int m, int n, T* a, int lda,        \
                                        T* tau, T* work, int lwork, int* info, CPU_DEVICE_SITE);       \
  inline cusolverStatus_t cusolverDn##S##orgqr_bufferSize(cusolverDnHandle_t handle, int, int n, int,  \
                                                          const T*, int, const T*, int* lwork) {       \
    return cpu_device_solver_workspace(handle, n, lwork);                                              \
  }                                                                                                    \
  cusolverStatus_t cusolverDn##S##orgqr(cusolverDnHandle_t handle, int m, int n, int k, T* a, int lda, \
                                        const T* tau, T* work, int lwork, int* info, CPU_DEVICE_SITE); \
  inline cusolverStatus_t cusolverDn##S##ormqr_bufferSize(                                             \
      cusolverDnHandle_t handle, cublasSideMode_t, cublasOperation_t, int m, int, int, const T*, int,  \
      const T*, const T*, int, int* lwork) {                                                           \
    return cpu_device_solver_workspace(handle, m, lwork);                                              \
  }                                                                                                    \
  cusolverStatus_t cusolverDn##S##ormqr(cusolverDnHandle_t handle, cublasSideMode_t side,              \
                                        cublasOperation_t op, int m, int n, int k, const T* a,         \
                                        int lda, const T* tau, T* c, int ldc, T* work, int lwork,      \
                                        int* info, CPU_DEVICE_SITE);                                   \
  inline cusolverStatus_t cusolverDn##S##syevd_bufferSize(                                             \
      cusolverDnHandle_t handle, cusolverEigMode_t, cublasFillMode_t, int n, const T*, int, const T*,  \
      int* lwork) {                                                                                    \
    return cpu_device_solver_workspace(handle, n, lwork);                                              \
  }                                                                                                    \
  cusolverStatus_t cusolverDn##S##syevd(cusolverDnHandle_t handle, cusolverEigMode_t mode,             \
                                        cublasFillMode_t fill, int n, T* a, int lda, T* values,        \
                                        T* work, int lwork, int* info, CPU_DEVICE_SITE);               \
  inline cusolverStatus_t cusolverDn##S##gesvd_bufferSize(cusolverDnHandle_t handle, int m, int n,     \
                                                          int* lwork) {                                \
    return cpu_device_solver_workspace(handle, m < n ? m : n, lwork);                                  \
  }                                                                                                    \
  cusolverStatus_t cusolverDn##S##gesvd(cusolverDnHandle_t handle, signed char job_u,                  \
                                        signed char job_vt, int m, int n, T* a, int lda, T* values,    \
                                        T* u, int ldu, T* vt, int ldvt, T* work, int lwork, T* rwork,  \
                                        int* info, CPU_DEVICE_SITE);
// Hermitian: S C or Z, T complex numbers, R real ones.
#define CPU_DEVICE_HERMITIAN(S, T, R)                                                                    \
  inline cusolverStatus_t cusolverDn##S##heevd_bufferSize(                                             \
      cusolverDnHandle_t handle, cusolverEigMode_t, cublasFillMode_t, int n, const T*, int, const R*,  \
      int* lwork) {                                                                                    \
    return cpu_device_solver_workspace(handle, n, lwork);                                              \
  }                                                                                                    \
  cusolverStatus_t cusolverDn##S##heevd(cusolverDnHandle_t handle, cusolverEigMode_t mode,             \
                                        cublasFillMode_t fill, int n, T* a, int lda, R* values,        \
                                        T* work, int lwork, int* info, CPU_DEVICE_SITE);
CPU_DEVICE_HERMITIAN(C, cuComplex, float)
CPU_DEVICE_HERMITIAN(Z, cuDoubleComplex, double)
#undef CPU_DEVICE_HERMITIAN
CPU_DEVICE_SOLVER(S, float)
CPU_DEVICE_SOLVER(D, double)
#undef CPU_DEVICE_SOLVER

#undef CPU_DEVICE_SITE
