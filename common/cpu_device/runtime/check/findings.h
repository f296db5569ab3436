// The list of findings: each of them once, with its places.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "source_lines.h"

namespace cpu_device::check {

struct Second {
  SourcePlace place;
  const char* role = "access";  // or "allocated", "freed": only accesses count
  std::string words;
};
struct Finding {
  const char* kind = "other";
  const char* level = "error";
  SourcePlace place;
  std::string title;  // behind "CPU device: "
  std::string details, hint;
  std::vector<Second> others;
  uint64_t count = 1;
  unsigned plain_read = 0;        // place of one that meets an atomic
  // Of a race of a line with itself, what met what; both: x = x + 1.
  bool read_met_write = false, write_met_write = false;
  // Of a race: a read has taken part, or two writes left different values.
  bool values_matter = false;
  std::vector<Finding> variants;  // races of other kinds between the same lines
  // Of a race, and of an access beyond dynamic shared memory: the kernel; the array, if it is known, and its
  // name; whether the two threads are of one block. The launch that it was found in.
  uint64_t launch = 0;
  std::string kernel, array, array_name;
  bool in_block = false;
  std::vector<Finding> joined;    // findings of that kernel that are the same mistake
  std::optional<std::string> found_under;  // the schedule in words, of one that is added under another schedule
};
// Adds it, or counts it if it is known by kind and places.
void add_finding(Finding finding);
// Two plain writes of a race that is known: whether they wrote the same value shows when the second is made.
void note_write_race(const Finding& finding, uintptr_t address, unsigned bytes);
void settle_write_races();
extern bool write_races_open;
// How often, of all that is no note.
uint64_t findings_known();
// Prints what has been found since; called where a launch or the program ends.
void flush_findings();
// The kinds of findings: what they are called in the summary, and what they are about. The last one is for
// all others.
struct Kind {
  const char *id, *one, *many, *about;
};
const std::vector<Kind>& kinds();
bool is_error(const Finding& f);
// Counts a finding once more if it is known; false if it is new.
bool count_again(const Finding& finding);

extern uint64_t accesses_checked, launches_checked;

}  // namespace cpu_device::check
