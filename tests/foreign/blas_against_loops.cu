// In the manner of the test suites of BLAS libraries: random calls of each function with all of its options, steps, pitches and
// both pointer modes, against loops. What a call must not read is NaN, and all that it must not write is compared as well.
#include <cublas_v2.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

typedef std::complex<double> Number;
int wrong = 0;
std::mt19937 engine(37);
int random_to(int n) { return static_cast<int>(engine() % n); }  // 0 to n - 1
bool coin() { return engine() % 2 != 0; }

template <typename T>
struct Kind {
  static constexpr bool is_complex = false, is_half = std::is_same<T, __half>::value;
  static Number number(T x) { return static_cast<double>(static_cast<float>(x)); }
  static T of(Number x) { return T(static_cast<float>(x.real())); }
  typedef T Real;
};
template <>
struct Kind<double> {
  static constexpr bool is_complex = false, is_half = false;
  static Number number(double x) { return x; }
  static double of(Number x) { return x.real(); }
  typedef double Real;
};
template <>
struct Kind<cuComplex> {
  static constexpr bool is_complex = true, is_half = false;
  static Number number(cuComplex x) { return {x.x, x.y}; }
  static cuComplex of(Number x) { return {static_cast<float>(x.real()), static_cast<float>(x.imag())}; }
  typedef float Real;
};
template <>
struct Kind<cuDoubleComplex> {
  static constexpr bool is_complex = true, is_half = false;
  static Number number(cuDoubleComplex x) { return {x.x, x.y}; }
  static cuDoubleComplex of(Number x) { return {x.real(), x.imag()}; }
  typedef double Real;
};

// NAME<T>(...) calls the function of the type.
#define OF_REALS(NAME)                           \
  template <typename T, typename... A>           \
  cublasStatus_t NAME(A... a) {                  \
    if constexpr (std::is_same<T, float>::value) \
      return cublasS##NAME(a...);                \
    else                                         \
      return cublasD##NAME(a...);                \
  }
#define OF_COMPLEX(NAME)                             \
  template <typename T, typename... A>               \
  cublasStatus_t NAME(A... a) {                      \
    if constexpr (std::is_same<T, cuComplex>::value) \
      return cublasC##NAME(a...);                    \
    else                                             \
      return cublasZ##NAME(a...);                    \
  }
#define OF_ALL(NAME, HALF)                                      \
  template <typename T, typename... A>                          \
  cublasStatus_t NAME(A... a) {                                 \
    if constexpr (std::is_same<T, float>::value)                \
      return cublasS##NAME(a...);                               \
    else if constexpr (std::is_same<T, double>::value)          \
      return cublasD##NAME(a...);                               \
    else if constexpr (std::is_same<T, cuComplex>::value)       \
      return cublasC##NAME(a...);                               \
    else if constexpr (std::is_same<T, cuDoubleComplex>::value) \
      return cublasZ##NAME(a...);                               \
    else                                                        \
      return HALF;                                              \
  }
OF_ALL(axpy, CUBLAS_STATUS_NOT_SUPPORTED)
OF_ALL(copy, CUBLAS_STATUS_NOT_SUPPORTED)
OF_ALL(swap, CUBLAS_STATUS_NOT_SUPPORTED)
OF_ALL(scal, CUBLAS_STATUS_NOT_SUPPORTED)
OF_ALL(gemm, cublasHgemm(a...))
OF_ALL(gemmBatched, cublasHgemmBatched(a...))
OF_ALL(gemmStridedBatched, cublasHgemmStridedBatched(a...))
OF_REALS(dot)
OF_REALS(rot)
OF_REALS(gemv)
OF_REALS(symv)
OF_REALS(ger)
OF_REALS(trmv)
OF_REALS(trsv)
OF_REALS(symm)
OF_REALS(syrk)
OF_REALS(trsm)
OF_REALS(syr)
OF_REALS(syr2)
OF_REALS(syr2k)
OF_REALS(trmm)
OF_REALS(geam)
OF_REALS(dgmm)
OF_REALS(getrfBatched)
OF_REALS(getriBatched)
OF_REALS(getrsBatched)
OF_COMPLEX(dotu)
OF_COMPLEX(dotc)
#define OF_FOUR(NAME, S, D, C, Z)                         \
  template <typename T, typename... A>                    \
  cublasStatus_t NAME(A... a) {                           \
    if constexpr (std::is_same<T, float>::value)          \
      return S(a...);                                     \
    else if constexpr (std::is_same<T, double>::value)    \
      return D(a...);                                     \
    else if constexpr (std::is_same<T, cuComplex>::value) \
      return C(a...);                                     \
    else                                                  \
      return Z(a...);                                     \
  }
OF_FOUR(nrm2, cublasSnrm2, cublasDnrm2, cublasScnrm2, cublasDznrm2)
OF_FOUR(amax, cublasIsamax, cublasIdamax, cublasIsamax, cublasIdamax)
OF_FOUR(amin, cublasIsamin, cublasIdamin, cublasIsamin, cublasIdamin)
OF_FOUR(asum, cublasSasum, cublasDasum, cublasSasum, cublasDasum)
OF_FOUR(scale_by_real, cublasCsscal, cublasCsscal, cublasCsscal, cublasZdscal)

const int kSize = 400, kFirst = 20, kBatch = 3, kApart = 120;  // elements of each array, and the first that a call sees

// An array on the device, what it shall contain, and what it contained before the call.
template <typename T>
struct Array {
  std::vector<T> before;
  std::vector<Number> wanted;
  T *device;

  Array() : before(kSize), wanted(kSize) { cudaMalloc(&device, kSize * sizeof(T)); }
  ~Array() { cudaFree(device); }
  Array(const Array &) = delete;
  T *first(int batch = 0) { return device + kFirst + batch * kApart; }
  Number &operator[](int i) { return wanted[kFirst + i]; }
  void fill() {
    for (Number &x : wanted) x = {random_to(7) - 3.0, Kind<T>::is_complex ? random_to(7) - 3.0 : 0.0};
  }
  void upload() {
    for (int i = 0; i < kSize; i++) before[i] = Kind<T>::of(wanted[i]);
    cudaMemcpy(device, before.data(), kSize * sizeof(T), cudaMemcpyHostToDevice);
  }
  bool same() {
    std::vector<T> got(kSize);
    cudaMemcpy(got.data(), device, kSize * sizeof(T), cudaMemcpyDeviceToHost);
    const double tolerance = sizeof(typename Kind<T>::Real) == 8 ? 1e-10 : Kind<T>::is_half ? 2e-3 : 2e-4;
    for (int i = 0; i < kSize; i++) {
      const Number x = Kind<T>::number(got[i]), y = wanted[i];
      if (std::isnan(y.real()) ? !std::isnan(x.real()) : !(std::abs(x - y) <= tolerance * (1 + std::abs(y)))) {
        printf("element %d - %d: %g %g, expected %g %g; ", i, kFirst, x.real(), x.imag(), y.real(), y.imag());
        return false;
      }
    }
    return true;
  }
};
const Number kNan(std::nan(""), 0);

// Where element i of a vector is. With a negative step, it begins at its other end.
int place(int n, int step, int i) { return (step < 0 ? i - n + 1 : i) * step; }
int some_step() {
  const int steps[] = {1, 2, 3, -1, -2};
  return steps[random_to(5)];
}
cublasOperation_t some_op(bool conjugate = false) { return static_cast<cublasOperation_t>(random_to(conjugate ? 3 : 2)); }
cublasFillMode_t some_fill() { return coin() ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER; }
cublasDiagType_t some_diagonal() { return coin() ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT; }
cublasSideMode_t some_side() { return coin() ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT; }
bool inside(cublasFillMode_t fill, int row, int column) { return fill == CUBLAS_FILL_MODE_LOWER ? row >= column : row <= column; }

// A matrix as the model sees it: a copy, so that the model can write to the array meanwhile.
struct Copy {
  int rows, columns;
  std::vector<Number> all;
  Number &at(int row, int column) { return all[row + column * rows]; }
};
template <typename T>
Copy copy_of(Array<T> &a, int rows, int columns, int ld, int from = 0) {
  Copy copy{rows, columns, std::vector<Number>(rows * columns)};
  for (int column = 0; column < columns; column++)
    for (int row = 0; row < rows; row++) copy.at(row, column) = a[from + row + column * ld];
  return copy;
}
Copy turned(Copy a, cublasOperation_t op) {
  if (op == CUBLAS_OP_N) return a;
  Copy result{a.columns, a.rows, std::vector<Number>(a.all.size())};
  for (int row = 0; row < a.rows; row++)
    for (int column = 0; column < a.columns; column++)
      result.at(column, row) = op == CUBLAS_OP_C ? std::conj(a.at(row, column)) : a.at(row, column);
  return result;
}
Copy product(Copy a, Copy b) {
  Copy c{a.rows, b.columns, std::vector<Number>(a.rows * b.columns)};
  for (int row = 0; row < a.rows; row++)
    for (int column = 0; column < b.columns; column++)
      for (int k = 0; k < a.columns; k++) c.at(row, column) += a.at(row, k) * b.at(k, column);
  return c;
}
// Puts NaN where the function does not look, and returns the whole matrix.
template <typename T>
Copy symmetric(Array<T> &a, int n, int ld, cublasFillMode_t fill) {
  Copy all{n, n, std::vector<Number>(n * n)};
  for (int row = 0; row < n; row++)
    for (int column = 0; column < n; column++)
      if (inside(fill, row, column))
        all.at(row, column) = all.at(column, row) = a[row + column * ld];
      else
        a[row + column * ld] = kNan;
  return all;
}
template <typename T>
Copy triangular(Array<T> &a, int n, int ld, cublasFillMode_t fill, cublasDiagType_t diagonal) {
  Copy all{n, n, std::vector<Number>(n * n)};
  for (int row = 0; row < n; row++)
    for (int column = 0; column < n; column++) {
      Number &x = a[row + column * ld];
      if (!inside(fill, row, column) || (row == column && diagonal == CUBLAS_DIAG_UNIT))
        x = kNan;
      else if (row == column)
        x = coin() ? 2 : -4;  // so that the quotients are exact
      all.at(row, column) = row == column && diagonal == CUBLAS_DIAG_UNIT ? 1 : inside(fill, row, column) ? x : 0;
    }
  return all;
}
// The solution of a x = b for a triangle.
Copy solved(Copy a, Copy b) {
  const int n = a.rows;
  bool lower = true;
  for (int row = 0; row < n; row++)
    for (int column = row + 1; column < n; column++) lower = lower && a.at(row, column) == 0.0;
  for (int column = 0; column < b.columns; column++)
    for (int i = 0; i < n; i++) {
      const int row = lower ? i : n - 1 - i;
      for (int k = lower ? 0 : row + 1; k < (lower ? row : n); k++) b.at(row, column) -= a.at(row, k) * b.at(k, column);
      b.at(row, column) /= a.at(row, row);
    }
  return b;
}

// All calls of one type.
template <typename T>
struct Suite {
  typedef typename Kind<T>::Real Real;
  cublasHandle_t handle;
  Array<T> a, b, c;
  std::string called;
  bool on_device = false;
  T *device_factors;  // two of them, and a result
  Real *device_real;
  int *device_index;
  T host_factors[2], host_result{};
  Number alpha, beta;

  Suite(cublasHandle_t used) : handle(used) {
    cudaMalloc(&device_factors, 3 * sizeof(T)), cudaMalloc(&device_real, sizeof(Real)), cudaMalloc(&device_index, sizeof(int));
  }
  ~Suite() { cudaFree(device_factors), cudaFree(device_real), cudaFree(device_index); }

  // Before a call: factors, and new numbers. Then the model changes `wanted`, after `upload()`.
  void begin() {
    on_device = coin();
    cublasSetPointerMode(handle, on_device ? CUBLAS_POINTER_MODE_DEVICE : CUBLAS_POINTER_MODE_HOST);
    alpha = {random_to(5) - 2.0, Kind<T>::is_complex ? random_to(5) - 2.0 : 0.0};
    beta = {random_to(4) - 1.0, Kind<T>::is_complex ? random_to(3) - 1.0 : 0.0};
    host_factors[0] = Kind<T>::of(alpha), host_factors[1] = Kind<T>::of(beta);
    cudaMemcpy(device_factors, host_factors, sizeof host_factors, cudaMemcpyHostToDevice);
    a.fill(), b.fill(), c.fill();
  }
  const T *first_factor() { return on_device ? device_factors : host_factors; }
  const T *second_factor() { return first_factor() + 1; }
  void upload() { a.upload(), b.upload(), c.upload(); }
  // C = factor * product + beta * C; what is not kept may be NaN.
  Number mixed(Number product, Number before) { return alpha * product + (beta == 0.0 ? 0.0 : beta * before); }
  void forget(Array<T> &x, int i) {
    if (beta == 0.0) x[i] = kNan;
  }
  void end(const char *name, cublasStatus_t status) {
    if (status == CUBLAS_STATUS_SUCCESS && a.same() && b.same() && c.same()) return;
    wrong++;
    printf("%s, %zu bytes, factors on the %s: status %d\n", name, sizeof(T), on_device ? "device" : "host", status);
  }
  // A result of one number.
  template <typename Result>
  void end(const char *name, cublasStatus_t status, Result *device, const Result &host, Number expected) {
    Result got = host;
    if (on_device) cudaMemcpy(&got, device, sizeof got, cudaMemcpyDeviceToHost);
    Number value;
    if constexpr (std::is_same<Result, int>::value)
      value = got;
    else
      value = Kind<Result>::number(got);
    if (!(std::abs(value - expected) <= 1e-4 * (1 + std::abs(expected))))
      status = CUBLAS_STATUS_INTERNAL_ERROR,
      printf("result %g %g, expected %g %g; ", value.real(), value.imag(), expected.real(), expected.imag());
    end(name, status);
  }

  void vectors() {
    const int n = random_to(8), x = some_step(), y = some_step(), forward = std::abs(x);
    begin(), upload();
    for (int i = 0; i < n; i++) b[place(n, y, i)] += alpha * a[place(n, x, i)];
    end("axpy", axpy<T>(handle, n, first_factor(), a.first(), x, b.first(), y));
    begin(), upload();
    for (int i = 0; i < n; i++) b[place(n, y, i)] = a[place(n, x, i)];
    end("copy", copy<T>(handle, n, a.first(), x, b.first(), y));
    begin(), upload();
    for (int i = 0; i < n; i++) std::swap(a[place(n, x, i)], b[place(n, y, i)]);
    end("swap", swap<T>(handle, n, a.first(), x, b.first(), y));
    begin(), upload();
    for (int i = 0; i < n; i++) a[i * forward] *= alpha;
    end("scal", scal<T>(handle, n, first_factor(), a.first(), forward));
    begin(), upload();
    double squares = 0;
    for (int i = 0; i < n; i++) squares += std::norm(a[i * forward]);
    Real norm = -1;
    const cublasStatus_t measured = nrm2<T>(handle, n, a.first(), forward, on_device ? device_real : &norm);
    end("nrm2", measured, device_real, norm, std::sqrt(squares));
    begin(), upload();
    Number sum = 0, conjugated = 0;
    for (int i = 0; i < n; i++) {
      sum += a[place(n, x, i)] * b[place(n, y, i)];
      conjugated += std::conj(a[place(n, x, i)]) * b[place(n, y, i)];
    }
    T *const result = on_device ? device_factors + 2 : &host_result;
    if constexpr (Kind<T>::is_complex) {
      cublasStatus_t status = dotu<T>(handle, n, a.first(), x, b.first(), y, result);
      end("dotu", status, device_factors + 2, host_result, sum);
      status = dotc<T>(handle, n, a.first(), x, b.first(), y, result);
      end("dotc", status, device_factors + 2, host_result, conjugated);
      begin(), upload();
      const Real factor = static_cast<Real>(alpha.real());
      cudaMemcpy(device_real, &factor, sizeof factor, cudaMemcpyHostToDevice);
      for (int i = 0; i < n; i++) a[i * forward] *= alpha.real();
      end("scal by a real number", scale_by_real<T>(handle, n, on_device ? device_real : &factor, a.first(), forward));
    } else {
      const cublasStatus_t status = dot<T>(handle, n, a.first(), x, b.first(), y, result);
      end("dot", status, device_factors + 2, host_result, sum);
      real_vectors(n, x, y);
    }
  }
  void real_vectors(int n, int x, int y) {
    const int forward = std::abs(x);
    begin(), upload();
    int largest = 0, smallest = 0, index = -1;
    double sum = 0;
    for (int i = 0; i < n; i++) {
      const double value = std::abs(a[i * forward]);
      if (i == 0 || value > std::abs(a[(largest - 1) * forward])) largest = i + 1;
      if (i == 0 || value < std::abs(a[(smallest - 1) * forward])) smallest = i + 1;
      sum += value;
    }
    cublasStatus_t status = amax<T>(handle, n, a.first(), forward, on_device ? device_index : &index);
    end("amax", status, device_index, index, largest);
    status = amin<T>(handle, n, a.first(), forward, on_device ? device_index : &index);
    end("amin", status, device_index, index, smallest);
    status = asum<T>(handle, n, a.first(), forward, on_device ? device_factors + 2 : &host_result);
    end("asum", status, device_factors + 2, host_result, sum);
    begin(), upload();
    for (int i = 0; i < n; i++) {
      Number &p = a[place(n, x, i)], &q = b[place(n, y, i)];
      const Number before = p;
      p = alpha * p + beta * q, q = alpha * q - beta * before;
    }
    end("rot", rot<T>(handle, n, a.first(), x, b.first(), y, first_factor(), second_factor()));
  }

  void matrix_and_vectors() {
    const int m = 1 + random_to(6), n = 1 + random_to(6), x = some_step(), y = some_step(), lda = m + random_to(3),
              ldn = n + random_to(3);
    const cublasOperation_t op = some_op(true);
    const cublasFillMode_t fill = some_fill();
    const cublasDiagType_t diagonal = some_diagonal();
    const auto vector = [](Array<T> &v, int length, int step) {
      Copy copy{length, 1, std::vector<Number>(length)};
      for (int i = 0; i < length; i++) copy.at(i, 0) = v[place(length, step, i)];
      return copy;
    };
    const auto put = [](Array<T> &v, int step, Copy from) {
      for (int i = 0; i < from.rows; i++) v[place(from.rows, step, i)] = from.at(i, 0);
    };
    begin();
    const int from = op == CUBLAS_OP_N ? n : m, to = op == CUBLAS_OP_N ? m : n;
    for (int i = 0; i < to; i++) forget(c, place(to, y, i));
    upload();
    Copy sums = product(turned(copy_of(a, m, n, lda), op), vector(b, from, x));
    for (int i = 0; i < to; i++) c[place(to, y, i)] = mixed(sums.at(i, 0), c[place(to, y, i)]);
    end("gemv", gemv<T>(handle, op, m, n, first_factor(), a.first(), lda, b.first(), x, second_factor(), c.first(), y));

    begin();
    Copy whole = symmetric(a, n, ldn, fill);
    for (int i = 0; i < n; i++) forget(c, place(n, y, i));
    upload();
    sums = product(whole, vector(b, n, x));
    for (int i = 0; i < n; i++) c[place(n, y, i)] = mixed(sums.at(i, 0), c[place(n, y, i)]);
    end("symv", symv<T>(handle, fill, n, first_factor(), a.first(), ldn, b.first(), x, second_factor(), c.first(), y));

    begin(), upload();
    for (int row = 0; row < m; row++)
      for (int column = 0; column < n; column++) a[row + column * lda] += alpha * b[place(m, x, row)] * c[place(n, y, column)];
    end("ger", ger<T>(handle, m, n, first_factor(), b.first(), x, c.first(), y, a.first(), lda));

    begin();
    whole = triangular(a, n, ldn, fill, diagonal);
    upload();
    put(b, x, product(turned(whole, op), vector(b, n, x)));
    end("trmv", trmv<T>(handle, fill, op, diagonal, n, a.first(), ldn, b.first(), x));

    begin();
    whole = triangular(a, n, ldn, fill, diagonal);
    upload();
    put(b, x, solved(turned(whole, op), vector(b, n, x)));
    end("trsv", trsv<T>(handle, fill, op, diagonal, n, a.first(), ldn, b.first(), x));

    begin(), upload();
    for (int row = 0; row < n; row++)
      for (int column = 0; column < n; column++)
        if (inside(fill, row, column)) a[row + column * ldn] += alpha * b[place(n, x, row)] * b[place(n, x, column)];
    end("syr", syr<T>(handle, fill, n, first_factor(), b.first(), x, a.first(), ldn));

    begin(), upload();
    for (int row = 0; row < n; row++)
      for (int column = 0; column < n; column++)
        if (inside(fill, row, column))
          a[row + column * ldn] +=
              alpha * (b[place(n, x, row)] * c[place(n, y, column)] + c[place(n, y, row)] * b[place(n, x, column)]);
    end("syr2", syr2<T>(handle, fill, n, first_factor(), b.first(), x, c.first(), y, a.first(), ldn));
  }

  void matrices() {
    const int m = 1 + random_to(6), n = 1 + random_to(6), k = 1 + random_to(6), ldm = m + random_to(3), ldn = n + random_to(3);
    const cublasOperation_t op = some_op(true);
    const cublasFillMode_t fill = some_fill();
    const cublasDiagType_t diagonal = some_diagonal();
    const cublasSideMode_t side = some_side();
    const int size = side == CUBLAS_SIDE_LEFT ? m : n, lda = size + random_to(3);
    const auto at_side = [side](Copy p, Copy q) { return side == CUBLAS_SIDE_LEFT ? product(p, q) : product(q, p); };
    begin();
    Copy whole = symmetric(a, size, lda, fill);
    for (int i = 0; i < m * n; i++) forget(c, i % m + i / m * ldm);
    upload();
    Copy sums = at_side(whole, copy_of(b, m, n, ldm));
    for (int row = 0; row < m; row++)
      for (int column = 0; column < n; column++) c[row + column * ldm] = mixed(sums.at(row, column), c[row + column * ldm]);
    end("symm", symm<T>(handle, side, fill, m, n, first_factor(), a.first(), lda, b.first(), ldm, second_factor(), c.first(), ldm));

    // C is n x n; only one triangle is read and written.
    for (const bool two : {false, true}) {
      begin();
      const bool plain = op == CUBLAS_OP_N;
      const int rows = plain ? n : k, columns = plain ? k : n, pitch = rows + random_to(3);
      for (int i = 0; i < n * n; i++)
        if (inside(fill, i % n, i / n)) forget(c, i % n + i / n * ldn);
      upload();
      const Copy p = turned(copy_of(a, rows, columns, pitch), op), q = two ? turned(copy_of(b, rows, columns, pitch), op) : p;
      sums = product(p, turned(q, CUBLAS_OP_T));
      Copy others = product(q, turned(p, CUBLAS_OP_T));
      for (int row = 0; row < n; row++)
        for (int column = 0; column < n; column++)
          if (inside(fill, row, column))
            c[row + column * ldn] = mixed(sums.at(row, column) + (two ? others.at(row, column) : 0), c[row + column * ldn]);
      if (two)
        end("syr2k",
            syr2k<T>(handle, fill, op, n, k, first_factor(), a.first(), pitch, b.first(), pitch, second_factor(), c.first(), ldn));
      else
        end("syrk", syrk<T>(handle, fill, op, n, k, first_factor(), a.first(), pitch, second_factor(), c.first(), ldn));
    }

    begin();
    whole = triangular(a, size, lda, fill, diagonal);
    upload();
    Copy scaled = copy_of(b, m, n, ldm);
    for (Number &x : scaled.all) x *= alpha;
    if (side == CUBLAS_SIDE_LEFT)
      sums = solved(turned(whole, op), scaled);
    else
      sums = turned(solved(turned(turned(whole, op), CUBLAS_OP_T), turned(scaled, CUBLAS_OP_T)), CUBLAS_OP_T);
    for (int i = 0; i < m * n; i++) b[i % m + i / m * ldm] = sums.all[i];
    end("trsm", trsm<T>(handle, side, fill, op, diagonal, m, n, first_factor(), a.first(), lda, b.first(), ldm));

    // The result of trmm is in another matrix, or in the same.
    for (const bool in_place : {false, true}) {
      begin();
      whole = triangular(a, size, lda, fill, diagonal);
      const int ldc = in_place ? ldm : m + random_to(3);
      upload();
      sums = at_side(turned(whole, op), copy_of(b, m, n, ldm));
      for (int i = 0; i < m * n; i++) (in_place ? b : c)[i % m + i / m * ldc] = alpha * sums.all[i];
      end("trmm", trmm<T>(handle, side, fill, op, diagonal, m, n, first_factor(), a.first(), lda, b.first(), ldm,
                          (in_place ? b : c).first(), ldc));
    }

    begin();
    const cublasOperation_t op_b = some_op();
    const int ld_a = (op == CUBLAS_OP_N ? m : n) + random_to(3), ld_b = (op_b == CUBLAS_OP_N ? m : n) + random_to(3);
    upload();
    Copy p = turned(op == CUBLAS_OP_N ? copy_of(a, m, n, ld_a) : copy_of(a, n, m, ld_a), op);
    Copy q = turned(op_b == CUBLAS_OP_N ? copy_of(b, m, n, ld_b) : copy_of(b, n, m, ld_b), op_b);
    for (int i = 0; i < m * n; i++) c[i % m + i / m * ldm] = alpha * p.all[i] + beta * q.all[i];
    end("geam", geam<T>(handle, op, op_b, m, n, first_factor(), a.first(), ld_a, second_factor(), b.first(), ld_b, c.first(), ldm));

    begin(), upload();
    const int step = 1 + random_to(3), ldc = m + random_to(3);
    for (int row = 0; row < m; row++)
      for (int column = 0; column < n; column++)
        c[row + column * ldc] = a[row + column * ldm] * b[(side == CUBLAS_SIDE_LEFT ? row : column) * step];
    end("dgmm", dgmm<T>(handle, side, m, n, a.first(), ldm, b.first(), step, c.first(), ldc));
  }

  void products() {
    const int m = random_to(6), n = random_to(6), k = random_to(6);
    const cublasOperation_t op_a = some_op(true), op_b = some_op(true);
    const bool pa = op_a == CUBLAS_OP_N, pb = op_b == CUBLAS_OP_N;
    const int rows_a = pa ? m : k, rows_b = pb ? k : n;
    const int lda = std::max(1, rows_a) + random_to(3), ldb = std::max(1, rows_b) + random_to(3),
              ldc = std::max(1, m) + random_to(3);
    for (const int way : {0, 1, 2}) {
      begin();
      const int count = way == 0 ? 1 : random_to(kBatch + 1), shared = random_to(3);  // a batch may use one matrix again and again
      const int a_apart = shared == 1 ? 0 : kApart, b_apart = shared == 2 ? 0 : kApart;
      for (int batch = 0; batch < count; batch++)
        for (int i = 0; i < m * n; i++) forget(c, batch * kApart + i % m + i / m * ldc);
      upload();
      for (int batch = 0; batch < count; batch++) {
        Copy sums = product(turned(copy_of(a, rows_a, pa ? k : m, lda, batch * a_apart), op_a),
                            turned(copy_of(b, rows_b, pb ? n : k, ldb, batch * b_apart), op_b));
        for (int i = 0; i < m * n; i++) {
          Number &x = c[batch * kApart + i % m + i / m * ldc];
          x = mixed(sums.all[i], x);
        }
      }
      if (way == 0)
        end("gemm",
            gemm<T>(handle, op_a, op_b, m, n, k, first_factor(), a.first(), lda, b.first(), ldb, second_factor(), c.first(), ldc));
      if (way == 1)
        end("gemmStridedBatched", gemmStridedBatched<T>(handle, op_a, op_b, m, n, k, first_factor(), a.first(), lda, a_apart,
                                                        b.first(), ldb, b_apart, second_factor(), c.first(), ldc, kApart, count));
      if (way == 2) {
        T *host[3][kBatch], **pointers;
        for (int i = 0; i < kBatch; i++)
          host[0][i] = a.first() + i * a_apart, host[1][i] = b.first() + i * b_apart, host[2][i] = c.first() + i * kApart;
        cudaMalloc(&pointers, sizeof host);
        cudaMemcpy(pointers, host, sizeof host, cudaMemcpyHostToDevice);
        end("gemmBatched", gemmBatched<T>(handle, op_a, op_b, m, n, k, first_factor(), pointers, lda, pointers + kBatch, ldb,
                                          second_factor(), pointers + 2 * kBatch, ldc, count));
        cudaFree(pointers);
      }
    }
  }

  // Factors, then solutions and inverses: L U must be the matrix with its rows in the order of the pivots.
  void factors() {
    const int n = 1 + random_to(5), columns = 1 + random_to(3), lda = n + random_to(3), ldb = n + random_to(3),
              ldc = n + random_to(3);
    const bool with_pivots = coin();
    const cublasOperation_t op = some_op();
    begin();
    T *host[3][kBatch], **pointers;
    int *pivots, *info, host_info = -1;
    std::vector<Copy> matrices, right;
    for (int batch = 0; batch < kBatch; batch++) {
      host[0][batch] = a.first(batch), host[1][batch] = b.first(batch), host[2][batch] = c.first(batch);
      for (int i = 0; i < n; i++) a[batch * kApart + i + i * lda] += 16;
      if (with_pivots)  // the rows in another order
        for (int i = 0; i + 1 < n; i++)
          for (int column = 0; column < n; column++)
            std::swap(a[batch * kApart + i + column * lda], a[batch * kApart + i + 1 + column * lda]);
      matrices.push_back(copy_of(a, n, n, lda, batch * kApart)), right.push_back(copy_of(b, n, columns, ldb, batch * kApart));
    }
    upload();
    cudaMalloc(&pointers, sizeof host), cudaMalloc(&pivots, kBatch * n * sizeof(int)),
        cudaMallocManaged(&info, kBatch * sizeof(int));
    cudaMemcpy(pointers, host, sizeof host, cudaMemcpyHostToDevice);
    int *const order = with_pivots ? pivots : nullptr;
    cublasStatus_t status = getrfBatched<T>(handle, n, pointers, lda, order, info, kBatch);
    cudaDeviceSynchronize();
    for (int i = 0; i < kBatch; i++) host_info = std::min(host_info, -info[i] * info[i] - 1), info[i] = 7;
    if (status == 0) status = getriBatched<T>(handle, n, pointers, lda, order, pointers + 2 * kBatch, ldc, info, kBatch);
    cudaDeviceSynchronize();
    for (int i = 0; i < kBatch; i++) host_info = std::min(host_info, -info[i] * info[i] - 1);
    if (host_info != -1) wrong++, printf("getrfBatched, getriBatched of %d: info\n", n);
    if (status == 0)
      status = getrsBatched<T>(handle, op, n, columns, pointers, lda, order, pointers + kBatch, ldb, &host_info, kBatch);
    if (host_info != 0) wrong++, printf("getrsBatched: info %d\n", host_info);
    std::vector<T> got_a(kSize), got_b(kSize), got_c(kSize);
    cudaMemcpy(got_a.data(), a.device, kSize * sizeof(T), cudaMemcpyDeviceToHost);
    cudaMemcpy(got_b.data(), b.device, kSize * sizeof(T), cudaMemcpyDeviceToHost);
    cudaMemcpy(got_c.data(), c.device, kSize * sizeof(T), cudaMemcpyDeviceToHost);
    bool good = status == 0;
    const auto expect = [&](Number x, Number y) { good = good && std::abs(x - y) < 1e-3; };
    for (int batch = 0; batch < kBatch; batch++) {
      const int at = kFirst + batch * kApart;
      Copy solution{n, columns, {}}, inverse{n, n, {}};
      for (int i = 0; i < n * columns; i++) solution.all.push_back(Kind<T>::number(got_b[at + i % n + i / n * ldb]));
      for (int i = 0; i < n * n; i++) inverse.all.push_back(Kind<T>::number(got_c[at + i % n + i / n * ldc]));
      const Copy same = product(turned(matrices[batch], op), solution);
      Copy one = product(matrices[batch], inverse);
      for (int i = 0; i < n * columns; i++) expect(same.all[i], right[batch].all[i]);
      for (int i = 0; i < n * n; i++) expect(one.all[i], i % n == i / n);
    }
    // What lies between the columns and outside stays.
    for (int i = 0; i < kSize; i++) {
      const int k = (i - kFirst) % kApart;
      const auto touched = [&](int width, int ld) { return i >= kFirst && k >= 0 && k % ld < n && k / ld < width; };
      if (!touched(n, lda)) expect(Kind<T>::number(got_a[i]), a.wanted[i]);
      if (!touched(columns, ldb)) expect(Kind<T>::number(got_b[i]), b.wanted[i]);
      if (!touched(n, ldc)) expect(Kind<T>::number(got_c[i]), c.wanted[i]);
    }
    if (!good)
      wrong++,
          printf("LU factors of %d x %d, operation %d, %s: status %d\n", n, n, op, with_pivots ? "pivots" : "no pivots", status);
    cudaFree(pointers), cudaFree(pivots), cudaFree(info);
  }

  // Sizes below 0 and pitches that are too small are refused, and nothing is written.
  void refused() {
    begin(), upload();
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
    const T *f = host_factors;
    T *x = a.first(), *y = b.first(), *z = c.first();
    const auto N = CUBLAS_OP_N;
    const auto L = CUBLAS_FILL_MODE_LOWER;
    const auto U = CUBLAS_DIAG_UNIT;
    const auto left = CUBLAS_SIDE_LEFT, on_right = CUBLAS_SIDE_RIGHT;
    const auto refuse = [&](const char *name, cublasStatus_t status, int line) {
      if (status != CUBLAS_STATUS_INVALID_VALUE) wrong++, printf("%s, line %d: status %d\n", name, line, status);
    };
#define REFUSE(NAME, ...) refuse(#NAME, NAME<T>(handle, __VA_ARGS__), __LINE__)
    REFUSE(gemm, N, N, -1, 2, 2, f, x, 4, y, 4, f, z, 4), REFUSE(gemm, N, N, 2, -1, 2, f, x, 4, y, 4, f, z, 4);
    REFUSE(gemm, N, N, 2, 2, -1, f, x, 4, y, 4, f, z, 4);
    REFUSE(gemm, N, N, 3, 4, 2, f, x, 2, y, 2, f, z, 3), REFUSE(gemm, N, N, 3, 4, 2, f, x, 3, y, 1, f, z, 3);
    REFUSE(gemm, N, N, 3, 4, 2, f, x, 3, y, 2, f, z, 2), REFUSE(gemm, CUBLAS_OP_T, N, 3, 4, 2, f, x, 1, y, 2, f, z, 3);
    REFUSE(gemm, N, CUBLAS_OP_T, 3, 4, 2, f, x, 3, y, 3, f, z, 3);
    REFUSE(gemmStridedBatched, N, N, -1, 2, 2, f, x, 4, 16, y, 4, 16, f, z, 4, 16, 1);
    REFUSE(gemmStridedBatched, N, N, 2, 2, 2, f, x, 4, 16, y, 4, 16, f, z, 4, 16, -1);
    if constexpr (!Kind<T>::is_complex && !Kind<T>::is_half) {
      REFUSE(symv, L, -1, f, x, 4, y, 1, f, z, 1), REFUSE(symv, L, 3, f, x, 2, y, 1, f, z, 1);
      REFUSE(ger, -1, 2, f, y, 1, z, 1, x, 4), REFUSE(ger, 2, -1, f, y, 1, z, 1, x, 4), REFUSE(ger, 3, 2, f, y, 1, z, 1, x, 2);
      REFUSE(trmv, L, N, U, -1, x, 4, y, 1), REFUSE(trmv, L, N, U, 3, x, 2, y, 1);
      REFUSE(trsv, L, N, U, -1, x, 4, y, 1), REFUSE(trsv, L, N, U, 3, x, 2, y, 1);
      REFUSE(symm, left, L, -1, 2, f, x, 4, y, 4, f, z, 4), REFUSE(symm, left, L, 2, -1, f, x, 4, y, 4, f, z, 4);
      REFUSE(symm, left, L, 3, 2, f, x, 2, y, 3, f, z, 3), REFUSE(symm, on_right, L, 2, 3, f, x, 2, y, 3, f, z, 3);
      REFUSE(symm, left, L, 3, 2, f, x, 3, y, 2, f, z, 3), REFUSE(symm, left, L, 3, 2, f, x, 3, y, 3, f, z, 2);
      REFUSE(syrk, L, N, -1, 2, f, x, 4, f, z, 4), REFUSE(syrk, L, N, 2, -1, f, x, 4, f, z, 4),
          REFUSE(syrk, L, N, 3, 2, f, x, 2, f, z, 3);
      REFUSE(syrk, L, CUBLAS_OP_T, 3, 2, f, x, 1, f, z, 3), REFUSE(syrk, L, N, 3, 2, f, x, 3, f, z, 2);
      REFUSE(syr2k, L, N, -1, 2, f, x, 4, y, 4, f, z, 4), REFUSE(syr2k, L, N, 2, -1, f, x, 4, y, 4, f, z, 4);
      REFUSE(syr2k, L, N, 3, 2, f, x, 2, y, 3, f, z, 3), REFUSE(syr2k, L, N, 3, 2, f, x, 3, y, 2, f, z, 3);
      REFUSE(trsm, left, L, N, U, -1, 2, f, x, 4, y, 4), REFUSE(trsm, left, L, N, U, 2, -1, f, x, 4, y, 4);
      REFUSE(trsm, left, L, N, U, 3, 2, f, x, 2, y, 3), REFUSE(trsm, left, L, N, U, 3, 2, f, x, 3, y, 2);
      REFUSE(trmm, left, L, N, U, -1, 2, f, x, 4, y, 4, z, 4), REFUSE(trmm, left, L, N, U, 2, -1, f, x, 4, y, 4, z, 4);
      REFUSE(trmm, on_right, L, N, U, 2, 3, f, x, 2, y, 3, z, 3), REFUSE(trmm, left, L, N, U, 3, 2, f, x, 3, y, 3, z, 2);
      REFUSE(syr, L, -1, f, y, 1, x, 4), REFUSE(syr, L, 3, f, y, 1, x, 2), REFUSE(syr2, L, -1, f, y, 1, z, 1, x, 4);
      REFUSE(syr2, L, 3, f, y, 1, z, 1, x, 2);
      REFUSE(geam, N, N, -1, 2, f, x, 4, f, y, 4, z, 4), REFUSE(geam, N, N, 2, -1, f, x, 4, f, y, 4, z, 4);
      REFUSE(geam, N, N, 3, 2, f, x, 3, f, y, 3, z, 2), REFUSE(dgmm, left, -1, 2, x, 4, y, 1, z, 4),
          REFUSE(dgmm, left, 2, -1, x, 4, y, 1, z, 4);
      REFUSE(dgmm, left, 3, 2, x, 2, y, 1, z, 3), REFUSE(dgmm, left, 3, 2, x, 3, y, 1, z, 2);
#ifdef __CPU_DEVICE__  // a GPU takes vectors of fewer than 0 elements as empty, and a matrix before a vector unchecked
      REFUSE(gemv, N, -1, 2, f, x, 4, y, 1, f, z, 1), REFUSE(gemv, N, 2, -1, f, x, 4, y, 1, f, z, 1),
          REFUSE(gemv, N, 3, 2, f, x, 2, y, 1, f, z, 1);
      REFUSE(axpy, -1, f, x, 1, y, 1), REFUSE(copy, -1, x, 1, y, 1), REFUSE(swap, -1, x, 1, y, 1), REFUSE(scal, -1, f, x, 1);
      REFUSE(dot, -1, x, 1, y, 1, &host_result), REFUSE(rot, -1, x, 1, y, 1, f, f), REFUSE(asum, -1, x, 1, &host_result);
      REFUSE(nrm2, -1, x, 1, &host_result);
#endif
    }
    end("what was refused", CUBLAS_STATUS_SUCCESS);
    if (gemm<T>(nullptr, N, N, 1, 1, 1, f, x, 4, y, 4, f, z, 4) != CUBLAS_STATUS_NOT_INITIALIZED)
      wrong++, printf("gemm without a handle\n");
  }
};

template <typename T>
void all(cublasHandle_t handle) {
  Suite<T> suite(handle);
  for (int i = 0; i < 40; i++) {
    suite.products();
    if constexpr (!Kind<T>::is_half) suite.vectors();
    if constexpr (!Kind<T>::is_complex && !Kind<T>::is_half) suite.matrix_and_vectors(), suite.matrices(), suite.factors();
  }
  suite.refused();
}

// Between host and device: pitches and steps on both sides, with and without a stream.
void copies() {
  float *device;
  cudaStream_t stream;
  cudaMalloc(&device, 64 * sizeof(float)), cudaStreamCreate(&stream);
  for (int i = 0; i < 60; i++) {
    const int rows = random_to(5), columns = random_to(5), from = std::max(1, rows) + random_to(3),
              to = std::max(1, rows) + random_to(3);
    const bool is_vector = i % 3 == 0, async = coin();
    std::vector<float> host(64), there(64, -1), wanted(64, -1), back(64, -2), wanted_back(64, -2);
    for (int k = 0; k < 64; k++) host[k] = static_cast<float>(k);
    for (int column = 0; column < columns; column++)
      for (int row = 0; row < (is_vector ? 1 : rows); row++)
        wanted[row + column * to] = host[row + column * from], wanted_back[row + column * from] = wanted[row + column * to];
    cudaMemcpy(device, there.data(), 256, cudaMemcpyHostToDevice);
    const int status = is_vector ? async ? cublasSetVectorAsync(columns, 4, host.data(), from, device, to, stream)
                                         : cublasSetVector(columns, 4, host.data(), from, device, to)
                       : async ? cublasSetMatrixAsync(rows, columns, 4, host.data(), from, device, to, stream)
                                 : cublasSetMatrix(rows, columns, 4, host.data(), from, device, to);
    cudaStreamSynchronize(stream);
    cudaMemcpy(there.data(), device, 256, cudaMemcpyDeviceToHost);
    const int returned = is_vector ? async ? cublasGetVectorAsync(columns, 4, device, to, back.data(), from, stream)
                                           : cublasGetVector(columns, 4, device, to, back.data(), from)
                         : async ? cublasGetMatrixAsync(rows, columns, 4, device, to, back.data(), from, stream)
                                   : cublasGetMatrix(rows, columns, 4, device, to, back.data(), from);
    cudaStreamSynchronize(stream);
    if (status != 0 || returned != 0 || there != wanted || back != wanted_back)
      wrong++, printf("copy of %d x %d, %d and %d apart: %d %d\n", rows, columns, from, to, status, returned);
  }
  std::vector<float> host(64);
  for (const int bad : {-1, 0})
    if (cublasSetMatrix(2, 2, bad, host.data(), 2, device, 2) != CUBLAS_STATUS_INVALID_VALUE ||
        cublasSetMatrix(2, 2, 4, host.data(), 2 * bad, device, 2) != CUBLAS_STATUS_INVALID_VALUE ||
        cublasGetMatrix(2, 2, 4, device, 2, host.data(), 2 * bad) != CUBLAS_STATUS_INVALID_VALUE ||
        cublasSetVector(2, 4, host.data(), bad, device, 1) != CUBLAS_STATUS_INVALID_VALUE ||
        cublasGetVector(2, 4, device, 1, host.data(), bad) != CUBLAS_STATUS_INVALID_VALUE)
      wrong++, printf("copies with %d\n", bad);
#ifdef __CPU_DEVICE__  // cuBLAS copies columns that overlap
  if (cublasSetMatrix(2, 2, 4, host.data(), 1, device, 2) != CUBLAS_STATUS_INVALID_VALUE) wrong++, printf("columns that overlap\n");
#endif
  cudaFree(device), cudaStreamDestroy(stream);
}

int main() {
  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 77;  // no OpenBLAS
  all<float>(handle), all<double>(handle), all<cuComplex>(handle), all<cuDoubleComplex>(handle), all<__half>(handle);
  copies();
  // What is set stays, until it is set again; a new handle has the defaults.
  cudaStream_t stream, got = nullptr;
  cudaStreamCreate(&stream);
  cublasPointerMode_t mode;
  for (const cublasPointerMode_t set : {CUBLAS_POINTER_MODE_DEVICE, CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE})
    if (cublasSetPointerMode(handle, set) != 0 || cublasGetPointerMode(handle, &mode) != 0 || mode != set)
      wrong++, printf("pointer mode %d\n", set);
  for (const cudaStream_t set : {stream, static_cast<cudaStream_t>(nullptr), stream})
    if (cublasSetStream(handle, set) != 0 || cublasGetStream(handle, &got) != 0 || got != set) wrong++, printf("stream\n");
  cublasDestroy(handle);
  cublasCreate(&handle);
  cublasGetPointerMode(handle, &mode), cublasGetStream(handle, &got);
  if (mode != CUBLAS_POINTER_MODE_HOST || got != nullptr) wrong++, printf("a new handle: %d\n", mode);
  cublasDestroy(handle), cudaStreamDestroy(stream);
  puts(wrong ? "wrong" : "right");
  return wrong != 0;
}
