// Where the cells of memory are.
#pragma once

#include "state.h"

namespace cpu_device::check {

void prepare_arena();
Region& globals();
extern size_t other_regions_known;  // registered memory, and variables of both sides
Region local_region(const Region* used);
bool in_program(uintptr_t address);
Region* find_any_region(uintptr_t address);  // of the arena, the variables or registered memory
void* map_zeros(size_t bytes);
void note_other_results();  // kernel_results.h, of registered memory and variables

}  // namespace cpu_device::check
