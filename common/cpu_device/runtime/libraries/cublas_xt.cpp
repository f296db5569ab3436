// cuBLASXt: one call of OpenBLAS. The host waits, as on a GPU, for all that was queued before and for the product.
#include <dlfcn.h>

#include <algorithm>

#include "../../include/cublasXt.h"
#include "../check/check.h"
#include "../faults/error_messages.h"
#include "../memory/around_operations.h"
#include "library.h"

struct cublasXtContext {
  int block = 2048;
};

using namespace cpu_device;

cublasStatus_t cublasXtCreate(cublasXtHandle_t* handle, Site site) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (open_blas() == nullptr) {
    explain(site, "cuBLASXt needs the package libopenblas0 here, which is not installed", "run: sudo apt-get install libopenblas0");
    return CUBLAS_STATUS_NOT_INITIALIZED;
  }
  *handle = new cublasXtContext;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasXtDestroy(cublasXtHandle_t handle) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t handle, int count, int devices[]) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  int present = 0;
  cudaGetDeviceCount(&present);
  const bool good = count > 0 && devices != nullptr && std::all_of(devices, devices + count, [&](int d) { return d >= 0 && d < present; });
  return good ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}
cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t handle, int size) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (size <= 0) return CUBLAS_STATUS_INVALID_VALUE;
  handle->block = size;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t handle, int* size) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (size == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *size = handle->block;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t handle, cublasXtPinnedMemMode_t) {
  return handle == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : CUBLAS_STATUS_SUCCESS;
}

template <typename T>
static cublasStatus_t multiply(const char* name, cublasXtHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, size_t m,
                               size_t n, size_t k, const T* alpha, const T* a, size_t lda, const T* b, size_t ldb, const T* beta,
                               T* c, size_t ldc, const char* function, Site site) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const size_t rows_a = op_a == CUBLAS_OP_N ? m : k, rows_b = op_b == CUBLAS_OP_N ? k : n;
  if (lda < std::max<size_t>(1, rows_a) || ldb < std::max<size_t>(1, rows_b) || ldc < std::max<size_t>(1, m)) {
    explain(site, format("%s: a leading dimension is smaller than the matrix has rows", function),
            "matrices are stored column by column; lda, ldb and ldc are the distances between columns, in elements.", "wrong-pointer");
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  if (cudaDeviceSynchronize() != cudaSuccess) return CUBLAS_STATUS_EXECUTION_FAILED;
  using Int = int;
  const Int sizes[] = {static_cast<Int>(m), static_cast<Int>(n), static_cast<Int>(k), static_cast<Int>(lda), static_cast<Int>(ldb),
                       static_cast<Int>(ldc)};
  const auto letter = [](cublasOperation_t op) { return op == CUBLAS_OP_N ? 'N' : op == CUBLAS_OP_T ? 'T' : 'C'; };
  const char first = letter(op_a), second = letter(op_b);
  using Function = void (*)(const char*, const char*, const Int*, const Int*, const Int*, const T*, const T*, const Int*, const T*,
                            const Int*, const T*, T*, const Int*, size_t, size_t);
  const OpenDeviceMemory open;  // the matrices may be there
  for (const T* matrix : {a, b, static_cast<const T*>(c)}) check::read_unseen(matrix);
  reinterpret_cast<Function>(dlsym(open_blas(), name))(&first, &second, &sizes[0], &sizes[1], &sizes[2], alpha, a, &sizes[3], b,
                                                       &sizes[4], beta, c, &sizes[5], 1, 1);
  return CUBLAS_STATUS_SUCCESS;
}

#define XT(S, T, NAME)                                                                                                          \
  cublasStatus_t cublasXt##S##gemm(cublasXtHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, size_t m, size_t n, \
                                   size_t k, const T* alpha, const T* a, size_t lda, const T* b, size_t ldb, const T* beta,     \
                                   T* c, size_t ldc, Site site) {                                                               \
    return multiply(NAME, handle, op_a, op_b, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, __func__, site);                    \
  }
XT(S, float, "sgemm_")
XT(D, double, "dgemm_")
XT(C, cuComplex, "cgemm_")
XT(Z, cuDoubleComplex, "zgemm_")
