// Cooperative groups of whole blocks, written as the barrier and indices that they stand for, so that the kernel can become
// loops over its threads (block_loops.h).
//
//   cg::thread_block block = cg::this_thread_block();
//   tile[block.thread_rank()] = x;    becomes    tile[(threadIdx.x + blockDim.x * ...)] = x;
//   cg::sync(block);                             __syncthreads();
#pragma once

#include <cstdint>
#include <string>

#include "tokens.h"

namespace cpu_device {

// `void kernel(parameters) {body}` with line markers; empty if the kernel has no such group, or does more with one: parts
// of it, or hands it to a function.
std::string with_block_groups_written_out(const Tokens& tokens, uint32_t parameters, uint32_t body);

}  // namespace cpu_device
