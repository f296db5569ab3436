// The checked run's own data: what is known of each byte, of each thread, and of each access.
#pragma once

#include <pthread.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "../device/device.h"
#include "../device/host_lock.h"
#include "../device/settings.h"
#include "../execution/engine.h"
#include "../execution/kernels.h"
#include "../execution/launch.h"
#include "../faults/error_messages.h"
#include "../memory/allocations.h"
#include "../memory/uninitialized_memory.h"
#include "../order/queue.h"

namespace cpu_device::check {

// ---- accesses ----

// `atomic` reads and writes; atomic_read and atomic_write do one of the two.
enum class Access : unsigned char {
  read,
  write,
  atomic,
  atomic_read,
  atomic_write,
  volatile_read,
  volatile_write
};

inline bool is_plain(Access a) { return a == Access::read || a == Access::write; }
inline bool is_volatile(Access a) {
  return a == Access::volatile_read || a == Access::volatile_write;
}
inline bool is_atomic(Access a) { return !is_plain(a) && !is_volatile(a); }
inline bool is_read(Access a) {
  return a == Access::read || a == Access::volatile_read || a == Access::atomic_read;
}

// A place in the program that accesses memory, in one way.
struct Program {
  const void* counter;  // return address of the hook; null if the site says where
  Site site;
  Access access;
  Scope scope;
  unsigned char bytes;
};
constexpr unsigned kPlaceBits = 15;
extern Program programs[size_t(1) << kPlaceBits];
inline const Program& place(unsigned id) { return programs[id]; }
unsigned place_count();

// Who accessed, when and where: 36 bits segment, 10 bits thread of the block, 15 bits place. A segment
// is a span of time of one block between two barriers, or of some of its threads between
// synchronizations of their own, or of an operation such as a copy. Segments are numbered in the
// order in which they begin; from a number, the launch and the block are found.
using Record = uint64_t;
constexpr Record kWritten = Record(1) << 25;   // by nobody in particular, before everything else
constexpr Record kSet = uint64_t(1) << 63;     // not a record but the number of a Set
constexpr Record kBeyond = uint64_t(1) << 62;  // no byte of any array
constexpr Record kIgnored = kBeyond | 1;       // memory that is none of our business

inline Record record_of(uint64_t who, unsigned place) { return who << kPlaceBits | place; }
inline uint64_t who(Record r) { return r >> kPlaceBits; }  // segment and thread
inline uint64_t segment(Record r) { return r >> (kPlaceBits + 10); }
inline unsigned thread(Record r) { return r >> kPlaceBits & 1023; }
inline unsigned place_of(Record r) { return r & ((1u << kPlaceBits) - 1); }
inline uint64_t make_who(uint64_t segment, unsigned thread) { return segment << 10 | thread; }

// What is known of a word of 4 bytes, or of one byte where bytes are accessed one by one.
struct Cell {
  Record write = 0;  // the last write; 0: never written
  Record reads = 0;  // reads and atomics since, as far as a later access may conflict with them
};

// ---- memory ----

// Where device memory lies in a checked run, so that its cells are found by arithmetic.
constexpr unsigned kArenaBits = 40;
constexpr uintptr_t kArena = uintptr_t(1) << 45;  // clear of AddressSanitizer's shadow, too
constexpr uintptr_t kArenaBytes = uintptr_t(1) << kArenaBits;
constexpr unsigned kPageBits = 12;

// What a word holds that threads access with atomics.
inline uint64_t word_at(uintptr_t address, unsigned bytes) {
  switch (bytes) {
    case 1: return *reinterpret_cast<const volatile uint8_t*>(address);
    case 2: return *reinterpret_cast<const volatile uint16_t*>(address);
    case 4: return *reinterpret_cast<const volatile uint32_t*>(address);
    default: return *reinterpret_cast<const volatile uint64_t*>(address);
  }
}

// A range of addresses with its cells: one for each word, and for pages in which single bytes were
// accessed one for each byte.
struct Region {
  uintptr_t low = 0;
  size_t bytes = 0;
  Cell* words = nullptr;
  Cell* single = nullptr;
  unsigned char* byte_wise = nullptr;  // of each page

  bool contains(uintptr_t address) const { return address - low < bytes; }
};
extern Region arena;

// The cells of a range, one call for each cell with its address and size.
void split_page(Region& region, size_t page);
template <typename Function>
inline void for_cells(Region& region, uintptr_t address, size_t bytes, const Function& function) {
  uintptr_t at = address - region.low;
  const uintptr_t end = at + bytes;
  while (at < end) {
    const size_t page = at >> kPageBits;
    const uintptr_t page_end = (page + 1) << kPageBits;
    const uintptr_t stop = end < page_end ? end : page_end;
    if (!region.byte_wise[page] && ((at | stop) & 3) != 0) split_page(region, page);
    if (region.byte_wise[page]) {
      for (; at < stop; at++) function(region.single[at], region.low + at, 1u);
    } else {
      for (; at < stop; at += 4) function(region.words[at >> 2], region.low + at, 4u);
    }
  }
}
Region* find_region(uintptr_t address);
// Host memory that is registered, in an operation, or a variable of the device.
Region* add_region(uintptr_t address, size_t bytes);
Region make_region(uintptr_t low, size_t bytes);
void set_cells(Region& region, uintptr_t address, size_t bytes, Cell value);

struct SharedVariable {
  uintptr_t base;
  size_t bytes, element;
  const char* name;  // null: the gap after a variable
  const char* type;
  const bool* padding;  // of an element, see padding_of()
};

// ---- who is ordered with whom ----

// Of each timeline, how many of its steps.
using Steps = std::vector<uint64_t>;

// What happens before a thread's current step: a graph, because it only grows.
struct Clock {
  const Clock *first, *second;  // what it contains, or null
  uint64_t block;               // all of this block up to `epoch` (exclusive), and of `thread`, or of
  uint32_t epoch;               // the lanes in `lanes` of the thread's warp, up to segment `segment`
  uint16_t thread;
  uint32_t lanes;               // 0: only the thread
  uint64_t segment;
  // For the words of a finding: the thread's last fences before the atomic that published this.
  uint64_t block_fence, device_fence;
  Scope scope;
  mutable uint64_t seen;
  const Steps* host = nullptr;  // what the host told by flags, to this or to what it contains
  uint64_t before = 0;          // all segments that it contains, itself or in others, have smaller numbers
};

// What an atomic variable carries from those who wrote it to those who read it.
struct Published {
  const Clock* device = nullptr;
  const Clock* in_block = nullptr;  // for the threads of `block`
  uint64_t block = 0;
  const Clock* any = nullptr;       // as if no fence were needed
  std::vector<const Clock*> joined; // what went into `device` and `in_block` lately
};

// An atomic or a volatile write by which a block has told others what it had done: when, and by which thread.
struct Arrival {
  uint64_t segment;
  unsigned thread;
  uint32_t epoch;
};

struct ThreadClock {
  uint64_t segment = 0;
  const Clock* known = nullptr;
  const Clock* release_block = nullptr;   // at the last fence of that width
  const Clock* release_device = nullptr;
  const Clock* pending_block = nullptr;   // seen by atomics since, becomes known with a fence
  const Clock* pending_device = nullptr;
  const Clock* any = nullptr;
  const Clock* arrived = nullptr;         // what it had done at the first half of a cluster's barrier
  uint64_t block_fence = 0, device_fence = 0;  // segments that ended with a fence
  uint64_t fenced = 0;  // the last one that ended so, of its own or of a thread that it has met since
  bool observed_block_only = false;
  const Clock* observed[4] = {};  // lately
  // What atomics have published that it has seen, and whether a fence has made it known since: what it publishes
  // after that contains this.
  struct {
    const Clock* clock;
    bool known;
  } contained[4] = {};
  unsigned next_contained = 0;
  // What the thread's own atomics on these words have seen of others' on the same.
  struct Word {
    uintptr_t address;
    unsigned bytes;
    const Clock* any;
  };
  std::vector<Word> words;  // the last kMostWords
  // What words held when the thread last looked at them, or wrote them, with atomics: the last few.
  struct Value {
    uintptr_t address;
    uint64_t value;
    uint64_t since;  // when it was first seen, in steps of the thread
    unsigned bytes;
    bool read;  // not only written
  };
  Value values[8] = {};
  unsigned next_value = 0;
  // Its last volatile read: the uses of the word by others, and what the thread knew. In a loop that waits both stay the same.
  struct {
    uintptr_t word;
    uint64_t others;
    const Clock* any;
  } looked = {};
  // The words that it wrote lately, and the compare-and-swap that failed: lost_updates.cpp.
  struct Written {
    uintptr_t address;
    uint64_t when;
  };
  Written written[8] = {};
  unsigned next_written = 0;
  uint64_t steps = 0;
  struct {
    uintptr_t address = 0;
    uint64_t expected = 0, desired = 0, since = 0;
    bool known = false;
  } failed;
  unsigned next_word = 0;
  const void* point_file = nullptr;  // where a schedule could last switch it, and how long it waits still
  int point_line = 0;
  bool comes_again = false;
  unsigned delay = 0;
  unsigned next_observed = 0;
  unsigned locks = 0;  // the number of its locks in lock_order.cpp; 0: none
  Arrival told_others{};  // the last one of its own
};

// Those of a block's threads. Few programs order single threads, so they are made again only if the block before has
// used them.
class ThreadClocks {
 public:
  void begin_block(size_t threads) {
    if (used_ || all_.size() != threads) all_.assign(threads, ThreadClock{});
    used_ = false;
  }
  ThreadClock& operator[](size_t thread) {
    used_ = true;
    return all_[thread];
  }
  const ThreadClock& operator[](size_t thread) const { return all_[thread]; }
  const ThreadClock& unchanged(size_t thread) const { return all_[thread]; }
  size_t size() const { return all_.size(); }
  ThreadClock* begin() {
    used_ = true;
    return all_.data();
  }
  ThreadClock* end() { return all_.data() + all_.size(); }

 private:
  std::vector<ThreadClock> all_;
  bool used_ = false;
};

// An operation that has run: a kernel, a copy; or a span of host code.
struct Done {
  uint64_t first_segment;
  unsigned timeline;
  uint64_t step;
  Site site;
  const char* what;   // "kernel k", "cudaMemcpyAsync"
  bool host, is_kernel;
  int device;
  unsigned child_timeline = 0;  // see child_kernels.h
  uint64_t child_step = 0;
};

// In a segment's number of the block: what a thread of that block copies in the background.
constexpr uint64_t kBackground = uint64_t(1) << 39;
struct CopiesOfThread {
  std::vector<uint64_t> open;     // segments of those that it has not waited for, in order
  std::vector<uint64_t> batches;  // the last one of each batch that it has not waited for
  std::vector<std::pair<const void*, uint64_t>> given;  // to a barrier that waits for them
};

// The current thread of the current worker.
struct Context {
  uint64_t who = 0;
  uint64_t floor = 0;          // segments below are known to be ordered
  uint64_t block_first = 0;    // first segment of this block
  uint64_t epoch_first = 0;    // of this block since its last barrier
  uint64_t block_segment = 0;  // that of all threads without one of their own
  uint64_t block = 0;          // number of the block in its grid
  uint32_t epoch = 0;
  uintptr_t stack_low = 0;
  size_t stack_bytes = 0;
  Region local;                // this thread's thread-local variables: shared memory among them
  Worker* worker = nullptr;
  Site last_barrier{nullptr, 0};
  std::vector<SharedVariable> shared;
  std::vector<SharedVariable> dynamic;  // the names of dynamic shared memory, of no size
  uint64_t shared_seen = 0;
  ThreadClocks threads;
  const Clock* part_barriers[16] = {};  // what those who are at each of them had done before
  bool own_clocks = false;     // some thread of the block has one
  std::vector<CopiesOfThread> copies;  // of each thread, where there are such copies
  uintptr_t repeated = 0;      // an address that is read again and again
  unsigned repeats = 0;
  bool result_ignored = false;  // of the atomic that comes next
  unsigned last_atomic_bytes = 4;
  uint64_t word_before = 0;     // what it found
  bool learns = false;          // from the one that came last
  bool guesses = false;         // the compare-and-swap that comes next: it expects what the thread read there
  const unsigned* changes = nullptr;  // counts the worker's atomics that changed memory
  pthread_t system_thread{};
  bool active = false;
  Arrival told_others{}, told_before{};  // the last one of the block, and the last one before its last barrier
  bool orders_nothing = false;  // the barrier that the block's threads wait at
  bool in_cluster = false;     // of several blocks, which may touch each other's shared memory
  uintptr_t variables = 0;     // any thread-local variable: the others have the same distance from it everywhere
  struct {
    const void* counter = nullptr;
    unsigned id = 0;
  } places[1024];
};
extern __thread Context* checking;  // null while host code runs

// Programs without fences, __syncwarp() and flags need no clocks.
bool precise();

bool ordered(const Context& c, Record earlier);
// Of a block of the same cluster, the one whose shared memory holds the address: null if there is none.
Context* holder_in_cluster(const Context& c, uintptr_t address);
bool same_cluster(uint64_t a, uint64_t b);  // of two blocks of the launch
// The order of two operations.
const Done& done_of(uint64_t segment);
bool operation_ordered(const Done& earlier);
bool host_ordered(const Done& earlier, uint64_t segment);
uint64_t new_segment(uint64_t block, uint32_t epoch);
struct SegmentInfo {
  uint64_t block : 40, epoch : 24;
  bool in_background() const { return (block & kBackground) != 0; }
};
bool segment_info(uint64_t segment, SegmentInfo* info);
uint64_t launch_first();  // first segment of the launch that is running
// Whether the segment is of that launch: not of one before, nor of what ran while it was left.
bool of_launch(uint64_t segment);
const Launch* current_launch();

void give_own_segment(Context& c, unsigned thread);
void fence(Context& c, Scope scope);
void observe(Context& c, uintptr_t address, unsigned bytes, Scope scope);
void publish(Context& c, uintptr_t address, Scope scope, bool continues);
// What the thread that runs has published last, itself or by another thread that it has met since.
Arrival last_arrival(const Context& c);
// Whether it is a read of the host's that came before a flag which the thread has seen. A write of what was
// read needs no fence behind the flag: it is not made before the flag is known.
bool host_has_read(const Context& c, Record earlier);
// How the pair is ordered by what was seen through atomics: null if it is not.
const Clock* through_atomics(const Context& c, Record earlier);
// The same, of atomics on this word alone. `address`: of any of its bytes, since memory that single bytes are written of
// has a cell for each.
const Clock* through_word(const Context& c, Record earlier, uintptr_t address);

// ---- messages ----

// While one exists, this thread's accesses are not checked. Templates such as std::string's functions exist once in a
// program, perhaps as the program's own, instrumented, copy. Without this, the code that words a finding would be
// checked itself.
extern __thread bool muted;
class Muted {
 public:
  Muted() : checking_(checking), muted_(muted) {
    checking = nullptr;
    muted = true;
  }
  ~Muted() {
    checking = checking_;
    muted = muted_;
  }
  Muted(const Muted&) = delete;
  Muted& operator=(const Muted&) = delete;

 private:
  Context* const checking_;
  const bool muted_;
};

}  // namespace cpu_device::check
