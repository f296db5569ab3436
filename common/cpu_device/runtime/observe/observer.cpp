// Sorts what the hooks see, and hands it to the one observer there is.
#include "observer.h"

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

#include "../check/internal_check.h"
#include "../profile/profile.h"

extern __thread unsigned int cpu_device_changes __asm__("cpu_device_changes");
extern const bool cpu_device_has_branches __attribute__((weak));

namespace cpu_device::check {

Observer* observer = nullptr;

namespace {

// Variables of the environment, and what each makes of its value.
struct Maker {
  const char* variable;
  Observer* (*make)(const char* path);
};
const std::vector<Maker>& makers() {
  static const std::vector<Maker> all = {{"CPU_DEVICE_PROFILE", make_profiler}};
  return all;
}

// ---- where the memory is ----

struct Range {
  uintptr_t low, high;
};

// The program's __constant__ variables: each has a section of its own (qualifiers.h).
std::vector<Range> read_constants() {
  std::vector<Range> found;
  std::ifstream file("/proc/self/exe", std::ios::binary);
  const std::string image{std::istreambuf_iterator<char>(file), {}};
  if (image.size() < sizeof(Elf64_Ehdr)) return found;
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(image.data());
  if (header->e_shoff + header->e_shnum * sizeof(Elf64_Shdr) > image.size()) return found;
  const auto* sections = reinterpret_cast<const Elf64_Shdr*>(image.data() + header->e_shoff);
  const char* names = image.data() + sections[header->e_shstrndx].sh_offset;
  uintptr_t base = 0;  // the program comes first
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        *static_cast<uintptr_t*>(data) = info->dlpi_addr;
        return 1;
      },
      &base);
  for (int i = 0; i < header->e_shnum; i++)
    if (strncmp(names + sections[i].sh_name, "cpu_device_constant", 19) == 0)
      found.push_back({base + sections[i].sh_addr, base + sections[i].sh_addr + sections[i].sh_size});
  return found;
}

bool is_constant(uintptr_t address) {
  static const auto& all = *new std::vector<Range>(read_constants());
  for (const Range& range : all)
    if (address >= range.low && address < range.high) return true;
  return false;
}

// What is known of the worker on this system thread.
struct Here {
  Running running{};
  uintptr_t stack_low = 0;
  size_t stack_bytes = 0;
  std::vector<SharedVariable> shared;
  uintptr_t shared_low = UINTPTR_MAX, shared_high = 0;  // all of them
  bool result_ignored = false;
  uintptr_t repeated = 0;  // an address that is read again and again
  unsigned repeats = 0;
  // The observer is at work. What it uses of the standard library may be the program's own copy, whose
  // accesses are told, too.
  bool busy = false;
  bool others_wanted = false;
};
thread_local Here here;

struct Busy {
  Busy() { here.busy = true; }
  ~Busy() { here.busy = false; }
};

bool is_shared(uintptr_t address) {
  const auto dynamic = reinterpret_cast<uintptr_t>(dynamic_shared());
  if (address - dynamic < kMaxShared) return true;
  if (address < here.shared_low || address >= here.shared_high) return false;
  return std::any_of(here.shared.begin(), here.shared.end(), [&](const SharedVariable& v) {
    return address - v.base < v.bytes && v.name != nullptr;
  });
}

bool find_space(uintptr_t address, Space* space) {
  if (arena.contains(address)) {
    *space = Space::global;
  } else if (address - here.stack_low < here.stack_bytes) {
    return false;
  } else if (is_shared(address)) {
    *space = Space::shared;
  } else if (is_constant(address)) {
    *space = Space::constant;
  } else if (find_region(address) != nullptr || globals().contains(address)) {
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
  } else if (++here.repeats >= 512) {
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
  const Maker* chosen = nullptr;
  for (const Maker& maker : makers()) {
    const char* path = getenv(maker.variable);
    if (path == nullptr || *path == '\0') continue;
    if (chosen != nullptr) {
      fprintf(stderr, "CPU device: set %s or %s, not both\n", chosen->variable, maker.variable);
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

void observe(uintptr_t address, size_t bytes, Access access, unsigned place) {
  Seen seen{access, Space::global, false, address, bytes, place};
  if (access == Access::atomic) {
    seen.result_used = !here.result_ignored;
    here.result_ignored = false;
  }
  if (!find_space(address, &seen.space)) return;
  if (is_read(access)) let_others_run_if_spinning(address);
  {
    const Busy busy;
    observer->access(here.running, seen);
  }
  let_others_run_if_wanted();
}

bool observes_here() { return in_kernel() && !here.busy; }
void let_others_catch_up() { here.others_wanted = true; }

void observe_shared_variable(const SharedVariable& variable) {
  if (!observes_here()) return;
  const Busy busy;
  for (SharedVariable& known : here.shared)
    if (known.base == variable.base) {
      if (known.name == variable.name && known.bytes == variable.bytes) return;
      known = variable;  // another kernel calls its dynamic shared memory otherwise
      return observer->shared_variable(*here.running.worker, variable);
    }
  here.shared.push_back(variable);
  here.shared_low = std::min(here.shared_low, variable.base);
  here.shared_high = std::max(here.shared_high, variable.base + variable.bytes);
  observer->shared_variable(*here.running.worker, variable);
}

size_t current_shared_bytes() { return here.running.worker->grid->launch->shared_bytes; }

void observe_ignored_result() { here.result_ignored = true; }
void observe_result() { here.result_ignored = false; }

void observe_worker_begins(Worker& worker) { here.running.worker = &worker; }

void observe_block(Worker& worker) {
  const Busy busy;
  const Launch& launch = *worker.grid->launch;
  const Index at = block_index();
  here.running.block =
      at.x + uint64_t(launch.grid.x) * (at.y + uint64_t(launch.grid.y) * at.z);
  observer->block_begins(worker, here.running.block);
}

void observe_thread(Worker& worker, void (Observer::*what)(const Running&)) {
  const Busy busy;
  here.running.thread = worker.current;
  here.stack_low = reinterpret_cast<uintptr_t>(worker.running->stack);
  here.stack_bytes = worker.running->stack_bytes;
  (observer->*what)(here.running);
}

bool has_branches() { return &cpu_device_has_branches != nullptr; }

void observe_basic_block(const void* counter, uintptr_t stack) {
  if (!observing() || !observes_here()) return;
  {
    const Busy busy;
    observer->basic_block(here.running, counter, stack);
  }
  let_others_run_if_wanted();
}
void observe_comparison(const void* counter) {
  if (!observing() || !observes_here()) return;
  const Busy busy;
  observer->comparison(here.running, counter);
}

}  // namespace cpu_device::check
