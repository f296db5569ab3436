// Reductions in the shape of a tree, as on a GPU: 2^25 ones sum up to 2^25 in float. One after the other they
// would stop at 2^24, where adding 1 changes nothing.
#pragma once

#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

namespace cpu_device {

// Reduces [begin, end) and `initial` in order, so the operation need not commute. Elements are combined one
// after the other in runs of 256 and then pairwise: partial i covers a power of two of runs, and no two
// partials cover the same number.
template <typename Value, typename Iterator, typename Operation>
Value reduce_pairwise(Iterator begin, Iterator end, Value initial, Operation operation) {
  constexpr int kRun = 256;
  std::vector<Value> partials;
  for (size_t runs = 0; begin != end; runs++) {
    Value run = static_cast<Value>(*begin);
    ++begin;
    for (int i = 1; i < kRun && begin != end; i++, ++begin) run = static_cast<Value>(operation(run, *begin));
    for (size_t merges = runs; merges & 1; merges >>= 1) {
      run = static_cast<Value>(operation(partials.back(), run));
      partials.pop_back();
    }
    partials.push_back(std::move(run));
  }
  if (partials.empty()) return initial;
  Value total = std::move(partials.back());
  partials.pop_back();
  for (; !partials.empty(); partials.pop_back())
    total = static_cast<Value>(operation(partials.back(), total));
  return static_cast<Value>(operation(initial, total));
}

}  // namespace cpu_device
