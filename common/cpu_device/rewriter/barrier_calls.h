// A kernel's calls of functions with barriers, written out: only barriers that stand in the kernel itself can cut it into
// loops over its threads (block_loops.h).
//
//   __device__ float sum_of_block(float x, float* cache) { cache[threadIdx.x] = x; __syncthreads(); ... return cache[0]; }
//
//   float sum = sum_of_block(y, tile);    becomes    float cpu_device_result_0;
//                                                    {
//                                                      float x = (y);
//                                                      tile[threadIdx.x] = x; __syncthreads(); ...
//                                                      cpu_device_result_0 = (tile[0]);
//                                                    }
//                                                    float sum = cpu_device_result_0;
#pragma once

#include <cstdint>
#include <string>

#include "never_waits.h"
#include "tokens.h"

namespace cpu_device {

// `void kernel(parameters) {body}` with line markers; empty if the kernel has no such call, or one that is not understood:
// of a template or an overloaded function, with a `return` before its end, with references, or where a name would mean
// another variable than in the function.
std::string with_barrier_calls_written_out(const Tokens& tokens, const NeverWaits& never_waits, uint32_t parameters, uint32_t body);

}  // namespace cpu_device
