// In the manner of reductions from before Volta: the last 32 threads add without a barrier, because the
// lanes of a warp moved together. CPU_DEVICE_LOCKSTEP=1 runs it like that. So does a run without, with
// a note (errors/warp_synchronous_since_volta.cu).
#include <cstdio>
#include <cstdlib>
#include <cstring>

template <unsigned int blockSize>
__global__ void reduce(const int *in, int *out, unsigned n) {
  extern __shared__ int sdata[];
  unsigned tid = threadIdx.x, i = blockIdx.x * blockSize * 2 + tid;
  int mySum = 0;
  while (i < n) {
    mySum += in[i];
    if (i + blockSize < n) mySum += in[i + blockSize];
    i += blockSize * 2 * gridDim.x;
  }
  sdata[tid] = mySum;
  __syncthreads();
  if (blockSize >= 128) {
    if (tid < 64) sdata[tid] = mySum = mySum + sdata[tid + 64];
    __syncthreads();
  }
  if (tid < 32) {
    volatile int *smem = sdata;
    if (blockSize >= 64) { smem[tid] = mySum = mySum + smem[tid + 32]; }
    if (blockSize >= 32) { smem[tid] = mySum = mySum + smem[tid + 16]; }
    if (blockSize >= 16)
      smem[tid] = mySum = mySum + smem[tid + 8];
    else
      smem[tid] = 0;
    if (blockSize >= 8) { smem[tid] = mySum = mySum + smem[tid + 4]; }
    if (blockSize >= 4) { smem[tid] = mySum = mySum + smem[tid + 2]; }
    if (blockSize >= 2) { smem[tid] = mySum = mySum + smem[tid + 1]; }
  }
  if (tid == 0) out[blockIdx.x] = sdata[0];
}

__device__ void warpReduce(volatile float *s, int t) {
  s[t] += s[t + 32];
  s[t] += s[t + 16];
  s[t] += s[t + 8];
  s[t] += s[t + 4];
  s[t] += s[t + 2];
  s[t] += s[t + 1];
}
__global__ void sum(const float *x, float *out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  if (t < 32) warpReduce(s, t);
  if (t == 0) *out = s[0];
}

__global__ void scan(int *x) {
  __shared__ volatile int s[64];
  int t = threadIdx.x;
  s[t] = 0;
  s[t + 32] = x[t];
  for (int d = 1; d < 32; d *= 2) s[t + 32] += s[t + 32 - d];
  x[t] = s[t + 32];
}

int main(int, char **argv) {
  // Set in the environment before the device starts; a GPU does not look at it.
  if (getenv("CPU_DEVICE_LOCKSTEP") == nullptr) {
    setenv("CPU_DEVICE_LOCKSTEP", "1", 1);
    char command[4096];
    snprintf(command, sizeof command, "'%s'", argv[0]);
    return system(command) == 0 ? 0 : 1;
  }
  int *in, *out, bad = 0;
  float *x, *total;
  cudaMallocManaged(&in, 1000 * sizeof(int));
  cudaMallocManaged(&out, 2 * sizeof(int));
  cudaMallocManaged(&x, 64 * sizeof(float));
  cudaMallocManaged(&total, sizeof(float));
  for (int i = 0; i < 1000; i++) in[i] = i % 7;
  for (int i = 0; i < 64; i++) x[i] = i;
  reduce<128><<<2, 128, 512>>>(in, out, 1000);
  sum<<<1, 64>>>(x, total);
  cudaDeviceSynchronize();
  if (out[0] + out[1] != 2997) bad = 1, printf("%d, not 2997\n", out[0] + out[1]);
  if (*total != 2016) bad = 1, printf("%g, not 2016\n", *total);
  scan<<<1, 32>>>(in);
  if (cudaDeviceSynchronize() != cudaSuccess) bad = 1;
  for (int i = 0, sum = 0; i < 32; i++)
    if (in[i] != (sum += i % 7)) bad = 1, printf("scan: %d at %d, not %d\n", in[i], i, sum);
  printf(bad ? "wrong\n" : "right\n");
  return bad;
}
