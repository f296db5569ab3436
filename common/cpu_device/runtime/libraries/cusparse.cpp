// cuSPARSE: each call is an operation of the handle's stream. Sums go along the rows, from left to right.
#include "cusparse_internal.h"

using namespace cpu_device;

cusparseStatus_t cusparseCreate(cusparseHandle_t* handle) {
  if (handle == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *handle = new cusparseContext;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
  NEEDS_HANDLE(handle);
  delete handle;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int* version) {
  NEEDS_HANDLE(version);
  *version = CUSPARSE_VERSION;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
  NEEDS_HANDLE(handle);
  handle->stream = stream;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t* stream) {
  NEEDS_HANDLE(stream);
  *stream = handle->stream;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode) {
  NEEDS_HANDLE(handle);
  handle->mode = mode;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t* mode) {
  NEEDS_HANDLE(mode);
  *mode = handle->mode;
  return CUSPARSE_STATUS_SUCCESS;
}

static const char* const kStatusNames[] = {
    "CUSPARSE_STATUS_SUCCESS", "CUSPARSE_STATUS_NOT_INITIALIZED", "CUSPARSE_STATUS_ALLOC_FAILED", "CUSPARSE_STATUS_INVALID_VALUE",
    "CUSPARSE_STATUS_ARCH_MISMATCH", "CUSPARSE_STATUS_MAPPING_ERROR", "CUSPARSE_STATUS_EXECUTION_FAILED",
    "CUSPARSE_STATUS_INTERNAL_ERROR", "CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED", "CUSPARSE_STATUS_ZERO_PIVOT",
    "CUSPARSE_STATUS_NOT_SUPPORTED", "CUSPARSE_STATUS_INSUFFICIENT_RESOURCES"};
static const char* const kStatusWords[] = {
    "success", "initialization error", "out of memory", "invalid value", "architecture mismatch", "texture memory mapping error",
    "kernel launch failure", "internal error", "matrix type not supported", "zero pivot", "operation not supported",
    "insufficient resources"};
const char* cusparseGetErrorName(cusparseStatus_t status) {
  return static_cast<size_t>(status) < std::size(kStatusNames) ? kStatusNames[status] : "unrecognized error code";
}
const char* cusparseGetErrorString(cusparseStatus_t status) {
  return static_cast<size_t>(status) < std::size(kStatusWords) ? kStatusWords[status] : "unrecognized error code";
}

// ---- descriptors ----

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t* descriptor) {
  if (descriptor == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *descriptor = new cusparseMatDescr;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descriptor) {
  delete descriptor;
  return CUSPARSE_STATUS_SUCCESS;
}

// The values of an enumeration are 0 to `last`.
template <typename Value>
static cusparseStatus_t set(cusparseMatDescr_t descriptor, Value cusparseMatDescr::*field, Value value, Value last) {
  if (descriptor == nullptr || static_cast<unsigned>(value) > static_cast<unsigned>(last)) return CUSPARSE_STATUS_INVALID_VALUE;
  descriptor->*field = value;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t descriptor, cusparseMatrixType_t type) {
  return set(descriptor, &cusparseMatDescr::type, type, CUSPARSE_MATRIX_TYPE_TRIANGULAR);
}
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t descriptor, cusparseIndexBase_t base) {
  return set(descriptor, &cusparseMatDescr::base, base, CUSPARSE_INDEX_BASE_ONE);
}
cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t descriptor, cusparseFillMode_t fill) {
  return set(descriptor, &cusparseMatDescr::fill, fill, CUSPARSE_FILL_MODE_UPPER);
}
cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t descriptor, cusparseDiagType_t diagonal) {
  return set(descriptor, &cusparseMatDescr::diagonal, diagonal, CUSPARSE_DIAG_TYPE_UNIT);
}
cusparseIndexBase_t cusparseGetMatIndexBase(const cusparseMatDescr_t descriptor) {
  return descriptor == nullptr ? CUSPARSE_INDEX_BASE_ZERO : descriptor->base;
}
cusparseMatrixType_t cusparseGetMatType(const cusparseMatDescr_t descriptor) {
  return descriptor == nullptr ? CUSPARSE_MATRIX_TYPE_GENERAL : descriptor->type;
}

static cusparseStatus_t create_sparse(cusparseSpMatDescr_t* matrix, const cusparseSpMatDescr& what) {
  if (matrix == nullptr || what.rows < 0 || what.columns < 0 || what.nonzeros < 0) return CUSPARSE_STATUS_INVALID_VALUE;
  if (what.major_type == CUSPARSE_INDEX_16U || what.major_type != what.minor_type) return CUSPARSE_STATUS_NOT_SUPPORTED;
  *matrix = new cusparseSpMatDescr(what);
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t nonzeros, void* starts,
                                   void* column_indices, void* values, cusparseIndexType_t type_of_starts,
                                   cusparseIndexType_t type_of_indices, cusparseIndexBase_t base, cudaDataType type) {
  return create_sparse(matrix, {CUSPARSE_FORMAT_CSR, rows, columns, nonzeros, starts, column_indices, values, type_of_starts,
                                type_of_indices, base, type});
}
cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t nonzeros, void* starts,
                                   void* row_indices, void* values, cusparseIndexType_t type_of_starts,
                                   cusparseIndexType_t type_of_indices, cusparseIndexBase_t base, cudaDataType type) {
  return create_sparse(matrix, {CUSPARSE_FORMAT_CSC, rows, columns, nonzeros, starts, row_indices, values, type_of_starts,
                                type_of_indices, base, type});
}
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t nonzeros, void* row_indices,
                                   void* column_indices, void* values, cusparseIndexType_t type_of_indices, cusparseIndexBase_t base,
                                   cudaDataType type) {
  return create_sparse(matrix, {CUSPARSE_FORMAT_COO, rows, columns, nonzeros, row_indices, column_indices, values, type_of_indices,
                                type_of_indices, base, type});
}
cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t nonzeros,
                                        const void* starts, const void* column_indices, const void* values,
                                        cusparseIndexType_t type_of_starts, cusparseIndexType_t type_of_indices,
                                        cusparseIndexBase_t base, cudaDataType type) {
  return cusparseCreateCsr(const_cast<cusparseSpMatDescr_t*>(matrix), rows, columns, nonzeros, const_cast<void*>(starts),
                           const_cast<void*>(column_indices), const_cast<void*>(values), type_of_starts, type_of_indices, base, type);
}
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix) {
  delete matrix;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t* rows, int64_t* columns, int64_t* nonzeros) {
  *rows = matrix->rows;
  *columns = matrix->columns;
  *nonzeros = matrix->nonzeros;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t matrix, cusparseFormat_t* format) {
  *format = matrix->format;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t matrix, void** values) {
  *values = matrix->values;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void* values) {
  matrix->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix, cusparseSpMatAttribute_t attribute, void* value,
                                           size_t bytes) {
  void* const place = attribute == CUSPARSE_SPMAT_FILL_MODE ? static_cast<void*>(&matrix->fill) : &matrix->diagonal;
  if (value == nullptr || bytes != sizeof(int)) return CUSPARSE_STATUS_INVALID_VALUE;
  memcpy(place, value, bytes);
  return CUSPARSE_STATUS_SUCCESS;
}
static cusparseStatus_t set_pointers(cusparseSpMatDescr_t matrix, void* major, void* minor, void* values) {
  matrix->major = major;
  matrix->minor = minor;
  matrix->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void* starts, void* column_indices, void* values) {
  return set_pointers(matrix, starts, column_indices, values);
}
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t matrix, void* starts, void* row_indices, void* values) {
  return set_pointers(matrix, starts, row_indices, values);
}
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix, void* row_indices, void* column_indices, void* values) {
  return set_pointers(matrix, row_indices, column_indices, values);
}

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t* vector, int64_t size, void* values, cudaDataType type) {
  if (vector == nullptr || size < 0) return CUSPARSE_STATUS_INVALID_VALUE;
  *vector = new cusparseDnVecDescr{size, values, type};
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t* vector, int64_t size, const void* values, cudaDataType type) {
  return cusparseCreateDnVec(const_cast<cusparseDnVecDescr_t*>(vector), size, const_cast<void*>(values), type);
}
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector) {
  delete vector;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t vector, int64_t* size, void** values, cudaDataType* type) {
  *size = vector->size;
  *values = vector->values;
  *type = vector->type;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t vector, void** values) {
  *values = vector->values;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void* values) {
  vector->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t pitch, void* values,
                                     cudaDataType type, cusparseOrder_t order) {
  if (matrix == nullptr || rows < 0 || columns < 0 || pitch < (order == CUSPARSE_ORDER_COL ? rows : columns))
    return CUSPARSE_STATUS_INVALID_VALUE;
  *matrix = new cusparseDnMatDescr{rows, columns, pitch, values, type, order};
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t pitch,
                                          const void* values, cudaDataType type, cusparseOrder_t order) {
  return cusparseCreateDnMat(const_cast<cusparseDnMatDescr_t*>(matrix), rows, columns, pitch, const_cast<void*>(values), type, order);
}
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix) {
  delete matrix;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t matrix, void** values) {
  *values = matrix->values;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t matrix, void* values) {
  matrix->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}

// ---- products ----

// C = alpha op(A) op(B) + beta C; all of one type.
static cusparseStatus_t multiply(cusparseHandle_t handle, const char* function, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                 const void* alpha, const cusparseSpMatDescr& a, const cusparseDnMatDescr& b, const void* beta,
                                 const cusparseDnMatDescr& c, cudaDataType compute, Site site) {
  if (a.type != compute || b.type != compute || c.type != compute) return CUSPARSE_STATUS_NOT_SUPPORTED;
  const bool turned = op_a != CUSPARSE_OPERATION_NON_TRANSPOSE, b_turned = op_b != CUSPARSE_OPERATION_NON_TRANSPOSE;
  if (sizes_differ(function, site, turned ? a.columns : a.rows, c.rows, "a column of the result") ||
      sizes_differ(function, site, turned ? a.rows : a.columns, b_turned ? b.columns : b.rows, "a column of the second factor") ||
      sizes_differ(function, site, b_turned ? b.rows : b.columns, c.columns, "a row of the result"))
    return CUSPARSE_STATUS_INVALID_VALUE;
  std::vector<Matrix> touched;
  add_sparse(&touched, a, false);
  touched.push_back(dense("the second factor", b, false));
  touched.push_back(dense("the result", c, true));
  return with_type(compute, [&](auto named) {
    using T = typename decltype(named)::type;
    const auto first = factor<T>(handle, alpha), second = factor<T>(handle, beta);
    if (handle->mode == CUSPARSE_POINTER_MODE_HOST && second() != T(0)) touched.back().is_read = true;
    return run(handle, function, touched, site, [=] {
      const T scale = first(), keep = second();
      const T *values = static_cast<const T*>(a.values), *x = static_cast<const T*>(b.values);
      T* const result = static_cast<T*>(c.values);
      std::vector<T> sums(static_cast<size_t>(c.rows));
      for (int64_t j = 0; j < c.columns; j++) {
        std::fill(sums.begin(), sums.end(), T(0));
        for_each_value(a, [&](int64_t row, int64_t column, int64_t i) {
          if (turned) std::swap(row, column);
          const T other = x[b_turned ? b.at(j, column) : b.at(column, j)];
          sums[static_cast<size_t>(row)] += (op_a == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? conjugate(values[i]) : values[i]) *
                                            (op_b == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? conjugate(other) : other);
        });
        for (int64_t i = 0; i < c.rows; i++) {
          T& to = result[c.at(i, j)];
          const T product = scale * sums[static_cast<size_t>(i)];
          to = keep == T(0) ? product : product + keep * to;  // NaN times 0 is not kept
        }
      }
    });
  });
}

static cusparseDnMatDescr as_matrix(const cusparseDnVecDescr& v) { return {v.size, 1, v.size, v.values, v.type, CUSPARSE_ORDER_COL}; }

// An H200 refuses to multiply a CSR matrix without a buffer, so a buffer is also needed here.
static bool needs_buffer(const cusparseSpMatDescr& matrix) { return matrix.format == CUSPARSE_FORMAT_CSR; }
cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t, const void*, cusparseConstSpMatDescr_t a,
                                         cusparseConstDnVecDescr_t, const void*, cusparseDnVecDescr_t, cudaDataType, cusparseSpMVAlg_t,
                                         size_t* bytes) {
  NEEDS_HANDLE(a, bytes);
  *bytes = needs_buffer(*a) ? 8 : 0;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t, const void*, cusparseConstSpMatDescr_t a,
                                         cusparseConstDnVecDescr_t, const void*, cusparseDnVecDescr_t, cudaDataType, cusparseSpMVAlg_t,
                                         void*) {
  NEEDS_HANDLE(a);
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha, cusparseConstSpMatDescr_t a,
                              cusparseConstDnVecDescr_t x, const void* beta, cusparseDnVecDescr_t y, cudaDataType compute,
                              cusparseSpMVAlg_t, void* buffer, Site site) {
  NEEDS_HANDLE(alpha, a, x, beta, y);
  if (needs_buffer(*a) && without_buffer(__func__, "cusparseSpMV_bufferSize", buffer, site)) return CUSPARSE_STATUS_INVALID_VALUE;
  return multiply(handle, __func__, op, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, *a, as_matrix(*x), beta, as_matrix(*y), compute, site);
}
// What an H200 refuses: conjugates of real numbers, and of a single row.
static cusparseStatus_t refused_conjugate(const char* function, Site site, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                          const cusparseDnMatDescr& b, cudaDataType type) {
  const bool is_real = type != CUDA_C_32F && type != CUDA_C_64F;
  const bool a_is = op_a == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, b_is = op_b == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
  if (is_real && (a_is || b_is)) {
    fail(cudaErrorInvalidValue, site, format("%s: the conjugate transpose of real numbers", function),
         "use CUSPARSE_OPERATION_TRANSPOSE.");
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  return b_is && b.rows == 1 ? CUSPARSE_STATUS_NOT_SUPPORTED : CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void*,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, const void*, cusparseDnMatDescr_t,
                                         cudaDataType compute, cusparseSpMMAlg_t, size_t* bytes, Site site) {
  NEEDS_HANDLE(a, b);
  const cusparseStatus_t refused = refused_conjugate(__func__, site, op_a, op_b, *b, compute);
  return refused == CUSPARSE_STATUS_SUCCESS ? no_workspace(handle, bytes) : refused;
}
cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t, cusparseOperation_t, const void*,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t, const void*, cusparseDnMatDescr_t,
                                         cudaDataType, cusparseSpMMAlg_t, void*) {
  NEEDS_HANDLE(a);
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void* alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, const void* beta, cusparseDnMatDescr_t c,
                              cudaDataType compute, cusparseSpMMAlg_t, void*, Site site) {
  NEEDS_HANDLE(alpha, a, b, beta, c);
  const cusparseStatus_t refused = refused_conjugate(__func__, site, op_a, op_b, *b, compute);
  if (refused != CUSPARSE_STATUS_SUCCESS) return refused;
  return multiply(handle, __func__, op_a, op_b, alpha, *a, *b, beta, *c, compute, site);
}

// ---- triangular systems, incomplete factors ----

cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t* descriptor) {
  *descriptor = new cusparseSpSVDescr;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t descriptor) {
  delete descriptor;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t, const void*, cusparseConstSpMatDescr_t,
                                         cusparseConstDnVecDescr_t, cusparseDnVecDescr_t, cudaDataType, cusparseSpSVAlg_t,
                                         cusparseSpSVDescr_t, size_t* bytes) {
  return no_workspace(handle, bytes);
}
cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t, const void*, cusparseConstSpMatDescr_t a,
                                       cusparseConstDnVecDescr_t, cusparseDnVecDescr_t, cudaDataType, cusparseSpSVAlg_t,
                                       cusparseSpSVDescr_t descriptor, void* buffer, Site site) {
  NEEDS_HANDLE(a, descriptor);
  // cuSPARSE itself divides by zero.
  if (without_buffer(__func__, "cusparseSpSV_bufferSize", buffer, site)) return CUSPARSE_STATUS_INVALID_VALUE;
  descriptor->is_analyzed = true;
  return CUSPARSE_STATUS_SUCCESS;
}

// Only values in the triangle count; the others may be those of another factor. Along the rows of op(A): forward if it is a
// lower triangle.
template <typename T>
static void solve_triangle(const cusparseSpMatDescr& a, cusparseOperation_t op, T scale, const T* x, T* y) {
  struct Entry {
    int64_t column;
    T value;
  };
  const auto n = static_cast<size_t>(a.rows);
  std::vector<std::vector<Entry>> rows(n);
  std::vector<T> diagonal(n, T(1));
  const bool turned = op != CUSPARSE_OPERATION_NON_TRANSPOSE, unit = a.diagonal == CUSPARSE_DIAG_TYPE_UNIT;
  const bool lower = (a.fill == CUSPARSE_FILL_MODE_LOWER) != turned;
  for_each_value(a, [&](int64_t row, int64_t column, int64_t i) {
    const T value = static_cast<const T*>(a.values)[i];
    if (turned) std::swap(row, column);
    const T own = op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? conjugate(value) : value;
    if (row == column && !unit) diagonal[static_cast<size_t>(row)] = own;
    if (lower ? column < row : column > row) rows[static_cast<size_t>(row)].push_back({column, own});
  });
  for (size_t k = 0; k < n; k++) {
    const size_t row = lower ? k : n - 1 - k;
    T sum = scale * x[row];
    for (const Entry& e : rows[row]) sum -= e.value * y[e.column];
    y[row] = sum / diagonal[row];
  }
}

cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t op, const void* alpha, cusparseConstSpMatDescr_t a,
                                    cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpSVAlg_t,
                                    cusparseSpSVDescr_t descriptor, Site site) {
  NEEDS_HANDLE(alpha, a, x, y, descriptor);
  if (!descriptor->is_analyzed) {
    fail(cudaErrorInvalidValue, site, "cusparseSpSV_solve: nothing was analyzed",
         "call cusparseSpSV_analysis() with the same descriptor first.");
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  }
  if (a->type != compute || x->type != compute || y->type != compute) return CUSPARSE_STATUS_NOT_SUPPORTED;
  if (a->rows != a->columns || sizes_differ(__func__, site, a->rows, x->size, "x") || sizes_differ(__func__, site, a->rows, y->size, "y"))
    return CUSPARSE_STATUS_INVALID_VALUE;
  std::vector<Matrix> touched;
  add_sparse(&touched, *a, false);
  touched.push_back(array("x", x->values, bytes_of(compute), x->size, false));
  touched.push_back(array("y", y->values, bytes_of(compute), y->size, true));
  return with_type(compute, [&, name = __func__](auto named) {
    using T = typename decltype(named)::type;
    return run(handle, name, touched, site, [=, scale = factor<T>(handle, alpha), a = *a, from = x->values, to = y->values] {
      solve_triangle(a, op, scale(), static_cast<const T*>(from), static_cast<T*>(to));
    });
  });
}

cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t* info) {
  *info = new csrilu02Info;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info) {
  delete info;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info, int* position) {
  NEEDS_HANDLE(info, position);
  cudaStreamSynchronize(handle->stream);
  *position = info->zero_pivot;
  return info->zero_pivot < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;
}

// L and U in the places of A, with 1 on the diagonal of L; what would fill an empty place is dropped. Returns the first row
// with a diagonal of 0, or without one, else -1.
template <typename T>
static int factorize(int n, T* values, const int* starts, const int* columns, int base) {
  int zero = -1;
  std::vector<int> place(static_cast<size_t>(n), -1), diagonal(static_cast<size_t>(n), -1);
  for (int row = 0; row < n; row++) {
    const int begin = starts[row] - base, end = starts[row + 1] - base;
    for (int i = begin; i < end; i++) place[static_cast<size_t>(columns[i] - base)] = i;
    for (int i = begin; i < end; i++) {
      const int k = columns[i] - base;
      if (k >= row || diagonal[static_cast<size_t>(k)] < 0) continue;
      values[i] /= values[diagonal[static_cast<size_t>(k)]];
      for (int j = diagonal[static_cast<size_t>(k)] + 1; j < starts[k + 1] - base; j++)
        if (const int to = place[static_cast<size_t>(columns[j] - base)]; to >= 0) values[to] -= values[i] * values[j];
    }
    diagonal[static_cast<size_t>(row)] = place[static_cast<size_t>(row)];
    if (zero < 0 && (place[static_cast<size_t>(row)] < 0 || values[place[static_cast<size_t>(row)]] == T(0))) zero = row + base;
    for (int i = begin; i < end; i++) place[static_cast<size_t>(columns[i] - base)] = -1;
  }
  return zero;
}

#define SPARSE_LU(S, T)                                                                                                            \
  cusparseStatus_t cusparse##S##csrilu02_bufferSize(cusparseHandle_t handle, int, int, const cusparseMatDescr_t a, T*, const int*,  \
                                                    const int*, csrilu02Info_t info, int* bytes) {                                 \
    NEEDS_HANDLE(a, info, bytes);                                                                                                  \
    *bytes = 16;                                                                                                                   \
    return CUSPARSE_STATUS_SUCCESS;                                                                                                \
  }                                                                                                                                \
  cusparseStatus_t cusparse##S##csrilu02_analysis(cusparseHandle_t handle, int, int, const cusparseMatDescr_t a, const T*,         \
                                                  const int*, const int*, csrilu02Info_t info, cusparseSolvePolicy_t,              \
                                                  void* buffer) {                                                                  \
    NEEDS_HANDLE(a, info, buffer);                                                                                                 \
    return CUSPARSE_STATUS_SUCCESS;                                                                                                \
  }                                                                                                                                \
  cusparseStatus_t cusparse##S##csrilu02(cusparseHandle_t handle, int n, int nonzeros, const cusparseMatDescr_t a, T* values,      \
                                         const int* starts, const int* columns, csrilu02Info_t info, cusparseSolvePolicy_t, void*, \
                                         Site site) {                                                                              \
    NEEDS_HANDLE(a, info);                                                                                                         \
    if (n < 0 || nonzeros < 0) return CUSPARSE_STATUS_INVALID_VALUE;                                                               \
    std::vector<Matrix> touched = {array("the starts of A's rows", starts, sizeof(int), n + 1, false),                             \
                                   array("the indices of A", columns, sizeof(int), nonzeros, false),                               \
                                   array("the values of A", values, sizeof(T), nonzeros, true)};                                   \
    touched.back().is_read = true;                                                                                                 \
    return run(handle, __func__, touched, site,                                                                                    \
               [=, base = a->base] { info->zero_pivot = factorize(n, values, starts, columns, base); });                           \
  }
SPARSE_LU(S, float)
SPARSE_LU(D, double)
