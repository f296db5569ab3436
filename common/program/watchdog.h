// Runs what may hang or crash in a child process, under a watchdog: for the programs that are wrong
// on purpose.
//
//   course::SharedArray<float> result(1);
//   const course::Attempt attempt = course::attempt([&] { result[0] = compute(); }, 20);
//   if (attempt.hung) ...
#pragma once

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <string>
#include <type_traits>

#include "options.h"

namespace course {

// Memory that a process shares with the children it forks later: `count` elements, zeros at first.
template <typename T>
class SharedArray {
  static_assert(std::is_trivially_copyable<T>::value, "plain data only: it crosses processes");

 public:
  explicit SharedArray(size_t count) : bytes_(sizeof(T) * (count > 0 ? count : 1)) {
    memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) bad_usage("there is not enough host memory; take a smaller size");
  }
  ~SharedArray() { munmap(memory_, bytes_); }
  SharedArray(const SharedArray&) = delete;
  SharedArray& operator=(const SharedArray&) = delete;

  T* data() { return static_cast<T*>(memory_); }
  T& operator[](size_t i) { return data()[i]; }

 private:
  size_t bytes_;
  void* memory_;
};

// How it went.
struct Attempt {
  bool hung = false;  // still running after the time limit, and killed
  int signal = 0;     // the signal that ended it, if it crashed
  int exit_code = 0;  // if it did neither
};

// Runs work() in a child process and waits for its end, for `seconds` at most. The child writes its
// results to a SharedArray. CUDA does not survive a fork, so the caller must not have made a CUDA
// call before.
// With COURSE_WATCHDOG=off in the environment, work() runs in this process, because
// compute-sanitizer and cuda-gdb do not follow a child.
inline Attempt attempt(const std::function<void()>& work, double seconds) {
  const char* watchdog = getenv("COURSE_WATCHDOG");
  if (watchdog != nullptr && strcmp(watchdog, "off") == 0) {
    work();
    return {};
  }
  fflush(nullptr);  // or the child prints it once more
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) bad_usage("the operating system gives no further process");
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // it does not outlive the program
    if (getppid() != parent) _exit(kExitWrong);
    work();
    fflush(nullptr);
    _exit(0);
  }

  using Clock = std::chrono::steady_clock;
  const auto elapsed = [begin = Clock::now()] {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  Attempt outcome;
  int status = 0;
  pid_t ended = 0;
  while ((ended = waitpid(child, &status, WNOHANG)) == 0) {
    if (!outcome.hung && elapsed() > seconds) {
      outcome.hung = true;
      kill(child, SIGKILL);
    }
    // A driver may need a while to take a kernel off the device, and may never succeed.
    if (elapsed() > seconds + 30) break;
    usleep(1000);
  }
  if (outcome.hung || ended <= 0) {
    outcome.hung = true;
  } else if (WIFSIGNALED(status)) {
    outcome.signal = WTERMSIG(status);
  } else {
    outcome.exit_code = WEXITSTATUS(status);
  }
  return outcome;
}

// Ends the program like the child, if the child ended because the machine lacks something or
// because of the command line.
inline void leave_like(const Attempt& attempt) {
  if (attempt.exit_code == kExitSkipped || attempt.exit_code == kExitUsage) exit(attempt.exit_code);
}

}  // namespace course
