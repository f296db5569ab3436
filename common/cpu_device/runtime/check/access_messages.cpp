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
  finding.title = format("a shuffle reads from lane %u, which ", source) +
                  (other >= worker.threads ? format("a block of %u threads has not", worker.threads)
                                           : format("takes no part in it (mask 0x%08x)", mask)) +
                  where_in_kernel();
  finding.hint = "the value is undefined: let all lanes from which others read come to the shuffle, with a mask "
                 "that names them, or shorten its steps or its width";
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
                  (is_swap ? " gives up its update of " : " overwrites an update of ") + what;
  const auto number = [&](uint64_t value) {
    return bytes == 4 ? std::to_string(static_cast<int32_t>(value)) : std::to_string(static_cast<int64_t>(value));
  };
  finding.details = "\n    it had read " + number(values.read) + "; meanwhile another thread wrote " + number(values.now) +
                    (is_swap ? ", so that its atomicCAS() to " + number(values.written) + " changed nothing"
                             : "; it writes " + number(values.written)) +
                    "    line " + std::to_string(finding.place.line) + ":  " + source_text(finding.place);
  finding.hint = is_swap ? "repeat until the swap finds what was read: do { assumed = old; old = atomicCAS(p, assumed, "
                           "f(assumed)); } while (old != assumed);"
                         : "read and write in one step: atomicAdd(), atomicMax(), or a loop of atomicCAS(); or use what "
                           "atomicExch() returns";
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
    finding.title = "out of bounds" + in + ": " + who_words + " " + does + " " + what;
    if (block != nullptr) {
      const NamedPointer* pointer = named_pointer(*block, address);
      const size_t element = pointer == nullptr ? 1 : pointer->element;
      finding.details = format("\n    the array has %s and was allocated at %s",
                               element_words(block->bytes, element).c_str(),
                               in_words(block->site).c_str());
      finding.hint = "compare the index with the size of the array, as in `if (i < n)`";
    } else if (in_dynamic_shared(address)) {
      finding.kernel = current_launch()->type.name;
      finding.array = "dynamic shared memory";
      finding.details = format("\n    the launch in line %d gives %zu bytes of dynamic shared memory",
                               current_launch()->site.line, current_launch()->shared_bytes);
      finding.hint = "the third value in <<<blocks, threads, bytes>>> is in bytes: count * sizeof(element)";
    } else if (const SharedVariable* v = shared_at(*c, address)) {
      finding.details = format("\n    %s has %s", v->name, element_words(v->bytes, v->element).c_str());
      finding.hint = "the last index is one less than the number of elements";
    }
  } else if (name == "uninitialized") {
    finding.title = "read before anybody wrote it" + in + ": " + who_words + " " + does + " " + what;
    if (block != nullptr) {
      finding.details =
          format("\n    allocated at %s, and never written there", in_words(block->site).c_str());
      finding.details += copies_in_words(*block);
      finding.hint = "fresh memory holds anything: cudaMemset(), cudaMemcpy() or a kernel must write it first";
    } else {
      finding.hint = "shared memory holds anything when a block begins: let its threads fill it, then "
                     "__syncthreads()";
    }
  } else if (name == "misaligned") {
    finding.title = "misaligned access" + in + ": " + who_words + " " + does +
                    format(" %u bytes at ", bytes) + what;
    finding.details =
        format("\n    the address %p is not a multiple of %u: a GPU stops here", // NOLINT
               reinterpret_cast<const void*>(address), bytes);
    finding.hint = "vectors such as float4 begin at multiples of their size: count the offset in vectors";
  } else if (in_some_stack(address)) {
    finding.title = "a thread follows a pointer to another thread's variable" + in + ": " + who_words + " " + does +
                    " local memory that is not its own";
    finding.hint = "each thread has local variables of its own, at addresses that mean nothing to others: what they "
                   "share goes into __shared__ or device memory";
  } else {
    finding.title = "a kernel follows a host pointer" + in + ": " + who_words + " " + does +
                    " ordinary host memory";
    const Mapping mapping = mapping_of(address);
    for (const NamedPointer& pointer : current_launch()->named) {
      const auto at = reinterpret_cast<uintptr_t>(pointer.pointer);
      if (at >= mapping.low && at < mapping.high)
        finding.details = format("\n    %s points to ", pointer.name) +
                          (mapping.name == "[stack]" ? "a variable on the host's stack"
                                                     : "memory of malloc or new");
    }
    finding.hint = "allocate with cudaMalloc(), copy with cudaMemcpy(), and give the kernel that pointer";
  }
  return finding;
}

}  // namespace cpu_device::check

void cpu_device::checked_absent_lane(unsigned mask, int source, Site site) {
  if (check::checking != nullptr) check::report_absent_lane(mask, static_cast<unsigned>(source), site);
}
