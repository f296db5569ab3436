// In the manner of courses on solvers: conjugate gradients with cuSPARSE's product, incomplete LU factors and triangular
// systems, products of all formats in all directions, and conversions there and back.
#include <cublas_v2.h>
#include <cusparse.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                                \
  do {                                                                                             \
    const cusparseStatus_t status = (call);                                                        \
    if (status != CUSPARSE_STATUS_SUCCESS) {                                                       \
      fprintf(stderr, "line %d: %s\n", __LINE__, cusparseGetErrorString(status));                  \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

static int bad = 0;
#define EXPECT(condition)                                                                            \
  do {                                                                                               \
    if (!(condition)) bad++, fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                 \
  } while (0)

template <typename T>
T *to_device(const std::vector<T> &host) {
  T *device;
  cudaMalloc(&device, host.size() * sizeof(T) + 1);
  cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}
template <typename T>
std::vector<T> to_host(const T *device, size_t count) {
  std::vector<T> host(count);
  cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost);
  return host;
}

// 5 rows, 7 columns, an empty row, an empty column.
const int kRows = 5, kColumns = 7;
const double kDense[kRows][kColumns] = {{0, 1, 0, 2, 0, 0, 0}, {3, 0, 0, 0, 0, 0, 4}, {0, 0, 0, 0, 0, 0, 0},
                                        {0, 5, 6, 0, 0, 7, 0}, {8, 0, 0, 9, 0, 10, 11}};

template <typename T>
void products(cusparseHandle_t handle, cudaDataType type, cusparseIndexBase_t base) {
  std::vector<int> starts{base}, rows, columns;
  std::vector<T> values;
  for (int i = 0; i < kRows; i++) {
    for (int j = 0; j < kColumns; j++)
      if (kDense[i][j] != 0) {
        rows.push_back(i + base);
        columns.push_back(j + base);
        values.push_back(T(kDense[i][j]));
      }
    starts.push_back((int)values.size() + base);
  }
  const int nonzeros = (int)values.size();
  int *d_starts = to_device(starts), *d_rows = to_device(rows), *d_columns = to_device(columns);
  T *d_values = to_device(values);
  int *c_starts, *c_rows;
  T *c_values;
  cudaMalloc(&c_starts, (kColumns + 1) * sizeof(int));
  cudaMalloc(&c_rows, nonzeros * sizeof(int));
  cudaMalloc(&c_values, nonzeros * sizeof(T));
  size_t bytes;
  CHECK(cusparseCsr2cscEx2_bufferSize(handle, kRows, kColumns, nonzeros, d_values, d_starts, d_columns, c_values, c_starts, c_rows,
                                      type, CUSPARSE_ACTION_NUMERIC, base, CUSPARSE_CSR2CSC_ALG_DEFAULT, &bytes));
  void *buffer;
  cudaMalloc(&buffer, bytes);
  CHECK(cusparseCsr2cscEx2(handle, kRows, kColumns, nonzeros, d_values, d_starts, d_columns, c_values, c_starts, c_rows, type,
                           CUSPARSE_ACTION_NUMERIC, base, CUSPARSE_CSR2CSC_ALG_DEFAULT, buffer));
  cusparseSpMatDescr_t formats[3];
  CHECK(cusparseCreateCsr(&formats[0], kRows, kColumns, nonzeros, d_starts, d_columns, d_values, CUSPARSE_INDEX_32I,
                          CUSPARSE_INDEX_32I, base, type));
  CHECK(cusparseCreateCoo(&formats[1], kRows, kColumns, nonzeros, d_rows, d_columns, d_values, CUSPARSE_INDEX_32I, base, type));
  CHECK(cusparseCreateCsc(&formats[2], kRows, kColumns, nonzeros, c_starts, c_rows, c_values, CUSPARSE_INDEX_32I,
                          CUSPARSE_INDEX_32I, base, type));
  for (cusparseSpMatDescr_t a : formats)
    for (const bool turned : {false, true})
      for (const int beta_value : {0, 2}) {
        const int n = turned ? kRows : kColumns, m = turned ? kColumns : kRows;
        std::vector<T> x(n), y(m);
        for (int i = 0; i < n; i++) x[i] = T(i + 1);
        for (int i = 0; i < m; i++) y[i] = beta_value == 0 ? T(NAN) : T(10 * i);
        T *d_x = to_device(x), *d_y = to_device(y);
        cusparseDnVecDescr_t vx, vy;
        CHECK(cusparseCreateDnVec(&vx, n, d_x, type));
        CHECK(cusparseCreateDnVec(&vy, m, d_y, type));
        const T alpha = T(3), beta = T(beta_value);
        const cusparseOperation_t op = turned ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE;
        CHECK(cusparseSpMV_bufferSize(handle, op, &alpha, a, vx, &beta, vy, type, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
        CHECK(cusparseSpMV(handle, op, &alpha, a, vx, &beta, vy, type, CUSPARSE_SPMV_ALG_DEFAULT, buffer));
        const std::vector<T> result = to_host(d_y, m);
        for (int i = 0; i < m; i++) {
          double sum = 0;
          for (int j = 0; j < n; j++) sum += (turned ? kDense[j][i] : kDense[i][j]) * (j + 1);
          EXPECT(result[i] == T(3 * sum + beta_value * 10 * i));
        }
        CHECK(cusparseDestroyDnVec(vx));
        CHECK(cusparseDestroyDnVec(vy));
        cudaFree(d_x);
        cudaFree(d_y);
      }
  // Times a dense matrix of two columns, row by row; and all of it dense again.
  std::vector<T> b(kColumns * 2), c(kRows * 3, T(7));
  for (int j = 0; j < kColumns; j++) b[2 * j] = T(j), b[2 * j + 1] = T(1);
  T *d_b = to_device(b), *d_c = to_device(c);
  cusparseDnMatDescr_t mb, mc;
  CHECK(cusparseCreateDnMat(&mb, kColumns, 2, 2, d_b, type, CUSPARSE_ORDER_ROW));
  CHECK(cusparseCreateDnMat(&mc, kRows, 2, 3, d_c, type, CUSPARSE_ORDER_ROW));  // a pitch of 3
  const T one = T(1), zero = T(0);
  CHECK(cusparseSpMM(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, formats[0], mb, &zero, mc, type,
                     CUSPARSE_SPMM_ALG_DEFAULT, buffer));
  const std::vector<T> result = to_host(d_c, c.size());
  for (int i = 0; i < kRows; i++) {
    double weighted = 0, plain = 0;
    for (int j = 0; j < kColumns; j++) weighted += kDense[i][j] * j, plain += kDense[i][j];
    EXPECT(result[3 * i] == T(weighted) && result[3 * i + 1] == T(plain) && result[3 * i + 2] == T(7));
  }
  std::vector<T> all(kRows * kColumns, T(5));
  T *d_all = to_device(all);
  cusparseDnMatDescr_t dense;
  CHECK(cusparseCreateDnMat(&dense, kRows, kColumns, kRows, d_all, type, CUSPARSE_ORDER_COL));
  CHECK(cusparseSparseToDense(handle, formats[1], dense, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, buffer));
  all = to_host(d_all, all.size());
  for (int i = 0; i < kRows; i++)
    for (int j = 0; j < kColumns; j++) EXPECT(all[i + j * kRows] == T(kDense[i][j]));
  // From dense to CSR with 64-bit numbers: the sizes are known after the analysis. Starts and columns are of the same type.
  int64_t *long_starts, m, n, found;
  cudaMalloc(&long_starts, (kRows + 1) * sizeof(int64_t));
  cusparseSpMatDescr_t again;
  EXPECT(cusparseCreateCsr(&again, kRows, kColumns, 0, long_starts, nullptr, nullptr, CUSPARSE_INDEX_64I, CUSPARSE_INDEX_32I, base, type) ==
         CUSPARSE_STATUS_NOT_SUPPORTED);
  EXPECT(cusparseCreateCsc(&again, kRows, kColumns, 0, long_starts, nullptr, nullptr, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_64I, base, type) ==
         CUSPARSE_STATUS_NOT_SUPPORTED);
  CHECK(cusparseCreateCsr(&again, kRows, kColumns, 0, long_starts, nullptr, nullptr, CUSPARSE_INDEX_64I, CUSPARSE_INDEX_64I, base, type));
  CHECK(cusparseDenseToSparse_analysis(handle, dense, again, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer));
  CHECK(cusparseSpMatGetSize(again, &m, &n, &found));
  EXPECT(m == kRows && n == kColumns && found == nonzeros);
  int64_t *new_columns;
  T *new_values;
  cudaMalloc(&new_columns, found * sizeof(int64_t));
  cudaMalloc(&new_values, found * sizeof(T));
  CHECK(cusparseCsrSetPointers(again, long_starts, new_columns, new_values));
  CHECK(cusparseDenseToSparse_convert(handle, dense, again, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, buffer));
  EXPECT(to_host(new_columns, found) == std::vector<int64_t>(columns.begin(), columns.end()) && to_host(new_values, found) == values);
  for (int i = 0; i <= kRows; i++) EXPECT(to_host(long_starts, kRows + 1)[i] == starts[i]);
  // Rows to starts, and back.
  int *other;
  cudaMalloc(&other, (nonzeros + kRows + 1) * sizeof(int));
  CHECK(cusparseXcoo2csr(handle, d_rows, nonzeros, kRows, other, base));
  EXPECT(to_host(other, kRows + 1) == starts);
  CHECK(cusparseXcsr2coo(handle, d_starts, nonzeros, kRows, other, base));
  EXPECT(to_host(other, nonzeros) == rows);
  CHECK(cusparseDestroySpMat(again));
  for (cusparseSpMatDescr_t a : formats) CHECK(cusparseDestroySpMat(a));
  for (cusparseDnMatDescr_t d : {mb, mc, dense}) CHECK(cusparseDestroyDnMat(d));
  for (void *p : {(void *)d_starts, (void *)d_rows, (void *)d_columns, (void *)d_values, (void *)c_starts, (void *)c_rows,
                  (void *)c_values, buffer, (void *)d_b, (void *)d_c, (void *)d_all, (void *)long_starts, (void *)new_columns,
                  (void *)new_values, (void *)other})
    cudaFree(p);
}

// -u'' = 1: a tridiagonal matrix, of which the incomplete factors are the factors.
void solve(cusparseHandle_t handle) {
  const int n = 100;
  std::vector<int> starts{0}, columns;
  std::vector<double> values, ones(n, 1);
  for (int i = 0; i < n; i++) {
    for (int j = std::max(0, i - 1); j <= std::min(n - 1, i + 1); j++) columns.push_back(j), values.push_back(i == j ? 2 : -1);
    starts.push_back((int)columns.size());
  }
  const int nonzeros = (int)values.size();
  int *d_starts = to_device(starts), *d_columns = to_device(columns);
  double *d_values = to_device(values), *d_b = to_device(ones), *x, *p, *ap, *r;
  for (double **v : {&x, &p, &ap, &r}) cudaMalloc(v, n * sizeof(double)), cudaMemset(*v, 0, n * sizeof(double));
  cusparseSpMatDescr_t a;
  cusparseDnVecDescr_t vp, vap;
  CHECK(cusparseCreateCsr(&a, n, n, nonzeros, d_starts, d_columns, d_values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                          CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
  CHECK(cusparseCreateDnVec(&vp, n, p, CUDA_R_64F));
  CHECK(cusparseCreateDnVec(&vap, n, ap, CUDA_R_64F));
  cublasHandle_t blas;
  cublasCreate(&blas);
  const double one = 1, zero = 0;
  double rr = n;
  cublasDcopy(blas, n, d_b, 1, r, 1);
  cublasDcopy(blas, n, d_b, 1, p, 1);
  // Without the buffer that it asks for, nothing is multiplied.
  size_t needed = 0;
  void *buffer;
  CHECK(cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, vp, &zero, vap, CUDA_R_64F, CUSPARSE_SPMV_CSR_ALG1, &needed));
  EXPECT(needed > 0 && cudaMalloc(&buffer, needed) == cudaSuccess);
  EXPECT(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, vp, &zero, vap, CUDA_R_64F, CUSPARSE_SPMV_CSR_ALG1, nullptr) ==
         CUSPARSE_STATUS_INVALID_VALUE);
  int steps = 0;
  for (; steps < 2 * n && rr > 1e-20; steps++) {
    CHECK(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, vp, &zero, vap, CUDA_R_64F, CUSPARSE_SPMV_CSR_ALG1, buffer));
    double pap, next;
    cublasDdot(blas, n, p, 1, ap, 1, &pap);
    const double alpha = rr / pap, minus = -alpha;
    cublasDaxpy(blas, n, &alpha, p, 1, x, 1);
    cublasDaxpy(blas, n, &minus, ap, 1, r, 1);
    cublasDdot(blas, n, r, 1, r, 1, &next);
    const double beta = next / rr;
    cublasDscal(blas, n, &beta, p, 1);
    cublasDaxpy(blas, n, &one, r, 1, p, 1);
    rr = next;
  }
  std::vector<double> u = to_host(x, n);
  for (int i = 0; i < n; i++) EXPECT(fabs(u[i] - 0.5 * (i + 1) * (n - i)) < 1e-8);
  // A = L U, then L y = b and U x = y.
  csrilu02Info_t info;
  cusparseMatDescr_t descriptor;
  CHECK(cusparseCreateCsrilu02Info(&info));
  CHECK(cusparseCreateMatDescr(&descriptor));
  int bytes, pivot;
  CHECK(cusparseDcsrilu02_bufferSize(handle, n, nonzeros, descriptor, d_values, d_starts, d_columns, info, &bytes));
  EXPECT(cusparseDcsrilu02_analysis(handle, n, nonzeros, descriptor, d_values, d_starts, d_columns, info, CUSPARSE_SOLVE_POLICY_NO_LEVEL,
                                    nullptr) == CUSPARSE_STATUS_INVALID_VALUE);
  void *room;
  EXPECT(bytes > 0 && cudaMalloc(&room, bytes) == cudaSuccess);
  CHECK(cusparseDcsrilu02_analysis(handle, n, nonzeros, descriptor, d_values, d_starts, d_columns, info, CUSPARSE_SOLVE_POLICY_NO_LEVEL,
                                   room));
  CHECK(cusparseDcsrilu02(handle, n, nonzeros, descriptor, d_values, d_starts, d_columns, info, CUSPARSE_SOLVE_POLICY_NO_LEVEL, room));
  EXPECT(cusparseXcsrilu02_zeroPivot(handle, info, &pivot) == CUSPARSE_STATUS_SUCCESS && pivot == -1);
  cusparseSpMatDescr_t lower, upper;
  cusparseSpSVDescr_t of_lower, of_upper;
  for (cusparseSpMatDescr_t *m : {&lower, &upper})
    CHECK(cusparseCreateCsr(m, n, n, nonzeros, d_starts, d_columns, d_values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                            CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
  cusparseFillMode_t down = CUSPARSE_FILL_MODE_LOWER, up = CUSPARSE_FILL_MODE_UPPER;
  cusparseDiagType_t unit = CUSPARSE_DIAG_TYPE_UNIT, not_unit = CUSPARSE_DIAG_TYPE_NON_UNIT;
  CHECK(cusparseSpMatSetAttribute(lower, CUSPARSE_SPMAT_FILL_MODE, &down, sizeof down));
  CHECK(cusparseSpMatSetAttribute(lower, CUSPARSE_SPMAT_DIAG_TYPE, &unit, sizeof unit));
  CHECK(cusparseSpMatSetAttribute(upper, CUSPARSE_SPMAT_FILL_MODE, &up, sizeof up));
  CHECK(cusparseSpMatSetAttribute(upper, CUSPARSE_SPMAT_DIAG_TYPE, &not_unit, sizeof not_unit));
  CHECK(cusparseSpSV_createDescr(&of_lower));
  CHECK(cusparseSpSV_createDescr(&of_upper));
  cusparseDnVecDescr_t vb, vr;
  CHECK(cusparseCreateDnVec(&vb, n, d_b, CUDA_R_64F));
  CHECK(cusparseCreateDnVec(&vr, n, r, CUDA_R_64F));
  const cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
  // Each analysis keeps its buffer until the last solution.
  const auto solved = [&](cusparseSpMatDescr_t m, cusparseDnVecDescr_t from, cusparseDnVecDescr_t to, cusparseSpSVDescr_t keeps) {
    size_t size = 0;
    void *work;
    CHECK(cusparseSpSV_bufferSize(handle, plain, &one, m, from, to, CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, keeps, &size));
    EXPECT(size > 0 && cudaMalloc(&work, size) == cudaSuccess);
    CHECK(cusparseSpSV_analysis(handle, plain, &one, m, from, to, CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, keeps, work));
    CHECK(cusparseSpSV_solve(handle, plain, &one, m, from, to, CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, keeps));
    return work;
  };
  EXPECT(cusparseSpSV_solve(handle, plain, &one, lower, vb, vr, CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, of_lower) ==
         CUSPARSE_STATUS_NOT_INITIALIZED);
#ifdef __CPU_DEVICE__  // cuSPARSE 12.6 divides by zero
  EXPECT(cusparseSpSV_analysis(handle, plain, &one, lower, vb, vr, CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, of_lower, nullptr) ==
         CUSPARSE_STATUS_INVALID_VALUE);
#endif
  void *const first = solved(lower, vb, vr, of_lower), *const second = solved(upper, vr, vp, of_upper);
  u = to_host(p, n);
  for (int i = 0; i < n; i++) EXPECT(fabs(u[i] - 0.5 * (i + 1) * (n - i)) < 1e-8);
  printf("%d steps, then 1\n", steps);
  cudaFree(first);
  cudaFree(second);
  cublasDestroy(blas);
}

int main() {
  cusparseHandle_t handle;
  CHECK(cusparseCreate(&handle));
  products<float>(handle, CUDA_R_32F, CUSPARSE_INDEX_BASE_ZERO);
  products<double>(handle, CUDA_R_64F, CUSPARSE_INDEX_BASE_ONE);
  products<std::complex<float>>(handle, CUDA_C_32F, CUSPARSE_INDEX_BASE_ZERO);
  products<std::complex<double>>(handle, CUDA_C_64F, CUSPARSE_INDEX_BASE_ONE);
  solve(handle);
  CHECK(cusparseDestroy(handle));
  printf(bad == 0 ? "ok\n" : "%d wrong\n", bad);
  return bad != 0;
}
