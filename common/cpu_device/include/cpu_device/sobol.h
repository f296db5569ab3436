// Sobol's quasirandom sequences (1967), in the order of Gray codes (Antonov and Saleev 1979). The
// polynomials are all primitive ones in the order of their degrees and coefficients; the numbers
// that each begins with are those of Joe and Kuo (2008, BSD licence: new-joe-kuo-6) for the first
// dimensions, and further on odd ones of our own, with which the points of a dimension are as even,
// but those of two dimensions together differ from a GPU's.
#pragma once

#include <stdint.h>

#include <vector>

#include "random.h"

namespace cpu_device {

constexpr unsigned kSobolDimensions = 20000;  // as cuRAND has

// x to the power `exponent`, modulo a polynomial over the numbers 0 and 1.
inline uint32_t power_of_x(uint32_t exponent, uint32_t polynomial, unsigned degree) {
  const auto times = [=](uint32_t a, uint32_t b) {
    uint32_t product = 0;
    for (; b != 0; b >>= 1) {
      if ((b & 1) != 0) product ^= a;
      a <<= 1;
      if ((a >> degree & 1) != 0) a ^= polynomial;
    }
    return product;
  };
  uint32_t result = 1, square = degree == 1 ? 1 : 2;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = times(result, square);
    square = times(square, square);
  }
  return result;
}

// The powers of x go through all polynomials of smaller degree but 0.
inline bool is_primitive(uint32_t polynomial, unsigned degree) {
  const uint32_t order = (uint32_t(1) << degree) - 1;
  if (power_of_x(order, polynomial, degree) != 1) return false;
  uint32_t rest = order;
  for (uint32_t factor = 3; rest > 1; factor += 2) {
    if (factor * factor > rest) factor = rest;
    if (rest % factor != 0) continue;
    while (rest % factor == 0) rest /= factor;
    if (power_of_x(order / factor, polynomial, degree) == 1) return false;
  }
  return true;
}

// 64 numbers for each dimension: what bit i of the place in the sequence (as a Gray code) changes
// in a number of 64 bits. Those of 32 bits are the upper halves.
inline const std::vector<uint64_t>& sobol_directions(unsigned dimensions) {
  static constexpr unsigned char known[][7] = {
      {1},
      {1, 3},
      {1, 3, 1},
      {1, 1, 1},
      {1, 1, 3, 3},
      {1, 3, 5, 13},
      {1, 1, 5, 5, 17},
      {1, 1, 5, 5, 5},
      {1, 1, 7, 11, 19},
      {1, 1, 5, 1, 1},
      {1, 1, 1, 3, 11},
      {1, 3, 5, 5, 31},
      {1, 3, 3, 9, 7, 49},
      {1, 1, 1, 15, 21, 21},
      {1, 3, 1, 13, 27, 49},
      {1, 1, 1, 15, 7, 5},
      {1, 3, 1, 15, 13, 25},
      {1, 1, 5, 5, 19, 61},
      {1, 3, 7, 11, 23, 15, 103},
      {1, 3, 7, 13, 13, 15, 69},
  };
  constexpr unsigned known_dimensions = 1 + sizeof known / sizeof known[0];
  static std::vector<uint64_t> all;
  static unsigned degree = 1;
  static uint32_t polynomial = 1;  // the last one that was looked at
  if (all.empty())
    for (unsigned bit = 0; bit < 64; bit++) all.push_back(uint64_t(1) << (63 - bit));
  for (unsigned dimension = static_cast<unsigned>(all.size() / 64); dimension < dimensions;
       dimension++) {
    do {  // 1 x^degree ... 1
      polynomial += 2;
      if (polynomial >> degree > 1) {
        degree++;
        polynomial = (uint32_t(1) << degree) | 1;
      }
    } while (!is_primitive(polynomial, degree));
    uint64_t m[64];
    for (unsigned i = 0; i < 64; i++) {
      if (i >= degree) {
        m[i] = m[i - degree] ^ (m[i - degree] << degree);
        for (unsigned k = 1; k < degree; k++)
          if ((polynomial >> (degree - k) & 1) != 0) m[i] ^= m[i - k] << k;
      } else if (dimension < known_dimensions) {
        m[i] = known[dimension - 1][i];
      } else {
        m[i] = (mixed(uint64_t(dimension) << 6 | i) >> (63 - i)) | 1;  // of i + 1 bits
      }
    }
    for (unsigned i = 0; i < 64; i++) all.push_back(m[i] << (63 - i));
  }
  return all;
}

// The number of a dimension at a place of its sequence.
inline uint64_t sobol_number(const uint64_t* directions, uint64_t place) {
  uint64_t number = 0;
  const uint64_t gray = place ^ (place >> 1);
  for (unsigned bit = 0; bit < 64; bit++)
    if ((gray >> bit & 1) != 0) number ^= directions[bit];
  return number;
}

}  // namespace cpu_device
