// Single accesses of kernels in words: out of bounds, uninitialized, misaligned, host pointers.
#include "findings.h"
#include "launches.h"
#include "memory_names.h"
#include "messages.h"
#include "reports.h"
#include "source_lines.h"

namespace cpu_device::check {

namespace {

// Most lanes may read what is undefined, if they then do not use it, as in sums over a part of a warp; but
// the lane at the end towards which values move has no use for the shuffle then.
void report_absent_lane(unsigned mask, unsigned source, Site site) {
  const Muted quiet;
  const Worker& worker = *this_worker;
  const unsigned lane = worker.current % 32;
  const unsigned beyond = source > lane ? mask & ((1u << lane) - 1) : lane == 31 ? 0 : mask >> (lane + 1);
  if (beyond != 0) return;
  Finding finding;
  finding.kind = "shuffle";
  finding.place = place_of_call(site);
  if (count_again(finding)) return;
  const unsigned other = worker.current - lane + source;
  finding.title = format("shuffle reads from lane %u, which ", source) +
                  (other >= worker.threads ? format("does not exist in a block of %u threads,", worker.threads)
                                           : format("does not take part (mask 0x%08x),", mask)) +
                  where_in_kernel();
  finding.hint = "the value is undefined. Make every source lane reach the shuffle, with a mask that contains it. Or use a "
                 "smaller offset or width.";
  add_finding(std::move(finding));
}

}  // namespace

void report_lost_update(Context& c, uintptr_t address, unsigned bytes, LostUpdate values, bool is_swap, Site site) {
  const Muted quiet;
  Finding finding;
  finding.kind = "lost-update";
  finding.place = place_of_call(site);
  if (count_again(finding)) return;
  std::string whose;
  address = own_counterpart(c, address, &whose);
  const std::string what = address_in_words(&c, address, bytes) + whose;
  const std::string who_words = thread_in_words(c.block, static_cast<unsigned>(c.who & 1023), true);
  finding.kernel = current_launch()->type.name;
  finding.launch = launches_checked;
  finding.title = "lost update in kernel " + finding.kernel + ": " + who_words +
                  (is_swap ? " loses its update of " : " overwrites another thread's update of ") + what;
  const auto number = [&](uint64_t value) {
    return bytes == 4 ? std::to_string(static_cast<int32_t>(value)) : std::to_string(static_cast<int64_t>(value));
  };
  finding.details = "\n    it read " + number(values.read) + ", then another thread wrote " + number(values.now) +
                    (is_swap ? ", so its atomicCAS() to " + number(values.written) + " changes nothing"
                             : ", and now it writes " + number(values.written)) +
                    "    line " + std::to_string(finding.place.line) + ":  " + source_text(finding.place);
  finding.hint = is_swap ? "an atomicCAS() that fails writes nothing. Repeat it until it succeeds: do { assumed = old; old = "
                           "atomicCAS(p, assumed, f(assumed)); } while (old != assumed);"
                         : "other threads can write between the read and the write. Do both in one step, with atomicAdd(), "
                           "atomicMax() or a loop of atomicCAS(). Or use the value that atomicExch() returns.";
  add_finding(std::move(finding));
}

void report_stale_copy(Context& c, uintptr_t address, uintptr_t stale, unsigned bytes, LostUpdate values, Site site) {
  const Muted quiet;
  Finding finding;
  finding.kind = "lost-update";
  finding.place = place_of_call(site);
  if (count_again(finding)) return;
  const std::string what = address_in_words(&c, address, bytes), link = address_in_words(&c, stale, bytes);
  finding.kernel = current_launch()->type.name;
  finding.launch = launches_checked;
  finding.title = "lost update in kernel " + finding.kernel + ": " +
                  thread_in_words(c.block, static_cast<unsigned>(c.who & 1023), true) + " replaces " + what + ", but " +
                  link + " holds an older value of it";
  const auto number = [&](uint64_t value) {
    return bytes == 4 ? std::to_string(static_cast<int32_t>(value)) : std::to_string(static_cast<int64_t>(value));
  };
  finding.details = "\n    it read " + number(values.read) + " and wrote that to " + link + "; another thread changed " +
                    what + " to " + number(values.now) + "; its second atomicCAS() replaces that with " +
                    number(values.written) + "    line " + std::to_string(finding.place.line) + ":  " +
                    source_text(finding.place);
  finding.hint = "the node that the other thread added is no longer linked. Inside the loop, before each atomicCAS(), write the value "
                 "that it expects: next[node] = assumed;";
  add_finding(std::move(finding));
}

void report_access(const char* kind, Context* c, unsigned id, uintptr_t address, unsigned bytes) {
  const Muted quiet;
  if (arena.contains(address) && strcmp(kind, "uninitialized") == 0 &&
      find_block(reinterpret_cast<const void*>(address)) == nullptr)
    return;  // the access faults, and that is explained
  Finding known;
  known.kind = kind;
  known.place = source_place(place(id));
  if (!count_again(known)) add_finding(explain_access(kind, c, id, address, bytes));
}

Finding explain_access(const char* kind, Context* c, unsigned id, uintptr_t address, unsigned bytes) {
  const Muted quiet;
  const Program& p = place(id);
  Finding finding;
  finding.kind = kind;
  finding.place = source_place(p);
  const char* does = verb(p.access, false);
  std::string whose;
  address = own_counterpart(*c, address, &whose);
  std::string what = address_in_words(c, address, bytes) + whose;
  const std::string who_words = thread_in_words(c->block, static_cast<unsigned>(c->who & 1023), true);
  const std::string in = std::string(" in kernel ") + current_launch()->type.name;
  bool inside = false;
  const Block* block = c->local.contains(address) ? nullptr : near_block(address, &inside);
  const std::string name = kind;
  if (name == "out-of-bounds") {
    if (what == "memory") what += " outside all arrays";
    finding.title = "out of bounds" + in + ": " + who_words + " " + does + " " + what;
    if (block != nullptr) {
      const NamedPointer* pointer = named_pointer(*block, address);
      const size_t element = pointer == nullptr ? 1 : pointer->element;
      finding.details = format("\n    the array has %s and was allocated at %s",
                               element_words(block->bytes, element).c_str(),
                               in_words(block->site).c_str());
      finding.hint = address < block->base ? kIndexNegative : kIndexTooLarge;
    } else if (in_dynamic_shared(address)) {
      finding.kernel = current_launch()->type.name;
      finding.array = "dynamic shared memory";
      finding.details = format("\n    the launch in line %d requests %zu bytes of dynamic shared memory",
                               current_launch()->site.line, current_launch()->shared_bytes);
      finding.hint = "the third value in <<<blocks, threads, bytes>>> is a size in bytes. Pass count * sizeof(element).";
    } else if (const SharedVariable* v = shared_at(*c, address)) {
      finding.details = format("\n    %s has %s", v->name, element_words(v->bytes, v->element).c_str());
      finding.hint = "the last valid index is one less than the number of elements. Check the index first: `if (i < n)`.";
    } else {
      finding.hint = "the index may be negative or far too large. Compare it with the size of the array: `if (i < n)`.";
    }
  } else if (name == "uninitialized") {
    finding.title = "uninitialized read" + in + ": " + who_words + " " + does + " " + what;
    if (block != nullptr) {
      finding.details =
          format("\n    the memory was allocated at %s, and nothing was written there", in_words(block->site).c_str());
      finding.details += copies_in_words(*block);
      finding.hint = "new memory holds arbitrary values. Initialize it first, with cudaMemset(), cudaMemcpy() or a kernel.";
    } else {
      finding.hint = "shared memory holds arbitrary values when a block starts. Initialize it first, then call "
                     "__syncthreads().";
    }
  } else if (name == "misaligned") {
    finding.title = "misaligned access" + in + ": " + who_words + " " + does +
                    format(" %u bytes at ", bytes) + what;
    finding.details =
        format("\n    the address %p is not a multiple of %u: a GPU ends the kernel here", // NOLINT
               reinterpret_cast<const void*>(address), bytes);
    finding.hint = "the address of an access must be a multiple of its size, for example 16 for float4. Compute the offset in "
                   "elements of that type.";
  } else if (in_some_stack(address)) {
    finding.title = "local variable of another thread used" + in + ": " + who_words + " " + does +
                    " local memory that is not its own";
    finding.hint = "each thread has its own local variables, and their addresses are not valid in other threads. Put shared "
                   "data into __shared__ or device memory.";
  } else {
    finding.title = "host pointer used" + in + ": " + who_words + " " + does +
                    " ordinary host memory";
    const Mapping mapping = mapping_of(address);
    for (const NamedPointer& pointer : current_launch()->named) {
      const auto at = reinterpret_cast<uintptr_t>(pointer.pointer);
      if (at >= mapping.low && at < mapping.high)
        finding.details = format("\n    %s points to ", pointer.name) +
                          (mapping.name == "[stack]" ? "a variable on the host's stack"
                                                     : "memory from malloc() or new");
    }
    finding.hint = "a GPU cannot access this memory. Allocate with cudaMalloc(), copy with cudaMemcpy(), and pass that pointer "
                   "to the kernel.";
  }
  return finding;
}

}  // namespace cpu_device::check

void cpu_device::checked_absent_lane(unsigned mask, int source, Site site) {
  if (check::checking != nullptr) check::report_absent_lane(mask, static_cast<unsigned>(source), site);
}
