// Sums of many floats by Thrust and CUB: a tree, as on a GPU, keeps what a running sum loses.
#include <cub/cub.cuh>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/transform_reduce.h>

#include <cstdio>

struct Twice {
  __host__ __device__ float operator()(float x) const { return 2 * x; }
};

// Keeps the left one: not commutative, so it tells whether the order of the elements is kept.
struct First {
  __host__ __device__ int operator()(int a, int b) const { return a != 0 ? a : b; }
};

int main() {
  const int count = 1 << 25;
  thrust::device_vector<float> ones(count, 1.0f);
  const float sum = thrust::reduce(ones.begin(), ones.end(), 0.0f, thrust::plus<float>());
  const float twice = thrust::transform_reduce(ones.begin(), ones.end(), Twice(), 1.0f, thrust::plus<float>());

  thrust::device_vector<float> result(1);
  float* const in = thrust::raw_pointer_cast(ones.data());
  float* const out = thrust::raw_pointer_cast(result.data());
  size_t bytes = 0;
  cub::DeviceReduce::Sum(nullptr, bytes, in, out, count);
  thrust::device_vector<char> memory(bytes);
  cub::DeviceReduce::Sum(thrust::raw_pointer_cast(memory.data()), bytes, in, out, count);
  const float by_cub = result[0];

  thrust::device_vector<int> numbers(100000, 0);
  numbers[777] = 7;
  numbers[99999] = 9;
  const int first = thrust::reduce(numbers.begin(), numbers.end(), 0, First());
  const int none = thrust::reduce(numbers.begin(), numbers.begin(), 5, First());

  std::printf("%.0f %.0f %.0f %d %d\n", sum, twice, by_cub, first, none);
  const bool right = sum == count && twice == 2.0f * count && by_cub == count && first == 7 && none == 5;
  std::printf("%s\n", right ? "right" : "WRONG");
  return right ? 0 : 1;
}
