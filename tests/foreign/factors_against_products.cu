// In the manner of the test suites of LAPACK: each factorization of random matrices in both precisions, with every option and with
// pitches, put together again; what lies between the columns, and in the triangle that is not used, stays. Each size below 0 is
// refused.
#include <cusolverDn.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <random>
#include <type_traits>
#include <vector>

int wrong = 0;
std::mt19937 engine(61);
int random_to(int n) { return static_cast<int>(engine() % n); }  // 0 to n - 1
bool coin() { return engine() % 2 != 0; }
char now[200];  // what is tested
void failed(int line, const char *what) { wrong++, printf("line %d: %s: %s\n", line, now, what); }
#define EXPECT(...) ((__VA_ARGS__) ? void() : failed(__LINE__, #__VA_ARGS__))
#define GOOD(call) EXPECT((call) == CUSOLVER_STATUS_SUCCESS)

// NAME<T>(...) calls the function of the type.
#define OF_BOTH(NAME)                            \
  template <typename T, typename... A>           \
  cusolverStatus_t NAME(A... a) {                \
    if constexpr (std::is_same<T, float>::value) \
      return cusolverDnS##NAME(a...);            \
    else                                         \
      return cusolverDnD##NAME(a...);            \
  }
OF_BOTH(getrf)
OF_BOTH(getrf_bufferSize)
OF_BOTH(getrs)
OF_BOTH(potrf)
OF_BOTH(potrf_bufferSize)
OF_BOTH(potrs)
OF_BOTH(geqrf)
OF_BOTH(geqrf_bufferSize)
OF_BOTH(orgqr)
OF_BOTH(orgqr_bufferSize)
OF_BOTH(ormqr)
OF_BOTH(ormqr_bufferSize)
OF_BOTH(syevd)
OF_BOTH(syevd_bufferSize)
OF_BOTH(gesvd)
OF_BOTH(gesvd_bufferSize)

// A matrix with a pitch, in managed memory. Between its columns there is 77.
template <typename T>
struct Matrix {
  int rows, columns, pitch;
  T *all;
  Matrix(int r, int c) : rows(r), columns(c), pitch(std::max(1, r) + random_to(3)) {
    cudaMallocManaged(&all, (pitch * std::max(1, c) + 4) * sizeof(T));
    std::fill_n(all, pitch * std::max(1, c) + 4, T(77));
    for (int i = 0; i < r; i++)
      for (int k = 0; k < c; k++) at(i, k) = T(random_to(2001) - 1000) / 500;
  }
  Matrix(const Matrix &other) : Matrix(other.rows, other.columns) {
    for (int i = 0; i < rows; i++)
      for (int k = 0; k < columns; k++) at(i, k) = other.at(i, k);
  }
  ~Matrix() { cudaFree(all); }
  Matrix &operator=(const Matrix &) = delete;
  T &at(int i, int k) { return all[i + k * pitch]; }
  T at(int i, int k) const { return all[i + k * pitch]; }
  bool gaps_stay() const {
    for (int i = 0; i < pitch * columns + 4; i++)
      if ((i % pitch >= rows || i / pitch >= columns) && all[i] != T(77)) return false;
    return true;
  }
};
template <typename T>
bool near(double a, double b) {
  return std::fabs(a - b) <= (sizeof(T) == 4 ? 2e-3 : 1e-9) * (1 + std::fabs(b));
}
// Whether op(A) op(B) is C.
template <typename T>
bool product_is(const Matrix<T> &a, bool turn_a, const Matrix<T> &b, bool turn_b, const Matrix<T> &c) {
  const int inner = turn_a ? a.rows : a.columns;
  for (int i = 0; i < c.rows; i++)
    for (int k = 0; k < c.columns; k++) {
      double sum = 0;
      for (int j = 0; j < inner; j++) sum += double(turn_a ? a.at(j, i) : a.at(i, j)) * (turn_b ? b.at(k, j) : b.at(j, k));
      if (!near<T>(sum, c.at(i, k))) return false;
    }
  return true;
}

template <typename T>
struct Suite {
  cusolverDnHandle_t handle;
  int *info, *pivots;
  T *work = nullptr, *values, *tau;
  explicit Suite(cusolverDnHandle_t used) : handle(used) {
    cudaMallocManaged(&info, sizeof *info), cudaMallocManaged(&pivots, 16 * sizeof *pivots);
    cudaMallocManaged(&values, 16 * sizeof *values), cudaMallocManaged(&tau, 16 * sizeof *tau);
  }
  ~Suite() { cudaFree(info), cudaFree(pivots), cudaFree(work), cudaFree(values), cudaFree(tau); }
  T *room(int size) {
    EXPECT(size >= 0);
    cudaFree(work);
    cudaMalloc(&work, (size + 1) * sizeof(T));
    *info = 99;
    return work;
  }
  void done() {
    cudaDeviceSynchronize();
    EXPECT(*info == 0);
  }

  void lu() {
    const int n = 1 + random_to(6), columns = 1 + random_to(3);
    const bool with_pivots = coin();
    const auto op = coin() ? CUBLAS_OP_T : CUBLAS_OP_N;
    snprintf(now, sizeof now, "LU of %d x %d, %s pivots, operation %d, %zu bytes", n, n, with_pivots ? "with" : "without", op,
             sizeof(T));
    Matrix<T> a(n, n), b(n, columns);
    for (int i = 0; i < n; i++) a.at(with_pivots ? (i + 1) % n : i, i) += 12;
    Matrix<T> f(a), x(b);
    int size = -1;
    GOOD(getrf_bufferSize<T>(handle, n, n, f.all, f.pitch, &size));
    GOOD(getrf<T>(handle, n, n, f.all, f.pitch, room(size), with_pivots ? pivots : nullptr, info)), done();
    // L U is the matrix with its rows in another order.
    Matrix<T> l(f), u(f), mixed(a);
    for (int i = 0; i < n; i++)
      for (int k = 0; k < n; k++) {
        if (i <= k) l.at(i, k) = i == k;
        if (i > k) u.at(i, k) = 0;
      }
    for (int i = 0; with_pivots && i < n; i++)
      for (int k = 0; k < n; k++) std::swap(mixed.at(i, k), mixed.at(pivots[i] - 1, k));
    EXPECT(product_is(l, false, u, false, mixed));
    GOOD(getrs<T>(handle, op, n, columns, f.all, f.pitch, with_pivots ? pivots : nullptr, x.all, x.pitch, info)), done();
    EXPECT(product_is(a, op == CUBLAS_OP_T, x, false, b) && f.gaps_stay() && x.gaps_stay());
    // More rows than columns, and fewer.
    const int m = 1 + random_to(6);
    Matrix<T> other(m, n), g(other);
    GOOD(getrf_bufferSize<T>(handle, m, n, g.all, g.pitch, &size));
    GOOD(getrf<T>(handle, m, n, g.all, g.pitch, room(size), pivots, info)), done();
    const int k = std::min(m, n);
    Matrix<T> lower(m, k), upper(k, n), order(other);
    for (int i = 0; i < m; i++)
      for (int j = 0; j < k; j++) lower.at(i, j) = i > j ? g.at(i, j) : i == j;
    for (int i = 0; i < k; i++)
      for (int j = 0; j < n; j++) upper.at(i, j) = i <= j ? g.at(i, j) : 0;
    for (int i = 0; i < k; i++)
      for (int j = 0; j < n; j++) std::swap(order.at(i, j), order.at(pivots[i] - 1, j));
    EXPECT(product_is(lower, false, upper, false, order) && g.gaps_stay());
  }

  void cholesky() {
    const int n = 1 + random_to(6), columns = 1 + random_to(3);
    const auto fill = coin() ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
    snprintf(now, sizeof now, "Cholesky of %d x %d, triangle %d, %zu bytes", n, n, fill, sizeof(T));
    Matrix<T> a(n, n), b(n, columns);
    for (int i = 0; i < n; i++)
      for (int k = 0; k <= i; k++) a.at(i, k) = a.at(k, i) = a.at(i, k) + (i == k ? 20 : 0);
    Matrix<T> f(a), x(b);
    const auto inside = [&](int i, int k) { return fill == CUBLAS_FILL_MODE_LOWER ? i >= k : i <= k; };
    for (int i = 0; i < n; i++)
      for (int k = 0; k < n; k++)
        if (!inside(i, k)) f.at(i, k) = 55;
    int size = -1;
    GOOD(potrf_bufferSize<T>(handle, fill, n, f.all, f.pitch, &size));
    GOOD(potrf<T>(handle, fill, n, f.all, f.pitch, room(size), size, info)), done();
    Matrix<T> triangle(f);
    bool stays = true;
    for (int i = 0; i < n; i++)
      for (int k = 0; k < n; k++)
        if (!inside(i, k)) stays = stays && f.at(i, k) == 55, triangle.at(i, k) = 0;
    EXPECT(stays && product_is(triangle, fill == CUBLAS_FILL_MODE_UPPER, triangle, fill == CUBLAS_FILL_MODE_LOWER, a));
    GOOD(potrs<T>(handle, fill, n, columns, f.all, f.pitch, x.all, x.pitch, info)), done();
    EXPECT(product_is(a, false, x, false, b) && f.gaps_stay() && x.gaps_stay());
    // The first minor that is not positive, from 1.
    const int bad = random_to(n);
    for (int i = 0; i < n; i++)
      for (int k = 0; k < n; k++) f.at(i, k) = i == k ? (i >= bad ? -1 : 4) : 0;
    GOOD(potrf<T>(handle, fill, n, f.all, f.pitch, room(size), size, info));
    cudaDeviceSynchronize();
    EXPECT(*info == bad + 1);
  }

  void qr() {
    const int n = 1 + random_to(5), m = n + random_to(4), other = 1 + random_to(4);
    const auto side = coin() ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
    const auto op = coin() ? CUBLAS_OP_T : CUBLAS_OP_N;
    snprintf(now, sizeof now, "QR of %d x %d, side %d, operation %d, %zu bytes", m, n, side, op, sizeof(T));
    Matrix<T> a(m, n), f(a);
    int size = -1;
    GOOD(geqrf_bufferSize<T>(handle, m, n, f.all, f.pitch, &size));
    GOOD(geqrf<T>(handle, m, n, f.all, f.pitch, tau, room(size), size, info)), done();
    // All of Q.
    Matrix<T> q(m, m), r(m, n);
    for (int i = 0; i < m; i++) {
      for (int k = 0; k < n; k++) q.at(i, k) = f.at(i, k), r.at(i, k) = i <= k ? f.at(i, k) : 0;
      for (int k = n; k < m; k++) q.at(i, k) = 5;
    }
    GOOD(orgqr_bufferSize<T>(handle, m, m, n, q.all, q.pitch, tau, &size));
    GOOD(orgqr<T>(handle, m, m, n, q.all, q.pitch, tau, room(size), size, info)), done();
    Matrix<T> one(m, m);
    for (int i = 0; i < m; i++)
      for (int k = 0; k < m; k++) one.at(i, k) = i == k;
    EXPECT(product_is(q, true, q, false, one) && product_is(q, false, r, false, a) && q.gaps_stay() && f.gaps_stay());
    Matrix<T> c(side == CUBLAS_SIDE_LEFT ? m : other, side == CUBLAS_SIDE_LEFT ? other : m), d(c);
    GOOD(ormqr_bufferSize<T>(handle, side, op, d.rows, d.columns, n, f.all, f.pitch, tau, d.all, d.pitch, &size));
    GOOD(ormqr<T>(handle, side, op, d.rows, d.columns, n, f.all, f.pitch, tau, d.all, d.pitch, room(size), size, info)), done();
    EXPECT((side == CUBLAS_SIDE_LEFT ? product_is(q, op == CUBLAS_OP_T, c, false, d)
                                     : product_is(c, false, q, op == CUBLAS_OP_T, d)) &&
           d.gaps_stay());
  }

  void eigenvalues() {
    const int n = 1 + random_to(6);
    const auto fill = coin() ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
    snprintf(now, sizeof now, "eigenvalues of %d x %d, triangle %d, %zu bytes", n, n, fill, sizeof(T));
    Matrix<T> a(n, n);
    for (int i = 0; i < n; i++)
      for (int k = 0; k < i; k++) a.at(k, i) = a.at(i, k);
    std::vector<T> only_values;
    for (const auto mode : {CUSOLVER_EIG_MODE_NOVECTOR, CUSOLVER_EIG_MODE_VECTOR}) {
      Matrix<T> v(a);
      for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
          if (fill == CUBLAS_FILL_MODE_LOWER ? i < k : i > k) v.at(i, k) = 33;
      int size = -1;
      GOOD(syevd_bufferSize<T>(handle, mode, fill, n, v.all, v.pitch, values, &size));
      GOOD(syevd<T>(handle, mode, fill, n, v.all, v.pitch, values, room(size), size, info)), done();
      EXPECT(std::is_sorted(values, values + n) && v.gaps_stay());
      if (mode == CUSOLVER_EIG_MODE_NOVECTOR) {
        only_values.assign(values, values + n);
        continue;
      }
      Matrix<T> scaled(v), one(n, n);
      for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) scaled.at(i, k) *= values[k], one.at(i, k) = i == k;
      EXPECT(product_is(v, true, v, false, one) && product_is(a, false, v, false, scaled));
      for (int i = 0; i < n; i++) EXPECT(near<T>(values[i], only_values[i]));
    }
  }

  void singular_values() {
    const int n = 1 + random_to(5), m = n + random_to(3);
    for (const char left : {'A', 'S', 'N', 'O'})
      for (const char right : {'A', 'S', 'N'}) {
        snprintf(now, sizeof now, "singular values of %d x %d, %c %c, %zu bytes", m, n, left, right, sizeof(T));
        Matrix<T> a(m, n), f(a), u(m, left == 'A' ? m : n), vt(n, n);
        int size = -1;
        GOOD(gesvd_bufferSize<T>(handle, m, n, &size));
        GOOD(gesvd<T>(handle, left, right, m, n, f.all, f.pitch, values, u.all, u.pitch, vt.all, vt.pitch, room(size), size,
                      nullptr, info)),
            done();
        EXPECT(std::is_sorted(values, values + n, [](T x, T y) { return x > y; }) && values[n - 1] >= 0 && f.gaps_stay() &&
               u.gaps_stay() && vt.gaps_stay());
        double squares = 0, of_values = 0;
        for (int i = 0; i < m; i++)
          for (int k = 0; k < n; k++) squares += double(a.at(i, k)) * a.at(i, k);
        for (int k = 0; k < n; k++) of_values += double(values[k]) * values[k];
        EXPECT(near<T>(of_values, squares));
        if (left == 'N' || right == 'N') continue;
        Matrix<T> scaled(m, n);
        for (int i = 0; i < m; i++)
          for (int k = 0; k < n; k++) scaled.at(i, k) = (left == 'O' ? f : u).at(i, k) * values[k];
        EXPECT(product_is(scaled, false, vt, false, a));
      }
  }

  void refused() {
    snprintf(now, sizeof now, "a size below 0");
    Matrix<T> a(4, 4), b(4, 4);
    const auto bad = [&](cusolverStatus_t status, int line) {
      if (status != CUSOLVER_STATUS_INVALID_VALUE) failed(line, "not refused");
    };
#define BAD(call) bad(call, __LINE__)
    T *const x = a.all, *const y = b.all, *const w = room(100);
    const auto lower = CUBLAS_FILL_MODE_LOWER;
    const auto left = CUBLAS_SIDE_LEFT;
    BAD(getrf<T>(handle, -1, 2, x, 4, w, pivots, info)), BAD(getrf<T>(handle, 2, -1, x, 4, w, pivots, info));
    BAD(getrs<T>(handle, CUBLAS_OP_N, -1, 2, x, 4, pivots, y, 4, info)),
        BAD(getrs<T>(handle, CUBLAS_OP_N, 2, -1, x, 4, pivots, y, 4, info));
    BAD(potrf<T>(handle, lower, -1, x, 4, w, 100, info)), BAD(potrs<T>(handle, lower, -1, 2, x, 4, y, 4, info));
    BAD(potrs<T>(handle, lower, 2, -1, x, 4, y, 4, info)), BAD(geqrf<T>(handle, -1, 2, x, 4, tau, w, 100, info));
    BAD(geqrf<T>(handle, 2, -1, x, 4, tau, w, 100, info)), BAD(orgqr<T>(handle, 2, -1, 1, x, 4, tau, w, 100, info));
    BAD(orgqr<T>(handle, -1, 2, 1, x, 4, tau, w, 100, info)), BAD(orgqr<T>(handle, 2, 2, -1, x, 4, tau, w, 100, info));
    BAD(ormqr<T>(handle, left, CUBLAS_OP_N, -1, 2, 1, x, 4, tau, y, 4, w, 100, info));
    BAD(ormqr<T>(handle, left, CUBLAS_OP_N, 2, -1, 1, x, 4, tau, y, 4, w, 100, info));
    BAD(syevd<T>(handle, CUSOLVER_EIG_MODE_VECTOR, lower, -1, x, 4, values, w, 100, info));
    BAD(gesvd<T>(handle, 'N', 'N', -1, 2, x, 4, values, y, 4, y, 4, w, 100, nullptr, info));
    BAD(gesvd<T>(handle, 'N', 'N', 2, -1, x, 4, values, y, 4, y, 4, w, 100, nullptr, info));
    cudaDeviceSynchronize();
    EXPECT(*info == 99);
  }
};

int main() {
  cusolverDnHandle_t handle;
  if (cusolverDnCreate(&handle) != CUSOLVER_STATUS_SUCCESS) return 77;  // no OpenBLAS
  cudaStream_t stream, got = nullptr;
  cudaStreamCreate(&stream);
  for (const cudaStream_t set : {stream, static_cast<cudaStream_t>(nullptr), stream}) {
    GOOD(cusolverDnSetStream(handle, set)), GOOD(cusolverDnGetStream(handle, &got));
    EXPECT(got == set);
  }
  Suite<float> of_float(handle);
  Suite<double> of_double(handle);
  const auto all = [](auto &suite) {
    for (int i = 0; i < 25; i++) suite.lu(), suite.cholesky(), suite.qr(), suite.eigenvalues();
    for (int i = 0; i < 5; i++) suite.singular_values();
#ifdef __CPU_DEVICE__  // a GPU says other errors, or takes them as empty
    suite.refused();
#endif
  };
  all(of_float), all(of_double);
#ifdef __CPU_DEVICE__  // cuSOLVER 12 ends in a segmentation fault
  EXPECT(cusolverDnSetStream(nullptr, stream) == CUSOLVER_STATUS_NOT_INITIALIZED &&
         cusolverDnDestroy(nullptr) == CUSOLVER_STATUS_NOT_INITIALIZED);
#endif
  GOOD(cusolverDnDestroy(handle));
  cudaStreamDestroy(stream);
  puts(wrong ? "wrong" : "right");
  return wrong != 0;
}
