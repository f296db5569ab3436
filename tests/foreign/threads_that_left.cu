// In the manner of listings in which some threads leave the kernel before the others come to a barrier or a warp
// operation, which GPUs since Volta let pass: with a `return`, or around an `if` or a loop that ends the kernel.
// And a warp operation whose mask is 0.
#include <cstdio>

__global__ void returns(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  x[i] = i;
  __syncthreads();
  const int next = x[i / 32 * 32 + (i + 1) % 32 % (n - i / 32 * 32)];
  __syncthreads();
  x[i] += next;
}

__global__ void skips_all(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    __shared__ int tile[256];
    tile[threadIdx.x] = 3 * i;
    __syncthreads();
    x[i] = tile[threadIdx.x ^ 1];
  }
}

__global__ void leaves_loop(int* x, int n) {
  __shared__ int tile[128];
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    tile[threadIdx.x] = i;
    __syncthreads();
    x[i] = tile[threadIdx.x];
    __syncthreads();
  }
}

__global__ void sums_of_warps(int* x, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  int sum = i;
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
  if (i % 32 == 0) x[i / 32] = sum;
}

__global__ void no_mask(int* x) { x[threadIdx.x] = __shfl_xor_sync(0, static_cast<int>(threadIdx.x), 1); }

int main() {
  int* x;
  cudaMallocManaged(&x, 1000 * sizeof(int));
  returns<<<1, 128>>>(x, 100);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int i = 0; i < 96; i++)
    if (x[i] != i + (i / 32 * 32 + (i + 1) % 32)) return printf("returns: [%d] %d\n", i, x[i]), 1;
  skips_all<<<4, 256>>>(x, 900);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int i = 0; i < 900; i++)
    if (x[i] != 3 * (i ^ 1)) return printf("skips_all: [%d] %d\n", i, x[i]), 1;
  leaves_loop<<<1, 128>>>(x, 1000);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int i = 0; i < 1000; i++)
    if (x[i] != i) return printf("leaves_loop: [%d] %d\n", i, x[i]), 1;
  sums_of_warps<<<1, 64>>>(x, 48);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  if (x[0] != 31 * 16 || x[1] != 47 * 24 - 31 * 16) return printf("sums_of_warps: %d %d\n", x[0], x[1]), 1;
  no_mask<<<1, 64>>>(x);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int i = 0; i < 64; i++)
    if (x[i] != (i ^ 1)) return printf("no_mask: [%d] %d\n", i, x[i]), 1;
  printf("right\n");
  return 0;
}
