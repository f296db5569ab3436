// Kernels with a barrier whose last threads are done early: what a guard decides for one thread it may decide for all
// after it in the row, but not where the variable wraps around, changes its sign, or counts down. One number for
// each kernel and shape of the block; it must be the same however they run.
#include <cstdio>
#include <vector>

#define BEGIN(NAME)                                                                      \
  __global__ void NAME(int* out, int n) {                                                \
    __shared__ int values[1024];                                                         \
    int at = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;        \
    values[at] = at;                                                                     \
    __syncthreads();

BEGIN(less)
  int x = threadIdx.x;
  if (x < n) out[at] += values[at] + 1;
}
BEGIN(greater)
  unsigned x = threadIdx.x;
  if (n > x && threadIdx.y != 1) out[at] += values[at] + 2;
}
BEGIN(at_most)
  if (threadIdx.x <= n) out[at] += values[at] + 3;
}
BEGIN(at_least)
  int x = threadIdx.x;
  if (x >= n) out[at] += values[at] + 4;
}
BEGIN(leaves)
  int x = threadIdx.x;
  if (x >= n || threadIdx.y == 2) return;
  out[at] += values[at] + 5;
}
BEGIN(leaves_first)
  int x = threadIdx.x;
  if (x < n) return;
  out[at] += values[at] + 6;
}
BEGIN(one)
  int x = threadIdx.x;
  if (x == n) out[at] += values[at] + 7;
}
BEGIN(one_of_some)
  int x = threadIdx.x;
  if (n == x && (values[at] & 1) == 0) out[at] += values[at] + 8;
}
BEGIN(wraps_around)
  unsigned x = threadIdx.x + 0xfffffff0u;
  if (x < 20u) out[at] += values[at] + 9;
}
BEGIN(one_behind_the_wrap)
  unsigned x = threadIdx.x + 0xfffffff0u;
  if (x == 3u) out[at] += values[at] + 10;
}
BEGIN(changes_sign)
  int x = threadIdx.x - 20;
  if (x < 5u) out[at] += values[at] + 11;
}
BEGIN(counts_down)
  int x = blockDim.x - threadIdx.x;
  if (x < n) out[at] += values[at] + 12;
}
BEGIN(either)
  int x = threadIdx.x;
  if (x < n || x == 40) out[at] += values[at] + 13;
}
BEGIN(of_a_row)
  int x = threadIdx.x;
  if (x < n * threadIdx.y) out[at] += values[at] + 14;
}
BEGIN(tree)
  int x = threadIdx.x;
  for (int s = blockDim.x / 2; s > 0; s /= 2) {
    if (x < s) values[at] += values[at + s];
    __syncthreads();
  }
  if (x == 0) out[at] += values[at];
}
BEGIN(far)
  long long x = threadIdx.x + 0x7ffffff0ll;
  if (x < 0x7ffffff0ll + n) out[at] += values[at] + 15;
}
BEGIN(between)
  int x = threadIdx.x;
  if (x > n && x < n + 3) out[at] += values[at] + 16;
}
BEGIN(leaves_around)
  int x = threadIdx.x;
  if (x < n || threadIdx.y == 1 || x > n + 4) return;
  out[at] += values[at] + 17;
}
BEGIN(inside)
  int x = threadIdx.x, y = threadIdx.y;
  if (x < 1 || y < 1 || x >= n || x >= (int)blockDim.x - 1) return;
  out[at] += values[at - 1] + 2 * values[at + 1] + 18;
}

int main() {
  int* out;
  cudaMalloc(&out, 1024 * sizeof(int));
  void (*kernels[])(int*, int) = {less,         greater,      at_most,             at_least,     leaves,      leaves_first, one,      one_of_some,
                                  wraps_around, one_behind_the_wrap, changes_sign, counts_down, either, of_a_row,     tree,     far,
                                  between,      leaves_around, inside};
  const dim3 shapes[] = {1, 5, 16, 33, 256, 1000, dim3(16, 16), dim3(40, 5), dim3(7, 3, 4), dim3(64, 2, 8)};
  int number = 0;
  for (auto kernel : kernels) {
    for (const dim3 shape : shapes)
      for (int n : {-3, 0, 1, 15, 16, 17, 40}) {
        cudaMemset(out, 0, 1024 * sizeof(int));
        kernel<<<1, shape>>>(out, n);
        std::vector<int> host(1024);
        if (cudaMemcpy(host.data(), out, 1024 * sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
        unsigned sum = 0;
        for (int value : host) sum = sum * 31 + value;
        printf("%d %u,%u,%u %d: %08x\n", number, shape.x, shape.y, shape.z, n, sum);
      }
    number++;
  }
}
