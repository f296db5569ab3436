// In the manner of many collections of tips: the lanes that are active are asked for, and count on each
// other (a GPU gives those that come to the line together, though CUDA promises only the caller).
#include <cooperative_groups.h>
#include <cstdio>

__inline__ __device__ int warp_sum(int value) {
  unsigned active = __activemask();
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    value += __shfl_down_sync(active, value, offset);
  return value;
}

__global__ void block_sum(const int *in, int *sum) {
  static __shared__ int partial[32];
  const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  int value = warp_sum(in[threadIdx.x]);
  if (lane == 0) partial[warp] = value;
  __syncthreads();
  value = threadIdx.x < blockDim.x / warpSize ? partial[lane] : 0;
  if (warp == 0) value = warp_sum(value);
  if (threadIdx.x == 0) *sum = value;
}

// The lanes with even numbers, in a loop that they leave one after the other.
__global__ void votes(int *out) {
  const unsigned lane = threadIdx.x % 32;
  if (lane % 2 == 0) {
    for (unsigned round = 0; round <= lane; round++) {
      const unsigned active = __activemask();
      if (round == lane) out[lane] = __popc(active);
    }
  } else {
    cooperative_groups::coalesced_group rest = cooperative_groups::coalesced_threads();
    out[lane] = rest.size() * 100 + rest.thread_rank();
  }
}

// Lanes that wait for a lock ask in between; the one that has it must not wait for them.
__global__ void ask_while_locked(int *lock, int *counter, int *asked) {
  while (true) {
    if (__popc(__activemask()) > 0 && atomicCAS(lock, 0, 1) == 0) {
      atomicAdd(asked, __popc(__activemask()));
      *counter += 1;
      __threadfence();
      atomicExch(lock, 0);
      break;
    }
  }
}

// GPUs are more lenient, or decide otherwise.
#ifdef __CPU_DEVICE__
const bool on_cpu_device = true;
#else
const bool on_cpu_device = false;
#endif

int main() {
  int *in, *out, bad = 0;
  cudaMallocManaged(&in, 256 * sizeof(int));
  cudaMallocManaged(&out, 40 * sizeof(int));
  for (int i = 0; i < 256; i++) in[i] = i;
  block_sum<<<1, 256>>>(in, out);
  cudaDeviceSynchronize();
  if (*out != 255 * 128) bad = 1, printf("sum %d\n", *out);

  votes<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  for (int lane = 0; lane < 32; lane++) {
    const int expected = lane % 2 ? 1600 + lane / 2 : 16 - lane / 2;
    const bool is_right = lane % 2 || on_cpu_device ? out[lane] == expected : out[lane] >= 1 && out[lane] <= 16;
    if (!is_right) bad = 1, printf("lane %d: %d, not %d\n", lane, out[lane], expected);
  }

  out[0] = out[1] = out[2] = 0;
  ask_while_locked<<<2, 64>>>(out, out + 1, out + 2);
  cudaDeviceSynchronize();
  if (out[1] != 128 || out[2] < 128) bad = 1, printf("counter %d, asked %d\n", out[1], out[2]);
  printf(bad ? "wrong\n" : "right\n");
  return bad;
}
