// Loops between barriers, which keep the threads' variables in copies: those that are assigned, changed by reference, moved
// along an array, or only read; of types with constructors, which have no copies; in loops within loops, and loops that are
// left early. Prints a sum for each kernel and shape of block, which must not depend on the way of running.
#include "print_sums.h"

struct Counter {
  int count = 0;
  __device__ void add(int n) { count += n; }
};
__device__ void attract(int3& sum, int x) { sum.x += x, sum.y -= x * 5, sum.z += sum.x; }

#define PLACE                                                                                        \
  __shared__ int tile[1024];                                                                         \
  const int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;            \
  const int threads = blockDim.x * blockDim.y * blockDim.z, i = blockIdx.x * threads + thread

__global__ void by_reference(const int* in, int* out) {
  PLACE;
  const int mine = in[i];
  int3 sum = make_int3(mine, 1, 2);
  for (int round = 0; round < 3; round++) {
    tile[thread] = in[i] + round;
    __syncthreads();
    for (int j = 0; j < threads; j++) attract(sum, tile[j] - mine);
    __syncthreads();
  }
  out[i] = sum.x + sum.y * 3 + sum.z * 7;
}
__global__ void assigned(const int* in, int* out) {
  PLACE;
  int last = thread, largest;
  largest = in[i];
  tile[thread] = in[i];
  __syncthreads();
  for (int row = 0; row < 3; row++) {
    last = last * 5 + row;
    for (int j = 0; j < 7; j++) {
      last = last * 3 + tile[(j + row) % threads];
      largest = max(largest, tile[j % threads] - row);
    }
  }
  __syncthreads();
  tile[thread] = last;
  __syncthreads();
  out[i] = tile[threads - 1 - thread] + largest;
}
__global__ void moved_along(const int* in, int* out) {
  PLACE;
  const int* from = in + i;
  int sum = 0;
  tile[thread] = *from;
  __syncthreads();
  for (int j = 0; j < 4; j++) sum += *from++;
  __syncthreads();
  for (int j = 0; j < 2; j++) sum = sum * 3 + *from;
  out[i] = sum + tile[0] + static_cast<int>(from - in);
}
__global__ void with_constructors(const int* in, int* out) {
  PLACE;
  Counter counter;
  tile[thread] = in[i];
  __syncthreads();
  for (int j = 0; j < 5; j++) counter.add(tile[(thread + j) % threads]);
  __syncthreads();
  for (int j = 0; j < 2; j++) counter.add(counter.count);
  out[i] = counter.count;
}
__global__ void left_early(const int* in, int* out, int most) {
  PLACE;
  int sum = 1, rounds = 0;
  tile[thread] = in[i];
  __syncthreads();
  int j = 0;
  while (true) {
    sum = sum * 3 + tile[j % threads];
    if (j == most) break;
    j++;
    if (j % 2 == 0) continue;
    rounds += thread;
  }
  __syncthreads();
  do {
    sum += tile[threads - 1 - thread];
  } while (j-- > 0);
  __syncthreads();
  out[i] = sum + rounds;
}
__global__ void some_threads(const int* in, int* out, int n) {
  PLACE;
  int sum = thread;
  tile[thread] = in[i];
  __syncthreads();
  for (int j = 0; j < 6; j++) {
    if ((thread + j) % 3 == 0) continue;
    sum = sum * 2 + tile[j % threads];
    if (sum > n) break;
  }
  __syncthreads();
  if (thread < n)
    for (int j = 0; j < 3; j++) sum += tile[(thread + j) % threads] * j;
  __syncthreads();
  out[i] = sum;
}

int main() {
  return print_sums([](const auto& sum, const int* in, int* out) {
    sum([&](dim3 g, dim3 b) { by_reference<<<g, b>>>(in, out); });
    sum([&](dim3 g, dim3 b) { assigned<<<g, b>>>(in, out); });
    sum([&](dim3 g, dim3 b) { moved_along<<<g, b>>>(in, out); });
    sum([&](dim3 g, dim3 b) { with_constructors<<<g, b>>>(in, out); });
    sum([&](dim3 g, dim3 b) { left_early<<<g, b>>>(in, out, 9); });
    sum([&](dim3 g, dim3 b) { some_threads<<<g, b>>>(in, out, 60); });
  });
}
