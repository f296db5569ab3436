// In the manner of samples that clean up in the order in which they began: the stream is destroyed before the
// handles that used it. And of their common header, which prints errors only of libraries whose headers it finds.
#include <cublas_v2.h>
#include <cusolverDn.h>
#include <cusparse.h>

#include <cstdio>

#ifdef CUSPARSEAPI
const char* name_of(cusparseStatus_t status) { return status == CUSPARSE_STATUS_SUCCESS ? "success" : "error"; }
#endif
#ifdef CUSOLVER_COMMON_H_
const char* name_of(cusolverStatus_t status) { return status == CUSOLVER_STATUS_SUCCESS ? "success" : "error"; }
#endif
#ifdef CUBLAS_API_H_
const char* name_of(cublasStatus_t status) { return status == CUBLAS_STATUS_SUCCESS ? "success" : "error"; }
#endif

int main() {
  cudaStream_t stream;
  cublasHandle_t blas;
  cusparseHandle_t sparse;
  cusolverDnHandle_t solver;
  cudaStreamCreate(&stream);
  bool right = cublasCreate(&blas) == CUBLAS_STATUS_SUCCESS && cusparseCreate(&sparse) == CUSPARSE_STATUS_SUCCESS &&
               cusolverDnCreate(&solver) == CUSOLVER_STATUS_SUCCESS;
  right &= cublasSetStream(blas, stream) == CUBLAS_STATUS_SUCCESS;
  right &= cusparseSetStream(sparse, stream) == CUSPARSE_STATUS_SUCCESS;
  right &= cusolverDnSetStream(solver, stream) == CUSOLVER_STATUS_SUCCESS;

  float *x, *y, one = 1;
  cudaMalloc(&x, 4 * sizeof(float));
  cudaMalloc(&y, 4 * sizeof(float));
  const float given[] = {1, 2, 3, 4};
  cudaMemcpy(x, given, sizeof given, cudaMemcpyHostToDevice);
  cudaMemcpy(y, given, sizeof given, cudaMemcpyHostToDevice);
  right &= cublasSaxpy(blas, 4, &one, x, 1, y, 1) == CUBLAS_STATUS_SUCCESS;

  cudaStreamDestroy(stream);
  const cusparseStatus_t sparse_ended = cusparseDestroy(sparse);
  const cusolverStatus_t solver_ended = cusolverDnDestroy(solver);
  const cublasStatus_t blas_ended = cublasDestroy(blas);
  printf("%s %s %s\n", name_of(sparse_ended), name_of(solver_ended), name_of(blas_ended));
  right &= sparse_ended == CUSPARSE_STATUS_SUCCESS && solver_ended == CUSOLVER_STATUS_SUCCESS &&
           blas_ended == CUBLAS_STATUS_SUCCESS && cudaGetLastError() == cudaSuccess;

  float sums[4];
  cudaMemcpy(sums, y, sizeof sums, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 4; i++) right &= sums[i] == 2 * given[i];
  cudaFree(x);
  cudaFree(y);
  puts(right ? "right" : "wrong");
  return right ? 0 : 1;
}
