// The C library's assert on the host; in a kernel, CUDA's: the message names block and thread, and
// the launch fails with cudaErrorAssert. May be included again with another NDEBUG, as in C.
#include_next <assert.h>

#include "cpu_device/site.h"

namespace cpu_device {
void assertion_failed(const char* condition, Site site);
}

#ifndef NDEBUG
#undef assert
#define assert(condition)          \
  ((condition) ? static_cast<void>(0) \
               : ::cpu_device::assertion_failed(#condition, ::cpu_device::Site{__FILE__, __LINE__}))
#endif
