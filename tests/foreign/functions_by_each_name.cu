// The functions of C by each of their names in CUDA: sin(float), sinf, std::sin, sin(double), __sinf and so on, in
// kernels and on the host, against the C library's functions of long doubles. The limits are wider than those that CUDA
// documents.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

constexpr int kValues = 256, kNames = 5;
int wrong = 0, compared = 0;

// `units`: how many units in the last place of a number with `digits` bits.
bool near(long double got, long double wanted, int digits, long double units, long double absolute) {
  if (std::isnan(wanted) || std::isnan(got)) return std::isnan(wanted) && std::isnan(got);
  const long double largest = digits == FLT_MANT_DIG ? FLT_MAX : DBL_MAX;
  if (std::fabs(wanted) > largest * (1 + 1e-6L)) return got == std::copysign(HUGE_VALL, wanted);
  if (std::isinf(got)) return std::fabs(wanted) >= largest * (1 - 1e-6L) && std::signbit(got) == std::signbit(wanted);
  const long double smallest = digits == FLT_MANT_DIG ? FLT_MIN : DBL_MIN;
  return std::fabs(got - wanted) <= std::ldexp(std::fabs(wanted), 1 - digits) * units + smallest + absolute;
}
void compare(const std::string &name, const char *where, double x, double y, double got, long double wanted, int digits,
             long double units, long double absolute = 0) {
  compared++;
  if (near(got, wanted, digits, units, absolute)) return;
  if (wrong++ < 30)
    printf("%s %s of %.17g, %.17g: %.17g, expected %.17g\n", name.c_str(), where, x, y, got, double(wanted));
}

// ---- one number: name, from, to ----
#define ONE(X)                                                                                                     \
  X(sin, -20, 20)                                                                                                  \
  X(cos, -20, 20) X(tan, -20, 20) X(asin, -1, 1) X(acos, -1, 1) X(atan, -9, 9) X(sinh, -9, 9) X(cosh, -9, 9)       \
      X(tanh, -9, 9) X(asinh, -99, 99) X(acosh, 1, 99) X(atanh, -1, 1) X(exp, -80, 80) X(exp2, -120, 120)          \
          X(expm1, -9, 40) X(log, 0, 99) X(log2, 0, 99) X(log10, 0, 99) X(log1p, -1, 99) X(sqrt, 0, 99)            \
              X(cbrt, -99, 99) X(erf, -4, 4) X(erfc, -4, 8) X(tgamma, 0.1, 30) X(lgamma, 0.1, 99) X(floor, -9, 9)  \
                  X(ceil, -9, 9) X(trunc, -9, 9) X(round, -9, 9) X(rint, -9, 9) X(nearbyint, -9, 9) X(fabs, -9, 9) \
                      X(logb, 0.001, 99)
// ---- two numbers: from, to of both ----
#define TWO(X)                                                                                                        \
  X(atan2, -9, 9, -9, 9)                                                                                              \
  X(pow, 0, 9, -9, 9) X(hypot, -9, 9, -9, 9) X(fmod, -99, 99, 0.5, 9) X(fdim, -9, 9, -9, 9) X(copysign, -9, 9, -9, 9) \
      X(remainder, -99, 99, 0.5, 9) X(fmax, -9, 9, -9, 9) X(fmin, -9, 9, -9, 9)

#define ONE_OF(NAME, LOW, HIGH)                                                       \
  struct one_##NAME {                                                                 \
    static const char *name() { return #NAME; }                                       \
    static constexpr int kArguments = 1;                                              \
    static double low(int) { return LOW; }                                            \
    static double high(int) { return HIGH; }                                          \
    __host__ __device__ static void all(double x, double, double *out) {              \
      const float f = float(x);                                                       \
      out[0] = NAME(f), out[1] = NAME##f(f), out[2] = std::NAME(f), out[3] = NAME(x); \
      out[4] = std::NAME(x);                                                          \
    }                                                                                 \
    static long double wanted(long double x, long double) { return NAME##l(x); }      \
  };
ONE(ONE_OF)
#define TWO_OF(NAME, LOW, HIGH, LOW_Y, HIGH_Y)                                                    \
  struct two_##NAME {                                                                             \
    static const char *name() { return #NAME; }                                                   \
    static constexpr int kArguments = 2;                                                          \
    static double low(int which) { return which == 0 ? LOW : LOW_Y; }                             \
    static double high(int which) { return which == 0 ? HIGH : HIGH_Y; }                          \
    __host__ __device__ static void all(double x, double y, double *out) {                        \
      const float f = float(x), g = float(y);                                                     \
      out[0] = NAME(f, g), out[1] = NAME##f(f, g), out[2] = std::NAME(f, g), out[3] = NAME(x, y); \
      out[4] = std::NAME(x, y);                                                                   \
    }                                                                                             \
    static long double wanted(long double x, long double y) { return NAME##l(x, y); }             \
  };
TWO(TWO_OF)

template <typename Function>
__global__ void evaluate(const double *x, const double *y, double *out) {
  const int i = threadIdx.x;
  Function::all(x[i], y[i], out + kNames * i);
}
double *x, *y, *out;
template <typename Function>
void check() {
  const char *const names[kNames] = {"(float)", "f", "std:: (float)", "(double)", "std:: (double)"};
  const double special[] = {0.0, -0.0, 1.0, -1.0, HUGE_VAL, -HUGE_VAL, NAN, 1e-30, 1e30};
  constexpr int kSpecial = int(sizeof special / sizeof *special);
  for (int i = 0; i < kValues; i++) {
    x[i] = Function::low(0) + (Function::high(0) - Function::low(0)) * (i + 0.37) / kValues;
    y[i] = Function::low(1) + (Function::high(1) - Function::low(1)) * (i * 149 % kValues + 0.61) / kValues;
    if (i < kSpecial * kSpecial) x[i] = special[i / kSpecial], y[i] = special[i % kSpecial];
  }
  for (const char *where : {"in a kernel", "on the host"}) {
    if (where[0] == 'i') {
      evaluate<Function><<<1, kValues>>>(x, y, out);
      if (cudaDeviceSynchronize() != cudaSuccess) wrong++, printf("%s: failed\n", Function::name());
    } else {
      for (int i = 0; i < kValues; i++) Function::all(x[i], y[i], out + kNames * i);
    }
    for (int i = 0; i < kValues; i++)
      for (int n = 0; n < kNames; n++) {
        const bool is_float = n < 3;
        const long double a = is_float ? float(x[i]) : x[i], b = is_float ? float(y[i]) : y[i];
        const std::string name = std::string(Function::name()) + names[n];
        const double got = out[kNames * i + n];
        const long double wanted = Function::wanted(a, b);
        compare(name, where, x[i], y[i], got, wanted, is_float ? FLT_MANT_DIG : DBL_MANT_DIG, 16);
        if (Function::kArguments == 1 && a == 0 && wanted == 0 && std::signbit(got) != std::signbit(wanted))
          wrong++, printf("%s %s: the sign of its zero\n", name.c_str(), where);
      }
  }
}

// ---- those that are fast and inexact, and the hyperbolic tangent of 16 bits ----
constexpr int kFast = 16;
__global__ void fast(const double *x, const double *y, double *out) {
  const int i = threadIdx.x;
  const float a = float(x[i]), b = float(y[i]), p = fabsf(a) + 0.01f;  // p: from 0.01 to 3.1
  double *const to = out + kFast * i;
  float s, c;
  __sincosf(a, &s, &c);
  to[0] = __sinf(a), to[1] = __cosf(a), to[2] = __tanf(a / 3), to[3] = s, to[4] = c;
  to[5] = __expf(b), to[6] = __exp10f(b), to[7] = __logf(p), to[8] = __log2f(p), to[9] = __log10f(p),
  to[10] = __powf(p, b);
  to[11] = __fdividef(a, p), to[12] = __half2float(htanh(__float2half(a))),
  to[13] = __bfloat162float(htanh(__float2bfloat16(a)));
  to[14] = __high2float(h2tanh(__floats2half2_rn(0, a))), to[15] = __low2float(h2tanh(__floats2bfloat162_rn(a, 0)));
}
void check_fast() {
  double *got;
  cudaMallocManaged(&got, kFast * kValues * sizeof *got);
  for (int i = 0; i < kValues; i++) x[i] = -3.1 + 6.2 * i / kValues, y[i] = -6 + 12.0 * (i * 149 % kValues) / kValues;
  fast<<<1, kValues>>>(x, y, got);
  if (cudaDeviceSynchronize() != cudaSuccess) wrong++, printf("the fast ones failed\n");
  for (int i = 0; i < kValues; i++) {
    const long double a = float(x[i]), b = float(y[i]), p = float(fabsf(float(x[i])) + 0.01f);
    const long double half = __half2float(__float2half(float(a))),
                      bfloat = __bfloat162float(__float2bfloat16(float(a)));
    const struct {
      const char *name;
      long double wanted, units, absolute;
    } all[kFast] = {{"__sinf", sinl(a), 0, 1e-6L},
                    {"__cosf", cosl(a), 0, 1e-6L},
                    {"__tanf of a third", tanl(float(a) / 3), 0, 2e-5L},
                    {"__sincosf", sinl(a), 0, 1e-6L},
                    {"__sincosf", cosl(a), 0, 1e-6L},
                    {"__expf", expl(b), 16, 0},
                    {"__exp10f", powl(10, b), 32, 0},
                    {"__logf", logl(p), 4, 5e-7L},
                    {"__log2f", log2l(p), 4, 5e-7L},
                    {"__log10f", log10l(p), 4, 5e-7L},
                    {"__powf", powl(p, b), 400, 0},
                    {"__fdividef", a / p, 4, 0},
                    {"htanh", tanhl(half), 0, 1e-3L},
                    {"htanh", tanhl(bfloat), 0, 8e-3L},
                    {"h2tanh", tanhl(half), 0, 1e-3L},
                    {"h2tanh", tanhl(bfloat), 0, 8e-3L}};
    for (int n = 0; n < kFast; n++)
      compare(all[n].name, "in a kernel", x[i], y[i], got[kFast * i + n], all[n].wanted, FLT_MANT_DIG, all[n].units,
              all[n].absolute);
  }
}

// ---- those with two results, and with whole numbers ----
constexpr int kParts = 21;
template <typename T>
__host__ __device__ void parts(T a, T b, int n, double *to) {
  T s = 0, c = 0, whole = 0;
  int exponent = 0, quotient = 0;
  sincos(a, &s, &c), to[0] = s, to[1] = c;
  to[2] = frexp(a, &exponent), to[3] = exponent;
  to[4] = modf(a, &whole), to[5] = whole;
  to[6] = remquo(a, b, &quotient), to[7] = quotient & 7;
  to[8] = ldexp(a, n), to[9] = scalbn(a, n), to[10] = scalbln(a, long(n)), to[11] = ilogb(a);
  to[12] = double(lrint(a)), to[13] = double(llrint(a)), to[14] = double(lround(a)), to[15] = double(llround(a));
  to[16] = fma(a, b, T(n)), to[17] = signbit(a) != 0, to[18] = isfinite(a) != 0, to[19] = isnan(a / b) != 0,
  to[20] = isinf(a) != 0;
}
__host__ __device__ void parts_of_float(float a, float b, int n, double *to) {
  float s = 0, c = 0, whole = 0;
  int exponent = 0, quotient = 0;
  sincosf(a, &s, &c), to[0] = s, to[1] = c;
  to[2] = frexpf(a, &exponent), to[3] = exponent;
  to[4] = modff(a, &whole), to[5] = whole;
  to[6] = remquof(a, b, &quotient), to[7] = quotient & 7;
  to[8] = ldexpf(a, n), to[9] = scalbnf(a, n), to[10] = scalblnf(a, long(n)), to[11] = ilogbf(a);
  to[12] = double(lrintf(a)), to[13] = double(llrintf(a)), to[14] = double(lroundf(a)), to[15] = double(llroundf(a));
  to[16] = fmaf(a, b, float(n)), to[17] = signbit(a) != 0, to[18] = isfinite(a) != 0, to[19] = isnan(a / b) != 0,
  to[20] = isinf(a) != 0;
}
__global__ void evaluate_parts(const double *x, const double *y, double *out) {
  const int i = threadIdx.x, n = i % 21 - 10;
  double *const to = out + 3 * kParts * i;
  parts(float(x[i]), float(y[i]), n, to), parts_of_float(float(x[i]), float(y[i]), n, to + kParts),
      parts(x[i], y[i], n, to + 2 * kParts);
}
void check_parts() {
  double *got;
  cudaMallocManaged(&got, 3 * kParts * kValues * sizeof *got);
  for (int i = 0; i < kValues; i++) x[i] = -60 + 120 * (i + 0.3) / kValues, y[i] = 0.7 + i * 149 % kValues * 0.01;
  evaluate_parts<<<1, kValues>>>(x, y, got);
  if (cudaDeviceSynchronize() != cudaSuccess) wrong++, printf("those with two results failed\n");
  for (int i = 0; i < kValues; i++)
    for (int kind = 0; kind < 3; kind++) {
      const long double a = kind < 2 ? float(x[i]) : x[i], b = kind < 2 ? float(y[i]) : y[i];
      const int n = i % 21 - 10;
      int exponent = 0, quotient = 0;
      long double whole = 0;
      const long double fraction = frexpl(a, &exponent), after = modfl(a, &whole), left = remquol(a, b, &quotient);
      const long double wanted[] = {sinl(a),
                                    cosl(a),
                                    fraction,
                                    (long double)exponent,
                                    after,
                                    whole,
                                    left,
                                    (long double)(quotient & 7),
                                    ldexpl(a, n),
                                    ldexpl(a, n),
                                    ldexpl(a, n),
                                    (long double)exponent - 1,
                                    (long double)lrintl(a),
                                    (long double)lrintl(a),
                                    (long double)lroundl(a),
                                    (long double)lroundl(a),
                                    a * b + n,
                                    a < 0 ? 1.0L : 0.0L,
                                    1,
                                    0,
                                    0};
      for (int p = 0; p < int(sizeof wanted / sizeof *wanted); p++) {
        const std::string name = "part " + std::to_string(p) +
                                 (kind == 0   ? " (float)"
                                  : kind == 1 ? " f"
                                              : " (double)");
        compare(name, "in a kernel", x[i], y[i], got[(3 * i + kind) * kParts + p], wanted[p],
                kind < 2 ? FLT_MANT_DIG : DBL_MANT_DIG, 4, p == 16 ? (kind < 2 ? 1e-5L : 1e-13L) : 0);
      }
    }
}

int main() {
  cudaMallocManaged(&x, kValues * sizeof *x);
  cudaMallocManaged(&y, kValues * sizeof *y);
  cudaMallocManaged(&out, kNames * kValues * sizeof *out);
#define CHECK_ONE(NAME, ...) check<one_##NAME>();
#define CHECK_TWO(NAME, ...) check<two_##NAME>();
  ONE(CHECK_ONE)
  TWO(CHECK_TWO)
  check_fast();
  check_parts();
  printf("%d of %d wrong\n", wrong, compared);
  return wrong != 0;
}
