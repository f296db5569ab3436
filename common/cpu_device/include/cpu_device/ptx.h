// What the rewriter makes of PTX in `asm` (rewriter/ptx.h): each register is 64 bits, and each
// instruction reads them as what its type says.
#pragma once

#include <stdint.h>

#include "async_copies.h"
#include "builtins.h"
#include "device_math.h"
#include "half.h"
#include "warp.h"

namespace cpu_device {

unsigned int multiprocessor();  // that the calling block would be on
unsigned int multiprocessors();
uint64_t global_timer();  // nanoseconds

namespace ptx {

using pred = bool;
using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
using s8 = int8_t;
using s16 = int16_t;
using s32 = int32_t;
using s64 = int64_t;
using b8 = uint8_t;
using b16 = uint16_t;
using b32 = uint32_t;
using b64 = uint64_t;
using f32 = float;
using f64 = double;

template <typename T>
constexpr bool is_real = T(0.5) != T(0);
template <>
inline constexpr bool is_real<bool> = false;
template <typename T>
constexpr int width = 8 * sizeof(T);
template <typename T>
constexpr bool is_signed = T(-1) < T(0);

// ---- registers ----
template <typename T>
inline T as(u64 bits) {
  if constexpr (is_real<T>) {
    T value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
  } else {
    return static_cast<T>(bits);
  }
}
template <typename T>
inline auto bits(T value) {
  if constexpr (is_real<T>) {
    u64 result = 0;
    __builtin_memcpy(&result, &value, sizeof value);
    return result;
  } else {
    return static_cast<u64>(value);  // signed ones with their sign
  }
}
// An operand of the asm, whose constraint says that it is a T.
template <typename T, typename Value>
inline u64 input(Value value) {
  if constexpr (__is_class(Value) || __is_enum(Value))
    return bits(static_cast<T>(value));
  else
    return bits((T)value);  // a pointer, perhaps
}
template <typename T, typename Value>
inline void output(Value& to, u64 from) {
  to = (Value)as<T>(from);
}
// Addresses of 32 bits are in shared memory, which lies around the worker's own variables.
inline u64 shared_address(u64 address) {
  if (address >> 32 != 0) return address;
  const u64 near = reinterpret_cast<u64>(&threadIdx);
  return near + static_cast<u64>(static_cast<s64>(static_cast<s32>(address - near)));
}

// cp.async: of the `bytes` at `to`, what is behind the first `given` is zero.
inline void copy_async(u64 to, u64 from, u32 bytes, u32 given, Site site) {
  if (given > bytes) given = bytes;
  async_copy_aligned(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), given, bytes - given, site);
}

// ---- integers: without overflow that C++ leaves undefined ----
template <typename T>
inline T add(T a, T b) {
  return static_cast<T>(static_cast<u64>(a) + static_cast<u64>(b));
}
template <typename T>
inline T sub(T a, T b) {
  return static_cast<T>(static_cast<u64>(a) - static_cast<u64>(b));
}
// add.sat.s32 and sub.sat.s32: the nearest number that there is.
inline s32 saturated(s64 value) {
  return static_cast<s32>(value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : value);
}
template <typename T>
inline T mul_lo(T a, T b) {
  return static_cast<T>(static_cast<u64>(a) * static_cast<u64>(b));
}
template <typename T>
inline T mul_hi(T a, T b) {
  if constexpr (sizeof(T) == 8) {
    using Wide = std::conditional_t<is_signed<T>, __int128, unsigned __int128>;
    return static_cast<T>(static_cast<Wide>(a) * static_cast<Wide>(b) >> 64);
  } else {
    using Wide = std::conditional_t<is_signed<T>, s64, u64>;  // the product of two u32 is too large for an s64
    return static_cast<T>(static_cast<Wide>(a) * static_cast<Wide>(b) >> width<T>);
  }
}
template <typename T>
using Double = std::conditional_t<sizeof(T) == 2, std::conditional_t<is_signed<T>, s32, u32>,
                                  std::conditional_t<is_signed<T>, s64, u64>>;
template <typename T>
inline Double<T> mul_wide(T a, T b) {
  return mul_lo<Double<T>>(a, b);
}
template <typename T>
inline T mul24(T a, T b) {
  constexpr int unused = width<T> - 24;
  return mul_lo<T>(static_cast<T>(static_cast<T>(static_cast<u32>(a) << unused) >> unused),
                   static_cast<T>(static_cast<T>(static_cast<u32>(b) << unused) >> unused));
}
template <typename T>
inline T mul24_hi(T a, T b) {
  constexpr int unused = width<T> - 24;
  return static_cast<T>(static_cast<s64>(static_cast<T>(static_cast<u32>(a) << unused) >> unused) *
                            static_cast<s64>(static_cast<T>(static_cast<u32>(b) << unused) >> unused) >>
                        16);
}
template <typename T>
inline T divide(T a, T b) {
  return b == T(-1) && is_signed<T> ? sub<T>(0, a) : static_cast<T>(a / b);
}
template <typename T>
inline T remainder(T a, T b) {
  return b == T(-1) && is_signed<T> ? T(0) : static_cast<T>(a % b);
}
template <typename T>
inline T absolute(T a) {
  return a < 0 ? sub<T>(0, a) : a;
}
template <typename T>
inline T shl(T a, u32 n) {
  return n >= width<T> ? T(0) : static_cast<T>(static_cast<u64>(a) << n);
}
template <typename T>
inline T shr(T a, u32 n) {
  if (n >= width<T>) n = width<T> - (is_signed<T> ? 1 : 0);
  return n >= width<T> ? T(0) : static_cast<T>(a >> n);
}
// The carry between add.cc and addc, which the thread keeps until its next one.
inline thread_local u32 carry = 0;
template <typename T>
inline T add_carry(T a, T b, bool with, bool keep) {
  const unsigned __int128 sum = static_cast<unsigned __int128>(as<T>(bits(a))) + b + (with ? carry : 0);
  if (keep) carry = static_cast<u32>(sum >> width<T>);
  return static_cast<T>(sum);
}
template <typename T>
inline T sub_carry(T a, T b, bool with, bool keep) {
  const unsigned __int128 difference = static_cast<unsigned __int128>(a) - b - (with ? carry : 0);
  if (keep) carry = static_cast<u32>(difference >> width<T>) & 1;
  return static_cast<T>(difference);
}
inline u32 lop3(u32 a, u32 b, u32 c, u32 table) {
  u32 result = 0;
  for (u32 i = 0; i < 8; i++)
    if (table >> i & 1) result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  return result;
}
inline u32 prmt(u32 a, u32 b, u32 selector) {
  const u64 source = static_cast<u64>(b) << 32 | a;
  u32 result = 0;
  for (int i = 0; i < 4; i++) {
    const u32 pick = selector >> 4 * i & 15;
    u32 byte = static_cast<u32>(source >> 8 * (pick & 7)) & 255;
    if (pick & 8) byte = byte & 128 ? 255 : 0;  // its sign instead
    result |= byte << 8 * i;
  }
  return result;
}
template <typename T>
inline T bfe(T a, u32 position, u32 length) {
  position &= 255;
  length &= 255;
  if (length == 0) return 0;
  const u32 top = position + length - 1 < width<T> ? position + length - 1 : width<T> - 1;
  const bool sign = is_signed<T> && (static_cast<u64>(a) >> top & 1);
  u64 result = position < width<T> ? static_cast<u64>(a) >> position : 0;
  const u64 mask = length < 64 ? (u64(1) << length) - 1 : ~u64(0);
  const u32 have = position < width<T> ? width<T> - position : 0;
  const u64 known = have < 64 ? (u64(1) << have) - 1 : ~u64(0);
  result &= mask & known;
  if (sign) result |= ~(mask & known);
  return static_cast<T>(result);
}
template <typename T>
inline T bfi(T a, T b, u32 position, u32 length) {
  position &= 255;
  length &= 255;
  if (position >= width<T> || length == 0) return b;
  const u64 ones = (length < 64 ? (u64(1) << length) - 1 : ~u64(0)) << position;
  return static_cast<T>((static_cast<u64>(a) << position & ones) | (static_cast<u64>(b) & ~ones));
}
template <typename T>
inline u32 bfind(T a) {  // the highest bit that is not the sign, or -1
  const u64 value = is_signed<T> && a < 0 ? ~static_cast<u64>(static_cast<s64>(a)) : static_cast<u64>(a);
  return value == 0 ? ~u32(0) : 63 - static_cast<u32>(__builtin_clzll(value));
}
template <typename T>
inline u32 clz(T a) {
  return a == 0 ? width<T> : static_cast<u32>(__builtin_clzll(a)) - (64 - width<T>);
}
template <typename T>
inline T brev(T a) {
  return sizeof(T) == 8 ? static_cast<T>(__brevll(a)) : static_cast<T>(__brev(static_cast<u32>(a)));
}
template <typename T>
inline T sad(T a, T b, T c) {
  return add<T>(c, static_cast<T>(a < b ? sub<T>(b, a) : sub<T>(a, b)));
}

// ---- numbers of one kind to another ----
enum Round { nearest, to_zero, down, up };
template <typename Real>
inline Real to_whole(Real x, Round how) {
  return how == nearest ? __builtin_rint(x)
         : how == to_zero ? __builtin_trunc(x)
         : how == down    ? __builtin_floor(x)
                          : __builtin_ceil(x);
}
template <typename To, typename From>
inline To convert(From x, Round how, bool saturate) {
  if constexpr (is_real<From> && !is_real<To>) {
    if (x != x) return width<To> == 64 && sizeof(From) == 8 ? To(To(1) << (width<To> - 1)) : To(0);
    const From whole = to_whole(x, how);
    constexpr To low = is_signed<To> ? To(u64(1) << (width<To> - 1)) : To(0);
    constexpr To high = static_cast<To>(~low);
    return whole <= From(low) ? low : whole >= From(high) ? high : static_cast<To>(whole);
  } else if constexpr (!is_real<From> && !is_real<To>) {
    if (!saturate) return static_cast<To>(x);
    constexpr To low = is_signed<To> ? To(u64(1) << (width<To> - 1)) : To(0);
    constexpr To high = static_cast<To>(~low);
    const __int128 value = x;
    return value < low ? low : value > high ? high : static_cast<To>(x);
  } else {
    const To value = static_cast<To>(x);
    return !saturate ? value : value > To(0) ? (value < To(1) ? value : To(1)) : To(0);
  }
}

// ---- warps ----
// shfl.sync: `clamp` holds the last lane of a segment and the mask of its number.
template <typename T>
inline T shuffle_lane(T value, u32 lane, u32 clamp, u32 mask, char how, bool& inside, Site site) {
  const u32 me = cpu_device::lane(), segment = clamp >> 8 & 31, last = clamp & 31;
  const u32 first = me & segment, end = first | (last & ~segment);
  int source = static_cast<int>(lane & 31);
  if (how == 'u') source = static_cast<int>(me) - source;
  if (how == 'd') source = static_cast<int>(me) + source;
  if (how == 'b') source = static_cast<int>(me) ^ source;
  if (how == 'i') source = static_cast<int>(first | (lane & 31 & ~segment));
  inside = how == 'u' ? source >= static_cast<int>(end) : source <= static_cast<int>(end);
  return shuffle(mask, value, inside ? source : static_cast<int>(me), true, site);
}

// ldmatrix: lane 8 * i + r brings the address of row r of matrix i, eight elements of 16 bits. Each lane gets two
// neighbours of row lane / 4 of each matrix; transposed: of column lane / 4.
template <int count>
inline void load_matrices(u64 row, bool transposed, u32* into, Site site) {
  const WarpExchange& all = exchange(0xffffffffu, row, site);
  const u32 line = cpu_device::lane() / 4, pair = cpu_device::lane() % 4 * 2;
  for (int i = 0; i < count; i++) {
    const auto element = [&](u32 r, u32 column) -> u32 {
      return *reinterpret_cast<const u16*>(all.value[8 * i + static_cast<int>(r)] + 2 * column);
    };
    into[i] = transposed ? element(pair, line) | element(pair + 1, line) << 16
                         : element(line, pair) | element(line, pair + 1) << 16;
  }
}

// What a register of an operand of mma holds: two numbers of 16 bits, or one of 32.
struct bf16_pair {
  static constexpr int held = 2;
  static f32 value(u32 word, int i) { return __builtin_bit_cast(f32, i == 0 ? word << 16 : word & 0xffff0000u); }
};
struct f16_pair {
  static constexpr int held = 2;
  static f32 value(u32 word, int i) {
    const u32 bits = word >> 16 * i & 0xffff, exponent = bits >> 10 & 31, fraction = bits & 1023;
    const f32 size = exponent == 31  ? __builtin_bit_cast(f32, 0x7f800000u | fraction << 13)
                     : exponent == 0 ? static_cast<f32>(fraction) * 0x1p-24f
                                     : __builtin_bit_cast(f32, (exponent + 112) << 23 | fraction << 13);
    return bits >> 15 != 0 ? -size : size;
  }
};
// The last 13 bits do not count.
struct tf32_pair {
  static constexpr int held = 1;
  static f32 value(u32 word, int) { return __builtin_bit_cast(f32, word & 0xffffe000u); }
};

// mma: sum (16 x 8) += a (16 x depth) * b (depth x 8), which the lanes of a warp hold together. Lane 4 * g + t has,
// in a's registers, rows g and g + 8 at columns t * held and so on; in b's column g at the same rows; of the sum
// rows g and g + 8 at columns 2 * t and 2 * t + 1.
// The lane that comes last runs on while the others still wait, and multiplies for all of them.
struct MatrixShares {
  const u32 *a, *b;
  f32* sum;
  bool is_multiplied;
};
template <int registers, typename Kind>
CPU_DEVICE_UNCHECKED inline void multiply_for_all(const WarpExchange& brought) {
  static constexpr u32 zeros[2 * registers] = {};
  MatrixShares* lanes[32];
  MatrixShares absent = {zeros, zeros, nullptr, false};  // a lane that has left the kernel
  for (int lane = 0; lane < 32; lane++)
    lanes[lane] = (brought.mask >> lane & 1) != 0 ? from_word<MatrixShares*>(brought.value[lane]) : &absent;
  for (u32 lane = 0; lane < 32; lane++) {
    if (lanes[lane] == &absent) continue;
    for (u32 i = 0; i < 4; i++) {
      const u32 group = lane / 4, column = 2 * (lane % 4) + i % 2;
      f32 total = 0;
      for (int r = 0; r < registers; r++)
        for (u32 t = 0; t < 4; t++)
          for (int e = 0; e < Kind::held; e++)
            total += Kind::value(lanes[4 * group + t]->a[2 * r + static_cast<int>(i / 2)], e) *
                     Kind::value(lanes[4 * column + t]->b[r], e);
      lanes[lane]->sum[i] += total;
    }
    lanes[lane]->is_multiplied = true;
  }
}
template <int registers, typename Kind>
inline void multiply_matrices(const u32* a, const u32* b, f32* sum, Site site) {
  MatrixShares mine = {a, b, sum, false};
  const WarpExchange& brought = exchange(0xffffffffu, to_word(&mine), site);
  if (!mine.is_multiplied) multiply_for_all<registers, Kind>(brought);
}

// The same, where the sum is of 16 bits: two neighbours in each of its two registers.
template <int registers>
inline void multiply_matrices_half(const u32* a, const u32* b, u32* sum, Site site) {
  f32 wide[4];
  for (int i = 0; i < 4; i++) wide[i] = f16_pair::value(sum[i / 2], i % 2);
  multiply_matrices<registers, f16_pair>(a, b, wide, site);
  for (int i = 0; i < 2; i++)
    sum[i] = static_cast<u32>(Float16<10>::from_float(wide[2 * i])) |
             static_cast<u32>(Float16<10>::from_float(wide[2 * i + 1])) << 16;
}

inline u32 thread_in_block() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

}  // namespace ptx
}  // namespace cpu_device

#include "ptx_barriers.h"
#include "ptx_half.h"
#include "ptx_video.h"
