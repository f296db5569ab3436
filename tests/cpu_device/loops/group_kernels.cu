// Kernels with a cooperative group of their whole block. Prints what they compute, for several shapes of blocks.
#include <cooperative_groups.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__global__ void sums(const int* in, int* out) {
  cg::thread_block block = cg::this_thread_block();
  __shared__ int cache[1024];
  const unsigned rank = block.thread_rank(), first = block.group_index().x * block.size();
  cache[rank] = in[first + rank];
  for (unsigned half = 512; half > 0; half /= 2) {
    cg::sync(block);
    if (rank < half && rank + half < block.num_threads()) cache[rank] += cache[rank + half];
  }
  block.sync();
  out[first + rank] = cache[0] + static_cast<int>(rank);
}

// No name for the group, and one that spans lines.
__global__ void mirrored(const int* in, int* out) {
  __shared__ int tile[1024];
  const auto whole =
      cooperative_groups::this_thread_block();
  const int n = blockDim.x * blockDim.y * blockDim.z, i = cg::this_thread_block().thread_rank();
  tile[i] = in[blockIdx.x * n + i];
  cooperative_groups::this_thread_block()
      .sync();
  out[blockIdx.x * n + i] = tile[n - 1 - i] + static_cast<int>(whole.thread_index().y * 1000 + whole.dim_threads().z);
}

// What else looks at the group keeps the kernel from being written out.
__device__ int rank_of(cg::thread_block block) { return static_cast<int>(block.thread_rank()); }
__global__ void handed_on(const int* in, int* out) {
  cg::thread_block block = cg::this_thread_block();
  const int i = rank_of(block);
  out[blockIdx.x * block.size() + i] = in[i] + 1;
}
__global__ void divided(const int* in, int* out) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<4>(block);
  const int i = blockIdx.x * block.size() + block.thread_rank();
  out[i] = in[i] + static_cast<int>(tile.thread_rank());
}

int main() {
  constexpr int kMost = 3 * 1024;
  std::vector<int> host(kMost);
  int *in, *out;
  cudaMalloc(&in, sizeof(int) * kMost);
  cudaMalloc(&out, sizeof(int) * kMost);
  for (int i = 0; i < kMost; i++) host[i] = i * 37 % 101;
  cudaMemcpy(in, host.data(), sizeof(int) * kMost, cudaMemcpyHostToDevice);
  for (const dim3 shape : {dim3(1), dim3(5), dim3(16), dim3(33), dim3(8, 4), dim3(7, 3, 2), dim3(32, 32)})
    for (const auto kernel : {sums, mirrored, handed_on, divided}) {
      cudaMemset(out, 0, sizeof(int) * kMost);
      kernel<<<3, shape>>>(in, out);
      cudaMemcpy(host.data(), out, sizeof(int) * kMost, cudaMemcpyDeviceToHost);
      unsigned sum = 0;
      for (int i = 0; i < kMost; i++) sum = sum * 31 + static_cast<unsigned>(host[i]);
      std::printf("%ux%ux%u: %08x %s\n", shape.x, shape.y, shape.z, sum, cudaGetErrorString(cudaGetLastError()));
    }
}
