// PTX in `asm`, as C++ that does the same on the CPU device (with include/cpu_device/ptx.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cpu_device {

struct PtxOperand {
  std::string constraint;  // "=r", "+f", "l", ...
  std::string expression;  // of C++
};

struct PtxResult {
  std::string text;   // A block of C++.
  std::string error;  // If there is one: what is wrong, and where in the code.
  size_t error_at = 0;
};

// `in_kernel`: directly in a kernel's body, from which `exit` can return.
PtxResult translate_ptx(std::string_view code, const std::vector<PtxOperand>& operands,
                        bool in_kernel);

}  // namespace cpu_device
