// What the program never releases: memory, streams, events, graphs and texture objects.
#include "leaks.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <tuple>

#include "findings.h"
#include "source_lines.h"

namespace cpu_device::check {

namespace {

struct Object {
  const char* what;
  Site site;
};
std::map<std::pair<std::string, uintptr_t>, Object>& objects() {
  static auto* all = new std::map<std::pair<std::string, uintptr_t>, Object>;
  return *all;
}

struct Leak {
  size_t count = 0, bytes = 0;
};
// By what it is, and where it was made.
using Leaks = std::map<std::tuple<std::string, std::string, int>, Leak>;

void add(Leaks* leaks, const char* what, Site site, size_t bytes) {
  if (site.file == nullptr || site.line <= 0) return;
  Leak& leak = (*leaks)[{what, place_of_call(site).file, site.line}];
  leak.count++;
  leak.bytes += bytes;
}

Leaks all_leaks() {
  Leaks leaks;
  for_all_blocks([&](const Block& block) {
    switch (block.kind) {
      case MemoryKind::device: return add(&leaks, "device memory", block.site, block.bytes);
      case MemoryKind::pinned: return add(&leaks, "pinned memory", block.site, block.bytes);
      case MemoryKind::managed: return add(&leaks, "managed memory", block.site, block.bytes);
      default: return;
    }
  });
  for (const auto& [key, object] : objects()) add(&leaks, object.what, object.site, 0);
  return leaks;
}

// CPU_DEVICE_LEAKS=error: they are findings.
bool are_errors() {
  const char* text = getenv("CPU_DEVICE_LEAKS");
  return text != nullptr && strcmp(text, "error") == 0;
}

}  // namespace

void object_made(const char* what, uintptr_t handle, Site site) { objects()[{what, handle}] = {what, site}; }
void object_released(const char* what, uintptr_t handle) { objects().erase({what, handle}); }

void note_leaks() {
  const Muted quiet;
  const Leaks leaks = all_leaks();
  if (leaks.empty()) return;
  constexpr size_t kMostTold = 8;
  size_t told = 0;
  Finding finding;
  finding.kind = "leak";
  finding.level = are_errors() ? "error" : "note";
  finding.title = "the program ends without releasing what it made";
  for (const auto& [key, leak] : leaks) {
    const auto& [what, file, line] = key;
    if (told == 0) finding.place = {file, line};
    if (++told > kMostTold) {
      finding.details += format("\n    and %zu more", leaks.size() - kMostTold);
      break;
    }
    finding.details += "\n    " + what + (leak.count > 1 ? format(" (%zu times)", leak.count) : std::string()) +
                       (leak.bytes > 0 ? format(", %zu bytes", leak.bytes) : std::string()) + format(": line %d", line);
  }
  finding.hint = "call cudaFree(), cudaFreeHost(), cudaStreamDestroy() and the like. The end of the process also releases "
                 "everything, so this matters in a program that goes on.";
  add_finding(std::move(finding));
}

}  // namespace cpu_device::check
