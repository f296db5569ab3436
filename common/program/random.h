// Random numbers that are the same on every machine and with every C++ library.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>

namespace course {

// The engine is fixed by the C++ standard to the last bit; the library's distributions are not,
// so the mapping to numbers is done here.
class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}

  // 32 random bits.
  std::uint32_t bits() { return static_cast<std::uint32_t>(engine_()); }

  // Uniform in [0, 1), a multiple of 2^-24, so that it is exact in a float.
  float uniform() { return static_cast<float>(bits() >> 8) * 0x1p-24f; }

  // Uniform in [low, high), for low < high. In double, so that it does not matter whether the
  // compiler fuses the multiplication and the addition; rounding to float must not reach `high`.
  float uniform(float low, float high) {
    const double width = static_cast<double>(high) - low;
    const float number = static_cast<float>(low + width * uniform());
    return number < high ? number : std::nextafter(high, low);
  }

  // A whole number from 0 to count - 1; count > 0. The bias of this multiplication is below
  // count / 2^32.
  std::uint32_t below(std::uint32_t count) {
    return static_cast<std::uint32_t>((static_cast<std::uint64_t>(bits()) * count) >> 32);
  }

 private:
  std::mt19937 engine_;
};

}  // namespace course
