// Which signals reach which thread.
#pragma once

namespace cpu_device {

// Handlers that explain a fault, and turn a kernel's into the error that CUDA reports.
void install_fault_handlers();

// For the runtime's own threads: the program's signals go to the program's threads. Faults stay unblocked,
// because they arrive at the thread that causes them: the first access to a large allocation is one
// (memory/uninitialized_memory.cpp), and a blocked fault ends the program without a word.
void block_program_signals();

// For a thread of the program that is about to run queued work: it may have blocked all signals.
void accept_faults();

}  // namespace cpu_device
