// Counts under a lock made of atomicCAS, atomicExch and two fences.
//
// The book's section A.1.1. What to look at: common/lock.h, which is short. The increment itself is
// an ordinary one, but no count is lost, because only one thread at a time performs it. The book's
// lock lacks the fences: without them a thread may use an old value from its cache. The CPU
// device does not show this bug, but a checked run reports it; see the README.
//
//   ./course run lock_counter --blocks 1000 --threads 32

#include "../common/handle_error.h"
#include "../common/lock.h"
#include "lock_program.h"

__global__ void count_under_lock(Lock lock, int* counter) {
  lock.lock();
  *counter += 1;
  lock.unlock();
}

// All threads of the grid count; returns the counter, and the kernel's time in *kernel_ms.
int count_threads(int blocks, int threads, double* kernel_ms = nullptr) {
  Lock lock;
  return counted_by(
      [&](int* dev_counter) {
        count_under_lock<<<blocks, threads>>>(lock, dev_counter);
        HANDLE_ERROR(cudaGetLastError());
      },
      kernel_ms);
}

// ---- Checking and timing, not the lesson.

int main(int argc, char** argv) {
  return lock_program(argc, argv, "Counts under a lock.", count_threads);
}
