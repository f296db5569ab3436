// What the checked run tells the recorder of `./course watch` (CPU_DEVICE_WATCH=FILE, see recorder.cpp).
// In a library that is built without CPU_DEVICE_CHECK there is none.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../include/cuda_runtime.h"

namespace cpu_device {

struct Launch;
struct Worker;

namespace check {
struct Context;
struct Finding;
}  // namespace check

namespace watch {

// Whether CPU_DEVICE_WATCH is set.
bool wanted();
// Whether the launch that runs is being recorded.
extern bool recording;

void launch_begins(const Launch& launch, int workers);
// `error`: what ended the launch early, if anything.
void launch_ends(cudaError_t error);
// Waits until all workers of the launch are here, so that their blocks run side by side.
void worker_arrives();
void worker_ends(Worker& worker);
void block_ends(Worker& worker);
void block_begins(Worker& worker);
void barrier_passed(Worker& worker, Site site);
void finding(const check::Finding& finding);

// The current thread is about to access memory. It is kept here until its turn has come.
void access(check::Context& c, uintptr_t address, size_t bytes, unsigned place);

// Called when no thread of the block can go on: lets those lanes of a warp go on that stand at the
// same access. False if there are none.
bool release_parked(Worker& worker);

}  // namespace watch
}  // namespace cpu_device
