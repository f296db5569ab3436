// The findings as a file, and those of processes that the program forks.
#pragma once

#include <vector>

#include "findings.h"

namespace cpu_device::check {

// Writes CPU_DEVICE_REPORT, if that is wanted; a file that cannot be written ends the program at
// once.
void check_report_file();
void write_report(const std::vector<Finding>& findings);
// Processes that the program forks: what they find is told by them and counted by their parent.
struct Totals {
  uint64_t findings = 0, launches = 0, accesses = 0;
};
void begin_family();
bool is_child();
void child_found(const Finding& finding);
void count_child();
Totals totals_of_children();

}  // namespace cpu_device::check
