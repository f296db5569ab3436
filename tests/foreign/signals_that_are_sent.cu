// Signals that a program sends itself, in each way, with a handler of its own, without one, and ignored; set up before the
// first CUDA call. They end the program, call its handler or do nothing, as without CUDA, and nobody explains anything.
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

volatile sig_atomic_t handled = 0;
void handle(int number) { handled = handled + number; }
void handle_more(int number, siginfo_t *info, void *context) {
  if (info != nullptr && info->si_signo == number && context != nullptr) handled = handled + number;
}

enum Way { by_raise, by_kill, by_sigqueue };
enum Own { nothing, ignored, simple, with_information };
const char *const kWays[] = {"raise()", "kill()", "sigqueue()"};
const char *const kOwns[] = {"no handler", "SIG_IGN", "a handler", "a handler with siginfo"};

__global__ void add_one(int *x) { *x += 1; }

// Exit codes: 0 it went on and nothing was called, 10 the handler was called once, others: wrong.
int child(int number, Way way, Own own) {
  struct sigaction action = {};
  sigemptyset(&action.sa_mask);
  if (own == ignored) action.sa_handler = SIG_IGN;
  if (own == simple) action.sa_handler = handle;
  if (own == with_information) action.sa_sigaction = handle_more, action.sa_flags = SA_SIGINFO;
  if (own != nothing && sigaction(number, &action, nullptr) != 0) return 20;
  int *x;
  if (cudaMallocManaged(&x, sizeof *x) != cudaSuccess) return 21;
  *x = 1;
  add_one<<<1, 1>>>(x);
  if (cudaDeviceSynchronize() != cudaSuccess || *x != 2) return 22;
  if (way == by_raise) raise(number);
  if (way == by_kill) kill(getpid(), number);
  if (way == by_sigqueue) {
    sigval value = {};
    sigqueue(getpid(), number, value);
  }
  add_one<<<1, 1>>>(x);  // all goes on
  if (cudaDeviceSynchronize() != cudaSuccess || *x != 3) return 23;
  return handled == 0 ? 0 : handled == number ? 10 : 24;
}

int main() {
  int wrong = 0;
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGUSR1})
    for (const Way way : {by_raise, by_kill, by_sigqueue})
      for (const Own own : {nothing, ignored, simple, with_information}) {
        FILE *const messages = tmpfile();
        fflush(stdout);
        const pid_t pid = fork();
        if (pid == 0) {
          dup2(fileno(messages), 2);
          const rlimit no_core = {0, 0};
          setrlimit(RLIMIT_CORE, &no_core);
          alarm(20);
          _exit(child(number, way, own));
        }
        int status = 0;
        waitpid(pid, &status, 0);
        const long said = (fseek(messages, 0, SEEK_END), ftell(messages));
        fclose(messages);
        const int wanted = own == ignored ? 0 : 10;
        const bool right = own == nothing ? WIFSIGNALED(status) && WTERMSIG(status) == number : WIFEXITED(status) && WEXITSTATUS(status) == wanted;
        if (right && said == 0) continue;
        wrong++;
        printf("signal %d by %s, %s: status %x, %ld bytes of messages\n", number, kWays[way], kOwns[own], static_cast<unsigned>(status), said);
      }
  return wrong != 0;
}
