// Barriers that threads make of atomics or volatile variables: each publishes that it has arrived, and waits at a word
// until the last one changes it. Two locks that are taken in one order before such a barrier and in the other order
// after it are no mistake.
#pragma once

#include "thread_locks.h"

namespace cpu_device::check {

// A thread looks at a word.
void look_at_word(Context& c, ThreadLocks& t, const Lock& word, unsigned place);
void stop_looking_at_word(ThreadLocks& t);
// At the end of each run of a launch: tells edges which meetings came before them and which after them.
void begin_meetings();
void end_meetings();
void set_turns(Edge& edge);
// Whether a meeting lies between them.
bool meeting_between(const Edge& a, const Edge& b);

}  // namespace cpu_device::check
