// Turns preprocessed CUDA C++ into plain C++ for the CPU device.
//
// The input is what `g++ -E` or `clang++ -E` wrote: comments and macros are gone, line markers
// (`# 12 "dot.cu"`) say where each line came from. Only what is not C++ is changed:
//
//   callee<<<g, b, bytes, stream>>>(args)  (::cpu_device::configure(g, b, bytes, stream),
//                                           callee(args))
//   __global__ void name(params) { body }  void name(params) { return ::cpu_device::kernel(
//                                           "name", [=]() mutable -> void { body }); }
//   __shared__ T x[4];                     static thread_local T x[4];
//   extern __shared__ T x[];               T (&x)[] = the block's dynamic shared memory
//   #pragma unroll 4                       #pragma GCC unroll 4 (before a loop, else nothing)
//   __noinline__                           __attribute__((noinline))
//   texture<float, 2> name;                ::cpu_device::TextureReference<float, 2> name;
//
// What is left on a changed line keeps its line and column: line markers and blanks are added
// where text grew, so that the compiler's messages and the debugger point into the user's file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cpu_device {

// Returns the rewritten text. For code that CUDA does not allow either (a launch without `>>>`,
// an initialized __shared__ variable, ...) adds lines such as
//   dot.cu:12: error: '<<<' without a matching '>>>'
// to `errors`, in the order of the text and at most 20 of them; the result is then worthless.
// `file_name` names the input up to the first line marker. `check`: for a checked run; kernels tell
// the names of their parameters, and __shared__ variables their names and sizes. `flatten`: kernels
// of a checked run get g++'s attribute of that name, see Rewriter::global(). `module`: the kernels can be found
// by their names when the result is loaded. `loops`: kernels get a second form, block_loops.h. `marks_text`: headers' functions
// that handle text are marked as not worth speed, split.h. Any bytes are accepted, time and
// memory grow linearly with the input.
std::string rewrite(std::string_view preprocessed, std::vector<std::string>& errors,
                    std::string_view file_name = "<stdin>", bool check = false,
                    bool flatten = true, bool module = false, bool loops = false,
                    bool marks_text = false);

}  // namespace cpu_device
