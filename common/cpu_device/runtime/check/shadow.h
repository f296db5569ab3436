// Where the cells of memory are.
#pragma once

#include "state.h"

namespace cpu_device::check {

void prepare_arena();
Region& globals();
Region local_region(const Region* used);
bool in_program(uintptr_t address);
Region* find_any_region(uintptr_t address);  // of the arena, the variables or registered memory
void* map_zeros(size_t bytes);

}  // namespace cpu_device::check
