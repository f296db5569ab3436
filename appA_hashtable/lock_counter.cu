// Counts under a lock made of atomicCAS, atomicExch and two fences.
//
// The book's section A.1.1. What to look at: common/lock.h, which is short. The increment itself is
// an ordinary one, and no count is lost, because one thread at a time does it. Fences are what the
// book's lock lacks: without them a thread may work with the old value that its cache holds. No
// processor without such caches shows that, least of all a host; see the chapter's README.
//
//   ./course run lock_counter --blocks 1000 --threads 32

#include "../common/book.h"
#include "../common/compare.h"
#include "../common/device.h"
#include "../common/lock.h"
#include "../common/options.h"
#include "../common/timing.h"
#include "soak.h"

__global__ void count_under_lock(Lock lock, int* counter) {
  lock.lock();
  *counter += 1;
  lock.unlock();
}

// All threads of the grid count; returns the counter, and the time if it is wanted.
int count_threads(int blocks, int threads, double* kernel_ms = nullptr) {
  int counter = 0;
  int* dev_counter;
  Lock lock;
  HANDLE_ERROR(cudaMalloc(&dev_counter, sizeof(int)));
  HANDLE_ERROR(cudaMemset(dev_counter, 0, sizeof(int)));
  course::EventTimer timer;
  timer.start();
  count_under_lock<<<blocks, threads>>>(lock, dev_counter);
  HANDLE_ERROR(cudaGetLastError());
  const double ms = timer.stop();
  if (kernel_ms != nullptr) *kernel_ms = ms;
  HANDLE_ERROR(cudaMemcpy(&counter, dev_counter, sizeof(int), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(dev_counter));
  return counter;
}

int main(int argc, char** argv) {
  int blocks = 100, threads = 32, seconds = 0;
  course::Options options("Counts under a lock.");
  options.number("blocks", &blocks, 1, 100000, "blocks");
  options.number("threads", &threads, 1, 1024, "threads per block");
  options.number("seconds", &seconds, 0, 86400, "repeat for so long, and look for lost memory");
  options.parse(argc, argv);

  const int expected = blocks * threads;
  double ms = 0;
  const auto count_and_verify = [&] {
    const int counter = count_threads(blocks, threads, &ms);
    return course::verify("the counter", &counter, &expected, 1);
  };
  if (!count_and_verify()) return course::kExitWrong;
  printf("%s counted one after the other, verified\n",
         course::count_of(expected, "thread").c_str());
  printf("kernel %.2f ms, %.0f ns for each; %s\n", ms, 1e6 * ms / expected,
         course::device_name().c_str());
  if (seconds > 0 && !soak(seconds, count_and_verify)) return course::kExitWrong;
  return 0;
}
