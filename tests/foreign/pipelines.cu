// In the manner of samples that copy to shared memory while they compute: the pipeline of C and of
// C++, cuda::barrier, and memcpy_async of a group.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include <cstdio>
#include <cuda/barrier>
#include <cuda/pipeline>

namespace cg = cooperative_groups;
const int n = 256, block = 64;

__global__ void primitives(const float *x, float *y) {
  __shared__ float tile[2][block];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[0][t], x + t, sizeof(float));
  __pipeline_commit();
  for (int i = 0; i < n / block; i++) {
    if (i + 1 < n / block) __pipeline_memcpy_async(&tile[(i + 1) % 2][t], x + (i + 1) * block + t, 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    y[i * block + t] = 2 * tile[i % 2][block - 1 - t];
    __syncthreads();
  }
}

__global__ void with_barrier(const float *x, float *y) {
  __shared__ float tile[block];
  __shared__ cuda::barrier<cuda::thread_scope_block> arrived;
  auto group = cg::this_thread_block();
  if (threadIdx.x == 0) init(&arrived, blockDim.x);
  group.sync();
  for (int i = 0; i < n / block; i++) {
    tile[threadIdx.x] = x[i * block + threadIdx.x];
    arrived.arrive_and_wait();
    y[i * block + threadIdx.x] = 2 * tile[block - 1 - threadIdx.x];
    arrived.arrive_and_wait();
  }
}

__global__ void with_groups(const float *x, float *y) {
  __shared__ float tile[block];
  auto group = cg::this_thread_block();
  for (int i = 0; i < n / block; i++) {
    cg::memcpy_async(group, tile, x + i * block, sizeof tile);
    cg::wait(group);
    y[i * block + threadIdx.x] = 2 * tile[block - 1 - threadIdx.x];
    group.sync();
  }
}

int main() {
  float *x, *y;
  cudaMallocManaged(&x, n * sizeof(float));
  cudaMallocManaged(&y, n * sizeof(float));
  for (int i = 0; i < n; i++) x[i] = i;
  for (int version = 0; version < 3; version++) {
    for (int i = 0; i < n; i++) y[i] = -1;
    if (version == 0) primitives<<<1, block>>>(x, y);
    if (version == 1) with_barrier<<<1, block>>>(x, y);
    if (version == 2) with_groups<<<1, block>>>(x, y);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    for (int i = 0; i < n; i++)
      if (y[i] != 2 * x[i / block * block + block - 1 - i % block]) {
        printf("version %d: %g at %d\n", version, y[i], i);
        return 1;
      }
  }
  printf("right\n");
  return 0;
}
