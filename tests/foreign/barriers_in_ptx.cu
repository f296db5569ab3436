// In the manner of kernels whose warps have different parts: named barriers, mbarriers and bulk copies in PTX.
// For sm_90 and later.
#include <cstdint>
#include <cstdio>

__device__ uint32_t shared_address(const void *p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

// The first 64 threads fill a buffer, the other 64 empty it: barrier 1 says that it is full, barrier 2 that it is empty.
__global__ void hand_over(const int *in, int *out, int rounds) {
  __shared__ int buffer[64];
  const int t = threadIdx.x;
  for (int r = 0; r < rounds; r++) {
    if (t < 64) {
      if (r > 0) asm volatile("bar.sync 2, 128;" ::: "memory");
      buffer[t] = in[64 * r + t];
      asm volatile("bar.arrive %0, %1;" ::"r"(1), "n"(128) : "memory");
    } else {
      asm volatile("barrier.cta.sync 1, 128;" ::: "memory");
      out[64 * r + t - 64] = buffer[127 - t];
      if (r + 1 < rounds) asm volatile("bar.arrive 2, 128;" ::: "memory");
    }
  }
}

// Two halves of the block have a barrier each; a block of 80 threads has a third warp that is half there.
__global__ void halves(int *out) {
  __shared__ int part[128];
  const int t = threadIdx.x, half = t / 64;
  part[t] = t;
  if (half == 0)
    asm volatile("bar.sync %0, 64;" ::"r"(half + 1) : "memory");
  else
    asm volatile("bar.sync %0, 32;" ::"r"(half + 1) : "memory");
  const int first = 64 * half, last = half == 0 ? 63 : blockDim.x - 1;
  out[t] = part[last - (t - first)];
  asm volatile("bar.sync 15;" ::: "memory");
  out[t] += part[0];
}

// Blocks of any size: a barrier without a number of threads is for all of them, and a last warp counts as a whole one.
__global__ void everyone(int *out, int whole) {
  __shared__ int part[256];
  const int t = threadIdx.x, n = blockDim.x;
  part[t] = t + 1;
  asm volatile("bar.sync 7;" ::: "memory");
  const int other = part[n - 1 - t];
  asm volatile("bar.sync 6, %0;" ::"r"(whole) : "memory");
  part[t] = other;
  asm volatile("bar.sync 7;" ::: "memory");
  out[t] = 1000 * other + part[n - 1 - t];
}

// All threads meet at an mbarrier, again and again; with the state, and with the parity of the phase.
__global__ void meet(int *out, int rounds) {
  __shared__ alignas(8) uint64_t bar;
  __shared__ int values[64];
  const uint32_t at = shared_address(&bar), t = threadIdx.x;
  if (t == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(64));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  int sum = 0;
  for (int r = 0; r < rounds; r++) {
    values[t] = r + t;
    uint64_t state;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");
    uint32_t done = 0;
    while (!done)
      asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                   : "=r"(done) : "r"(at), "l"(state) : "memory");
    sum += values[63 - t];
    asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0], 1;" ::"r"(at) : "memory");
    asm volatile("{\n .reg .pred p;\nagain:\n mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n"
                 " @p bra done;\n bra again;\ndone:\n}" ::"r"(at), "r"(1) : "memory");
  }
  out[t] = sum;
  __syncthreads();
  if (t == 0) asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(at));
}

// 64 threads arrive in each round, for one each, and in the first ones so many others for several; in each round one of
// these arrives for the last time, for all that it stood for.
constexpr int kLeaving = 4, kRounds = kLeaving + 2;
__global__ void leave(int *seen) {
  __shared__ alignas(8) uint64_t bar;
  const uint32_t at = shared_address(&bar), t = threadIdx.x;
  if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(64 + kLeaving * (kLeaving + 1) / 2));
  __syncthreads();
  const int group = static_cast<int>(t) - 64, stands_for = group < 0 ? 1 : group + 1;
  for (int r = 0; r < kRounds; r++) {
    atomicAdd(&seen[r], stands_for);
    if (r == group) {
      if (group == 0)
        asm volatile("{ .reg .b64 s; mbarrier.arrive_drop.shared.b64 s, [%0]; }" ::"r"(at) : "memory");
      else
        asm volatile("{ .reg .b64 s; mbarrier.arrive_drop.shared.b64 s, [%0], %1; }" ::"r"(at), "r"(stands_for) : "memory");
      return;
    }
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0], %1; }" ::"r"(at), "r"(stands_for) : "memory");
    uint32_t done = 0;
    while (!done)
      asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                   : "=r"(done) : "r"(at), "r"(r & 1) : "memory");
    if (t == 0) seen[kRounds + r] = atomicAdd(&seen[r], 0);
  }
}

// One thread copies for all, who wait until the bytes are there.
__global__ void bulk(const int *in, int *out) {
  __shared__ alignas(128) int tile[256], result[256];
  __shared__ alignas(8) uint64_t bar;
  const uint32_t at = shared_address(&bar), t = threadIdx.x;
  if (t == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at));
  __syncthreads();
  if (t == 0) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at), "r"((int)sizeof tile) : "memory");
    for (int half = 0; half < 2; half++)
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                       shared_address(tile + 128 * half)),
                   "l"(in + 128 * half), "r"(512), "r"(at)
                   : "memory");
  }
  uint32_t done = 0;
  while (!done)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.b32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(at), "r"(0) : "memory");
  result[t] = tile[255 - t];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (t == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out), "r"(shared_address(result)),
                 "r"((int)sizeof result) : "memory");
    asm volatile("cp.async.bulk.commit_group;");
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
  }
}

// Each thread's own copies, whose end is an arrival.
__global__ void copies_arrive(const int *in, int *out) {
  __shared__ alignas(16) int tile[64];
  __shared__ alignas(8) uint64_t bar;
  const uint32_t at = shared_address(&bar), t = threadIdx.x;
  if (t == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 64;" ::"r"(at));
  __syncthreads();
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared_address(tile + t)), "l"(in + t) : "memory");
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(at) : "memory");
  uint32_t done = 0;
  while (!done)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.b32 %0, 1, 0, p; }"
                 : "=r"(done) : "r"(at) : "memory");
  out[t] = tile[63 - t];
}

__global__ void __cluster_dims__(2, 1, 1) clusters(int *out) {
  uint32_t rank, size, id, leader, first;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm volatile("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(size));
  asm volatile("mov.u32 %0, %%clusterid.x;" : "=r"(id));
  asm volatile("{ .reg .pred p; elect.sync %0|p, 0xffffffff; selp.u32 %1, 1, 0, p; }" : "=r"(leader), "=r"(first));
  asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
  if (first) out[blockIdx.x] = 1000 * id + 100 * size + 10 * rank + leader;
}

int main() {
  int *in, *out, wrong = 0;
  cudaMallocManaged(&in, 640 * sizeof(int));
  cudaMallocManaged(&out, 640 * sizeof(int));
  for (int i = 0; i < 640; i++) in[i] = i * 7 % 1000;
  const auto expect = [&](const char *what, int n, auto value) {
    if (cudaDeviceSynchronize() != cudaSuccess) printf("%s: failed\n", what), wrong++;
    int here = 0;
    for (int i = 0; i < n; i++) here += out[i] != value(i);
    if (here > 0) printf("%s: %d wrong\n", what, here);
    wrong += here;
  };
  hand_over<<<1, 128>>>(in, out, 10);
  expect("hand_over", 640, [&](int i) { return in[i / 64 * 64 + 63 - i % 64]; });
  halves<<<1, 80>>>(out);
  expect("halves", 80, [](int i) { return i < 64 ? 63 - i : 79 - (i - 64); });
  for (const int n : {1, 2, 31, 32, 33, 63, 64, 65, 70, 96, 127, 128, 161, 256}) {
    cudaMemset(out, 0, n * sizeof(int));
    everyone<<<1, n>>>(out, (n + 31) / 32 * 32);
    expect("everyone", n, [&](int i) { return 1000 * (n - i) + i + 1; });
  }
  meet<<<1, 64>>>(out, 5);
  expect("meet", 64, [](int i) { return 10 + 5 * (63 - i); });
  cudaMemset(out, 0, 2 * kRounds * sizeof(int));
  leave<<<1, 64 + kLeaving>>>(out);
  expect("leave", 2 * kRounds, [](int i) {
    int all = 64;
    for (int j = i % kRounds; j < kLeaving; j++) all += j + 1;
    return all;
  });
  bulk<<<1, 256>>>(in, out);
  expect("bulk", 256, [&](int i) { return in[255 - i]; });
  copies_arrive<<<1, 64>>>(in, out);
  expect("copies_arrive", 64, [&](int i) { return in[63 - i]; });
  clusters<<<4, 32>>>(out);
  expect("clusters", 4, [](int i) { return 1000 * (i / 2) + 200 + 10 * (i % 2); });
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
