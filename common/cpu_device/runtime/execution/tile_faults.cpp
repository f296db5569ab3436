// Explains what tile kernels do wrong (include/cpu_device/tile_*.h).
#include <stddef.h>

#include "engine.h"

namespace cpu_device {

namespace {
[[noreturn]] void end(const std::string& what, const std::string& hint, Site site,
                      const char* kind) {
  this_worker->abort_grid(cudaErrorIllegalAddress,
                          failure_at(site, what + where_in_kernel(), hint, kind));
  __builtin_unreachable();
}
}  // namespace

[[noreturn]] void tile_fault(const char* what, const char* hint, Site site) {
  end(what, hint, site, "other");
}

[[noreturn]] void tile_outside(const char* function, const ptrdiff_t* begin, const size_t* size,
                               const ptrdiff_t* extent, size_t rank, bool altogether, Site site) {
  std::string covered, array;
  for (size_t d = 0; d < rank; d++) {
    covered += format("%s%td to %td", d > 0 ? ", " : "", begin[d],
                      begin[d] + static_cast<ptrdiff_t>(size[d]) - 1);
    array += format("%s%td", d > 0 ? " x " : "", extent[d]);
  }
  const std::string what = format("%s() of a view: the tile covers elements (", function) + covered +
                           (altogether ? "), all outside of the array of " : "), beyond the array of ") +
                           array;
  end(what,
      altogether ? "start fewer blocks, or take fewer steps: a masked load or store is for tiles "
                   "that are partly inside"
                 : "use load_masked() and store_masked(): they leave out what is outside",
      site, "out of bounds");
}

}  // namespace cpu_device
