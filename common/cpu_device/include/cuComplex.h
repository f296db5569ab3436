// Complex numbers as CUDA's libraries take them: float2 and double2, with functions for arithmetic.
#pragma once

#include <math.h>

#include "cuda_runtime.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

// SUFFIX f for float, none for double.
#define CPU_DEVICE_COMPLEX(COMPLEX, REAL, F, FABS, SQRT, FMA)                                      \
  static inline REAL cuCreal##F(COMPLEX z) { return z.x; }                                         \
  static inline REAL cuCimag##F(COMPLEX z) { return z.y; }                                         \
  static inline COMPLEX cuConj##F(COMPLEX z) { return {z.x, -z.y}; }                               \
  static inline COMPLEX cuCadd##F(COMPLEX a, COMPLEX b) { return {a.x + b.x, a.y + b.y}; }         \
  static inline COMPLEX cuCsub##F(COMPLEX a, COMPLEX b) { return {a.x - b.x, a.y - b.y}; }         \
  static inline COMPLEX cuCmul##F(COMPLEX a, COMPLEX b) {                                          \
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};                                         \
  }                                                                                                \
  /* Divided by the sum of the divisor's parts first, so that the squares do not overflow. */      \
  static inline COMPLEX cuCdiv##F(COMPLEX a, COMPLEX b) {                                          \
    const REAL scale = 1 / (FABS(b.x) + FABS(b.y));                                                \
    const REAL ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;             \
    const REAL inverse = 1 / (bx * bx + by * by);                                                  \
    return {(ax * bx + ay * by) * inverse, (ay * bx - ax * by) * inverse};                         \
  }                                                                                                \
  /* Neither overflows nor loses small parts. */                                                   \
  static inline REAL cuCabs##F(COMPLEX z) {                                                        \
    const REAL a = FABS(z.x), b = FABS(z.y), large = a > b ? a : b, small = a > b ? b : a;         \
    if (large == 0 || isinf(large)) return large;                                                  \
    if (isnan(a + b)) return a + b;                                                                \
    const REAL ratio = small / large;                                                              \
    return large * SQRT(1 + ratio * ratio);                                                        \
  }                                                                                                \
  static inline COMPLEX cuCfma##F(COMPLEX a, COMPLEX b, COMPLEX c) {                               \
    return {FMA(a.x, b.x, FMA(-a.y, b.y, c.x)), FMA(a.x, b.y, FMA(a.y, b.x, c.y))};                \
  }
CPU_DEVICE_COMPLEX(cuFloatComplex, float, f, fabsf, sqrtf, fmaf)
CPU_DEVICE_COMPLEX(cuDoubleComplex, double, , fabs, sqrt, fma)
#undef CPU_DEVICE_COMPLEX

static inline cuFloatComplex make_cuFloatComplex(float x, float y) { return {x, y}; }
static inline cuDoubleComplex make_cuDoubleComplex(double x, double y) { return {x, y}; }
static inline cuComplex make_cuComplex(float x, float y) { return {x, y}; }
static inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return {z.x, z.y}; }
static inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
  return {static_cast<float>(z.x), static_cast<float>(z.y)};
}
