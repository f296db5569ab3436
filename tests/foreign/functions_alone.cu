// In the manner of test suites for device functions: those that few programs call, each for many values, against what C++, or a
// formula, says; conversions between numbers and their parts; random numbers of kernels; small members of cooperative groups.
#include <cooperative_groups.h>
#include <cuComplex.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <curand_kernel.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

namespace cg = cooperative_groups;
int wrong = 0;
const int kValues = 256;

__host__ __device__ inline int whole(double x) { return static_cast<int>(x * 1000); }
inline long long bits_of(double x) {
  long long bits;
  memcpy(&bits, &x, 8);
  return bits;
}
inline double series_i(int order, double x) {  // the modified Bessel function
  double term = std::pow(x / 2, order) / (order == 1 ? 1 : 1), sum = 0;
  for (int k = 0; k < 60; k++) sum += term, term *= x * x / 4 / ((k + 1.0) * (k + 1.0 + order));
  return sum;
}
const double pi = 3.14159265358979323846;

// a to d: between -4 and 4; p and q: between 0 and 1, or a little less. A, B, C: whole numbers.
#define CASES(X)                                                                                                   \
  X(norm3d, norm3d(a, b, c), std::sqrt(a *a + b * b + c * c))                                                      \
  X(norm3df, norm3df(float(a), float(b), float(c)), std::sqrt(a *a + b * b + c * c))                               \
  X(norm4d, norm4d(a, b, c, d), std::sqrt(a *a + b * b + c * c + d * d))                                           \
  X(norm4df, norm4df(float(a), float(b), float(c), float(d)), std::sqrt(a *a + b * b + c * c + d * d))             \
  X(rnorm3d, rnorm3d(a, b, c), 1 / std::sqrt(a * a + b * b + c * c))                                               \
  X(rnorm3df, rnorm3df(float(a), float(b), float(c)), 1 / std::sqrt(a * a + b * b + c * c))                        \
  X(rnorm4d, rnorm4d(a, b, c, d), 1 / std::sqrt(a * a + b * b + c * c + d * d))                                    \
  X(rnorm4df, rnorm4df(float(a), float(b), float(c), float(d)), 1 / std::sqrt(a * a + b * b + c * c + d * d))      \
  X(rhypot_, rhypot(a, b), 1 / std::sqrt(a * a + b * b))                                                           \
  X(rhypotf_, rhypotf(float(a), float(b)), 1 / std::sqrt(a * a + b * b))                                           \
  X(cbrt_, cbrt(a), std::cbrt(a))                                                                                  \
  X(rcbrt_, rcbrt(a), 1 / std::cbrt(a))                                                                            \
  X(rcbrtf_, rcbrtf(float(a)), 1 / std::cbrt(a))                                                                   \
  X(bessel0, cyl_bessel_i0(a), series_i(0, a))                                                                     \
  X(bessel1, cyl_bessel_i1(a), series_i(1, a))                                                                     \
  X(bessel0f, cyl_bessel_i0f(float(a)), series_i(0, a))                                                            \
  X(bessel1f, cyl_bessel_i1f(float(a)), series_i(1, a))                                                            \
  X(bessel0_far, cyl_bessel_i0(a * 1e18), HUGE_VAL)                                                                \
  X(bessel1_far, cyl_bessel_i1(a * 1e18), std::copysign(HUGE_VAL, a))                                              \
  X(erfcx_, erfcx(a), std::exp(a *a) * std::erfc(a))                                                               \
  X(erfcxf_, erfcxf(float(a)), std::exp(a *a) * std::erfc(a))                                                      \
  X(erfinv_, erf(erfinv(p)), p)                                                                                    \
  X(erfinvf_, erf(double(erfinvf(float(p)))), p)                                                                   \
  X(erfcinvf_, erfc(double(erfcinvf(float(p)))), p)                                                                \
  X(normcdf_, normcdf(a), 0.5 * std::erfc(-a / std::sqrt(2.0)))                                                    \
  X(normcdff_, normcdff(float(a)), 0.5 * std::erfc(-a / std::sqrt(2.0)))                                           \
  X(normcdfinvf_, normcdf(double(normcdfinvf(float(p)))), p)                                                       \
  X(sinpi_, sinpi(a), std::sin(pi *a))                                                                             \
  X(cospif_, cospif(float(a)), std::cos(pi *a))                                                                    \
  X(fdividef_, fdividef(float(a), float(b)), a / b)                                                                \
  X(fdividef2, __fdividef(float(a), float(b)), a / b)                                                              \
  X(add, __dadd_rn(a, b), a + b)                                                                                   \
  X(subtract, __dsub_rn(a, b), a - b)                                                                              \
  X(multiply, __dmul_rn(a, b), a *b)                                                                               \
  X(divide, __ddiv_rn(a, b), a / b)                                                                                \
  X(root, __dsqrt_rn(p), std::sqrt(p))                                                                             \
  X(reciprocal, __drcp_rn(a), 1 / a)                                                                               \
  X(fused, __fma_rn(a, b, c), std::fma(a, b, c))                                                                   \
  X(addf, __fadd_rn(float(a), float(b)), float(a) + float(b))                                                      \
  X(subtractf, __fsub_rn(float(a), float(b)), float(a) - float(b))                                                 \
  X(multiplyf, __fmul_rn(float(a), float(b)), float(a) * float(b))                                                 \
  X(dividef, __fdiv_rn(float(a), float(b)), float(a) / float(b))                                                   \
  X(rootf, __fsqrt_rn(float(p)), std::sqrt(float(p)))                                                              \
  X(reciprocalf, __frcp_rn(float(a)), 1 / float(a))                                                                \
  X(high, double(__double2hiint(a)), double(int(bits_of(a) >> 32)))                                                \
  X(low, double(__double2loint(a)), double(int(bits_of(a))))                                                       \
  X(joined, __hiloint2double(__double2hiint(a), __double2loint(a)), a)                                             \
  X(int_to_double, __int2double_rn(A), double(A))                                                                  \
  X(uint_to_double, __uint2double_rn(unsigned(A)), double(unsigned(A)))                                            \
  X(ll_to_double, __ll2double_rn((long long)A *B), double((long long)A * B))                                       \
  X(ull_to_double, __ull2double_rn((unsigned long long)A), double((unsigned long long)A))                          \
  X(int_to_float, __int2float_rn(A * 4099), float(A * 4099))                                                       \
  X(uint_to_float, __uint2float_rn(unsigned(A)), float(unsigned(A)))                                               \
  X(ll_to_float, __ll2float_rn((long long)A * 4000000007), float((long long)A * 4000000007))                       \
  X(ull_to_float, __ull2float_rn((unsigned long long)A), float((unsigned long long)A))                             \
  X(umin_, double(umin(unsigned(A), unsigned(B))), double(std::min(unsigned(A), unsigned(B))))                     \
  X(umax_, double(umax(unsigned(A), unsigned(B))), double(std::max(unsigned(A), unsigned(B))))                     \
  X(llmin_, double(llmin((long long)A << 33, (long long)B << 33)), double((long long)std::min(A, B) * 8589934592)) \
  X(ullmin_, double(ullmin((unsigned long long)A, (unsigned long long)B)),                                         \
    double(std::min((unsigned long long)A, (unsigned long long)B)))                                                \
  X(ullmax_, double(ullmax((unsigned long long)A, (unsigned long long)B)),                                         \
    double(std::max((unsigned long long)A, (unsigned long long)B)))                                                \
  X(viaddmax, double(__viaddmax_s32(A, B, C)), double(std::max(A + B, C)))                                         \
  X(viaddmin, double(__viaddmin_s32(A, B, C)), double(std::min(A + B, C)))                                         \
  X(viaddmax_relu, double(__viaddmax_s32_relu(A, B, C)), double(std::max(std::max(A + B, C), 0)))                  \
  X(viaddmin_relu, double(__viaddmin_s32_relu(A, B, C)), double(std::max(std::min(A + B, C), 0)))                  \
  X(vimax3, double(__vimax3_s32(A, B, C)), double(std::max(std::max(A, B), C)))                                    \
  X(vimin3, double(__vimin3_s32(A, B, C)), double(std::min(std::min(A, B), C)))                                    \
  X(vimax3_relu, double(__vimax3_s32_relu(A, B, C)), double(std::max(std::max(std::max(A, B), C), 0)))             \
  X(vimin3_relu, double(__vimin3_s32_relu(A, B, C)), double(std::max(std::min(std::min(A, B), C), 0)))             \
  X(vimax_relu, double(__vimax_s32_relu(A, B)), double(std::max(std::max(A, B), 0)))                               \
  X(vimin_relu, double(__vimin_s32_relu(A, B)), double(std::max(std::min(A, B), 0)))

#define DEFINE(NAME, DEVICE, HOST)                                                   \
  struct Case_##NAME {                                                               \
    static const char *name() { return #NAME; }                                      \
    __device__ static double got(double a, double b, double c, double d, double p) { \
      const int A = whole(a), B = whole(b), C = whole(c);                            \
      (void)a, (void)b, (void)c, (void)d, (void)p, (void)A, (void)B, (void)C;        \
      return DEVICE;                                                                 \
    }                                                                                \
    static double wanted(double a, double b, double c, double d, double p) {         \
      const int A = whole(a), B = whole(b), C = whole(c);                            \
      (void)a, (void)b, (void)c, (void)d, (void)p, (void)A, (void)B, (void)C;        \
      return HOST;                                                                   \
    }                                                                                \
  };
CASES(DEFINE)

template <typename Case>
__global__ void evaluate(const double *x, double *out) {
  const double *v = x + 5 * threadIdx.x;
  out[threadIdx.x] = Case::got(v[0], v[1], v[2], v[3], v[4]);
}
double *inputs, *results;
template <typename Case>
void check() {
  evaluate<Case><<<1, kValues>>>(inputs, results);
  if (cudaDeviceSynchronize() != cudaSuccess) wrong++, printf("%s: failed\n", Case::name());
  for (int i = 0; i < kValues; i++) {
    const double *v = inputs + 5 * i, wanted = Case::wanted(v[0], v[1], v[2], v[3], v[4]);
    if (results[i] == wanted || std::fabs(results[i] - wanted) <= 2e-5 * std::fabs(wanted) + 1e-6) continue;
    wrong++, printf("%s of %g %g %g %g %g: %.9g, expected %.9g\n", Case::name(), v[0], v[1], v[2], v[3], v[4], results[i], wanted);
    break;
  }
}

// Sine and cosine at once; pairs of halves; pairs of numbers of 8 bits.
__global__ void pairs(const double *x, double *out) {
  const int i = threadIdx.x;
  const double a = x[5 * i], b = x[5 * i + 1];
  double s, c;
  float sf, cf;
  sincospi(a, &s, &c), sincospif(float(a), &sf, &cf);
  double *const to = out + 24 * i;
  to[0] = s, to[1] = c, to[2] = sf, to[3] = cf;
  const __half2 p = __floats2half2_rn(float(a), float(b)), q = __floats2half2_rn(float(b), 2.0f);
  const auto put = [&](int at, __half2 h) { to[at] = __low2float(h), to[at + 1] = __high2float(h); };
  put(4, __habs2(p)), put(6, __hneg2(p)), put(8, __h2div(p, q)), put(10, __hmax2(p, q)), put(12, __hmin2(p, q)),
      put(14, __hmax2_nan(p, q));
  put(16, __hmin2_nan(p, q));
  to[18] = __hbeq2(p, p) + 2 * __hbeq2(p, __floats2half2_rn(float(a), 9.0f));
  const __nv_fp8x2_storage_t two = __nv_cvt_float2_to_fp8x2(make_float2(float(a), float(b)), __NV_SATFINITE, __NV_E4M3);
  to[19] = two & 0xff, to[20] = two >> 8;
  to[21] = __nv_cvt_float_to_fp8(float(a), __NV_SATFINITE, __NV_E4M3),
  to[22] = __nv_cvt_float_to_fp8(float(b), __NV_SATFINITE, __NV_E4M3);
  to[23] = __nv_cvt_double_to_fp8(a, __NV_SATFINITE, __NV_E4M3);
}
void check_pairs() {
  double *out;
  cudaMallocManaged(&out, 24 * kValues * sizeof *out);
  pairs<<<1, kValues>>>(inputs, out);
  if (cudaDeviceSynchronize() != cudaSuccess) wrong++, printf("pairs failed\n");
  for (int i = 0; i < kValues; i++) {
    const double a = inputs[5 * i], b = inputs[5 * i + 1], *got = out + 24 * i;
    const double wanted[] = {std::sin(pi * a),
                             std::cos(pi * a),
                             std::sin(pi * a),
                             std::cos(pi * a),
                             std::fabs(a),
                             std::fabs(b),
                             -a,
                             -b,
                             a / b,
                             b / 2,
                             std::max(a, b),
                             std::max(b, 2.0),
                             std::min(a, b),
                             std::min(b, 2.0),
                             std::max(a, b),
                             std::max(b, 2.0),
                             std::min(a, b),
                             std::min(b, 2.0),
                             1};
    for (int k = 0; k < 19; k++)
      if (!(std::fabs(got[k] - wanted[k]) <= (k < 4 ? 1e-5 : 3e-3 * (1 + std::fabs(wanted[k])))) && wrong++ < 20)
        printf("pair %d of %g %g: %g, expected %g\n", k, a, b, got[k], wanted[k]);
    if ((got[19] != got[21] || got[20] != got[22] || got[21] != got[23]) && wrong++ < 20)
      printf("8 bits of %g %g: %g %g, alone %g %g %g\n", a, b, got[19], got[20], got[21], got[22], got[23]);
  }
  cudaFree(out);
}

// Distributions of kernels: logarithms, pairs and fours are the same numbers.
template <typename State>
__global__ void draw(double *out) {
  State state, copy;
  curand_init(11, threadIdx.x, 0, &state);
  double *const to = out + 8 * threadIdx.x;
  copy = state;
  to[0] = std::log(double(curand_log_normal(&copy, 0.5f, 0.25f)));
  copy = state;
  to[1] = 0.5 + 0.25 * curand_normal(&copy);
  copy = state;
  to[2] = std::log(curand_log_normal_double(&copy, 0.5, 0.25));
  copy = state;
  to[3] = 0.5 + 0.25 * curand_normal_double(&copy);
  copy = state;
  to[4] = curand_normal2(&copy).x;
  to[5] = curand_uniform_double(&copy);
  copy = state;
  to[6] = std::log(double(curand_log_normal2(&copy, 0.0f, 1.0f).y));
  copy = state;
  to[7] = curand_normal2(&copy).y;
}
template <typename State>
void check_draws(const char *name) {
  double *out, sum = 0, squares = 0, low = 1, high = 0;
  cudaMallocManaged(&out, 8 * kValues * sizeof *out);
  draw<State><<<1, kValues>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) wrong++, printf("%s failed\n", name);
  for (int i = 0; i < kValues; i++) {
    const double *v = out + 8 * i;
    if (std::fabs(v[0] - v[1]) > 1e-5 || std::fabs(v[2] - v[3]) > 1e-9 || std::fabs(v[6] - v[7]) > 1e-4)
      wrong++, printf("%s: logarithms\n", name);
    sum += v[4], squares += v[4] * v[4], low = std::min(low, v[5]), high = std::max(high, v[5]);
  }
  if (std::fabs(sum / kValues) > 0.25 || std::fabs(squares / kValues - 1) > 0.35 || low <= 0 || low > 0.05 || high > 1 ||
      high < 0.95)
    wrong++, printf("%s: mean %g, squares %g, from %g to %g\n", name, sum / kValues, squares / kValues, low, high);
  cudaFree(out);
}

__global__ void groups(int *out) {
  const cg::grid_group grid = cg::this_grid();
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<8>(block);
  const int i = static_cast<int>(grid.thread_rank());
  int *const to = out + 12 * i;
  to[0] = static_cast<int>(grid.block_rank()), to[1] = static_cast<int>(grid.num_blocks()),
  to[2] = static_cast<int>(grid.num_threads());
  to[3] = static_cast<int>(grid.dim_blocks().x * 100 + grid.dim_blocks().y),
  to[4] = static_cast<int>(block.dim_threads().x * 100 + block.dim_threads().y);
  to[5] = tile.shfl_up(i, 3), to[6] = tile.shfl_down(i, 2), to[7] = tile.shfl_xor(i, 5),
  to[8] = static_cast<int>(tile.meta_group_rank());
  to[9] = static_cast<int>(tile.meta_group_size()),
  to[10] = static_cast<int>(block.thread_index().y * 100 + block.group_index().x * 10 + block.group_index().y);
  to[11] = cg::invoke_one_broadcast(tile, [&] { return 1000 + static_cast<int>(tile.meta_group_rank()); });
}
void check_groups() {
  int *out;
  const dim3 grid(3, 2), block(16, 4);
  const int n = 6 * 64;
  cudaMallocManaged(&out, 12 * n * sizeof *out);
  groups<<<grid, block>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) wrong++, printf("groups failed\n");
  for (int i = 0; i < n; i++) {
    const int of_block = i / 64, lane = i % 8, first = i - lane, tile = i % 64 / 8, y = i % 64 / 16;
    const int wanted[] = {of_block,
                          6,
                          n,
                          302,
                          1604,
                          lane < 3 ? i : i - 3,
                          lane + 2 > 7 ? i : i + 2,
                          first + (lane ^ 5),
                          tile,
                          8,
                          y * 100 + of_block % 3 * 10 + of_block / 3,
                          1000 + tile};
    for (int k = 0; k < 12; k++)
      if (out[12 * i + k] != wanted[k] && wrong++ < 20)
        printf("thread %d, member %d: %d, expected %d\n", i, k, out[12 * i + k], wanted[k]);
  }
  cudaFree(out);
}

int main() {
  cudaMallocManaged(&inputs, 5 * kValues * sizeof *inputs), cudaMallocManaged(&results, kValues * sizeof *results);
  std::mt19937 engine(67);
  for (int i = 0; i < 5 * kValues; i++)  // exact as floats, and not 0
    inputs[i] =
        i % 5 == 4 ? (1 + engine() % 4000) / 4096.0 : (engine() % 2 ? 1.0 : -1.0) * static_cast<double>(1 + engine() % 8191) / 2048;
#define CHECK_CASE(NAME, DEVICE, HOST) check<Case_##NAME>();
  CASES(CHECK_CASE)
  check_pairs(), check_groups();
  check_draws<curandState>("XORWOW"), check_draws<curandStatePhilox4_32_10_t>("Philox");
  const cuDoubleComplex wide = cuComplexFloatToDouble(make_cuFloatComplex(1.5f, -2.25f));
  const cuFloatComplex narrow = cuComplexDoubleToFloat(make_cuDoubleComplex(-3.5, 0.125));
  if (wide.x != 1.5 || wide.y != -2.25 || narrow.x != -3.5f || narrow.y != 0.125f) wrong++, printf("complex numbers\n");
  puts(wrong ? "wrong" : "right");
  return wrong != 0;
}
