// A kernel's calls of its own small lambdas, written out, so that it can become loops over its threads (block_loops.h).
//
//   auto at = [&nx](int y, int x) { return y * nx + x; };
//   out[at(y, x)] = in[at(y - 1, x)];    becomes    out[(int(y) * nx + int(x))] = in[(int(y - 1) * nx + int(x))];
#pragma once

#include <cstdint>
#include <string>

#include "tokens.h"

namespace cpu_device {

// `void kernel(parameters) {body}` with line markers; empty if the kernel has no lambda, or one that is not understood: with
// more than a `return`, with references, with variables of the kernel (parameters may be used), or not called by its name.
std::string with_lambda_calls_written_out(const Tokens& tokens, uint32_t parameters, uint32_t body);

}  // namespace cpu_device
