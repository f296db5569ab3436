// Where results go. In a grading (LAB_APART is set) the answer runs in a process that has no descriptor for
// results and cannot report: it leaves them in memory that it shares with its parent. The parent was forked
// off before anything of the answer ran. It passes the results on after the answer's process has ended, if
// the harness came to its end there.
#pragma once

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "protocol.h"

namespace lab {

constexpr int kResults = 3;

namespace {

constexpr size_t kMostShared = size_t(256) << 20;
constexpr std::uint64_t kComplete = 0x6c61622d646f6e65;

struct Shared {
  std::uint64_t bytes, complete;
  char data[1];
};
Shared* shared = nullptr;  // null: results go to the descriptor

// Ends as the answer's process has ended.
[[noreturn]] void pass_on(pid_t child) {
  prctl(PR_SET_DUMPABLE, 0);  // the answer's process may not look into this one
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) _exit(1);
  if (WIFSIGNALED(status)) {
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
    _exit(1);
  }
  const size_t bytes = shared->bytes;
  if (shared->complete == kComplete && bytes <= kMostShared)
    if (!write_bytes(kResults, shared->data, bytes)) _exit(1);
  _exit(WEXITSTATUS(status));
}

// 101 is the first priority for programs: before what the answer initializes.
__attribute__((constructor(101))) void part() {
  if (getenv("LAB_APART") == nullptr) return;
  void* memory = mmap(nullptr, sizeof(Shared) + kMostShared, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  const pid_t parent = getpid();
  const pid_t child = memory == MAP_FAILED ? -1 : fork();
  if (child < 0) _exit(1);
  shared = static_cast<Shared*>(memory);
  if (child > 0) pass_on(child);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  close(kResults);
}

bool put_bytes(const void* data, size_t bytes) {
  if (shared == nullptr) return write_bytes(kResults, data, bytes);
  if (bytes > kMostShared - shared->bytes) return false;
  std::memcpy(shared->data + shared->bytes, data, bytes);
  shared->bytes += bytes;
  return true;
}

void complete() {
  if (shared != nullptr) shared->complete = kComplete;
}

}  // namespace

}  // namespace lab
