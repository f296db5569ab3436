// cuBLAS of real numbers: vectors, vectors and a matrix, matrices, LU factors.
#include "cublas_internal.h"

using namespace cpu_device;

// The index, from 1, of the first smallest (or largest) magnitude; OpenBLAS has none for the smallest.
template <typename T, typename Better>
static int extreme(int n, const T* x, int step, Better better) {
  if (n < 1 || step < 1) return 0;
  int best = 0;
  for (int i = 1; i < n; i++)
    if (better(std::abs(x[static_cast<size_t>(i) * step]), std::abs(x[static_cast<size_t>(best) * step])))
      best = i;
  return best + 1;
}
template <typename T>
static T at(const T* a, int pitch, cublasOperation_t op, int row, int column) {
  return op == CUBLAS_OP_N ? a[row + static_cast<size_t>(column) * pitch]
                           : a[column + static_cast<size_t>(row) * pitch];
}

// ---- LU factors ----

// Of an n x n matrix, in its place; pivots count from 1, as in LAPACK. Returns the first column without
// a pivot, from 1, or 0.
template <typename T>
static int factorize(int n, T* a, int lda, int* pivots) {
  const auto at = [=](int row, int column) -> T& { return a[row + static_cast<size_t>(column) * lda]; };
  int singular = 0;
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int row = k + 1; pivots != nullptr && row < n; row++)
      if (std::abs(at(row, k)) > std::abs(at(best, k))) best = row;
    if (pivots != nullptr) pivots[k] = best + 1;
    if (at(best, k) == T(0)) {
      if (singular == 0) singular = k + 1;
      continue;
    }
    for (int column = 0; best != k && column < n; column++) std::swap(at(k, column), at(best, column));
    for (int row = k + 1; row < n; row++) at(row, k) /= at(k, k);
    for (int column = k + 1; column < n; column++)
      for (int row = k + 1; row < n; row++) at(row, column) -= at(row, k) * at(k, column);
  }
  return singular;
}
template <typename T>
static int first_zero(int n, const T* a, int lda) {
  for (int k = 0; k < n; k++)
    if (a[k + static_cast<size_t>(k) * lda] == T(0)) return k + 1;
  return 0;
}
// op(A) x = b for each column of b, which becomes x.
template <typename T>
static void solve(cublasOperation_t op, int n, int columns, const T* lu, int lda, const int* pivots,
                  T* b, int ldb) {
  const auto change_rows = [=](int k) {
    for (int column = 0; pivots != nullptr && column < columns; column++)
      std::swap(b[k + static_cast<size_t>(column) * ldb],
                b[pivots[k] - 1 + static_cast<size_t>(column) * ldb]);
  };
  const auto triangle = [=](cublasFillMode_t fill, cublasDiagType_t diagonal) {
    blas(letter<T>, "trsm", kByColumns, of(CUBLAS_SIDE_LEFT), of(fill), of(op), of(diagonal), n, columns,
         T(1), lu, lda, b, ldb);
  };
  if (op == CUBLAS_OP_N) {
    for (int k = 0; k < n; k++) change_rows(k);
    triangle(CUBLAS_FILL_MODE_LOWER, CUBLAS_DIAG_UNIT);
    triangle(CUBLAS_FILL_MODE_UPPER, CUBLAS_DIAG_NON_UNIT);
  } else {
    triangle(CUBLAS_FILL_MODE_UPPER, CUBLAS_DIAG_NON_UNIT);
    triangle(CUBLAS_FILL_MODE_LOWER, CUBLAS_DIAG_UNIT);
    for (int k = n; k-- > 0;) change_rows(k);
  }
}
// For a checked run: the matrix was found through a pointer on the device.
template <typename T>
static void tell_written(T* a, int rows, int columns, int pitch, Site site) {
  check::copied(a, pitch * sizeof(T), nullptr, 0, rows * sizeof(T), static_cast<size_t>(columns), site);
}

#define T float
#define NAMED(NAME) cublasS##NAME
#define AMAX cublasIsamax
#define AMIN cublasIsamin
#define ASUM cublasSasum
#define NRM2 cublasSnrm2
#include "cublas_real.inc"
#undef T
#undef NAMED
#undef AMAX
#undef AMIN
#undef ASUM
#undef NRM2

#define T double
#define NAMED(NAME) cublasD##NAME
#define AMAX cublasIdamax
#define AMIN cublasIdamin
#define ASUM cublasDasum
#define NRM2 cublasDnrm2
#include "cublas_real.inc"
