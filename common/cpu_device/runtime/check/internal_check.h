// What the files of the checked run share beyond state.h.
#pragma once

#include <functional>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "state.h"

namespace cpu_device {

struct Index;
Index block_index();

namespace check {

// While one lives, this thread's accesses are nobody's business. Templates such as std::string's functions
// exist once in a program, perhaps as the program's own, instrumented, copy: whoever makes words of a
// finding would be watched doing it.
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

// order.cpp
Record host_record(unsigned place);
bool in_operation();
void begin_launch_clocks(const Launch& launch);
void end_launch_clocks();
void reset_floor(Context& c);
void add_context(Context* c);
const std::vector<Context*>& all_contexts();
[[noreturn]] void misaligned(Context& c, unsigned place, uintptr_t address, unsigned bytes);
// The blocks of a cluster: this one is one of them; all of them.
void join_cluster(Context& c);
const std::vector<Context*>& members_of_cluster();
// A block has ended, or ends, whose shared memory another block of its cluster uses.
void report_left_block(Context& c, Record use, uintptr_t address, unsigned bytes, uint64_t owner);
void note_ordering_atomic();
// Where the stream of a timeline was destroyed; null while it lives.
const Site* destroyed_stream(unsigned timeline);
bool several_streams();
// Where blocks have met so far.
const std::vector<Site>& barriers_passed();
void hold_host_clock(bool hold);
bool moment_contains(const Moment& moment, const Done& earlier);
bool host_contains(const Moment& moment);
// The host has seen what all before this operation did, and what it did itself up to a segment.
void host_saw(const Done& operation, uint64_t segment);
// The host tells what it has done and knows to the kernels that then see what it writes there; a fence, for
// all that it writes later; a copy tells them, too.
void host_publishes(const void* address, bool after_fence_only);
void host_fences();
void copy_publishes(uintptr_t address);
// The host and its functions in streams give what they have done to whoever then takes up this object
// (a mutex, an atomic variable).
void give(const void* object);
void take_up(const void* object);

// shadow.cpp
void prepare_arena();
Region& globals();
Region local_region(const Region* used);
bool in_program(uintptr_t address);
Region* find_any_region(uintptr_t address);  // of the arena, the variables or registered memory

void* map_zeros(size_t bytes);

// variables.cpp
extern uintptr_t variables_low;
extern size_t variables_bytes;
inline bool is_variable(uintptr_t address) { return address - variables_low < variables_bytes; }
void prepare_variables();
void host_variable(uintptr_t address, size_t bytes, bool writes, unsigned place);
void kernel_variable(const Context& c, uintptr_t address, size_t bytes, unsigned place);
void tell_unset_constants();
void copied_to_variable(uintptr_t address, size_t bytes, Site site);
void copied_from_variable(uintptr_t address, Site site);

// From now on the thread knows of what it did itself in the spans of time of that block, up to a segment.
void know(Context& c, uint64_t block, uint64_t last_segment);

// async_copies.cpp
// The first segment of a copy in the background that no thread of the block has waited for.
uint64_t oldest_copy(const Context& c);
// Whether that thread has still to wait for it.
bool is_open_copy(const Context& c, unsigned thread, uint64_t segment);

// access.cpp
void check_range(Context& c, uintptr_t address, size_t bytes, unsigned place);
void kernel_writes(const void* address, size_t bytes, Site site);
void forget_memos();
unsigned site_place(Site site, Access access, Scope scope, unsigned bytes);
void atomic_access(const void* address, unsigned bytes, Site site, Access access);
void atomic_at(const void* address, unsigned bytes, Access access, Scope scope,
               const void* counter);
void observe_at(const void* address, unsigned bytes, Access access, const void* counter);
// An atomic of C++ in host code.
void host_atomic(const void* address, unsigned bytes, Access access, const void* counter);
void atomic_stored(const void* address, Site site, bool continues);
void volatile_access(const void* address, unsigned bytes, bool is_write, const void* counter);
void forget_unwritten(uintptr_t low, uintptr_t high);
void fill_as_fresh(uintptr_t address, size_t bytes);
void block_ends(Context& c);
// What was read and never written until the very end.
void tell_late();
// Whether the plain read at this place only guesses what a compare-and-swap then makes sure of.
bool is_guess(unsigned place);
void look_at_reads(Record set, const std::function<void(Record)>& look);
// memcpy() and its relatives, called by the program.
void library_access(const void* address, size_t bytes, bool is_write, const void* counter);
void library_copy(void* to, const void* from, size_t bytes, const void* reads, const void* writes);
// At the beginning of a block: its shared memory holds what fresh memory holds.
void refresh_shared(Context& c);
void prepare_dynamic_shared(Context& c, size_t bytes);
void watch_host();
bool host_functions_queued();

// host.cpp
// What the program has of malloc() or new there, if it held what fresh memory holds.
bool fresh_host_block(uintptr_t address, uintptr_t* base, size_t* bytes, const void** counter);

// sarif.cpp
// Writes CPU_DEVICE_REPORT, if that is wanted; a file that cannot be written ends the program at
// once.
void check_report_file();
void write_report(const std::vector<Finding>& findings);
// Processes that the program forks: what they find is told by them and counted by their parent.
struct Totals {
  uint64_t findings = 0, launches = 0, accesses = 0;
};
void begin_family();
bool is_child();
void child_found(const Finding& finding);
void count_child();
Totals totals_of_children();

// findings.cpp
// The kinds of findings: what they are called in the summary, and what they are about. The last one is for
// all others.
struct Kind {
  const char *id, *one, *many, *about;
};
const std::vector<Kind>& kinds();
bool is_error(const Finding& f);
// Counts a finding once more if it is known; false if it is new.
bool count_again(const Finding& finding);

// coverage.cpp
// What was never launched and never reached, in lines of their own; empty if nothing.
std::string not_covered();

// launches.cpp
void note_unchecked_errors();
void note_vain_waits();
// "; the copy in line 12 wrote bytes 0 to 999 of 4000", of copies into the block.
std::string copies_in_words(const Block& block);

// turns.cpp
// A launch that has been left, for the host to go on.
struct LeftLaunch {
  const Launch* launch = nullptr;
  uint64_t first = 0, floor = 0, any_left = 0, next_segment = 0;
  size_t done = 0;
  Done mine{};
  Moment* now = nullptr;
  std::unordered_map<uintptr_t, Published> published;
  std::vector<std::pair<uint64_t, uint64_t>> others;
};
void leave_launch(LeftLaunch* left);
void enter_launch(LeftLaunch* left);
bool launch_is_left();
bool was_left(const Done& operation);  // is left, or has been
void forget_polling();                 // the host has queued something else than copies
extern bool has_turn;  // a kernel that takes turns runs
void count_poll();     // it has looked at what the host may change
void expect_turns();   // a kernel has been left: the host's accesses are counted
void note_host_step(); // the host has written something, or called CUDA
uint64_t host_steps_made();
uint64_t turns_taken();
std::unique_lock<std::recursive_mutex> stop_host_code();

// watchdog.cpp
// Set when a launch makes no progress for too long.
extern volatile bool time_is_up;
void watch_time();
[[noreturn]] void stop_endless(Context& c, Site site);

// words.cpp
Finding explain_access(const char* kind, Context* c, unsigned place, uintptr_t address,
                       unsigned bytes);
bool is_own_header(const Program& p);
// Where a place stands, for explanations that keep only a pointer to the file's name.
Site lasting_site(const Program& p);
// One line on an access, for a finding that begins with `file`.
std::string access_line(const std::string& who_words, const char* does, const std::string& what,
                        const SourcePlace& at, const std::string& file);
// The variable of the program that holds the address.
std::string variable_name(uintptr_t address);
size_t variable_left(uintptr_t address);  // bytes from there to its end; 0: no variable
// Of a variable in constant memory without an initializer: where it lies.
bool find_unset_constant(uintptr_t address, uintptr_t* base, size_t* bytes);
// Whether bytes of an element are padding: 1 or 0, and -1 where its type is not known.
int known_padding(const Context& c, unsigned place, uintptr_t address, unsigned bytes);
bool in_some_stack(uintptr_t address);
bool is_mapped(uintptr_t address);
// Memory that host code must not touch.
bool device_only(uintptr_t address);
Site allocation_site(uintptr_t address);
void report_unwritten(unsigned place, Site copy, Site allocated, size_t offset);
void report_short_copy(unsigned place, Site copy, Site allocated, size_t copied, size_t bytes);
void report_host(Record earlier, Record now, uintptr_t address, size_t bytes);
void report_host_on_device(unsigned place, uintptr_t address);
void report_host_early(unsigned place, uintptr_t address, unsigned bytes);

}  // namespace check
}  // namespace cpu_device
