// Finishes a dot product on the device: each block adds its sum to the result, under a lock.
//
// The book's section A.1.2. What to look at: only one thread of each block takes the lock, and the
// CPU adds nothing. The blocks add in any order, and float sums depend on the order, so
// the last digits may change from run to run.
//
//   ./course run dot_locked

#include "../common/lock.h"
#include "dot.h"

__global__ void dot(Lock lock, const float* a, const float* b, size_t n, float* result) {
  __shared__ float cache[kThreads];
  course::add_up_block(a, b, n, cache);
  if (threadIdx.x == 0) {
    lock.lock();
    *result += cache[0];
    lock.unlock();
  }
}

// a and b have equal sizes. Stores the kernel's time in *kernel_ms, if given.
float dot_on_device(const std::vector<float>& a, const std::vector<float>& b, int blocks,
                    double* kernel_ms = nullptr) {
  Lock lock;
  const auto launch = [&](const DeviceVectors& device) {
    dot<<<blocks, kThreads>>>(lock, device.a, device.b, a.size(), device.result);
  };
  return finished_dot(a, b, launch, kernel_ms);
}

// ---- Checking and timing, not the lesson.

int main(int argc, char** argv) {
  return finished_dot_program(argc, argv, "Dot product, finished under a lock.", dot_on_device);
}
