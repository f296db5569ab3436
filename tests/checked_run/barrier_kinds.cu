// Barriers of each kind pass on what their threads know. A message comes from another block: one thread receives it, all threads
// meet, and another thread reads it. Or one thread writes it, all threads meet, and another thread sends it.
//
//     barrier_kinds KIND receive|receive_apart|send|send_apart meet|skip
//
// With _apart the fence is on the other side of the barrier than the access to the flag. With skip the threads do not meet: the same
// accesses are a race.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <cuda/barrier>
#include <type_traits>
#include <utility>

namespace cg = cooperative_groups;

__device__ int message, flag, result;

__device__ void raise_flag(bool fence = true) {
  if (fence) __threadfence();
  atomicExch(&flag, 1);
}
__device__ void wait_for_flag(bool fence = true) {
  while (atomicAdd(&flag, 0) == 0) __nanosleep(20);
  if (fence) __threadfence();
}

// Each kind of barrier: prepare() comes before everything else, meet() is the barrier.
struct Nothing {
  __device__ void prepare() {}
};
struct Block : Nothing {
  __device__ void meet() { __syncthreads(); }
};
struct BlockCount : Nothing {
  __device__ void meet() { __syncthreads_count(1); }
};
struct BlockAnd : Nothing {
  __device__ void meet() { __syncthreads_and(1); }
};
struct BlockOr : Nothing {
  __device__ void meet() { __syncthreads_or(0); }
};
struct BlockGroup : Nothing {
  __device__ void meet() { cg::this_thread_block().sync(); }
};
struct BlockHalves : Nothing {
  __device__ void meet() {
    auto block = cg::this_thread_block();
    auto token = block.barrier_arrive();
    block.barrier_wait(std::move(token));
  }
};
struct Named : Nothing {
  __device__ void meet() { asm volatile("bar.sync 3, 64;" ::: "memory"); }
};
struct NamedHalves : Nothing {  // the threads of the second warp come later, and need what the first one knows
  __device__ void meet() {
    if (threadIdx.x < 32)
      asm volatile("bar.arrive 3, 64;" ::: "memory");
    else
      asm volatile("bar.sync 3, 64;" ::: "memory");
  }
};
struct Warp : Nothing {
  __device__ void meet() { __syncwarp(); }
};
struct Tile : Nothing {
  __device__ void meet() { cg::tiled_partition<16>(cg::this_thread_block()).sync(); }
};
struct WideTile : Nothing {
  __device__ void meet() { cg::tiled_partition(cg::this_thread_block(), 32).sync(); }
};
struct Partition : Nothing {  // it is formed before the threads part
  cg::coalesced_group group = cg::binary_partition(cg::tiled_partition<32>(cg::this_thread_block()), threadIdx.x % 32 < 16);
  __device__ void meet() { group.sync(); }
};
struct OfCluster : Nothing {};
struct Cluster : OfCluster {
  __device__ void meet() { cg::this_cluster().sync(); }
};
struct ClusterHalves : OfCluster {
  __device__ void meet() {
    cg::this_cluster().barrier_arrive();
    cg::this_cluster().barrier_wait();
  }
};
struct Grid : Nothing {
  __device__ void meet() { cg::this_grid().sync(); }
};
struct Object {
  __device__ cuda::barrier<cuda::thread_scope_block>& barrier() {
    __shared__ cuda::barrier<cuda::thread_scope_block> one;
    return one;
  }
  __device__ void prepare() {
    if (threadIdx.x == 0) init(&barrier(), blockDim.x);
    __syncthreads();
  }
  __device__ void meet() { barrier().arrive_and_wait(); }
};
struct ObjectHalves : Object {
  __device__ void meet() { barrier().wait(barrier().arrive()); }
};
struct ObjectInPtx {
  __device__ unsigned place() {
    __shared__ unsigned long long one;
    return static_cast<unsigned>(__cvta_generic_to_shared(&one));
  }
  __device__ void prepare() {
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(place()), "r"(blockDim.x));
    __syncthreads();
  }
  __device__ void meet() {
    asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0], 1;" ::"r"(place()) : "memory");
    int open = 0;
    while (open == 0)
      asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
                   : "=r"(open)
                   : "r"(place()), "r"(0)
                   : "memory");
  }
};

// Two teams of `blocks` blocks each. The thread 0 of a team meets its thread `far_thread` of the block `far_block`.
template <class Barrier>
__global__ void relay(bool receives, bool apart, bool meets, unsigned blocks, unsigned far_block, unsigned far_thread) {
  Barrier barrier;
  barrier.prepare();
  const bool is_first = blockIdx.x == 0 && threadIdx.x == 0;
  const unsigned team = blockIdx.x / blocks;
  if (receives) {  // block 0 sends; one thread of the other team receives, and another one reads
    if (is_first) {
      message = 7;
      raise_flag();
    }
    if (blockIdx.x == blocks && threadIdx.x == 0) wait_for_flag(!apart);
    if (meets) barrier.meet();
    if (team == 1 && blockIdx.x == blocks + far_block && threadIdx.x == far_thread) {
      if (apart) __threadfence();
      result = message;
    }
  } else {  // one thread of the first team writes, another one sends; one of the other team reads
    if (is_first) {
      message = 7;
      if (apart) __threadfence();
    }
    if (meets) barrier.meet();
    if (team == 0 && blockIdx.x == far_block && threadIdx.x == far_thread) raise_flag(!apart);
    if (blockIdx.x == blocks && threadIdx.x == 0) {
      wait_for_flag();
      result = message;
    }
  }
}

template <class Barrier>
cudaError_t run(const char* way, bool meets, unsigned blocks, unsigned far_block, unsigned far_thread) {
  cudaLaunchAttribute attribute = {};
  if (std::is_base_of<OfCluster, Barrier>::value) {
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 2;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  } else {
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
  }
  cudaLaunchConfig_t config = {};
  config.gridDim = 2 * blocks;
  config.blockDim = 64;
  config.attrs = &attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, relay<Barrier>, strncmp(way, "receive", 7) == 0, strstr(way, "_apart") != nullptr, meets, blocks, far_block, far_thread);
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const char *kind = argv[1], *way = argv[2];
  const bool meets = strcmp(argv[3], "meet") == 0;
  cudaError_t error = cudaErrorInvalidValue;
  const struct {
    const char* name;
    cudaError_t (*run)(const char*, bool, unsigned, unsigned, unsigned);
    unsigned blocks, far_block, far_thread;
  } kinds[] = {{"syncthreads", run<Block>, 1, 0, 40},
               {"syncthreads_count", run<BlockCount>, 1, 0, 40},
               {"syncthreads_and", run<BlockAnd>, 1, 0, 40},
               {"syncthreads_or", run<BlockOr>, 1, 0, 40},
               {"thread_block", run<BlockGroup>, 1, 0, 40},
               {"thread_block_halves", run<BlockHalves>, 1, 0, 40},
               {"named", run<Named>, 1, 0, 40},
               {"named_halves", run<NamedHalves>, 1, 0, 40},
               {"syncwarp", run<Warp>, 1, 0, 5},
               {"tile", run<Tile>, 1, 0, 5},
               {"wide_tile", run<WideTile>, 1, 0, 5},
               {"partition", run<Partition>, 1, 0, 5},
               {"cluster", run<Cluster>, 2, 1, 40},
               {"cluster_same_block", run<Cluster>, 2, 0, 40},
               {"cluster_halves", run<ClusterHalves>, 2, 1, 40},
               {"grid", run<Grid>, 2, 1, 40},
               {"grid_same_block", run<Grid>, 2, 0, 40},
               {"barrier", run<Object>, 1, 0, 40},
               {"barrier_halves", run<ObjectHalves>, 1, 0, 40},
               {"mbarrier", run<ObjectInPtx>, 1, 0, 40}};
  if (strcmp(kind, "list") == 0) {
    for (const auto& one : kinds) puts(one.name);
    return 0;
  }
  for (const auto& one : kinds)
    if (strcmp(kind, one.name) == 0) error = one.run(way, meets, one.blocks, one.far_block, one.far_thread);
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  int came = 0;
  if (error == cudaSuccess) error = cudaMemcpyFromSymbol(&came, result, sizeof came);
  if (error != cudaSuccess) fprintf(stderr, "%s\n", cudaGetErrorString(error));
  return error != cudaSuccess || came != 7;
}
