// All threads of a warp want the same lock at the same time: wrong on purpose.
//
// The book's section A.2.4 only hints at it ("we will not escape trouble"). Until Volta (2017) the
// 32 threads of a warp had a single program counter. In while (atomicCAS(...) != 0) the thread that
// got the lock had to wait for the other 31 to leave the loop, and these waited for the lock. What
// to look at: on GPUs since Volta each thread makes its own way and this program comes to its end.
// On the CPU device it is run twice: as on a GPU of today, and, with CPU_DEVICE_LOCKSTEP=1, as on
// one of the book's time, where it is stopped with an explanation.
//
//   ./course run hash_warp_contention

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../common/broken.h"
#include "../common/lock.h"
#include "hash_table.h"

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

// One warp inserts a key per thread, all of them into the same bucket. Returns the exit code.
int contend() {
  const std::vector<unsigned int> keys = make_keys("equal", 32), values = make_values(32);
  const HostTable table =
      build_table(keys, values, 1, [](const DeviceKeys& device, Table built, double*) {
        int* mutexes;
        HANDLE_ERROR(cudaMalloc(&mutexes, sizeof(int)));
        HANDLE_ERROR(cudaMemset(mutexes, 0, sizeof(int)));
        add_to_table<<<1, 32>>>(device.keys, device.values, device.elements, built, mutexes);
        HANDLE_ERROR(cudaGetLastError());
        HANDLE_ERROR(cudaDeviceSynchronize());
        HANDLE_ERROR(cudaFree(mutexes));
      });
  return verify_table(table, keys, values) ? 0 : course::kExitWrong;
}

// How the program itself, run again as a process of its own, ended.
enum class Outcome { kFinished, kFailed, kHung };

// A process, unlike a kernel, can be ended when it hangs.
Outcome run_child(const char* lockstep, int seconds) {
  fflush(stdout);
  const pid_t child = fork();
  if (child < 0) {
    perror("fork");
    exit(course::kExitWrong);
  }
  if (child == 0) {
    setenv("CPU_DEVICE_LOCKSTEP", lockstep, 1);
    execl("/proc/self/exe", "hash_warp_contention", "--contend", static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = 0;
  for (int tenths = 0; waitpid(child, &status, WNOHANG) == 0; tenths++) {
    if (tenths >= 10 * seconds) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return Outcome::kHung;
    }
    usleep(100000);
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? Outcome::kFinished : Outcome::kFailed;
}

const char* in_words(Outcome outcome) {
  return outcome == Outcome::kFinished ? "finished, all keys found"
         : outcome == Outcome::kHung   ? "hung, and was killed"
                                       : "was stopped with an error";
}

int main(int argc, char** argv) {
  bool only_contend = false;
  int seconds = 20;
  course::Options options("A warp whose threads all want one lock.");
  options.number("seconds", &seconds, 1, 3600, "how long to wait for the kernel");
  options.flag("contend", &only_contend, "only launch the kernel, which may hang");
  options.parse(argc, argv);
  if (only_contend) return contend();

  // No CUDA in this process before the children have ended: it would not survive a fork.
  const Outcome today = run_child("0", seconds);
  printf("32 threads of one warp, one lock:  %s\n", in_words(today));
  if (today != Outcome::kFinished)
    return course::broken_as_intended(true, "the warp never comes out of the loop", "");

  const Outcome lockstep = run_child("1", seconds);
  if (!course::on_cpu_device())
    return course::broken_as_intended(false, "",
                                      "since Volta the threads of a warp make progress one by one");
  printf("the same with the warp in lockstep: %s\n", in_words(lockstep));
  return course::broken_as_intended(lockstep == Outcome::kFailed,
                                    "a warp in lockstep never comes out of the loop",
                                    "CPU_DEVICE_LOCKSTEP=1 had no effect");
}
