// The host should sleep until a function in the stream wakes it.
#include <condition_variable>
#include <cstdio>
#include <mutex>

static std::mutex mutex;
static std::condition_variable changed;
static bool done = false;

static void finished(void*) {
  const std::lock_guard<std::mutex> guard(mutex);
  done = true;
  changed.notify_one();
}

__global__ void fill(int* x) { x[threadIdx.x] = threadIdx.x; }  // finds race-host

int main() {
  int* x;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMallocManaged(&x, 32 * sizeof(int));
  fill<<<1, 32, 0, stream>>>(x);
  cudaLaunchHostFunc(stream, finished, nullptr);
#ifdef RIGHT
  {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [] { return done; });
  }
#endif
  printf("%d\n", x[31]);  // finds race-host
  cudaStreamSynchronize(stream);
  cudaFree(x);
  cudaStreamDestroy(stream);
}
