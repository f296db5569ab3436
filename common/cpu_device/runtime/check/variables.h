// Variables of the device, which the host has under the same name.
#pragma once

#include "state.h"

namespace cpu_device::check {

extern uintptr_t variables_low;
extern size_t variables_bytes;
inline bool is_variable(uintptr_t address) { return address - variables_low < variables_bytes; }
void prepare_variables();
void host_variable(uintptr_t address, size_t bytes, bool writes, unsigned place);
void kernel_variable(const Context& c, uintptr_t address, size_t bytes, unsigned place);
void tell_unset_constants();
void copied_to_variable(uintptr_t address, size_t bytes, Site site);
void copied_from_variable(uintptr_t address, Site site);

}  // namespace cpu_device::check
