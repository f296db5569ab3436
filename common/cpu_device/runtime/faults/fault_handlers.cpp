// A kernel that accesses memory it does not have, or divides by zero, would end the program without a message.
// These handlers explain what happened, and turn it into the error that CUDA reports.
#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <mutex>

#include "../check/check.h"
#include "../execution/debugger.h"
#include "../execution/engine.h"
#include "../memory/allocations.h"
#include "../memory/uninitialized_memory.h"
#include "error_messages.h"
#include "signals.h"

namespace cpu_device {

static const void* program_counter(const ucontext_t* context) {
#if defined(__x86_64__)
  return reinterpret_cast<const void*>(context->uc_mcontext.gregs[REG_RIP]);
#else
  return reinterpret_cast<const void*>(context->uc_mcontext.pc);
#endif
}

// A call through a pointer to a function that leads nowhere.
static bool is_call(const siginfo_t* info, const ucontext_t* context) {
  return (info->si_signo == SIGSEGV || info->si_signo == SIGBUS) && program_counter(context) == info->si_addr;
}
static const void* return_address(const ucontext_t* context) {
#if defined(__x86_64__)
  const void* address = nullptr;
  memcpy(&address, reinterpret_cast<const void*>(context->uc_mcontext.gregs[REG_RSP]), sizeof address);
  return address;
#else
  return reinterpret_cast<const void*>(context->uc_mcontext.regs[30]);
#endif
}

static std::string access_kind(const siginfo_t* info, const ucontext_t* context) {
  if (is_call(info, context)) return "calls a function at";
#if defined(__x86_64__)
  return (context->uc_mcontext.gregs[REG_ERR] & 2) ? "writes to" : "reads from";
#else
  return "touches";
#endif
}

// The learner's line in which it happened, or from which the code was called that did it.
static Place place_of_fault(const void* program_counter) {
  constexpr int kMost = 64;
  void* frames[kMost];
  const int count = backtrace(frames, kMost);
  int first = 0;  // the handler's own frames come before
  while (first < count && frames[first] != program_counter) first++;
  if (first == count) frames[first = 0] = const_cast<void*>(program_counter);
  // +1 because place_of expects return addresses.
  frames[first] = static_cast<char*>(frames[first]) + 1;
  return place_of(frames + first, count > first ? count - first : 1);
}
static Place place_of_fault(const siginfo_t* info, const ucontext_t* context) {
  if (!is_call(info, context)) return place_of_fault(program_counter(context));
  void* caller = const_cast<void*>(return_address(context));
  return place_of(&caller, 1);
}

struct Explained {
  cudaError_t error;
  Failure failure;
};

static Explained explain_fault(int number, const siginfo_t* info, const ucontext_t* context) {
  const Worker& worker = *this_worker;
  Place place = place_of_fault(info, context);
  Failure failure{std::move(place.file), place.line, "", ""};
  if (number == SIGFPE) {
    failure.kind = "arithmetic";
    failure.what = "integer division by zero" + where_in_kernel();
    failure.hint = "on a GPU, the result is undefined and the kernel continues. Here it ends. Check the divisor first.";
    return {cudaErrorLaunchFailure, std::move(failure)};
  }
  if (number == SIGILL) {
    failure.what = "illegal instruction" + where_in_kernel();
    return {cudaErrorIllegalInstruction, std::move(failure)};
  }
  if (is_stack_overflow(worker.running, info->si_addr)) {
    failure.kind = "no-progress";
    failure.what = "stack overflow" + where_in_kernel();
    failure.hint = "check that the recursion ends, and that local arrays take less than 250 kB per thread.";
    return {cudaErrorIllegalAddress, std::move(failure)};
  }
  failure.kind = "out-of-bounds";
  if (info->si_code == SI_KERNEL) {  // x86-64 does not report addresses beyond 2^47
    failure.what = "illegal memory access" + where_in_kernel() + ": the address is far outside all memory";
    failure.hint = "check the index. Did it overflow, or was it never set?";
    return {cudaErrorIllegalAddress, std::move(failure)};
  }
  failure.what = "illegal memory access" + where_in_kernel() +
                 format(": the thread %s address %p", access_kind(info, context).c_str(), info->si_addr);
  const int here = worker.grid->launch->device;
  const Block* block = find_block(info->si_addr);
  if (block != nullptr && block->device != here) {
    failure.kind = "wrong-side";
    failure.what += format("\n    the address is in memory of device %d (%zu bytes allocated at %s:%d), but the "
                           "kernel runs on device %d",
                           block->device, block->bytes, block->site.file, block->site.line, here);
    failure.hint = format("call cudaDeviceEnablePeerAccess(%d, 0) while device %d is current, or copy the data with "
                          "cudaMemcpyPeer().",
                          block->device, here);
    return {cudaErrorIllegalAddress, std::move(failure)};
  }
  Known known = describe(info->si_addr);
  if (!known.what.empty()) failure.what += "\n    " + known.what;
  if (known.what.find("freed") != std::string::npos) failure.kind = "use-after-free";
  failure.hint = known.hint.empty() ? "check the pointer and the index. Was one of them never set?" : known.hint;
  if (is_call(info, context))
    failure.hint = "was the pointer to the function ever set? A kernel can call only what device code has taken the address of.";
  return {cudaErrorIllegalAddress, std::move(failure)};
}

// The program's own handlers, of before its first call of CUDA.
static struct sigaction of_program[NSIG];
static bool program_handles(int number) {
  return (of_program[number].sa_flags & SA_SIGINFO) != 0 || of_program[number].sa_handler != SIG_DFL;
}

static void hand_over(int number, siginfo_t* info, void* data) {
  const struct sigaction& own = of_program[number];
  if ((own.sa_flags & SA_SIGINFO) != 0)
    own.sa_sigaction(number, info, data);
  else if (own.sa_handler != SIG_IGN)
    own.sa_handler(number);
}

// Says what can be said; the program dies as usual afterwards. If the program handles the signal itself, only what it
// cannot know: that it is device memory, or a copy.
static void explain_host_fault(int number, const siginfo_t* info, const ucontext_t* context) {
  const bool is_handled = program_handles(number);
  if (number != SIGSEGV && number != SIGBUS && number != SIGABRT) return;
  // If the heap is broken, what follows may wait for it forever. If the stack is broken, following it may
  // also fault: then the explanation has no place.
  signal(SIGALRM, SIG_DFL);
  alarm(10);
  static siginfo_t first;
  static int depth = 0;
  if (++depth > 2) return;
  if (depth == 1) first = *info;
  const bool aborted = first.si_signo == SIGABRT;  // the C library has found something broken
  void* const address = aborted ? nullptr : first.si_addr;
  Site copy{"", 0};
  const bool far = !aborted && first.si_code == SI_KERNEL;  // x86-64 reports none beyond 2^47
  Known known = aborted || far ? Known{} : describe(address);
  const bool is_ours = !known.what.empty();
  if (!is_ours) known = describe_copy(address, &copy);
  const bool is_null = is_ours && reinterpret_cast<uintptr_t>(address) < 65536;
  if (known.what.empty() ? aborted || is_handled : is_handled && is_null) {
    alarm(0);
    depth = 0;
    return;
  }
  Place place;
  if (depth == 1) place = place_of_fault(info, context);
  if (place.file.empty()) place = {copy.file, copy.line};
  std::string what = "the C library aborts the program";
  if (far)
    what = "host code accesses an address far outside all memory";
  else if (!aborted)
    what = format("host code %s address %p", access_kind(&first, context).c_str(), address);
  if (known.what.empty())
    known = {"this address does not come from a CUDA call", "check the pointer and the index. Was one of them never set?"};
  else if (is_ours && known.what.find("before the start") != std::string::npos)
    // free() reads its bookkeeping just before the pointer that it is given.
    known.hint = "was a device pointer passed to free() or delete? Free it with cudaFree().";
  if (!aborted && is_call(&first, context)) known.hint = "was the pointer to the function ever set?";
  explain({place.file.c_str(), place.line}, what + ": " + known.what, known.hint,
          is_ours ? "wrong-side" : "other");
  alarm(0);
  depth = 0;  // a handler of the program's may go on
}

// An earlier fault may have left the handlers' stack without returning from its functions: what
// AddressSanitizer knows of their variables no longer holds.
static void forget_earlier_faults() {
#ifdef CPU_DEVICE_ASAN
  stack_t stack;
  if (sigaltstack(nullptr, &stack) == 0 && (stack.ss_flags & SS_ONSTACK))
    __asan_unpoison_memory_region(stack.ss_sp, stack.ss_size);
#endif
}

static void handle_fault(int number, siginfo_t* info, void* data) {
  forget_earlier_faults();
  const auto* context = static_cast<const ucontext_t*>(data);
  if (number == SIGSEGV && info->si_code != SI_KERNEL && fill_on_fault(info->si_addr)) return;
  if (!in_kernel() || number == SIGABRT) {
    const bool was_sent = info->si_code <= 0;  // by raise(), kill() or abort()
    cpu_device_debugger_host_fault(number);
    if (!was_sent || number == SIGABRT) explain_host_fault(number, info, context);
    if (program_handles(number)) return hand_over(number, info, data);
    check::end_by_signal();
    signal(number, SIG_DFL);
    if (was_sent) raise(number);
    return;  // the instruction runs again, and this time the signal ends the program
  }
  Explained explained = explain_fault(number, info, context);
  if (number == SIGILL || explained.failure.kind == std::string("no-progress"))
    this_worker->abort_grid(explained.error, std::move(explained.failure));
  this_worker->end_thread(explained.error, std::move(explained.failure));
}

static sigset_t faults() {
  sigset_t set;
  sigemptyset(&set);
  for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) sigaddset(&set, fault);
  return set;
}

void block_program_signals() {
  sigset_t blocked;
  sigfillset(&blocked);
  for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) sigdelset(&blocked, fault);
  sigdelset(&blocked, question_signal());
  if (check::on) sigdelset(&blocked, SIGURG);  // see check/watchdog.cpp
  pthread_sigmask(SIG_SETMASK, &blocked, nullptr);
}

void accept_faults() {
  const sigset_t set = faults();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void install_fault_handlers() {
  static std::once_flag once;
  std::call_once(once, [] {
    // What cannot be done in the handler: the first backtrace() loads a library, and a crash may have
    // overwritten the environment.
    void* frame = nullptr;
    backtrace(&frame, 1);
    remember_path();
    struct sigaction action {};
    action.sa_sigaction = handle_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
      struct sigaction& before = of_program[number];
      sigaction(number, &action, &before);
      // A sanitizer's own one would say of a fault only that it is one.
      Dl_info module;
      const auto* handler = (before.sa_flags & SA_SIGINFO) != 0 ? reinterpret_cast<const void*>(before.sa_sigaction)
                                                               : reinterpret_cast<const void*>(before.sa_handler);
      if (dladdr(handler, &module) != 0 && module.dli_fname != nullptr && strstr(module.dli_fname, "san.so") != nullptr) before = {};
    }
  });
}

}  // namespace cpu_device
