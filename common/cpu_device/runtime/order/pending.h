// The queue itself, for the files of this folder.
#pragma once

#include <deque>
#include <vector>

#include "queue.h"

namespace cpu_device {

// All that has not run yet, oldest first; operations that are done are dropped when they come to the
// front.
std::deque<OperationPointer>& pending();

// How often the host has waited. A host that waits many times, and never for an operation that was queued
// long before, polls: it copies a flag again and again, for example. A GPU has started that operation by then.
uint64_t waits_of_host();
bool is_polled(const Operation& operation);

// Runs these operations and all that they depend on.
void complete_all(const std::vector<OperationPointer>& wanted);
// The state of an operation, which is cudaErrorNotReady if it has not ended. Does not wait, but runs one
// step, so that a loop of queries ends.
cudaError_t poll(const OperationPointer& end);

}  // namespace cpu_device
