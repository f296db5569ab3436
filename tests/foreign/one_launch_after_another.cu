// What a kernel sees depends on its launch alone: not on the shapes of those before, nor on how they ended. Clusters of
// every shape, nested launches at each depth, and limits: the last value that is allowed, and the first that is not.
#include <cooperative_groups.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

namespace cg = cooperative_groups;

int wrong = 0;
void failed(int line, const char *what) { wrong++, printf("line %d: %s\n", line, what); }
#define EXPECT(...) ((__VA_ARGS__) ? void() : failed(__LINE__, #__VA_ARGS__))
#define GOOD(...) EXPECT((__VA_ARGS__) == cudaSuccess)

std::mt19937 engine(3);
int below(int n) { return static_cast<int>(engine() % static_cast<unsigned>(n)); }

// ---- what each thread sees ----

constexpr int kSeen = 13;
__device__ int linear(dim3 size, uint3 at) { return (at.z * size.y + at.y) * size.x + at.x; }

__global__ void look(int *seen) {
  __shared__ int turned[1024];
  const int n = blockDim.x * blockDim.y * blockDim.z, t = linear(blockDim, threadIdx), block = linear(gridDim, blockIdx);
  int *mine = seen + kSeen * (block * n + t);
  mine[0] = threadIdx.x + 1100 * (threadIdx.y + 1100 * threadIdx.z);
  mine[1] = blockIdx.x + 100 * (blockIdx.y + 100 * blockIdx.z);
  mine[2] = __syncthreads_count(t % 3 == 0);
  mine[3] = __syncthreads_and(t < n - 1);
  mine[4] = __syncthreads_or(t == n - 1);
  turned[t] = t;
  asm volatile("bar.sync 1;" ::: "memory");
  mine[5] = turned[n - 1 - t];
  asm volatile("bar.sync 0;" ::: "memory");
  mine[6] = static_cast<int>(__ballot_sync(0xffffffffu, t % 5 != 0));
  mine[7] = t % 2 == 0 ? static_cast<int>(__activemask()) : 0;
  if (t % 2 == 1) mine[7] = static_cast<int>(__activemask());
  mine[8] = __shfl_xor_sync(0xffffffffu, t, 1);
  if (t % 4 == 1) {  // of the lanes that come here, and of no others
    mine[9] = static_cast<int>(__activemask());
  } else if (t % 4 == 3) {
    mine[9] = static_cast<int>(__activemask());
  } else {
    mine[9] = -1;
  }
  __syncwarp();
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  mine[10] = n % 8 == 0 ? tile.shfl(t, 7) : -1;
  int local = t;
  mine[11] = 10 * __isShared(&turned[t]) + __isLocal(&local) + 100 * __isGlobal(seen) +
             1000 * (__isShared(&local) || __isShared(seen) || __isLocal(&turned[0]) || __isLocal(seen));
  unsigned int multiprocessor, count;
  asm("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
  asm("mov.u32 %0, %%nsmid;" : "=r"(count));
  mine[12] = multiprocessor < count;
}

unsigned lanes_of(int warp, int n, int divisor, int rest, bool equal) {
  unsigned lanes = 0;
  for (int lane = 0; lane < 32; lane++) {
    const int t = 32 * warp + lane;
    if (t < n && (t % divisor == rest) == equal) lanes |= 1u << lane;
  }
  return lanes;
}

int *seen;  // managed
void expect_look(dim3 grid, dim3 block, const char *after) {
  const int n = static_cast<int>(block.x * block.y * block.z), blocks = static_cast<int>(grid.x * grid.y * grid.z);
  cudaMemset(seen, 0x77, sizeof(int) * kSeen * n * blocks);
  look<<<grid, block>>>(seen);
  const cudaError_t launched = cudaGetLastError(), done = cudaDeviceSynchronize();
  if (launched != cudaSuccess || done != cudaSuccess) {
    printf("after %s: %s, %s\n", after, cudaGetErrorName(launched), cudaGetErrorName(done)), wrong++;
    return;
  }
  for (int b = 0; b < blocks; b++)
    for (int t = 0; t < n; t++) {
      const int x = t % static_cast<int>(block.x), y = t / static_cast<int>(block.x) % static_cast<int>(block.y),
                z = t / static_cast<int>(block.x * block.y), warp = t / 32;
      const int bx = b % static_cast<int>(grid.x), by = b / static_cast<int>(grid.x) % static_cast<int>(grid.y),
                bz = b / static_cast<int>(grid.x * grid.y);
      const int beside = (t ^ 1) < n ? t ^ 1 : t;
      const int wanted[kSeen] = {x + 1100 * (y + 1100 * z),
                                 bx + 100 * (by + 100 * bz),
                                 (n + 2) / 3,
                                 0,
                                 1,
                                 n - 1 - t,
                                 static_cast<int>(lanes_of(warp, n, 5, 0, false)),
                                 static_cast<int>(lanes_of(warp, n, 2, t % 2, true)),
                                 beside,
                                 t % 2 == 0 ? -1 : static_cast<int>(lanes_of(warp, n, 4, t % 4, true)),
                                 n % 8 == 0 ? t / 8 * 8 + 7 : -1,
                                 111,
                                 1};
      for (int i = 0; i < kSeen; i++) {
        const int got = seen[kSeen * (b * n + t) + i];
        if (got == wanted[i] || (i == 8 && (t ^ 1) >= n)) continue;  // of a lane that does not exist, anything
        if (wrong++ < 20)
          printf("after %s: grid %u x %u x %u, block %u x %u x %u, thread %d of block %d, value %d: %d, not %d\n", after, grid.x,
                 grid.y, grid.z, block.x, block.y, block.z, t, b, i, got, wanted[i]);
      }
    }
}

dim3 some_block() {
  const int sides[] = {1, 2, 3, 4, 5, 8, 16, 31, 32, 33};
  for (;;) {
    const dim3 block(sides[below(10)], sides[below(7)], sides[below(6)]);
    if (block.x * block.y * block.z <= 256) return block;
  }
}

// The same sides in another dimension, and one more in one of them: what is kept of the last shape must not be used.
void shapes() {
  for (int round = 0; round < 25; round++) {
    const dim3 block = some_block(), grid(1 + below(3), 1 + below(3), 1 + below(2));
    expect_look(grid, block, "another shape");
    expect_look(grid, dim3(block.x, block.z, block.y), "y and z are exchanged");
    expect_look(grid, dim3(block.x, block.y, block.z + 1), "one more in z");
    expect_look(dim3(grid.y, grid.x, grid.z), dim3(block.y, block.x, block.z), "x and y are exchanged");
  }
  for (const int n : {31, 32, 33, 63, 95, 96, 97, 255, 1023, 1024}) expect_look(1, n, "a line");
}

// ---- clusters ----

__global__ void see_cluster(int *out) {
  __shared__ int value;
  const auto cluster = cg::this_cluster();
  const int block = linear(gridDim, blockIdx), rank = static_cast<int>(cluster.block_rank()),
            blocks = static_cast<int>(cluster.num_blocks());
  if (threadIdx.x == 0) value = 1000 + block;
  cluster.sync();
  if (threadIdx.x == 0) {
    out[3 * block] = rank;
    out[3 * block + 1] = *cluster.map_shared_rank(&value, (rank + 1) % blocks);
    const dim3 at = cluster.block_index();
    out[3 * block + 2] = at.x + 100 * (at.y + 100 * at.z);
  }
  cluster.sync();
}
__global__ void far_away(int *out, int rank) {
  __shared__ int value;
  value = 1;
  cg::this_cluster().sync();
  *out = *cg::this_cluster().map_shared_rank(&value, rank);
  cg::this_cluster().sync();
}
template <typename... Parameters, typename... Arguments>
cudaError_t launch_clusters(dim3 grid, dim3 cluster, void (*kernel)(Parameters...), Arguments... arguments) {
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = cluster.x, attribute.val.clusterDim.y = cluster.y, attribute.val.clusterDim.z = cluster.z;
  cudaLaunchConfig_t how = {};
  how.gridDim = grid, how.blockDim = 32, how.attrs = &attribute, how.numAttrs = 1;
  const cudaError_t error = cudaLaunchKernelEx(&how, kernel, arguments...);
  cudaGetLastError();
  return error;
}

void clusters() {
  for (int round = 0; round < 30; round++) {
    const dim3 size(1 + below(3), 1 + below(3), 1 + below(3));
    if (size.x * size.y * size.z > 8) continue;
    const dim3 grid(size.x * (1 + below(3)), size.y * (1 + below(3)), size.z * (1 + below(2)));
    GOOD(launch_clusters(grid, size, see_cluster, seen));
    GOOD(cudaDeviceSynchronize());
    for (unsigned z = 0; z < grid.z; z++)
      for (unsigned y = 0; y < grid.y; y++)
        for (unsigned x = 0; x < grid.x; x++) {
          const auto block_at = [&](unsigned bx, unsigned by, unsigned bz) { return (bz * grid.y + by) * grid.x + bx; };
          const unsigned ix = x % size.x, iy = y % size.y, iz = z % size.z, rank = (iz * size.y + iy) * size.x + ix,
                         next = (rank + 1) % (size.x * size.y * size.z);
          const unsigned beside = block_at(x - ix + next % size.x, y - iy + next / size.x % size.y, z - iz + next / size.x / size.y);
          const int *got = seen + 3 * block_at(x, y, z);
          EXPECT(got[0] == int(rank) && got[1] == int(1000 + beside) && got[2] == int(ix + 100 * (iy + 100 * iz)));
        }
    for (int d = 0; d < 3; d++) {  // one block too many in one dimension
      const unsigned sides[3] = {size.x, size.y, size.z};
      if (sides[d] == 1) continue;
      EXPECT(launch_clusters(dim3(grid.x + (d == 0), grid.y + (d == 1), grid.z + (d == 2)), size, see_cluster, seen) != cudaSuccess);
    }
  }
  GOOD(launch_clusters(16, 8, see_cluster, seen));
  GOOD(cudaDeviceSynchronize());
#ifdef __CPU_DEVICE__  // on a GPU, more than 8 must be asked for
  GOOD(launch_clusters(32, 16, see_cluster, seen));
  GOOD(cudaDeviceSynchronize());
#endif
  EXPECT(launch_clusters(34, 17, see_cluster, seen) == cudaErrorInvalidClusterSize);
  EXPECT(launch_clusters(64, 32, see_cluster, seen) == cudaErrorInvalidClusterSize);
}

// ---- launches that end badly, or leave something open ----

__global__ void stop_in_a_count(int) {
  if (threadIdx.x < 5) __syncthreads_count(1);
  __trap();
}
__global__ void only_arrive(int) {
  if (threadIdx.x < 32) asm volatile("bar.arrive 1, 96;" ::: "memory");
}
__global__ void idle(int) {}
__global__ void write_to_null(int *p) {
  if (threadIdx.x == 7) *p = 1;
}
#ifdef __CPU_DEVICE__
__global__ void two_barriers(int) {
  if (threadIdx.x == 1)
    __syncthreads();
  else if (threadIdx.x == 2)
    __syncthreads();
}
__global__ void half_a_warp(int) {
  if (threadIdx.x == 1)
    __syncthreads();
  else if (threadIdx.x == 3)
    __syncthreads();
  else if (threadIdx.x % 2 == 0)
    __shfl_sync(0xffffffffu, 1, 0);
}
__global__ void divide(int *by) { *by = 7 / *by; }
#endif

void expect_stays(cudaError_t error, const char *what) {
  void *memory = &memory;
  const cudaError_t synchronized = cudaDeviceSynchronize();
  if (synchronized != error) printf("%s: %s\n", what, cudaGetErrorName(synchronized)), wrong++;
  EXPECT(cudaGetLastError() == error);
  EXPECT(cudaMalloc(&memory, 4) == error && cudaGetLastError() == error);
  EXPECT(cudaMemset(seen, 0, 4) == error && cudaGetLastError() == error);
  idle<<<1, 32>>>(0);
  EXPECT(cudaGetLastError() == error);
  EXPECT(cudaFuncSetAttribute(look, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000) != cudaErrorInvalidValue);
  cudaMemset(nullptr, 0, 4);  // an error that nobody asks for
  GOOD(cudaDeviceReset());
  GOOD(cudaPeekAtLastError());
  GOOD(cudaMallocManaged(&seen, sizeof(int) * kSeen * 40000));
  idle<<<1, 32, 49153>>>(0);  // what was allowed holds no longer
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  cudaFuncAttributes attributes;
  GOOD(cudaFuncGetAttributes(&attributes, look));
  EXPECT(attributes.maxDynamicSharedSizeBytes == 49152);
}

void bad_ends() {
  for (int round = 0; round < 2; round++) {
    stop_in_a_count<<<1, 32>>>(0);
    expect_stays(cudaErrorLaunchFailure, "__trap()");
    expect_look(1, 32, "__trap()");
    only_arrive<<<1, 96>>>(0);
    expect_look(1, 96, "bar.arrive alone");
    write_to_null<<<1, 40>>>(nullptr);
    expect_stays(cudaErrorIllegalAddress, "write_to_null");
    expect_look(1, 64, "a write to NULL");
#ifdef __CPU_DEVICE__
    two_barriers<<<1, 40>>>(0);
    expect_stays(cudaErrorLaunchFailure, "two_barriers");
    expect_look(1, 40, "two barriers");
    half_a_warp<<<1, 40>>>(0);
    expect_stays(cudaErrorLaunchFailure, "half_a_warp");
    expect_look(1, 40, "half a warp");
    seen[0] = 0;
    divide<<<1, 1>>>(seen);
    expect_stays(cudaErrorLaunchFailure, "a division by zero");
    expect_look(1, 33, "a division by zero");
    for (const int rank : {4, 5, -1}) {
      GOOD(launch_clusters(4, 4, far_away, seen, rank));
      expect_stays(cudaErrorIllegalAddress, "a block that the cluster does not have");
    }
#endif
  }
}

// ---- kernels that launch kernels ----

__global__ void deeper(int *count, int levels) {
  atomicAdd(count, 1);
  if (levels > 0) deeper<<<1, 1>>>(count, levels - 1);
}
__global__ void add_one(int *count) { atomicAdd(count, 1); }
__global__ void from_each_block(int *count) { add_one<<<1, 2>>>(count); }

void nested() {
  *seen = 0;
  deeper<<<1, 1>>>(seen, 24);  // as deep as CUDA allows
  GOOD(cudaDeviceSynchronize());
  EXPECT(*seen == 25);
  *seen = 0;
  GOOD(launch_clusters(8, 4, from_each_block, seen));
  GOOD(cudaDeviceSynchronize());
  EXPECT(*seen == 16 * 32);
}
__global__ void fail_then_count(int *count) {
  write_to_null<<<1, 8>>>(nullptr);
  add_one<<<1, 1>>>(count);
}
void nested_failure() {
  int *count;
  GOOD(cudaHostAlloc(&count, sizeof(int), cudaHostAllocMapped));
  *count = 0;
  fail_then_count<<<1, 1>>>(count);
  EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  EXPECT(*count == 0);  // in the same stream, after the failure
  cudaDeviceReset();
  GOOD(cudaMallocManaged(&seen, sizeof(int) * kSeen * 40000));
}

// ---- limits ----

__global__ void __launch_bounds__(96) bounded(int) {}
void limits() {
  cudaDeviceProp p;
  GOOD(cudaGetDeviceProperties(&p, 0));
  idle<<<1, 32, p.sharedMemPerBlock>>>(0);
  GOOD(cudaGetLastError());
  const int optin = static_cast<int>(p.sharedMemPerBlockOptin);
  GOOD(cudaFuncSetAttribute(idle, cudaFuncAttributeMaxDynamicSharedMemorySize, optin));
  cudaFuncAttributes attributes;
  GOOD(cudaFuncGetAttributes(&attributes, idle));
  EXPECT(attributes.maxDynamicSharedSizeBytes == optin);
  GOOD(cudaFuncSetAttribute(bounded, cudaFuncAttributeMaxDynamicSharedMemorySize, optin / 2));  // of another kernel
  idle<<<1, 32, optin>>>(0);
  GOOD(cudaGetLastError());
  GOOD(cudaDeviceSynchronize());
  idle<<<1, 32, optin + 1>>>(0);
  EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
  EXPECT(cudaFuncSetAttribute(idle, cudaFuncAttributeMaxDynamicSharedMemorySize, optin + 1) == cudaErrorInvalidValue);
  for (const int percent : {-1, 0, 50, 100}) GOOD(cudaFuncSetAttribute(idle, cudaFuncAttributePreferredSharedMemoryCarveout, percent));
  for (const int percent : {-2, 101}) EXPECT(cudaFuncSetAttribute(idle, cudaFuncAttributePreferredSharedMemoryCarveout, percent) == cudaErrorInvalidValue);
  cudaGetLastError();
  for (const int limit : {0, 32, 64, 95, 96, 97, 512, 1024}) {
    int blocks = 0, threads = 0;
    GOOD(cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, bounded, 0, limit));
    EXPECT(threads > 0 && threads <= std::min(96, limit == 0 ? 96 : limit));
    int each = 0;
    GOOD(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, bounded, threads, 0));
    EXPECT(blocks == each * p.multiProcessorCount);
  }
  for (unsigned flags = 0; flags < 20; flags++) {
    void *memory = nullptr;
    const cudaError_t error = cudaHostAlloc(&memory, 16, flags);
    EXPECT(error == (flags < 8 ? cudaSuccess : cudaErrorInvalidValue));
    if (error == cudaSuccess) GOOD(cudaFreeHost(memory));
  }
  cudaGetLastError();
}

int main() {
  GOOD(cudaMallocManaged(&seen, sizeof(int) * kSeen * 40000));
  shapes();
  clusters();
  nested();
  limits();
#ifdef __CPU_DEVICE__  // a GPU may not be available after them
  bad_ends();
  nested_failure();
#endif
  return wrong != 0;
}
