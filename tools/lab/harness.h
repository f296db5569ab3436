// What a lab's harness.cu calls: it reads a case, calls the answer's function, and hands back what
// came. It does not know what is right. Results go to descriptor 3, or in a grading to memory that
// apart.h passes on. What the answer prints does not meet them.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "apart.h"
#include "protocol.h"

// Of a checked run: how many bytes kernels have written that the host has got, and whether an element is
// among them. Others lack these functions.
extern "C" {
__attribute__((weak)) size_t cpu_device_kernel_bytes();
__attribute__((weak)) bool cpu_device_from_kernel(const void* element, size_t bytes);
}

namespace lab {

// The next input of the case.
template <typename T>
std::vector<T> get() {
  std::vector<T> data;
  std::string problem;
  if (!read_block(STDIN_FILENO, &data, std::uint64_t(-1), &problem)) {
    std::fprintf(stderr, "harness: the input cannot be read: %s\n", problem.c_str());
    std::exit(1);
  }
  return data;
}

inline long get_number() { return get<long>().at(0); }

// Whether this run knows what kernels have written.
inline bool knows_kernels() {
  return &cpu_device_kernel_bytes != nullptr && cpu_device_kernel_bytes() != size_t(-1);
}

template <typename T>
void put_block(const std::vector<T>& data, BlockHead head) {
  if (put_bytes(&head, sizeof head) && put_bytes(data.data(), data.size() * sizeof(T))) return;
  std::fprintf(stderr, "harness: the result cannot be written; start this with ./lab check\n");
  std::exit(1);
}

// The next result. Kernels must have written each element, except those that are as they were `before`.
template <typename T>
void put(const std::vector<T>& data, const std::vector<T>& before = {}) {
  BlockHead head = head_of(data);
  if (knows_kernels()) {
    for (size_t i = data.size(); i-- > 0;) {
      if (i < before.size() && std::memcmp(&data[i], &before[i], sizeof(T)) == 0) continue;
      if (cpu_device_from_kernel(&data[i], sizeof(T))) continue;
      head.foreign++;
      head.first_foreign = i;
    }
  }
  put_block(data, head);
}

// The next result, for which the host has some of the work. Kernels must have written at least so many bytes.
template <typename T>
void put_of_host(const std::vector<T>& data, size_t least_of_kernels) {
  BlockHead head = head_of(data);
  if (least_of_kernels > 0 && knows_kernels() && cpu_device_kernel_bytes() < least_of_kernels)
    head.foreign = data.size();
  put_block(data, head);
}

// The end of every harness's main().
inline int done() {
  const bool put = put_bytes(kEndMark, sizeof kEndMark);
  if (put) complete();
  return put ? 0 : 1;
}

}  // namespace lab
