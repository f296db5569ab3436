// What is remembered of kernels' parameters, of copies and of launches that failed, for the words of findings.
#include <cstring>
#include <map>

#include "../device/lasting.h"
#include "findings.h"
#include "source_lines.h"
#include "launches.h"

namespace cpu_device::check {

namespace {

struct Copy {
  size_t offset, bytes;
  Site site;
};
// The last copies from the host into each block.
std::map<uintptr_t, std::vector<Copy>>& copies() {
  static auto* all = new std::map<uintptr_t, std::vector<Copy>>;
  return *all;
}

}  // namespace

void copied_from_host(void* pointer, size_t bytes, Site site) {
  const auto to = reinterpret_cast<uintptr_t>(pointer);
  const Block* block = find_block(pointer);
  if (block == nullptr) return;
  auto& all = copies()[block->base];
  if (all.size() >= 4) all.erase(all.begin());
  all.push_back({to - block->base, bytes, site});
}

std::string copies_in_words(const Block& block) {
  const auto found = copies().find(block.base);
  if (found == copies().end()) return "";
  const Copy& last = found->second.back();
  if (last.bytes >= block.bytes)
    return format("\n    the copy in line %d copied host memory that was not initialized", last.site.line);
  std::string text = format("\n    the copy in line %d wrote only bytes %zu to %zu of %zu", last.site.line,
                            last.offset, last.offset + last.bytes - 1, block.bytes);
  for (size_t element : {2, 4, 8, 16})
    if (last.bytes * element == block.bytes) return text + ". Is its size in elements instead of bytes?";
  if (last.bytes == sizeof(void*)) return text + ". Is its size that of a pointer?";
  return text;
}

// ---- events that were never recorded ----

namespace {

struct Wait {
  Site site;
  const char* who;
  bool recorded;
};
std::vector<Wait>& waits() {
  static auto* all = new std::vector<Wait>;  // of each line one; asked at the very end
  return *all;
}

}  // namespace

void waits_for_event(bool recorded, const char* who, Site site) {
  for (Wait& known : waits())
    if (known.site.line == site.line && strcmp(known.site.file, site.file) == 0) {
      known.recorded |= recorded;
      return;
    }
  waits().push_back({site, who, recorded});
}

void note_vain_waits() {
  for (const Wait& wait : waits()) {
    if (wait.recorded) continue;
    Finding finding;
    finding.kind = "call-order";
    finding.place = place_of_call(wait.site);
    finding.title = format("%s waits for an event that was never recorded, so it does not wait", wait.who);
    finding.hint = "call cudaEventRecord() before the wait.";
    add_finding(std::move(finding));
  }
  waits().clear();
}

// ---- errors that nobody asked for ----

namespace {

struct Unchecked {
  Site site{nullptr, 0};
  std::string what;
  bool open = false;
};
Unchecked& unchecked() {
  static auto* all = new Unchecked;
  return *all;
}

}  // namespace

void launch_failed(Site site, const std::string& what) {
  if (!unchecked().open) unchecked() = {site, what, true};
}
void error_asked() { unchecked().open = false; }

void note_unchecked_errors() {
  if (!unchecked().open) return;
  unchecked().open = false;
  Finding finding;
  finding.kind = "unchecked";
  finding.place = place_of_call(unchecked().site);
  finding.title = "a launch failed, and the program did not check for errors: " + unchecked().what;
  finding.hint = "call cudaGetLastError() after every launch.";
  add_finding(std::move(finding));
}

}  // namespace cpu_device::check

namespace cpu_device {

static thread_local OfThread<std::vector<NamedPointer>> next_named;

void name_parameter(const char* names, unsigned index, const void* pointer, size_t element,
                    size_t alignment, const char* type, const bool* padding) {
  static auto& known = *new std::map<std::pair<const char*, unsigned>, std::string>;
  static std::mutex mutex;  // kernels launch, too
  const std::lock_guard<std::mutex> guard(mutex);
  std::string& name = known[{names, index}];
  if (name.empty()) {
    const char* at = names;
    for (unsigned i = 0; i < index && *at != '\0'; at++)
      if (*at == ',') i++;
    while (*at == ' ') at++;
    while (*at != '\0' && *at != ',') name += *at++;
  }
  next_named->push_back({name.c_str(), pointer, element, alignment, type, padding});
}

void check::take_names(std::vector<NamedPointer>* into) {
  into->clear();
  into->swap(*next_named);
}

}  // namespace cpu_device
