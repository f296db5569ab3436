#include "../device/settings.h"
#include "fiber.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstring>


// Only what a function must preserve is saved, and not the floating-point control words: kernels do
// not change rounding modes, and storing those words costs 40 ns on some machines. The way back is a
// jump rather than a return, because the processor predicts returns from the calls it saw, and would
// be wrong each time.
#if defined(__x86_64__)
__asm__(R"(
.text
.globl cpu_device_switch
.hidden cpu_device_switch
.type cpu_device_switch, @function
cpu_device_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  popq %rcx
  jmpq *%rcx
.size cpu_device_switch, .-cpu_device_switch
)");
static constexpr int kSavedRegisters = 6;
#elif defined(__aarch64__)
__asm__(R"(
.text
.globl cpu_device_switch
.hidden cpu_device_switch
.type cpu_device_switch, %function
cpu_device_switch:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  br x30
.size cpu_device_switch, .-cpu_device_switch
)");
#else
#error "the CPU device runs on x86-64 and 64-bit Arm: fiber.cpp needs a switch for this processor"
#endif

namespace cpu_device {

// A kernel's thread has room for large local arrays; only pages that are touched take memory.
static constexpr size_t kStackBytes = 256 * 1024;
// The guard below each stack. As large as the locals of a function, so that one call too many cannot skip it.
static constexpr size_t kGuard = 64 * 1024;  // of any size that pages have
// An odd number of pages: so that stacks do not all start at the same set of the caches.
static size_t stride() { return kStackBytes + page_bytes() + kGuard; }
// Stacks are mapped so many at a time: one by one, 32 workers with blocks of 1024 threads would need
// more mappings than Linux allows a process (65,530).
static constexpr size_t kStacksAtOnce = 64;

// Makes the pages a guard. Before Linux 6.13 that splits the mapping, so there not every stack has a guard:
// all of them up to 16 workers, else each worker's first. A kernel that uses too much stack mostly does so in
// every thread.
static void guard(void* pages) {
  constexpr int kGuardInstall = 102;  // MADV_GUARD_INSTALL
  static const int per_worker = 16 * 1024 / settings().workers;
  static thread_local int guarded = 0;
  if (madvise(pages, kGuard, kGuardInstall) == 0) return;
  // If it fails, so be it: the stack works without.
  if (guarded < per_worker && mprotect(pages, kGuard, PROT_NONE) == 0) guarded++;
}

Fiber* create_fiber(size_t index, const Fiber* before) {
  unsigned char* start;
  if (index % kStacksAtOnce != 0) {
    start = before->stack - kGuard + stride();
  } else {
    void* memory = mmap(nullptr, kStacksAtOnce * stride(), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    madvise(memory, kStacksAtOnce * stride(), MADV_NOHUGEPAGE);  // of each stack, little is touched
    start = static_cast<unsigned char*>(memory);
  }
  guard(start);
  Fiber* fiber = new Fiber;
  fiber->stack = start + kGuard;
  // Not the same set within a page, either.
  fiber->stack_bytes = stride() - kGuard - (index * 320) % 4096 / 64 * 64;
  return fiber;
}

Fiber* create_large_fiber() {
  constexpr size_t kBytes = size_t(256) << 20;  // of which little is touched
  void* memory = mmap(nullptr, kGuard + kBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  mprotect(memory, kGuard, PROT_NONE);
  Fiber* fiber = new Fiber;
  fiber->stack = static_cast<unsigned char*>(memory) + kGuard;
  fiber->stack_bytes = kBytes;
  return fiber;
}

void reset_fiber(Fiber* fiber, void (*entry)()) {
#ifdef CPU_DEVICE_ASAN
  // What the frames of a kernel that was ended in the middle left behind.
  __asan_unpoison_memory_region(fiber->stack, fiber->stack_bytes);
#endif
  const uintptr_t top =
      reinterpret_cast<uintptr_t>(fiber->stack + fiber->stack_bytes) & ~uintptr_t(15);
#if defined(__x86_64__)
  // The stack as cpu_device_switch leaves it; above, a return address of 0 ends backtraces.
  void** frame = reinterpret_cast<void**>(top) - 2 - kSavedRegisters;
  memset(frame, 0, (2 + kSavedRegisters) * sizeof(void*));
  frame[kSavedRegisters] = reinterpret_cast<void*>(entry);
#else
  void** frame = reinterpret_cast<void**>(top) - 20;
  memset(frame, 0, 20 * sizeof(void*));
  frame[11] = reinterpret_cast<void*>(entry);  // x30
#endif
  fiber->stack_pointer = frame;
}

bool is_stack_overflow(const Fiber* fiber, const void* address) {
  const auto* a = static_cast<const unsigned char*>(address);
  return fiber->stack != nullptr && a >= fiber->stack - kGuard && a < fiber->stack;
}

}  // namespace cpu_device
