// Whether a kernel asks little enough of the memory, by what the CPU device counted:
//
//   judge counts SEED key=value... < counts.json    "right", or one line that says what is too much
//
// The limits stand in the lab's cases, in lines that begin with the word counts:
//
//   most_sectors_per_request   of 32 bytes, a warp's load or store in global memory, on average
//   most_global_reads          elements, read from global memory by all threads
//   most_global_atomics        atomic operations on global memory, by all threads
//   most_bank_conflicts        of all accesses to shared memory
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace lab {

// What one line of the program asked for, in one way.
class Access {
 public:
  explicit Access(std::string json) : json_(std::move(json)) {}

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

// All that CPU_DEVICE_PROFILE wrote: it has one access a line.
inline std::vector<Access> read_accesses(std::FILE* from) {
  std::vector<Access> all;
  std::string line;
  for (int c; (c = std::getc(from)) != EOF;) {
    if (c != '\n') {
      line += static_cast<char>(c);
      continue;
    }
    if (line.find("\"kind\": ") != std::string::npos) all.emplace_back(line);
    line.clear();
  }
  return all;
}

// The line that asks for most, for the one who looks for it.
template <typename Measure>
std::string too_much(const std::vector<Access>& all, const Measure& measure, double sum, double most,
                     const char* what) {
  const Access* worst = nullptr;
  for (const Access& one : all)
    if (measure(one) > 0 && (worst == nullptr || measure(one) > measure(*worst))) worst = &one;
  char text[200];
  std::snprintf(text, sizeof text, "%s: %.6g counted, %.6g at most wanted; most at ", what, sum, most);
  return text + (worst == nullptr ? "no line" : worst->place());
}

// "right", or what exceeds the limits among the parameters.
inline std::string counts_verdict(const std::map<std::string, std::string>& parameters) {
  const std::vector<Access> all = read_accesses(stdin);
  if (all.empty()) return "nothing was counted: no kernel has read or written memory";
  for (const auto& [key, value] : parameters) {
    const double most = std::atof(value.c_str());
    const auto exceeds = [&](const auto& measure, double divisor, const char* what, std::string* words) {
      double sum = 0;
      for (const Access& one : all) sum += measure(one);
      if (divisor > 0) sum /= divisor;
      if (sum > most * 1.001) *words = too_much(all, measure, sum, most, what);
    };
    std::string words;
    if (key == "most_sectors_per_request") {
      double requests = 0;
      const auto plain = [](const Access& a) { return a.is("global_load") || a.is("global_store"); };
      for (const Access& one : all) requests += plain(one) ? one.number("requests") : 0;
      exceeds([&](const Access& a) { return plain(a) ? a.number("sectors") : 0; }, requests,
              "sectors of 32 bytes per request of a warp", &words);
    } else if (key == "most_global_reads") {
      exceeds([](const Access& a) { return a.is("global_load") ? a.number("lanes") : 0; }, 0,
              "elements read from global memory", &words);
    } else if (key == "most_global_atomics") {
      const auto atomic = [](const Access& a) { return a.is("global_atomic") || a.is("global_reduction"); };
      exceeds([&](const Access& a) { return atomic(a) ? a.number("lanes") : 0; }, 0,
              "atomic operations on global memory", &words);
    } else if (key == "most_bank_conflicts") {
      exceeds([](const Access& a) { return a.is("shared") ? a.number("bank_conflicts") : 0; }, 0,
              "bank conflicts in shared memory", &words);
    }
    if (!words.empty()) return words;
  }
  return "right";
}

}  // namespace lab
