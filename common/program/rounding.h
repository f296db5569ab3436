// A multiplication that rounds alike on the CPU and on the device.
#pragma once

#include <cuda_runtime.h>

namespace course {

// a * b, rounded to float before it is added to anything.
//
// Compilers turn a * b + c into one instruction that rounds once (a fused multiply-add, FMA)
// instead of two that round twice. nvcc does, and so do g++ and clang for processors that have FMA.
// So the last bit of the result depends on the processor. Usually that is good: one rounding is
// more exact and faster than two. It is bad if the last bit decides something, such as whether a
// point near the edge of a fractal escapes, and the CPU must confirm what the device decided.
__host__ __device__ inline float product(float a, float b) {
#if defined(__CUDA_ARCH__) && !defined(__CPU_DEVICE__)
  return __fmul_rn(a, b);  // documented as never being fused
#else
  float rounded = a * b;
  // An x86-64 compiler uses FMA only if an option allows it (-march=native). Elsewhere an empty
  // instruction that might change the product keeps the compiler from looking through it.
#if defined(__x86_64__) && defined(__FMA__)
  asm("" : "+x"(rounded));
#elif defined(__aarch64__)
  asm("" : "+w"(rounded));
#elif !defined(__x86_64__)
  asm("" : "+m"(rounded));
#endif
  return rounded;
#endif
}

}  // namespace course
