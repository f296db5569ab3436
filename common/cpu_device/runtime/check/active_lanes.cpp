// CUDA promises only that the caller of __activemask() is active, and a checked run gives a program no more. A program that needs
// other lanes in the mask gives a wrong result then, and no access tells why.
#include "active_lanes.h"

#include <cstring>
#include <vector>

#include "findings.h"
#include "source_lines.h"

namespace cpu_device::check {

namespace {

struct Use {
  Site site;
  std::string kernel;
};
std::vector<Use>& uses_of_active_lanes() {
  static auto* all = new std::vector<Use>;
  return *all;
}

}  // namespace

void only_caller_is_active(Site site, const std::string& kernel) {
  for (const Use& known : uses_of_active_lanes())
    if (known.site.line == site.line && strcmp(known.site.file, site.file) == 0) return;
  uses_of_active_lanes().push_back({site, kernel});
}

void note_active_lanes(int exit_status) {
  if (exit_status == 0) return;
  const Muted quiet;
  for (const Use& use : uses_of_active_lanes()) {
    Finding note;
    note.kind = "shuffle";
    note.level = "note";
    note.place = place_of_call(use.site);
    note.title = "__activemask() contains only the calling lane, as CUDA allows, in kernel " + use.kernel;
    note.hint =
        "a result that needs the other lanes in the mask is wrong on some GPUs. Call __syncwarp() and use the mask of the lanes "
        "that must take part, such as the result of a __ballot_sync() before the branch.";
    add_finding(std::move(note));
  }
}

}  // namespace cpu_device::check
