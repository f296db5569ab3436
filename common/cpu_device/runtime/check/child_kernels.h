// Kernels that a kernel launches. Those of one stream run in order. Without a stream, a block's run in order, and those of
// two blocks in any order.
#pragma once

#include "state.h"

namespace cpu_device::check {

// Of the child that is about to run: a step of a timeline of its own stream. Both are 0 for other kernels.
void name_child(Done* operation);
// Of two kernels of one family, whether the earlier one comes before the one that runs.
bool child_ordered(const Done& earlier);
// Whether the child that runs may overlap with others of its family.
bool children_overlap();

}  // namespace cpu_device::check
