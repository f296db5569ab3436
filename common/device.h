// What a program asks about the machine before it starts.
#pragma once

#include <stdio.h>
#include <unistd.h>

#include <string>

#include "book.h"
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
  char text[32];
  snprintf(text, sizeof text, bytes < 10 && unit > 0 ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
  return text;
}

// Ends the program with exit code 2 and one line if the current device has not `device_bytes` free,
// or the host has not `host_bytes` of memory available: called before anything is allocated.
inline void require_memory(double device_bytes, double host_bytes) {
  size_t device_free = 0, device_total = 0;
  HANDLE_ERROR(cudaMemGetInfo(&device_free, &device_total));
  if (device_bytes > static_cast<double>(device_free))
    bad_usage("this size needs " + bytes_in_words(device_bytes) + " on the device, which has " +
              bytes_in_words(static_cast<double>(device_free)) + " free; take a smaller one");
  const double host_total =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (host_bytes > 0.9 * host_total)
    bad_usage("this size needs " + bytes_in_words(host_bytes) + " of host memory, and there are " +
              bytes_in_words(host_total) + "; take a smaller one");
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
