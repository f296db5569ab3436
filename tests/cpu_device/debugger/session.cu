// For debugger_test.sh, whose sessions name these lines: keep them where they are.
#include <cstdio>

constexpr int kThreads = 64;

__device__ float product(float x, float y) {
  float result = x * y;
  return result;
}

__global__ void dot(const float* a, const float* b, float* sums, int n) {
  __shared__ float cache[kThreads];
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  cache[threadIdx.x] = i < n ? product(a[i], b[i]) : 0;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = cache[0];
}

__global__ void transpose(const int* in, int* out, int width) {
  __shared__ int tile[4][8];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * width + threadIdx.x];
  __syncthreads();
  out[threadIdx.x * 4 + threadIdx.y] = tile[threadIdx.y][threadIdx.x];
}

__global__ void sum_lanes(int* out) {
  int mine = threadIdx.x;
  for (int step = 16; step > 0; step /= 2) {
    mine += __shfl_down_sync(0xffffffff, mine, step);
  }
  if (threadIdx.x == 0) *out = mine;
}

__device__ void wait_for(volatile int* go, volatile int* waiting) {
  while (*go == 0) { *waiting = 1; __nanosleep(100); }
}

__global__ void meet(volatile int* go, volatile int* waiting) {
  if (blockIdx.x > 0) { wait_for(go, &waiting[blockIdx.x]); }
  // The others do not leave that line before block 0 lets them.
  while (blockIdx.x == 0 && waiting[1] + waiting[2] + waiting[3] < 3) { __nanosleep(100); }
  if (blockIdx.x == 0) *go = 1;
}

__global__ void fill(int* out, int value) { out[threadIdx.x] = value; }

template <typename T>
__global__ void scale(T* out, T factor) {
  int i = threadIdx.x;
  out[i] = out[i] * factor;
}

int main(int argc, char** argv) {
  float *a, *b, *sums;
  int *in, *out, *flags;
  cudaMallocManaged(&a, 256 * sizeof(float));
  cudaMallocManaged(&b, 256 * sizeof(float));
  cudaMallocManaged(&sums, 4 * sizeof(float));
  cudaMallocManaged(&in, 64 * sizeof(int));
  cudaMallocManaged(&out, 64 * sizeof(int));
  cudaMallocManaged(&flags, 5 * sizeof(int));
  for (int i = 0; i < 256; i++) a[i] = i, b[i] = 2;
  for (int i = 0; i < 64; i++) in[i] = 100 + i;
  for (int i = 0; i < 5; i++) flags[i] = 0;
  dot<<<4, kThreads>>>(a, b, sums, 250);
  cudaDeviceSynchronize();
  transpose<<<1, dim3(8, 4)>>>(in, out, 8);
  cudaDeviceSynchronize();
  sum_lanes<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  fill<<<1, 8, 0, first>>>(out, argc);
  scale<<<1, 8, 0, second>>>(a, 3.0f);
  cudaDeviceSynchronize();
  scale<<<1, 8>>>(in, 2);
  meet<<<4, 1>>>(flags, flags + 1);
  cudaDeviceSynchronize();
  printf("%g %d %g %d %s\n", sums[0], out[5], a[5], in[1], argv[argc - 1]);
  return 0;
}
