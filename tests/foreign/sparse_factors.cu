// In the manner of preconditioners: incomplete LU factors of random patterns, the row without a pivot, and systems with one
// triangle of a matrix that has both, in each direction; all against the same steps with dense matrices.
#include <cusparse.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                               \
  do {                                                                            \
    const cusparseStatus_t status = (call);                                       \
    if (status != CUSPARSE_STATUS_SUCCESS) {                                      \
      fprintf(stderr, "line %d: %s\n", __LINE__, cusparseGetErrorString(status)); \
      exit(1);                                                                    \
    }                                                                             \
  } while (0)

const int n = 9;
int wrong = 0;

// A matrix with about half of its elements, and all of the diagonal but those that are left out.
struct Sparse {
  double all[n][n] = {};
  bool there[n][n] = {};
  std::vector<int> starts, columns;
  std::vector<double> values;
  int *d_starts = nullptr, *d_columns = nullptr;
  double *d_values = nullptr;

  Sparse(int seed, int base, int no_pivot) {
    srand(seed);
    for (int i = 0; i < n; i++) {
      starts.push_back((int)columns.size() + base);
      for (int j = 0; j < n; j++) {
        const double value = (rand() % 2000 - 1000) / 500.0 + (i == j ? 20 : 0);
        if (i != j && rand() % 2) continue;
        if (i == j && no_pivot >= 0 && (i == no_pivot || i == no_pivot + 2)) continue;
        there[i][j] = true;
        all[i][j] = value;
        columns.push_back(j + base);
        values.push_back(value);
      }
    }
    starts.push_back((int)columns.size() + base);
    cudaMalloc(&d_starts, starts.size() * sizeof(int));
    cudaMalloc(&d_columns, columns.size() * sizeof(int));
    cudaMalloc(&d_values, values.size() * sizeof(double));
    cudaMemcpy(d_starts, starts.data(), starts.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_columns, columns.data(), columns.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_values, values.data(), values.size() * sizeof(double), cudaMemcpyHostToDevice);
  }
  ~Sparse() { cudaFree(d_starts), cudaFree(d_columns), cudaFree(d_values); }
  Sparse(const Sparse &) = delete;
  int nonzeros() const { return (int)values.size(); }
};

void factors(cusparseHandle_t handle, int seed, int base, int no_pivot) {
  Sparse a(seed, base, no_pivot);
  csrilu02Info_t info;
  cusparseMatDescr_t descriptor;
  CHECK(cusparseCreateCsrilu02Info(&info));
  CHECK(cusparseCreateMatDescr(&descriptor));
  CHECK(cusparseSetMatIndexBase(descriptor, base ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO));
  int bytes = 0, position = -2;
  void *buffer;
  CHECK(cusparseDcsrilu02_bufferSize(handle, n, a.nonzeros(), descriptor, a.d_values, a.d_starts, a.d_columns, info, &bytes));
  cudaMalloc(&buffer, bytes);
  CHECK(cusparseDcsrilu02_analysis(handle, n, a.nonzeros(), descriptor, a.d_values, a.d_starts, a.d_columns, info,
                                   CUSPARSE_SOLVE_POLICY_NO_LEVEL, buffer));
  CHECK(cusparseDcsrilu02(handle, n, a.nonzeros(), descriptor, a.d_values, a.d_starts, a.d_columns, info,
                          CUSPARSE_SOLVE_POLICY_NO_LEVEL, buffer));
  const cusparseStatus_t status = cusparseXcsrilu02_zeroPivot(handle, info, &position);
  if (no_pivot >= 0) {
    if (status != CUSPARSE_STATUS_ZERO_PIVOT || position != no_pivot + base)
      wrong++, fprintf(stderr, "no pivot in row %d, base %d: status %d, position %d\n", no_pivot, base, status, position);
  } else {
    if (status != CUSPARSE_STATUS_SUCCESS || position != -1)
      wrong++, fprintf(stderr, "seed %d, base %d: status %d, position %d\n", seed, base, status, position);
    for (int i = 1; i < n; i++)
      for (int k = 0; k < i; k++) {
        if (!a.there[i][k]) continue;
        a.all[i][k] /= a.all[k][k];
        for (int j = k + 1; j < n; j++)
          if (a.there[i][j]) a.all[i][j] -= a.all[i][k] * a.all[k][j];
      }
    std::vector<double> got(a.values.size());
    cudaMemcpy(got.data(), a.d_values, got.size() * sizeof(double), cudaMemcpyDeviceToHost);
    for (int i = 0, at = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        if (!a.there[i][j]) continue;
        if (fabs(got[at] - a.all[i][j]) > 1e-12)
          wrong++, fprintf(stderr, "seed %d, base %d, row %d, column %d: %g, expected %g\n", seed, base, i, j, got[at], a.all[i][j]);
        at++;
      }
  }
  cudaFree(buffer);
  CHECK(cusparseDestroyCsrilu02Info(info));
  CHECK(cusparseDestroyMatDescr(descriptor));
}

void triangles(cusparseHandle_t handle, int seed, int base) {
  const Sparse a(seed, base, -1);
  std::vector<double> right(n), got(n);
  for (int i = 0; i < n; i++) right[i] = i * i - 7;
  double *d_right, *d_x;
  cudaMalloc(&d_right, n * sizeof(double));
  cudaMalloc(&d_x, n * sizeof(double));
  cudaMemcpy(d_right, right.data(), n * sizeof(double), cudaMemcpyHostToDevice);
  for (cusparseFillMode_t fill : {CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER})
    for (cusparseDiagType_t diagonal : {CUSPARSE_DIAG_TYPE_UNIT, CUSPARSE_DIAG_TYPE_NON_UNIT})
      for (cusparseOperation_t op : {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE}) {
        cusparseSpMatDescr_t m;
        cusparseDnVecDescr_t b, x;
        cusparseSpSVDescr_t plan;
        CHECK(cusparseCreateCsr(&m, n, n, a.nonzeros(), a.d_starts, a.d_columns, a.d_values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                base ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
        CHECK(cusparseSpMatSetAttribute(m, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
        CHECK(cusparseSpMatSetAttribute(m, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof diagonal));
        CHECK(cusparseCreateDnVec(&b, n, d_right, CUDA_R_64F));
        CHECK(cusparseCreateDnVec(&x, n, d_x, CUDA_R_64F));
        CHECK(cusparseSpSV_createDescr(&plan));
        const double two = 2;
        size_t bytes = 0;
        void *buffer;
        CHECK(cusparseSpSV_bufferSize(handle, op, &two, m, b, x, CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, plan, &bytes));
        cudaMalloc(&buffer, bytes + 1);
        CHECK(cusparseSpSV_analysis(handle, op, &two, m, b, x, CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, plan, buffer));
        CHECK(cusparseSpSV_solve(handle, op, &two, m, b, x, CUDA_R_64F, CUSPARSE_SPSV_ALG_DEFAULT, plan));
        cudaMemcpy(got.data(), d_x, n * sizeof(double), cudaMemcpyDeviceToHost);
        for (int i = 0; i < n; i++) {  // op(triangle) x = 2 b
          double sum = 0;
          for (int j = 0; j < n; j++) {
            const int row = op == CUSPARSE_OPERATION_TRANSPOSE ? j : i, column = op == CUSPARSE_OPERATION_TRANSPOSE ? i : j;
            const bool inside = fill == CUSPARSE_FILL_MODE_LOWER ? column < row : column > row;
            if (inside) sum += a.all[row][column] * got[j];
            if (row == column) sum += (diagonal == CUSPARSE_DIAG_TYPE_UNIT ? 1 : a.all[row][row]) * got[j];
          }
          if (!(fabs(sum - 2 * right[i]) < 1e-6 * (1 + fabs(right[i]))))
            wrong++, fprintf(stderr, "seed %d, base %d, fill %d, diagonal %d, operation %d, row %d: %g, expected %g\n", seed, base, fill,
                             diagonal, op, i, sum, 2 * right[i]);
        }
        cudaFree(buffer);
        CHECK(cusparseSpSV_destroyDescr(plan));
        CHECK(cusparseDestroyDnVec(b));
        CHECK(cusparseDestroyDnVec(x));
        CHECK(cusparseDestroySpMat(m));
      }
  cudaFree(d_right), cudaFree(d_x);
}

int main() {
  cusparseHandle_t handle;
  CHECK(cusparseCreate(&handle));
  for (int base : {0, 1}) {
    for (int seed = 1; seed <= 5; seed++) factors(handle, seed, base, -1), triangles(handle, seed, base);
    for (int row = 0; row < n; row++) factors(handle, row, base, row);
  }
  CHECK(cusparseDestroy(handle));
  puts(wrong ? "wrong" : "right");
  return wrong != 0;
}
