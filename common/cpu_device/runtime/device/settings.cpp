// Settings from the environment. A value that makes no sense ends the program with one line.
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "../check/check.h"
#include "settings.h"

namespace cpu_device {

static long long whole_number(const char* text, long long low, long long high, const char* name) {
  char* end = nullptr;
  errno = 0;
  const long long value = strtoll(text, &end, 10);
  if (end == text || *end != '\0' || errno != 0 || value < low || value > high) {
    fprintf(stderr, "CPU device: %s must be a whole number from %lld to %lld, not '%s'\n", name, low,
            high, text);
    exit(2);
  }
  return value;
}

static long long number(const char* name, long long low, long long high, long long otherwise) {
  const char* text = getenv(name);
  return text == nullptr || *text == '\0' ? otherwise : whole_number(text, low, high, name);
}

static int usable_cores() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0) return CPU_COUNT(&cores);
  return static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
}

size_t page_bytes() {
  static const auto bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

// The machine's memory, or what a container may use of it (control groups of version 2 or 1).
static long long usable_memory() {
  long long bytes = sysconf(_SC_PHYS_PAGES) * static_cast<long long>(page_bytes());
  for (const char* name :
       {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    FILE* file = fopen(name, "r");
    if (file == nullptr) continue;
    long long limit = 0;
    if (fscanf(file, "%lld", &limit) == 1 && limit > 0) bytes = std::min(bytes, limit);
    fclose(file);
  }
  return bytes;
}

static Settings read_settings() {
  Settings s{};
  s.workers = static_cast<int>(number("CPU_DEVICE_THREADS", 1, 256, usable_cores()));
  s.devices = static_cast<int>(number("CPU_DEVICE_COUNT", 0, kMostDevices, 1));
  if (check::on) s.workers = check::most_workers();
  s.multiprocessors =
      static_cast<int>(number("CPU_DEVICE_MULTIPROCESSORS", 1, 1024, s.workers));
  const long long machine = usable_memory();
  const int sharing = s.devices > 0 ? s.devices : 1;
  s.memory = static_cast<size_t>(
      number("CPU_DEVICE_MEMORY", 1, LLONG_MAX, machine / 2 / sharing / (1 << 20) * (1 << 20)));
  s.order = Order::forward;
  s.seed = 1;
  const char* order = getenv("CPU_DEVICE_ORDER");
  if (order != nullptr && *order != '\0' && strcmp(order, "forward") != 0) {
    if (strcmp(order, "reverse") == 0) {
      s.order = Order::reverse;
    } else if (strncmp(order, "shuffle", 7) == 0 && (order[7] == '\0' || order[7] == ':')) {
      s.order = Order::shuffle;
      if (order[7] == ':')
        s.seed = static_cast<uint32_t>(whole_number(order + 8, 0, UINT32_MAX,
                                                    "the SEED of CPU_DEVICE_ORDER=shuffle:SEED"));
    } else {
      fprintf(stderr,
              "CPU device: CPU_DEVICE_ORDER must be forward, reverse or shuffle[:SEED], not '%s'\n",
              order);
      exit(2);
    }
  }
  s.lockstep = number("CPU_DEVICE_LOCKSTEP", 0, 1, 0) == 1;
  s.in_step = number("CPU_DEVICE_LOCKSTEP", 0, 1, 1) == 1;
  s.debugged = number("CPU_DEVICE_DEBUGGER", 0, 1, 0) == 1;
  s.loops = number("CPU_DEVICE_LOOPS", 0, 1, 1) == 1;
  const char* exited = getenv("CPU_DEVICE_EXITED_THREADS");
  s.exited_may_miss = exited != nullptr && strcmp(exited, "ignore") == 0;
  if (exited != nullptr && *exited != '\0' && !s.exited_may_miss) {
    fprintf(stderr, "CPU device: CPU_DEVICE_EXITED_THREADS must be 'ignore' or unset, not '%s'\n",
            exited);
    exit(2);
  }
  return s;
}

const Settings& settings() {
  static const Settings s = read_settings();
  return s;
}

}  // namespace cpu_device
