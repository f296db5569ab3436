// Cooperative groups: the grid, clusters of blocks, blocks, tiles of 1 to 1024 threads, coalesced threads, partitions.
//
// What a group waits for is in three places of the runtime: cpu_device::grid_barrier() for the grid,
// barrier() for the block, exchange() and tile_exchange() for all that is smaller.
#pragma once

#define _COOPERATIVE_GROUPS_H_

#include "cpu_device/async_copies.h"
#include "cuda_runtime.h"

#include <type_traits>

#define CPU_DEVICE_SITE cpu_device::Site site = cpu_device::Site::here()

namespace cpu_device {

// Waits for all threads of the grid, which must have been launched by cudaLaunchCooperativeKernel().
void grid_barrier(Site site);
bool grid_is_cooperative();
// Waits for all threads of the cluster of blocks.
void cluster_barrier(Site site);
// The same in two halves: what comes between them is not ordered with what others do behind theirs.
void cluster_arrive();
void cluster_wait(Site site);
dim3 cluster_size();
// Where the cluster's block `rank` has what this block has at the address, in shared memory.
void* address_in_cluster(const void* address, unsigned int rank, Site site);
// Brings `value`, waits until the block's threads [first, first + count) have all come, and returns
// what they brought; valid until this thread's next such operation. `is_barrier`: it orders memory.
const uint64_t* tile_exchange(unsigned int first, unsigned int count, uint64_t value, Site site,
                              bool is_barrier = false);
#ifdef CPU_DEVICE_CHECK
void tile_barrier(unsigned int first, unsigned int count, Site site);
#else
inline void tile_barrier(unsigned int first, unsigned int count, Site site) {
  tile_exchange(first, count, 0, site, true);
}
#endif

// Calls function(part, word) for each 8 bytes of a value, and puts together what it returns.
template <typename T, typename Function>
inline T by_words(const T& value, Function function) {
  constexpr size_t words = (sizeof(T) + 7) / 8;
  uint64_t buffer[words] = {};
  __builtin_memcpy(buffer, &value, sizeof(T));
  for (size_t i = 0; i < words; i++) buffer[i] = function(buffer[i]);
  T result;
  __builtin_memcpy(static_cast<void*>(&result), buffer, sizeof(T));
  return result;
}

inline unsigned int thread_in_block() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
inline unsigned int threads_in_block() { return blockDim.x * blockDim.y * blockDim.z; }

}  // namespace cpu_device

namespace cooperative_groups {

namespace details {

// Threads of a block that belong together: `count` threads from `first` on; those of one warp may
// have gaps, then `mask` are their lanes. All groups smaller than the grid are described so.
struct Members {
  unsigned int first = 0, count = 0, mask = 0;  // mask: 0 if the group is larger than a warp
};

inline unsigned int lanes_below() { return (1u << cpu_device::lane()) - 1; }

}  // namespace details

// ---- any group, when its kind is not known where the code is written ----
class thread_group {
 public:
  thread_group() = default;
  explicit thread_group(const details::Members& members) : members_(members) {}
  unsigned long long size() const { return members_.count; }
  unsigned long long num_threads() const { return members_.count; }
  unsigned long long thread_rank() const {
    return members_.mask != 0
               ? static_cast<unsigned>(__popc(members_.mask & details::lanes_below()))
               : cpu_device::thread_in_block() - members_.first;
  }
  void sync(CPU_DEVICE_SITE) const {
    if (members_.mask != 0)
      __syncwarp(members_.mask, site);
    else if (members_.count == cpu_device::threads_in_block())
      cpu_device::barrier(site);
    else
      cpu_device::tile_barrier(members_.first, members_.count, site);
  }
  const details::Members& members() const { return members_; }

 private:
  details::Members members_;
};

// ---- the block ----
class thread_block {
 public:
  struct arrival_token {};
  static void sync(CPU_DEVICE_SITE) { cpu_device::barrier(site); }
  static arrival_token barrier_arrive() { return {}; }
  static void barrier_wait(arrival_token&&, CPU_DEVICE_SITE) { cpu_device::barrier(site); }
  static unsigned int thread_rank() { return cpu_device::thread_in_block(); }
  static unsigned int size() { return cpu_device::threads_in_block(); }
  static unsigned int num_threads() { return size(); }
  static dim3 group_index() { return blockIdx; }
  static dim3 thread_index() { return threadIdx; }
  static dim3 group_dim() { return blockDim; }
  static dim3 dim_threads() { return blockDim; }
  operator thread_group() const { return thread_group(details::Members{0, size(), 0}); }
};
inline thread_block this_thread_block() { return {}; }

// What CUDA needs for tiles larger than a warp; here the runtime has it.
template <unsigned int MaxBlockSize = 1024>
struct block_tile_memory {
  char unused;
};
template <unsigned int MaxBlockSize>
inline thread_block this_thread_block(block_tile_memory<MaxBlockSize>&) {
  return {};
}

// ---- the cluster: of one block, unless the launch says otherwise ----
class cluster_group {
 public:
  struct arrival_token {};
  static void sync(CPU_DEVICE_SITE) { cpu_device::cluster_barrier(site); }
  static arrival_token barrier_arrive() {
    cpu_device::cluster_arrive();
    return {};
  }
  static void barrier_wait(CPU_DEVICE_SITE) { cpu_device::cluster_wait(site); }
  static void barrier_wait(arrival_token&&, CPU_DEVICE_SITE) { cpu_device::cluster_wait(site); }
  static dim3 dim_blocks() { return cpu_device::cluster_size(); }
  static unsigned int num_blocks() {
    const dim3 size = dim_blocks();
    return size.x * size.y * size.z;
  }
  static dim3 block_index() {
    const dim3 size = dim_blocks();
    return {blockIdx.x % size.x, blockIdx.y % size.y, blockIdx.z % size.z};
  }
  static unsigned int block_rank() {
    const dim3 size = dim_blocks(), at = block_index();
    return at.x + size.x * (at.y + size.y * at.z);
  }
  static dim3 dim_threads() {
    const dim3 size = dim_blocks();
    return {size.x * blockDim.x, size.y * blockDim.y, size.z * blockDim.z};
  }
  static dim3 thread_index() {
    const dim3 at = block_index();
    return {at.x * blockDim.x + threadIdx.x, at.y * blockDim.y + threadIdx.y,
            at.z * blockDim.z + threadIdx.z};
  }
  static unsigned int thread_rank() {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
  static unsigned int num_threads() { return num_blocks() * thread_block::size(); }
  static unsigned int size() { return num_threads(); }
  static bool is_valid() { return true; }
  template <typename T>
  static T* map_shared_rank(T* address, int rank, CPU_DEVICE_SITE) {
    return static_cast<T*>(
        cpu_device::address_in_cluster(address, static_cast<unsigned int>(rank), site));
  }
};
inline cluster_group this_cluster() { return {}; }

// ---- the grid ----
class grid_group {
 public:
  struct arrival_token {};
  static bool is_valid() { return cpu_device::grid_is_cooperative(); }
  static void sync(CPU_DEVICE_SITE) { cpu_device::grid_barrier(site); }
  static arrival_token barrier_arrive() { return {}; }
  static void barrier_wait(arrival_token&&, CPU_DEVICE_SITE) { cpu_device::grid_barrier(site); }
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
  static dim3 dim_blocks() { return gridDim; }
  static dim3 group_dim() { return gridDim; }
  static dim3 block_index() { return blockIdx; }
};
inline grid_group this_grid() { return {}; }

// ---- threads of one warp that take part together; `mask` are their lanes ----
class coalesced_group {
 public:
  explicit coalesced_group(unsigned int mask, unsigned int meta_rank = 0, unsigned int meta_size = 1)
      : mask_(mask), meta_rank_(meta_rank), meta_size_(meta_size) {}

  unsigned int size() const { return static_cast<unsigned int>(__popc(mask_)); }
  unsigned int num_threads() const { return size(); }
  unsigned int thread_rank() const {
    return static_cast<unsigned int>(__popc(mask_ & details::lanes_below()));
  }
  unsigned int meta_group_rank() const { return meta_rank_; }
  unsigned int meta_group_size() const { return meta_size_; }
  void sync(CPU_DEVICE_SITE) const { __syncwarp(mask_, site); }
  operator thread_group() const { return thread_group(details::Members{0, size(), mask_}); }

  template <typename T>
  T shfl(T value, int rank, CPU_DEVICE_SITE) const {
    return from(value, lane_of(rank), true, site);
  }
  template <typename T>
  T shfl_up(T value, unsigned int delta, CPU_DEVICE_SITE) const {
    const int source = static_cast<int>(thread_rank()) - static_cast<int>(delta);
    return from(value, source < 0 ? 0 : lane_of(source), source >= 0, site);
  }
  template <typename T>
  T shfl_down(T value, unsigned int delta, CPU_DEVICE_SITE) const {
    const unsigned int source = thread_rank() + delta;
    const bool inside = source < size();
    return from(value, inside ? lane_of(static_cast<int>(source)) : 0, inside, site);
  }
  template <typename T>
  T shfl_xor(T value, unsigned int ranks, CPU_DEVICE_SITE) const {
    const unsigned int source = thread_rank() ^ ranks;
    const bool inside = source < size();
    return from(value, inside ? lane_of(static_cast<int>(source)) : 0, inside, site);
  }
  int any(int predicate, CPU_DEVICE_SITE) const { return __any_sync(mask_, predicate, site); }
  int all(int predicate, CPU_DEVICE_SITE) const { return __all_sync(mask_, predicate, site); }
  // Bit i is the vote of the group's thread i.
  unsigned int ballot(int predicate, CPU_DEVICE_SITE) const {
    return by_rank(__ballot_sync(mask_, predicate, site));
  }
  template <typename T>
  unsigned int match_any(T value, CPU_DEVICE_SITE) const {
    return by_rank(__match_any_sync(mask_, value, site));
  }
  template <typename T>
  unsigned int match_all(T value, int& all_equal, CPU_DEVICE_SITE) const {
    return by_rank(__match_all_sync(mask_, value, &all_equal, site));
  }
  unsigned int lanes() const { return mask_; }

 protected:
  // The lane of the group's thread `rank`.
  int lane_of(int rank) const {
    for (int lane = 0; lane < 32; lane++)
      if ((mask_ >> lane & 1) && rank-- == 0) return lane;
    return 0;
  }
  unsigned int by_rank(unsigned int by_lane) const {
    unsigned int packed = 0;
    for (int lane = 0, rank = 0; lane < 32; lane++)
      if (mask_ >> lane & 1) packed |= (by_lane >> lane & 1) << rank++;
    return packed;
  }
  template <typename T>
  T from(const T& value, int lane, bool inside, cpu_device::Site site) const {
    return cpu_device::by_words(value, [&](uint64_t word) {
      return cpu_device::shuffle(mask_, word, lane, inside, site);
    });
  }
  unsigned int mask_;
  unsigned int meta_rank_, meta_size_;
};

// CUDA promises no more than that the caller is among them.
inline coalesced_group coalesced_threads(CPU_DEVICE_SITE) { return coalesced_group(__activemask(site)); }

// ---- tiles: a power of two of threads in a row ----
template <unsigned int Size, typename Parent = void, bool within_warp = (Size <= 32)>
class thread_block_tile;

namespace details {
// Of a tile in a tile, the tiles of its parent are counted, otherwise those of the block.
template <typename Parent>
inline constexpr unsigned int size_of_parent = 0;
template <unsigned int Size, typename Parent, bool within_warp>
inline constexpr unsigned int size_of_parent<thread_block_tile<Size, Parent, within_warp>> = Size;
template <unsigned int Size, typename Parent>
inline unsigned int rank_among_tiles() {
  constexpr unsigned int parent = size_of_parent<Parent>;
  const unsigned int rank = thread_block::thread_rank();
  return (parent == 0 ? rank : rank % (parent == 0 ? 1 : parent)) / Size;
}
template <unsigned int Size, typename Parent>
inline unsigned int count_of_tiles() {
  constexpr unsigned int parent = size_of_parent<Parent>;
  return ((parent == 0 ? thread_block::size() : parent) + Size - 1) / Size;
}
}  // namespace details

template <unsigned int Size, typename Parent, bool within_warp>
class thread_block_tile : public coalesced_group {
  static_assert(Size >= 1 && (Size & (Size - 1)) == 0,
                "a tile has 1, 2, 4, 8, 16, 32 or up to 1024 threads");

 public:
  thread_block_tile()
      : coalesced_group(segment(), details::rank_among_tiles<Size, Parent>(),
                        details::count_of_tiles<Size, Parent>()) {}
  // A thread_block_tile<8> that was a thread_block_tile<8, Parent> still counts the parent's tiles.
  template <typename OtherParent>
  thread_block_tile(const thread_block_tile<Size, OtherParent>& other)
      : coalesced_group(segment(), other.meta_group_rank(), other.meta_group_size()) {}
  static constexpr unsigned int size() { return Size; }
  static constexpr unsigned int num_threads() { return Size; }
  static unsigned int thread_rank() { return cpu_device::lane() % Size; }

 private:
  static unsigned int segment() {
    const unsigned int all = Size == 32 ? 0xffffffffu : (1u << Size % 32) - 1;
    return all << cpu_device::lane() / Size * Size;
  }
};

// Larger than a warp.
template <unsigned int Size, typename Parent>
class thread_block_tile<Size, Parent, false> {
  static_assert(Size <= 1024 && (Size & (Size - 1)) == 0,
                "a tile has 1, 2, 4, 8, 16, 32 or up to 1024 threads");

 public:
  thread_block_tile()
      : meta_rank_(details::rank_among_tiles<Size, Parent>()),
        meta_size_(details::count_of_tiles<Size, Parent>()) {}
  template <typename OtherParent>
  thread_block_tile(const thread_block_tile<Size, OtherParent>& other)
      : meta_rank_(other.meta_group_rank()), meta_size_(other.meta_group_size()) {}
  static constexpr unsigned int size() { return Size; }
  static constexpr unsigned int num_threads() { return Size; }
  static unsigned int thread_rank() { return thread_block::thread_rank() % Size; }
  unsigned int meta_group_rank() const { return meta_rank_; }
  unsigned int meta_group_size() const { return meta_size_; }
  static void sync(CPU_DEVICE_SITE) { cpu_device::tile_barrier(first(), Size, site); }
  operator thread_group() const { return thread_group(details::Members{first(), Size, 0}); }

  template <typename T>
  T shfl(T value, int rank, CPU_DEVICE_SITE) const {
    return from(value, static_cast<unsigned>(rank) % Size, site);
  }
  template <typename T>
  T shfl_up(T value, unsigned int delta, CPU_DEVICE_SITE) const {
    return from(value, thread_rank() < delta ? thread_rank() : thread_rank() - delta, site);
  }
  template <typename T>
  T shfl_down(T value, unsigned int delta, CPU_DEVICE_SITE) const {
    return from(value, thread_rank() + delta < Size ? thread_rank() + delta : thread_rank(), site);
  }
  template <typename T>
  T shfl_xor(T value, unsigned int ranks, CPU_DEVICE_SITE) const {
    return from(value, (thread_rank() ^ ranks) < Size ? thread_rank() ^ ranks : thread_rank(), site);
  }
  int any(int predicate, CPU_DEVICE_SITE) const { return votes(predicate, site) != 0; }
  int all(int predicate, CPU_DEVICE_SITE) const { return votes(predicate, site) == Size; }
  // What the tile's threads brought, by rank.
  static const uint64_t* exchange(uint64_t value, cpu_device::Site site) {
    return cpu_device::tile_exchange(first(), Size, value, site);
  }

 private:
  static unsigned int first() { return thread_block::thread_rank() / Size * Size; }
  template <typename T>
  static T from(const T& value, unsigned int rank, cpu_device::Site site) {
    return cpu_device::by_words(value, [&](uint64_t word) { return exchange(word, site)[rank]; });
  }
  static unsigned int votes(int predicate, cpu_device::Site site) {
    const uint64_t* all = exchange(predicate != 0, site);
    unsigned int count = 0;
    for (unsigned int i = 0; i < Size; i++) count += all[i] != 0;
    return count;
  }

  unsigned int meta_rank_, meta_size_;
};

namespace details {
template <typename Group>
struct SizeOfTile : std::integral_constant<unsigned int, 0> {};
template <unsigned int Size, typename Parent>
struct SizeOfTile<thread_block_tile<Size, Parent>> : std::integral_constant<unsigned int, Size> {};
}  // namespace details
template <unsigned int Size, typename Parent>
inline thread_block_tile<Size, Parent> tiled_partition(const Parent&) {
  static_assert(details::SizeOfTile<Parent>::value == 0 || Size < details::SizeOfTile<Parent>::value,
                "a tile of a tile must be smaller than that");
  return {};
}
// With a size that is known only when the program runs: a power of two up to 32, as in CUDA.
inline thread_group tiled_partition(const thread_group& parent, unsigned int size) {
  const details::Members& all = parent.members();
  if (all.mask != 0) {  // of coalesced threads: the ranks in runs of `size`
    const unsigned int rank = static_cast<unsigned>(parent.thread_rank()) / size;
    unsigned int mask = 0;
    for (unsigned int lane = 0, i = 0; lane < 32; lane++)
      if (all.mask >> lane & 1) mask |= (i++ / size == rank ? 1u : 0u) << lane;
    return thread_group(details::Members{0, static_cast<unsigned>(__popc(mask)), mask});
  }
  const unsigned int lanes = size >= 32 ? 0xffffffffu : (1u << size) - 1;
  return thread_group(details::Members{0, size, lanes << cpu_device::lane() / size * size});
}
inline coalesced_group tiled_partition(const coalesced_group& parent, unsigned int size) {
  const thread_group part = tiled_partition(thread_group(parent), size);
  return coalesced_group(part.members().mask, parent.thread_rank() / size,
                         (parent.size() + size - 1) / size);
}

// ---- partitions by a value of each thread ----
template <typename Group>
inline coalesced_group binary_partition(const Group& group, bool predicate, CPU_DEVICE_SITE) {
  const unsigned int yes = __ballot_sync(group.lanes(), predicate, site);
  return coalesced_group(predicate ? yes : group.lanes() & ~yes, predicate ? 1 : 0, 2);
}
template <typename Group, typename Label>
inline coalesced_group labeled_partition(const Group& group, Label label, CPU_DEVICE_SITE) {
  const unsigned int mine = __match_any_sync(group.lanes(), label, site);
  // The groups are counted by their first lanes.
  const bool leads = (mine & details::lanes_below()) == 0;
  const unsigned int leaders = __ballot_sync(group.lanes(), leads, site);
  const unsigned int before_mine = (mine & (0u - mine)) - 1;
  return coalesced_group(mine, static_cast<unsigned>(__popc(leaders & before_mine)),
                         static_cast<unsigned>(__popc(leaders)));
}

// ---- functions of groups ----
template <typename Group>
inline void sync(const Group& group, CPU_DEVICE_SITE) {
  group.sync(site);
}
template <typename Group>
inline unsigned long long thread_rank(const Group& group) {
  return group.thread_rank();
}
template <typename Group>
inline unsigned long long group_size(const Group& group) {
  return group.size();
}
// One thread of the group calls the function.
template <typename Group, typename Function, typename... Arguments>
inline void invoke_one(const Group& group, Function&& function, Arguments&&... arguments) {
  if (group.thread_rank() == 0) function(static_cast<Arguments&&>(arguments)...);
}
template <typename Group, typename Function, typename... Arguments>
inline auto invoke_one_broadcast(const Group& group, Function&& function, Arguments&&... arguments)
    -> decltype(function(static_cast<Arguments&&>(arguments)...)) {
  decltype(function(static_cast<Arguments&&>(arguments)...)) result{};
  if (group.thread_rank() == 0) result = function(static_cast<Arguments&&>(arguments)...);
  return group.shfl(result, 0);
}

// ---- combining the values of a group (cooperative_groups/reduce.h, scan.h) ----
#define CPU_DEVICE_OPERATOR(NAME, EXPRESSION)                    \
  template <typename T>                                          \
  struct NAME {                                                  \
    T operator()(T a, T b) const { return EXPRESSION; }          \
  };
CPU_DEVICE_OPERATOR(plus, a + b)
CPU_DEVICE_OPERATOR(less, b < a ? b : a)
CPU_DEVICE_OPERATOR(greater, a < b ? b : a)
CPU_DEVICE_OPERATOR(bit_and, a& b)
CPU_DEVICE_OPERATOR(bit_or, a | b)
CPU_DEVICE_OPERATOR(bit_xor, a ^ b)
#undef CPU_DEVICE_OPERATOR

namespace details {

// Calls function(i) with the value of each thread of the group, by rank, until it returns false.
// Every thread of the group must call it.
template <typename T, typename Function>
inline void for_values(const coalesced_group& group, const T& value, cpu_device::Site site,
                       Function function) {
  constexpr size_t words = (sizeof(T) + 7) / 8;
  uint64_t mine[words] = {}, all[32][words];
  __builtin_memcpy(mine, &value, sizeof(T));
  for (size_t w = 0; w < words; w++) {
    const cpu_device::WarpExchange& brought = cpu_device::exchange(group.lanes(), mine[w], site);
    for (int lane = 0; lane < 32; lane++) all[lane][w] = brought.value[lane];
  }
  unsigned int rank = 0;
  for (int lane = 0; lane < 32; lane++) {
    if (!(group.lanes() >> lane & 1)) continue;
    T one;
    __builtin_memcpy(static_cast<void*>(&one), all[lane], sizeof(T));
    if (!function(rank++, one)) return;
  }
}
template <unsigned int Size, typename Parent, typename T, typename Function>
inline void for_values(const thread_block_tile<Size, Parent, false>& tile, const T& value,
                       cpu_device::Site site, Function function) {
  static_assert(sizeof(T) <= 8, "tiles larger than a warp combine values of at most 8 bytes");
  const uint64_t* all = tile.exchange(cpu_device::to_word(value), site);
  for (unsigned int rank = 0; rank < Size; rank++)
    if (!function(rank, cpu_device::from_word<T>(all[rank]))) return;
}

}  // namespace details

template <typename Group, typename T, typename Combine>
inline T reduce(const Group& group, T value, Combine combine, CPU_DEVICE_SITE) {
  T result = value;
  details::for_values(group, value, site, [&](unsigned int rank, const T& other) {
    result = rank == 0 ? other : static_cast<T>(combine(result, other));
    return true;
  });
  return result;
}
// The values of the threads up to the caller, combined.
template <typename Group, typename T, typename Combine = plus<T>>
inline T inclusive_scan(const Group& group, T value, Combine combine = Combine(), CPU_DEVICE_SITE) {
  T result = value;
  details::for_values(group, value, site, [&](unsigned int rank, const T& other) {
    result = rank == 0 ? other : static_cast<T>(combine(result, other));
    return rank < group.thread_rank();
  });
  return result;
}
// The same without the caller's own; the first gets T{}.
template <typename Group, typename T, typename Combine = plus<T>>
inline T exclusive_scan(const Group& group, T value, Combine combine = Combine(), CPU_DEVICE_SITE) {
  T result{};
  details::for_values(group, value, site, [&](unsigned int rank, const T& other) {
    if (rank >= group.thread_rank()) return false;
    result = rank == 0 ? other : static_cast<T>(combine(result, other));
    return true;
  });
  return result;
}

// ---- copies by a whole group (cooperative_groups/memcpy_async.h) ----
//
// Each thread copies its share at once, and waiting is the group's barrier; so who reads without it
// finds parts that are missing.
template <typename Group, typename T, typename Size>
inline void memcpy_async(const Group& group, T* to, const T* from, Size bytes, CPU_DEVICE_SITE) {
  cpu_device::async_copy_share(group.thread_rank(), group.size(), to, from, bytes, nullptr, site);
  cpu_device::async_commit();
}
template <typename Group>
inline void wait(const Group& group, CPU_DEVICE_SITE) {
  cpu_device::async_wait_prior(0);
  group.sync(site);
}
template <unsigned int Stages, typename Group>
inline void wait_prior(const Group& group, CPU_DEVICE_SITE) {
  cpu_device::async_wait_prior(Stages);
  group.sync(site);
}

}  // namespace cooperative_groups

#undef CPU_DEVICE_SITE
