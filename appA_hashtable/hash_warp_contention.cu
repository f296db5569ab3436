// WRONG ON PURPOSE: all threads of a warp need the same lock at the same time.
//
// The book's section A.2.4 only hints at it. Until Volta (2017) the 32 threads of a warp had a
// single program counter. In while (atomicCAS(...) != 0), the thread that got the lock had to wait
// for the other 31 to leave the loop, and these waited for the lock. What to look at: on GPUs since
// Volta each thread makes its own progress, and this program ends. On the CPU device it runs twice:
// as on today's GPUs, and with CPU_DEVICE_LOCKSTEP=1 as on the book's, where it is stopped with an
// explanation.
//
//   ./course run hash_warp_contention      (./course check hash_warp_contention explains it)

#include <unistd.h>

#include "../common/lock.h"
#include "../common/program/broken_on_purpose.h"
#include "../common/program/watchdog.h"
#include "hash_table.h"

constexpr int kStopped = 3;  // exit code of a child whose kernel ended with an error

// As in hash_bucket_locks.cu, but without the turns.
__global__ void add_to_table(const unsigned int* keys, const unsigned int* values, size_t n,
                             Table table, int* mutexes) {
  const size_t i = threadIdx.x;
  if (i >= n) return;
  const size_t bucket = hash(keys[i], table.count);
  Entry* const entry = &table.pool[i];
  entry->key = keys[i];
  entry->value = values[i];
  Lock lock(&mutexes[bucket]);
  lock.lock();
  entry->next = table.entries[bucket];
  table.entries[bucket] = entry;
  lock.unlock();
}

// One warp inserts a key per thread, all of them into the same bucket. Returns whether that worked.
bool contend() {
  const std::vector<unsigned int> keys = make_keys("equal", 32), values = make_values(32);
  const HostTable table =
      build_table(keys, values, 1, [](const DeviceKeys& device, Table built, double*) {
        int* mutexes;
        HANDLE_ERROR(cudaMalloc(&mutexes, sizeof(int)));
        HANDLE_ERROR(cudaMemset(mutexes, 0, sizeof(int)));
        add_to_table<<<1, 32>>>(device.keys, device.values, device.elements, built, mutexes);
        HANDLE_ERROR(cudaGetLastError());
        if (cudaDeviceSynchronize() != cudaSuccess)
          _exit(kStopped);  // this process can no longer use the device
        HANDLE_ERROR(cudaFree(mutexes));
      });
  return verify_table(table, keys, values);
}

// The same in a process of its own, which, unlike a kernel, can be ended when it hangs.
course::Attempt contend_under_watchdog(bool lockstep, double seconds) {
  return course::attempt(
      [&] {
        setenv("CPU_DEVICE_LOCKSTEP", lockstep ? "1" : "0", 1);  // ignored by a GPU
        if (!contend()) _exit(course::kExitWrong);
      },
      seconds);
}

bool finished(const course::Attempt& attempt) {
  return !attempt.hung && attempt.signal == 0 && attempt.exit_code == 0;
}

const char* in_words(const course::Attempt& attempt) {
  return attempt.hung                    ? "hung, and was killed"
         : attempt.exit_code == kStopped ? "was stopped with an error"
         : finished(attempt)             ? "finished, all keys found"
                                         : "went wrong";
}

int main(int argc, char** argv) {
  int seconds = 20;
  course::Options options("Wrong on purpose: a warp whose threads all need one lock.");
  options.number("seconds", &seconds, 1, 3600, "how long to wait for the kernel");
  options.parse(argc, argv);

  // No CUDA call in this process before the children have ended: it does not survive a fork.
  const course::Attempt today = contend_under_watchdog(false, seconds);
  course::leave_like(today);
  printf("one warp, one lock:               %s\n", in_words(today));
  const course::Attempt lockstep = contend_under_watchdog(true, seconds);
  if (course::runs_on_cpu_device()) {
    printf("the same with a warp in lockstep: %s\n", in_words(lockstep));
    if (!finished(today)) return course::kExitWrong;
    if (lockstep.hung)
      printf("the CPU device explains why after 3 seconds or so: --seconds 20 waits for that\n");
    return course::broken_as_intended(lockstep.hung || lockstep.exit_code == kStopped,
                                      "a warp in lockstep never comes out of the loop",
                                      "CPU_DEVICE_LOCKSTEP=1 had no effect");
  }
  if (today.exit_code == course::kExitWrong) return course::kExitWrong;
  return course::broken_as_intended(!finished(today), "the warp never comes out of the loop",
                                    "since Volta the threads of a warp make progress one by one");
}
