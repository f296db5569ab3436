// Sums of colors by 16 lanes that exchange them in pairs, each in one statement.
// notes: CPU device: warp-synchronous code in kernel compress
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

inline __device__ void operator+=(float3 &a, const float3 &b) { a.x += b.x, a.y += b.y, a.z += b.z; }
__device__ void sumUp(const float3 *colors, float3 *sums, cg::thread_group tile) {
  const int idx = threadIdx.x;
  sums[idx] = colors[idx];
  cg::sync(tile);
  sums[idx] += sums[idx ^ 8];
  cg::sync(tile);
  sums[idx] += sums[idx ^ 4];
  cg::sync(tile);
  sums[idx] += sums[idx ^ 2];
  cg::sync(tile);
  sums[idx] += sums[idx ^ 1];
}
__global__ void compress(const float3 *in, float *out) {
  __shared__ float3 sums[16];
  cg::thread_group tile = cg::tiled_partition(cg::this_thread_block(), 16);
  if (threadIdx.x < 16) sumUp(in, sums, tile);
  __syncthreads();
  if (threadIdx.x < 16) out[threadIdx.x] = sums[threadIdx.x].x;
}
int main() {
  float3 *in;
  float *out;
  int bad = 0;
  cudaMallocManaged(&in, 16 * sizeof(float3));
  cudaMallocManaged(&out, 16 * sizeof(float));
  for (int i = 0; i < 16; i++) in[i] = make_float3(i, 0, 0);
  compress<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  for (int i = 0; i < 16; i++) bad += out[i] != 120;
  printf("%d sums wrong\n", bad);
  return bad != 0;
}
