// In the manner of programs that handle signals themselves: a handler of before the first call of CUDA is called for signals that
// are sent and for faults of the host, also after kernels have run. A signal without a handler ends the program.
#include <sys/wait.h>
#include <unistd.h>

#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>

static sigjmp_buf back;
static volatile sig_atomic_t calls = 0, told = 0;

static void go_back(int number) {
  told = number;
  calls = calls + 1;
  siglongjmp(back, 1);
}
static void note(int number, siginfo_t *, void *) {
  told = number;
  calls = calls + 1;
}

__global__ void sum(int *values) { atomicAdd(values, threadIdx.x); }

static int wrong = 0;
static void check(const char *what, bool right) {
  if (right) return;
  printf("wrong: %s\n", what);
  wrong = 1;
}

// How a child ends that does this.
template <typename Function>
static int end_of(const Function &function) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    function();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : -1 - WEXITSTATUS(status);
}

int main() {
  signal(SIGSEGV, go_back);
  signal(SIGILL, SIG_IGN);
  struct sigaction with_facts {};
  with_facts.sa_sigaction = note;
  with_facts.sa_flags = SA_SIGINFO;
  sigaction(SIGFPE, &with_facts, nullptr);

  int *values, host = 0;
  cudaMalloc(&values, sizeof(int));
  cudaMemset(values, 0, sizeof(int));
  sum<<<2, 32>>>(values);
  check("the kernel", cudaDeviceSynchronize() == cudaSuccess);

  if (sigsetjmp(back, 1) == 0) *static_cast<volatile int *>(nullptr) = 1;
  check("a fault of the host", calls == 1 && told == SIGSEGV);
  if (sigsetjmp(back, 1) == 0) *values = 1;
  check("the host touches device memory", calls == 2 && told == SIGSEGV);
  if (sigsetjmp(back, 1) == 0) raise(SIGSEGV);
  check("a signal that is sent", calls == 3 && told == SIGSEGV);
  raise(SIGFPE);
  check("a handler that takes facts, and returns", calls == 4 && told == SIGFPE);
  raise(SIGILL);
  check("a signal that is ignored", calls == 4);

  sum<<<2, 32>>>(values);
  check("a kernel afterwards", cudaMemcpy(&host, values, sizeof host, cudaMemcpyDeviceToHost) == cudaSuccess && host == 4 * 496);
  check("a signal without a handler", end_of([] { raise(SIGBUS); }) == SIGBUS);
  check("abort()", end_of([] { abort(); }) == SIGABRT);
  cudaFree(values);
  return wrong;
}
