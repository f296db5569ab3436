// CCCL 3.0's own text for the host calls thrust::transform_if() here without declaring it, so that a program
// that includes <thrust/scan.h> or <thrust/copy.h> and not <thrust/transform.h> does not compile.
#pragma once
#define CPU_DEVICE_BRING_LATER
#include <thrust/transform.h>
#undef CPU_DEVICE_BRING_LATER

#include_next <thrust/scatter.h>

#include <thrust/detail/brought.h>
