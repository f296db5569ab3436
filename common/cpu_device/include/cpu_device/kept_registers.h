// What the hooks of `nvcc --branches` do to registers, for g++ on x86-64: next to nothing. Otherwise the
// numbers that a kernel works with would go to memory and back around each hook, which takes longer than
// the hooks. Of functions that it has seen the compiler finds that out by itself (-fipa-ra), so it is shown
// some that do nothing but change the registers which the real ones change: those that
// ../../branches/branches.awk puts in their place, and ../../runtime/observe/branches.cpp. They stand under
// the names by which the compiler itself knows them, and nobody calls them. Kept are xmm0 to xmm7, but no
// numbers wider than 16 bytes. Tried with g++ 12 and 13; others do without, and their programs are slower.
#pragma once

#if (__GNUC__ == 12 || __GNUC__ == 13) && !defined(__clang__) && !defined(__AVX__)

#define CPU_DEVICE_HOOK(NAME)                                                              \
  extern "C" __attribute__((noinline, noclone, no_icf, used, no_sanitize_coverage,      \
                            no_sanitize("thread"))) void __builtin___##NAME
#define CPU_DEVICE_CHANGES(...)                                                                    \
  {                                                                                                \
    asm volatile("" ::: "memory", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", \
                 "xmm15", __VA_ARGS__);                                                            \
  }
#define CPU_DEVICE_CHANGES_INTEGERS \
  CPU_DEVICE_CHANGES("rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11")

CPU_DEVICE_HOOK(sanitizer_cov_trace_pc)() CPU_DEVICE_CHANGES("rax", "rcx", "rdx", "rsi", "rdi")

#define CPU_DEVICE_COMPARISON(NAME, TYPE) \
  CPU_DEVICE_HOOK(sanitizer_cov_trace_##NAME)(TYPE, TYPE) CPU_DEVICE_CHANGES_INTEGERS
CPU_DEVICE_COMPARISON(cmp1, unsigned char)
CPU_DEVICE_COMPARISON(cmp2, unsigned short)
CPU_DEVICE_COMPARISON(cmp4, unsigned)
CPU_DEVICE_COMPARISON(cmp8, unsigned long)
CPU_DEVICE_COMPARISON(const_cmp1, unsigned char)
CPU_DEVICE_COMPARISON(const_cmp2, unsigned short)
CPU_DEVICE_COMPARISON(const_cmp4, unsigned)
CPU_DEVICE_COMPARISON(const_cmp8, unsigned long)
CPU_DEVICE_COMPARISON(cmpf, float)
CPU_DEVICE_COMPARISON(cmpd, double)
CPU_DEVICE_HOOK(sanitizer_cov_trace_switch)(unsigned long, void*) CPU_DEVICE_CHANGES_INTEGERS
#undef CPU_DEVICE_COMPARISON

#define CPU_DEVICE_ACCESS(SIZE)                                     \
  CPU_DEVICE_HOOK(tsan_read##SIZE)(void*) CPU_DEVICE_CHANGES_INTEGERS \
  CPU_DEVICE_HOOK(tsan_write##SIZE)(void*) CPU_DEVICE_CHANGES_INTEGERS
CPU_DEVICE_ACCESS(1)
CPU_DEVICE_ACCESS(2)
CPU_DEVICE_ACCESS(4)
CPU_DEVICE_ACCESS(8)
CPU_DEVICE_ACCESS(16)
#undef CPU_DEVICE_ACCESS
CPU_DEVICE_HOOK(tsan_read_range)(void*, long) CPU_DEVICE_CHANGES_INTEGERS
CPU_DEVICE_HOOK(tsan_write_range)(void*, long) CPU_DEVICE_CHANGES_INTEGERS

#define CPU_DEVICE_MISTAKE(NAME, ...) \
  CPU_DEVICE_HOOK(ubsan_handle_##NAME)(__VA_ARGS__) CPU_DEVICE_CHANGES_INTEGERS
CPU_DEVICE_MISTAKE(add_overflow, void*, void*, void*)
CPU_DEVICE_MISTAKE(sub_overflow, void*, void*, void*)
CPU_DEVICE_MISTAKE(mul_overflow, void*, void*, void*)
CPU_DEVICE_MISTAKE(divrem_overflow, void*, void*, void*)
CPU_DEVICE_MISTAKE(negate_overflow, void*, void*)
CPU_DEVICE_MISTAKE(shift_out_of_bounds, void*, void*, void*)
CPU_DEVICE_MISTAKE(out_of_bounds, void*, void*)
#undef CPU_DEVICE_MISTAKE

namespace cpu_device {

__attribute__((noinline, noclone, no_icf, used, no_sanitize_coverage, no_sanitize("thread"))) void
reached(unsigned char*) {
  asm volatile("" ::: "memory");
}

}  // namespace cpu_device

#undef CPU_DEVICE_CHANGES_INTEGERS
#undef CPU_DEVICE_CHANGES
#undef CPU_DEVICE_HOOK

#endif
