// Whether kernels ask little enough of the memory, and use streams and devices enough, by what the
// CPU device counted:
//
//   judge counts SEED key=value... < counts.json    "right", or one line that says what is too much
//
// The limits stand in the lab's cases, in lines that begin with the word counts:
//
//   most_sectors_per_request   of 32 bytes, a warp's load or store in global memory, on average
//   most_global_reads          elements, read from global memory by all threads
//   most_global_atomics        atomic operations on global memory, by all threads
//   most_bank_conflicts        of all accesses to shared memory
//   least_constant_reads       elements, read from constant memory by all threads
//   most_host_waits            calls in the text that make the host wait (grade.py and ./lab count them)
//   least_overlapping          kernels and copies that may run at the same time as what another stream does
//   least_devices              devices on which kernels run
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace lab {

// What one line of the program asked for, in one way; or what was queued in one stream.
class Counted {
 public:
  explicit Counted(std::string json) : json_(std::move(json)) {}

  std::string text(const std::string& key) const {
    const size_t at = json_.find("\"" + key + "\": \"");
    if (at == std::string::npos) return "";
    const size_t begin = at + key.size() + 5;
    return json_.substr(begin, json_.find('"', begin) - begin);
  }

  double number(const std::string& key) const {
    const size_t at = json_.find("\"" + key + "\": ");
    return at == std::string::npos ? 0 : std::atof(json_.c_str() + at + key.size() + 4);
  }

  bool is(const std::string& kind) const { return text("kind").rfind(kind, 0) == 0; }

  // "dot.cu:12"
  std::string place() const {
    const std::string file = text("file");
    return file.substr(file.rfind('/') + 1) + ":" + std::to_string(std::lround(number("line")));
  }

 private:
  const std::string json_;
};

// All that CPU_DEVICE_PROFILE wrote: it has one access, or one stream, a line.
inline std::vector<Counted> read_counted(std::FILE* from) {
  std::vector<Counted> all;
  std::string line;
  for (int c; (c = std::getc(from)) != EOF;) {
    if (c != '\n') {
      line += static_cast<char>(c);
      continue;
    }
    if (line.find("\"kind\": ") != std::string::npos ||
        line.find("\"overlapping\": ") != std::string::npos)
      all.emplace_back(line);
    line.clear();
  }
  return all;
}

// What is too much, and the line that has most of it.
template <typename Measure>
std::string too_much(const std::vector<Counted>& all, const Measure& measure, double sum, double most,
                     const char* what) {
  const Counted* worst = nullptr;
  for (const Counted& one : all)
    if (measure(one) > 0 && (worst == nullptr || measure(one) > measure(*worst))) worst = &one;
  char text[200];
  std::snprintf(text, sizeof text, "%s: %.6g, but this lab allows %.6g at most", what, sum, most);
  return text + (worst == nullptr ? "" : ". Most of them are at " + worst->place());
}

// What is not used enough, in words; empty if it is.
inline std::string too_little(size_t counted, long least, const char* what) {
  if (static_cast<long>(counted) >= least) return "";
  return std::string(what) + ": " + std::to_string(counted) + ", but this lab needs at least " +
         std::to_string(least);
}

// "right", or what is beyond the limits among the parameters.
inline std::string counts_verdict(const std::map<std::string, std::string>& parameters) {
  const std::vector<Counted> all = read_counted(stdin);
  if (std::all_of(all.begin(), all.end(), [](const Counted& c) {
        return c.text("kind").empty() || c.is("host_waits");
      }))
    return "nothing was counted: no kernel has read or written memory";
  for (const auto& [key, value] : parameters) {
    const double most = std::atof(value.c_str());
    const auto exceeds = [&](const auto& measure, double divisor, const char* what, std::string* words) {
      double sum = 0;
      for (const Counted& one : all) sum += measure(one);
      if (divisor > 0) sum /= divisor;
      if (sum > most * 1.001) *words = too_much(all, measure, sum, most, what);
    };
    std::string words;
    if (key == "most_sectors_per_request") {
      double requests = 0;
      const auto plain = [](const Counted& a) { return a.is("global_load") || a.is("global_store"); };
      for (const Counted& one : all) requests += plain(one) ? one.number("requests") : 0;
      exceeds([&](const Counted& a) { return plain(a) ? a.number("sectors") : 0; }, requests,
              "sectors of 32 bytes per request of a warp", &words);
    } else if (key == "most_global_reads") {
      exceeds([](const Counted& a) { return a.is("global_load") ? a.number("lanes") : 0; }, 0,
              "elements read from global memory", &words);
    } else if (key == "most_global_atomics") {
      const auto atomic = [](const Counted& a) { return a.is("global_atomic") || a.is("global_reduction"); };
      exceeds([&](const Counted& a) { return atomic(a) ? a.number("lanes") : 0; }, 0,
              "atomic operations on global memory", &words);
    } else if (key == "most_bank_conflicts") {
      exceeds([](const Counted& a) { return a.is("shared") ? a.number("bank_conflicts") : 0; }, 0,
              "bank conflicts in shared memory", &words);
    } else if (key == "least_constant_reads") {
      double reads = 0;
      for (const Counted& one : all) reads += one.is("constant_load") ? one.number("lanes") : 0;
      words = too_little(static_cast<size_t>(reads), std::atol(value.c_str()), "reads of constant memory");
    } else if (key == "most_host_waits") {
      for (const Counted& one : all)
        if (one.is("host_waits") && one.number("calls") > most)
          words = "calls that make the host wait: " + std::to_string(std::lround(one.number("calls"))) +
                  " in the code, but this lab allows " + value + " at most";
    } else if (key == "least_overlapping") {
      size_t overlapping = 0;
      for (const Counted& one : all) overlapping += static_cast<size_t>(one.number("overlapping"));
      words = too_little(overlapping, std::atol(value.c_str()),
                         "kernels and copies that may run while another stream is at work");
    } else if (key == "least_devices") {
      std::set<double> devices;
      for (const Counted& one : all)
        if (one.number("kernels") > 0) devices.insert(one.number("device"));
      words = too_little(devices.size(), std::atol(value.c_str()), "devices on which kernels ran");
    }
    if (!words.empty()) return words;
  }
  return "right";
}

}  // namespace lab
