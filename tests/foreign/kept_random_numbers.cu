// In the manner of simulations that draw several kinds of random numbers from one state: normal and log-normal numbers come
// in pairs, whose second one is for the next call of the same kind alone. Next to a model that knows only functions
// that return whole pairs. Quasirandom states give one number per call.
#include <curand.h>
#include <curand_kernel.h>

#include <cstdio>

enum Draw { bits, uniform, uniform_double, normal, normal_double, log_normal, log_normal_double, normal2, normal2_double, log_normal2, draws };

constexpr int kCalls = 4000;

__host__ __device__ Draw draw_of(int i) {  // each kind after each other one
  unsigned x = i * 2654435761u;
  x ^= x >> 15, x *= 0x2c1b3c6du, x ^= x >> 12, x *= 0x297a2d39u, x ^= x >> 15;
  return static_cast<Draw>(x % draws);
}
__host__ __device__ double mean_of(int i) { return 0.01 * (i % 7); }
__host__ __device__ double deviation_of(int i) { return 0.1 + 0.01 * (i % 5); }

template <typename State>
__global__ void draw(unsigned long long seed, double *out) {
  State state;
  curand_init(seed, 3, 0, &state);
  for (int i = 0; i < kCalls; i++) {
    const double mean = mean_of(i), deviation = deviation_of(i);
    switch (draw_of(i)) {
      case bits: out[i] = curand(&state); break;
      case uniform: out[i] = curand_uniform(&state); break;
      case uniform_double: out[i] = curand_uniform_double(&state); break;
      case normal: out[i] = curand_normal(&state); break;
      case normal_double: out[i] = curand_normal_double(&state); break;
      case log_normal: out[i] = curand_log_normal(&state, float(mean), float(deviation)); break;
      case log_normal_double: out[i] = curand_log_normal_double(&state, mean, deviation); break;
      case normal2: out[i] = curand_normal2(&state).y; break;
      case normal2_double: out[i] = curand_normal2_double(&state).x; break;
      default: out[i] = curand_log_normal2(&state, float(mean), float(deviation)).x;
    }
  }
}

template <typename T>
struct Second {
  int kind = -1;
  T value = 0;
};
template <typename T, typename Pair>
__device__ T next(Second<T> *second, int kind, const Pair &pair) {
  if (second->kind == kind) {
    second->kind = -1;
    return second->value;
  }
  const auto both = pair();
  *second = {kind, both.y};
  return both.x;
}

template <typename State>
__global__ void draw_pairs(unsigned long long seed, double *out) {
  State state;
  curand_init(seed, 3, 0, &state);
  Second<float> second;
  Second<double> second_double;
  for (int i = 0; i < kCalls; i++) {
    const double mean = mean_of(i), deviation = deviation_of(i);
    switch (const Draw kind = draw_of(i)) {
      case bits: out[i] = curand(&state); break;
      case uniform: out[i] = curand_uniform(&state); break;
      case uniform_double: out[i] = curand_uniform_double(&state); break;
      case normal: out[i] = next(&second, kind, [&] { return curand_normal2(&state); }); break;
      case normal_double: out[i] = next(&second_double, kind, [&] { return curand_normal2_double(&state); }); break;
      case log_normal: out[i] = next(&second, kind, [&] { return curand_log_normal2(&state, float(mean), float(deviation)); }); break;
      case log_normal_double:
        out[i] = next(&second_double, kind, [&] { return curand_log_normal2_double(&state, mean, deviation); });
        break;
      case normal2: out[i] = curand_normal2(&state).y; break;
      case normal2_double: out[i] = curand_normal2_double(&state).x; break;
      default: out[i] = curand_log_normal2(&state, float(mean), float(deviation)).x;
    }
  }
}

// Each distribution takes one number of the sequence, and the next one comes after it.
template <typename State>
__device__ void check_quasi(State state, unsigned *errors) {
  for (int i = 0; i < 200; i++) {
    State other = state;
    const double u = double(curand(&other) >> (8 * (sizeof(curand(&other)) - 4))) / 4294967296.0;
    double got = 0, expected = u, tolerance = 1e-6;
    switch (i % 6) {
      case 0: got = curand_uniform(&state); break;
      case 1: got = curand_uniform_double(&state); break;
      case 2: got = normcdf(curand_normal(&state)); break;
      case 3: got = normcdf(curand_normal_double(&state)); break;
      case 4: got = normcdf((logf(curand_log_normal(&state, 0.5f, 2)) - 0.5f) / 2), tolerance = 1e-5; break;
      default: got = normcdf((log(curand_log_normal_double(&state, 0.5, 2)) - 0.5) / 2);
    }
    State after = state, expected_after = other;
    if (!(fabs(got - expected) <= tolerance) || curand(&after) != curand(&expected_after)) atomicAdd(&errors[i % 6], 1u);
  }
}
__global__ void quasi(curandDirectionVectors32_t *narrow, curandDirectionVectors64_t *wide, unsigned *errors) {
  curandStateSobol32_t a;
  curandStateScrambledSobol32_t b;
  curandStateSobol64_t c;
  curandStateScrambledSobol64_t d;
  curand_init(narrow[1], 9u, &a);
  curand_init(narrow[2], 0x9e3779b9u, 9u, &b);
  curand_init(wide[1], 9ull, &c);
  curand_init(wide[2], 0x9e3779b97f4a7c15ull, 9ull, &d);
  check_quasi(a, errors);
  check_quasi(b, errors + 6);
  check_quasi(c, errors + 12);
  check_quasi(d, errors + 18);
}

int wrong = 0;

template <typename State>
void compare(const char *name) {
  double *out, *pairs;
  cudaMallocManaged(&out, kCalls * sizeof(double));
  cudaMallocManaged(&pairs, kCalls * sizeof(double));
  for (unsigned long long seed : {1ull, 77ull, 1ull << 40}) {
    draw<State><<<1, 1>>>(seed, out);
    draw_pairs<State><<<1, 1>>>(seed, pairs);
    if (cudaDeviceSynchronize() != cudaSuccess) wrong++, printf("%s: does not run\n", name);
    for (int i = 0; i < kCalls; i++)
      if (!(fabs(out[i] - pairs[i]) <= 1e-6 * fabs(pairs[i]))) {
        wrong++;
        printf("%s, seed %llu: call %d, of kind %d, gives %g, expected %g\n", name, seed, i, draw_of(i), out[i], pairs[i]);
        break;
      }
  }
  cudaFree(out);
  cudaFree(pairs);
}

void compare_quasi() {
  curandDirectionVectors32_t *narrow_of_host, *narrow;
  curandDirectionVectors64_t *wide_of_host, *wide;
  unsigned *errors;
  curandGetDirectionVectors32(&narrow_of_host, CURAND_DIRECTION_VECTORS_32_JOEKUO6);
  curandGetDirectionVectors64(&wide_of_host, CURAND_DIRECTION_VECTORS_64_JOEKUO6);
  cudaMalloc(&narrow, 3 * sizeof *narrow);
  cudaMalloc(&wide, 3 * sizeof *wide);
  cudaMallocManaged(&errors, 24 * sizeof *errors);
  cudaMemcpy(narrow, narrow_of_host, 3 * sizeof *narrow, cudaMemcpyHostToDevice);
  cudaMemcpy(wide, wide_of_host, 3 * sizeof *wide, cudaMemcpyHostToDevice);
  cudaMemset(errors, 0, 24 * sizeof *errors);
  quasi<<<1, 1>>>(narrow, wide, errors);
  if (cudaDeviceSynchronize() != cudaSuccess) wrong++, printf("quasirandom: does not run\n");
  for (int i = 0; i < 24; i++)
    if (errors[i] != 0) wrong++, printf("quasirandom state %d: %u numbers of kind %d are wrong\n", i / 6, errors[i], i % 6);
  cudaFree(narrow), cudaFree(wide), cudaFree(errors);
}

int main() {
  compare_quasi();
  compare<curandStateXORWOW_t>("XORWOW");
  compare<curandStatePhilox4_32_10_t>("Philox");
  compare<curandStateMRG32k3a_t>("MRG32k3a");
  return wrong != 0;
}
