// A cuda::atomic_ref of the block's scope is atomic within a block; all blocks add to this sum.
#include <cuda/atomic>

#ifdef RIGHT
constexpr cuda::thread_scope kScope = cuda::thread_scope_device;
#else
constexpr cuda::thread_scope kScope = cuda::thread_scope_block;
#endif

__device__ int total;

__global__ void add() {
  cuda::atomic_ref<int, kScope> sum(total);
  sum.fetch_add(1, cuda::std::memory_order_relaxed);  // finds race-scope
}

int main() {
  add<<<4, 32>>>();
  cudaDeviceSynchronize();
}
