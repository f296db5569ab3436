// What programs for Thrust and CUB of years before CCCL 3 use: functors with the bases that are
// gone since, CUB's own operators and iterators, and names whose headers they leave to other
// headers.
#include <thrust/device_vector.h>
#include <thrust/transform_reduce.h>

#include <cstdio>
#include <cub/cub.cuh>

struct Square : public thrust::unary_function<int, long> {
  __host__ __device__ long operator()(int x) const { return static_cast<long>(x) * x; }
};
struct Larger : public thrust::binary_function<long, long, long> {
  __host__ __device__ long operator()(long a, long b) const { return thrust::max(a, b); }
};

__global__ void largest_of_block(const int* values, int* result) {
  typedef cub::BlockReduce<int, 128> Reduce;
  __shared__ typename Reduce::TempStorage storage;
  const int largest = Reduce(storage).Reduce(values[threadIdx.x], cub::Max());
  if (threadIdx.x == 0) *result = largest;
}

int main() {
  constexpr int kCount = 1000;
  thrust::device_vector<int> values(kCount), result(1);
  thrust::sequence(values.begin(), values.end());
  thrust::counting_iterator<int> first(0);
  bool right = thrust::transform_reduce(first, first + kCount, Square(), 0L, Larger()) == 999 * 999;

  largest_of_block<<<1, 128>>>(thrust::raw_pointer_cast(values.data()),
                               thrust::raw_pointer_cast(result.data()));
  cudaDeviceSynchronize();
  right &= result[0] == 127;

  cub::TransformInputIterator<long, Square, int*> squares(thrust::raw_pointer_cast(values.data()),
                                                          Square());
  thrust::device_vector<long> sum(1);
  void* memory = nullptr;
  size_t bytes = 0;
  for (int pass = 0; pass < 2; pass++) {
    cub::DeviceReduce::Reduce(memory, bytes, squares, thrust::raw_pointer_cast(sum.data()), 10,
                              cub::Sum(), 0L);
    if (pass == 0) cudaMalloc(&memory, bytes);
  }
  cudaDeviceSynchronize();
  right &= sum[0] == 285;
  puts(right ? "right" : "wrong");
  return right ? 0 : 1;
}
