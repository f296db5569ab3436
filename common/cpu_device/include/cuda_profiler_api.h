// Starting and stopping a profiler from the program: there is none here, so nothing happens.
#pragma once

#include "cuda_runtime.h"

inline cudaError_t cudaProfilerStart() { return cudaSuccess; }
inline cudaError_t cudaProfilerStop() { return cudaSuccess; }
