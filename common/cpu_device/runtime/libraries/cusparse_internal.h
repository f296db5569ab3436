// What the files of cuSPARSE share: descriptors, and how a call becomes an operation of the handle's stream.
#pragma once

#include <algorithm>
#include <complex>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <vector>

#include "../../include/cusparse.h"
#include "../faults/error_messages.h"
#include "library.h"

struct cusparseContext {
  cudaStream_t stream = nullptr;
  cusparsePointerMode_t mode = CUSPARSE_POINTER_MODE_HOST;
};
struct cusparseMatDescr {
  cusparseMatrixType_t type = CUSPARSE_MATRIX_TYPE_GENERAL;
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
};
struct csrilu02Info {
  int zero_pivot = -1;
};
// `major`: where the rows of CSR (the columns of CSC) start, or the row of each value in COO.
struct cusparseSpMatDescr {
  cusparseFormat_t format;
  int64_t rows, columns, nonzeros;
  void *major, *minor, *values;
  cusparseIndexType_t major_type, minor_type;
  cusparseIndexBase_t base;
  cudaDataType type;
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
};
struct cusparseDnVecDescr {
  int64_t size;
  void* values;
  cudaDataType type;
};
struct cusparseDnMatDescr {
  int64_t rows, columns, pitch;
  void* values;
  cudaDataType type;
  cusparseOrder_t order;

  size_t at(int64_t row, int64_t column) const {
    return static_cast<size_t>(order == CUSPARSE_ORDER_COL ? row + column * pitch : row * pitch + column);
  }
};
struct cusparseSpSVDescr {
  bool is_analyzed = false;
};

namespace cpu_device {

template <typename T>
struct Named {
  using type = T;
};

// Calls function(Named<T>{}) with the type; NOT_SUPPORTED for another one.
template <typename Function>
cusparseStatus_t with_type(cudaDataType type, const Function& function) {
  switch (type) {
    case CUDA_R_32F: return function(Named<float>{});
    case CUDA_R_64F: return function(Named<double>{});
    case CUDA_C_32F: return function(Named<std::complex<float>>{});
    case CUDA_C_64F: return function(Named<std::complex<double>>{});
    default: return CUSPARSE_STATUS_NOT_SUPPORTED;
  }
}
inline size_t bytes_of(cudaDataType type) {
  return type == CUDA_R_32F ? 4 : type == CUDA_C_64F ? 16 : 8;
}
inline size_t bytes_of(cusparseIndexType_t type) { return type == CUSPARSE_INDEX_64I ? 8 : 4; }

inline int64_t index_at(const void* indices, cusparseIndexType_t type, int64_t i) {
  return type == CUSPARSE_INDEX_64I ? static_cast<const int64_t*>(indices)[i] : static_cast<const int*>(indices)[i];
}
inline void set_index(void* indices, cusparseIndexType_t type, int64_t i, int64_t value) {
  if (type == CUSPARSE_INDEX_64I)
    static_cast<int64_t*>(indices)[i] = value;
  else
    static_cast<int*>(indices)[i] = static_cast<int>(value);
}

inline float conjugate(float x) { return x; }
inline double conjugate(double x) { return x; }
template <typename T>
std::complex<T> conjugate(std::complex<T> x) {
  return std::conj(x);
}

// Calls function(row, column, number of the value) for each, row by row (CSC: column by column).
template <typename Function>
void for_each_value(const cusparseSpMatDescr& a, const Function& function) {
  if (a.format == CUSPARSE_FORMAT_COO) {
    for (int64_t i = 0; i < a.nonzeros; i++)
      function(index_at(a.major, a.major_type, i) - a.base, index_at(a.minor, a.minor_type, i) - a.base, i);
    return;
  }
  const bool by_rows = a.format == CUSPARSE_FORMAT_CSR;
  for (int64_t line = 0; line < (by_rows ? a.rows : a.columns); line++) {
    const int64_t end = index_at(a.major, a.major_type, line + 1) - a.base;
    for (int64_t i = index_at(a.major, a.major_type, line) - a.base; i < end; i++) {
      const int64_t other = index_at(a.minor, a.minor_type, i) - a.base;
      by_rows ? function(line, other, i) : function(other, line, i);
    }
  }
}

inline Matrix array(const char* name, const void* data, size_t element, int64_t count, bool written) {
  const auto rows = static_cast<size_t>(count);
  return {name, data, element, rows, 1, rows, !written, written};
}
inline void add_sparse(std::vector<Matrix>* touched, const cusparseSpMatDescr& a, bool written) {
  const int64_t lines = a.format == CUSPARSE_FORMAT_COO ? a.nonzeros : (a.format == CUSPARSE_FORMAT_CSR ? a.rows : a.columns) + 1;
  touched->push_back(array(a.format == CUSPARSE_FORMAT_COO ? "the rows of A's values" : "the starts of A's rows", a.major,
                           bytes_of(a.major_type), lines, false));
  touched->push_back(array("the indices of A", a.minor, bytes_of(a.minor_type), a.nonzeros, written));
  touched->push_back(array("the values of A", a.values, bytes_of(a.type), a.nonzeros, written));
}
inline Matrix dense(const char* name, const cusparseDnMatDescr& m, bool written) {
  const bool by_columns = m.order == CUSPARSE_ORDER_COL;
  return {name, m.values, bytes_of(m.type), static_cast<size_t>(by_columns ? m.rows : m.columns),
          static_cast<size_t>(by_columns ? m.columns : m.rows), static_cast<size_t>(m.pitch), !written, written};
}

inline cusparseStatus_t run(cusparseHandle_t handle, const char* function, std::vector<Matrix> touched, Site site,
                     std::function<void()> work, bool wait = false) {
  const cudaError_t error = run_in_stream(handle->stream, function, std::move(touched), wait, site, std::move(work));
  return error == cudaSuccess             ? CUSPARSE_STATUS_SUCCESS
         : error == cudaErrorInvalidValue ? CUSPARSE_STATUS_INVALID_VALUE
                                          : CUSPARSE_STATUS_EXECUTION_FAILED;
}

// A factor that the host gives now, or the device has when the work runs.
template <typename T>
std::function<T()> factor(cusparseHandle_t handle, const void* place) {
  if (handle->mode == CUSPARSE_POINTER_MODE_DEVICE) return [place] { return *static_cast<const T*>(place); };
  return [value = *static_cast<const T*>(place)] { return value; };
}

inline bool sizes_differ(const char* function, Site site, int64_t wanted, int64_t got, const char* name) {
  if (wanted == got) return false;
  explain(site, format("%s: %s has %lld elements, and %lld are needed", function, name, static_cast<long long>(got), static_cast<long long>(wanted)),
          "compare the sizes of the descriptors with those of op(A).", "wrong-pointer");
  return true;
}

#define NEEDS_HANDLE(...) \
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED; \
  for (const void* needed : std::initializer_list<const void*>{__VA_ARGS__}) \
    if (needed == nullptr) return CUSPARSE_STATUS_INVALID_VALUE

// What is computed in place needs no workspace; but a program allocates it, and 0 bytes are an error to some.
inline cusparseStatus_t no_workspace(cusparseHandle_t handle, size_t* bytes) {
  NEEDS_HANDLE(bytes);
  *bytes = 16;
  return CUSPARSE_STATUS_SUCCESS;
}

// What cuSPARSE refuses as well. `size`: the function that says how large the buffer must be.
inline bool without_buffer(const char* function, const char* size, const void* buffer, Site site) {
  if (buffer != nullptr) return false;
  fail(cudaErrorInvalidValue, site, format("%s: the buffer is NULL", function), format("allocate as many bytes as %s() says.", size));
  return true;
}

}  // namespace cpu_device
