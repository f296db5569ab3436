// In the manner of the CUDA programming guide: one warp fills the stages of a pipeline, the other warps compute with them; by
// role, and by the number of threads that fill. More batches than stages, so that stages must become free again.
#include <cooperative_groups.h>

#include <cstdio>
#include <cuda/pipeline>

namespace cg = cooperative_groups;
const int stages = 2, warp = 32, threads = 128, batch = 96, batches = 7;

template <bool by_role>
__global__ void scale(const int *in, int *out) {
  __shared__ int tile[stages][batch];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  auto block = cg::this_thread_block();
  const bool fills = threadIdx.x < warp;
  auto pipeline = [&] {
    if constexpr (by_role)
      return cuda::make_pipeline(block, &state, fills ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    else
      return cuda::make_pipeline(block, &state, size_t(warp));
  }();
  const int *mine = in + blockIdx.x * batch * batches;
  int *result = out + blockIdx.x * batch * batches;
  if (fills) {
    for (int b = 0; b < batches; b++) {
      pipeline.producer_acquire();
      for (int i = threadIdx.x; i < batch; i += warp)
        cuda::memcpy_async(&tile[b % stages][i], &mine[b * batch + i], sizeof(int), pipeline);
      pipeline.producer_commit();
    }
  } else {
    for (int b = 0; b < batches; b++) {
      pipeline.consumer_wait();
      const int i = threadIdx.x - warp;
      result[b * batch + i] = 3 * tile[b % stages][batch - 1 - i];
      pipeline.consumer_release();
    }
  }
}

int main() {
  const int blocks = 3, n = blocks * batch * batches;
  int *in, *out;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  for (int version = 0; version < 2; version++) {
    for (int i = 0; i < n; i++) in[i] = i * 7 + version, out[i] = -1;
    if (version == 0)
      scale<true><<<blocks, threads>>>(in, out);
    else
      scale<false><<<blocks, threads>>>(in, out);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    for (int i = 0; i < n; i++)
      if (out[i] != 3 * in[i / batch * batch + batch - 1 - i % batch]) {
        printf("version %d: %d at %d\n", version, out[i], i);
        return 1;
      }
  }
  printf("right\n");
  return 0;
}
