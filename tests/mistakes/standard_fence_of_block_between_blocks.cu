// Relaxed atomics with the fences of C++ around them: both fences are for the block alone.
#include <cuda/atomic>

#ifdef RIGHT
constexpr cuda::thread_scope kScope = cuda::thread_scope_device;
#else
constexpr cuda::thread_scope kScope = cuda::thread_scope_block;
#endif

__device__ int message, answer;
__device__ int flag;

__global__ void tell() {
  cuda::atomic_ref<int, cuda::thread_scope_device> ready(flag);
  if (blockIdx.x == 0) {
    message = 42;  // finds race-scope
    cuda::atomic_thread_fence(cuda::std::memory_order_release, kScope);
    ready.store(1, cuda::std::memory_order_relaxed);
  } else {
    while (ready.load(cuda::std::memory_order_relaxed) == 0) {
    }
    cuda::atomic_thread_fence(cuda::std::memory_order_acquire, kScope);
    answer = message;  // finds race-scope
  }
}

int main() {
  tell<<<2, 1>>>();
  cudaDeviceSynchronize();
}
