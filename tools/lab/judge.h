// What a lab's judge.cpp says: what a case gives to the answer, and what must come back.
//
//   judge input SEED key=value...  > input      what the program under test reads
//   judge verify SEED key=value... < results    "right", or one line that says what is wrong
//   judge counts SEED key=value... < counts     the same of what the kernels asked for: counts.h
//   judge drawn SEED key=value...               the same words, with numbers in the place of ranges
//
// The first two run the same function, which calls give() for each input and expect() for each result; the
// answer itself runs in another process and sees nothing of it.
#pragma once

#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "counts.h"
#include "protocol.h"
#include "program/random.h"

namespace lab {

class Case {
 public:
  Case(bool verifying, std::uint32_t seed, std::map<std::string, std::string> parameters)
      : random(seed), verifying_(verifying), seed_(seed), parameters_(std::move(parameters)) {}

  course::Random random;  // seeded with the case's seed

  bool verifying() const { return verifying_; }

  // A parameter of the case. "3000..9000" is a number between the two, drawn from the seed.
  long number(const std::string& key) const {
    const auto found = parameters_.find(key);
    if (found == parameters_.end()) broken("the case says nothing of '" + key + "'");
    const std::string& text = found->second;
    const size_t dots = text.find("..");
    const long low = std::atol(text.c_str());
    if (dots == std::string::npos) return low;
    const long high = std::atol(text.c_str() + dots + 2);
    course::Random of_key(seed_ * 2654435761u + static_cast<std::uint32_t>(key[0]));
    return low + static_cast<long>(of_key.below(static_cast<std::uint32_t>(high - low + 1)));
  }

  // The parameter as it is used: "n=3517" for "n=3000..9000".
  std::string drawn(const std::string& key) const {
    const std::string& text = parameters_.at(key);
    return key + "=" + (text.find("..") == std::string::npos ? text : std::to_string(number(key)));
  }

  std::vector<float> floats(size_t count, float low, float high) {
    std::vector<float> all(count);
    for (float& one : all) one = random.uniform(low, high);
    return all;
  }

  // From low to high, both included.
  std::vector<int> ints(size_t count, int low, int high) {
    std::vector<int> all(count);
    for (int& one : all) one = low + static_cast<int>(random.below(high - low + 1));
    return all;
  }

  void give(long number) { give(std::vector<long>{number}); }

  template <typename T>
  void give(const std::vector<T>& data) {
    if (!verifying_ && !write_block(STDOUT_FILENO, data)) broken("the input cannot be written");
  }

  // What came back as the next result, `count` elements; wrong() has been called if it did not.
  template <typename T>
  std::vector<T> take(const std::string& name, size_t count) {
    std::vector<T> data;
    if (!verifying_) return std::vector<T>(count);
    std::string problem;
    if (!read_block(STDIN_FILENO, &data, count, &problem)) wrong(name + ": " + problem);
    return data;
  }

  // The next result must be `wanted`, each element within `tolerance`. With a width, elements are
  // named by row and column.
  template <typename T>
  void expect(const std::string& name, const std::vector<T>& wanted, double tolerance = 0,
              size_t width = 0) {
    if (!verifying_) return;
    const std::vector<T> came = take<T>(name, wanted.size());
    size_t count = 0, first = 0;
    for (size_t i = wanted.size(); i-- > 0;) {
      if (close(came[i], wanted[i], tolerance)) continue;
      count++;
      first = i;
    }
    if (count == 0) return;
    std::string place = name + "[" + std::to_string(first) + "]";
    if (width > 0)
      place = name + ", row " + std::to_string(first / width) + ", column " +
              std::to_string(first % width);
    if (wanted.size() == 1) place = name;
    std::string text = place + " is " + words(came[first]) + ", expected " + words(wanted[first]);
    if (wanted.size() > 1)
      text += " (" + std::to_string(count) + " of " + std::to_string(wanted.size()) +
              (count == 1 ? " is" : " are") + " wrong, this is the first)";
    wrong(text);
  }

  // The verdict: what is wrong, in one line.
  [[noreturn]] void wrong(const std::string& text) const {
    std::printf("%s\n", text.c_str());
    std::exit(1);
  }

  [[noreturn]] static void broken(const std::string& text) {
    std::fprintf(stderr, "judge: %s\n", text.c_str());
    std::exit(2);
  }

 private:
  template <typename T>
  static bool close(T came, T wanted, double tolerance) {
    if constexpr (std::is_floating_point_v<T>)
      return std::fabs(static_cast<double>(came) - wanted) <= tolerance;  // false for a NaN
    else if constexpr (sizeof(T) < sizeof(long))
      return std::labs(static_cast<long>(came) - static_cast<long>(wanted)) <= tolerance;
    else
      return came == wanted;
  }

  template <typename T>
  static std::string words(T value) {
    if constexpr (std::is_floating_point_v<T>) {
      char text[40];
      std::snprintf(text, sizeof text, "%.8g", static_cast<double>(value));
      return text;
    } else {
      return std::to_string(value);
    }
  }

  const bool verifying_;
  const std::uint32_t seed_;
  const std::map<std::string, std::string> parameters_;
};

// The main() of every judge.
inline int judge(int argc, char** argv, void (*describe)(Case&)) {
  const std::string mode = argc > 2 ? argv[1] : "";
  if (mode != "input" && mode != "verify" && mode != "counts" && mode != "drawn")
    Case::broken("usage: judge input|verify|counts|drawn SEED key=value...");
  std::map<std::string, std::string> parameters;
  std::vector<std::string> keys;
  for (int i = 3; i < argc; i++) {
    const char* equals = std::strchr(argv[i], '=');
    if (equals == nullptr) Case::broken(std::string("what is '") + argv[i] + "'?");
    keys.emplace_back(static_cast<const char*>(argv[i]), equals);
    parameters[keys.back()] = equals + 1;
  }
  if (mode == "counts") {
    const std::string verdict = counts_verdict(parameters);
    std::puts(verdict.c_str());
    return verdict == "right" ? 0 : 1;
  }
  Case one(mode == "verify", static_cast<std::uint32_t>(std::strtoul(argv[2], nullptr, 10)),
           parameters);
  if (mode == "drawn") {
    for (const std::string& key : keys)
      std::printf("%s%s", one.drawn(key).c_str(), key == keys.back() ? "\n" : " ");
    return 0;
  }
  describe(one);
  if (!one.verifying()) return 0;
  if (!read_end(STDIN_FILENO)) one.wrong("something stands behind the results");
  std::puts("right");
  return 0;
}

}  // namespace lab
