// A ticket lock is taken inside a lock made of a flag, and the other way around.
// gpu: hangs
// environment: CPU_DEVICE_TIMEOUT=2
#include <cuda/atomic>

__device__ int flag, entries, log_size;
__device__ cuda::atomic<int, cuda::thread_scope_device> next, serving;

__device__ void take_flag() {
  while (atomicExch(&flag, 1) == 1) {}  // finds lock-order
  __threadfence();
}
__device__ void leave_flag() {
  __threadfence();
  atomicExch(&flag, 0);
}
__device__ void take_ticket() {
  const int ticket = next.fetch_add(1);
  while (serving.load() != ticket) {}  // finds lock-order
}
__device__ void leave_ticket() { serving.fetch_add(1); }

__global__ void add() {
#ifdef RIGHT
  const bool flag_first = true;
#else
  const bool flag_first = blockIdx.x % 2 == 0;
#endif
  if (flag_first) take_flag();
  take_ticket();
  if (!flag_first) take_flag();
  entries++;
  log_size += 8;
  leave_ticket();
  leave_flag();
}

int main() {
  add<<<4, 1>>>();
  cudaDeviceSynchronize();
}
