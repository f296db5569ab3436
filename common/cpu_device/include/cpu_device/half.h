// 16-bit floating point, what cuda_fp16.h and cuda_bf16.h share: conversion by bits, and functions
// that compute in float and round once. (Sums, products and quotients of two halves, or of two
// bfloat16, are right to the last bit that way: a float has more than twice their digits and two.)
#pragma once

#include <limits>

#include "../cuda_runtime.h"

namespace cpu_device {

// `x` as the nearest number of TYPE: conversions to short and char saturate.
template <typename Type, typename Number>
inline Type within(Number x) {
  constexpr Type low = std::numeric_limits<Type>::min(), high = std::numeric_limits<Type>::max();
  if (x < static_cast<Number>(low)) return low;
  return x > static_cast<Number>(high) ? high : static_cast<Type>(x);
}

// The larger number, where 0 is larger than -0; of NaN and a number, the number. (The C library's fmaxf() gives NaN if that is a
// signaling one.)
inline float larger(float x, float y) {
  if (x != x || y != y) return x != x ? y : x;
  return x == y ? (std::signbit(x) ? y : x) : x > y ? x : y;
}

// A whole number as a double that rounds to the same 16-bit number, whatever the mode: what does not fit
// into 53 bits is cut off and remembered in the last one (Boldo and Melquiond 2008, "rounding to odd").
template <typename Whole>
inline double round_to_odd(Whole x) {
  if (sizeof(Whole) < 8) return static_cast<double>(x);
  const bool negative = x < 0;
  unsigned long long magnitude = static_cast<unsigned long long>(x);
  if (negative) magnitude = 0 - magnitude;
  const int excess = std::max(11 - __builtin_clzll(magnitude | 1), 0);
  const unsigned long long kept = magnitude >> excess << excess;
  const unsigned long long sticky = kept != magnitude ? 1ull << excess : 0;
  const double result = static_cast<double>(kept | sticky);
  return negative ? -result : result;
}

// A 16-bit format: MantissaBits after the point, the rest of 15 for the exponent.
template <int MantissaBits>
struct Float16 {
  static constexpr int kExponentBits = 15 - MantissaBits;
  static constexpr int kBias = (1 << (kExponentBits - 1)) - 1;
  static constexpr unsigned kInfinity = ((1u << kExponentBits) - 1) << MantissaBits;
  static constexpr unsigned kNan = 0x7fff;  // what NVIDIA's hardware gives for every NaN

  static float to_float(unsigned short bits) {
    const unsigned sign = static_cast<unsigned>(bits & 0x8000) << 16, rest = bits & 0x7fff;
    if (MantissaBits == 7) return __uint_as_float(static_cast<unsigned>(bits) << 16);
    if (rest >= kInfinity)  // infinities and NaN
      return __uint_as_float(sign | 0x7f800000 | (rest & ((1u << MantissaBits) - 1))
                                                     << (23 - MantissaBits));
    // As if its exponent were a float's, then scaled. This is also right for numbers without a leading 1.
    const float scale = __uint_as_float(static_cast<unsigned>(127 + 127 - kBias) << 23);
    const float magnitude = __uint_as_float(rest << (23 - MantissaBits)) * scale;
    return __uint_as_float(__float_as_uint(magnitude) | sign);
  }

  // Adds to the last bit according to the mode what is cut off; `exact` is a double, so that it holds
  // a float, or a double, as it is.
  enum Mode { nearest, zero, down, up };
  static unsigned short from_double(double exact, Mode mode = nearest) {
    if (exact != exact) return kNan;
    const unsigned short sign = std::signbit(exact) ? 0x8000 : 0;
    const double magnitude = std::fabs(exact);
    if (std::isinf(magnitude)) return static_cast<unsigned short>(sign | kInfinity);
    int exponent = 0;
    std::frexp(magnitude, &exponent);  // magnitude < 2^exponent
    // The value of the last bit.
    const int last = std::max(exponent - 1 - MantissaBits, 1 - kBias - MantissaBits);
    const double steps = std::ldexp(magnitude, -last);
    double whole = std::floor(steps);
    const double cut = steps - whole;
    const bool odd = std::fmod(whole, 2) == 1;
    if (mode == nearest ? cut > 0.5 || (cut == 0.5 && odd)
                        : cut > 0 && mode == (sign != 0 ? down : up))
      whole += 1;
    if (whole == 0) return sign;
    const double rounded = std::ldexp(whole, last);
    if (rounded >= std::ldexp(1.0, kBias + 1)) {  // too large: the largest, or infinity
      const bool to_infinity = mode == nearest || mode == (sign != 0 ? down : up);
      return static_cast<unsigned short>(sign | (to_infinity ? kInfinity : kInfinity - 1));
    }
    // Small numbers count in steps of the smallest; others have their exponent in front.
    unsigned bits = static_cast<unsigned>(whole);
    const int smallest = 1 - kBias - MantissaBits;
    if (last > smallest || bits >= (1u << MantissaBits)) {
      const int shift = bits >= (2u << MantissaBits) ? 1 : 0;  // rounded up to the next power
      bits >>= shift;
      bits = (static_cast<unsigned>(last + shift - smallest + 1) << MantissaBits) |
             (bits & ((1u << MantissaBits) - 1));
    }
    return static_cast<unsigned short>(sign | bits);
  }
  // The usual way, fast: float to nearest.
  static unsigned short from_float(float x) {
    const unsigned bits = __float_as_uint(x), magnitude = bits & 0x7fffffff;
    const unsigned sign = bits >> 16 & 0x8000;
    if (magnitude > 0x7f800000) return kNan;
    constexpr unsigned cut = 23 - MantissaBits;
    constexpr unsigned smallest_normal = static_cast<unsigned>(127 - kBias + 1) << 23;
    if (magnitude < smallest_normal && MantissaBits != 7) return from_double(static_cast<double>(x));
    const unsigned moved = magnitude - (static_cast<unsigned>(127 - kBias) << 23);
    const unsigned rounded = (moved + ((1u << (cut - 1)) - 1) + (moved >> cut & 1)) >> cut;
    return static_cast<unsigned short>(sign | (rounded > kInfinity ? kInfinity : rounded));
  }
};

}  // namespace cpu_device
