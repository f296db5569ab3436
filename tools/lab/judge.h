// What a lab's judge.cpp says: what a case gives to the answer, and what must come back.
//
//   judge input SEED key=value...  > input      what the program under test reads
//   judge verify SEED key=value... < results    "right", or one line that says what is wrong
//   judge verify-hidden ...                     the same without values, from which one could learn the case
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

// What follows the place of such a result. grade.py knows these words.
constexpr char kNoKernel[] = " is right, but no kernel wrote it: the work belongs in the kernel";

class Case {
 public:
  Case(const std::string& mode, std::uint32_t seed, std::map<std::string, std::string> parameters)
      : random(seed), verifying_(mode.rfind("verify", 0) == 0), hidden_(mode == "verify-hidden"), seed_(seed),
        parameters_(std::move(parameters)) {}

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
    BlockHead head;
    if (!read_block(STDIN_FILENO, &data, count, &problem, &head)) wrong(name + ": " + problem);
    if (head.foreign > 0 && foreign_.empty())
      foreign_ = place(name, count, 0, head.first_foreign) + kNoKernel;
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
    std::string text = place(name, wanted.size(), width, first) + " is wrong";
    if (!hidden_)
      text = place(name, wanted.size(), width, first) + " is " + words(came[first]) + ", expected " +
             words(wanted[first]);
    if (wanted.size() > 1)
      text += " (" + std::to_string(count) + " of " + std::to_string(wanted.size()) +
              (count == 1 ? " is" : " are") + " wrong, this is the first)";
    wrong(text);
  }

  // Of results that are right in a checked run: what no kernel has written, in words; empty if there is none.
  const std::string& foreign() const { return foreign_; }

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
  static std::string place(const std::string& name, size_t count, size_t width, size_t i) {
    if (count == 1) return name;
    if (width == 0) return name + "[" + std::to_string(i) + "]";
    return name + ", row " + std::to_string(i / width) + ", column " + std::to_string(i % width);
  }

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

  std::string foreign_;
  const bool verifying_, hidden_;
  const std::uint32_t seed_;
  const std::map<std::string, std::string> parameters_;
};

// The main() of every judge.
inline int judge(int argc, char** argv, void (*describe)(Case&)) {
  const std::string mode = argc > 2 ? argv[1] : "";
  if (mode != "input" && mode != "verify" && mode != "verify-hidden" && mode != "counts" && mode != "drawn")
    Case::broken("usage: judge input|verify|verify-hidden|counts|drawn SEED key=value...");
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
  Case one(mode, static_cast<std::uint32_t>(std::strtoul(argv[2], nullptr, 10)),
           parameters);
  if (mode == "drawn") {
    for (const std::string& key : keys)
      std::printf("%s%s", one.drawn(key).c_str(), key == keys.back() ? "\n" : " ");
    return 0;
  }
  describe(one);
  if (!one.verifying()) return 0;
  if (!read_end(STDIN_FILENO)) one.wrong("something stands behind the results");
  if (!one.foreign().empty()) one.wrong(one.foreign());
  std::puts("right");
  return 0;
}

}  // namespace lab
