// cuBLAS: each call is an operation of the handle's stream that calls OpenBLAS.
#include "../../include/cublas_v2.h"
#include "../check/check.h"
#include "../faults/error_messages.h"
#include "library.h"

#include <dlfcn.h>

#include <algorithm>
#include <complex>
#include <string>


struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t mode = CUBLAS_POINTER_MODE_HOST;
};

using namespace cpu_device;

namespace {

// ---- OpenBLAS ----

// Calls cblas_{s,d,c,z}NAME.
template <typename Result = void, typename... Arguments>
Result blas(char type, const char* name, Arguments... arguments) {
  const std::string symbol = std::string("cblas_") + type + name;
  void* function = dlsym(open_blas(), symbol.c_str());
  return reinterpret_cast<Result (*)(Arguments...)>(function)(arguments...);
}

constexpr int kByColumns = 102;  // as cblas.h numbers them
int of(cublasOperation_t op) { return 111 + static_cast<int>(op); }
int of(cublasFillMode_t fill) { return fill == CUBLAS_FILL_MODE_UPPER ? 121 : 122; }
int of(cublasDiagType_t diagonal) { return diagonal == CUBLAS_DIAG_UNIT ? 132 : 131; }
int of(cublasSideMode_t side) { return side == CUBLAS_SIDE_LEFT ? 141 : 142; }

template <typename T>
constexpr char letter = 's';
template <>
constexpr char letter<double> = 'd';
template <>
constexpr char letter<cuComplex> = 'c';
template <>
constexpr char letter<cuDoubleComplex> = 'z';

// ---- arguments ----

cublasStatus_t wrong(const char* function, const std::string& what, Site site) {
  explain(site, std::string(function) + ": " + what,
          "m, n and k count rows and columns; lda, ldb, ldc are elements from one column to the next",
          "wrong-pointer");
  return CUBLAS_STATUS_INVALID_VALUE;
}

template <typename T>
Matrix vector_of(const char* name, const T* x, int n, int step, bool is_read, bool is_written) {
  const size_t stride = static_cast<size_t>(std::abs(step));
  if (stride == 1) return {name, x, sizeof(T), static_cast<size_t>(n), 1, 1, is_read, is_written};
  return {name, x, sizeof(T), 1, static_cast<size_t>(n), std::max<size_t>(stride, 1), is_read, is_written};
}
template <typename T>
Matrix matrix_of(const char* name, const T* a, int rows, int columns, int pitch, bool is_read,
                 bool is_written) {
  return {name, a, sizeof(T), static_cast<size_t>(rows), static_cast<size_t>(columns),
          static_cast<size_t>(pitch), is_read, is_written};
}

// A factor: read now if it lies on the host, and when the work runs if on the device.
template <typename T>
struct Factor {
  const T* pointer;
  T value;
  bool later;
  Factor(cublasHandle_t handle, const T* from)
      : pointer(from), value{}, later(handle->mode == CUBLAS_POINTER_MODE_DEVICE) {
    if (!later) value = *from;
  }
  T operator()() const { return later ? *pointer : value; }
};
template <typename T>
bool is_zero(const Factor<T>& factor) {
  if (factor.later) return false;
  if constexpr (sizeof(T) == 2)
    return static_cast<float>(factor.value) == 0;
  else if constexpr (letter<T> == 'c' || letter<T> == 'z')
    return factor.value.x == 0 && factor.value.y == 0;
  else
    return factor.value == 0;
}

cublasStatus_t status_of(cudaError_t error) {
  return error == cudaSuccess             ? CUBLAS_STATUS_SUCCESS
         : error == cudaErrorInvalidValue ? CUBLAS_STATUS_INVALID_VALUE
                                          : CUBLAS_STATUS_EXECUTION_FAILED;
}

template <typename Work>
cublasStatus_t run(cublasHandle_t handle, const char* function, std::vector<Matrix> touched,
                   Site site, Work work) {
  for (const Matrix& m : touched)
    if (m.columns > 1 && m.pitch < m.rows)
      return wrong(function, format("%s has %zu rows, and its columns lie %zu apart", m.name, m.rows,
                                    m.pitch),
                   site);
  return status_of(run_in_stream(handle->stream, function, std::move(touched), false, site, work));
}

// One number: on the host it is there when the call returns.
template <typename T, typename Work>
cublasStatus_t run_for_result(cublasHandle_t handle, const char* function, std::vector<Matrix> touched,
                              T* result, Site site, Work work) {
  const bool on_host = handle->mode == CUBLAS_POINTER_MODE_HOST;
  if (!on_host) touched.push_back(vector_of("the result", result, 1, 1, false, true));
  return status_of(run_in_stream(handle->stream, function, std::move(touched), on_host, site,
                                 [=] { *result = work(); }));
}

}  // namespace

#define CHECK_HANDLE \
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED
#define CHECK_SIZES(SMALLEST) \
  if ((SMALLEST) < 0) return wrong(__func__, "a negative size", site)

// ---- the handle ----

cublasStatus_t cublasCreate(cublasHandle_t* handle, Site site) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  if (open_blas() == nullptr) {
    explain(site, "cuBLAS needs the library OpenBLAS here, which is not installed",
            "sudo apt-get install libopenblas0");
    return CUBLAS_STATUS_NOT_INITIALIZED;
  }
  *handle = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  CHECK_HANDLE;
  cudaStreamSynchronize(handle->stream);
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  CHECK_HANDLE;
  handle->stream = stream;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t* stream) {
  CHECK_HANDLE;
  *stream = handle->stream;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode) {
  CHECK_HANDLE;
  handle->mode = mode;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t* mode) {
  CHECK_HANDLE;
  *mode = handle->mode;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int* version) {
  CHECK_HANDLE;
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}

const char* cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS: return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_NOT_INITIALIZED: return "CUBLAS_STATUS_NOT_INITIALIZED";
    case CUBLAS_STATUS_ALLOC_FAILED: return "CUBLAS_STATUS_ALLOC_FAILED";
    case CUBLAS_STATUS_INVALID_VALUE: return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_ARCH_MISMATCH: return "CUBLAS_STATUS_ARCH_MISMATCH";
    case CUBLAS_STATUS_MAPPING_ERROR: return "CUBLAS_STATUS_MAPPING_ERROR";
    case CUBLAS_STATUS_EXECUTION_FAILED: return "CUBLAS_STATUS_EXECUTION_FAILED";
    case CUBLAS_STATUS_INTERNAL_ERROR: return "CUBLAS_STATUS_INTERNAL_ERROR";
    case CUBLAS_STATUS_NOT_SUPPORTED: return "CUBLAS_STATUS_NOT_SUPPORTED";
    case CUBLAS_STATUS_LICENSE_ERROR: return "CUBLAS_STATUS_LICENSE_ERROR";
  }
  return "an unknown status";
}
const char* cublasGetStatusString(cublasStatus_t status) { return cublasGetStatusName(status); }

// ---- copies ----

static cublasStatus_t copy_matrix(int rows, int columns, int element, const void* from, int from_pitch,
                                  void* to, int to_pitch, cudaMemcpyKind kind, cudaStream_t stream,
                                  bool async, const char* function, Site site) {
  if (rows < 0 || columns < 0 || element <= 0) return wrong(function, "a negative size", site);
  if (from_pitch < std::max(rows, 1) || to_pitch < std::max(rows, 1))
    return wrong(function, "columns overlap: the pitch is smaller than the number of rows", site);
  const auto bytes = [element](int count) { return static_cast<size_t>(count) * element; };
  const cudaError_t error =
      async ? cudaMemcpy2DAsync(to, bytes(to_pitch), from, bytes(from_pitch), bytes(rows),
                                static_cast<size_t>(columns), kind, stream, site)
            : cudaMemcpy2D(to, bytes(to_pitch), from, bytes(from_pitch), bytes(rows),
                           static_cast<size_t>(columns), kind, site);
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}
#define COPIES(NAME, KIND)                                                                           \
  cublasStatus_t cublas##NAME##Matrix(int rows, int columns, int element, const void* from,          \
                                      int from_pitch, void* to, int to_pitch, Site site) {           \
    return copy_matrix(rows, columns, element, from, from_pitch, to, to_pitch, KIND, nullptr, false, \
                       __func__, site);                                                              \
  }                                                                                                  \
  cublasStatus_t cublas##NAME##MatrixAsync(int rows, int columns, int element, const void* from,     \
                                           int from_pitch, void* to, int to_pitch,                   \
                                           cudaStream_t stream, Site site) {                         \
    return copy_matrix(rows, columns, element, from, from_pitch, to, to_pitch, KIND, stream, true,   \
                       __func__, site);                                                              \
  }                                                                                                  \
  cublasStatus_t cublas##NAME##Vector(int n, int element, const void* from, int from_step, void* to, \
                                      int to_step, Site site) {                                      \
    return copy_matrix(1, n, element, from, from_step, to, to_step, KIND, nullptr, false, __func__,  \
                       site);                                                                        \
  }                                                                                                  \
  cublasStatus_t cublas##NAME##VectorAsync(int n, int element, const void* from, int from_step,      \
                                           void* to, int to_step, cudaStream_t stream, Site site) {  \
    return copy_matrix(1, n, element, from, from_step, to, to_step, KIND, stream, true, __func__,    \
                       site);                                                                        \
  }
COPIES(Set, cudaMemcpyHostToDevice)
COPIES(Get, cudaMemcpyDeviceToHost)

// ---- vectors; vectors and a matrix; matrices ----

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

#define BLAS(S, T, AMAX, AMIN, ASUM, NRM2)                                                          \
  cublasStatus_t AMAX(cublasHandle_t handle, int n, const T* x, int step, int* result, Site site) { \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(n);                                                                                 \
    return run_for_result(handle, __func__, {vector_of("x", x, n, step, true, false)}, result,      \
                          site, [=] {                                                               \
      return extreme(n, x, step, [](T a, T b) { return a > b; });                                   \
    });                                                                                             \
  }                                                                                                 \
  cublasStatus_t AMIN(cublasHandle_t handle, int n, const T* x, int step, int* result, Site site) { \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(n);                                                                                 \
    return run_for_result(handle, __func__, {vector_of("x", x, n, step, true, false)}, result,      \
                          site, [=] {                                                               \
      return extreme(n, x, step, [](T a, T b) { return a < b; });                                   \
    });                                                                                             \
  }                                                                                                 \
  cublasStatus_t ASUM(cublasHandle_t handle, int n, const T* x, int step, T* result, Site site) {   \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(n);                                                                                 \
    return run_for_result(handle, __func__, {vector_of("x", x, n, step, true, false)}, result,      \
                          site, [=] { return blas<T>(letter<T>, "asum", n, x, step); });            \
  }                                                                                                 \
  cublasStatus_t NRM2(cublasHandle_t handle, int n, const T* x, int step, T* result, Site site) {   \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(n);                                                                                 \
    return run_for_result(handle, __func__, {vector_of("x", x, n, step, true, false)}, result,      \
                          site, [=] { return blas<T>(letter<T>, "nrm2", n, x, step); });            \
  }                                                                                                 \
  cublasStatus_t cublas##S##dot(cublasHandle_t handle, int n, const T* x, int x_step, const T* y,   \
                                int y_step, T* result, Site site) {                                 \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(n);                                                                                 \
    return run_for_result(                                                                          \
        handle, __func__,                                                                           \
        {vector_of("x", x, n, x_step, true, false), vector_of("y", y, n, y_step, true, false)},     \
        result, site, [=] { return blas<T>(letter<T>, "dot", n, x, x_step, y, y_step); });          \
  }                                                                                                 \
  cublasStatus_t cublas##S##axpy(cublasHandle_t handle, int n, const T* alpha, const T* x,          \
                                 int x_step, T* y, int y_step, Site site) {                         \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(n);                                                                                 \
    const Factor<T> factor(handle, alpha);                                                          \
    return run(handle, __func__,                                                                    \
               {vector_of("x", x, n, x_step, true, false), vector_of("y", y, n, y_step, true, true)}, \
               site, [=] { blas(letter<T>, "axpy", n, factor(), x, x_step, y, y_step); });          \
  }                                                                                                 \
  cublasStatus_t cublas##S##copy(cublasHandle_t handle, int n, const T* x, int x_step, T* y,        \
                                 int y_step, Site site) {                                           \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(n);                                                                                 \
    return run(handle, __func__,                                                                    \
               {vector_of("x", x, n, x_step, true, false), vector_of("y", y, n, y_step, false, true)}, \
               site, [=] { blas(letter<T>, "copy", n, x, x_step, y, y_step); });                    \
  }                                                                                                 \
  cublasStatus_t cublas##S##swap(cublasHandle_t handle, int n, T* x, int x_step, T* y, int y_step,  \
                                 Site site) {                                                       \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(n);                                                                                 \
    return run(handle, __func__,                                                                    \
               {vector_of("x", x, n, x_step, true, true), vector_of("y", y, n, y_step, true, true)}, \
               site, [=] { blas(letter<T>, "swap", n, x, x_step, y, y_step); });                    \
  }                                                                                                 \
  cublasStatus_t cublas##S##scal(cublasHandle_t handle, int n, const T* alpha, T* x, int step,      \
                                 Site site) {                                                       \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(n);                                                                                 \
    const Factor<T> factor(handle, alpha);                                                          \
    return run(handle, __func__, {vector_of("x", x, n, step, true, true)}, site,                    \
               [=] { blas(letter<T>, "scal", n, factor(), x, step); });                             \
  }                                                                                                 \
  cublasStatus_t cublas##S##rot(cublasHandle_t handle, int n, T* x, int x_step, T* y, int y_step,   \
                                const T* cosine, const T* sine, Site site) {                        \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(n);                                                                                 \
    const Factor<T> c(handle, cosine), s(handle, sine);                                             \
    return run(handle, __func__,                                                                    \
               {vector_of("x", x, n, x_step, true, true), vector_of("y", y, n, y_step, true, true)}, \
               site, [=] { blas(letter<T>, "rot", n, x, x_step, y, y_step, c(), s()); });           \
  }                                                                                                 \
  cublasStatus_t cublas##S##gemv(cublasHandle_t handle, cublasOperation_t op, int m, int n,         \
                                 const T* alpha, const T* a, int lda, const T* x, int x_step,       \
                                 const T* beta, T* y, int y_step, Site site) {                      \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(std::min(m, n));                                                                    \
    const Factor<T> factor(handle, alpha), keep(handle, beta);                                      \
    const bool plain = op == CUBLAS_OP_N;                                                           \
    return run(handle, __func__,                                                                    \
               {matrix_of("A", a, m, n, lda, true, false),                                          \
                vector_of("x", x, plain ? n : m, x_step, true, false),                              \
                vector_of("y", y, plain ? m : n, y_step, !is_zero(keep), true)},                    \
               site, [=] {                                                                          \
      blas(letter<T>, "gemv", kByColumns, of(op), m, n, factor(), a, lda, x, x_step, keep(), y,     \
           y_step);                                                                                 \
    });                                                                                             \
  }                                                                                                 \
  cublasStatus_t cublas##S##symv(cublasHandle_t handle, cublasFillMode_t fill, int n,               \
                                 const T* alpha, const T* a, int lda, const T* x, int x_step,       \
                                 const T* beta, T* y, int y_step, Site site) {                      \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(n);                                                                                 \
    const Factor<T> factor(handle, alpha), keep(handle, beta);                                      \
    return run(handle, __func__,                                                                    \
               {matrix_of("A", a, n, n, lda, true, false), vector_of("x", x, n, x_step, true, false), \
                vector_of("y", y, n, y_step, !is_zero(keep), true)},                                \
               site, [=] {                                                                          \
      blas(letter<T>, "symv", kByColumns, of(fill), n, factor(), a, lda, x, x_step, keep(), y,      \
           y_step);                                                                                 \
    });                                                                                             \
  }                                                                                                 \
  cublasStatus_t cublas##S##ger(cublasHandle_t handle, int m, int n, const T* alpha, const T* x,    \
                                int x_step, const T* y, int y_step, T* a, int lda, Site site) {     \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(std::min(m, n));                                                                    \
    const Factor<T> factor(handle, alpha);                                                          \
    return run(handle, __func__,                                                                    \
               {vector_of("x", x, m, x_step, true, false), vector_of("y", y, n, y_step, true, false), \
                matrix_of("A", a, m, n, lda, true, true)},                                          \
               site, [=] {                                                                          \
      blas(letter<T>, "ger", kByColumns, m, n, factor(), x, x_step, y, y_step, a, lda);             \
    });                                                                                             \
  }                                                                                                 \
  cublasStatus_t cublas##S##trmv(cublasHandle_t handle, cublasFillMode_t fill,                      \
                                 cublasOperation_t op, cublasDiagType_t diagonal, int n,            \
                                 const T* a, int lda, T* x, int step, Site site) {                  \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(n);                                                                                 \
    return run(handle, __func__,                                                                    \
               {matrix_of("A", a, n, n, lda, true, false), vector_of("x", x, n, step, true, true)}, \
               site, [=] {                                                                          \
      blas(letter<T>, "trmv", kByColumns, of(fill), of(op), of(diagonal), n, a, lda, x, step);      \
    });                                                                                             \
  }                                                                                                 \
  cublasStatus_t cublas##S##trsv(cublasHandle_t handle, cublasFillMode_t fill,                      \
                                 cublasOperation_t op, cublasDiagType_t diagonal, int n,            \
                                 const T* a, int lda, T* x, int step, Site site) {                  \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(n);                                                                                 \
    return run(handle, __func__,                                                                    \
               {matrix_of("A", a, n, n, lda, true, false), vector_of("x", x, n, step, true, true)}, \
               site, [=] {                                                                          \
      blas(letter<T>, "trsv", kByColumns, of(fill), of(op), of(diagonal), n, a, lda, x, step);      \
    });                                                                                             \
  }                                                                                                 \
  cublasStatus_t cublas##S##symm(cublasHandle_t handle, cublasSideMode_t side,                      \
                                 cublasFillMode_t fill, int m, int n, const T* alpha, const T* a,   \
                                 int lda, const T* b, int ldb, const T* beta, T* c, int ldc,        \
                                 Site site) {                                                       \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(std::min(m, n));                                                                    \
    const Factor<T> factor(handle, alpha), keep(handle, beta);                                      \
    const int size = side == CUBLAS_SIDE_LEFT ? m : n;                                              \
    return run(handle, __func__,                                                                    \
               {matrix_of("A", a, size, size, lda, true, false),                                    \
                matrix_of("B", b, m, n, ldb, true, false),                                          \
                matrix_of("C", c, m, n, ldc, !is_zero(keep), true)},                                \
               site, [=] {                                                                          \
      blas(letter<T>, "symm", kByColumns, of(side), of(fill), m, n, factor(), a, lda, b, ldb,       \
           keep(), c, ldc);                                                                         \
    });                                                                                             \
  }                                                                                                 \
  cublasStatus_t cublas##S##syrk(cublasHandle_t handle, cublasFillMode_t fill,                      \
                                 cublasOperation_t op, int n, int k, const T* alpha, const T* a,    \
                                 int lda, const T* beta, T* c, int ldc, Site site) {                \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(std::min(n, k));                                                                    \
    const Factor<T> factor(handle, alpha), keep(handle, beta);                                      \
    const bool plain = op == CUBLAS_OP_N;                                                           \
    return run(handle, __func__,                                                                    \
               {matrix_of("A", a, plain ? n : k, plain ? k : n, lda, true, false),                  \
                matrix_of("C", c, n, n, ldc, !is_zero(keep), true)},                                \
               site, [=] {                                                                          \
      blas(letter<T>, "syrk", kByColumns, of(fill), of(op), n, k, factor(), a, lda, keep(), c, ldc); \
    });                                                                                             \
  }                                                                                                 \
  cublasStatus_t cublas##S##trsm(cublasHandle_t handle, cublasSideMode_t side,                      \
                                 cublasFillMode_t fill, cublasOperation_t op,                       \
                                 cublasDiagType_t diagonal, int m, int n, const T* alpha,           \
                                 const T* a, int lda, T* b, int ldb, Site site) {                   \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(std::min(m, n));                                                                    \
    const Factor<T> factor(handle, alpha);                                                          \
    const int size = side == CUBLAS_SIDE_LEFT ? m : n;                                              \
    return run(handle, __func__,                                                                    \
               {matrix_of("A", a, size, size, lda, true, false),                                    \
                matrix_of("B", b, m, n, ldb, true, true)},                                          \
               site, [=] {                                                                          \
      blas(letter<T>, "trsm", kByColumns, of(side), of(fill), of(op), of(diagonal), m, n, factor(), \
           a, lda, b, ldb);                                                                         \
    });                                                                                             \
  }                                                                                                 \
  cublasStatus_t cublas##S##syr(cublasHandle_t handle, cublasFillMode_t fill, int n,                \
                                const T* alpha, const T* x, int step, T* a, int lda, Site site) {   \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(n);                                                                                 \
    const Factor<T> factor(handle, alpha);                                                          \
    return run(handle, __func__,                                                                    \
               {vector_of("x", x, n, step, true, false), matrix_of("A", a, n, n, lda, true, true)}, \
               site, [=] {                                                                          \
      blas(letter<T>, "syr", kByColumns, of(fill), n, factor(), x, step, a, lda);                   \
    });                                                                                             \
  }                                                                                                 \
  cublasStatus_t cublas##S##syr2(cublasHandle_t handle, cublasFillMode_t fill, int n,               \
                                 const T* alpha, const T* x, int x_step, const T* y, int y_step,    \
                                 T* a, int lda, Site site) {                                        \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(n);                                                                                 \
    const Factor<T> factor(handle, alpha);                                                          \
    return run(handle, __func__,                                                                    \
               {vector_of("x", x, n, x_step, true, false), vector_of("y", y, n, y_step, true, false),\
                matrix_of("A", a, n, n, lda, true, true)},                                          \
               site, [=] {                                                                          \
      blas(letter<T>, "syr2", kByColumns, of(fill), n, factor(), x, x_step, y, y_step, a, lda);     \
    });                                                                                             \
  }                                                                                                 \
  cublasStatus_t cublas##S##syr2k(cublasHandle_t handle, cublasFillMode_t fill,                     \
                                  cublasOperation_t op, int n, int k, const T* alpha, const T* a,   \
                                  int lda, const T* b, int ldb, const T* beta, T* c, int ldc,       \
                                  Site site) {                                                      \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(std::min(n, k));                                                                    \
    const Factor<T> factor(handle, alpha), keep(handle, beta);                                      \
    const bool plain = op == CUBLAS_OP_N;                                                           \
    return run(handle, __func__,                                                                    \
               {matrix_of("A", a, plain ? n : k, plain ? k : n, lda, true, false),                  \
                matrix_of("B", b, plain ? n : k, plain ? k : n, ldb, true, false),                  \
                matrix_of("C", c, n, n, ldc, !is_zero(keep), true)},                                \
               site, [=] {                                                                          \
      blas(letter<T>, "syr2k", kByColumns, of(fill), of(op), n, k, factor(), a, lda, b, ldb,        \
           keep(), c, ldc);                                                                         \
    });                                                                                             \
  }                                                                                                 \
  cublasStatus_t cublas##S##trmm(cublasHandle_t handle, cublasSideMode_t side,                      \
                                 cublasFillMode_t fill, cublasOperation_t op,                       \
                                 cublasDiagType_t diagonal, int m, int n, const T* alpha,           \
                                 const T* a, int lda, const T* b, int ldb, T* c, int ldc,           \
                                 Site site) {                                                       \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(std::min(m, n));                                                                    \
    const Factor<T> factor(handle, alpha);                                                          \
    const int size = side == CUBLAS_SIDE_LEFT ? m : n;                                              \
    return run(handle, __func__,                                                                    \
               {matrix_of("A", a, size, size, lda, true, false),                                    \
                matrix_of("B", b, m, n, ldb, true, false), matrix_of("C", c, m, n, ldc, b == c, true)},\
               site, [=] {                                                                          \
      for (int column = 0; b != c && column < n; column++)                                          \
        std::copy_n(b + static_cast<size_t>(column) * ldb, m, c + static_cast<size_t>(column) * ldc);\
      blas(letter<T>, "trmm", kByColumns, of(side), of(fill), of(op), of(diagonal), m, n, factor(), \
           a, lda, c, ldc);                                                                         \
    });                                                                                             \
  }                                                                                                 \
  cublasStatus_t cublas##S##getrfBatched(cublasHandle_t handle, int n, T* const a[], int lda,       \
                                         int* pivots, int* info, int count, Site site) {            \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(std::min(n, count));                                                                \
    return run(handle, __func__,                                                                    \
               {vector_of("the array of A", a, count, 1, true, false),                              \
                vector_of("pivots", pivots, pivots == nullptr ? 0 : n * count, 1, false, true),     \
                vector_of("info", info, count, 1, false, true)},                                    \
               site, [=] {                                                                          \
      for (int i = 0; i < count; i++) {                                                             \
        info[i] = factorize(n, a[i], lda, pivots == nullptr ? nullptr : pivots + i * n);            \
        tell_written(a[i], n, n, lda, site);                                                        \
      }                                                                                             \
    });                                                                                             \
  }                                                                                                 \
  cublasStatus_t cublas##S##getriBatched(cublasHandle_t handle, int n, const T* const a[], int lda, \
                                         const int* pivots, T* const c[], int ldc, int* info,       \
                                         int count, Site site) {                                    \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(std::min(n, count));                                                                \
    return run(handle, __func__,                                                                    \
               {vector_of("the array of A", a, count, 1, true, false),                              \
                vector_of("the array of C", c, count, 1, true, false),                              \
                vector_of("pivots", pivots, pivots == nullptr ? 0 : n * count, 1, true, false),     \
                vector_of("info", info, count, 1, false, true)},                                    \
               site, [=] {                                                                          \
      for (int i = 0; i < count; i++) {                                                             \
        for (int column = 0; column < n; column++)                                                  \
          for (int row = 0; row < n; row++)                                                         \
            c[i][row + static_cast<size_t>(column) * ldc] = row == column ? T(1) : T(0);            \
        solve(CUBLAS_OP_N, n, n, a[i], lda, pivots == nullptr ? nullptr : pivots + i * n, c[i], ldc);\
        info[i] = first_zero(n, a[i], lda);                                                         \
        tell_written(c[i], n, n, ldc, site);                                                        \
      }                                                                                             \
    });                                                                                             \
  }                                                                                                 \
  cublasStatus_t cublas##S##getrsBatched(cublasHandle_t handle, cublasOperation_t op, int n,        \
                                         int columns, const T* const a[], int lda,                  \
                                         const int* pivots, T* const b[], int ldb, int* info,       \
                                         int count, Site site) {                                    \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(std::min({n, columns, count}));                                                     \
    *info = 0; /* on the host: about the arguments */                                               \
    return run(handle, __func__,                                                                    \
               {vector_of("the array of A", a, count, 1, true, false),                              \
                vector_of("the array of B", b, count, 1, true, false),                              \
                vector_of("pivots", pivots, pivots == nullptr ? 0 : n * count, 1, true, false)},    \
               site, [=] {                                                                          \
      for (int i = 0; i < count; i++) {                                                             \
        solve(op, n, columns, a[i], lda, pivots == nullptr ? nullptr : pivots + i * n, b[i], ldb);  \
        tell_written(b[i], n, columns, ldb, site);                                                  \
      }                                                                                             \
    });                                                                                             \
  }                                                                                                 \
  cublasStatus_t cublas##S##geam(cublasHandle_t handle, cublasOperation_t op_a,                     \
                                 cublasOperation_t op_b, int m, int n, const T* alpha, const T* a,  \
                                 int lda, const T* beta, const T* b, int ldb, T* c, int ldc,        \
                                 Site site) {                                                       \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(std::min(m, n));                                                                    \
    const Factor<T> fa(handle, alpha), fb(handle, beta);                                            \
    const bool no_a = is_zero(fa), no_b = is_zero(fb), pa = op_a == CUBLAS_OP_N,                    \
               pb = op_b == CUBLAS_OP_N;                                                            \
    return run(handle, __func__,                                                                    \
               {matrix_of("A", a, no_a ? 0 : pa ? m : n, pa ? n : m, lda, true, false),             \
                matrix_of("B", b, no_b ? 0 : pb ? m : n, pb ? n : m, ldb, true, false),             \
                matrix_of("C", c, m, n, ldc, false, true)},                                         \
               site, [=] {                                                                          \
      for (int column = 0; column < n; column++)                                                    \
        for (int row = 0; row < m; row++)                                                           \
          c[row + static_cast<size_t>(column) * ldc] =                                              \
              (no_a ? T(0) : fa() * at(a, lda, op_a, row, column)) +                                \
              (no_b ? T(0) : fb() * at(b, ldb, op_b, row, column));                                 \
    });                                                                                             \
  }                                                                                                 \
  cublasStatus_t cublas##S##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n,        \
                                 const T* a, int lda, const T* x, int step, T* c, int ldc,          \
                                 Site site) {                                                       \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(std::min(m, n));                                                                    \
    const bool left = side == CUBLAS_SIDE_LEFT;                                                     \
    return run(handle, __func__,                                                                    \
               {matrix_of("A", a, m, n, lda, true, false),                                          \
                vector_of("x", x, left ? m : n, step, true, false),                                 \
                matrix_of("C", c, m, n, ldc, false, true)},                                         \
               site, [=] {                                                                          \
      for (int column = 0; column < n; column++)                                                    \
        for (int row = 0; row < m; row++)                                                           \
          c[row + static_cast<size_t>(column) * ldc] =                                              \
              a[row + static_cast<size_t>(column) * lda] *                                          \
              x[static_cast<size_t>(left ? row : column) * step];                                   \
    });                                                                                             \
  }
BLAS(S, float, cublasIsamax, cublasIsamin, cublasSasum, cublasSnrm2)
BLAS(D, double, cublasIdamax, cublasIdamin, cublasDasum, cublasDnrm2)

// ---- products of matrices ----

namespace {

struct Shape {
  cublasOperation_t op_a, op_b;
  int m, n, k, lda, ldb, ldc;
};

template <typename T>
void multiply(const Shape& s, T alpha, const T* a, const T* b, T beta, T* c) {
  if (s.m == 0 || s.n == 0) return;
  if constexpr (letter<T> == 'c' || letter<T> == 'z')
    blas(letter<T>, "gemm", kByColumns, of(s.op_a), of(s.op_b), s.m, s.n, s.k,
         static_cast<const void*>(&alpha), static_cast<const void*>(a), s.lda,
         static_cast<const void*>(b), s.ldb, static_cast<const void*>(&beta), static_cast<void*>(c),
         s.ldc);
  else
    blas(letter<T>, "gemm", kByColumns, of(s.op_a), of(s.op_b), s.m, s.n, s.k, alpha, a, s.lda, b,
         s.ldb, beta, c, s.ldc);
}

// In half precision: sums in float, rounded once.
template <typename T>
std::vector<float> widened(const T* from, int rows, int columns, int pitch) {
  std::vector<float> wide(static_cast<size_t>(pitch) * columns);
  for (int column = 0; column < columns; column++)
    for (int row = 0; row < rows; row++) {
      const size_t i = row + static_cast<size_t>(column) * pitch;
      wide[i] = static_cast<float>(from[i]);
    }
  return wide;
}
template <typename A, typename C>
void multiply_wide(const Shape& s, float alpha, const A* a, const A* b, float beta, C* c) {
  const bool pa = s.op_a == CUBLAS_OP_N, pb = s.op_b == CUBLAS_OP_N;
  const std::vector<float> wide_a = widened(a, pa ? s.m : s.k, pa ? s.k : s.m, s.lda);
  const std::vector<float> wide_b = widened(b, pb ? s.k : s.n, pb ? s.n : s.k, s.ldb);
  std::vector<float> wide_c(static_cast<size_t>(s.ldc) * s.n);
  if (beta != 0) wide_c = widened(c, s.m, s.n, s.ldc);
  multiply(s, alpha, wide_a.data(), wide_b.data(), beta, wide_c.data());
  for (int column = 0; column < s.n; column++)
    for (int row = 0; row < s.m; row++) {
      const size_t i = row + static_cast<size_t>(column) * s.ldc;
      c[i] = static_cast<C>(wide_c[i]);
    }
}
void multiply(const Shape& s, __half alpha, const __half* a, const __half* b, __half beta, __half* c) {
  multiply_wide(s, static_cast<float>(alpha), a, b, static_cast<float>(beta), c);
}

template <typename T, typename U>
std::vector<Matrix> touched_by(const Shape& s, const T* a, const T* b, U* c, bool reads_c) {
  const bool pa = s.op_a == CUBLAS_OP_N, pb = s.op_b == CUBLAS_OP_N;
  return {matrix_of("A", a, pa ? s.m : s.k, pa ? s.k : s.m, s.lda, true, false),
          matrix_of("B", b, pb ? s.k : s.n, pb ? s.n : s.k, s.ldb, true, false),
          matrix_of("C", c, s.m, s.n, s.ldc, reads_c, true)};
}

}  // namespace

#define GEMM(S, T)                                                                                  \
  cublasStatus_t cublas##S##gemm(cublasHandle_t handle, cublasOperation_t op_a,                     \
                                 cublasOperation_t op_b, int m, int n, int k, const T* alpha,       \
                                 const T* a, int lda, const T* b, int ldb, const T* beta, T* c,     \
                                 int ldc, Site site) {                                              \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(std::min({m, n, k}));                                                               \
    const Factor<T> factor(handle, alpha), keep(handle, beta);                                      \
    const Shape shape{op_a, op_b, m, n, k, lda, ldb, ldc};                                          \
    return run(handle, __func__, touched_by(shape, a, b, c, !is_zero(keep)), site,                  \
               [=] { multiply(shape, factor(), a, b, keep(), c); });                                \
  }                                                                                                 \
  cublasStatus_t cublas##S##gemmStridedBatched(                                                     \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,   \
      const T* alpha, const T* a, int lda, long long a_stride, const T* b, int ldb,                 \
      long long b_stride, const T* beta, T* c, int ldc, long long c_stride, int count, Site site) { \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(std::min({m, n, k, count}));                                                        \
    cublasStatus_t status = CUBLAS_STATUS_SUCCESS;                                                  \
    for (long long i = 0; i < count && status == CUBLAS_STATUS_SUCCESS; i++)                        \
      status = cublas##S##gemm(handle, op_a, op_b, m, n, k, alpha, a + i * a_stride, lda,           \
                               b + i * b_stride, ldb, beta, c + i * c_stride, ldc, site);           \
    return status;                                                                                  \
  }                                                                                                 \
  cublasStatus_t cublas##S##gemmBatched(                                                            \
      cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,   \
      const T* alpha, const T* const a[], int lda, const T* const b[], int ldb, const T* beta,      \
      T* const c[], int ldc, int count, Site site) {                                                \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(std::min({m, n, k, count}));                                                        \
    const Factor<T> factor(handle, alpha), keep(handle, beta);                                      \
    const Shape shape{op_a, op_b, m, n, k, lda, ldb, ldc};                                          \
    /* The pointers lie on the device, so the matrices are known only when the work runs. */        \
    return run(handle, __func__,                                                                    \
               {vector_of("the array of A", a, count, 1, true, false),                              \
                vector_of("the array of B", b, count, 1, true, false),                              \
                vector_of("the array of C", c, count, 1, true, false)},                             \
               site, [=] {                                                                          \
      for (int i = 0; i < count; i++) {                                                             \
        for (const Matrix& x : touched_by(shape, a[i], b[i], c[i], !is_zero(keep)))                 \
          if (x.is_written)                                                                         \
            check::copied(const_cast<void*>(x.data), x.pitch * x.element, nullptr, 0,               \
                          x.rows * x.element, x.columns, site);                                     \
        multiply(shape, factor(), a[i], b[i], keep(), c[i]);                                        \
      }                                                                                             \
    });                                                                                             \
  }
GEMM(S, float)
GEMM(D, double)
GEMM(C, cuComplex)
GEMM(Z, cuDoubleComplex)
GEMM(H, __half)

// ---- vectors of complex numbers ----

// Element i of a vector; with a negative step it begins at its other end.
template <typename T>
static T& element(T* x, int n, int step, int i) {
  return x[static_cast<ptrdiff_t>(step < 0 ? i - n + 1 : i) * step];
}
template <typename T>
static T times(T a, T b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
// Calls work(x[i], y[i]) for all elements.
template <typename X, typename Y, typename Work>
static void for_pairs(int n, X* x, int x_step, Y* y, int y_step, Work work) {
  for (int i = 0; i < n; i++) work(element(x, n, x_step, i), element(y, n, y_step, i));
}

#define COMPLEX_VECTORS(S, T, R, SCALE_BY_REAL, NRM2)                                               \
  cublasStatus_t cublas##S##scal(cublasHandle_t handle, int n, const T* alpha, T* x, int step,      \
                                 Site site) {                                                       \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(n);                                                                                 \
    const Factor<T> factor(handle, alpha);                                                          \
    return run(handle, __func__, {vector_of("x", x, n, step, true, true)}, site, [=] {              \
      for_pairs(n, x, step, x, step, [&](T& a, T&) { a = times(factor(), a); });                    \
    });                                                                                             \
  }                                                                                                 \
  cublasStatus_t SCALE_BY_REAL(cublasHandle_t handle, int n, const R* alpha, T* x, int step,        \
                               Site site) {                                                         \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(n);                                                                                 \
    const Factor<R> factor(handle, alpha);                                                          \
    return run(handle, __func__, {vector_of("x", x, n, step, true, true)}, site, [=] {              \
      for_pairs(n, x, step, x, step, [&](T& a, T&) { a = {factor() * a.x, factor() * a.y}; });      \
    });                                                                                             \
  }                                                                                                 \
  cublasStatus_t cublas##S##axpy(cublasHandle_t handle, int n, const T* alpha, const T* x,          \
                                 int x_step, T* y, int y_step, Site site) {                         \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(n);                                                                                 \
    const Factor<T> factor(handle, alpha);                                                          \
    return run(handle, __func__,                                                                    \
               {vector_of("x", x, n, x_step, true, false), vector_of("y", y, n, y_step, true, true)}, \
               site, [=] {                                                                          \
      for_pairs(n, x, x_step, y, y_step, [&](const T& a, T& b) {                                    \
        const T product = times(factor(), a);                                                       \
        b = {b.x + product.x, b.y + product.y};                                                     \
      });                                                                                           \
    });                                                                                             \
  }                                                                                                 \
  cublasStatus_t cublas##S##copy(cublasHandle_t handle, int n, const T* x, int x_step, T* y,        \
                                 int y_step, Site site) {                                           \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(n);                                                                                 \
    return run(handle, __func__,                                                                    \
               {vector_of("x", x, n, x_step, true, false), vector_of("y", y, n, y_step, false, true)}, \
               site,                                                                                \
               [=] { for_pairs(n, x, x_step, y, y_step, [](const T& a, T& b) { b = a; }); });       \
  }                                                                                                 \
  cublasStatus_t cublas##S##swap(cublasHandle_t handle, int n, T* x, int x_step, T* y, int y_step,  \
                                 Site site) {                                                       \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(n);                                                                                 \
    return run(handle, __func__,                                                                    \
               {vector_of("x", x, n, x_step, true, true), vector_of("y", y, n, y_step, true, true)}, \
               site, [=] { for_pairs(n, x, x_step, y, y_step, [](T& a, T& b) { std::swap(a, b); }); }); \
  }                                                                                                 \
  static cublasStatus_t dot_of(const char* function, bool conjugate, cublasHandle_t handle, int n,  \
                               const T* x, int x_step, const T* y, int y_step, T* result,           \
                               Site site) {                                                         \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(n);                                                                                 \
    return run_for_result(                                                                          \
        handle, function,                                                                           \
        {vector_of("x", x, n, x_step, true, false), vector_of("y", y, n, y_step, true, false)},     \
        result, site, [=] {                                                                         \
      T sum{0, 0};                                                                                  \
      for_pairs(n, x, x_step, y, y_step, [&](const T& a, const T& b) {                              \
        const T product = times(T{a.x, conjugate ? -a.y : a.y}, b);                                 \
        sum = {sum.x + product.x, sum.y + product.y};                                               \
      });                                                                                           \
      return sum;                                                                                   \
    });                                                                                             \
  }                                                                                                 \
  cublasStatus_t cublas##S##dotu(cublasHandle_t handle, int n, const T* x, int x_step, const T* y,  \
                                 int y_step, T* result, Site site) {                                \
    return dot_of(__func__, false, handle, n, x, x_step, y, y_step, result, site);                  \
  }                                                                                                 \
  cublasStatus_t cublas##S##dotc(cublasHandle_t handle, int n, const T* x, int x_step, const T* y,  \
                                 int y_step, T* result, Site site) {                                \
    return dot_of(__func__, true, handle, n, x, x_step, y, y_step, result, site);                   \
  }                                                                                                 \
  cublasStatus_t NRM2(cublasHandle_t handle, int n, const T* x, int step, R* result, Site site) {   \
    CHECK_HANDLE;                                                                                   \
    CHECK_SIZES(n);                                                                                 \
    return run_for_result(handle, __func__, {vector_of("x", x, n, step, true, false)}, result,      \
                          site, [=] {                                                               \
      double sum = 0;                                                                               \
      for_pairs(n, x, step, x, step, [&](const T& a, const T&) {                                    \
        sum += static_cast<double>(a.x) * a.x + static_cast<double>(a.y) * a.y;                     \
      });                                                                                           \
      return static_cast<R>(std::sqrt(sum));                                                        \
    });                                                                                             \
  }
COMPLEX_VECTORS(C, cuComplex, float, cublasCsscal, cublasScnrm2)
COMPLEX_VECTORS(Z, cuDoubleComplex, double, cublasZdscal, cublasDznrm2)

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                            int m, int n, int k, const void* alpha, const void* a,
                            cudaDataType a_type, int lda, const void* b, cudaDataType b_type,
                            int ldb, const void* beta, void* c, cudaDataType c_type, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t, Site site) {
  CHECK_HANDLE;
  CHECK_SIZES(std::min({m, n, k}));
  const Shape s{op_a, op_b, m, n, k, lda, ldb, ldc};
  if (a_type == CUDA_R_64F && b_type == a_type && c_type == a_type)
    return cublasDgemm(handle, op_a, op_b, m, n, k, static_cast<const double*>(alpha),
                       static_cast<const double*>(a), lda, static_cast<const double*>(b), ldb,
                       static_cast<const double*>(beta), static_cast<double*>(c), ldc, site);
  if (a_type == CUDA_R_32F && b_type == a_type && c_type == a_type)
    return cublasSgemm(handle, op_a, op_b, m, n, k, static_cast<const float*>(alpha),
                       static_cast<const float*>(a), lda, static_cast<const float*>(b), ldb,
                       static_cast<const float*>(beta), static_cast<float*>(c), ldc, site);
  const auto* half_a = static_cast<const __half*>(a);
  const auto* half_b = static_cast<const __half*>(b);
  const bool halves = a_type == CUDA_R_16F && b_type == a_type;
  if (halves && compute == CUBLAS_COMPUTE_16F && c_type == CUDA_R_16F)
    return cublasHgemm(handle, op_a, op_b, m, n, k, static_cast<const __half*>(alpha), half_a, lda,
                       half_b, ldb, static_cast<const __half*>(beta), static_cast<__half*>(c), ldc,
                       site);
  if (halves && compute != CUBLAS_COMPUTE_16F && (c_type == CUDA_R_16F || c_type == CUDA_R_32F)) {
    const Factor<float> factor(handle, static_cast<const float*>(alpha));
    const Factor<float> keep(handle, static_cast<const float*>(beta));
    if (c_type == CUDA_R_16F)
      return run(handle, __func__,
                 touched_by(s, half_a, half_b, static_cast<__half*>(c), !is_zero(keep)), site, [=] {
                   multiply_wide(s, factor(), half_a, half_b, keep(), static_cast<__half*>(c));
                 });
    return run(handle, __func__,
               touched_by(s, half_a, half_b, static_cast<float*>(c), !is_zero(keep)), site, [=] {
                 multiply_wide(s, factor(), half_a, half_b, keep(), static_cast<float*>(c));
               });
  }
  explain(site, "cublasGemmEx: these types together are not on the CPU device",
          "there are float, double, and half with half or float results");
  return CUBLAS_STATUS_NOT_SUPPORTED;
}
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                            int m, int n, int k, const void* alpha, const void* a,
                            cudaDataType a_type, int lda, const void* b, cudaDataType b_type,
                            int ldb, const void* beta, void* c, cudaDataType c_type, int ldc,
                            cudaDataType compute, cublasGemmAlgo_t algorithm, Site site) {
  return cublasGemmEx(handle, op_a, op_b, m, n, k, alpha, a, a_type, lda, b, b_type, ldb, beta, c,
                      c_type, ldc,
                      compute == CUDA_R_16F   ? CUBLAS_COMPUTE_16F
                      : compute == CUDA_R_64F ? CUBLAS_COMPUTE_64F
                                              : CUBLAS_COMPUTE_32F,
                      algorithm, site);
}
