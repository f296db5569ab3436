// What the rewriter's block functions are made of (rewriter/block_loops.h): the threads of a block as
// loops over lanes, 16 neighbors along x.
#pragma once
// What the compiler has to say of a kernel's code it says of the thread function.
#pragma GCC system_header

#include <stddef.h>

#include <type_traits>

#include "builtins.h"

#define CPU_DEVICE_INLINE inline __attribute__((always_inline))

namespace cpu_device {

constexpr int kLanes = 16;
constexpr int kFewLanes = 4;  // where 16 differ, as at the edges of tiles
constexpr int kManyLanes = 64;  // of a region so short that the questions to each 16 lanes would cost as much as their work
constexpr unsigned kMostThreads = 1024;  // of a block
using ThreadNumber = size_t;

struct BlockPlace {
  const ReadOnlyIndex block, block_size, grid_size;
};

enum class Row : unsigned char {
  kRefused,   // the lanes differ, and nothing was done
  kGoesOn,
  kIsDone,    // and so are the lanes behind
};

// Calls `region` for all threads of the block in turn: for kMost lanes at once while a row has as many left, then for 16,
// which it may refuse; then, and for the rest of a row, for one. With kDiffers, lanes of the same 16 often differ: four
// neighbors may still agree.
template <int kMost = kLanes, bool kDiffers = false, typename Region>
__attribute__((no_sanitize("unreachable"))) CPU_DEVICE_INLINE void for_lanes(const BlockPlace& place,
                                                                             const Region& region) {
  const unsigned width = place.block_size.x, height = place.block_size.y, depth = place.block_size.z;
  if (width > kMostThreads) __builtin_unreachable();
  // Masks, which change nothing, tell the compiler how small they are: sums of them do not wrap around.
  constexpr unsigned kMask = kMostThreads - 1;
  ThreadNumber row = 0;
  if constexpr (kMost > kLanes)
    if (width == kLanes) {
      for (unsigned z = 0; z < depth; z++)
        for (unsigned y = 0; y < height; y++, row += kLanes) {
          Row row_is = region(std::integral_constant<int, kLanes>(), ReadOnlyIndex{0, y & kMask, z & kMask}, row);
          if (__builtin_expect(row_is != Row::kRefused, 1)) continue;
          for (unsigned x = 0; row_is != Row::kIsDone && x < kLanes; x++)
            row_is = region(std::integral_constant<int, 1>(), ReadOnlyIndex{x & kMask, y & kMask, z & kMask}, row + x);
        }
      return;
    }
  for (unsigned z = 0; z < depth; z++)
    for (unsigned y = 0; y < height; y++, row += width) {
      const auto call = [&](auto lanes, unsigned x) __attribute__((always_inline)) -> Row {
        return region(lanes, ReadOnlyIndex{x & kMask, y & kMask, z & kMask}, row + x);
      };
      unsigned x = 0;
      Row row_is = Row::kGoesOn;
      if constexpr (kMost > kLanes)
        while (row_is == Row::kGoesOn && x + kMost <= width) {
          row_is = call(std::integral_constant<int, kMost>(), x);
          if (row_is == Row::kGoesOn) x += kMost;
        }
      while (row_is != Row::kIsDone && x < width) {
        row_is = Row::kRefused;
        while (x + kLanes <= width) {
          row_is = call(std::integral_constant<int, kLanes>(), x);
          if (__builtin_expect(row_is != Row::kGoesOn, 0)) break;
          x += kLanes;
        }
        if (row_is == Row::kIsDone) break;
        const unsigned end = x + kLanes < width ? x + kLanes : width;  // up to there one by one
        while (row_is != Row::kIsDone && x < end) {
          if constexpr (kDiffers)
            if (x + kFewLanes <= end && (row_is = call(std::integral_constant<int, kFewLanes>(), x)) != Row::kRefused) {
              x += kFewLanes;
              continue;
            }
          row_is = call(std::integral_constant<int, 1>(), x);
          x++;
        }
      }
    }
}

CPU_DEVICE_INLINE ReadOnlyIndex at_lane(const ReadOnlyIndex& first, int lane) {
  return {first.x + static_cast<unsigned>(lane), first.y, first.z};
}
template <typename T>
CPU_DEVICE_INLINE T at_lane(const T& first, int lane) {
  return static_cast<T>(first + static_cast<T>(lane));
}

// The array of one lane among `T arrays[4][5][lanes]`, where neighbors' elements are neighbors, so that a loop over the
// lanes becomes vectors.
template <int kDimensions, typename Row>
struct ElementsOfLane {
  Row* const rows;
  const int lane;
  template <typename Index>
  CPU_DEVICE_INLINE decltype(auto) operator[](const Index& i) const {
    if constexpr (kDimensions == 1) {
      return (rows[i][lane]);
    } else {
      using Inner = std::remove_extent_t<Row>;
      return ElementsOfLane<kDimensions - 1, Inner>{rows[i], lane};
    }
  }
  template <typename Element, size_t kCount>
  CPU_DEVICE_INLINE void assign(const Element (&values)[kCount]) const {
    for (size_t i = 0; i < kCount; i++) {
      if constexpr (kDimensions == 1)
        __builtin_memcpy(&rows[i][lane], &values[i], sizeof(Element));
      else
        (*this)[i].assign(values[i]);
    }
  }
};
template <int kDimensions, typename Row, size_t kCount>
CPU_DEVICE_INLINE ElementsOfLane<kDimensions, Row> elements_of_lane(Row (&rows)[kCount], int lane) {
  return {rows, lane};
}

// Arrays of 16 lanes, on the heap where they are too large for a fiber's stack. One in place is a variable of its own:
// within a structure, the compiler keeps less of it in registers.
template <typename Type>
constexpr bool is_large = sizeof(Type) > 8192;
template <typename Type>
using ArrayInPlace = std::conditional_t<is_large<Type>, char, Type>;
template <typename Type, bool kIsLarge = is_large<Type>>
struct ArrayOnHeap {};
template <typename Type>
struct ArrayOnHeap<Type, true> {
  struct Memory {
    Type array;
  };
  Memory* const memory = new Memory;
  ArrayOnHeap() = default;
  ArrayOnHeap(const ArrayOnHeap&) = delete;
  ~ArrayOnHeap() { delete memory; }
};
template <typename Type>
CPU_DEVICE_INLINE Type& array_of_lanes(Type& in_place, const ArrayOnHeap<Type, false>&) {
  return in_place;
}
template <typename Type>
CPU_DEVICE_INLINE Type& array_of_lanes(char&, const ArrayOnHeap<Type, true>& on_heap) {
  return on_heap.memory->array;
}

// Copies of kCount elements of an array, or their address if their type may notice.
template <typename Array, int kCount, typename Element = std::remove_extent_t<Array>>
using Copies = std::conditional_t<std::is_trivially_copyable<Element>::value && std::is_trivially_default_constructible<Element>::value,
                                  Element[kCount], Element*>;
template <typename Copies, typename Element>
CPU_DEVICE_INLINE void take_copies(Copies& copies, Element* from) {
  if constexpr (std::is_array<Copies>::value)
    for (size_t i = 0; i < std::extent<Copies>::value; i++) copies[i] = from[i];
  else
    copies = from;
}
template <typename Copies, typename Element>
CPU_DEVICE_INLINE void put_back(const Copies& copies, Element* to) {
  if constexpr (std::is_array<Copies>::value)
    for (size_t i = 0; i < std::extent<Copies>::value; i++) to[i] = copies[i];
}

// What such arrays of a block's threads take, in memory of the worker's that the next block uses again.
template <typename Type>
constexpr bool is_simple = std::is_trivially_default_constructible<std::remove_all_extents_t<Type>>::value &&
                           std::is_trivially_destructible<std::remove_all_extents_t<Type>>::value;
char* memory_of_worker(size_t bytes);
class BlockMemory {
 public:
  CPU_DEVICE_INLINE BlockMemory(const ReadOnlyIndex& size, size_t bytes_of_16_threads)
      : chunks_((size.x * size.y * size.z + kLanes - 1) / kLanes), bytes_(chunks_ * bytes_of_16_threads) {}
  CPU_DEVICE_INLINE size_t bytes() const { return bytes_; }
  CPU_DEVICE_INLINE void allocate() { next_ = memory_of_worker(bytes_); }
  template <typename Type>
  CPU_DEVICE_INLINE Type* take() {
    Type* const taken = reinterpret_cast<Type*>(next_);
    next_ += chunks_ * sizeof(Type);
    return taken;
  }

 private:
  size_t chunks_, bytes_;
  char* next_ = nullptr;
};

// For functions that read threadIdx by themselves, and for what the runtime may say of an atomic. The compiler
// must not know better.
struct WritableIndex {
  unsigned x, y, z;
};
extern __thread WritableIndex shown_thread_index __asm__("cpu_device_thread_index");
CPU_DEVICE_INLINE void show_thread(const ReadOnlyIndex& thread) {
  shown_thread_index = {thread.x, thread.y, thread.z};
  asm volatile("" ::: "memory");
}

CPU_DEVICE_INLINE void hide_thread() { shown_thread_index.x = ~0u; }

// Whether first + lane leaves the range of 32 bits, signed or unsigned, or changes its sign, for a lane.
template <int kCount, typename T>
CPU_DEVICE_INLINE bool crosses(const T& first) {
  static_assert(std::is_integral<T>::value && sizeof(T) >= 4, "whole numbers of 32 or 64 bits");
  return (static_cast<unsigned>(first) & 0x7fffffffu) > 0x7fffffffu - static_cast<unsigned>(kCount - 1);
}

// The same for all threads of the row from this one on.
template <typename T>
CPU_DEVICE_INLINE bool crosses_in_row(const T& first, const BlockPlace& place, const ReadOnlyIndex& thread) {
  return (static_cast<unsigned>(first) & 0x7fffffffu) > 0x7fffffffu - (place.block_size.x - thread.x);
}

// The same for a variable that is known to be first + lane, and may have gone far.
template <int kCount, typename T>
CPU_DEVICE_INLINE bool leaves(const T& first) {
  static_assert(std::is_integral<T>::value && sizeof(T) >= 4, "whole numbers of 32 or 64 bits");
  if constexpr (sizeof(T) == 4)
    return crosses<kCount>(first);
  else
    return (static_cast<unsigned long long>(first) & ~0ull >> 1) > (~0ull >> 1) - static_cast<unsigned>(kCount - 1);
}

// Atomics on the block's own shared memory, which only the worker reaches that runs it.
template <typename T>
struct Exactly {
  using Type = T;
};
template <typename T, typename Function>
CPU_DEVICE_INLINE T update_own(T* address, const Function& function) {
  const T old = *address;
  *address = function(old);
  return old;
}
// What wraps around does so.
template <typename T, bool kIntegral = std::is_integral<T>::value>
struct Wrapping {
  using Type = T;
};
template <typename T>
struct Wrapping<T, true> {
  using Type = std::make_unsigned_t<T>;
};
template <typename T>
CPU_DEVICE_INLINE T wrapping_sum(T a, T b) {
  using Sum = typename Wrapping<T>::Type;
  return static_cast<T>(static_cast<Sum>(a) + static_cast<Sum>(b));
}
template <typename T>
CPU_DEVICE_INLINE T wrapping_difference(T a, T b) {
  using Sum = typename Wrapping<T>::Type;
  return static_cast<T>(static_cast<Sum>(a) - static_cast<Sum>(b));
}
// Types of the Toolkit's, such as float4, have their own.
#define CPU_DEVICE_OWN(NAME, EXPRESSION)                                                                     \
  template <typename T>                                                                                      \
  CPU_DEVICE_INLINE auto own_##NAME(T* address, const typename Exactly<T>::Type& value) {                    \
    if constexpr (std::is_arithmetic<T>::value)                                                              \
      return update_own(address, [value](T old) __attribute__((always_inline))->T { return EXPRESSION; });   \
    else                                                                                                     \
      return NAME(address, value);                                                                           \
  }
CPU_DEVICE_OWN(atomicAdd, wrapping_sum(old, value))
CPU_DEVICE_OWN(atomicSub, wrapping_difference(old, value))
CPU_DEVICE_OWN(atomicMin, value < old ? value : old)
CPU_DEVICE_OWN(atomicMax, old < value ? value : old)
CPU_DEVICE_OWN(atomicInc, old >= value ? T{0} : T(old + 1))
CPU_DEVICE_OWN(atomicDec, old == 0 || old > value ? value : T(old - 1))
CPU_DEVICE_OWN(atomicAnd, static_cast<T>(old & value))
CPU_DEVICE_OWN(atomicOr, static_cast<T>(old | value))
CPU_DEVICE_OWN(atomicXor, static_cast<T>(old ^ value))
#undef CPU_DEVICE_OWN

// A subscript that is first + lane. Of 32 bits without a sign it may wrap around, and vectors of neighbors
// cannot: where no lane does, it is computed with 64 bits. Signed ones do not wrap around in C++.
struct NoIndex {};
template <typename Index>
CPU_DEVICE_INLINE auto first_index(const Index& index) {
  if constexpr (std::is_same<std::decay_t<decltype(index())>, unsigned>::value)
    return index();
  else
    return NoIndex();
}
template <int kCount>
CPU_DEVICE_INLINE bool wraps(NoIndex) {
  return false;
}
template <int kCount>
CPU_DEVICE_INLINE bool wraps(unsigned first) {
  return first > 0xffffffffu - static_cast<unsigned>(kCount - 1);
}
template <int kCount, typename Loop, typename... Indices>
CPU_DEVICE_INLINE void with_width(const Loop& loop, const Indices&... indices) {
  if constexpr (kCount == 1 || (std::is_same<Indices, NoIndex>::value && ...)) {
    loop(std::true_type());
  } else {
    if (__builtin_expect((wraps<kCount>(indices) || ...), 0))
      loop(std::false_type());
    else
      loop(std::true_type());
  }
}
template <bool kWide, typename T>
CPU_DEVICE_INLINE const T& subscript(std::integral_constant<bool, kWide>, NoIndex, int, const T& value) {
  return value;
}
template <bool kWide>
CPU_DEVICE_INLINE auto subscript(std::integral_constant<bool, kWide>, unsigned first, int lane, unsigned value) {
  if constexpr (kWide)
    return static_cast<size_t>(first) + static_cast<size_t>(lane);
  else
    return value;
}

// What a condition says to go on with: 2: all lanes go on; 1: all lanes are done; 0: they differ. `kMonotone`:
// 1: if all terms hold for the first and the last lane, they do so for all; 2: and if not, for none; 0: neither.
// `kNegative`: those are done for which it holds.
template <int kCount, int kMonotone, bool kNegative, typename Holds>
CPU_DEVICE_INLINE int ask_lanes(const Holds& holds) {
  if constexpr (kCount == 1) {
    return holds(0) == kNegative ? 1 : 2;
  } else {
    int count = 0;
    if constexpr (kMonotone > 0) {
      const bool first = holds(0), last = holds(kCount - 1);
      if (kMonotone == 2) return first != last ? 0 : first == kNegative ? 1 : 2;
      if (kNegative ? !(first | last) : (first & last)) return 2;
#pragma GCC unroll 1
      for (int lane = 0; lane < kCount; ++lane) {
        int one = lane;  // The edge is rare. As vectors, g++ would prepare it before the loop over all rows.
        __asm__("" : "+r"(one));
        count += holds(one);
      }
    } else {
#pragma GCC unroll 1
      for (int lane = 0; lane < kCount; ++lane) count += holds(lane);
    }
    if (count == (kNegative ? kCount : 0)) return 1;
    return count == (kNegative ? 0 : kCount) ? 2 : 0;
  }
}

// The instructions that block functions are compiled for: where a machine lacks them, the program's kernels
// run thread by thread. 4: x86-64-v4 (AVX-512), 3: x86-64-v3 (AVX2), 0: what all have.
#ifndef CPU_DEVICE_LANES_LEVEL
#define CPU_DEVICE_LANES_LEVEL 0
#endif
#if CPU_DEVICE_LANES_LEVEL == 4
#define CPU_DEVICE_LANES_TARGET target("arch=x86-64-v4")
#elif CPU_DEVICE_LANES_LEVEL == 3
#define CPU_DEVICE_LANES_TARGET target("arch=x86-64-v3")
#else
#define CPU_DEVICE_LANES_TARGET noinline
#endif
#ifdef __clang__
#define CPU_DEVICE_LANES_OPTIMIZED noinline
#else
#define CPU_DEVICE_LANES_OPTIMIZED optimize("O3")
#endif

// One block. False, and nothing was done: its threads must run one by one.
template <typename Block>
__attribute__((noinline, CPU_DEVICE_LANES_TARGET, CPU_DEVICE_LANES_OPTIMIZED)) bool run_block(
    const void* arguments, const BlockPlace& place) {
  union Copy {
    Block block;
    Copy() {}
    ~Copy() {}
  } copy;
  __builtin_memcpy(static_cast<void*>(&copy.block), arguments, sizeof(Block));
  return copy.block(place);
}

}  // namespace cpu_device
