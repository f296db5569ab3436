// What the program never releases: memory, streams, events, graphs and texture objects.
#include "leaks.h"

#include <unistd.h>

#include <cstdio>
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

}  // namespace

Told told_as(const char* setting) {
  const char* text = getenv(setting);
  if (text == nullptr || strcmp(text, "note") == 0) return Told::as_note;
  if (strcmp(text, "none") == 0) return Told::no;
  if (strcmp(text, "error") == 0) return Told::as_error;
  fprintf(stderr, "CPU device: %s must be none, note or error, not '%s'\n", setting, text);
  _exit(2);
}

void object_made(const char* what, uintptr_t handle, Site site) { objects()[{what, handle}] = {what, site}; }
void object_released(const char* what, uintptr_t handle) { objects().erase({what, handle}); }

void note_leaks() {
  const Told told = told_as("CPU_DEVICE_LEAKS");
  if (told == Told::no) return;
  const Muted quiet;
  const Leaks leaks = all_leaks();
  if (leaks.empty()) return;
  constexpr size_t kMostTold = 8;
  size_t listed = 0;
  Finding finding;
  finding.kind = "leak";
  finding.level = told == Told::as_error ? "error" : "note";
  finding.title = "the program ends without releasing what it allocated or created";
  for (const auto& [key, leak] : leaks) {
    const auto& [what, file, line] = key;
    if (listed == 0) finding.place = {file, line};
    if (++listed > kMostTold) {
      finding.details += format("\n    and %zu more", leaks.size() - kMostTold);
      break;
    }
    finding.details += "\n    " + what + (leak.count > 1 ? format(" (%zu times)", leak.count) : std::string()) +
                       (leak.bytes > 0 ? format(", %zu bytes", leak.bytes) : std::string()) + format(": line %d", line);
  }
  finding.hint = "call cudaFree(), cudaFreeHost(), cudaStreamDestroy() or a similar function. The end of the process also "
                 "releases everything, so this matters only in a program that keeps running.";
  add_finding(std::move(finding));
}

}  // namespace cpu_device::check
