// A kernel that touches memory it has not, or divides by zero, would end the program without a word.
// The handlers here say what happened, and turn it into the error that CUDA reports.
#include <signal.h>
#include <ucontext.h>

#include <cstdlib>
#include <mutex>

#include "engine.h"

namespace cpu_device {

static const void* program_counter(const ucontext_t* context) {
#if defined(__x86_64__)
  return reinterpret_cast<const void*>(context->uc_mcontext.gregs[REG_RIP]);
#else
  return reinterpret_cast<const void*>(context->uc_mcontext.pc);
#endif
}

static std::string access_kind([[maybe_unused]] const ucontext_t* context) {
#if defined(__x86_64__)
  return (context->uc_mcontext.gregs[REG_ERR] & 2) ? "writes to" : "reads from";
#else
  return "touches";
#endif
}

struct Explained {
  cudaError_t error;
  Failure failure;
};

static Explained explain_fault(int number, const siginfo_t* info, const ucontext_t* context) {
  const Worker& worker = *this_worker;
  // +1 because place_of expects a return address.
  Place place = place_of(static_cast<const char*>(program_counter(context)) + 1);
  Failure failure{std::move(place.file), place.line, "", ""};
  if (number == SIGFPE) {
    failure.kind = "arithmetic";
    failure.what = "integer division by zero" + where_in_kernel();
    failure.hint = "a GPU goes on with an undefined value; here the kernel ends";
    return {cudaErrorLaunchFailure, std::move(failure)};
  }
  if (number == SIGILL) {
    failure.what = "illegal instruction" + where_in_kernel();
    return {cudaErrorIllegalInstruction, std::move(failure)};
  }
  if (is_stack_overflow(worker.running, info->si_addr)) {
    failure.kind = "no-progress";
    failure.what = "the stack of the thread is full" + where_in_kernel();
    failure.hint = "recursion without end, or local arrays of more than 250 kB per thread";
    return {cudaErrorIllegalAddress, std::move(failure)};
  }
  failure.kind = "out-of-bounds";
  if (info->si_code == SI_KERNEL) {  // x86-64 does not tell addresses beyond 2^47
    failure.what = "illegal memory access: an address far outside any memory" + where_in_kernel();
    failure.hint = "an index that has overflowed, or was never set?";
    return {cudaErrorIllegalAddress, std::move(failure)};
  }
  failure.what = format("illegal memory access: the thread %s address %p",
                        access_kind(context).c_str(), info->si_addr) +
                 where_in_kernel();
  const int here = worker.grid->launch->device;
  const Block* block = find_block(info->si_addr);
  if (block != nullptr && block->device != here) {
    failure.kind = "wrong-side";
    failure.what += format("\n    this is memory of device %d (%zu bytes allocated at %s:%d), and the "
                           "kernel runs on device %d",
                           block->device, block->bytes, block->site.file, block->site.line, here);
    failure.hint = format("cudaDeviceEnablePeerAccess(%d, 0) while device %d is current, or copy it with "
                          "cudaMemcpyPeer()",
                          block->device, here);
    return {cudaErrorIllegalAddress, std::move(failure)};
  }
  Known known = describe(info->si_addr);
  if (!known.what.empty()) failure.what += "\n    " + known.what;
  if (known.what.find("freed") != std::string::npos) failure.kind = "use-after-free";
  failure.hint = known.hint.empty() ? "an index or a pointer that was never set?" : known.hint;
  return {cudaErrorIllegalAddress, std::move(failure)};
}

static void handle_fault(int number, siginfo_t* info, void* data) {
  const auto* context = static_cast<const ucontext_t*>(data);
  const void* at = program_counter(context);
  if (!in_kernel()) {
    // Host code. Say something only if CUDA has to do with it, then die as usual.
    if (number == SIGSEGV || number == SIGBUS) {
      const Known known = describe(info->si_addr);
      if (!known.what.empty()) {
        const Place place = place_of(static_cast<const char*>(at) + 1);
        explain({place.file.c_str(), place.line},
                format("host code %s address %p: ", access_kind(context).c_str(), info->si_addr) +
                    known.what,
                // free() looks for its notes in front of what it is given.
                known.what.find("before the start") != std::string::npos
                    ? "was a device pointer given to free() or delete? It goes to cudaFree()"
                    : known.hint,
                "wrong-side");
      }
    }
    check::end_by_signal();
    signal(number, SIG_DFL);
    return;  // the instruction runs again, and this time the signal ends the program
  }
  Explained explained = explain_fault(number, info, context);
  this_worker->abort_grid(explained.error, std::move(explained.failure));
}

void install_crash_handlers() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action {};
    action.sa_sigaction = handle_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) sigaction(number, &action, nullptr);
  });
}

}  // namespace cpu_device
