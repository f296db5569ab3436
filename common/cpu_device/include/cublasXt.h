// cuBLASXt: products of matrices that lie anywhere, in the host's memory too. The call returns when the product is there.
#pragma once

#include "cublas_v2.h"

#define CPU_DEVICE_SITE cpu_device::Site site = cpu_device::Site::here()

typedef struct cublasXtContext* cublasXtHandle_t;
typedef enum { CUBLASXT_PINNING_DISABLED = 0, CUBLASXT_PINNING_ENABLED = 1 } cublasXtPinnedMemMode_t;

cublasStatus_t cublasXtCreate(cublasXtHandle_t* handle, CPU_DEVICE_SITE);
cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle);
// Devices, and the size of the pieces that each gets: they make no difference here.
cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int count, int devices[]);
cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int size);
cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int* size);
cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t mode);

#define CPU_DEVICE_XT(S, T)                                                                                                    \
  cublasStatus_t cublasXt##S##gemm(cublasXtHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, size_t m,          \
                                   size_t n, size_t k, const T* alpha, const T* a, size_t lda, const T* b, size_t ldb,         \
                                   const T* beta, T* c, size_t ldc, CPU_DEVICE_SITE);
CPU_DEVICE_XT(S, float)
CPU_DEVICE_XT(D, double)
CPU_DEVICE_XT(C, cuComplex)
CPU_DEVICE_XT(Z, cuDoubleComplex)
#undef CPU_DEVICE_XT
#undef CPU_DEVICE_SITE
