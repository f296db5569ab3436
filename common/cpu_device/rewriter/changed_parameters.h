// Parameters that a kernel changes, as variables of each thread, so that the kernel can become loops over its threads
// (block_loops.h).
//
//   void kernel(float* a, int n) {     void kernel(float* a, int n) {
//     a += blockIdx.x * n;               float* own_a = a;
//     a[threadIdx.x] = n;                own_a += blockIdx.x * n;
//   }                                    own_a[threadIdx.x] = n;
//                                      }
#pragma once

#include <string>

#include "kernel_code.h"

namespace cpu_device {

// `void kernel(parameters) {body}` with line markers; empty if the kernel changes none of its parameters.
std::string with_changed_parameters_as_variables(const Tokens& tokens, const KernelCode& code);

}  // namespace cpu_device
