// A flag of cuda::atomic that releases and acquires for its own block alone; another block waits.
#include <cuda/atomic>

#ifdef RIGHT
constexpr cuda::thread_scope kScope = cuda::thread_scope_device;
#else
constexpr cuda::thread_scope kScope = cuda::thread_scope_block;
#endif

__device__ int message, answer;
__device__ int flag;

__global__ void tell() {
  cuda::atomic_ref<int, kScope> ready(flag);
  if (blockIdx.x == 0) {
    message = 42;                                      // finds race-scope#1
    ready.store(1, cuda::std::memory_order_release);   // finds race-scope#2
  } else {
    while (ready.load(cuda::std::memory_order_acquire) == 0) {  // finds race-scope#2
    }
    answer = message;  // finds race-scope#1
  }
}

int main() {
  tell<<<2, 1>>>();
  cudaDeviceSynchronize();
}
