// Variables of the device, __constant__ and __device__: copies to and from them, their addresses,
// and the order of copies and kernels. On any device.

#include <doctest/doctest.h>

#include <numeric>
#include <vector>

#include "../../../common/handle_error.h"

struct Pair {
  int a;
  float b;
};

__constant__ int constant_numbers[1000];
__constant__ Pair constant_pair;
__constant__ float4 constant_large[3000];
__device__ int device_numbers[1000];
__device__ double device_single = 1.5;
__constant__ int constant_set[3] = {7, 8, 9};

namespace {

__global__ void read_numbers(int* result, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) result[i] = constant_numbers[i];
}
__global__ void read_others(double* result) {
  result[0] = constant_pair.a;
  result[1] = constant_pair.b;
  result[2] = device_single;
  result[3] = constant_set[0] + 10 * constant_set[1] + 100 * constant_set[2];
}
__global__ void double_numbers(int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) device_numbers[i] *= 2;
}
__global__ void read_through(const int* pointer, int* result) { *result = pointer[threadIdx.x]; }

template <typename T>
struct Result {
  T* data = nullptr;
  size_t count;
  explicit Result(size_t n) : count(n) { HANDLE_ERROR(cudaMalloc(&data, n * sizeof(T))); }
  ~Result() { cudaFree(data); }
  std::vector<T> host() const {
    std::vector<T> copy(count);
    HANDLE_ERROR(cudaMemcpy(copy.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost));
    return copy;
  }
};

std::vector<int> counting_from(int first, int n) {
  std::vector<int> numbers(n);
  std::iota(numbers.begin(), numbers.end(), first);
  return numbers;
}

std::vector<int> numbers_on_device() {
  const Result<int> result(1000);
  read_numbers<<<4, 256>>>(result.data, 1000);
  HANDLE_ERROR(cudaGetLastError());
  return result.host();
}

}  // namespace

TEST_CASE("a kernel reads what was copied, all of it or a part") {
  const std::vector<int> all = counting_from(0, 1000);
  HANDLE_ERROR(cudaMemcpyToSymbol(constant_numbers, all.data(), sizeof constant_numbers));
  CHECK(numbers_on_device() == all);
  const std::vector<int> part = counting_from(-50, 50);
  HANDLE_ERROR(cudaMemcpyToSymbol(constant_numbers, part.data(), 50 * sizeof(int),
                                  100 * sizeof(int), cudaMemcpyHostToDevice));
  std::vector<int> expected = all;
  std::copy(part.begin(), part.end(), expected.begin() + 100);
  CHECK(numbers_on_device() == expected);
  HANDLE_ERROR(cudaMemcpyToSymbol(constant_numbers, part.data(), 0));  // nothing
  CHECK(numbers_on_device() == expected);
}

TEST_CASE("back to the host") {
  const std::vector<int> all = counting_from(5, 1000);
  HANDLE_ERROR(cudaMemcpyToSymbol(constant_numbers, all.data(), sizeof constant_numbers));
  std::vector<int> back(1000);
  HANDLE_ERROR(cudaMemcpyFromSymbol(back.data(), constant_numbers, sizeof constant_numbers));
  CHECK(back == all);
  int two[2] = {};
  HANDLE_ERROR(cudaMemcpyFromSymbol(two, constant_numbers, sizeof two, 998 * sizeof(int)));
  CHECK(two[0] == 1003);
  CHECK(two[1] == 1004);
}

TEST_CASE("structs, single variables, and initial values") {
  const Pair pair{41, 2.5f};
  HANDLE_ERROR(cudaMemcpyToSymbol(constant_pair, &pair, sizeof pair));
  Result<double> result(4);
  read_others<<<1, 1>>>(result.data);
  CHECK(result.host() == std::vector<double>{41, 2.5, 1.5, 987});
  const double other = -3;
  HANDLE_ERROR(cudaMemcpyToSymbol(device_single, &other, sizeof other));
  read_others<<<1, 1>>>(result.data);
  CHECK(result.host()[2] == -3);
}

TEST_CASE("__device__ variables keep what kernels write, in the order of the calls") {
  const std::vector<int> start = counting_from(1, 1000);
  HANDLE_ERROR(cudaMemcpyToSymbol(device_numbers, start.data(), sizeof device_numbers));
  double_numbers<<<4, 256>>>(1000);
  double_numbers<<<4, 256>>>(500);
  std::vector<int> back(1000);
  HANDLE_ERROR(cudaMemcpyFromSymbol(back.data(), device_numbers, sizeof device_numbers));
  for (int i = 0; i < 1000; i++) CHECK(back[i] == start[i] * (i < 500 ? 4 : 2));
}

TEST_CASE("from device memory, and asynchronously, one pass after the other") {
  // The pattern by which more data than constant memory holds goes through it.
  const int passes = 5;
  const Result<int> source(1000 * passes), sums(1000 * passes);
  const std::vector<int> all = counting_from(0, 1000 * passes);
  HANDLE_ERROR(
      cudaMemcpy(source.data, all.data(), all.size() * sizeof(int), cudaMemcpyHostToDevice));
  for (int pass = 0; pass < passes; pass++) {
    HANDLE_ERROR(cudaMemcpyToSymbolAsync(constant_numbers, source.data + 1000 * pass,
                                         sizeof constant_numbers, 0, cudaMemcpyDeviceToDevice));
    read_numbers<<<4, 256>>>(sums.data + 1000 * pass, 1000);
  }
  CHECK(sums.host() == all);
}

TEST_CASE("the host's array may change as soon as the copy has returned") {
  std::vector<int> numbers = counting_from(0, 1000);
  HANDLE_ERROR(cudaMemcpyToSymbol(constant_numbers, numbers.data(), sizeof constant_numbers));
  std::fill(numbers.begin(), numbers.end(), -1);
  CHECK(numbers_on_device() == counting_from(0, 1000));
}

TEST_CASE("addresses and sizes") {
  int* address = nullptr;
  size_t bytes = 0;
  HANDLE_ERROR(cudaGetSymbolAddress((void**)&address, device_numbers));
  HANDLE_ERROR(cudaGetSymbolSize(&bytes, device_numbers));
  CHECK(bytes == sizeof device_numbers);
  HANDLE_ERROR(cudaGetSymbolSize(&bytes, constant_large));
  CHECK(bytes == 48000);
  const std::vector<int> numbers = counting_from(30, 1000);
  HANDLE_ERROR(cudaMemcpy(address, numbers.data(), sizeof device_numbers, cudaMemcpyHostToDevice));
  const Result<int> result(1);
  read_through<<<1, 1>>>(address + 3, result.data);
  CHECK(result.host()[0] == 33);
}

TEST_CASE("what does not fit is an error, and changes nothing") {
  const std::vector<int> numbers = counting_from(0, 2000);
  HANDLE_ERROR(cudaMemcpyToSymbol(constant_numbers, numbers.data(), sizeof constant_numbers));
  CHECK(cudaMemcpyToSymbol(constant_numbers, numbers.data(), sizeof constant_numbers + 1) ==
        cudaErrorInvalidValue);
  CHECK(cudaMemcpyToSymbol(constant_numbers, numbers.data() + 1, sizeof constant_numbers, 4) ==
        cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(numbers_on_device() == counting_from(0, 1000));
}
