// Variables of the device, which the host has under the same name.
#pragma once

#include "state.h"

namespace cpu_device::check {

extern uintptr_t variables_low;
extern size_t variables_bytes;
inline bool is_variable(uintptr_t address) { return address - variables_low < variables_bytes; }
void prepare_variables();
// Of each byte, who wrote it last: the device, or the host in this place. 0: nobody yet.
using Writer = uint16_t;
constexpr Writer kDevice = UINT16_MAX;
extern Writer* variable_writers;
extern Region* variables_region;
// Where kernels read what nobody had written: such a place is looked at once.
extern unsigned char reads_unset[size_t(1) << kPlaceBits];
// Whether a kernel's read of a variable, there and at this place, has nothing to tell kernel_variable().
inline bool reads_as_before(uintptr_t address, unsigned place) {
  const Writer writer = variable_writers[address - variables_low];
  return writer == kDevice || (writer == 0 && reads_unset[place] != 0);
}
void host_variable(uintptr_t address, size_t bytes, bool writes, unsigned place);
void kernel_variable(const Context& c, uintptr_t address, size_t bytes, unsigned place);
void tell_unset_constants();
void copied_to_variable(uintptr_t address, size_t bytes, Site site);
void copied_from_variable(uintptr_t address, Site site);

}  // namespace cpu_device::check
