// Sobol's sequences, from the host and in a kernel: the same numbers, and each dimension as even as
// it must be. The first numbers are those of the published sequence.
#include <curand.h>
#include <curand_kernel.h>

#include <cmath>
#include <cstdio>
#include <vector>

constexpr int kDimensions = 50, kLength = 256;

__global__ void draw(curandDirectionVectors32_t* vectors, unsigned int* to) {
  curandStateSobol32 state;
  curand_init(vectors[threadIdx.x], 0, &state);
  for (int i = 0; i < kLength; i++) to[threadIdx.x * kLength + i] = curand(&state);
}

static std::vector<unsigned int> host_numbers(curandRngType_t type) {
  std::vector<unsigned int> result(kDimensions * kLength);
  curandGenerator_t generator;
  unsigned int* numbers;
  cudaMalloc(&numbers, result.size() * sizeof(int));
  if (curandCreateGenerator(&generator, type) != CURAND_STATUS_SUCCESS ||
      curandSetQuasiRandomGeneratorDimensions(generator, kDimensions) != CURAND_STATUS_SUCCESS ||
      curandGenerate(generator, numbers, result.size()) != CURAND_STATUS_SUCCESS)
    return {};
  cudaMemcpy(result.data(), numbers, result.size() * sizeof(int), cudaMemcpyDeviceToHost);
  curandDestroyGenerator(generator);
  cudaFree(numbers);
  return result;
}

static std::vector<unsigned int> kernel_numbers() {
  std::vector<unsigned int> result(kDimensions * kLength);
  curandDirectionVectors32_t *of_host, *vectors;
  unsigned int* numbers;
  curandGetDirectionVectors32(&of_host, CURAND_DIRECTION_VECTORS_32_JOEKUO6);
  cudaMalloc(&vectors, kDimensions * sizeof(*vectors));
  cudaMalloc(&numbers, result.size() * sizeof(int));
  cudaMemcpy(vectors, of_host, kDimensions * sizeof(*vectors), cudaMemcpyHostToDevice);
  draw<<<1, kDimensions>>>(vectors, numbers);
  cudaMemcpy(result.data(), numbers, result.size() * sizeof(int), cudaMemcpyDeviceToHost);
  return result;
}

// Of 256 numbers, one in each 256th.
static bool is_even(const std::vector<unsigned int>& numbers) {
  if (numbers.empty()) return false;
  for (int dimension = 0; dimension < kDimensions; dimension++) {
    std::vector<int> seen(256);
    for (int i = 0; i < kLength; i++)
      if (seen[numbers[dimension * kLength + i] >> 24]++ != 0) return false;
  }
  return true;
}

static double pi_from_points() {
  constexpr int kPoints = 4096;
  std::vector<float> points(2 * kPoints);
  curandGenerator_t generator;
  curandCreateGeneratorHost(&generator, CURAND_RNG_QUASI_SOBOL32);
  curandSetQuasiRandomGeneratorDimensions(generator, 2);
  curandGenerateUniform(generator, points.data(), points.size());
  curandDestroyGenerator(generator);
  int inside = 0;
  for (int i = 0; i < kPoints; i++)
    inside += points[i] * points[i] + points[kPoints + i] * points[kPoints + i] <= 1;
  return 4.0 * inside / kPoints;
}

int main() {
  const std::vector<unsigned int> numbers = host_numbers(CURAND_RNG_QUASI_SOBOL32);
  bool right = is_even(numbers) && is_even(host_numbers(CURAND_RNG_QUASI_SCRAMBLED_SOBOL32)) &&
               numbers == kernel_numbers();
  const double third[] = {0, 0.5, 0.25, 0.75, 0.625, 0.125, 0.875, 0.375};
  for (int i = 0; right && i < 8; i++)
    right = numbers[2 * kLength + i] == static_cast<unsigned int>(third[i] * 4294967296.0);
  right = right && std::fabs(pi_from_points() - 3.14159265) < 0.005;
  puts(right ? "right" : "wrong");
  return right ? 0 : 1;
}
