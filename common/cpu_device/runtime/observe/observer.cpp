// Sorts what the hooks see, and hands it to the one observer there is.
#include "../check/observer.h"

#include <elf.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "../check/host_accesses.h"
#include "../check/shadow.h"
#include "../device/lasting.h"
#include "../profile/profile.h"

extern __thread unsigned int cpu_device_changes __asm__("cpu_device_changes");
extern const bool cpu_device_has_branches __attribute__((weak));

namespace cpu_device::check {

Observer* observer = nullptr;

// A Log that nothing destroys: the host is observed to the very end.
alignas(Log) static unsigned char nobodys_place[sizeof(Log)];
__thread Here here = {reinterpret_cast<Log*>(nobodys_place), 0, 0, false, false, {nullptr, 0}};
__thread KnownPlace known_places[512];

static Log* nobodys_log() {
  static Log* const log = new (nobodys_place) Log;
  return log;
}

void Tape::make_room() {
  if (at != room_.get() + capacity_) return;
  const auto unread = pending(), used = static_cast<size_t>(at - room_.get());
  if (unread * 2 > used || capacity_ == 0) {
    constexpr size_t kFirst = 256, kDoubled = 1 << 13;
    capacity_ = std::max(kFirst, capacity_ + std::min(capacity_, kDoubled));
    std::unique_ptr<uint64_t[]> larger(new uint64_t[capacity_]);
    std::copy(next, at, larger.get());
    room_ = std::move(larger);
  } else {
    std::copy(next, at, room_.get());
  }
  next = room_.get();
  at = next + unread;
  end = held_ ? at : room_.get() + capacity_;
}

void Tape::add(uint64_t number) {
  make_room();
  *at++ = number;
  end = held_ ? at : room_.get() + capacity_;
}

namespace {

// Variables of the environment, and what each makes of its value.
struct Maker {
  const char* variable;
  Observer* (*make)(const char* path);
};
const std::vector<Maker>& makers() {
  static const auto& all = *new std::vector<Maker>{{"CPU_DEVICE_PROFILE", make_profiler}};
  return all;
}

// ---- where the memory is ----

// The program's __constant__ variables: each has a section of its own (qualifiers.h).
std::vector<Range> read_constants() {
  std::vector<Range> found;
  std::ifstream file("/proc/self/exe", std::ios::binary);
  const auto read = [&file](uint64_t at, void* into, size_t bytes) {
    file.seekg(static_cast<std::streamoff>(at));
    return bool(file.read(static_cast<char*>(into), static_cast<std::streamsize>(bytes)));
  };
  Elf64_Ehdr header;
  if (!read(0, &header, sizeof header) || header.e_shstrndx >= header.e_shnum) return found;
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  if (!read(header.e_shoff, sections.data(), sections.size() * sizeof(Elf64_Shdr))) return found;
  std::string names(sections[header.e_shstrndx].sh_size, 0);
  if (!read(sections[header.e_shstrndx].sh_offset, names.data(), names.size())) return found;
  uintptr_t base = 0;  // the program comes first
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        *static_cast<uintptr_t*>(data) = info->dlpi_addr;
        return 1;
      },
      &base);
  for (const Elf64_Shdr& section : sections)
    if (strncmp(names.c_str() + section.sh_name, "cpu_device_constant", 19) == 0)
      found.push_back({base + section.sh_addr, base + section.sh_addr + section.sh_size});
  return found;
}

// ---- the thread that runs ----

// Shared memory of the worker on this system thread.
struct Shared {
  std::vector<SharedVariable> variables;
  Range all{UINTPTR_MAX, 0};
};
thread_local OfThread<Shared> shared;

// The observer is at work. What it uses of the standard library may be the program's own copy,
// whose accesses are also reported.
struct Busy {
  Busy() { here.log = nobodys_log(); }
  ~Busy() { here.log = log; }
  Log* const log = here.log;
};

void forget_places() {
  for (KnownPlace& place : known_places) place = {};
  forget_quiet_addresses();
}

bool find_shared(uintptr_t address, Range* where) {
  if (shared->all.contains(address))
    for (const SharedVariable& v : shared->variables)
      if (address - v.base < v.bytes && v.name != nullptr) {
        *where = {v.base, v.base + v.bytes};
        return true;
      }
  return address - reinterpret_cast<uintptr_t>(dynamic_shared()) < kMaxShared;
}

bool find_constant(uintptr_t address, Range* where) {
  static const auto& all = *new std::vector<Range>(read_constants());
  for (const Range& range : all)
    if (range.contains(address)) {
      *where = range;
      return true;
    }
  return false;
}

// `where`: memory around the address of which the same holds.
bool find_space(uintptr_t address, Space* space, Range* where) {
  *where = {address, address + 1};
  if (arena.contains(address)) {
    *where = {arena.low, arena.low + arena.bytes};
    *space = Space::global;
  } else if (in_stack(address)) {
    return false;
  } else if (find_shared(address, where)) {
    *space = Space::shared;
  } else if (find_constant(address, where)) {
    *space = Space::constant;
  } else if (find_region(address) != nullptr || globals().contains(address)) {
    const Region* region = find_region(address);
    if (region == nullptr) region = &globals();
    *where = {region->low, region->low + region->bytes};
    *space = Space::global;
  } else {
    return false;
  }
  return true;
}

// A thread that reads the same word again and again waits for somebody: others may run.
void let_others_run_if_spinning(uintptr_t address) {
  if (here.repeated != address) {
    here.repeated = address;
    here.repeats = 0;
  } else if (++here.repeats >= kMostRepeats) {
    here.repeats = 0;
    here.running.worker->let_others_run(WaitKind::spinning,
                                        here.running.worker->grid->launch->site);
  }
}

void let_others_run_if_wanted() {
  if (!here.others_wanted) return;
  here.others_wanted = false;
  cpu_device_changes++;  // this is progress
  here.running.worker->let_others_run(WaitKind::yielding, here.running.worker->grid->launch->site);
}

}  // namespace

void begin_observing() {
  nobodys_log();
  const Maker* chosen = nullptr;
  for (const Maker& maker : makers()) {
    const char* path = getenv(maker.variable);
    if (path == nullptr || *path == '\0') continue;
    if (chosen != nullptr) {
      fprintf(stderr, "CPU device: set only one of %s and %s\n", chosen->variable, maker.variable);
      _exit(2);
    }
    chosen = &maker;
    observer = maker.make(path);
  }
  if (observer != nullptr) watch_host();  // from now on the hooks come by, see host_access()
}

void check_writable(const char* variable, const char* path) {
  struct stat status;
  const bool existed = stat(path, &status) == 0;
  const bool folder = existed && S_ISDIR(status.st_mode);
  FILE* file = folder ? nullptr : fopen(path, "a");
  if (file != nullptr) {
    fclose(file);
    if (!existed) unlink(path);
    return;
  }
  fprintf(stderr, "CPU device: %s: cannot write '%s': %s\n", variable, path,
          folder ? "it is a folder" : strerror(errno));
  _exit(2);
}

void let_others_catch_up() { here.others_wanted = true; }

void observe(uintptr_t address, size_t bytes, Access access, unsigned place, const void* counter) {
  Seen seen{access, Space::global, false, address, bytes, place};
  if (access == Access::atomic) {
    seen.result_used = !here.result_ignored;
    here.result_ignored = false;
  }
  KnownPlace known{counter, {}, 0, 0};
  const bool looked_for = find_space(address, &seen.space, &known.memory);
  if (looked_for) {
    if (is_read(access)) let_others_run_if_spinning(address);
    const Busy busy;
    observer->access(here.running, seen, &known);
  }
  if (counter != nullptr && (known.note != 0 || !looked_for)) known_place(counter) = known;
  let_others_run_if_wanted();
}

void observe_known(const KnownPlace& place, uintptr_t address) {
  {
    const Busy busy;
    observer->known_access(here.running, place, address);
  }
  let_others_run_if_wanted();
}

void observe_note(Note note) {
  if (!observes_here()) return;
  {
    const Busy busy;
    observer->note(here.running, note);
  }
  let_others_run_if_wanted();
}

void observe_block_ends() {
  const Busy busy;
  observer->block_ends(here.running);
}

static __attribute__((noinline)) void know_shared_variable(const SharedVariable& variable) {
  const Busy busy;
  for (SharedVariable& known : shared->variables)
    if (known.base == variable.base) {
      if (known.name == variable.name && known.bytes == variable.bytes) return;
      known = variable;  // another kernel calls its dynamic shared memory otherwise
      forget_places();
      return observer->shared_variable(*here.running.worker, variable);
    }
  forget_places();
  shared->variables.push_back(variable);
  shared->all = {std::min(shared->all.low, variable.base),
                std::max(shared->all.high, variable.base + variable.bytes)};
  observer->shared_variable(*here.running.worker, variable);
}

void observe_shared_variable(const SharedVariable& variable) {
  if (!observes_here()) return;
  // Each thread of a block comes by, mostly with the variables and gaps of the one before. What has
  // the same address has the same place here.
  static __thread struct {
    uintptr_t base;
    const char* name;
    size_t bytes;
  } recent[16];
  auto& last = recent[variable.base * 0x9e3779b97f4a7c15u >> 60];
  if (last.base == variable.base && last.name == variable.name && last.bytes == variable.bytes)
    return;
  last = {variable.base, variable.name, variable.bytes};
  know_shared_variable(variable);
}

size_t current_shared_bytes() { return here.running.worker->grid->launch->shared_bytes; }

void observe_ignored_result() { here.result_ignored = true; }
void observe_result() { here.result_ignored = false; }

void observe_worker_begins(Worker& worker) {
  here.running.worker = &worker;
  forget_places();
}
// A launch that was given up leaves its last thread's log.
void observe_worker_ends() { here.log = nobodys_log(); }

void observe_block(Worker& worker) {
  const Busy busy;
  observer->block_begins(worker);
}

void observe_thread_runs(Worker& worker) {
  here.log = nobodys_log();
  here.running.thread = worker.current;
  Log& log = observer->log_of(here.running);
  log.use_stack(reinterpret_cast<uintptr_t>(worker.running->stack), worker.running->stack_bytes);
  here.log = &log;
}
void observe_thread_waits() {
  const Busy busy;
  observer->thread_waits(here.running);
}
void observe_thread_ends() {
  here.log = nobodys_log();
  observer->thread_ends(here.running);
}

bool has_branches() { return &cpu_device_has_branches != nullptr; }

}  // namespace cpu_device::check
