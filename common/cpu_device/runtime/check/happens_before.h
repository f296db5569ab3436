// Who is ordered with whom: operations, launches, threads, clusters, and what clocks know.
#pragma once

#include <functional>
#include <vector>

#include "host_turns.h"

namespace cpu_device::check {

Record host_record(unsigned place);
bool in_operation();
void begin_launch_clocks(const Launch& launch);
void end_launch_clocks();
void reset_floor(Context& c);
void add_context(Context* c);
const std::vector<Context*>& all_contexts();
// The blocks of a cluster: this one is one of them; all of them.
void join_cluster(Context& c);
const std::vector<Context*>& members_of_cluster();
void note_ordering_atomic();
// Whether threads of a launch are ordered by barriers only.
bool barriers_order_all();
// What the calling thread has done so far. What it does from now on is no part of that.
const Clock* done_so_far(Context& c);
void cluster_met_in_halves();
// Where the stream of a timeline was destroyed; null while it lives.
const Site* destroyed_stream(unsigned timeline);
bool several_streams();
// Where blocks have met so far.
const std::vector<Site>& barriers_passed();
void hold_host_clock(bool hold);
bool moment_contains(const Moment& moment, const Done& earlier);
bool host_contains(const Moment& moment);
// The host has seen what all before this operation did, and what it did itself up to a segment.
void host_saw(const Done& operation, uint64_t segment);
// Kernels that see what the host writes there are ordered after what the host has done. With a fence this also holds
// for all that the host writes later, and with a copy.
void host_publishes(const void* address, bool after_fence_only);
void host_fences();
void copy_publishes(uintptr_t address);
// The host, or one of its functions in streams, releases this object (a mutex, an atomic variable). The next one
// that acquires it is ordered after that.
void give(const void* object);
void take_up(const void* object);
// From now on the thread knows of what it did itself in the spans of time of that block, up to a segment.
void know(Context& c, uint64_t block, uint64_t last_segment);
void leave_launch(LeftLaunch* left);
void enter_launch(LeftLaunch* left);
bool was_left(const Done& operation);  // is left, or has been

}  // namespace cpu_device::check
