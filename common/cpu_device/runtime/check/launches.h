// Names of parameters, short copies, launches that failed unasked.
#pragma once

#include <string>

#include "state.h"

namespace cpu_device::check {

void note_unchecked_errors();
void note_vain_waits();
// "; the copy in line 12 wrote bytes 0 to 999 of 4000", of copies into the block.
std::string copies_in_words(const Block& block);

}  // namespace cpu_device::check
