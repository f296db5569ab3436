// NVIDIA's compiler's own atomics, with an order and a scope: a counter, a maximum, a lock, a flag.
#include <cstdio>

__global__ void count(unsigned *counter, int *largest, float *sum, unsigned long long *bits) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __nv_atomic_fetch_add(counter, 1u, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_max(largest, i * 7 % 1000, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_add(sum, 0.5f, __NV_ATOMIC_RELAXED);
  __nv_atomic_or(bits, 1ull << (i % 64), __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_SYSTEM);
}

__global__ void under_a_lock(int *lock, volatile int *value) {
  int expected = 0;
  while (!__nv_atomic_compare_exchange_n(lock, &expected, 1, false, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_RELAXED,
                                         __NV_THREAD_SCOPE_DEVICE))
    expected = 0;
  *value = *value + 1;
  __nv_atomic_store_n(lock, 0, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
}

__global__ void hand_over(int *flag, int *data, int *out) {
  if (blockIdx.x == 0) {
    *data = 42;
    __nv_atomic_thread_fence(__NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_exchange_n(flag, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  } else {
    while (__nv_atomic_load_n(flag, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) == 0) {
    }
    *out = *data;
  }
}

int main() {
  struct Results {
    unsigned long long bits;
    unsigned counter;
    int largest;
    float sum;
    int lock, value, flag, data, out;
  } *device, host;
  cudaMalloc(&device, sizeof(Results));
  cudaMemset(device, 0, sizeof(Results));
  count<<<20, 100>>>(&device->counter, &device->largest, &device->sum, &device->bits);
  under_a_lock<<<50, 1>>>(&device->lock, &device->value);
  hand_over<<<2, 1>>>(&device->flag, &device->data, &device->out);
  if (cudaMemcpy(&host, device, sizeof(host), cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  printf("%u %d %g %llx %d %d\n", host.counter, host.largest, host.sum, host.bits, host.value, host.out);
  const bool right = host.counter == 2000 && host.largest == 999 && host.sum == 1000 && host.bits == ~0ull &&
                     host.value == 50 && host.out == 42;
  printf(right ? "right\n" : "WRONG\n");
  cudaFree(device);
  return right ? 0 : 1;
}
