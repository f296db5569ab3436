// A second form of a kernel: the threads of a block as loops.
//
// A kernel that never waits, and whose code the rewriter understands, also gets, in addition to its thread function, a
// block function. It is cut at the barriers into regions; in each, 16 neighbors along x do statement by
// statement what the compiler can turn into vector instructions:
//
//   __global__ void scale(float* a, int n) {        [=](const BlockPlace& place) -> bool {
//     int i = blockIdx.x * blockDim.x + threadIdx.x;   return for_lanes(place, [&](auto lanes, threadIdx, ...) {
//     if (i < n) a[i] *= 2;                              int i = ...;        // of the first lane
//   }                                                    (all lanes have i < n, or refuse: one by one)
//                                                        for (lane ...) { const int i = first + lane; a[i] *= 2; }
//                                                      }); }
//
// Variables are of five kinds:
//   the same for all threads of the block, or of a row of it (same y and z), and never changed: computed
//     where they are needed;
//   counters, the same for all threads and changed for all at once: one for all;
//   first lane's value + lane: computed from the first lane's;
//   all others: one for each thread; in an array if they live longer than one loop over the lanes.
//
// Where threads leave before a barrier, or reach one under a condition, all are asked first. If they do not agree, the block
// function has done nothing and returns false: the block runs as ever.
//
// What is not understood, or could behave in another way, has no such form: it runs as ever. A block
// function that does not compile is left out (nvcc).
#pragma once

#include <cstdint>
#include <string>

#include "never_waits.h"
#include "tokens.h"

namespace cpu_device {

struct BlockLoop {
  std::string text;     // of a lambda; empty if there is none
  std::string problem;  // why
};
BlockLoop block_loop(const Tokens& tokens, NeverWaits& never_waits, uint32_t parameters, uint32_t body);

}  // namespace cpu_device
