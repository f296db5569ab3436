// Cooperative groups: blocks, tiles of up to 32 threads, coalesced threads. Groups over the whole
// grid know their size and ranks, but cannot synchronize here.
#pragma once

#include "cuda_runtime.h"

#include <type_traits>

namespace cooperative_groups {

class thread_block {
 public:
  static void sync(cpu_device::Site site = cpu_device::Site::here()) { cpu_device::barrier(site); }
  static unsigned int thread_rank() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  }
  static unsigned int size() { return blockDim.x * blockDim.y * blockDim.z; }
  static unsigned int num_threads() { return size(); }
  static dim3 group_index() { return blockIdx; }
  static dim3 thread_index() { return threadIdx; }
  static dim3 group_dim() { return blockDim; }
  static dim3 dim_threads() { return blockDim; }
};

inline thread_block this_thread_block() { return {}; }

class grid_group {
 public:
  static bool is_valid() { return true; }
  static unsigned long long block_rank() {
    return blockIdx.x + static_cast<unsigned long long>(gridDim.x) *
                            (blockIdx.y + static_cast<unsigned long long>(gridDim.y) * blockIdx.z);
  }
  static unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  static unsigned long long thread_rank() {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
  static unsigned long long size() { return num_blocks() * thread_block::size(); }
  static unsigned long long num_threads() { return size(); }
  template <typename Never = void>
  static void sync() {
    static_assert(!std::is_void<Never>::value,
                  "grid.sync() is not supported on the CPU device: end the kernel and launch another");
  }
};

inline grid_group this_grid() { return {}; }

// Threads of one warp that take part together; `mask` are their lanes.
class coalesced_group {
 public:
  explicit coalesced_group(unsigned int mask) : mask_(mask) {}

  unsigned int size() const { return static_cast<unsigned int>(__popc(static_cast<unsigned>(mask_))); }
  unsigned int num_threads() const { return size(); }
  unsigned int thread_rank() const {
    return static_cast<unsigned int>(__popc(mask_ & ((1u << cpu_device::lane()) - 1)));
  }
  void sync(cpu_device::Site site = cpu_device::Site::here()) const { __syncwarp(mask_, site); }

  template <typename T>
  T shfl(T value, int rank, cpu_device::Site site = cpu_device::Site::here()) const {
    return cpu_device::shuffle(mask_, value, lane_of(rank), true, site);
  }
  template <typename T>
  T shfl_up(T value, unsigned int delta, cpu_device::Site site = cpu_device::Site::here()) const {
    const int source = static_cast<int>(thread_rank()) - static_cast<int>(delta);
    return cpu_device::shuffle(mask_, value, source < 0 ? 0 : lane_of(source), source >= 0, site);
  }
  template <typename T>
  T shfl_down(T value, unsigned int delta, cpu_device::Site site = cpu_device::Site::here()) const {
    const unsigned int source = thread_rank() + delta;
    const bool inside = source < size();
    return cpu_device::shuffle(mask_, value, inside ? lane_of(static_cast<int>(source)) : 0, inside,
                               site);
  }
  template <typename T>
  T shfl_xor(T value, unsigned int ranks, cpu_device::Site site = cpu_device::Site::here()) const {
    const unsigned int source = thread_rank() ^ ranks;
    const bool inside = source < size();
    return cpu_device::shuffle(mask_, value, inside ? lane_of(static_cast<int>(source)) : 0, inside,
                               site);
  }
  int any(int predicate, cpu_device::Site site = cpu_device::Site::here()) const {
    return __any_sync(mask_, predicate, site);
  }
  int all(int predicate, cpu_device::Site site = cpu_device::Site::here()) const {
    return __all_sync(mask_, predicate, site);
  }
  // Bit i is the vote of the group's thread i.
  unsigned int ballot(int predicate, cpu_device::Site site = cpu_device::Site::here()) const {
    const unsigned int votes = __ballot_sync(mask_, predicate, site);
    unsigned int packed = 0;
    for (int lane = 0, rank = 0; lane < 32; lane++)
      if (mask_ >> lane & 1) packed |= (votes >> lane & 1) << rank++;
    return packed;
  }
  unsigned int lanes() const { return mask_; }

 protected:
  // The lane of the group's thread `rank`.
  int lane_of(int rank) const {
    for (int lane = 0; lane < 32; lane++)
      if ((mask_ >> lane & 1) && rank-- == 0) return lane;
    return 0;
  }
  unsigned int mask_;
};

inline coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

template <unsigned int Size, typename Parent = void>
class thread_block_tile : public coalesced_group {
  static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                "a tile has 1, 2, 4, 8, 16 or 32 threads on the CPU device");

 public:
  thread_block_tile() : coalesced_group(segment()) {}
  static constexpr unsigned int size() { return Size; }
  static constexpr unsigned int num_threads() { return Size; }
  static unsigned int thread_rank() { return cpu_device::lane() % Size; }
  static unsigned int meta_group_rank() { return thread_block::thread_rank() / Size; }
  static unsigned int meta_group_size() { return (thread_block::size() + Size - 1) / Size; }

 private:
  static unsigned int segment() {
    const unsigned int all = Size == 32 ? 0xffffffffu : (1u << Size % 32) - 1;
    return all << cpu_device::lane() / Size * Size;
  }
};

template <unsigned int Size, typename Parent>
inline thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  return {};
}

template <typename Group>
inline void sync(const Group& group, cpu_device::Site site = cpu_device::Site::here()) {
  group.sync(site);
}

// ---- reductions (cooperative_groups/reduce.h) ----
template <typename T>
struct plus {
  T operator()(T a, T b) const { return a + b; }
};
template <typename T>
struct less {
  T operator()(T a, T b) const { return b < a ? b : a; }
};
template <typename T>
struct greater {
  T operator()(T a, T b) const { return a < b ? b : a; }
};

template <typename Group, typename T, typename Combine>
inline T reduce(const Group& group, T value, Combine combine,
                cpu_device::Site site = cpu_device::Site::here()) {
  return cpu_device::reduce(group.lanes(), value, site, combine);
}

}  // namespace cooperative_groups
