// The host sets an atomic flag, but without releasing what it wrote before.
#include <cuda/atomic>

__global__ void square(int* flag, const int* question, int* result) {
  cuda::atomic_ref<int, cuda::thread_scope_system> ready(*flag);
  while (ready.load(cuda::memory_order_acquire) == 0) {
  }
  *result = *question * *question;  // finds race-host
}

int main() {
  int *mail, *result;
  cudaMallocManaged(&mail, 2 * sizeof(int));
  cudaMalloc(&result, sizeof(int));
  mail[0] = mail[1] = 0;
  square<<<1, 1>>>(mail, mail + 1, result);
  cudaStreamQuery(0);
  cuda::atomic_ref<int, cuda::thread_scope_system> ready(mail[0]);
  mail[1] = 7;  // finds race-host
#ifdef RIGHT
  ready.store(1, cuda::memory_order_release);
#else
  ready.store(1, cuda::memory_order_relaxed);
#endif
  cudaDeviceSynchronize();
  cudaFree(result);
  cudaFree(mail);
}
