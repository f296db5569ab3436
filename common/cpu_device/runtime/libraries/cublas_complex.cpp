// cuBLAS of complex numbers: vectors.
#include "cublas_internal.h"

#include <cmath>

using namespace cpu_device;

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

#define T cuComplex
#define R float
#define NAMED(NAME) cublasC##NAME
#define SCALE_BY_REAL cublasCsscal
#define NRM2 cublasScnrm2
#include "cublas_complex.inc"
#undef T
#undef R
#undef NAMED
#undef SCALE_BY_REAL
#undef NRM2

#define T cuDoubleComplex
#define R double
#define NAMED(NAME) cublasZ##NAME
#define SCALE_BY_REAL cublasZdscal
#define NRM2 cublasDznrm2
#include "cublas_complex.inc"
