#include <cstdio>
#include <cstdlib>
__global__ void out_of_bounds(int* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) a[i * 1000] = i;
}
__global__ void far_away(int* a, const int* index) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = a[index[i]];
}
__global__ void divides(int* a, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = 100 / (i - by);
}
__global__ void null(int* a) { a[threadIdx.x] = 1; }
__global__ void left(int* a) {
  __shared__ int tile[64];
  tile[threadIdx.x - 1] = 3;
  __syncthreads();
  a[threadIdx.x] = tile[threadIdx.x];
}
__global__ void divergent(int* a, int n) {
  int i = threadIdx.x;
  if (i >= n) return;
  __syncthreads();
  a[i] = i;
}
__global__ void divergent_loop(int* a) {
  int i = threadIdx.x;
  for (int k = 0; k < i % 3; k++) __syncthreads();
  a[i] = i;
}
__global__ void after_barrier(int* a, int n) {
  __shared__ int tile[64];
  int i = threadIdx.x;
  tile[i] = i;
  __syncthreads();
  if (i > n) a[1 << 28] = tile[63 - i];
}
__device__ int deep(int n, int* a) { int b[100]; b[n % 100] = n; return a == nullptr ? 0 : deep(n + 1, a) + b[(n * 7) % 100]; }
__global__ void recursion(int* a) { a[threadIdx.x] = deep(threadIdx.x, a); }
__global__ void fresh(int* a) { atomicAdd(&a[threadIdx.x / 8], 1); }
int main(int argc, char** argv) {
  int *a, *index;
  cudaMalloc(&a, 64 * sizeof(int));
  cudaMalloc(&index, 64 * sizeof(int));
  int host[64];
  for (int i = 0; i < 64; i++) host[i] = i == 37 ? 1 << 28 : i;
  cudaMemcpy(index, host, sizeof host, cudaMemcpyHostToDevice);
  switch (atoi(argv[1])) {
    case 0: out_of_bounds<<<2, 32>>>(a, 40); break;
    case 1: far_away<<<1, 64>>>(a, index); break;
    case 2: divides<<<1, 64>>>(a, 21); break;
    case 3: null<<<1, 64>>>(nullptr); break;
    case 4: left<<<1, 64>>>(a); break;
    case 5: divergent<<<1, 64>>>(a, 40); break;
    case 6: divergent_loop<<<1, 64>>>(a); break;
    case 7: after_barrier<<<1, 64>>>(a, 40); break;
    case 8: recursion<<<1, 64>>>(a); break;
    case 9: fresh<<<1, 64>>>(a); break;
  }
  cudaError_t error = cudaDeviceSynchronize();
  printf("%d %s\n", argc, cudaGetErrorString(error));
  return error != cudaSuccess;
}
