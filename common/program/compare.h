// Is the result right? Every program compares what the device computed with what the CPU computed
// before it says anything else. NaN never passes.
#pragma once

#include <stdio.h>

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>

namespace course {

// Outcome of a comparison; `message` names the worst element if there is one.
struct Comparison {
  bool equal = true;
  std::size_t differing = 0;  // elements outside the tolerance
  std::size_t worst = 0;      // index of the largest difference
  std::string message;
};

namespace compare_detail {

template <typename T>
std::string to_text(T value) {
  std::ostringstream text;
  text.precision(std::numeric_limits<T>::max_digits10);
  if (sizeof(T) == 1)
    text << static_cast<int>(value);  // a number, not a character
  else
    text << value;
  return text.str();
}

inline std::string message(const std::string& what, std::size_t worst, const std::string& got,
                           const std::string& expected, std::size_t differing, std::size_t count) {
  return what + " is wrong at [" + std::to_string(worst) + "]: got " + got + ", expected " +
         expected + " (" + std::to_string(differing) + " of " + std::to_string(count) + " differ)";
}

template <typename T>
bool is_negative(T value) {
  if constexpr (std::is_unsigned<T>::value)  // nvcc warns of `value < 0`
    return false;
  else
    return value < T{};
}

// Equal as they are. Whole numbers are not taken through double, where 2^53 and 2^53 + 1 are one.
template <typename T, typename U>
bool same(T result, U expected) {
  if constexpr (std::is_integral<T>::value && std::is_integral<U>::value) {
    using Common = std::common_type_t<T, U>;
    return static_cast<Common>(result) == static_cast<Common>(expected) &&
           is_negative(result) == is_negative(expected);
  } else {
    return static_cast<double>(result) == static_cast<double>(expected);
  }
}

}  // namespace compare_detail

// Compares `count` elements of any arithmetic type. An element passes if
//   |result - expected| <= absolute + relative * |expected|
// computed in double. The defaults, 0 and 0, require equality, of integers to the last bit.
// NaN in `result` or in `expected` fails; infinity passes only where the same infinity is expected.
template <typename T, typename U>
Comparison compare(const std::string& what, const T* result, const U* expected, std::size_t count,
                   double relative = 0, double absolute = 0) {
  Comparison outcome;
  double worst_excess = -1;
  for (std::size_t i = 0; i < count; i++) {
    if (compare_detail::same(result[i], expected[i])) continue;
    const double got = static_cast<double>(result[i]);
    const double want = static_cast<double>(expected[i]);
    const double tolerance = absolute + relative * std::fabs(want);
    const double excess = std::fabs(got - want) - tolerance;
    if (excess <= 0 && tolerance > 0) continue;  // false for NaN
    outcome.differing++;
    const double rank = std::isnan(excess) ? std::numeric_limits<double>::infinity() : excess;
    if (rank > worst_excess) {
      worst_excess = rank;
      outcome.worst = i;
    }
  }
  outcome.equal = outcome.differing == 0;
  if (!outcome.equal)
    outcome.message = compare_detail::message(
        what, outcome.worst, compare_detail::to_text(result[outcome.worst]),
        compare_detail::to_text(expected[outcome.worst]), outcome.differing, count);
  return outcome;
}

// The same, for main(): says on stderr what is wrong and returns whether all is right.
template <typename T, typename U>
bool verify(const std::string& what, const T* result, const U* expected, std::size_t count,
            double relative = 0, double absolute = 0) {
  const Comparison outcome = compare(what, result, expected, count, relative, absolute);
  if (!outcome.equal) {
    fflush(stdout);
    fprintf(stderr, "%s\n", outcome.message.c_str());
  }
  return outcome.equal;
}

// How far two pictures (8-bit channels, `channels` per pixel) are apart.
struct PictureDifference {
  int largest = 0;                   // of any channel, 0 to 255
  std::size_t differing_pixels = 0;  // pixels with any channel that differs
  std::size_t pixels = 0;
  double share() const { return pixels == 0 ? 0 : static_cast<double>(differing_pixels) / pixels; }
};

inline PictureDifference compare_pictures(const unsigned char* result,
                                          const unsigned char* expected, std::size_t pixels,
                                          int channels = 4) {
  PictureDifference difference;
  difference.pixels = pixels;
  for (std::size_t pixel = 0; pixel < pixels; pixel++) {
    bool same = true;
    for (int channel = 0; channel < channels; channel++) {
      const std::size_t i = pixel * channels + channel;
      const int distance = std::abs(static_cast<int>(result[i]) - static_cast<int>(expected[i]));
      if (distance > difference.largest) difference.largest = distance;
      same = same && distance == 0;
    }
    if (!same) difference.differing_pixels++;
  }
  return difference;
}

}  // namespace course
