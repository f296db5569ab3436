// Copies from global to shared memory that go on in the background on a GPU; here each is made when
// it is asked for.
#pragma once

#include <string.h>

#include "cpu_device/async_copies.h"
#include "cuda_runtime.h"

static inline void __pipeline_memcpy_async(void* to, const void* from, size_t bytes,
                                           size_t zero_fill = 0,
                                           cpu_device::Site site = cpu_device::Site::here()) {
  cpu_device::async_copy_aligned(to, from, bytes - zero_fill, zero_fill, site);
}
static inline void __pipeline_commit() { cpu_device::async_commit(); }
static inline void __pipeline_wait_prior(size_t newest) { cpu_device::async_wait_prior(newest); }
