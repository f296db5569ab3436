// The Fourier transform of n complex numbers, for any n: sum over j of x[j] exp(-2 pi i jk / n).
#pragma once

#include <complex>
#include <memory>
#include <vector>

namespace cpu_device {

class Fourier {
 public:
  explicit Fourier(size_t n);
  // From `from`, whose elements lie `stride` apart, to `to`.
  void transform(const std::complex<double>* from, size_t stride, std::complex<double>* to) const;
  size_t size() const { return n_; }

 private:
  void split(const std::complex<double>* from, size_t stride, std::complex<double>* to, size_t n,
             size_t factor) const;
  void convolve(const std::complex<double>* from, size_t stride, std::complex<double>* to) const;

  size_t n_;
  std::vector<size_t> factors_;
  std::vector<std::complex<double>> roots_;  // exp(-2 pi i k / n)
  // For n with a large prime factor: as a convolution with a chirp, of a length that is a power of two
  // (Bluestein 1970).
  std::unique_ptr<Fourier> longer_;
  std::vector<std::complex<double>> chirp_, chirp_transformed_;
};

}  // namespace cpu_device
