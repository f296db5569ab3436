// In the manner of solvers with complex matrices: products of a sparse matrix with a vector and with a dense matrix, of each
// format and type, each factor as it is, transposed, or transposed and conjugated. Small whole numbers, so all sums are exact.
#include <cusparse.h>

#include <complex>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call) \
  if ((call) != 0) fprintf(stderr, "line %d: %s failed\n", __LINE__, #call), exit(2)

typedef std::complex<double> Number;

const cusparseOperation_t kOperations[] = {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE,
                                           CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};
int wrong = 0;

struct Dense {
  int rows, columns;
  std::vector<Number> values;  // row by row
  Dense(int r, int c) : rows(r), columns(c), values(r * c) {}
  Number &at(int i, int j) { return values[i * columns + j]; }
};

Dense applied(cusparseOperation_t operation, Dense m) {
  if (operation == CUSPARSE_OPERATION_NON_TRANSPOSE) return m;
  Dense result(m.columns, m.rows);
  for (int i = 0; i < m.rows; i++)
    for (int j = 0; j < m.columns; j++)
      result.at(j, i) = operation == CUSPARSE_OPERATION_TRANSPOSE ? m.at(i, j) : std::conj(m.at(i, j));
  return result;
}

template <typename T>
T as(Number x) {
  return T(x.real());
}
template <>
std::complex<float> as(Number x) {
  return std::complex<float>(x);
}
template <>
Number as(Number x) {
  return x;
}

template <typename T>
T *to_device(const std::vector<T> &host) {
  T *device;
  CHECK(cudaMalloc(&device, host.size() * sizeof(T) + 1));
  CHECK(cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return device;
}

// A dense matrix on the device, row by row or column by column, with a gap behind each row or column.
template <typename T>
struct OnDevice {
  int lines, pitch;
  bool by_rows;
  T *values;
  cusparseDnMatDescr_t matrix;
  OnDevice(Dense m, bool rows_first, cudaDataType type) : by_rows(rows_first) {
    lines = by_rows ? m.rows : m.columns, pitch = (by_rows ? m.columns : m.rows) + 1;
    std::vector<T> host(lines * pitch, T(9));
    for (int i = 0; i < m.rows; i++)
      for (int j = 0; j < m.columns; j++) host[by_rows ? i * pitch + j : j * pitch + i] = as<T>(m.at(i, j));
    values = to_device(host);
    CHECK(cusparseCreateDnMat(&matrix, m.rows, m.columns, pitch, values, type, by_rows ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL));
  }
  T at(int i, int j) const {
    T value;
    CHECK(cudaMemcpy(&value, values + (by_rows ? i * pitch + j : j * pitch + i), sizeof(T), cudaMemcpyDeviceToHost));
    return value;
  }
  ~OnDevice() { cusparseDestroyDnMat(matrix), cudaFree(values); }
};

template <typename T>
void products(const char *name, cudaDataType type, bool is_complex) {
  const auto number = [&](int re, int im) { return Number(re, is_complex ? im : 0); };
  Dense a(3, 4);
  a.at(0, 1) = number(2, 3), a.at(0, 3) = number(-1, 1), a.at(2, 0) = number(0, -4), a.at(2, 1) = number(5, 0), a.at(2, 2) = number(1, 2);
  std::vector<int> row_starts{0}, column_starts{0}, rows, columns, rows_by_column;
  std::vector<T> by_row, by_column;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 4; j++)
      if (a.at(i, j) != 0.0) rows.push_back(i), columns.push_back(j), by_row.push_back(as<T>(a.at(i, j)));
    row_starts.push_back((int)by_row.size());
  }
  for (int j = 0; j < 4; j++) {
    for (int i = 0; i < 3; i++)
      if (a.at(i, j) != 0.0) rows_by_column.push_back(i), by_column.push_back(as<T>(a.at(i, j)));
    column_starts.push_back((int)by_column.size());
  }
  const cusparseIndexType_t index = CUSPARSE_INDEX_32I;
  const int count = (int)by_row.size();
  cusparseSpMatDescr_t formats[3];
  CHECK(cusparseCreateCsr(&formats[0], 3, 4, count, to_device(row_starts), to_device(columns), to_device(by_row), index, index,
                          CUSPARSE_INDEX_BASE_ZERO, type));
  CHECK(cusparseCreateCoo(&formats[1], 3, 4, count, to_device(rows), to_device(columns), to_device(by_row), index,
                          CUSPARSE_INDEX_BASE_ZERO, type));
  CHECK(cusparseCreateCsc(&formats[2], 3, 4, count, to_device(column_starts), to_device(rows_by_column), to_device(by_column), index,
                          index, CUSPARSE_INDEX_BASE_ZERO, type));
  cusparseHandle_t handle;
  CHECK(cusparseCreate(&handle));
  const Number alpha = number(2, -1), beta = number(-3, 2);
  const T first = as<T>(alpha), second = as<T>(beta);
  for (int format = 0; format < 3; format++)
    for (cusparseOperation_t op_a : kOperations)
      for (cusparseOperation_t op_b : kOperations)
        for (int orders = 0; orders < 4; orders++)
          for (int width : {1, 2}) {
            Dense left = applied(op_a, a), right(left.columns, width), sums(left.rows, width);
            for (int i = 0; i < right.rows; i++)
              for (int j = 0; j < width; j++) right.at(i, j) = number(i - 2 * j + 1, 2 * i + j - 3);
            for (int i = 0; i < sums.rows; i++)
              for (int j = 0; j < width; j++) sums.at(i, j) = number(i + j, 4 - i);
            // The factor from which op_b makes `right`: transposing twice, and conjugating twice, changes nothing.
            OnDevice<T> b(applied(op_b, right), orders & 1, type), c(sums, orders & 2, type);
            size_t bytes = 0;
            void *buffer;
            const cusparseStatus_t allowed = cusparseSpMM_bufferSize(handle, op_a, op_b, &first, formats[format], b.matrix, &second,
                                                                     c.matrix, type, CUSPARSE_SPMM_ALG_DEFAULT, &bytes);
            // Real numbers have no conjugates, and a single row is not conjugated.
            const bool has_conjugate = op_a == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE || op_b == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
            const bool of_row = op_b == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE && width == 1;
            const cusparseStatus_t expected = !is_complex && has_conjugate ? CUSPARSE_STATUS_INVALID_VALUE
                                              : of_row                     ? CUSPARSE_STATUS_NOT_SUPPORTED
                                                                           : CUSPARSE_STATUS_SUCCESS;
            if (allowed != expected) wrong++, fprintf(stderr, "%s, operations %d and %d: %d\n", name, op_a, op_b, allowed);
            if (expected != CUSPARSE_STATUS_SUCCESS) continue;
            CHECK(cudaMalloc(&buffer, bytes + 1));
            CHECK(cusparseSpMM(handle, op_a, op_b, &first, formats[format], b.matrix, &second, c.matrix, type,
                               CUSPARSE_SPMM_ALG_DEFAULT, buffer));
            const bool is_vector = width == 1 && op_b == CUSPARSE_OPERATION_NON_TRANSPOSE;
            std::vector<T> x(right.rows), y(sums.rows);
            for (int i = 0; is_vector && i < right.rows; i++) x[i] = as<T>(right.at(i, 0));
            for (int i = 0; is_vector && i < sums.rows; i++) y[i] = as<T>(sums.at(i, 0));
            if (is_vector) {
              T *d_x = to_device(x), *d_y = to_device(y);
              cusparseDnVecDescr_t vx, vy;
              CHECK(cusparseCreateDnVec(&vx, right.rows, d_x, type));
              CHECK(cusparseCreateDnVec(&vy, sums.rows, d_y, type));
              CHECK(cusparseSpMV(handle, op_a, &first, formats[format], vx, &second, vy, type, CUSPARSE_SPMV_ALG_DEFAULT, buffer));
              CHECK(cudaMemcpy(y.data(), d_y, y.size() * sizeof(T), cudaMemcpyDeviceToHost));
              cusparseDestroyDnVec(vx), cusparseDestroyDnVec(vy), cudaFree(d_x), cudaFree(d_y);
            }
            for (int i = 0; i < sums.rows; i++)
              for (int j = 0; j < width; j++) {
                Number sum = beta * sums.at(i, j);
                for (int k = 0; k < left.columns; k++) sum += alpha * left.at(i, k) * right.at(k, j);
                if (c.at(i, j) == as<T>(sum) && (!is_vector || y[i] == as<T>(sum))) continue;
                wrong++;
                fprintf(stderr, "%s, format %d, operations %d and %d, orders %d, element (%d, %d) is not (%g, %g)\n", name, format,
                        op_a, op_b, orders, i, j, sum.real(), sum.imag());
              }
            cudaFree(buffer);
          }
  CHECK(cusparseDestroy(handle));
}

int main() {
  products<float>("float", CUDA_R_32F, false);
  products<double>("double", CUDA_R_64F, false);
  products<std::complex<float>>("complex float", CUDA_C_32F, true);
  products<std::complex<double>>("complex double", CUDA_C_64F, true);
  puts(wrong ? "wrong" : "right");
  return wrong != 0;
}
