// Arithmetic of PTX with numbers of 16 bits, in registers of one or two of them. Included by ptx.h.
#pragma once

#include "half.h"

namespace cpu_device {
namespace ptx {

using half_format = Float16<10>;
using bfloat_format = Float16<7>;

template <typename Format>
inline u16 narrow(double exact) {
  return Format::from_double(exact);
}
// As cvt does: to nearest, or towards zero.
template <typename Format>
inline u16 narrow_float(f32 x, bool to_zero, bool relu) {
  if (relu && !(x > 0)) x = x != x ? x : 0;
  return to_zero ? Format::from_double(static_cast<double>(x), Format::zero) : Format::from_float(x);
}
template <typename Format>
inline f32 widen(u64 bits) {
  return Format::to_float(static_cast<u16>(bits));
}

// Each of the one or two numbers of a and so on; rounded once, since a double holds any product of two and its sum
// with a third, as far as it counts.
template <typename Format, int numbers, typename Operation>
inline u64 each_half(u64 a, u64 b, u64 c, Operation operation) {
  u64 result = 0;
  for (int i = 0; i < numbers; i++) {
    const auto value = [i](u64 word) { return static_cast<f64>(widen<Format>(word >> 16 * i)); };
    result |= static_cast<u64>(narrow<Format>(operation(value(a), value(b), value(c)))) << 16 * i;
  }
  return result;
}
inline f64 half_add(f64 a, f64 b, f64) { return a + b; }
inline f64 half_sub(f64 a, f64 b, f64) { return a - b; }
inline f64 half_mul(f64 a, f64 b, f64) { return a * b; }
inline f64 half_fma(f64 a, f64 b, f64 c) { return a * b + c; }
inline f64 half_neg(f64 a, f64, f64) { return -a; }
inline f64 half_abs(f64 a, f64, f64) { return __builtin_fabs(a); }
inline f64 half_min(f64 a, f64 b, f64) { return a != a || b < a ? b : a; }
inline f64 half_max(f64 a, f64 b, f64) { return a != a || b > a ? b : a; }
inline f64 half_ex2(f64 a, f64, f64) { return __builtin_exp2(a); }
inline f64 half_tanh(f64 a, f64, f64) { return __builtin_tanh(a); }

}  // namespace ptx
}  // namespace cpu_device
