// What the files of cuBLAS share: each call is an operation of the handle's stream that calls OpenBLAS.
#pragma once

#include <dlfcn.h>

#include <algorithm>
#include <complex>
#include <string>
#include <utility>
#include <vector>

#include "../../include/cublas_v2.h"
#include "../check/check.h"
#include "../faults/error_messages.h"
#include "library.h"

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t mode = CUBLAS_POINTER_MODE_HOST;
};

namespace cpu_device {

// ---- OpenBLAS ----

// Calls cblas_{s,d,c,z}NAME.
template <typename Result = void, typename... Arguments>
Result blas(char type, const char* name, Arguments... arguments) {
  const std::string symbol = std::string("cblas_") + type + name;
  void* function = dlsym(open_blas(), symbol.c_str());
  return reinterpret_cast<Result (*)(Arguments...)>(function)(arguments...);
}

constexpr int kByColumns = 102;  // as cblas.h numbers them
inline int of(cublasOperation_t op) { return 111 + static_cast<int>(op); }
inline int of(cublasFillMode_t fill) { return fill == CUBLAS_FILL_MODE_UPPER ? 121 : 122; }
inline int of(cublasDiagType_t diagonal) { return diagonal == CUBLAS_DIAG_UNIT ? 132 : 131; }
inline int of(cublasSideMode_t side) { return side == CUBLAS_SIDE_LEFT ? 141 : 142; }

template <typename T>
inline constexpr char letter = 's';
template <>
inline constexpr char letter<double> = 'd';
template <>
inline constexpr char letter<cuComplex> = 'c';
template <>
inline constexpr char letter<cuDoubleComplex> = 'z';

// ---- arguments ----

inline cublasStatus_t wrong(const char* function, const std::string& what, Site site) {
  explain(site, std::string(function) + ": " + what,
          "m, n and k are numbers of rows and columns. lda, ldb and ldc are distances between columns, in elements.",
          "wrong-pointer");
  return CUBLAS_STATUS_INVALID_VALUE;
}

template <typename T>
Matrix vector_of(const char* name, const T* x, int n, int step, bool is_read, bool is_written) {
  const size_t stride = static_cast<size_t>(std::abs(step));
  if (stride == 1) return {name, x, sizeof(T), static_cast<size_t>(n), 1, 1, is_read, is_written};
  return {name, x, sizeof(T), 1, static_cast<size_t>(n), std::max<size_t>(stride, 1), is_read, is_written};
}
template <typename T>
Matrix matrix_of(const char* name, const T* a, int rows, int columns, int pitch, bool is_read,
                 bool is_written) {
  return {name, a, sizeof(T), static_cast<size_t>(rows), static_cast<size_t>(columns),
          static_cast<size_t>(pitch), is_read, is_written};
}

// A factor: read now if it lies on the host, and when the work runs if on the device.
template <typename T>
struct Factor {
  const T* pointer;
  T value;
  bool later;
  Factor(cublasHandle_t handle, const T* from)
      : pointer(from), value{}, later(handle->mode == CUBLAS_POINTER_MODE_DEVICE) {
    if (!later) value = *from;
  }
  T operator()() const { return later ? *pointer : value; }
};
template <typename T>
bool is_zero(const Factor<T>& factor) {
  if (factor.later) return false;
  if constexpr (sizeof(T) == 2)
    return static_cast<float>(factor.value) == 0;
  else if constexpr (letter<T> == 'c' || letter<T> == 'z')
    return factor.value.x == 0 && factor.value.y == 0;
  else
    return factor.value == 0;
}

inline cublasStatus_t status_of(cudaError_t error) {
  return error == cudaSuccess             ? CUBLAS_STATUS_SUCCESS
         : error == cudaErrorInvalidValue ? CUBLAS_STATUS_INVALID_VALUE
                                          : CUBLAS_STATUS_EXECUTION_FAILED;
}

template <typename Work>
cublasStatus_t run(cublasHandle_t handle, const char* function, std::vector<Matrix> touched,
                   Site site, Work work) {
  for (const Matrix& m : touched)
    if (m.columns > 1 && m.pitch < m.rows)
      return wrong(function, format("%s has %zu rows, but its columns are only %zu elements apart", m.name, m.rows,
                                    m.pitch),
                   site);
  return status_of(run_in_stream(handle->stream, function, std::move(touched), false, site, work));
}

// One number: on the host it is there when the call returns.
template <typename T, typename Work>
cublasStatus_t run_for_result(cublasHandle_t handle, const char* function, std::vector<Matrix> touched,
                              T* result, Site site, Work work) {
  const bool on_host = handle->mode == CUBLAS_POINTER_MODE_HOST;
  if (!on_host) touched.push_back(vector_of("the result", result, 1, 1, false, true));
  return status_of(run_in_stream(handle->stream, function, std::move(touched), on_host, site,
                                 [=] { *result = work(); }));
}

// A product of matrices of any real types (cublas_ex.cpp).
cublasStatus_t gemm_of_types(cublasHandle_t handle, const char* function, cublasOperation_t op_a,
                             cublasOperation_t op_b, int m, int n, int k, const void* alpha, const void* a,
                             cudaDataType a_type, int lda, const void* b, cudaDataType b_type, int ldb,
                             const void* beta, void* c, cudaDataType c_type, int ldc, cublasComputeType_t compute,
                             Site site);

}  // namespace cpu_device

#define CHECK_HANDLE \
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED
#define CHECK_SIZES(SMALLEST) \
  if ((SMALLEST) < 0) return wrong(__func__, "a negative size", site)
