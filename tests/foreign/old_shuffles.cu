// In the manner of a reduction from the time of CUDA 8: shuffles and votes without masks.
// (The Toolkit refuses them since CUDA 13.)
#include <cstdio>

__inline__ __device__ int warp_sum(int value) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) value += __shfl_down(value, offset);
  return value;
}

__global__ void sum(const int *in, int *out, int n) {
  int value = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    value += in[i];
  value = warp_sum(value);
  if (threadIdx.x % warpSize == 0) atomicAdd(out, value);
  int everyone = __all(n > 0), odd = __popc(__ballot(threadIdx.x & 1));
  int first = __shfl(threadIdx.x, 0);
  if (!everyone || odd != 16 || first % 32 != 0) atomicAdd(out, 1000000);
  const int lane = threadIdx.x % 32;
  if (__shfl_up(lane, 3) != (lane < 3 ? lane : lane - 3) || __shfl_up(lane, 2, 8) != (lane % 8 < 2 ? lane : lane - 2) ||
      __shfl_xor(lane, 5) != (lane ^ 5) || __any(lane == 7) == 0 || __any(lane > 31) != 0 || __all(lane < 31) != 0)
    atomicAdd(out, 1000000);
}

int main() {
  const int n = 10000;
  int *in, *out, expected = 0;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, sizeof(int));
  for (int i = 0; i < n; i++) expected += in[i] = i % 13;
  *out = 0;
  sum<<<4, 128>>>(in, out, n);
  cudaDeviceSynchronize();
  printf("%d, expected %d\n", *out, expected);
  return *out == expected ? 0 : 1;
}
