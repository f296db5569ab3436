// Kernels that call functions with barriers. Where the call is a statement of its own, or its result is assigned, the rewriter
// writes the function out within the kernel; where a name would mean something else there, or the function has several
// forms or ends, the kernel runs thread by thread. Prints a sum for each kernel and shape of block, which must not depend
// on the way of running.
#include <cstdio>
#include <vector>

__device__ int scale = 3;

#define PLACE                                                                             \
  const int thread = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y; \
  const int i = blockIdx.x * threads + thread

// The sum of x over the block, for all its threads.
__device__ int sum_of_block(int x) {
  __shared__ int sums[2][1024];
  const int thread = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
  int from = 0;
  sums[0][thread] = x;
  __syncthreads();
  for (int step = 1; step < threads; step *= 2) {
    sums[1 - from][thread] = sums[from][thread] + (thread >= step ? sums[from][thread - step] : 0);
    from = 1 - from;
    __syncthreads();
  }
  const int sum = sums[from][threads - 1];
  __syncthreads();
  return sum;
}
// Calls one that has a barrier.
__device__ float mean_of_block(float x) {
  float sum = sum_of_block(x);
  return sum / (blockDim.x * blockDim.y);
}
// Its parameters are changed, or have the names of other arguments.
__device__ void reverse(const int* from, int* to, int n, int first) {
  n -= 1;
  first += threadIdx.y * blockDim.x + threadIdx.x;
  to[n - first] = from[first];
  __syncthreads();
}
__device__ void rotate(int* cells, unsigned by, int count) {
  const int at = threadIdx.y * blockDim.x + threadIdx.x;
  const int value = cells[(at + by) % count];
  __syncthreads();
  cells[at] = value * scale;
  __syncthreads();
  return;
}
namespace lib {
static __device__ void fill(int* values, int value) {
  values[static_cast<int>(threadIdx.x) + static_cast<int>(threadIdx.y * blockDim.x)] = value;
  __syncthreads();
}
}  // namespace lib

// ---- with loops ----

__global__ void sum(const int* in, int* out) {
  PLACE;
  const int total = sum_of_block(in[i]);
  out[i] = total + thread;
}
__global__ void in_a_loop(const int* in, int* out) {
  PLACE;
  int total = 0;
  for (int round = 0; round < 4; round++) {
    total += sum_of_block(in[i] + round);
    if (round % 2 == 1) total = sum_of_block(total % 1000);
  }
  out[i] = total;
}
__global__ void nested(const int* in, int* out) {
  PLACE;
  float mean;
  mean = mean_of_block(in[i] + 0.75f);
  out[i] = static_cast<int>(mean * 1000) + thread;
}
__global__ void names(const int* in, int* out) {
  __shared__ int to[1024], from[1024];
  PLACE;
  const int n = threads, first = 0;
  from[thread] = in[i];
  __syncthreads();
  reverse(from, to, n, first);
  reverse(to, from, n, first);
  reverse(in + blockIdx.x * n, to, n, first);
  out[i] = from[thread] * 5 + to[thread] + n + first;
}
__global__ void converts(const int* in, int* out) {
  __shared__ int tile[1024];
  PLACE;
  tile[thread] = in[i];
  __syncthreads();
  if (threads > 32)
    rotate(tile, 2.9, threads);
  else
    rotate(tile, 1, threads);
  out[i] = tile[thread];
}
__global__ void qualified(const int* in, int* out) {
  __shared__ int tile[1024];
  PLACE;
  lib::fill(tile, in[i]);
  out[i] = tile[threads - 1 - thread];
}
__global__ void strides(const int* in, int* out) {
  PLACE;
  int part = 0;
  for (size_t k = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; k < static_cast<size_t>(threads) * 3; k += threads) part += in[k % 1000] * 2;
  part = sum_of_block(part);
  if (static_cast<int>(threadIdx.x) < threads / 2) out[i] = part + thread;
}

// ---- thread by thread ----

__global__ void hides_a_name(const int* in, int* out) {
  __shared__ int tile[1024];
  PLACE;
  const int scale = 5;
  tile[thread] = in[i] * scale;
  __syncthreads();
  rotate(tile, 1, threads);
  out[i] = tile[thread];
}
__device__ int first_of(const int* cells, int bound) {
  __syncthreads();
  for (int k = 0; k < bound; k++)
    if (cells[k] % 7 == 3) return k;
  return bound;
}
__global__ void ends_early(const int* in, int* out) {
  __shared__ int tile[1024];
  PLACE;
  tile[thread] = in[i];
  const int found = first_of(tile, threads);
  out[i] = found + thread;
}
__device__ void put(int* cells, int value) { cells[threadIdx.y * blockDim.x + threadIdx.x] = value; __syncthreads(); }
__device__ void put(int* cells, double value) { cells[threadIdx.y * blockDim.x + threadIdx.x] = value * 2; __syncthreads(); }
__global__ void overloaded(const int* in, int* out) {
  __shared__ int tile[1024];
  PLACE;
  put(tile, in[i] + 0.5);
  out[i] = tile[threads - 1 - thread];
}
template <typename T>
__device__ T last_of_block(T x, T* cells) {
  cells[threadIdx.y * blockDim.x + threadIdx.x] = x;
  __syncthreads();
  return cells[blockDim.x * blockDim.y - 1];
}
__global__ void of_a_template(const int* in, int* out) {
  __shared__ int tile[1024];
  PLACE;
  const int last = last_of_block(in[i], tile);
  out[i] = last + thread;
}
__global__ void within_an_expression(const int* in, int* out) {
  PLACE;
  out[i] = 1 + sum_of_block(in[i]) * 2;
}

using Kernel = void (*)(const int*, int*);

int main() {
  struct Named {
    const char* name;
    Kernel kernel;
  };
#define NAMED(kernel) {#kernel, kernel}
  const Named kernels[] = {NAMED(sum),          NAMED(in_a_loop),  NAMED(nested),     NAMED(names),
                           NAMED(converts),     NAMED(qualified),  NAMED(strides),    NAMED(hides_a_name),
                           NAMED(ends_early),   NAMED(overloaded), NAMED(of_a_template), NAMED(within_an_expression)};
  const dim3 shapes[] = {dim3(256), dim3(32), dim3(1), dim3(100), dim3(16, 16), dim3(5, 7), dim3(1024)};
  constexpr int kBlocks = 3, kCells = kBlocks * 1024;
  std::vector<int> values(kCells);
  for (int k = 0; k < kCells; k++) values[k] = (k * 7919 + 13) % 1009 - 300;
  int *in, *out;
  cudaMalloc(&in, kCells * sizeof(int));
  cudaMalloc(&out, kCells * sizeof(int));
  cudaMemcpy(in, values.data(), kCells * sizeof(int), cudaMemcpyHostToDevice);
  for (const Named& one : kernels) {
    for (const dim3& shape : shapes) {
      cudaMemset(out, 0, kCells * sizeof(int));
      one.kernel<<<kBlocks, shape>>>(in, out);
      std::vector<int> result(kCells);
      if (cudaMemcpy(result.data(), out, kCells * sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
      unsigned sum = 0;
      for (int k = 0; k < kCells; k++) sum = sum * 31 + static_cast<unsigned>(result[k]);
      std::printf("%s %ux%u %u\n", one.name, shape.x, shape.y, sum);
    }
  }
  cudaFree(in);
  cudaFree(out);
}
