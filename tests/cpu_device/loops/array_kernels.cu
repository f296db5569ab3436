// Arrays of a thread. Where only their elements are used, neighboring lanes' elements are neighbors in memory, and loops
// over the lanes become vectors; where their address gets out, each thread's array is in one piece, as CUDA has it. Prints
// a sum for each kernel and shape of block, which must not depend on the way of running.
#include "print_sums.h"

struct Pair {
  int low, high;
};
typedef int Triple[3];

__device__ int sum_of(const int* values, int n) {
  int sum = 0;
  for (int k = 0; k < n; k++) sum += values[k] * (k + 1);
  return sum;
}
__device__ void twice(int& value) { value *= 2; }

#define PLACE                                                                                        \
  const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;            \
  const int threads = blockDim.x * blockDim.y * blockDim.z, i = blockIdx.x * threads + thread

// By elements: within a region, across barriers, of two dimensions, with an initializer, of structures.
__global__ void in_a_region(const int* in, int* out) {
  PLACE;
  int part[5];
  for (int k = 0; k < 5; k++) part[k] = in[(i + k) % 1000] + k;
  for (int round = 0; round < 3; round++)
    for (int k = 1; k < 5; k++) part[k] += part[k - 1] * round;
  out[i] = part[4] - part[0];
}
__global__ void across_barriers(const int* in, int* out) {
  __shared__ int tile[1024];
  PLACE;
  int patch[3][4] = {{1, 2}, {}, {thread}};
  for (int round = 0; round < 3; round++) {
    tile[thread] = in[i] + round;
    __syncthreads();
    for (int row = 0; row < 3; row++)
      for (int column = 0; column < 4; column++) patch[row][column] += tile[(thread + row * 4 + column) % threads] * (row + 1);
    __syncthreads();
  }
  int sum = 0;
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 4; column++) sum = sum * 3 + patch[row][column];
  out[i] = sum;
}
__global__ void of_structures(const int* in, int* out) {
  __shared__ int tile[1024];
  PLACE;
  const int kCount = 2;
  Pair pairs[kCount];
  float4 four[2];
  pairs[0].low = in[i], pairs[0].high = thread;
  pairs[1] = pairs[0];
  four[0] = make_float4(thread, 2, 3, 4);
  four[1] = four[0];
  tile[thread] = pairs[1].low;
  __syncthreads();
  pairs[1].high += tile[threads - 1 - thread];
  four[1].y += four[0].x;
  pairs[0].low++;
  __syncthreads();
  out[i] = pairs[0].low * 7 + pairs[1].high + pairs[1].low + static_cast<int>(four[1].y + max(four[0].z, four[1].w));
}
__global__ void of_arrays(const int* in, int* out) {
  PLACE;
  Triple triples[2];
  for (int k = 0; k < 6; k++) triples[k / 3][k % 3] = in[i] * k;
  if (thread % 3 == 1) triples[1][2] = 5;
  out[i] = triples[0][1] + triples[1][2];
}
__global__ void conditional(const int* in, int* out, int n) {
  PLACE;
  if (i >= n) return;
  unsigned counts[8] = {0};
  for (int k = 0; k < 20; k++) counts[in[(i + k) % 1000] % 8]++;
  int best = 0;
  for (int k = 1; k < 8; k++)
    if (counts[k] > counts[best]) best = k;
  out[i] = best * 100 + static_cast<int>(counts[best]);
}
// In one piece.
__global__ void passed_on(const int* in, int* out) {
  PLACE;
  int values[4];
  for (int k = 0; k < 4; k++) values[k] = in[i] + k;
  int* const end = &values[3];
  end[-1] = 9;
  out[i] = sum_of(values, 4);
}
__global__ void by_a_cast(const int* in, int* out) {
  PLACE;
  int values[4];
  for (int k = 0; k < 4; k++) values[k] = in[i] + k;
  const int4 all = *reinterpret_cast<int4*>(&values[0]);
  int others[4];
  reinterpret_cast<int4&>(others[0]) = all;
  int more[4];
  (int4&)more[0] = all;
  out[i] = all.x + 2 * all.y + 3 * others[2] + 5 * more[3];
}
__global__ void by_reference(const int* in, int* out) {
  PLACE;
  Pair pairs[2] = {{in[i], 1}, {2, 3}};
  int values[3] = {in[i], 4, 5};
  twice(values[1]);
  int& third = values[2];
  third += 1;
  pairs[0].high += pairs[1].low;
  out[i] = values[0] + values[1] * 10 + values[2] * 100 + pairs[0].high + pairs[1].high;
}

int main() {
  return print_sums([](const auto& sum, const int* in, int* out) {
    sum([&](dim3 g, dim3 b) { in_a_region<<<g, b>>>(in, out); });
    sum([&](dim3 g, dim3 b) { across_barriers<<<g, b>>>(in, out); });
    sum([&](dim3 g, dim3 b) { of_structures<<<g, b>>>(in, out); });
    sum([&](dim3 g, dim3 b) { of_arrays<<<g, b>>>(in, out); });
    sum([&](dim3 g, dim3 b) { conditional<<<g, b>>>(in, out, 3 * b.x * b.y - 1); });
    sum([&](dim3 g, dim3 b) { passed_on<<<g, b>>>(in, out); });
    sum([&](dim3 g, dim3 b) { by_a_cast<<<g, b>>>(in, out); });
    sum([&](dim3 g, dim3 b) { by_reference<<<g, b>>>(in, out); });
  });
}
