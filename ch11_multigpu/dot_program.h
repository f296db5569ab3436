// The options and the output of the dot products on several devices. Not the lesson.
#pragma once

#include <stdio.h>

#include <string>
#include <vector>

#include "devices.h"
#include "dot.h"

struct DotRun {
  size_t n;  // elements
  int devices;
  int blocks;                 // on each device
  std::vector<Share> shares;  // they cover the elements
};

// Ends the program if there are fewer devices than requested.
inline DotRun parse_dot_run(int argc, char** argv, const char* about) {
  Request request;
  DeviceRequest device_request;
  course::Options options(about);
  add_options(options, &request);
  add_options(options, &device_request);
  options.parse(argc, argv);
  const size_t n = request.size;
  const std::vector<Share> shares =
      split(n, parse_shares(device_request.shares, device_request.devices));
  course::require_devices(device_request.devices);
  return {n, device_request.devices, request.blocks == 0 ? default_blocks() : request.blocks,
          shares};
}

// Verifies the result and prints which device had which elements. The host must be able to read a,
// b.
inline bool verify_and_show(double result, const float* a, const float* b, const DotRun& run) {
  if (!verify_dot(result, a, b, run.n, run.blocks)) return false;
  for (const Share& share : run.shares)
    printf("device %d: %s, starting at %zu\n", share.device,
           course::count_of(share.size, "element").c_str(), share.begin);
  return true;
}

inline void print_time(const char* what, double ms, const DotRun& run) {
  printf("%s: %.2f ms, %.2f GB/s; %d x %s\n", what, ms, course::billions_per_second(8.0 * run.n, ms), run.devices,
         course::device_name().c_str());
  if (course::runs_on_cpu_device()) printf("times on the CPU device say nothing about a GPU\n");
}
