// In the manner of Thrust's tutorials: vectors, sorting, transforming, scanning, and kernels of one's
// own on the same memory.
#include <thrust/binary_search.h>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/fill.h>
#include <thrust/functional.h>
#include <thrust/generate.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/random.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <thrust/unique.h>

#include <cstdio>
#include <cstdlib>

#define REQUIRE(condition)                                        \
  if (!(condition)) {                                             \
    fprintf(stderr, "line %d: %s\n", __LINE__, #condition);       \
    exit(1);                                                      \
  }

struct saxpy {
  float a;
  __host__ __device__ float operator()(float x, float y) const { return a * x + y; }
};
struct is_odd {
  __host__ __device__ bool operator()(int x) const { return x & 1; }
};
struct add_tuple {
  __host__ __device__ int operator()(const thrust::tuple<int, int> &t) const {
    return thrust::get<0>(t) + thrust::get<1>(t);
  }
};

__global__ void add_one(int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i]++;
}

int main() {
  const int n = 1000;
  // Raw memory of cudaMalloc as an iterator, and a kernel before a reduction without any wait.
  int *raw;
  cudaMalloc(&raw, n * sizeof(int));
  thrust::device_ptr<int> pointer(raw);
  thrust::sequence(pointer, pointer + n);
  add_one<<<(n + 255) / 256, 256>>>(raw, n);
  REQUIRE(thrust::reduce(pointer, pointer + n) == n * (n + 1) / 2);
  REQUIRE(thrust::reduce(thrust::device, raw, raw + n, 0, thrust::plus<int>()) == n * (n + 1) / 2);

  // Vectors, there and back, and a kernel on a vector's memory.
  thrust::host_vector<int> host(n);
  thrust::default_random_engine engine(3);
  thrust::uniform_int_distribution<int> up_to(0, 99);
  for (int i = 0; i < n; i++) host[i] = up_to(engine);
  thrust::device_vector<int> device = host;
  add_one<<<(n + 255) / 256, 256>>>(thrust::raw_pointer_cast(device.data()), n);
  REQUIRE(device[7] == host[7] + 1);
  thrust::sort(thrust::cuda::par, device.begin(), device.end());
  thrust::copy(device.begin(), device.end(), host.begin());
  for (int i = 1; i < n; i++) REQUIRE(host[i - 1] <= host[i]);
  int copied[n];
  cudaMemcpy(copied, thrust::raw_pointer_cast(&device[0]), sizeof copied, cudaMemcpyDeviceToHost);
  REQUIRE(copied[n - 1] == host[n - 1]);

  // How often each value occurs.
  thrust::device_vector<int> keys(n), counts(n);
  const int distinct = thrust::reduce_by_key(device.begin(), device.end(),
                                             thrust::constant_iterator<int>(1), keys.begin(),
                                             counts.begin())
                           .first -
                       keys.begin();
  REQUIRE(thrust::reduce(counts.begin(), counts.begin() + distinct) == n);
  REQUIRE(thrust::unique(device.begin(), device.end()) - device.begin() == distinct);

  thrust::device_vector<float> x(n, 2.0f), y(n, 1.0f);
  thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), saxpy{3.0f});
  REQUIRE(thrust::inner_product(x.begin(), x.end(), y.begin(), 0.0f) == 14.0f * n);
  REQUIRE(thrust::count_if(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n),
                           is_odd()) == n / 2);
  thrust::device_vector<int> a(n, 1), b(n);
  thrust::exclusive_scan(a.begin(), a.end(), b.begin());
  REQUIRE(b[n - 1] == n - 1);
  auto pairs = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin()));
  REQUIRE(thrust::transform_reduce(pairs, pairs + n, add_tuple(), 0, thrust::plus<int>()) ==
          n + n * (n - 1) / 2);
  REQUIRE(thrust::max_element(b.begin(), b.end()) - b.begin() == n - 1);
  thrust::device_vector<int> values(n);
  thrust::sequence(values.begin(), values.end());
  thrust::sort_by_key(b.begin(), b.end(), values.begin(), thrust::greater<int>());
  REQUIRE(values[0] == n - 1);
  cudaFree(raw);
  printf("everything as expected\n");
  return 0;
}
