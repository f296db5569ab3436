#include "fourier.h"

#include <cmath>

namespace cpu_device {

namespace {

constexpr size_t kLargestFactor = 31;  // beyond it, a convolution takes fewer operations
constexpr double kPi = 3.14159265358979323846;

std::complex<double> root(size_t k, size_t n) {
  const double angle = -2 * kPi * static_cast<double>(k) / static_cast<double>(n);
  return {std::cos(angle), std::sin(angle)};
}

}  // namespace

Fourier::Fourier(size_t n) : n_(n) {
  size_t left = n;
  for (size_t p : {4, 2, 3})
    while (left % p == 0) {
      factors_.push_back(p);
      left /= p;
    }
  for (size_t p = 5; p <= kLargestFactor; p += 2)
    while (left % p == 0) {
      factors_.push_back(p);
      left /= p;
    }
  if (left == 1) {
    roots_.resize(n);
    for (size_t k = 0; k < n; k++) roots_[k] = root(k, n);
    return;
  }
  size_t length = 1;
  while (length < 2 * n) length *= 2;
  longer_ = std::make_unique<Fourier>(length);
  chirp_.resize(n);
  // k squared, modulo 2n, so that the angle stays small.
  for (size_t k = 0; k < n; k++)
    chirp_[k] = root(static_cast<size_t>(static_cast<unsigned __int128>(k) * k % (2 * n)), 2 * n);
  std::vector<std::complex<double>> kernel(length);
  for (size_t k = 0; k < n; k++) {
    kernel[k] = std::conj(chirp_[k]);
    if (k > 0) kernel[length - k] = kernel[k];
  }
  chirp_transformed_.resize(length);
  longer_->transform(kernel.data(), 1, chirp_transformed_.data());
}

void Fourier::transform(const std::complex<double>* from, size_t stride,
                        std::complex<double>* to) const {
  if (longer_ != nullptr)
    convolve(from, stride, to);
  else
    split(from, stride, to, n_, 0);
}

// Every p-th element alone, then the parts together.
void Fourier::split(const std::complex<double>* from, size_t stride, std::complex<double>* to, size_t n,
                    size_t factor) const {
  if (n == 1) {
    *to = *from;
    return;
  }
  const size_t p = factors_[factor], m = n / p, step = n_ / n;
  for (size_t q = 0; q < p; q++) split(from + q * stride, stride * p, to + q * m, m, factor + 1);
  std::complex<double> part[kLargestFactor];
  for (size_t k = 0; k < m; k++) {
    for (size_t q = 0; q < p; q++) part[q] = to[q * m + k] * roots_[q * k * step];
    if (p == 2) {
      to[k] = part[0] + part[1];
      to[m + k] = part[0] - part[1];
    } else if (p == 4) {
      const std::complex<double> even = part[0] + part[2], odd = part[1] + part[3],
                                 difference = part[0] - part[2], other = part[1] - part[3],
                                 turned(other.imag(), -other.real());
      to[k] = even + odd;
      to[m + k] = difference + turned;
      to[2 * m + k] = even - odd;
      to[3 * m + k] = difference - turned;
    } else {
      for (size_t r = 0; r < p; r++) {
        std::complex<double> sum = part[0];
        for (size_t q = 1; q < p; q++) sum += part[q] * roots_[q * r % p * m * step];
        to[r * m + k] = sum;
      }
    }
  }
}

void Fourier::convolve(const std::complex<double>* from, size_t stride,
                       std::complex<double>* to) const {
  const size_t length = longer_->size();
  std::vector<std::complex<double>> a(length), b(length);
  for (size_t k = 0; k < n_; k++) a[k] = from[k * stride] * chirp_[k];
  longer_->transform(a.data(), 1, b.data());
  // The inverse by the transform of the conjugate.
  for (size_t k = 0; k < length; k++) b[k] = std::conj(b[k] * chirp_transformed_[k]);
  longer_->transform(b.data(), 1, a.data());
  for (size_t k = 0; k < n_; k++)
    to[k] = std::conj(a[k]) / static_cast<double>(length) * chirp_[k];
}

}  // namespace cpu_device
