// cuSOLVER: each call is an operation of the handle's stream that calls the LAPACK in OpenBLAS.
#include "../../include/cusolverDn.h"
#include "../faults/error_messages.h"
#include "library.h"

#include <dlfcn.h>

#include <algorithm>
#include <string>


struct cusolverDnContext {
  cudaStream_t stream = nullptr;
};

using namespace cpu_device;

namespace {

template <typename T>
constexpr char letter = 's';
template <>
constexpr char letter<double> = 'd';
template <>
constexpr char letter<cuComplex> = 'c';
template <>
constexpr char letter<cuDoubleComplex> = 'z';

// Calls {s,d}NAME_ as Fortran does, all by address. The lengths of its strings come last: LAPACK looks
// at one character of each, and nobody minds lengths that a function without strings does not expect.
template <typename T, typename... Arguments>
void lapack(const char* name, Arguments*... arguments) {
  const std::string symbol = std::string(1, letter<T>) + name + "_";
  using Function = void (*)(Arguments*..., size_t, size_t, size_t);
  reinterpret_cast<Function>(dlsym(open_blas(), symbol.c_str()))(arguments..., 1, 1, 1);
}

// The same for functions that want workspace, between `before` and `info`: asks how much first.
template <typename T, typename... Before>
void lapack_with_workspace(const char* name, int* info, Before*... before) {
  int size = -1;
  T wanted = 0;
  lapack<T>(name, before..., &wanted, &size, info);
  size = std::max(1, static_cast<int>(wanted));
  std::vector<T> work(static_cast<size_t>(size));
  lapack<T>(name, before..., work.data(), &size, info);
}

// Eigenvalues of a Hermitian matrix: complex workspace, whose size is asked for first, and real workspace.
template <typename T, typename R>
void hermitian_eigenvalues(char job, char triangle, int n, T* a, int lda, R* values, int* info) {
  int size = -1;
  T wanted{};
  std::vector<R> real(static_cast<size_t>(std::max(1, 3 * n - 2)));
  lapack<T>("heev", &job, &triangle, &n, a, &lda, values, &wanted, &size, real.data(), info);
  size = std::max(1, static_cast<int>(wanted.x));
  std::vector<T> work(static_cast<size_t>(size));
  lapack<T>("heev", &job, &triangle, &n, a, &lda, values, work.data(), &size, real.data(), info);
}

// LU without exchanging rows, which LAPACK does not have. Returns the first zero pivot, from 1, or 0.
template <typename T>
int factorize_in_order(int m, int n, T* a, int lda) {
  const auto at = [=](int row, int column) -> T& { return a[row + static_cast<size_t>(column) * lda]; };
  int zero = 0;
  for (int k = 0; k < std::min(m, n); k++) {
    if (at(k, k) == 0) {
      if (zero == 0) zero = k + 1;
      continue;
    }
    for (int i = k + 1; i < m; i++) at(i, k) /= at(k, k);
    for (int j = k + 1; j < n; j++)
      for (int i = k + 1; i < m; i++) at(i, j) -= at(i, k) * at(k, j);
  }
  return zero;
}

enum Access { kReads, kWrites, kBoth };

template <typename T>
Matrix part(const char* name, const T* data, int rows, int columns, int pitch, Access access) {
  return {name, data, sizeof(T), static_cast<size_t>(rows), static_cast<size_t>(columns),
          static_cast<size_t>(pitch), access != kWrites, access != kReads};
}

template <typename Work>
cusolverStatus_t run(cusolverDnHandle_t handle, const char* function, std::vector<Matrix> touched,
                     Site site, Work work) {
  if (handle == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  for (const Matrix& m : touched)
    if (m.columns > 1 && m.pitch < m.rows) {
      explain(site,
              format("%s: %s has %zu rows, but its columns are only %zu elements apart", function, m.name, m.rows, m.pitch),
              "lda is the distance between columns, in elements. Use at least the number of rows.", "wrong-pointer");
      return CUSOLVER_STATUS_INVALID_VALUE;
    }
  const cudaError_t error = run_in_stream(handle->stream, function, std::move(touched), false, site, work);
  return error == cudaSuccess             ? CUSOLVER_STATUS_SUCCESS
         : error == cudaErrorInvalidValue ? CUSOLVER_STATUS_INVALID_VALUE
                                          : CUSOLVER_STATUS_EXECUTION_FAILED;
}

char of(cublasOperation_t op) { return op == CUBLAS_OP_N ? 'N' : 'T'; }
char of(cublasFillMode_t fill) { return fill == CUBLAS_FILL_MODE_UPPER ? 'U' : 'L'; }
char of(cublasSideMode_t side) { return side == CUBLAS_SIDE_LEFT ? 'L' : 'R'; }

}  // namespace

cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* handle, Site site) {
  if (handle == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  if (open_blas() == nullptr) {
    explain(site, "cuSOLVER needs the package libopenblas0 here, which is not installed",
            "run: sudo apt-get install libopenblas0");
    return CUSOLVER_STATUS_NOT_INITIALIZED;
  }
  *handle = new cusolverDnContext;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle) {
  if (handle == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  cudaDeviceSynchronize();  // its stream may have been destroyed before it
  delete handle;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream) {
  if (handle == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  handle->stream = stream;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t* stream) {
  if (handle == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  *stream = handle->stream;
  return CUSOLVER_STATUS_SUCCESS;
}

#define CHECK_SIZES(SMALLEST) \
  if ((SMALLEST) < 0) return CUSOLVER_STATUS_INVALID_VALUE

// The lambdas are mutable: LAPACK takes sizes by an address that is not const.
#define SOLVER(S, T)                                                                                    \
  cusolverStatus_t cusolverDn##S##getrf(cusolverDnHandle_t handle, int m, int n, T* a, int lda, T*,     \
                                        int* pivots, int* info, Site site) {                            \
    CHECK_SIZES(std::min(m, n));                                                                        \
    std::vector<Matrix> touched = {part("A", a, m, n, lda, kBoth), part("info", info, 1, 1, 1, kWrites)}; \
    if (pivots != nullptr) touched.push_back(part("the pivots", pivots, std::min(m, n), 1, n, kWrites)); \
    return run(handle, __func__, std::move(touched), site, [=]() mutable {                              \
      if (pivots != nullptr)                                                                            \
        lapack<T>("getrf", &m, &n, a, &lda, pivots, info);                                              \
      else                                                                                              \
        *info = factorize_in_order(m, n, a, lda);                                                       \
    });                                                                                                 \
  }                                                                                                     \
  cusolverStatus_t cusolverDn##S##getrs(cusolverDnHandle_t handle, cublasOperation_t op, int n,         \
                                        int columns, const T* a, int lda, const int* pivots, T* b,      \
                                        int ldb, int* info, Site site) {                                \
    CHECK_SIZES(std::min(n, columns));                                                                  \
    std::vector<Matrix> touched = {part("A", a, n, n, lda, kReads),                                     \
                                   part("B", b, n, columns, ldb, kBoth),                                \
                                   part("info", info, 1, 1, 1, kWrites)};                               \
    if (pivots != nullptr) touched.push_back(part("the pivots", pivots, n, 1, n, kReads));              \
    return run(handle, __func__, std::move(touched), site, [=]() mutable {                              \
      char transposed = of(op);                                                                         \
      std::vector<int> in_order(static_cast<size_t>(n));                                                \
      for (int i = 0; i < n; i++) in_order[static_cast<size_t>(i)] = i + 1;                             \
      lapack<T>("getrs", &transposed, &n, &columns, const_cast<T*>(a), &lda,                            \
                pivots != nullptr ? const_cast<int*>(pivots) : in_order.data(), b, &ldb, info);         \
    });                                                                                                 \
  }                                                                                                     \
  cusolverStatus_t cusolverDn##S##potrf(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, T* a,  \
                                        int lda, T*, int, int* info, Site site) {                       \
    CHECK_SIZES(n);                                                                                     \
    return run(handle, __func__,                                                                        \
               {part("A", a, n, n, lda, kBoth), part("info", info, 1, 1, 1, kWrites)}, site,            \
               [=]() mutable {                                                                          \
                 char triangle = of(fill);                                                              \
                 lapack<T>("potrf", &triangle, &n, a, &lda, info);                                      \
               });                                                                                      \
  }                                                                                                     \
  cusolverStatus_t cusolverDn##S##potrs(cusolverDnHandle_t handle, cublasFillMode_t fill, int n,        \
                                        int columns, const T* a, int lda, T* b, int ldb, int* info,     \
                                        Site site) {                                                    \
    CHECK_SIZES(std::min(n, columns));                                                                  \
    return run(handle, __func__,                                                                        \
               {part("A", a, n, n, lda, kReads), part("B", b, n, columns, ldb, kBoth),                  \
                part("info", info, 1, 1, 1, kWrites)},                                                  \
               site, [=]() mutable {                                                                    \
                 char triangle = of(fill);                                                              \
                 lapack<T>("potrs", &triangle, &n, &columns, const_cast<T*>(a), &lda, b, &ldb, info);   \
               });                                                                                      \
  }                                                                                                     \
  cusolverStatus_t cusolverDn##S##geqrf(cusolverDnHandle_t handle, int m, int n, T* a, int lda, T* tau, \
                                        T*, int, int* info, Site site) {                                \
    CHECK_SIZES(std::min(m, n));                                                                        \
    return run(handle, __func__,                                                                        \
               {part("A", a, m, n, lda, kBoth), part("tau", tau, std::min(m, n), 1, n, kWrites),        \
                part("info", info, 1, 1, 1, kWrites)},                                                  \
               site,                                                                                    \
               [=]() mutable { lapack_with_workspace<T>("geqrf", info, &m, &n, a, &lda, tau); });       \
  }                                                                                                     \
  cusolverStatus_t cusolverDn##S##orgqr(cusolverDnHandle_t handle, int m, int n, int k, T* a, int lda,  \
                                        const T* tau, T*, int, int* info, Site site) {                  \
    CHECK_SIZES(std::min({m, n, k}));                                                                   \
    return run(handle, __func__,                                                                        \
               {part("A", a, m, n, lda, kBoth), part("tau", tau, k, 1, k, kReads),                      \
                part("info", info, 1, 1, 1, kWrites)},                                                  \
               site, [=]() mutable {                                                                    \
                 lapack_with_workspace<T>("orgqr", info, &m, &n, &k, a, &lda, const_cast<T*>(tau));     \
               });                                                                                      \
  }                                                                                                     \
  cusolverStatus_t cusolverDn##S##ormqr(cusolverDnHandle_t handle, cublasSideMode_t side,               \
                                        cublasOperation_t op, int m, int n, int k, const T* a, int lda, \
                                        const T* tau, T* c, int ldc, T*, int, int* info, Site site) {   \
    CHECK_SIZES(std::min({m, n, k}));                                                                   \
    const int rows = side == CUBLAS_SIDE_LEFT ? m : n;                                                  \
    return run(handle, __func__,                                                                        \
               {part("A", a, rows, k, lda, kReads), part("tau", tau, k, 1, k, kReads),                  \
                part("C", c, m, n, ldc, kBoth), part("info", info, 1, 1, 1, kWrites)},                  \
               site, [=]() mutable {                                                                    \
                 char at_side = of(side), transposed = of(op);                                          \
                 lapack_with_workspace<T>("ormqr", info, &at_side, &transposed, &m, &n, &k,             \
                                          const_cast<T*>(a), &lda, const_cast<T*>(tau), c, &ldc);       \
               });                                                                                      \
  }                                                                                                     \
  cusolverStatus_t cusolverDn##S##syevd(cusolverDnHandle_t handle, cusolverEigMode_t mode,              \
                                        cublasFillMode_t fill, int n, T* a, int lda, T* values, T*,     \
                                        int, int* info, Site site) {                                    \
    CHECK_SIZES(n);                                                                                     \
    return run(handle, __func__,                                                                        \
               {part("A", a, n, n, lda, kBoth), part("the eigenvalues", values, n, 1, n, kWrites),      \
                part("info", info, 1, 1, 1, kWrites)},                                                  \
               site, [=]() mutable {                                                                    \
                 char job = mode == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N', triangle = of(fill);          \
                 lapack_with_workspace<T>("syev", info, &job, &triangle, &n, a, &lda, values);          \
               });                                                                                      \
  }                                                                                                     \
  cusolverStatus_t cusolverDn##S##gesvd(cusolverDnHandle_t handle, signed char job_u,                   \
                                        signed char job_vt, int m, int n, T* a, int lda, T* values,     \
                                        T* u, int ldu, T* vt, int ldvt, T*, int, T*, int* info,         \
                                        Site site) {                                                    \
    CHECK_SIZES(std::min(m, n));                                                                        \
    if (m > 0 && m < n) return CUSOLVER_STATUS_INVALID_VALUE; /* as on a GPU */                         \
    std::vector<Matrix> touched = {part("A", a, m, n, lda, kBoth),                                      \
                                   part("the singular values", values, n, 1, n, kWrites),               \
                                   part("info", info, 1, 1, 1, kWrites)};                               \
    if (job_u == 'A' || job_u == 'S')                                                                   \
      touched.push_back(part("U", u, m, job_u == 'A' ? m : n, ldu, kWrites));                           \
    if (job_vt == 'A' || job_vt == 'S') touched.push_back(part("VT", vt, n, n, ldvt, kWrites));         \
    return run(handle, __func__, std::move(touched), site, [=]() mutable {                              \
      char left = static_cast<char>(job_u), right = static_cast<char>(job_vt);                          \
      lapack_with_workspace<T>("gesvd", info, &left, &right, &m, &n, a, &lda, values, u, &ldu, vt,      \
                               &ldvt);                                                                  \
    });                                                                                                 \
  }
SOLVER(S, float)
SOLVER(D, double)

#define HERMITIAN(S, T, R)                                                                              \
  cusolverStatus_t cusolverDn##S##heevd(cusolverDnHandle_t handle, cusolverEigMode_t mode,              \
                                        cublasFillMode_t fill, int n, T* a, int lda, R* values, T*,     \
                                        int, int* info, Site site) {                                    \
    CHECK_SIZES(n);                                                                                     \
    return run(handle, __func__,                                                                        \
               {part("A", a, n, n, lda, kBoth), part("the eigenvalues", values, n, 1, n, kWrites),      \
                part("info", info, 1, 1, 1, kWrites)},                                                  \
               site, [=] {                                                                              \
                 hermitian_eigenvalues(mode == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N', of(fill), n, a,    \
                                       lda, values, info);                                              \
               });                                                                                      \
  }
HERMITIAN(C, cuComplex, float)
HERMITIAN(Z, cuDoubleComplex, double)
