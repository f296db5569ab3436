// PTX's video instructions on the bytes (vabsdiff4 ...) or half words (vabsdiff2 ...) of a register.
#pragma once

#include <stdint.h>


namespace cpu_device::ptx {

enum class Video { add, sub, average, absdiff, min, max };

// Part `i` of `Bits` bits, extended as T (s32 or u32) says.
template <int Bits, typename T>
inline int64_t video_part(u32 value, int i) {
  const u32 part = value >> (Bits * i) & ((u32{1} << Bits) - 1);
  if (is_signed<T> && (part >> (Bits - 1)) != 0) return static_cast<int64_t>(part) - (int64_t{1} << Bits);
  return part;
}

inline int64_t video_operation(Video what, int64_t a, int64_t b) {
  switch (what) {
    case Video::add: return a + b;
    case Video::sub: return a - b;
    case Video::average: return (a + b + (a + b >= 0)) >> 1;
    case Video::absdiff: return a < b ? b - a : a - b;
    case Video::min: return a < b ? a : b;
    case Video::max: return a < b ? b : a;
  }
  return 0;
}

// The parts side by side, or with `accumulate` their sum added to c. D, A, B: the types of result and operands.
template <int Bits, typename D, typename A, typename B>
inline u32 video(Video what, bool saturate, bool accumulate, u32 a, u32 b, u32 c) {
  constexpr int64_t most = (int64_t{1} << (is_signed<D> ? Bits - 1 : Bits)) - 1;
  constexpr int64_t least = is_signed<D> ? -most - 1 : 0;
  u32 sum = c, parts = 0;
  for (int i = 0; i < 32 / Bits; i++) {
    int64_t value = video_operation(what, video_part<Bits, A>(a, i), video_part<Bits, B>(b, i));
    if (saturate) value = value < least ? least : value > most ? most : value;
    sum += static_cast<u32>(value);
    parts |= (static_cast<u32>(value) & ((u32{1} << Bits) - 1)) << (Bits * i);
  }
  return accumulate ? sum : parts;
}

}  // namespace cpu_device::ptx
