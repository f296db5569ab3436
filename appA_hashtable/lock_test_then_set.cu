// WRONG ON PURPOSE: a lock that tests and then sets, in two steps.
//
// The book's section A.1.1. What to look at: a thread that sees 0 takes the lock by writing 1. In
// between, any number of other threads may see the same 0. All of them go on, and the counter that
// the lock should protect loses counts. The remedy is to test and set in one step: atomicCAS, in
// common/lock.h, which the second half uses.
//
//   ./course run lock_test_then_set

#include "../common/program/broken_on_purpose.h"
#include "../common/handle_error.h"
#include "../common/lock.h"
#include "../common/program/options.h"

__device__ void take_wrongly(volatile int* mutex) {
  for (;;) {
    if (*mutex == 0) {
      __nanosleep(100);  // other threads also get here; more often with this pause
      *mutex = 1;
      return;
    }
    __nanosleep(100);
  }
}

// Only one thread at a time may do this.
__device__ void count(int* counter) {
  const int read = *counter;
  __nanosleep(100);
  *counter = read + 1;
}

__global__ void count_under_wrong_lock(volatile int* mutex, int* counter) {
  take_wrongly(mutex);
  __threadfence();
  count(counter);
  __threadfence();
  *mutex = 0;
}

__global__ void count_under_lock(Lock lock, int* counter) {
  lock.lock();
  count(counter);
  lock.unlock();
}

// All threads of the grid count; returns the counter.
int count_threads(bool wrongly, int blocks, int threads) {
  int counter = 0;
  int *dev_counter, *dev_mutex;
  Lock lock;
  HANDLE_ERROR(cudaMalloc(&dev_counter, sizeof(int)));
  HANDLE_ERROR(cudaMalloc(&dev_mutex, sizeof(int)));
  HANDLE_ERROR(cudaMemset(dev_counter, 0, sizeof(int)));
  HANDLE_ERROR(cudaMemset(dev_mutex, 0, sizeof(int)));
  if (wrongly)
    count_under_wrong_lock<<<blocks, threads>>>(dev_mutex, dev_counter);
  else
    count_under_lock<<<blocks, threads>>>(lock, dev_counter);
  HANDLE_ERROR(cudaGetLastError());
  HANDLE_ERROR(cudaMemcpy(&counter, dev_counter, sizeof(int), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_counter));
  HANDLE_ERROR(cudaFree(dev_mutex));
  return counter;
}

int main(int argc, char** argv) {
  int blocks = 100, threads = 32;
  course::Options options("Wrong on purpose: a lock that lets several threads in.");
  options.number("blocks", &blocks, 1, 1000, "blocks");
  options.number("threads", &threads, 2, 128, "threads per block");
  options.parse(argc, argv);

  const int expected = blocks * threads;
  const int wrong = count_threads(true, blocks, threads);
  const int right = count_threads(false, blocks, threads);
  printf("test, then set          %8d of %d counted\n", wrong, expected);
  printf("test and set: atomicCAS %8d of %d counted\n", right, expected);
  if (right != expected) {
    fprintf(stderr, "counted under the lock: got %d, expected %d\n", right, expected);
    return course::kExitWrong;
  }
  return course::broken_as_intended(
      wrong < expected, course::count_of(expected - wrong, "count") + " lost under the wrong lock",
      "no two threads happened to test at the same time");
}
