// The host waits for a flag that a callback sets, and reads what the device copied before it; without
// the wait it reads too early.
#include <atomic>
#include <cstdio>

static std::atomic<bool> done{false};

static void CUDART_CB finished(cudaStream_t, cudaError_t, void*) { done = true; }

__global__ void square(int* x) { *x *= *x; }

int main() {
  int *x, *copy;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&x, sizeof(int));
  cudaMallocHost(&copy, sizeof(int));
  *copy = 12;
  cudaMemcpyAsync(x, copy, sizeof(int), cudaMemcpyHostToDevice, stream);
  square<<<1, 1, 0, stream>>>(x);
  cudaMemcpyAsync(copy, x, sizeof(int), cudaMemcpyDeviceToHost, stream);  // finds race-host
  cudaStreamAddCallback(stream, finished, nullptr, 0);
#ifdef RIGHT
  while (!done) {
  }
#endif
  printf("%d\n", *copy);  // finds race-host
  cudaStreamSynchronize(stream);
  cudaFree(x);
  cudaFreeHost(copy);
  cudaStreamDestroy(stream);
}
