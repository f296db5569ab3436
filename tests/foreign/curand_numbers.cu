// In the manner of Monte Carlo examples: numbers in kernels and in arrays, their means and deviations.
#include <curand.h>
#include <curand_kernel.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

const int kThreads = 4096, kEach = 50;

__global__ void setup(curandState *states, unsigned long long seed) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(seed, id, 0, &states[id]);
}
__global__ void count_inside(curandState *states, unsigned int *inside) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  curandState state = states[id];
  unsigned int count = 0;
  for (int i = 0; i < kEach; i++) {
    const float x = curand_uniform(&state), y = curand_uniform(&state);
    if (x * x + y * y <= 1) count++;
  }
  states[id] = state;
  atomicAdd(inside, count);
}
template <typename State>
__global__ void draw(float *uniform, float *normal, unsigned int *few, unsigned int *many) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  State state;
  curand_init(7, id, 0, &state);
  uniform[id] = curand_uniform(&state);
  normal[id] = curand_normal(&state);
  few[id] = curand_poisson(&state, 3.5);
  many[id] = curand_poisson(&state, 200.0);
}
// The published answers of Philox for a key and a counter of zeros, and skipping ahead.
__global__ void known(int *right) {
  curandStatePhilox4_32_10_t state, other;
  curand_init(0, 0, 0, &state);
  const uint4 first = curand4(&state);
  *right = first.x == 0x6627e8d5u && first.y == 0xe169c58du && first.z == 0xbc57ac4cu && first.w == 0x9b00dbd8u;
  for (int i = 4; i < 11; i++) curand(&state);
  curand_init(0, 0, 11, &other);
  *right += curand(&state) == curand(&other);
  curand_init(0, 0, 0, &other);
  skipahead(12, &other);
  *right += curand(&state) == curand(&other);
}

template <typename T>
void moments(const T *values, size_t n, double mean, double deviation, const char *what) {
  double sum = 0, squares = 0;
  for (size_t i = 0; i < n; i++) sum += values[i];
  for (size_t i = 0; i < n; i++) squares += (values[i] - sum / n) * (values[i] - sum / n);
  const double bound = 5 * deviation / std::sqrt((double)n);
  if (!(std::fabs(sum / n - mean) < bound && std::fabs(std::sqrt(squares / n) - deviation) < 2 * bound)) {
    fprintf(stderr, "%s: mean %g, deviation %g\n", what, sum / n, std::sqrt(squares / n));
    exit(1);
  }
}

template <typename State>
void test_draws() {
  float *uniform, *normal;
  unsigned int *few, *many;
  cudaMallocManaged(&uniform, kThreads * sizeof(float));
  cudaMallocManaged(&normal, kThreads * sizeof(float));
  cudaMallocManaged(&few, kThreads * sizeof(int));
  cudaMallocManaged(&many, kThreads * sizeof(int));
  draw<State><<<kThreads / 128, 128>>>(uniform, normal, few, many);
  cudaDeviceSynchronize();
  moments(uniform, kThreads, 0.5, std::sqrt(1.0 / 12), "uniform in a kernel");
  moments(normal, kThreads, 0, 1, "normal in a kernel");
  moments(few, kThreads, 3.5, std::sqrt(3.5), "a small Poisson");
  moments(many, kThreads, 200, std::sqrt(200), "a large Poisson");
  cudaFree(uniform);
  cudaFree(normal);
  cudaFree(few);
  cudaFree(many);
}

int main() {
  curandState *states;
  unsigned int *inside;
  int *right;
  cudaMalloc(&states, kThreads * sizeof(curandState));
  cudaMallocManaged(&inside, sizeof(int));
  cudaMallocManaged(&right, sizeof(int));
  *inside = 0;
  setup<<<kThreads / 128, 128>>>(states, 1234);
  count_inside<<<kThreads / 128, 128>>>(states, inside);
  known<<<1, 1>>>(right);
  cudaDeviceSynchronize();
  const double pi = 4.0 * *inside / (kThreads * kEach);
  printf("pi is about %.4f\n", pi);
  if (std::fabs(pi - 3.14159265) > 0.02) return 1;
  if (*right != 3) return 1;
  test_draws<curandState>();
  test_draws<curandStatePhilox4_32_10_t>();
  test_draws<curandStateMRG32k3a>();

  const size_t n = 20000;
  float *values;
  double *doubles;
  unsigned int *counts;
  curandGenerator_t generator;
  cudaMalloc(&values, n * sizeof(float));
  cudaMalloc(&doubles, n * sizeof(double));
  cudaMalloc(&counts, n * sizeof(int));
  if (curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT) != CURAND_STATUS_SUCCESS) return 1;
  curandSetPseudoRandomGeneratorSeed(generator, 99);
  std::vector<float> host(n), again(n);
  std::vector<double> host_doubles(n);
  std::vector<unsigned int> host_counts(n);
  curandGenerateUniform(generator, values, n);
  cudaMemcpy(host.data(), values, n * sizeof(float), cudaMemcpyDeviceToHost);
  moments(host.data(), n, 0.5, std::sqrt(1.0 / 12), "uniform");
  curandGenerateNormal(generator, values, n, 10, 3);
  cudaMemcpy(again.data(), values, n * sizeof(float), cudaMemcpyDeviceToHost);
  moments(again.data(), n, 10, 3, "normal");
  curandGenerateLogNormalDouble(generator, doubles, n, 0, 0.25);
  cudaMemcpy(host_doubles.data(), doubles, n * sizeof(double), cudaMemcpyDeviceToHost);
  moments(host_doubles.data(), n, std::exp(0.03125), std::sqrt((std::exp(0.0625) - 1) * std::exp(0.0625)), "log-normal");
  curandGeneratePoisson(generator, counts, n, 12);
  cudaMemcpy(host_counts.data(), counts, n * sizeof(int), cudaMemcpyDeviceToHost);
  moments(host_counts.data(), n, 12, std::sqrt(12), "Poisson");

  // The same seed and offset give the same numbers, another call or another offset others. A seed alone does not go back
  // to the beginning. Normal numbers come in pairs, but for a generator that makes four at once.
  curandSetPseudoRandomGeneratorSeed(generator, 99);
  curandGenerateUniform(generator, values, n);
  cudaMemcpy(again.data(), values, n * sizeof(float), cudaMemcpyDeviceToHost);
  if (again == host) return 1;
  curandSetGeneratorOffset(generator, 0);
  curandGenerateUniform(generator, values, n);
  cudaMemcpy(again.data(), values, n * sizeof(float), cudaMemcpyDeviceToHost);
  if (again != host) return 1;
  curandGenerateUniform(generator, values, n);
  cudaMemcpy(again.data(), values, n * sizeof(float), cudaMemcpyDeviceToHost);
  if (again == host) return 1;
  if (curandGenerateNormal(generator, values, 3, 0, 1) != CURAND_STATUS_LENGTH_NOT_MULTIPLE) return 1;
  curandDestroyGenerator(generator);
  if (curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10) != CURAND_STATUS_SUCCESS) return 1;
  cudaMemset(values, 0, 4 * sizeof(float));
  if (curandGenerateNormal(generator, values, 3, 0, 1) != CURAND_STATUS_SUCCESS) return 1;
  cudaMemcpy(host.data(), values, 4 * sizeof(float), cudaMemcpyDeviceToHost);
  if (host[2] == 0 || host[3] != 0) return 1;
  curandDestroyGenerator(generator);
  printf("all numbers are as they should be\n");
  return 0;
}
