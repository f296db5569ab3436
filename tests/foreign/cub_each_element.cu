// CUB's algorithms that call the program's function for each element: DeviceFor, DeviceTransform (CCCL 2.7 and
// later), and the differences of neighbors.
#include <cstdio>
#include <cstdlib>
#include <cub/device/device_adjacent_difference.cuh>
#include <cub/device/device_for.cuh>
#include <cub/version.cuh>
#if CUB_VERSION >= 200700
#include <cub/device/device_transform.cuh>
#include <cuda/std/tuple>
#endif

#define EXPECT(condition)                                     \
  do {                                                        \
    if (!(condition)) {                                       \
      fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
      exit(1);                                                \
    }                                                         \
  } while (0)

struct Square {
  __device__ void operator()(int &x) const { x *= x; }
};
struct Count {
  int *odd;
  __device__ void operator()(int x) const {
    if (x % 2 != 0) atomicAdd(odd, 1);
  }
};
struct Fill {
  int *x;
  __device__ void operator()(int i) const { x[i] = i + 1; }
};
struct Threads {  // which thread does it: one each
  int *thread;
  __device__ void operator()(long long i) const { thread[i] = blockIdx.x * blockDim.x + threadIdx.x; }
};

int main() {
  const int n = 1000;
  int *x, *odd, *thread;
  cudaMallocManaged(&x, n * sizeof(int));
  cudaMallocManaged(&thread, n * sizeof(int));
  cudaMallocManaged(&odd, sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);

  EXPECT(cub::DeviceFor::Bulk(n, Fill{x}, stream) == cudaSuccess);
  EXPECT(cub::DeviceFor::Bulk(0LL, Fill{nullptr}) == cudaSuccess);
  EXPECT(cub::DeviceFor::ForEach(x, x + n, Square(), stream) == cudaSuccess);
  EXPECT(cudaStreamSynchronize(stream) == cudaSuccess);
  for (int i = 0; i < n; i++) EXPECT(x[i] == (i + 1) * (i + 1));

  *odd = 0;
  EXPECT(cub::DeviceFor::ForEachCopyN(x, n - 1, Count{odd}) == cudaSuccess);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && *odd == 500);
  EXPECT(cub::DeviceFor::ForEachCopy(x, x + 2, Count{odd}) == cudaSuccess);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess && *odd == 501);

  // As of the other algorithms: two calls.
  void *memory = nullptr;
  size_t bytes = 0;
  EXPECT(cub::DeviceFor::ForEachN(memory, bytes, x, 10, Square(), stream) == cudaSuccess && bytes > 0);
  EXPECT(cudaStreamSynchronize(stream) == cudaSuccess && x[1] == 4);
  EXPECT(cudaMalloc(&memory, bytes) == cudaSuccess);
  EXPECT(cub::DeviceFor::ForEachN(memory, bytes, x, 10, Square(), stream) == cudaSuccess);
  EXPECT(cudaStreamSynchronize(stream) == cudaSuccess && x[1] == 16 && x[9] == 10000 && x[10] == 121);

  EXPECT(cub::DeviceFor::Bulk((long long)n, Threads{thread}) == cudaSuccess);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 1; i < n; i++) EXPECT(thread[i] != thread[i - 1]);

  int *y;
  cudaMallocManaged(&y, n * sizeof(int));
  cub::DeviceFor::Bulk(n, Fill{x});
  bytes = 0;
  EXPECT(cub::DeviceAdjacentDifference::SubtractLeftCopy(nullptr, bytes, x, y, n) == cudaSuccess && bytes > 0);
  memory = nullptr;
  cudaMalloc(&memory, bytes);
  EXPECT(cub::DeviceAdjacentDifference::SubtractLeftCopy(memory, bytes, x, y, n) == cudaSuccess);
  cub::DeviceFor::ForEachN(x, 4, Square());
  bytes = 0;  // In place more is needed.
  EXPECT(cub::DeviceAdjacentDifference::SubtractLeft(nullptr, bytes, x, 4) == cudaSuccess && bytes > 0);
  cudaMalloc(&memory, bytes);
  EXPECT(cub::DeviceAdjacentDifference::SubtractLeft(memory, bytes, x, 4) == cudaSuccess);
  EXPECT(cub::DeviceAdjacentDifference::SubtractRight(memory, bytes, x, 3) == cudaSuccess);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(y[0] == 1 && y[1] == 1 && y[n - 1] == 1);
  EXPECT(x[0] == -2 && x[1] == -2 && x[2] == 5 && x[3] == 7);  // of 1 3 5 7

#if CUB_VERSION >= 200700
  const auto weigh = [] __device__(int a, int b) { return a + 10 * b; };
  cub::DeviceFor::Bulk(n, Fill{x});
  EXPECT(cub::DeviceTransform::Transform(cuda::std::make_tuple(x, y), thread, n, weigh) == cudaSuccess);
  EXPECT(cub::DeviceTransform::Transform(x, x, n, [] __device__(int a) { return -a; }) == cudaSuccess);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int i = 0; i < n; i++) EXPECT(thread[i] == i + 1 + 10 && x[i] == -i - 1);
#endif
  printf("verified\n");
  return 0;
}
