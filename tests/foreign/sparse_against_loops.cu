// In the manner of the test suites of sparse libraries: random matrices in each format, with indices of both widths and bases,
// all types, orders, pitches and both pointer modes, against loops over dense matrices. All that a call must not write is compared
// as well.
#include <cusparse.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

typedef std::complex<double> Number;
int wrong = 0;
std::mt19937 engine(41);
int random_to(int n) { return static_cast<int>(engine() % n); }  // 0 to n - 1
bool coin() { return engine() % 2 != 0; }
void failed(int line, const char *what);
#define EXPECT(...) ((__VA_ARGS__) ? void() : failed(__LINE__, #__VA_ARGS__))
#define GOOD(call) EXPECT((call) == CUSPARSE_STATUS_SUCCESS)
char now[200];  // what is tested
void failed(int line, const char *what) { wrong++, printf("line %d: %s: %s\n", line, now, what); }

template <typename T>
cudaDataType type_of();
template <>
cudaDataType type_of<float>() {
  return CUDA_R_32F;
}
template <>
cudaDataType type_of<double>() {
  return CUDA_R_64F;
}
template <>
cudaDataType type_of<std::complex<float>>() {
  return CUDA_C_32F;
}
template <>
cudaDataType type_of<std::complex<double>>() {
  return CUDA_C_64F;
}
template <typename T>
constexpr bool is_complex = sizeof(T) / sizeof(std::real(T())) == 2;
template <typename T>
T as(Number x) {
  if constexpr (is_complex<T>)
    return T(x);
  else
    return static_cast<T>(x.real());
}

// A device array with room around it, which must stay as it is.
template <typename T>
struct Array {
  static const int kRoom = 16;  // cuSPARSE wants addresses that 16 divides
  std::vector<T> all;
  T *device = nullptr;
  explicit Array(const std::vector<T> &values) : all(2 * kRoom + values.size(), T(77)) {
    std::copy(values.begin(), values.end(), all.begin() + kRoom);
    cudaMalloc(&device, all.size() * sizeof(T));
    upload();
  }
  ~Array() { cudaFree(device); }
  Array(const Array &) = delete;
  void upload() { cudaMemcpy(device, all.data(), all.size() * sizeof(T), cudaMemcpyHostToDevice); }
  T *first() { return device + kRoom; }
  T &operator[](int i) { return all[kRoom + i]; }
  // Whether the device has what `all` has.
  bool same() {
    std::vector<T> got(all.size());
    cudaMemcpy(got.data(), device, all.size() * sizeof(T), cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < all.size(); i++)
      if (!(std::abs(static_cast<Number>(got[i]) - static_cast<Number>(all[i])) <=
            1e-4 * (1 + std::abs(static_cast<Number>(all[i])))))
        return false;
    return true;
  }
};

struct Dense {
  int rows, columns;
  std::vector<Number> all;  // row by row
  Dense(int r, int c) : rows(r), columns(c), all(r * c) {}
  Number &at(int row, int column) { return all[row * columns + column]; }
};
Dense turned(Dense m, cusparseOperation_t op) {
  if (op == CUSPARSE_OPERATION_NON_TRANSPOSE) return m;
  Dense result(m.columns, m.rows);
  for (int row = 0; row < m.rows; row++)
    for (int column = 0; column < m.columns; column++)
      result.at(column, row) = op == CUSPARSE_OPERATION_TRANSPOSE ? m.at(row, column) : std::conj(m.at(row, column));
  return result;
}
template <typename T>
Number some() {
  return {random_to(7) - 3.0, is_complex<T> ? random_to(7) - 3.0 : 0.0};
}
template <typename T>
Dense some_dense(int rows, int columns) {
  Dense m(rows, columns);
  for (Number &x : m.all) x = some<T>();
  return m;
}
cusparseOrder_t some_order() { return coin() ? CUSPARSE_ORDER_COL : CUSPARSE_ORDER_ROW; }
template <typename T>
cusparseOperation_t some_op() {
  return static_cast<cusparseOperation_t>(random_to(is_complex<T> ? 3 : 2));
}

// A sparse matrix on the device, and the same as a dense one.
template <typename T, typename Index>
struct Sparse {
  Dense dense;
  cusparseFormat_t format;
  int base, nonzeros = 0;
  std::vector<Index> major, minor;
  std::vector<T> values;
  cusparseSpMatDescr_t descriptor = nullptr;
  Array<Index> *d_major, *d_minor;
  Array<T> *d_values;

  // `there`: a bool for each element.
  template <typename There>
  Sparse(const Dense &of, cusparseFormat_t in, int from, There there) : dense(of), format(in), base(from) {
    const bool by_columns = format == CUSPARSE_FORMAT_CSC, listed = format == CUSPARSE_FORMAT_COO;
    if (!listed) major.push_back(base);
    for (int line = 0; line < (by_columns ? dense.columns : dense.rows); line++) {
      for (int k = 0; k < (by_columns ? dense.rows : dense.columns); k++) {
        Number &x = by_columns ? dense.at(k, line) : dense.at(line, k);
        if (!(by_columns ? there(k, line) : there(line, k))) {
          x = 0;
          continue;
        }
        if (listed) major.push_back(line + base);
        minor.push_back(k + base), values.push_back(as<T>(x)), nonzeros++;
      }
      if (!listed) major.push_back(nonzeros + base);
    }
    d_major = new Array<Index>(major), d_minor = new Array<Index>(minor), d_values = new Array<T>(values);
    const auto type = sizeof(Index) == 8 ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
    const auto first = base == 0 ? CUSPARSE_INDEX_BASE_ZERO : CUSPARSE_INDEX_BASE_ONE;
    const int rows = dense.rows, columns = dense.columns;
    void *const a = d_major->first(), *const b = d_minor->first(), *const c = d_values->first();
    if (listed)
      GOOD(cusparseCreateCoo(&descriptor, rows, columns, nonzeros, a, b, c, type, first, type_of<T>()));
    else if (by_columns)
      GOOD(cusparseCreateCsc(&descriptor, rows, columns, nonzeros, a, b, c, type, type, first, type_of<T>()));
    else
      GOOD(cusparseCreateCsr(&descriptor, rows, columns, nonzeros, a, b, c, type, type, first, type_of<T>()));
  }
  ~Sparse() {
    GOOD(cusparseDestroySpMat(descriptor));
    delete d_major, delete d_minor, delete d_values;
  }
  bool same() { return d_major->same() && d_minor->same() && d_values->same(); }
};

// A dense matrix on the device, in an order and with a pitch.
template <typename T>
struct Placed {
  Dense dense;
  cusparseOrder_t order;
  int pitch;
  Array<T> *array;
  cusparseDnMatDescr_t descriptor = nullptr;
  explicit Placed(const Dense &m) : dense(m), order(some_order()) {
    pitch = (order == CUSPARSE_ORDER_COL ? m.rows : m.columns) + random_to(3);
    array = new Array<T>(std::vector<T>(pitch * (order == CUSPARSE_ORDER_COL ? m.columns : m.rows), T(55)));
    put();
    array->upload();
    GOOD(cusparseCreateDnMat(&descriptor, m.rows, m.columns, pitch, array->first(), type_of<T>(), order));
  }
  ~Placed() {
    GOOD(cusparseDestroyDnMat(descriptor));
    delete array;
  }
  void put() {
    for (int row = 0; row < dense.rows; row++)
      for (int column = 0; column < dense.columns; column++)
        (*array)[order == CUSPARSE_ORDER_COL ? row + column * pitch : row * pitch + column] = as<T>(dense.at(row, column));
  }
  bool same() {
    put();
    return array->same();
  }
};

struct Room {
  void *memory = nullptr;
  void *of(size_t bytes) {
    cudaFree(memory);
    cudaMalloc(&memory, bytes + 8);
    return memory;
  }
  ~Room() { cudaFree(memory); }
};

// Factors on the host or the device; some are 0.
template <typename T>
struct Factors {
  T host[2], *device;
  bool on_device = coin();
  Number alpha, beta;
  explicit Factors(cusparseHandle_t handle) : alpha(some<T>()), beta(coin() ? 0 : some<T>()) {
    host[0] = as<T>(alpha), host[1] = as<T>(beta);
    cudaMalloc(&device, sizeof host);
    cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
    cusparseSetPointerMode(handle, on_device ? CUSPARSE_POINTER_MODE_DEVICE : CUSPARSE_POINTER_MODE_HOST);
    snprintf(now + strlen(now), 60, ", factors on the %s", on_device ? "device" : "host");
  }
  ~Factors() { cudaFree(device); }
  const T *first() { return on_device ? device : host; }
  const T *second() { return first() + 1; }
  Number mixed(Number product, Number before) { return alpha * product + (beta == 0.0 ? 0.0 : beta * before); }
};

const cusparseFormat_t kFormats[] = {CUSPARSE_FORMAT_CSR, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO};

template <typename T, typename Index>
void products(cusparseHandle_t handle, cusparseFormat_t format, int base) {
  const int rows = 2 + random_to(5), columns = 2 + random_to(5), n = 2 + random_to(4);
  const cudaDataType type = type_of<T>();
  Room room;
  size_t bytes = 0;
  snprintf(now, sizeof now, "%d x %d x %d, format %d from %d, type %d, indices of %zu bytes", rows, columns, n, format, base, type,
           sizeof(Index));
  Sparse<T, Index> a(some_dense<T>(rows, columns), format, base, [](int, int) { return random_to(3) != 0; });
  {
    const cusparseOperation_t op = some_op<T>();
    Factors<T> f(handle);
    Dense m = turned(a.dense, op), vector = some_dense<T>(m.columns, 1), result = some_dense<T>(m.rows, 1);
    std::vector<T> from, to;
    for (Number x : vector.all) from.push_back(as<T>(x));
    for (Number x : result.all) to.push_back(f.beta == 0.0 ? as<T>(Number(std::nan(""), 0)) : as<T>(x));
    Array<T> x(from), y(to);
    cusparseDnVecDescr_t of_x, of_y;
    GOOD(cusparseCreateDnVec(&of_x, m.columns, x.first(), type)), GOOD(cusparseCreateDnVec(&of_y, m.rows, y.first(), type));
    GOOD(cusparseSpMV_bufferSize(handle, op, f.first(), a.descriptor, of_x, f.second(), of_y, type, CUSPARSE_SPMV_ALG_DEFAULT,
                                 &bytes));
    GOOD(
        cusparseSpMV(handle, op, f.first(), a.descriptor, of_x, f.second(), of_y, type, CUSPARSE_SPMV_ALG_DEFAULT, room.of(bytes)));
    for (int i = 0; i < m.rows; i++) {
      Number sum = 0;
      for (int k = 0; k < m.columns; k++) sum += m.at(i, k) * vector.at(k, 0);
      y[i] = as<T>(f.mixed(sum, result.at(i, 0)));
    }
    EXPECT(x.same() && y.same() && a.same());
    // A vector of another size is refused.
    cusparseDnVecDescr_t longer;
    GOOD(cusparseCreateDnVec(&longer, m.columns + 1, x.first(), type));
#ifdef __CPU_DEVICE__
    EXPECT(cusparseSpMV(handle, op, f.first(), a.descriptor, longer, f.second(), of_y, type, CUSPARSE_SPMV_ALG_DEFAULT,
                        room.memory) == CUSPARSE_STATUS_INVALID_VALUE);
    EXPECT(cusparseSpMV(nullptr, op, f.first(), a.descriptor, of_x, f.second(), of_y, type, CUSPARSE_SPMV_ALG_DEFAULT,
                        room.memory) == CUSPARSE_STATUS_NOT_INITIALIZED);
    EXPECT(cusparseSpMV(handle, op, f.first(), a.descriptor, of_x, f.second(), of_y, type == CUDA_R_32F ? CUDA_R_64F : CUDA_R_32F,
                        CUSPARSE_SPMV_ALG_DEFAULT, room.memory) == CUSPARSE_STATUS_NOT_SUPPORTED);
    EXPECT(y.same());
#endif
    GOOD(cusparseDestroyDnVec(of_x)), GOOD(cusparseDestroyDnVec(of_y)), GOOD(cusparseDestroyDnVec(longer));
  }
  const cusparseOperation_t op_a = some_op<T>(), op_b = some_op<T>();
  Factors<T> f(handle);
  Dense m = turned(a.dense, op_a), second = some_dense<T>(m.columns, n), result = some_dense<T>(m.rows, n), before = result;
  if (f.beta == 0.0) std::fill(result.all.begin(), result.all.end(), Number(std::nan(""), 0));
  Placed<T> b(turned(second, op_b)), c(result);
  second = turned(b.dense, op_b);
  GOOD(cusparseSpMM_bufferSize(handle, op_a, op_b, f.first(), a.descriptor, b.descriptor, f.second(), c.descriptor, type,
                               CUSPARSE_SPMM_ALG_DEFAULT, &bytes));
  GOOD(cusparseSpMM(handle, op_a, op_b, f.first(), a.descriptor, b.descriptor, f.second(), c.descriptor, type,
                    CUSPARSE_SPMM_ALG_DEFAULT, room.of(bytes)));
  for (int i = 0; i < m.rows; i++)
    for (int j = 0; j < n; j++) {
      Number sum = 0;
      for (int k = 0; k < m.columns; k++) sum += m.at(i, k) * second.at(k, j);
      c.dense.at(i, j) = f.mixed(sum, before.at(i, j));
    }
  EXPECT(b.same() && c.same() && a.same());
#ifdef __CPU_DEVICE__
  const auto refused = [&](const Dense &wrong_b, const Dense &wrong_c) {
    Placed<T> other_b(wrong_b), other_c(wrong_c);
    return cusparseSpMM(handle, op_a, op_b, f.first(), a.descriptor, other_b.descriptor, f.second(), other_c.descriptor, type,
                        CUSPARSE_SPMM_ALG_DEFAULT, room.memory) == CUSPARSE_STATUS_INVALID_VALUE;
  };
  EXPECT(refused(turned(some_dense<T>(m.columns + 1, n), op_b), result));
  EXPECT(refused(turned(some_dense<T>(m.columns, n + 1), op_b), result));
  EXPECT(refused(b.dense, some_dense<T>(m.rows + 1, n)));
  if (!is_complex<T>)
    EXPECT(cusparseSpMM(handle, CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, op_b, f.first(), a.descriptor, b.descriptor, f.second(),
                        c.descriptor, type, CUSPARSE_SPMM_ALG_DEFAULT, room.memory) == CUSPARSE_STATUS_INVALID_VALUE);
#endif
}

template <typename T, typename Index>
void conversions(cusparseHandle_t handle, cusparseFormat_t format, int base) {
  const int rows = 1 + random_to(6), columns = 1 + random_to(6);
  snprintf(now, sizeof now, "conversion of %d x %d, format %d from %d, type %d, indices of %zu bytes", rows, columns, format, base,
           type_of<T>(), sizeof(Index));
  Dense values = some_dense<T>(rows, columns);
  Room room;
  size_t bytes = 0;
  Sparse<T, Index> a(values, format, base, [&](int row, int column) { return values.at(row, column) != 0.0; });
  Placed<T> full(values), to(some_dense<T>(rows, columns));
  GOOD(cusparseSparseToDense_bufferSize(handle, a.descriptor, to.descriptor, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, &bytes));
  GOOD(cusparseSparseToDense(handle, a.descriptor, to.descriptor, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, room.of(bytes)));
  to.dense = values;
  EXPECT(to.same() && a.same());
  // Back: into arrays that are as long as they must be.
  Sparse<T, Index> again(values, format, base, [&](int row, int column) { return values.at(row, column) != 0.0; });
  cudaMemset(again.d_major->first(), 0x33, a.major.size() * sizeof(Index));
  cudaMemset(again.d_minor->first(), 0x33, a.minor.size() * sizeof(Index));
  cudaMemset(again.d_values->first(), 0x33, a.values.size() * sizeof(T));
  GOOD(cusparseDenseToSparse_bufferSize(handle, full.descriptor, again.descriptor, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, &bytes));
  GOOD(cusparseDenseToSparse_analysis(handle, full.descriptor, again.descriptor, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT,
                                      room.of(bytes + 1)));
  int64_t r = -1, c = -1, nonzeros = -1;
  GOOD(cusparseSpMatGetSize(again.descriptor, &r, &c, &nonzeros));
  EXPECT(r == rows && c == columns && nonzeros == a.nonzeros);
  cusparseFormat_t got;
  GOOD(cusparseSpMatGetFormat(again.descriptor, &got));
  EXPECT(got == format);
  void *const at[] = {again.d_major->first(), again.d_minor->first(), again.d_values->first()};
  void *found = nullptr;
  if (format == CUSPARSE_FORMAT_CSR) GOOD(cusparseCsrSetPointers(again.descriptor, at[0], at[1], at[2]));
  if (format == CUSPARSE_FORMAT_CSC) GOOD(cusparseCscSetPointers(again.descriptor, at[0], at[1], at[2]));
  if (format == CUSPARSE_FORMAT_COO) GOOD(cusparseCooSetPointers(again.descriptor, at[0], at[1], at[2]));
  GOOD(cusparseSpMatGetValues(again.descriptor, &found));
  EXPECT(found == at[2]);
  GOOD(cusparseDenseToSparse_convert(handle, full.descriptor, again.descriptor, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, room.memory));
  EXPECT(again.same() && full.same());
#ifdef __CPU_DEVICE__
  Placed<T> wider(some_dense<T>(rows, columns + 1)), higher(some_dense<T>(rows + 1, columns));
  for (auto *other : {&wider, &higher}) {
    EXPECT(cusparseSparseToDense(handle, a.descriptor, other->descriptor, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, room.memory) ==
           CUSPARSE_STATUS_INVALID_VALUE);
    EXPECT(cusparseDenseToSparse_analysis(handle, other->descriptor, a.descriptor, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT,
                                          room.memory) == CUSPARSE_STATUS_INVALID_VALUE);
    EXPECT(other->same());
  }
#endif
}

// From rows to columns, with values or without; rows of values and starts of rows.
template <typename T>
void by_columns(cusparseHandle_t handle, int base) {
  const int rows = 1 + random_to(6), columns = 1 + random_to(6);
  snprintf(now, sizeof now, "%d x %d by columns from %d, type %d", rows, columns, base, type_of<T>());
  Dense values = some_dense<T>(rows, columns);
  values.at(random_to(rows), random_to(columns)) = 3;
  const auto there = [&](int row, int column) { return values.at(row, column) != 0.0; };
  Sparse<T, int> a(values, CUSPARSE_FORMAT_CSR, base, there), b(values, CUSPARSE_FORMAT_CSC, base, there),
      list(values, CUSPARSE_FORMAT_COO, base, there);
  const auto first = base == 0 ? CUSPARSE_INDEX_BASE_ZERO : CUSPARSE_INDEX_BASE_ONE;
  for (const cusparseAction_t action : {CUSPARSE_ACTION_SYMBOLIC, CUSPARSE_ACTION_NUMERIC}) {
    const bool numeric = action == CUSPARSE_ACTION_NUMERIC;
    Array<int> starts(std::vector<int>(columns + 1, -9)), of_rows(std::vector<int>(a.nonzeros, -9));
    Array<T> moved(std::vector<T>(a.nonzeros, T(-9)));
    Room room;
    size_t bytes = 0;
    GOOD(cusparseCsr2cscEx2_bufferSize(handle, rows, columns, a.nonzeros, a.d_values->first(), a.d_major->first(),
                                       a.d_minor->first(), moved.first(), starts.first(), of_rows.first(), type_of<T>(), action,
                                       first, CUSPARSE_CSR2CSC_ALG_DEFAULT, &bytes));
    GOOD(cusparseCsr2cscEx2(handle, rows, columns, a.nonzeros, a.d_values->first(), a.d_major->first(), a.d_minor->first(),
                            moved.first(), starts.first(), of_rows.first(), type_of<T>(), action, first,
                            CUSPARSE_CSR2CSC_ALG_DEFAULT, room.of(bytes)));
    for (int i = 0; i <= columns; i++) starts[i] = b.major[i];
    for (int i = 0; i < a.nonzeros; i++) {
      of_rows[i] = b.minor[i];
      if (numeric) moved[i] = b.values[i];
    }
    EXPECT(starts.same() && of_rows.same() && moved.same() && a.same());
  }
  Array<int> starts(std::vector<int>(rows + 1, -9)), of_values(std::vector<int>(a.nonzeros, -9));
  GOOD(cusparseXcoo2csr(handle, list.d_major->first(), a.nonzeros, rows, starts.first(), first));
  GOOD(cusparseXcsr2coo(handle, a.d_major->first(), a.nonzeros, rows, of_values.first(), first));
  for (int i = 0; i <= rows; i++) starts[i] = a.major[i];
  for (int i = 0; i < a.nonzeros; i++) of_values[i] = list.major[i];
  EXPECT(starts.same() && of_values.same());
}

template <typename T, typename Index>
void triangles(cusparseHandle_t handle, cusparseFormat_t format, int base) {
  const int n = 1 + random_to(6);
  cusparseFillMode_t fill = coin() ? CUSPARSE_FILL_MODE_LOWER : CUSPARSE_FILL_MODE_UPPER;
  cusparseDiagType_t diagonal = coin() ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT;
  const cusparseOperation_t op = some_op<T>();
  snprintf(now, sizeof now, "system of %d, format %d from %d, type %d, fill %d, diagonal %d, operation %d", n, format, base,
           type_of<T>(), fill, diagonal, op);
  Factors<T> f(handle);
  Dense values = some_dense<T>(n, n), right = some_dense<T>(n, 1);
  for (int i = 0; i < n; i++) values.at(i, i) = Number(coin() ? 8 : -8, is_complex<T> ? 1 : 0);
  Sparse<T, Index> a(values, format, base, [](int row, int column) { return row == column || coin(); });
  GOOD(cusparseSpMatSetAttribute(a.descriptor, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
  GOOD(cusparseSpMatSetAttribute(a.descriptor, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof diagonal));
  std::vector<T> from;
  for (Number x : right.all) from.push_back(as<T>(x));
  Array<T> x(from), y(std::vector<T>(n, T(-9)));
  cusparseDnVecDescr_t of_x, of_y;
  GOOD(cusparseCreateDnVec(&of_x, n, x.first(), type_of<T>())), GOOD(cusparseCreateDnVec(&of_y, n, y.first(), type_of<T>()));
  cusparseSpSVDescr_t plan;
  GOOD(cusparseSpSV_createDescr(&plan));
  Room room;
  size_t bytes = 0;
  const auto way = CUSPARSE_SPSV_ALG_DEFAULT;
  GOOD(cusparseSpSV_bufferSize(handle, op, f.first(), a.descriptor, of_x, of_y, type_of<T>(), way, plan, &bytes));
  GOOD(cusparseSpSV_analysis(handle, op, f.first(), a.descriptor, of_x, of_y, type_of<T>(), way, plan, room.of(bytes)));
  GOOD(cusparseSpSV_solve(handle, op, f.first(), a.descriptor, of_x, of_y, type_of<T>(), way, plan));
  Dense triangle = a.dense;
  for (int row = 0; row < n; row++)
    for (int column = 0; column < n; column++) {
      if (fill == CUSPARSE_FILL_MODE_LOWER ? column > row : column < row) triangle.at(row, column) = 0;
      if (row == column && diagonal == CUSPARSE_DIAG_TYPE_UNIT) triangle.at(row, column) = 1;
    }
  triangle = turned(triangle, op);
  const bool forward = (fill == CUSPARSE_FILL_MODE_LOWER) == (op == CUSPARSE_OPERATION_NON_TRANSPOSE);
  std::vector<Number> solution(n);
  for (int i = 0; i < n; i++) {
    const int row = forward ? i : n - 1 - i;
    Number sum = f.alpha * right.at(row, 0);
    for (int k = 0; k < n; k++)
      if (k != row) sum -= triangle.at(row, k) * solution[k];
    y[row] = as<T>(solution[row] = sum / triangle.at(row, row));
  }
  EXPECT(x.same() && y.same() && a.same());
  GOOD(cusparseSpSV_destroyDescr(plan)), GOOD(cusparseDestroyDnVec(of_x)), GOOD(cusparseDestroyDnVec(of_y));
}

template <typename T, typename Index>
void of_type(cusparseHandle_t handle) {
  for (const cusparseFormat_t format : kFormats)
    for (const int base : {0, 1})
      for (int i = 0; i < 8; i++) {
        products<T, Index>(handle, format, base), conversions<T, Index>(handle, format, base);
        if (format != CUSPARSE_FORMAT_CSC) triangles<T, Index>(handle, format, base);
        if (sizeof(Index) == 4) by_columns<T>(handle, base);
      }
}

// What was set is what is got, and a setter that is called again replaces it.
void settings(cusparseHandle_t handle) {
  snprintf(now, sizeof now, "settings");
  cusparsePointerMode_t mode;
  for (const auto set : {CUSPARSE_POINTER_MODE_DEVICE, CUSPARSE_POINTER_MODE_HOST, CUSPARSE_POINTER_MODE_DEVICE}) {
    GOOD(cusparseSetPointerMode(handle, set)), GOOD(cusparseGetPointerMode(handle, &mode));
    EXPECT(mode == set);
  }
  cudaStream_t stream, got;
  cudaStreamCreate(&stream);
  for (const cudaStream_t set : {stream, static_cast<cudaStream_t>(nullptr), stream}) {
    GOOD(cusparseSetStream(handle, set)), GOOD(cusparseGetStream(handle, &got));
    EXPECT(got == set);
  }
  cusparseHandle_t other;
  GOOD(cusparseCreate(&other)), GOOD(cusparseGetPointerMode(other, &mode)), GOOD(cusparseGetStream(other, &got));
  EXPECT(mode == CUSPARSE_POINTER_MODE_HOST && got == nullptr);
  GOOD(cusparseDestroy(other)), GOOD(cusparseSetStream(handle, nullptr)),
      GOOD(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  cudaStreamDestroy(stream);
  cusparseMatDescr_t old;
  GOOD(cusparseCreateMatDescr(&old));
  EXPECT(cusparseGetMatType(old) == CUSPARSE_MATRIX_TYPE_GENERAL && cusparseGetMatIndexBase(old) == CUSPARSE_INDEX_BASE_ZERO);
  for (const auto base : {CUSPARSE_INDEX_BASE_ONE, CUSPARSE_INDEX_BASE_ZERO}) {
    GOOD(cusparseSetMatIndexBase(old, base)), EXPECT(cusparseGetMatIndexBase(old) == base);
    EXPECT(cusparseGetMatType(old) == CUSPARSE_MATRIX_TYPE_GENERAL);
  }
  for (const auto type : {CUSPARSE_MATRIX_TYPE_TRIANGULAR, CUSPARSE_MATRIX_TYPE_GENERAL})
    GOOD(cusparseSetMatType(old, type)),
        EXPECT(cusparseGetMatType(old) == type && cusparseGetMatIndexBase(old) == CUSPARSE_INDEX_BASE_ZERO);
  GOOD(cusparseDestroyMatDescr(old));
  float *one, *two;
  cudaMalloc(&one, 64), cudaMalloc(&two, 64);
  cusparseDnVecDescr_t vector;
  cusparseDnMatDescr_t matrix;
  int64_t size = -1;
  void *at = nullptr;
  cudaDataType type;
  GOOD(cusparseCreateDnVec(&vector, 7, one, CUDA_R_32F)), GOOD(cusparseDnVecGet(vector, &size, &at, &type));
  EXPECT(size == 7 && at == one && type == CUDA_R_32F);
  GOOD(cusparseDnVecSetValues(vector, two)), GOOD(cusparseDnVecGetValues(vector, &at)), EXPECT(at == two);
  GOOD(cusparseCreateDnMat(&matrix, 3, 2, 3, one, CUDA_R_32F, CUSPARSE_ORDER_COL)), GOOD(cusparseDnMatGetValues(matrix, &at)),
      EXPECT(at == one);
  GOOD(cusparseDnMatSetValues(matrix, two)), GOOD(cusparseDnMatGetValues(matrix, &at)), EXPECT(at == two);
  GOOD(cusparseDestroyDnVec(vector)), GOOD(cusparseDestroyDnMat(matrix));
  cudaFree(one), cudaFree(two);
  // The names of all statuses.
  const char *const names[] = {"SUCCESS",          "NOT_INITIALIZED", "ALLOC_FAILED",
                               "INVALID_VALUE",    "ARCH_MISMATCH",   "MAPPING_ERROR",
                               "EXECUTION_FAILED", "INTERNAL_ERROR",  "MATRIX_TYPE_NOT_SUPPORTED",
                               "ZERO_PIVOT",       "NOT_SUPPORTED",   "INSUFFICIENT_RESOURCES"};
  for (int i = 0; i < 12; i++)
    EXPECT(strcmp(cusparseGetErrorName(static_cast<cusparseStatus_t>(i)) + strlen("CUSPARSE_STATUS_"), names[i]) == 0);
}

int main() {
  cusparseHandle_t handle;
  if (cusparseCreate(&handle) != CUSPARSE_STATUS_SUCCESS) return 2;
  settings(handle);
  of_type<float, int>(handle), of_type<double, int>(handle), of_type<std::complex<float>, int>(handle),
      of_type<std::complex<double>, int>(handle);
  of_type<float, int64_t>(handle), of_type<double, int64_t>(handle), of_type<std::complex<double>, int64_t>(handle);
  cusparseDestroy(handle);
  puts(wrong ? "wrong" : "right");
  return wrong != 0;
}
