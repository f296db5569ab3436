// Errors in words: where, what, the line of source, and how to fix it.
#pragma once

#include <string>

#include "../../include/cuda_runtime.h"

namespace cpu_device {

std::string format(const char* text, ...) __attribute__((format(printf, 1, 2)));
// "(3,0,0)"
std::string in_words(dim3 index);

// Prints an explanation on stderr: where, what, the line of source if it can be read, and a hint.
// `kind` is what a checked run calls it (check/findings.cpp).
void explain(Site site, const std::string& what, const std::string& hint = "",
             const char* kind = "other");
// Hints for an access beyond the end of an array, and before its start.
constexpr const char* kIndexTooLarge = "compare the index with the size of the array: `if (i < n)`.";
constexpr const char* kIndexNegative = "the index is negative. Access a[i - 1] only `if (i > 0)`.";
// Remembers the error for cudaGetLastError and returns it.
cudaError_t fail(cudaError_t error);
// The same, with an explanation.
cudaError_t fail(cudaError_t error, Site site, const std::string& what,
                 const std::string& hint = "", const char* kind = "wrong-pointer");
// cudaErrorInvalidValue for flags that `function` does not have.
cudaError_t refuse_flags(const char* function, unsigned int flags, const char* allowed, Site site);

// The launch of a kernel that failed, until the program asks for the error.
void note_failure(Site site);
Site unnoticed_failure();

// "file:line" of the first of these program addresses that lies in the learner's own files, looked up
// with addr2line; file is empty if unknown. Slow: for use after an error only. Addresses are return
// addresses, innermost first.
struct Place {
  std::string file;
  int line = 0;
};
Place place_of(const void* const* program_counters, int count);
// Remembers $PATH, in which addr2line is looked up: a crash may overwrite the environment.
void remember_path();

}  // namespace cpu_device
