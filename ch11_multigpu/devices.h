// How the work is divided among the devices.
#pragma once

#include <stdlib.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../common/program/device.h"
#include "../common/program/options.h"

// A device's part of n elements.
struct Share {
  int device;
  size_t begin, size;
};

// The options --devices and --shares.
struct DeviceRequest {
  int devices = 2;
  std::string shares;  // such as 2,1: device 0 gets twice as much; empty: equal shares
};

inline void add_options(course::Options& options, DeviceRequest* request) {
  options.number("devices", &request->devices, 1, 64, "devices");
  options.text("shares", "X,Y,...", &request->shares,
               "how much each device gets, for unequal devices (default: equal)");
}

// The weights in "2,1,0.5"; ends the program if they are not `devices` numbers that are not
// negative and not all 0.
inline std::vector<double> parse_shares(const std::string& text, int devices) {
  std::vector<double> weights;
  if (text.empty()) weights.assign(devices, 1);
  const char* next = text.c_str();
  double sum = 0;
  bool valid = true;
  while (valid && *next != '\0') {
    char* end = nullptr;
    const double weight = strtod(next, &end);
    valid = end != next && weight >= 0 && weight <= 1e6 &&
            (*end == '\0' || (*end == ',' && end[1] != '\0'));
    weights.push_back(weight);
    sum += weight;
    next = *end == ',' ? end + 1 : end;
  }
  if (!valid || static_cast<int>(weights.size()) != devices || (!text.empty() && sum <= 0))
    course::bad_usage("--shares must be " + std::to_string(devices) +
                      " numbers, such as 2,1, one for each device and not all 0, not '" + text +
                      "'");
  return weights;
}

// Splits n elements by the weights. No element is lost and none is counted twice, whatever n is;
// a share may be empty.
inline std::vector<Share> split(size_t n, const std::vector<double>& weights) {
  double sum = 0, before = 0;
  for (double weight : weights) sum += weight;
  std::vector<Share> shares;
  size_t begin = 0;
  for (size_t i = 0; i < weights.size(); i++) {
    before += weights[i];
    size_t end = static_cast<size_t>(static_cast<double>(n) * (before / sum));
    if (i + 1 == weights.size() || end > n) end = n;
    if (end < begin) end = begin;
    shares.push_back({static_cast<int>(i), begin, end - begin});
    begin = end;
  }
  return shares;
}

// Ends the program if a device does not have `bytes` for each element of its share, or the host
// does not have `host_bytes`.
inline void require_memory(const std::vector<Share>& shares, double bytes, double host_bytes) {
  for (const Share& share : shares) {
    HANDLE_ERROR(cudaSetDevice(share.device));
    host_bytes += course::require_device_memory(bytes * static_cast<double>(share.size));
  }
  HANDLE_ERROR(cudaSetDevice(0));
  course::require_host_memory(host_bytes);
}
