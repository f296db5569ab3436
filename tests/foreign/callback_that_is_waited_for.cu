// In the manner of programs in which the host waits for what a callback or a kernel sets, and calls
// nothing of CUDA meanwhile.
#include <condition_variable>
#include <cstdio>
#include <mutex>

std::mutex lock;
std::condition_variable changed;
bool done = false;

void CUDART_CB finished(cudaStream_t, cudaError_t status, void *) {
  std::lock_guard<std::mutex> guard(lock);
  done = status == cudaSuccess;
  changed.notify_all();
}
__global__ void work(int *x) { x[threadIdx.x] = threadIdx.x; }
__global__ void raise_flag(volatile int *flag) { *flag = 1; }

int main() {
  int *x;
  volatile int *flag, *device_flag;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMallocManaged(&x, 32 * sizeof(int));
  work<<<1, 32, 0, stream>>>(x);
  cudaStreamAddCallback(stream, finished, NULL, 0);
  {
    std::unique_lock<std::mutex> guard(lock);
    changed.wait(guard, [] { return done; });
  }
  if (x[31] != 31) return 1;

  cudaHostAlloc((void **)&flag, sizeof(int), cudaHostAllocMapped);
  cudaHostGetDevicePointer((void **)&device_flag, (void *)flag, 0);
  *flag = 0;
  raise_flag<<<1, 1, 0, stream>>>(device_flag);
  while (*flag == 0) {
  }
  cudaStreamSynchronize(stream);
  printf("both came\n");
  return 0;
}
