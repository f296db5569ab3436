// cuSPARSE: from one format of sparse matrices to another, and to dense ones and back.
#include "cusparse_internal.h"

using namespace cpu_device;

cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int* rows_of_values, int nonzeros, int rows, int* starts,
                                  cusparseIndexBase_t base, Site site) {
  NEEDS_HANDLE(starts);
  if (nonzeros < 0 || rows < 0) return CUSPARSE_STATUS_INVALID_VALUE;
  if (rows == 0) return CUSPARSE_STATUS_SUCCESS;  // on an H200, too, nothing is written
  return run(handle, __func__, {array("the rows of the values", rows_of_values, sizeof(int), nonzeros, false),
                                array("the starts of the rows", starts, sizeof(int), rows + 1, true)}, site, [=] {
    std::fill(starts, starts + rows + 1, 0);
    for (int i = 0; i < nonzeros; i++) starts[rows_of_values[i] - base + 1]++;
    starts[0] = base;
    for (int row = 0; row < rows; row++) starts[row + 1] += starts[row];
  });
}
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int* starts, int nonzeros, int rows, int* rows_of_values,
                                  cusparseIndexBase_t base, Site site) {
  NEEDS_HANDLE(starts);
  if (nonzeros < 0 || rows < 0) return CUSPARSE_STATUS_INVALID_VALUE;
  return run(handle, __func__, {array("the starts of the rows", starts, sizeof(int), rows + 1, false),
                                array("the rows of the values", rows_of_values, sizeof(int), nonzeros, true)}, site, [=] {
    for (int row = 0; row < rows; row++)
      for (int i = starts[row] - base; i < starts[row + 1] - base; i++) rows_of_values[i] = row + base;
  });
}

cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int, int, int, const void*, const int*, const int*, void*, int*,
                                               int*, cudaDataType, cusparseAction_t, cusparseIndexBase_t, cusparseCsr2CscAlg_t,
                                               size_t* bytes) {
  return no_workspace(handle, bytes);
}
cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int rows, int columns, int nonzeros, const void* values,
                                    const int* starts, const int* column_indices, void* values_out, int* starts_out,
                                    int* row_indices, cudaDataType type, cusparseAction_t action, cusparseIndexBase_t base,
                                    cusparseCsr2CscAlg_t, void*, Site site) {
  NEEDS_HANDLE(starts, starts_out);
  const bool with_values = action == CUSPARSE_ACTION_NUMERIC;
  std::vector<Matrix> touched = {array("the starts of A's rows", starts, sizeof(int), rows + 1, false),
                                 array("the column indices", column_indices, sizeof(int), nonzeros, false),
                                 array("the starts of the columns", starts_out, sizeof(int), columns + 1, true),
                                 array("the row indices", row_indices, sizeof(int), nonzeros, true)};
  const size_t element = bytes_of(type);
  if (with_values) {
    touched.push_back(array("the values of A", values, element, nonzeros, false));
    touched.push_back(array("the new values", values_out, element, nonzeros, true));
  }
  return run(handle, __func__, touched, site, [=] {
    std::fill(starts_out, starts_out + columns + 1, 0);
    for (int i = 0; i < nonzeros; i++) starts_out[column_indices[i] - base + 1]++;
    starts_out[0] = base;
    for (int column = 0; column < columns; column++) starts_out[column + 1] += starts_out[column];
    std::vector<int> next(starts_out, starts_out + columns);
    for (int row = 0; row < rows; row++)
      for (int i = starts[row] - base; i < starts[row + 1] - base; i++) {
        const auto to = static_cast<size_t>(next[static_cast<size_t>(column_indices[i] - base)]++ - base);
        row_indices[to] = row + base;
        if (with_values)
          memcpy(static_cast<char*>(values_out) + to * element, static_cast<const char*>(values) + static_cast<size_t>(i) * element, element);
      }
  });
}

cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle, cusparseConstSpMatDescr_t, cusparseDnMatDescr_t,
                                                  cusparseSparseToDenseAlg_t, size_t* bytes) {
  return no_workspace(handle, bytes);
}
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t a, cusparseDnMatDescr_t b,
                                       cusparseSparseToDenseAlg_t, void*, Site site) {
  NEEDS_HANDLE(a, b);
  if (a->rows != b->rows || a->columns != b->columns || a->type != b->type) return CUSPARSE_STATUS_INVALID_VALUE;
  std::vector<Matrix> touched;
  add_sparse(&touched, *a, false);
  touched.push_back(dense("B", *b, true));
  return run(handle, __func__, touched, site, [a = *a, b = *b, element = bytes_of(a->type)] {
    char* const to = static_cast<char*>(b.values);
    for (int64_t row = 0; row < b.rows; row++)
      for (int64_t column = 0; column < b.columns; column++) memset(to + b.at(row, column) * element, 0, element);
    for_each_value(a, [&](int64_t row, int64_t column, int64_t i) {
      memcpy(to + b.at(row, column) * element, static_cast<const char*>(a.values) + static_cast<size_t>(i) * element, element);
    });
  });
}

cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle, cusparseConstDnMatDescr_t, cusparseSpMatDescr_t,
                                                  cusparseDenseToSparseAlg_t, size_t* bytes) {
  return no_workspace(handle, bytes);
}

// Calls function(row, column, address) for what is not 0, in the order in which the sparse format has it.
template <typename Function>
static void for_each_nonzero(const cusparseDnMatDescr& a, cusparseFormat_t format, const Function& function) {
  const size_t element = bytes_of(a.type);
  const std::vector<char> zero(element);
  const bool by_columns = format == CUSPARSE_FORMAT_CSC;
  for (int64_t line = 0; line < (by_columns ? a.columns : a.rows); line++)
    for (int64_t k = 0; k < (by_columns ? a.rows : a.columns); k++) {
      const int64_t row = by_columns ? k : line, column = by_columns ? line : k;
      const char* const value = static_cast<const char*>(a.values) + a.at(row, column) * element;
      const bool is_zero = a.type == CUDA_R_32F   ? *reinterpret_cast<const float*>(value) == 0
                           : a.type == CUDA_R_64F ? *reinterpret_cast<const double*>(value) == 0
                                                  : memcmp(value, zero.data(), element) == 0;
      if (!is_zero) function(row, column, value);
    }
}

// Counts, and says where each row starts; the program allocates the rest after that.
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle, cusparseConstDnMatDescr_t a, cusparseSpMatDescr_t b,
                                                cusparseDenseToSparseAlg_t, void* buffer, Site site) {
  NEEDS_HANDLE(a, b);
  if (without_buffer(__func__, "cusparseDenseToSparse_bufferSize", buffer, site)) return CUSPARSE_STATUS_INVALID_VALUE;
  if (a->rows != b->rows || a->columns != b->columns || a->type != b->type) return CUSPARSE_STATUS_INVALID_VALUE;
  std::vector<Matrix> touched = {dense("A", *a, false)};
  const int64_t lines = b->format == CUSPARSE_FORMAT_CSC ? b->columns : b->rows;
  const bool has_starts = b->format != CUSPARSE_FORMAT_COO;
  if (has_starts) touched.push_back(array("the starts of the rows", b->major, bytes_of(b->major_type), lines + 1, true));
  return run(handle, __func__, touched, site, [=] {
    std::vector<int64_t> starts(static_cast<size_t>(lines) + 1);
    for_each_nonzero(*a, b->format, [&](int64_t row, int64_t column, const char*) {
      starts[static_cast<size_t>(b->format == CUSPARSE_FORMAT_CSC ? column : row) + 1]++;
    });
    for (size_t i = 1; i < starts.size(); i++) starts[i] += starts[i - 1];
    b->nonzeros = starts.back();
    for (size_t i = 0; has_starts && i < starts.size(); i++)
      set_index(b->major, b->major_type, static_cast<int64_t>(i), starts[i] + b->base);
  }, true);
}
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t a, cusparseSpMatDescr_t b,
                                               cusparseDenseToSparseAlg_t, void* buffer, Site site) {
  NEEDS_HANDLE(a, b);
  if (without_buffer(__func__, "cusparseDenseToSparse_bufferSize", buffer, site)) return CUSPARSE_STATUS_INVALID_VALUE;
  std::vector<Matrix> touched = {dense("A", *a, false)};
  add_sparse(&touched, *b, true);
  if (b->format == CUSPARSE_FORMAT_COO) touched[1].is_written = true;
  return run(handle, __func__, touched, site, [a = *a, b = *b, element = bytes_of(a->type)] {
    int64_t i = 0;
    for_each_nonzero(a, b.format, [&](int64_t row, int64_t column, const char* value) {
      if (b.format == CUSPARSE_FORMAT_COO) set_index(b.major, b.major_type, i, row + b.base);
      set_index(b.minor, b.minor_type, i, (b.format == CUSPARSE_FORMAT_CSC ? row : column) + b.base);
      memcpy(static_cast<char*>(b.values) + static_cast<size_t>(i) * element, value, element);
      i++;
    });
  });
}
