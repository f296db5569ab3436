// What a program must find out about the machine before it starts.
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "../handle_error.h"
#include "options.h"

namespace course {

// "1.5 GB": bytes in decimal units, two or three digits.
inline std::string bytes_in_words(double bytes) {
  const char* const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
  int unit = 0;
  while (bytes >= 1000 && unit < 6) {
    bytes /= 1000;
    unit++;
  }
  if (unit == 0 && bytes == 1) return "1 byte";
  char text[32];
  snprintf(text, sizeof text, bytes < 10 && unit > 0 ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
  return text;
}

// Bytes that a container's limit leaves, infinity if there is none. `folder` is where the system
// shows its control groups, of version 2 or 1.
inline double container_memory_left(const std::string& folder = "/sys/fs/cgroup") {
  const auto read_number = [&](const char* name, double* value) {
    FILE* file = fopen((folder + name).c_str(), "r");
    if (file == nullptr) return false;
    const bool found = fscanf(file, "%lf", value) == 1;  // not so for "max"
    fclose(file);
    return found;
  };
  double limit = 0, used = 0;
  if ((read_number("/memory.max", &limit) && read_number("/memory.current", &used)) ||
      (read_number("/memory/memory.limit_in_bytes", &limit) &&
       read_number("/memory/memory.usage_in_bytes", &used)))
    return std::max(0.0, limit - used);
  return HUGE_VAL;
}

// Bytes of host memory that can be had without swapping: what the system has available, and what a
// container's limit leaves.
inline double available_host_memory() {
  double available =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (FILE* file = fopen("/proc/meminfo", "r")) {
    char line[256];
    double kib = 0;
    while (fgets(line, sizeof line, file) != nullptr)
      if (sscanf(line, "MemAvailable: %lf kB", &kib) == 1) available = kib * 1024;
    fclose(file);
  }
  return std::min(available, container_memory_left());
}

// Ends the program with exit code 2 and one line if the host has not `bytes` of memory available:
// called before anything is allocated.
inline void require_host_memory(double bytes) {
  const double available = available_host_memory();
  if (bytes > 0.9 * available)
    bad_usage("this size needs " + bytes_in_words(bytes) + " of host memory, and " +
              bytes_in_words(available) + " are available; take a smaller one");
}

// The same for the current device alone. Returns how much of it is the host's: a device without
// memory of its own (integrated graphics, the CPU device) takes it from there.
inline double require_device_memory(double bytes) {
  size_t device_free = 0, device_total = 0;
  HANDLE_ERROR(cudaMemGetInfo(&device_free, &device_total));
  if (bytes > static_cast<double>(device_free))
    bad_usage("this size needs " + bytes_in_words(bytes) + " on the device, which has " +
              bytes_in_words(static_cast<double>(device_free)) + " free; take a smaller one");
  int device = 0, integrated = 0;
  HANDLE_ERROR(cudaGetDevice(&device));
  HANDLE_ERROR(cudaDeviceGetAttribute(&integrated, cudaDevAttrIntegrated, device));
  return integrated ? bytes : 0;
}

// The same for the current device and the host.
inline void require_memory(double device_bytes, double host_bytes) {
  require_host_memory(host_bytes + require_device_memory(device_bytes));
}

// Ends the program with exit code 77 and one line if there are fewer devices than wanted. Call it
// before any other CUDA call, because it also sets how many devices the CPU device acts as (up to
// 16), unless CPU_DEVICE_COUNT is set already. It changes nothing for GPUs.
inline void require_devices(int wanted) {
  setenv("CPU_DEVICE_COUNT", std::to_string(std::min(wanted, 16)).c_str(), 0);
  int present = 0;
  HANDLE_ERROR(cudaGetDeviceCount(&present));
  if (present < wanted)
    skip("this needs " + std::to_string(wanted) + " devices, and there " +
         (present == 1 ? "is 1" : "are " + std::to_string(present)) +
         "; the CPU device gives as many as CPU_DEVICE_COUNT says");
}

// Whether the kernels run on the CPU device instead of a GPU. For messages only: no program
// computes differently.
inline bool runs_on_cpu_device() {
  int device = 0;
  cudaDeviceProp properties;
  HANDLE_ERROR(cudaGetDevice(&device));
  HANDLE_ERROR(cudaGetDeviceProperties(&properties, device));
  return std::string(properties.name).rfind("CPU", 0) == 0;
}

// How many multiprocessors the current device has.
inline int multiprocessors() {
  int device = 0, count = 0;
  HANDLE_ERROR(cudaGetDevice(&device));
  HANDLE_ERROR(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  return count;
}

// The current device in one line, for the head of a program's output.
inline std::string device_name() {
  int device = 0;
  HANDLE_ERROR(cudaGetDevice(&device));
  cudaDeviceProp properties;
  HANDLE_ERROR(cudaGetDeviceProperties(&properties, device));
  return std::string(properties.name) + ", " + std::to_string(properties.multiProcessorCount) +
         " multiprocessors";
}

}  // namespace course
