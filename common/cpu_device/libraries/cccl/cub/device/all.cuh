// CUB's algorithms for whole arrays, each done by one thread of one kernel: in the order of its
// stream, with CUB's results. The temporary memory that CUB asks for is not needed. What calls a function
// of the program for each element by itself (DeviceFor, DeviceTransform) has a thread for each, as on a GPU.
#pragma once

#include <cpu_device/reduce_pairwise.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <cub/util_type.cuh>
#include <cub/version.cuh>
#if CUB_VERSION >= 200700
#include <cuda/std/tuple>
#endif
#include <iterator>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

CUB_NAMESPACE_BEGIN

namespace cpu_device_details {

// The first call, without memory, asks how much is needed; the second does the work.
template <typename Work>
inline cudaError_t run(const char* name, void* memory, size_t& bytes, cudaStream_t stream,
                       const Work& work) {
  if (memory == nullptr) {
    bytes = 1;
    return cudaSuccess;
  }
  ::cpu_device::configure(dim3(1), dim3(1), 0, stream);
  ::cpu_device::kernel(name, [=]() mutable -> void { work(); });
  return cudaPeekAtLastError();
}

template <typename Iterator>
using Value = std::remove_cv_t<std::remove_reference_t<decltype(*std::declval<Iterator>())>>;
// What an algorithm computes with: the result's type, unless that is written to an iterator without
// one.
template <typename In, typename Out>
using Sum =
    std::conditional_t<std::is_constructible_v<Value<Out>, Value<In>>, Value<Out>, Value<In>>;

struct Add {
  template <typename A, typename B>
  auto operator()(const A& a, const B& b) const {
    return a + b;
  }
};
struct Equal {
  template <typename A, typename B>
  bool operator()(const A& a, const B& b) const {
    return a == b;
  }
};
struct Subtract {
  template <typename A, typename B>
  auto operator()(const A& a, const B& b) const {
    return a - b;
  }
};
struct Less {
  template <typename A, typename B>
  bool operator()(const A& a, const B& b) const {
    return a < b;
  }
};

template <typename Accumulator, typename In, typename N, typename Operation>
inline Accumulator fold(In in, N first, N last, Operation operation, Accumulator total) {
  return ::cpu_device::reduce_pairwise<Accumulator>(in + first, in + last, total, operation);
}
// The first place whose value is better than all others'.
template <typename In, typename N, typename Better>
inline N best(In in, N first, N last, Better better) {
  N found = first;
  for (N i = first; i < last; i++)
    if (better(in[i], in[found])) found = i;
  return found;
}

// An unsigned number in the order of the keys, of which a radix sort looks at some bits.
template <typename Key>
inline uint64_t radix(const Key& key, int begin_bit, int end_bit) {
  static_assert(sizeof(Key) <= 8, "radix sort of keys of at most 8 bytes");
  uint64_t bits = 0;
  memcpy(&bits, &key, sizeof(Key));
  const uint64_t sign = uint64_t(1) << (8 * sizeof(Key) - 1);
  const uint64_t all = sign | (sign - 1);
  if (std::is_integral_v<Key>) {
    if (std::is_signed_v<Key>) bits ^= sign;
  } else {
    if (bits == sign) bits = 0;  // -0 is sorted as 0
    bits = bits & sign ? ~bits & all : bits | sign;
  }
  const uint64_t above = end_bit >= 64 ? ~uint64_t(0) : (uint64_t(1) << end_bit) - 1;
  return (bits & above) >> begin_bit;
}

template <typename N, typename Before>
inline std::vector<N> sorted_places(N first, N last, Before before) {
  std::vector<N> places(static_cast<size_t>(last - first));
  for (N i = first; i < last; i++) places[static_cast<size_t>(i - first)] = i;
  std::stable_sort(places.begin(), places.end(), before);
  return places;
}
template <typename In, typename Out, typename N>
inline void permute(In in, Out out, N first, const std::vector<N>& places) {
  std::vector<Value<In>> moved;
  for (const N place : places) moved.push_back(in[place]);
  for (size_t i = 0; i < moved.size(); i++) out[first + static_cast<N>(i)] = moved[i];
}
template <typename Key, typename Item, typename N>
inline void radix_sort(const Key* keys, Key* keys_out, const Item* items, Item* items_out, N first,
                       N last, int begin_bit, int end_bit, bool descending) {
  const std::vector<N> places = sorted_places(first, last, [=](N a, N b) {
    const uint64_t one = radix(keys[a], begin_bit, end_bit),
                   two = radix(keys[b], begin_bit, end_bit);
    return descending ? two < one : one < two;
  });
  if (items_out != nullptr) permute(items, items_out, first, places);
  permute(keys, keys_out, first, places);
}

}  // namespace cpu_device_details

struct DeviceReduce {
  template <typename In, typename Out, typename N, typename Operation, typename T>
  static cudaError_t Reduce(void* memory, size_t& bytes, In in, Out out, N n, Operation operation,
                            T initial, cudaStream_t stream = 0, bool = false) {
    return cpu_device_details::run("cub::DeviceReduce", memory, bytes, stream, [=] {
      *out = cpu_device_details::fold(in, N(0), n, operation, initial);
    });
  }
  template <typename In, typename Out, typename N>
  static cudaError_t Sum(void* memory, size_t& bytes, In in, Out out, N n, cudaStream_t stream = 0,
                         bool = false) {
    using Accumulator = cpu_device_details::Sum<In, Out>;
    return Reduce(memory, bytes, in, out, n, cpu_device_details::Add(), Accumulator(), stream);
  }
  template <typename In, typename Out, typename N>
  static cudaError_t Min(void* memory, size_t& bytes, In in, Out out, N n, cudaStream_t stream = 0,
                         bool = false) {
    return cpu_device_details::run("cub::DeviceReduce", memory, bytes, stream, [=] {
      using T = cpu_device_details::Value<In>;
      if (n == 0)
        *out = std::numeric_limits<T>::max();
      else
        *out = in[cpu_device_details::best(in, N(0), n, cpu_device_details::Less())];
    });
  }
  template <typename In, typename Out, typename N>
  static cudaError_t Max(void* memory, size_t& bytes, In in, Out out, N n, cudaStream_t stream = 0,
                         bool = false) {
    return cpu_device_details::run("cub::DeviceReduce", memory, bytes, stream, [=] {
      using T = cpu_device_details::Value<In>;
      const auto greater = [](const T& a, const T& b) { return b < a; };
      if (n == 0)
        *out = std::numeric_limits<T>::lowest();
      else
        *out = in[cpu_device_details::best(in, N(0), n, greater)];
    });
  }
  template <typename In, typename Out, typename N>
  static cudaError_t ArgMin(void* memory, size_t& bytes, In in, Out out, N n,
                            cudaStream_t stream = 0, bool = false) {
    return cpu_device_details::run("cub::DeviceReduce", memory, bytes, stream, [=] {
      const N place = cpu_device_details::best(in, N(0), n, cpu_device_details::Less());
      out[0].key = static_cast<decltype(out[0].key)>(place);
      out[0].value = in[place];
    });
  }
  template <typename In, typename Out, typename N>
  static cudaError_t ArgMax(void* memory, size_t& bytes, In in, Out out, N n,
                            cudaStream_t stream = 0, bool = false) {
    return cpu_device_details::run("cub::DeviceReduce", memory, bytes, stream, [=] {
      using T = cpu_device_details::Value<In>;
      const N place =
          cpu_device_details::best(in, N(0), n, [](const T& a, const T& b) { return b < a; });
      out[0].key = static_cast<decltype(out[0].key)>(place);
      out[0].value = in[place];
    });
  }
  template <typename In, typename Out, typename N, typename Operation, typename Transform,
            typename T>
  static cudaError_t TransformReduce(void* memory, size_t& bytes, In in, Out out, N n,
                                     Operation operation, Transform transform, T initial,
                                     cudaStream_t stream = 0) {
    return cpu_device_details::run("cub::DeviceReduce", memory, bytes, stream, [=] {
      T total = initial;
      for (N i = 0; i < n; i++) total = operation(total, transform(in[i]));
      *out = total;
    });
  }
  template <typename Keys, typename Unique, typename Values, typename Sums, typename Count,
            typename Operation, typename N>
  static cudaError_t ReduceByKey(void* memory, size_t& bytes, Keys keys, Unique unique,
                                 Values values, Sums sums, Count count, Operation operation, N n,
                                 cudaStream_t stream = 0, bool = false) {
    return cpu_device_details::run("cub::DeviceReduce", memory, bytes, stream, [=] {
      N runs = 0;
      for (N i = 0; i < n; runs++) {
        cpu_device_details::Value<Values> total = values[i];
        unique[runs] = keys[i];
        for (i++; i < n && keys[i] == keys[i - 1]; i++) total = operation(total, values[i]);
        sums[runs] = total;
      }
      *count = static_cast<cpu_device_details::Value<Count>>(runs);
    });
  }
};

struct DeviceScan {
  template <typename In, typename Out, typename Operation, typename T, typename N>
  static cudaError_t ExclusiveScan(void* memory, size_t& bytes, In in, Out out, Operation operation,
                                   T initial, N n, cudaStream_t stream = 0, bool = false) {
    return cpu_device_details::run("cub::DeviceScan", memory, bytes, stream, [=] {
      T total = initial;
      for (N i = 0; i < n; i++) {
        const cpu_device_details::Value<In> value = in[i];  // `out` may be `in`
        out[i] = total;
        total = operation(total, value);
      }
    });
  }
  template <typename In, typename Out, typename Operation, typename N>
  static cudaError_t InclusiveScan(void* memory, size_t& bytes, In in, Out out, Operation operation,
                                   N n, cudaStream_t stream = 0, bool = false) {
    return cpu_device_details::run("cub::DeviceScan", memory, bytes, stream, [=] {
      if (n == 0) return;
      cpu_device_details::Sum<In, Out> total = in[0];
      out[0] = total;
      for (N i = 1; i < n; i++) out[i] = total = operation(total, in[i]);
    });
  }
  template <typename In, typename Out, typename N>
  static cudaError_t ExclusiveSum(void* memory, size_t& bytes, In in, Out out, N n,
                                  cudaStream_t stream = 0, bool = false) {
    return ExclusiveScan(memory, bytes, in, out, cpu_device_details::Add(),
                         cpu_device_details::Sum<In, Out>(), n, stream);
  }
  template <typename In, typename Out, typename N>
  static cudaError_t InclusiveSum(void* memory, size_t& bytes, In in, Out out, N n,
                                  cudaStream_t stream = 0, bool = false) {
    return InclusiveScan(memory, bytes, in, out, cpu_device_details::Add(), n, stream);
  }
  template <typename T>
  static cudaError_t ExclusiveSum(void* memory, size_t& bytes, T* data, int n,
                                  cudaStream_t stream = 0) {
    return ExclusiveSum(memory, bytes, data, data, n, stream);
  }
  template <typename T>
  static cudaError_t InclusiveSum(void* memory, size_t& bytes, T* data, int n,
                                  cudaStream_t stream = 0) {
    return InclusiveSum(memory, bytes, data, data, n, stream);
  }

  // By key: begins again where the key is not that of the element before.
  template <typename Keys, typename In, typename Out, typename Operation, typename T, typename N,
            typename Same = cpu_device_details::Equal>
  static cudaError_t ExclusiveScanByKey(void* memory, size_t& bytes, Keys keys, In in, Out out, Operation operation,
                                        T initial, N n, Same same = {}, cudaStream_t stream = 0) {
    return cpu_device_details::run("cub::DeviceScan", memory, bytes, stream, [=] {
      T total = initial;
      cpu_device_details::Value<Keys> key{};  // of the element before: `out` may be `keys`
      for (N i = 0; i < n; i++) {
        const cpu_device_details::Value<Keys> here = keys[i];
        const cpu_device_details::Value<In> value = in[i];
        if (i > 0 && !same(key, here)) total = initial;
        key = here;
        out[i] = total;
        total = operation(total, value);
      }
    });
  }
  template <typename Keys, typename In, typename Out, typename Operation, typename N,
            typename Same = cpu_device_details::Equal>
  static cudaError_t InclusiveScanByKey(void* memory, size_t& bytes, Keys keys, In in, Out out, Operation operation,
                                        N n, Same same = {}, cudaStream_t stream = 0) {
    return cpu_device_details::run("cub::DeviceScan", memory, bytes, stream, [=] {
      if (n == 0) return;
      cpu_device_details::Value<Keys> key = keys[0];
      cpu_device_details::Sum<In, Out> total = in[0];
      out[0] = total;
      for (N i = 1; i < n; i++) {
        const cpu_device_details::Value<Keys> here = keys[i];
        if (same(key, here))
          total = operation(total, in[i]);
        else
          total = in[i];
        key = here;
        out[i] = total;
      }
    });
  }
  template <typename Keys, typename In, typename Out, typename N, typename Same = cpu_device_details::Equal>
  static cudaError_t ExclusiveSumByKey(void* memory, size_t& bytes, Keys keys, In in, Out out, N n, Same same = {},
                                       cudaStream_t stream = 0) {
    return ExclusiveScanByKey(memory, bytes, keys, in, out, cpu_device_details::Add(),
                              cpu_device_details::Sum<In, Out>(), n, same, stream);
  }
  template <typename Keys, typename In, typename Out, typename N, typename Same = cpu_device_details::Equal>
  static cudaError_t InclusiveSumByKey(void* memory, size_t& bytes, Keys keys, In in, Out out, N n, Same same = {},
                                       cudaStream_t stream = 0) {
    return InclusiveScanByKey(memory, bytes, keys, in, out, cpu_device_details::Add(), n, same, stream);
  }
};

struct DeviceRadixSort {
#define CPU_DEVICE_SORT(NAME, DESCENDING)                                                         \
  template <typename Key, typename N>                                                             \
  static cudaError_t SortKeys##NAME(void* memory, size_t& bytes, const Key* in, Key* out, N n,    \
                                    int begin_bit = 0, int end_bit = 8 * sizeof(Key),             \
                                    cudaStream_t stream = 0, bool = false) {                      \
    return cpu_device_details::run("cub::DeviceRadixSort", memory, bytes, stream, [=] {           \
      cpu_device_details::radix_sort<Key, Key, N>(in, out, nullptr, nullptr, 0, n, begin_bit,     \
                                                  end_bit, DESCENDING);                           \
    });                                                                                           \
  }                                                                                               \
  template <typename Key, typename N>                                                             \
  static cudaError_t SortKeys##NAME(void* memory, size_t& bytes, DoubleBuffer<Key>& keys, N n,    \
                                    int begin_bit = 0, int end_bit = 8 * sizeof(Key),             \
                                    cudaStream_t stream = 0, bool = false) {                      \
    const cudaError_t error = SortKeys##NAME(memory, bytes, keys.Current(), keys.Alternate(), n,  \
                                             begin_bit, end_bit, stream);                         \
    if (memory != nullptr) keys.selector ^= 1;                                                    \
    return error;                                                                                 \
  }                                                                                               \
  template <typename Key, typename Item, typename N>                                              \
  static cudaError_t SortPairs##NAME(void* memory, size_t& bytes, const Key* keys, Key* keys_out, \
                                     const Item* items, Item* items_out, N n, int begin_bit = 0,  \
                                     int end_bit = 8 * sizeof(Key), cudaStream_t stream = 0,      \
                                     bool = false) {                                              \
    return cpu_device_details::run("cub::DeviceRadixSort", memory, bytes, stream, [=] {           \
      cpu_device_details::radix_sort(keys, keys_out, items, items_out, N(0), n, begin_bit,        \
                                     end_bit, DESCENDING);                                        \
    });                                                                                           \
  }                                                                                               \
  template <typename Key, typename Item, typename N>                                              \
  static cudaError_t SortPairs##NAME(                                                             \
      void* memory, size_t& bytes, DoubleBuffer<Key>& keys, DoubleBuffer<Item>& items, N n,       \
      int begin_bit = 0, int end_bit = 8 * sizeof(Key), cudaStream_t stream = 0, bool = false) {  \
    const cudaError_t error =                                                                     \
        SortPairs##NAME(memory, bytes, keys.Current(), keys.Alternate(), items.Current(),         \
                        items.Alternate(), n, begin_bit, end_bit, stream);                        \
    if (memory != nullptr) {                                                                      \
      keys.selector ^= 1;                                                                         \
      items.selector ^= 1;                                                                        \
    }                                                                                             \
    return error;                                                                                 \
  }
  CPU_DEVICE_SORT(, false)
  CPU_DEVICE_SORT(Descending, true)
#undef CPU_DEVICE_SORT
};

struct DeviceMergeSort {
  template <typename Keys, typename N, typename Before>
  static cudaError_t SortKeys(void* memory, size_t& bytes, Keys keys, N n, Before before,
                              cudaStream_t stream = 0) {
    return cpu_device_details::run("cub::DeviceMergeSort", memory, bytes, stream,
                                   [=] { std::stable_sort(keys, keys + n, before); });
  }
  template <typename Keys, typename Items, typename N, typename Before>
  static cudaError_t SortPairs(void* memory, size_t& bytes, Keys keys, Items items, N n,
                               Before before, cudaStream_t stream = 0) {
    return cpu_device_details::run("cub::DeviceMergeSort", memory, bytes, stream, [=] {
      const auto places = cpu_device_details::sorted_places(
          N(0), n, [=](N a, N b) { return before(keys[a], keys[b]); });
      cpu_device_details::permute(items, items, N(0), places);
      cpu_device_details::permute(keys, keys, N(0), places);
    });
  }
  template <typename Keys, typename N, typename Before>
  static cudaError_t StableSortKeys(void* memory, size_t& bytes, Keys keys, N n, Before before,
                                    cudaStream_t stream = 0) {
    return SortKeys(memory, bytes, keys, n, before, stream);
  }
  template <typename Keys, typename Items, typename N, typename Before>
  static cudaError_t StableSortPairs(void* memory, size_t& bytes, Keys keys, Items items, N n,
                                     Before before, cudaStream_t stream = 0) {
    return SortPairs(memory, bytes, keys, items, n, before, stream);
  }
};

struct DeviceSelect {
  template <typename In, typename Out, typename Count, typename N, typename Test>
  static cudaError_t If(void* memory, size_t& bytes, In in, Out out, Count count, N n, Test test,
                        cudaStream_t stream = 0, bool = false) {
    return cpu_device_details::run("cub::DeviceSelect", memory, bytes, stream, [=] {
      N chosen = 0;
      for (N i = 0; i < n; i++)
        if (test(in[i])) out[chosen++] = in[i];
      *count = static_cast<cpu_device_details::Value<Count>>(chosen);
    });
  }
  template <typename In, typename Flags, typename Out, typename Count, typename N>
  static cudaError_t Flagged(void* memory, size_t& bytes, In in, Flags flags, Out out, Count count,
                             N n, cudaStream_t stream = 0, bool = false) {
    return cpu_device_details::run("cub::DeviceSelect", memory, bytes, stream, [=] {
      N chosen = 0;
      for (N i = 0; i < n; i++)
        if (flags[i]) out[chosen++] = in[i];
      *count = static_cast<cpu_device_details::Value<Count>>(chosen);
    });
  }
  template <typename In, typename Out, typename Count, typename N>
  static cudaError_t Unique(void* memory, size_t& bytes, In in, Out out, Count count, N n,
                            cudaStream_t stream = 0, bool = false) {
    return cpu_device_details::run("cub::DeviceSelect", memory, bytes, stream, [=] {
      N chosen = 0;
      for (N i = 0; i < n; i++)
        if (i == 0 || !(in[i] == in[i - 1])) out[chosen++] = in[i];
      *count = static_cast<cpu_device_details::Value<Count>>(chosen);
    });
  }
};

// What is chosen comes first, the rest after it, in reversed order.
struct DevicePartition {
  template <typename In, typename Out, typename Count, typename N, typename Test>
  static cudaError_t If(void* memory, size_t& bytes, In in, Out out, Count count, N n, Test test,
                        cudaStream_t stream = 0, bool = false) {
    return cpu_device_details::run("cub::DevicePartition", memory, bytes, stream, [=] {
      N chosen = 0, rest = n;
      for (N i = 0; i < n; i++) out[test(in[i]) ? chosen++ : --rest] = in[i];
      *count = static_cast<cpu_device_details::Value<Count>>(chosen);
    });
  }
  template <typename In, typename Flags, typename Out, typename Count, typename N>
  static cudaError_t Flagged(void* memory, size_t& bytes, In in, Flags flags, Out out, Count count,
                             N n, cudaStream_t stream = 0, bool = false) {
    return cpu_device_details::run("cub::DevicePartition", memory, bytes, stream, [=] {
      N chosen = 0, rest = n;
      for (N i = 0; i < n; i++) out[flags[i] ? chosen++ : --rest] = in[i];
      *count = static_cast<cpu_device_details::Value<Count>>(chosen);
    });
  }
};

struct DeviceRunLengthEncode {
  template <typename In, typename Unique, typename Lengths, typename Count, typename N>
  static cudaError_t Encode(void* memory, size_t& bytes, In in, Unique unique, Lengths lengths,
                            Count count, N n, cudaStream_t stream = 0, bool = false) {
    return cpu_device_details::run("cub::DeviceRunLengthEncode", memory, bytes, stream, [=] {
      N runs = 0;
      for (N i = 0; i < n; runs++) {
        const N first = i;
        unique[runs] = in[i];
        for (i++; i < n && in[i] == in[i - 1];) i++;
        lengths[runs] = static_cast<cpu_device_details::Value<Lengths>>(i - first);
      }
      *count = static_cast<cpu_device_details::Value<Count>>(runs);
    });
  }
};

struct DeviceHistogram {
  // `levels` bounds of levels - 1 bins of the same width, as far as whole numbers allow, from `low` up to, and without, `high`.
  template <typename In, typename Counter, typename Level, typename N>
  static cudaError_t HistogramEven(void* memory, size_t& bytes, In in, Counter* bins, int levels,
                                   Level low, Level high, N n, cudaStream_t stream = 0,
                                   bool = false) {
    return cpu_device_details::run("cub::DeviceHistogram", memory, bytes, stream, [=] {
      std::fill_n(bins, levels - 1, Counter(0));
      const int count = levels - 1;
      for (N i = 0; i < n; i++) {
        const Level value = static_cast<Level>(in[i]);
        if (!(value >= low && value < high)) continue;
        int bin;
        if constexpr (std::is_integral_v<Level>) {  // six bins of 21 numbers are not all as wide
          using Wide = unsigned long long;
          const Wide first = static_cast<Wide>(low);
          bin = static_cast<int>((static_cast<Wide>(value) - first) * count / (static_cast<Wide>(high) - first));
        } else {
          bin = std::min(static_cast<int>((value - low) / ((high - low) / static_cast<Level>(count))), count - 1);
        }
        ++bins[bin];
      }
    });
  }
  template <typename In, typename Counter, typename Level, typename N>
  static cudaError_t HistogramRange(void* memory, size_t& bytes, In in, Counter* bins, int levels,
                                    const Level* bounds, N n, cudaStream_t stream = 0,
                                    bool = false) {
    return cpu_device_details::run("cub::DeviceHistogram", memory, bytes, stream, [=] {
      std::fill_n(bins, levels - 1, Counter(0));
      for (N i = 0; i < n; i++) {
        const auto bin =
            std::upper_bound(bounds, bounds + levels, static_cast<Level>(in[i])) - bounds;
        if (bin > 0 && bin < levels) ++bins[bin - 1];
      }
    });
  }
};

struct DeviceSegmentedReduce {
  template <typename In, typename Out, typename Begin, typename End, typename Operation, typename T>
  static cudaError_t Reduce(void* memory, size_t& bytes, In in, Out out, int segments, Begin begin,
                            End end, Operation operation, T initial, cudaStream_t stream = 0,
                            bool = false) {
    return cpu_device_details::run("cub::DeviceSegmentedReduce", memory, bytes, stream, [=] {
      for (int s = 0; s < segments; s++)
        out[s] = cpu_device_details::fold(in, static_cast<long long>(begin[s]),
                                          static_cast<long long>(end[s]), operation, initial);
    });
  }
  template <typename In, typename Out, typename Begin, typename End>
  static cudaError_t Sum(void* memory, size_t& bytes, In in, Out out, int segments, Begin begin,
                         End end, cudaStream_t stream = 0, bool = false) {
    return Reduce(memory, bytes, in, out, segments, begin, end, cpu_device_details::Add(),
                  cpu_device_details::Sum<In, Out>(), stream);
  }
  template <typename In, typename Out, typename Begin, typename End>
  static cudaError_t Max(void* memory, size_t& bytes, In in, Out out, int segments, Begin begin,
                         End end, cudaStream_t stream = 0, bool = false) {
    using T = cpu_device_details::Value<In>;
    return Reduce(
        memory, bytes, in, out, segments, begin, end,
        [](const T& a, const T& b) { return a < b ? b : a; }, std::numeric_limits<T>::lowest(),
        stream);
  }
  template <typename In, typename Out, typename Begin, typename End>
  static cudaError_t Min(void* memory, size_t& bytes, In in, Out out, int segments, Begin begin,
                         End end, cudaStream_t stream = 0, bool = false) {
    using T = cpu_device_details::Value<In>;
    return Reduce(
        memory, bytes, in, out, segments, begin, end,
        [](const T& a, const T& b) { return b < a ? b : a; }, std::numeric_limits<T>::max(),
        stream);
  }
};

struct DeviceSegmentedRadixSort {
  template <typename Key, typename Begin, typename End>
  static cudaError_t SortKeys(void* memory, size_t& bytes, const Key* in, Key* out, int,
                              int segments, Begin begin, End end, int begin_bit = 0,
                              int end_bit = 8 * sizeof(Key), cudaStream_t stream = 0,
                              bool = false) {
    return cpu_device_details::run("cub::DeviceSegmentedRadixSort", memory, bytes, stream, [=] {
      for (int s = 0; s < segments; s++)
        cpu_device_details::radix_sort<Key, Key, long long>(in, out, nullptr, nullptr, begin[s],
                                                            end[s], begin_bit, end_bit, false);
    });
  }
  template <typename Key, typename Item, typename Begin, typename End>
  static cudaError_t SortPairs(void* memory, size_t& bytes, const Key* keys, Key* keys_out,
                               const Item* items, Item* items_out, int, int segments, Begin begin,
                               End end, int begin_bit = 0, int end_bit = 8 * sizeof(Key),
                               cudaStream_t stream = 0, bool = false) {
    return cpu_device_details::run("cub::DeviceSegmentedRadixSort", memory, bytes, stream, [=] {
      for (int s = 0; s < segments; s++)
        cpu_device_details::radix_sort<Key, Item, long long>(
            keys, keys_out, items, items_out, begin[s], end[s], begin_bit, end_bit, false);
    });
  }
};

namespace cpu_device_details {

// A thread for each i of `work(i)`: threads that get into each other's way are the program's mistake.
template <typename N, typename Work>
inline cudaError_t for_each(const char* name, N n, cudaStream_t stream, Work work) {
  constexpr unsigned threads = 256, most_blocks = 65535;
  if (n <= 0) return cudaSuccess;
  const uint64_t blocks = (static_cast<uint64_t>(n) + threads - 1) / threads;
  ::cpu_device::configure(dim3(static_cast<unsigned>(std::min<uint64_t>(blocks, most_blocks))), dim3(threads), 0,
                          stream);
  ::cpu_device::kernel(name, [=]() mutable -> void {
    for (uint64_t i = uint64_t(blockIdx.x) * threads + threadIdx.x; i < static_cast<uint64_t>(n);
         i += uint64_t(gridDim.x) * threads)
      work(static_cast<N>(i));
  });
  return cudaPeekAtLastError();
}

}  // namespace cpu_device_details

// Each also with the two arguments for temporary memory, which it does not need.
#define CPU_DEVICE_WITH_MEMORY(NAME)                                                                 \
  template <typename... Arguments>                                                                   \
  static cudaError_t NAME(void* memory, size_t& bytes, Arguments... arguments) {                     \
    if (memory != nullptr) return NAME(arguments...);                                                \
    bytes = 1;                                                                                       \
    return cudaSuccess;                                                                              \
  }

struct DeviceFor {
  template <typename N, typename Operation, typename = std::enable_if_t<std::is_integral_v<N>>>
  static cudaError_t Bulk(N n, Operation operation, cudaStream_t stream = 0) {
    return cpu_device_details::for_each("cub::DeviceFor", n, stream,
                                        [=](N i) mutable { (void)operation(i); });
  }
  template <typename In, typename N, typename Operation, typename = std::enable_if_t<std::is_integral_v<N>>>
  static cudaError_t ForEachN(In first, N n, Operation operation, cudaStream_t stream = 0) {
    return cpu_device_details::for_each("cub::DeviceFor", n, stream,
                                        [=](N i) mutable { (void)operation(first[i]); });
  }
  template <typename In, typename Operation>
  static cudaError_t ForEach(In first, In last, Operation operation, cudaStream_t stream = 0) {
    return ForEachN(first, last - first, operation, stream);
  }
  template <typename In, typename N, typename Operation, typename = std::enable_if_t<std::is_integral_v<N>>>
  static cudaError_t ForEachCopyN(In first, N n, Operation operation, cudaStream_t stream = 0) {
    return cpu_device_details::for_each("cub::DeviceFor", n, stream, [=](N i) mutable {
      cpu_device_details::Value<In> copy = first[i];
      (void)operation(copy);
    });
  }
  template <typename In, typename Operation>
  static cudaError_t ForEachCopy(In first, In last, Operation operation, cudaStream_t stream = 0) {
    return ForEachCopyN(first, last - first, operation, stream);
  }
  CPU_DEVICE_WITH_MEMORY(Bulk)
  CPU_DEVICE_WITH_MEMORY(ForEachN)
  CPU_DEVICE_WITH_MEMORY(ForEach)
  CPU_DEVICE_WITH_MEMORY(ForEachCopyN)
  CPU_DEVICE_WITH_MEMORY(ForEachCopy)
};

#if CUB_VERSION >= 200700
struct DeviceTransform {
  template <typename... In, typename Out, typename N, typename Operation>
  static cudaError_t Transform(::cuda::std::tuple<In...> in, Out out, N n, Operation operation,
                               cudaStream_t stream = 0) {
    return cpu_device_details::for_each("cub::DeviceTransform", n, stream, [=](N i) mutable {
      out[i] = ::cuda::std::apply([&](auto&... one) { return operation(one[i]...); }, in);
    });
  }
  template <typename In, typename Out, typename N, typename Operation,
            typename = std::enable_if_t<std::is_integral_v<N>>>
  static cudaError_t Transform(In in, Out out, N n, Operation operation, cudaStream_t stream = 0) {
    return cpu_device_details::for_each("cub::DeviceTransform", n, stream,
                                        [=](N i) mutable { out[i] = operation(in[i]); });
  }
  template <typename Out, typename N, typename Value>
  static cudaError_t Fill(Out out, N n, Value value, cudaStream_t stream = 0) {
    return cpu_device_details::for_each("cub::DeviceTransform", n, stream, [=](N i) mutable { out[i] = value; });
  }
  CPU_DEVICE_WITH_MEMORY(Transform)
  CPU_DEVICE_WITH_MEMORY(Fill)
};
#endif
#undef CPU_DEVICE_WITH_MEMORY

// The first element (Left) or the last (Right) has no neighbor, and stays as it is.
struct DeviceAdjacentDifference {
  template <typename In, typename Out, typename N, typename Operation = cpu_device_details::Subtract>
  static cudaError_t SubtractLeftCopy(void* memory, size_t& bytes, In in, Out out, N n,
                                      Operation operation = {}, cudaStream_t stream = 0) {
    return cpu_device_details::run("cub::DeviceAdjacentDifference", memory, bytes, stream, [=] {
      for (N i = n; i-- > 0;)
        if (i == 0)
          out[i] = in[i];
        else
          out[i] = operation(in[i], in[i - 1]);
    });
  }
  template <typename In, typename Out, typename N, typename Operation = cpu_device_details::Subtract>
  static cudaError_t SubtractRightCopy(void* memory, size_t& bytes, In in, Out out, N n,
                                       Operation operation = {}, cudaStream_t stream = 0) {
    return cpu_device_details::run("cub::DeviceAdjacentDifference", memory, bytes, stream, [=] {
      for (N i = 0; i < n; i++)
        if (i + 1 == n)
          out[i] = in[i];
        else
          out[i] = operation(in[i], in[i + 1]);
    });
  }
  template <typename Data, typename N, typename Operation = cpu_device_details::Subtract>
  static cudaError_t SubtractLeft(void* memory, size_t& bytes, Data data, N n, Operation operation = {},
                                  cudaStream_t stream = 0) {
    return SubtractLeftCopy(memory, bytes, data, data, n, operation, stream);
  }
  template <typename Data, typename N, typename Operation = cpu_device_details::Subtract>
  static cudaError_t SubtractRight(void* memory, size_t& bytes, Data data, N n, Operation operation = {},
                                   cudaStream_t stream = 0) {
    return SubtractRightCopy(memory, bytes, data, data, n, operation, stream);
  }
};

CUB_NAMESPACE_END
