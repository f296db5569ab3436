// Copies from global to shared memory that go on in the background on a GPU; here each is made when
// it is asked for.
#pragma once

#include <string.h>

#include "cuda_runtime.h"

static inline void __pipeline_memcpy_async(void* to, const void* from, size_t bytes,
                                           size_t zero_fill = 0) {
  __builtin_memcpy(to, from, bytes - zero_fill);
  __builtin_memset(static_cast<char*>(to) + (bytes - zero_fill), 0, zero_fill);
}
static inline void __pipeline_commit() {}
static inline void __pipeline_wait_prior(size_t) {}
