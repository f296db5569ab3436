// What the dot products on several devices ask of the command line, and what they say. Not the
// lesson.
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

// Ends the program if there are fewer devices than it was asked for.
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

// Is the result that of a and b, which the host can read? Says so, and who had which elements.
inline bool verify_and_show(double result, const float* a, const float* b, const DotRun& run) {
  if (!verify_dot(result, a, b, run.n, run.blocks)) return false;
  for (const Share& share : run.shares)
    printf("device %d: %s from %zu on\n", share.device,
           course::count_of(share.size, "element").c_str(), share.begin);
  return true;
}

[[gnu::cold]] inline void print_time(const char* what, double ms, const DotRun& run) {
  printf("%s: %.2f ms, %.2f GB/s; %d x %s\n", what, ms, 8e-6 * run.n / ms, run.devices,
         course::device_name().c_str());
}
