// Operations of streams and host code in words: races among them, and results that were never written.
#include <cstring>

#include "findings.h"
#include "happens_before.h"
#include "memory_names.h"
#include "messages.h"
#include "reports.h"
#include "source_lines.h"

namespace cpu_device::check {

namespace {

std::string operation_in_words(const Done& d) {
  if (d.host) return "host code";
  return (d.is_kernel ? "kernel " : "a ") + std::string(d.what);
}

}  // namespace

// The host uses what a stream works on that it has destroyed, which is no waiting.
static void report_destroyed_stream(Site destroyed, const SourcePlace& access, const char* does,
                                    uintptr_t address) {
  Finding finding;
  finding.kind = "call-order";
  finding.place = place_of_call(destroyed);
  if (count_again(finding)) return;
  finding.title = "cudaStreamDestroy() does not wait for the work in the stream";
  finding.details = access_line("host code", does, address_in_words(nullptr, address, 1), access,
                                finding.place.file);
  finding.hint = "the work may still be running. Call cudaStreamSynchronize() before the results are used.";
  add_finding(std::move(finding));
}

void report_operations(Record earlier, unsigned id, uintptr_t address, const char* does, Site site) {
  const Muted quiet;
  const Done& before = done_of(segment(earlier));
  const Program& a = place(place_of(earlier));
  const Program& b = place(id);
  Finding finding;
  const Site* destroyed = before.host ? destroyed_stream(done_of(segment(host_record(0))).timeline) : nullptr;
  if (destroyed != nullptr) {
    report_destroyed_stream(*destroyed, source_place(a), verb(a.access, false), address);
    return;
  }
  finding.kind = before.host ? "race-host" : "race-kernels";
  if (is_atomic(a.access) && is_atomic(b.access)) finding.kind = "race-scope";
  finding.place = source_place(b);
  finding.others = {{source_place(a), "access", verb(a.access, true)}};
  if (count_again(finding)) return;
  if (strcmp(finding.kind, "race-scope") == 0)
    finding.title = "atomic scope too narrow: two devices update the same word";
  else
    finding.title = before.host
                      ? "the host and the device may access the same memory at the same time"
                      : "missing order between streams: two operations may access the same memory at the same time";
  const std::string what = address_in_words(nullptr, address, 1);
  finding.details = access_line(operation_in_words(done_of(segment(host_record(0)))), does, what,
                                finding.place, finding.place.file) +
                    access_line(operation_in_words(before), verb(a.access, true), what,
                                finding.others[0].place, finding.place.file);
  if (before.site.line > 0)
    finding.details += format("\n    queued in line %d and in line %d, in no defined order",
                              site.line, before.site.line);  // as the accesses are listed
  if (strcmp(finding.kind, "race-scope") == 0)
    finding.hint = "such an atomic is atomic only within one device. Use one with system scope, such as atomicAdd_system().";
  else if (before.child_timeline != 0)
    finding.hint = "kernels that a kernel launches into different streams, or from different blocks, run in any order. Launch "
                   "both into one stream from one block, or the second one into cudaStreamTailLaunch.";
  else
    finding.hint = before.host ? "queued work runs while the host continues. Call cudaStreamSynchronize() or "
                                 "cudaDeviceSynchronize() before the host accesses this memory."
                               : "work in different streams runs in any order. Queue both in one stream, or call "
                                 "cudaEventRecord() after the first and cudaStreamWaitEvent() before the second.";
  add_finding(std::move(finding));
}

void report_host(Record earlier, Record now, uintptr_t address, size_t) {
  const Muted quiet;
  const Done& before = done_of(segment(earlier));
  Finding finding;
  if (const Site* destroyed = destroyed_stream(before.timeline)) {
    report_destroyed_stream(*destroyed, source_place(place(place_of(now))),
                            verb(place(place_of(now)).access, false), address);
    return;
  }
  finding.kind = "race-host";
  finding.place = source_place(place(place_of(now)));
  finding.others = {{source_place(place(place_of(earlier))), "access", "device"}};
  if (count_again(finding)) return;
  const Access access = place(place_of(now)).access;
  finding.title = is_read(access) ? "the host reads memory that the device may still write"
                                  : "the host writes memory that the device may still use";
  const std::string what = address_in_words(nullptr, address, 1);
  finding.details = access_line("host code", verb(access, false), what, finding.place, finding.place.file) +
                    access_line(operation_in_words(before), verb(place(place_of(earlier)).access, true),
                                what, finding.others[0].place, finding.place.file);
  if (!was_left(before))
    finding.hint = "queued work runs while the host continues. Call cudaStreamSynchronize() or cudaDeviceSynchronize() "
                   "before the host accesses this memory.";
  else if (is_read(access))
    finding.hint = "the kernel is still running. If the host waits for a flag that the kernel sets, put a "
                   "__threadfence_system() before the flag is set. Otherwise call cudaDeviceSynchronize() first.";
  else
    finding.hint = "the kernel is still running. If it waits for a flag, write the data before the flag. Make the accesses "
                   "to the flag volatile or atomic. Otherwise call cudaDeviceSynchronize() first.";
  add_finding(std::move(finding));
}

void report_host_on_device(unsigned id, uintptr_t address) {
  const Muted quiet;
  const Block* block = find_block(reinterpret_cast<const void*>(address));
  Finding finding;
  finding.kind = block == nullptr ? "use-after-free" : "wrong-side";
  finding.place = users_place(place(id));
  if (count_again(finding)) return;
  finding.title = "device pointer used in host code";
  const Known known = describe(reinterpret_cast<const void*>(address));
  if (!known.what.empty()) finding.details = "\n    " + known.what;
  finding.hint = "the host cannot access device memory. Copy the data to the host with cudaMemcpy().";
  add_finding(std::move(finding));
  flush_findings();
}

void report_host_early(unsigned id, uintptr_t address, unsigned bytes) {
  const Muted quiet;
  const Block* block = find_block(reinterpret_cast<const void*>(address));
  if (block == nullptr) return;  // the access faults, and that is explained
  Finding finding;
  finding.kind = "uninitialized";
  finding.place = users_place(place(id));
  if (count_again(finding)) return;
  finding.title =
      "uninitialized read: host code reads " + address_in_words(nullptr, address, bytes);
  finding.details = format("\n    the memory was allocated at %s, and nothing was written there",
                           in_words(block->site).c_str());
  finding.hint = "check that the kernel ran, with cudaGetLastError(), and that its blocks cover all elements: "
                 "(n + threads - 1) / threads.";
  add_finding(std::move(finding));
}

void report_unwritten(unsigned id, Site copy, Site allocated, size_t offset) {
  const Muted quiet;
  Finding finding;
  finding.kind = "unwritten-copy";
  finding.place = users_place(place(id));
  if (count_again(finding)) return;
  finding.title = "the host reads a result that was never written";
  finding.details = format("\n    byte %zu of the copy in line %d comes from the memory allocated in line %d, and no "
                           "kernel or copy has written it there",
                           offset, copy.line, allocated.line);
  finding.hint = "check that the kernel ran, with cudaGetLastError(), and that its blocks cover all elements: "
                 "(n + threads - 1) / threads.";
  add_finding(std::move(finding));
}

void report_short_copy(unsigned id, Site copy, Site allocated, size_t copied, size_t bytes) {
  const Muted quiet;
  Finding finding;
  finding.kind = "unwritten-copy";
  finding.place = users_place(place(id));
  if (count_again(finding)) return;
  finding.title = "the host reads a result that was never copied";
  finding.details = format("\n    the copy in line %d wrote only the first %zu of the %zu bytes allocated in line %d",
                           copy.line, copied, bytes, allocated.line);
  finding.hint = "the size of a copy is in bytes. Pass count * sizeof(element).";
  add_finding(std::move(finding));
}

}  // namespace cpu_device::check
