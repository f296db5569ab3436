// cuBLAS over OpenBLAS, which is loaded when a program creates a handle: levels 1 to 3 in float and
// double, products of matrices in half precision and of complex numbers, batches. Matrices lie column
// by column, as in Fortran.
#pragma once

#include "cuComplex.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "library_types.h"

// Asked for by programs that print errors if the library is there.
#define CUBLAS_V2_H_
#define CUBLAS_API_H_
#define CUBLASAPI
#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VER_MINOR 0
#define CUBLAS_VER_PATCH 0
#define CUBLAS_VERSION 120000

typedef struct cublasContext* cublasHandle_t;

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef cublasStatus_t cublasStatus;

typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 } cublasOperation_t;
typedef enum { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1 } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_ALGO0 = 0,
  CUBLAS_GEMM_ALGO1 = 1, CUBLAS_GEMM_ALGO2 = 2, CUBLAS_GEMM_ALGO3 = 3, CUBLAS_GEMM_ALGO4 = 4,
  CUBLAS_GEMM_ALGO5 = 5, CUBLAS_GEMM_ALGO6 = 6, CUBLAS_GEMM_ALGO7 = 7, CUBLAS_GEMM_ALGO8 = 8,
  CUBLAS_GEMM_ALGO9 = 9, CUBLAS_GEMM_ALGO10 = 10, CUBLAS_GEMM_ALGO11 = 11, CUBLAS_GEMM_ALGO12 = 12,
  CUBLAS_GEMM_ALGO13 = 13, CUBLAS_GEMM_ALGO14 = 14, CUBLAS_GEMM_ALGO15 = 15, CUBLAS_GEMM_ALGO16 = 16,
  CUBLAS_GEMM_ALGO17 = 17, CUBLAS_GEMM_ALGO18 = 18, CUBLAS_GEMM_ALGO19 = 19, CUBLAS_GEMM_ALGO20 = 20,
  CUBLAS_GEMM_ALGO21 = 21, CUBLAS_GEMM_ALGO22 = 22, CUBLAS_GEMM_ALGO23 = 23,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
  CUBLAS_GEMM_ALGO0_TENSOR_OP = 100, CUBLAS_GEMM_ALGO1_TENSOR_OP = 101, CUBLAS_GEMM_ALGO2_TENSOR_OP = 102,
  CUBLAS_GEMM_ALGO3_TENSOR_OP = 103, CUBLAS_GEMM_ALGO4_TENSOR_OP = 104, CUBLAS_GEMM_ALGO5_TENSOR_OP = 105,
  CUBLAS_GEMM_ALGO6_TENSOR_OP = 106, CUBLAS_GEMM_ALGO7_TENSOR_OP = 107, CUBLAS_GEMM_ALGO8_TENSOR_OP = 108,
  CUBLAS_GEMM_ALGO9_TENSOR_OP = 109, CUBLAS_GEMM_ALGO10_TENSOR_OP = 110, CUBLAS_GEMM_ALGO11_TENSOR_OP = 111,
  CUBLAS_GEMM_ALGO12_TENSOR_OP = 112, CUBLAS_GEMM_ALGO13_TENSOR_OP = 113, CUBLAS_GEMM_ALGO14_TENSOR_OP = 114,
  CUBLAS_GEMM_ALGO15_TENSOR_OP = 115
} cublasGemmAlgo_t;
typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32I_PEDANTIC = 73,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;

#define CPU_DEVICE_SITE cpu_device::Site site = cpu_device::Site::here()

cublasStatus_t cublasCreate(cublasHandle_t* handle, CPU_DEVICE_SITE);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int* version);
const char* cublasGetStatusString(cublasStatus_t status);
const char* cublasGetStatusName(cublasStatus_t status);
// How the result is computed is OpenBLAS's business here.
inline cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t) { return CUBLAS_STATUS_SUCCESS; }
inline cublasStatus_t cublasSetAtomicsMode(cublasHandle_t, cublasAtomicsMode_t) {
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasSetWorkspace(cublasHandle_t, void*, size_t) {
  return CUBLAS_STATUS_SUCCESS;
}

// ---- copies of vectors and matrices between the host and the device ----
cublasStatus_t cublasSetVector(int n, int element, const void* from, int from_step, void* to,
                               int to_step, CPU_DEVICE_SITE);
cublasStatus_t cublasGetVector(int n, int element, const void* from, int from_step, void* to,
                               int to_step, CPU_DEVICE_SITE);
cublasStatus_t cublasSetMatrix(int rows, int columns, int element, const void* from, int from_pitch,
                               void* to, int to_pitch, CPU_DEVICE_SITE);
cublasStatus_t cublasGetMatrix(int rows, int columns, int element, const void* from, int from_pitch,
                               void* to, int to_pitch, CPU_DEVICE_SITE);
cublasStatus_t cublasSetVectorAsync(int n, int element, const void* from, int from_step, void* to,
                                    int to_step, cudaStream_t stream, CPU_DEVICE_SITE);
cublasStatus_t cublasGetVectorAsync(int n, int element, const void* from, int from_step, void* to,
                                    int to_step, cudaStream_t stream, CPU_DEVICE_SITE);
cublasStatus_t cublasSetMatrixAsync(int rows, int columns, int element, const void* from,
                                    int from_pitch, void* to, int to_pitch, cudaStream_t stream,
                                    CPU_DEVICE_SITE);
cublasStatus_t cublasGetMatrixAsync(int rows, int columns, int element, const void* from,
                                    int from_pitch, void* to, int to_pitch, cudaStream_t stream,
                                    CPU_DEVICE_SITE);

// ---- for each type: S float, D double ----
#define CPU_DEVICE_BLAS(S, T, AMAX, AMIN, ASUM, NRM2)                                               \
  cublasStatus_t AMAX(cublasHandle_t handle, int n, const T* x, int step, int* result,              \
                      CPU_DEVICE_SITE);                                                             \
  cublasStatus_t AMIN(cublasHandle_t handle, int n, const T* x, int step, int* result,              \
                      CPU_DEVICE_SITE);                                                             \
  cublasStatus_t ASUM(cublasHandle_t handle, int n, const T* x, int step, T* result,                \
                      CPU_DEVICE_SITE);                                                             \
  cublasStatus_t NRM2(cublasHandle_t handle, int n, const T* x, int step, T* result,                \
                      CPU_DEVICE_SITE);                                                             \
  cublasStatus_t cublas##S##dot(cublasHandle_t handle, int n, const T* x, int x_step, const T* y,   \
                                int y_step, T* result, CPU_DEVICE_SITE);                            \
  cublasStatus_t cublas##S##axpy(cublasHandle_t handle, int n, const T* alpha, const T* x,          \
                                 int x_step, T* y, int y_step, CPU_DEVICE_SITE);                    \
  cublasStatus_t cublas##S##copy(cublasHandle_t handle, int n, const T* x, int x_step, T* y,        \
                                 int y_step, CPU_DEVICE_SITE);                                      \
  cublasStatus_t cublas##S##swap(cublasHandle_t handle, int n, T* x, int x_step, T* y, int y_step,  \
                                 CPU_DEVICE_SITE);                                                  \
  cublasStatus_t cublas##S##scal(cublasHandle_t handle, int n, const T* alpha, T* x, int step,      \
                                 CPU_DEVICE_SITE);                                                  \
  cublasStatus_t cublas##S##rot(cublasHandle_t handle, int n, T* x, int x_step, T* y, int y_step,   \
                                const T* cosine, const T* sine, CPU_DEVICE_SITE);                   \
  cublasStatus_t cublas##S##gemv(cublasHandle_t handle, cublasOperation_t op, int m, int n,         \
                                 const T* alpha, const T* a, int lda, const T* x, int x_step,       \
                                 const T* beta, T* y, int y_step, CPU_DEVICE_SITE);                 \
  cublasStatus_t cublas##S##symv(cublasHandle_t handle, cublasFillMode_t fill, int n,               \
                                 const T* alpha, const T* a, int lda, const T* x, int x_step,       \
                                 const T* beta, T* y, int y_step, CPU_DEVICE_SITE);                 \
  cublasStatus_t cublas##S##ger(cublasHandle_t handle, int m, int n, const T* alpha, const T* x,    \
                                int x_step, const T* y, int y_step, T* a, int lda,                  \
                                CPU_DEVICE_SITE);                                                   \
  cublasStatus_t cublas##S##trmv(cublasHandle_t handle, cublasFillMode_t fill,                      \
                                 cublasOperation_t op, cublasDiagType_t diagonal, int n,            \
                                 const T* a, int lda, T* x, int step, CPU_DEVICE_SITE);             \
  cublasStatus_t cublas##S##trsv(cublasHandle_t handle, cublasFillMode_t fill,                      \
                                 cublasOperation_t op, cublasDiagType_t diagonal, int n,            \
                                 const T* a, int lda, T* x, int step, CPU_DEVICE_SITE);             \
  cublasStatus_t cublas##S##symm(cublasHandle_t handle, cublasSideMode_t side,                      \
                                 cublasFillMode_t fill, int m, int n, const T* alpha, const T* a,   \
                                 int lda, const T* b, int ldb, const T* beta, T* c, int ldc,        \
                                 CPU_DEVICE_SITE);                                                  \
  cublasStatus_t cublas##S##syrk(cublasHandle_t handle, cublasFillMode_t fill,                      \
                                 cublasOperation_t op, int n, int k, const T* alpha, const T* a,    \
                                 int lda, const T* beta, T* c, int ldc, CPU_DEVICE_SITE);           \
  cublasStatus_t cublas##S##trsm(cublasHandle_t handle, cublasSideMode_t side,                      \
                                 cublasFillMode_t fill, cublasOperation_t op,                       \
                                 cublasDiagType_t diagonal, int m, int n, const T* alpha,           \
                                 const T* a, int lda, T* b, int ldb, CPU_DEVICE_SITE);              \
  cublasStatus_t cublas##S##syr(cublasHandle_t handle, cublasFillMode_t fill, int n,                \
                                const T* alpha, const T* x, int step, T* a, int lda,                \
                                CPU_DEVICE_SITE);                                                   \
  cublasStatus_t cublas##S##syr2(cublasHandle_t handle, cublasFillMode_t fill, int n,               \
                                 const T* alpha, const T* x, int x_step, const T* y, int y_step,    \
                                 T* a, int lda, CPU_DEVICE_SITE);                                   \
  cublasStatus_t cublas##S##syr2k(cublasHandle_t handle, cublasFillMode_t fill,                     \
                                  cublasOperation_t op, int n, int k, const T* alpha, const T* a,   \
                                  int lda, const T* b, int ldb, const T* beta, T* c, int ldc,       \
                                  CPU_DEVICE_SITE);                                                 \
  /* C = alpha op(A) B, or alpha B op(A), of a triangular A. */                                     \
  cublasStatus_t cublas##S##trmm(cublasHandle_t handle, cublasSideMode_t side,                      \
                                 cublasFillMode_t fill, cublasOperation_t op,                       \
                                 cublasDiagType_t diagonal, int m, int n, const T* alpha,           \
                                 const T* a, int lda, const T* b, int ldb, T* c, int ldc,           \
                                 CPU_DEVICE_SITE);                                                  \
  /* Of each matrix in the array: its LU factors (pivots may be null: no rows change places), from  \
     these its inverse, or the solutions of A x = b. info[i] is 0, or the column without a pivot. */\
  cublasStatus_t cublas##S##getrfBatched(cublasHandle_t handle, int n, T* const a[], int lda,       \
                                         int* pivots, int* info, int count, CPU_DEVICE_SITE);       \
  cublasStatus_t cublas##S##getriBatched(cublasHandle_t handle, int n, const T* const a[], int lda, \
                                         const int* pivots, T* const c[], int ldc, int* info,       \
                                         int count, CPU_DEVICE_SITE);                               \
  cublasStatus_t cublas##S##getrsBatched(cublasHandle_t handle, cublasOperation_t op, int n,        \
                                         int columns, const T* const a[], int lda,                  \
                                         const int* pivots, T* const b[], int ldb, int* info,       \
                                         int count, CPU_DEVICE_SITE);                               \
  /* C = alpha op(A) + beta op(B), and C = A diag(x) or diag(x) A. */                               \
  cublasStatus_t cublas##S##geam(cublasHandle_t handle, cublasOperation_t op_a,                     \
                                 cublasOperation_t op_b, int m, int n, const T* alpha, const T* a,  \
                                 int lda, const T* beta, const T* b, int ldb, T* c, int ldc,        \
                                 CPU_DEVICE_SITE);                                                  \
  cublasStatus_t cublas##S##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n,        \
                                 const T* a, int lda, const T* x, int step, T* c, int ldc,          \
                                 CPU_DEVICE_SITE);
CPU_DEVICE_BLAS(S, float, cublasIsamax, cublasIsamin, cublasSasum, cublasSnrm2)
CPU_DEVICE_BLAS(D, double, cublasIdamax, cublasIdamin, cublasDasum, cublasDnrm2)
#undef CPU_DEVICE_BLAS

// C = alpha op(A) op(B) + beta C, where op(A) has m rows and k columns, op(B) k and n.
#define CPU_DEVICE_GEMM(S, T)                                                                       \
  cublasStatus_t cublas##S##gemm(cublasHandle_t handle, cublasOperation_t op_a,                     \
                                 cublasOperation_t op_b, int m, int n, int k, const T* alpha,       \
                                 const T* a, int lda, const T* b, int ldb, const T* beta, T* c,     \
                                 int ldc, CPU_DEVICE_SITE);                                         \
  cublasStatus_t cublas##S##gemmStridedBatched(                                                     \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,   \
      const T* alpha, const T* a, int lda, long long a_stride, const T* b, int ldb,                 \
      long long b_stride, const T* beta, T* c, int ldc, long long c_stride, int count,              \
      CPU_DEVICE_SITE);                                                                             \
  cublasStatus_t cublas##S##gemmBatched(                                                            \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,   \
      const T* alpha, const T* const a[], int lda, const T* const b[], int ldb, const T* beta,      \
      T* const c[], int ldc, int count, CPU_DEVICE_SITE);
CPU_DEVICE_GEMM(S, float)
CPU_DEVICE_GEMM(D, double)
// Vectors of complex numbers; dotu: x times y, dotc: the conjugate of x times y.
#define CPU_DEVICE_COMPLEX_VECTORS(S, T, R, SCALE_BY_REAL, NRM2)                                    \
  cublasStatus_t cublas##S##scal(cublasHandle_t handle, int n, const T* alpha, T* x, int step,      \
                                 CPU_DEVICE_SITE);                                                  \
  cublasStatus_t SCALE_BY_REAL(cublasHandle_t handle, int n, const R* alpha, T* x, int step,        \
                               CPU_DEVICE_SITE);                                                    \
  cublasStatus_t cublas##S##axpy(cublasHandle_t handle, int n, const T* alpha, const T* x,          \
                                 int x_step, T* y, int y_step, CPU_DEVICE_SITE);                    \
  cublasStatus_t cublas##S##copy(cublasHandle_t handle, int n, const T* x, int x_step, T* y,        \
                                 int y_step, CPU_DEVICE_SITE);                                      \
  cublasStatus_t cublas##S##swap(cublasHandle_t handle, int n, T* x, int x_step, T* y, int y_step,  \
                                 CPU_DEVICE_SITE);                                                  \
  cublasStatus_t cublas##S##dotu(cublasHandle_t handle, int n, const T* x, int x_step, const T* y,  \
                                 int y_step, T* result, CPU_DEVICE_SITE);                           \
  cublasStatus_t cublas##S##dotc(cublasHandle_t handle, int n, const T* x, int x_step, const T* y,  \
                                 int y_step, T* result, CPU_DEVICE_SITE);                           \
  cublasStatus_t NRM2(cublasHandle_t handle, int n, const T* x, int step, R* result,                \
                      CPU_DEVICE_SITE);
CPU_DEVICE_COMPLEX_VECTORS(C, cuComplex, float, cublasCsscal, cublasScnrm2)
CPU_DEVICE_COMPLEX_VECTORS(Z, cuDoubleComplex, double, cublasZdscal, cublasDznrm2)
#undef CPU_DEVICE_COMPLEX_VECTORS
CPU_DEVICE_GEMM(C, cuComplex)
CPU_DEVICE_GEMM(Z, cuDoubleComplex)
CPU_DEVICE_GEMM(H, __half)
#undef CPU_DEVICE_GEMM

// Of all real types that the arguments name; sums are float (double for double).
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                            int m, int n, int k, const void* alpha, const void* a,
                            cudaDataType a_type, int lda, const void* b, cudaDataType b_type,
                            int ldb, const void* beta, void* c, cudaDataType c_type, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t algorithm,
                            CPU_DEVICE_SITE);
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                            int m, int n, int k, const void* alpha, const void* a,
                            cudaDataType a_type, int lda, const void* b, cudaDataType b_type,
                            int ldb, const void* beta, void* c, cudaDataType c_type, int ldc,
                            cudaDataType compute, cublasGemmAlgo_t algorithm, CPU_DEVICE_SITE);

// Batches at a fixed distance, and the same for vectors. `compute`: the type of the sums.
#define CPU_DEVICE_GEMM_BATCHED_EX(COMPUTE)                                                                       \
  cublasStatus_t cublasGemmStridedBatchedEx(                                                                      \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k, const void* alpha, \
      const void* a, cudaDataType a_type, int lda, long long a_stride, const void* b, cudaDataType b_type, int ldb, \
      long long b_stride, const void* beta, void* c, cudaDataType c_type, int ldc, long long c_stride, int count,  \
      COMPUTE compute, cublasGemmAlgo_t algorithm, CPU_DEVICE_SITE);
CPU_DEVICE_GEMM_BATCHED_EX(cublasComputeType_t)
CPU_DEVICE_GEMM_BATCHED_EX(cudaDataType)
#undef CPU_DEVICE_GEMM_BATCHED_EX
cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n,
                             int k, const float* alpha, const void* a, cudaDataType a_type, int lda, const void* b,
                             cudaDataType b_type, int ldb, const float* beta, void* c, cudaDataType c_type, int ldc,
                             CPU_DEVICE_SITE);
cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void* x, cudaDataType x_type, int x_step, const void* y,
                           cudaDataType y_type, int y_step, void* result, cudaDataType result_type,
                           cudaDataType compute, CPU_DEVICE_SITE);
cublasStatus_t cublasNrm2Ex(cublasHandle_t handle, int n, const void* x, cudaDataType x_type, int x_step, void* result,
                            cudaDataType result_type, cudaDataType compute, CPU_DEVICE_SITE);
cublasStatus_t cublasAxpyEx(cublasHandle_t handle, int n, const void* alpha, cudaDataType alpha_type, const void* x,
                            cudaDataType x_type, int x_step, void* y, cudaDataType y_type, int y_step,
                            cudaDataType compute, CPU_DEVICE_SITE);
cublasStatus_t cublasScalEx(cublasHandle_t handle, int n, const void* alpha, cudaDataType alpha_type, void* x,
                            cudaDataType x_type, int x_step, cudaDataType compute, CPU_DEVICE_SITE);

#undef CPU_DEVICE_SITE

// The names that the functions have had since version 2.
#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
#define cublasSetStream_v2 cublasSetStream
#define cublasSgemm_v2 cublasSgemm
#define cublasDgemm_v2 cublasDgemm
