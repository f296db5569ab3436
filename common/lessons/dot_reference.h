// What the dot product programs of chapters 5, 11 and A compute with, and check themselves by.
#pragma once

#include <cmath>
#include <cstddef>

// The book's vectors, a[i] = i and b[i] = 2i. From 2^24 on a float cannot hold every i; the nearest
// one is taken.
inline void fill_like_the_book(float* a, float* b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    a[i] = static_cast<float>(i);
    b[i] = static_cast<float>(2 * i);
  }
}

// Their dot product by a formula: twice the sum of squares.
inline double dot_by_the_formula(size_t n) {
  const double last = n > 0 ? static_cast<double>(n - 1) : 0;
  return 2 * (last * (last + 1) * (2 * last + 1) / 6);
}

struct DotReference {
  double value = 0;  // computed in double
  double bound = 0;  // how far a float result may be from it
};

// The dot product in double, and the bound for a kernel that adds at most `additions` numbers one
// after the other on the way from any product to the result. Each of them, and the product itself,
// rounds by at most half a unit in the last place (2^-24); what was rounded wrong stays wrong. So
// the bound is proportional to the sum of the products' magnitudes, whether they cancel or not.
//
// A sum in float on the CPU, one element after the other, would be no reference at all: at 33 Mi
// elements its own error is 0.3 %.
inline DotReference dot_reference(const float* a, const float* b, size_t n, double additions) {
  DotReference reference;
  double magnitudes = 0;
  for (size_t i = 0; i < n; i++) {
    const double product = static_cast<double>(a[i]) * b[i];
    reference.value += product;
    magnitudes += std::fabs(product);
  }
  reference.bound = (additions + 2) * 0x1p-24 * magnitudes;
  return reference;
}
