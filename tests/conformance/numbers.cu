// Records arithmetic on edge values: whole numbers, float, double, 16-bit formats, conversions with each way of rounding.
// Results are bits in hexadecimal. Only functions that are exact, or rounded to the last bit, are here.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "rows.h"

const unsigned whole[] = {0, 1, 2, 3, 7, 31, 32, 33, 63, 255, 256, 65535, 65536, 0x7fffffff, 0x80000000, 0x80000001,
                          0xffffffff, 0x12345678, 0xdeadbeef, 0x00ff00ff, 0x807f80ff};
const unsigned float_bits[] = {0, 0x80000000, 1, 0x80000001, 0x007fffff, 0x00800000, 0x3f800000, 0xbf800000, 0x3f000000,
                               0x3fc00000, 0xbfc00000, 0x40200000, 0xc0200000, 0x3effffff, 0x4affffff, 0x4b000001,
                               0x4effffff, 0x4f000000, 0xcf000000, 0x4f7fffff, 0x4f800000, 0x5effffff, 0x5f000000,
                               0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x3eaaaaab, 0x477fe000,
                               0x477ff000, 0x38d1b717, 0x33000000, 0x33000001};

__device__ float as_float(unsigned word) { return __uint_as_float(word); }
__device__ double as_double(unsigned word) { return static_cast<double>(__uint_as_float(word)) * (1 + 1e-13); }
__device__ int as_int(unsigned word) { return static_cast<int>(word); }
__device__ unsigned as_unsigned(unsigned word) { return word; }
__device__ long long as_long(unsigned word) { return static_cast<long long>(static_cast<unsigned long long>(word) * 0x100000001ull ^ 0x5555); }
__device__ unsigned long long as_unsigned_long(unsigned word) { return static_cast<unsigned long long>(word) * 0x300000007ull; }
__device__ __half as_half(unsigned word) { return __float2half_rn(__uint_as_float(word)); }
__device__ __nv_bfloat16 as_bfloat16(unsigned word) { return __float2bfloat16_rn(__uint_as_float(word)); }

template <typename T>
__device__ unsigned long long word_of(T value) {
  unsigned long long word = 0;
  memcpy(&word, &value, sizeof value);
  return word;
}

// X(name of the row, arguments, their values, their type, what makes them of a word, the call)

// In each way of rounding: to nearest, to zero, up, down.
#define ROUNDED(X, WAY) \
  X(fadd_##WAY, 2, float_bits, float, as_float, __fadd_##WAY(a, b)) \
  X(fsub_##WAY, 2, float_bits, float, as_float, __fsub_##WAY(a, b)) \
  X(fmul_##WAY, 2, float_bits, float, as_float, __fmul_##WAY(a, b)) \
  X(fdiv_##WAY, 2, float_bits, float, as_float, __fdiv_##WAY(a, b)) \
  X(fmaf_##WAY, 2, float_bits, float, as_float, __fmaf_##WAY(a, b, 0.1f)) \
  X(fsqrt_##WAY, 1, float_bits, float, as_float, __fsqrt_##WAY(a)) \
  X(frcp_##WAY, 1, float_bits, float, as_float, __frcp_##WAY(a)) \
  X(dadd_##WAY, 2, float_bits, double, as_double, __dadd_##WAY(a, b)) \
  X(dsub_##WAY, 2, float_bits, double, as_double, __dsub_##WAY(a, b)) \
  X(dmul_##WAY, 2, float_bits, double, as_double, __dmul_##WAY(a, b)) \
  X(ddiv_##WAY, 2, float_bits, double, as_double, __ddiv_##WAY(a, b)) \
  X(fma_##WAY, 2, float_bits, double, as_double, __fma_##WAY(a, b, 0.1)) \
  X(dsqrt_##WAY, 1, float_bits, double, as_double, __dsqrt_##WAY(a)) \
  X(drcp_##WAY, 1, float_bits, double, as_double, __drcp_##WAY(a)) \
  X(float2int_##WAY, 1, float_bits, float, as_float, __float2int_##WAY(a)) \
  X(double2int_##WAY, 1, float_bits, double, as_double, __double2int_##WAY(a)) \
  X(half2int_##WAY, 1, float_bits, __half, as_half, __half2int_##WAY(a)) \
  X(bfloat162int_##WAY, 1, float_bits, __nv_bfloat16, as_bfloat16, __bfloat162int_##WAY(a)) \
  X(float2uint_##WAY, 1, float_bits, float, as_float, __float2uint_##WAY(a)) \
  X(double2uint_##WAY, 1, float_bits, double, as_double, __double2uint_##WAY(a)) \
  X(half2uint_##WAY, 1, float_bits, __half, as_half, __half2uint_##WAY(a)) \
  X(bfloat162uint_##WAY, 1, float_bits, __nv_bfloat16, as_bfloat16, __bfloat162uint_##WAY(a)) \
  X(float2ll_##WAY, 1, float_bits, float, as_float, __float2ll_##WAY(a)) \
  X(double2ll_##WAY, 1, float_bits, double, as_double, __double2ll_##WAY(a)) \
  X(half2ll_##WAY, 1, float_bits, __half, as_half, __half2ll_##WAY(a)) \
  X(bfloat162ll_##WAY, 1, float_bits, __nv_bfloat16, as_bfloat16, __bfloat162ll_##WAY(a)) \
  X(float2ull_##WAY, 1, float_bits, float, as_float, __float2ull_##WAY(a)) \
  X(double2ull_##WAY, 1, float_bits, double, as_double, __double2ull_##WAY(a)) \
  X(half2ull_##WAY, 1, float_bits, __half, as_half, __half2ull_##WAY(a)) \
  X(bfloat162ull_##WAY, 1, float_bits, __nv_bfloat16, as_bfloat16, __bfloat162ull_##WAY(a)) \
  X(half2short_##WAY, 1, float_bits, __half, as_half, __half2short_##WAY(a)) \
  X(bfloat162short_##WAY, 1, float_bits, __nv_bfloat16, as_bfloat16, __bfloat162short_##WAY(a)) \
  X(half2ushort_##WAY, 1, float_bits, __half, as_half, __half2ushort_##WAY(a)) \
  X(bfloat162ushort_##WAY, 1, float_bits, __nv_bfloat16, as_bfloat16, __bfloat162ushort_##WAY(a)) \
  X(int2float_##WAY, 1, whole, int, as_int, __int2float_##WAY(a)) \
  X(uint2float_##WAY, 1, whole, unsigned, as_unsigned, __uint2float_##WAY(a)) \
  X(ll2float_##WAY, 1, whole, long long, as_long, __ll2float_##WAY(a)) \
  X(ull2float_##WAY, 1, whole, unsigned long long, as_unsigned_long, __ull2float_##WAY(a)) \
  X(ll2double_##WAY, 1, whole, long long, as_long, __ll2double_##WAY(a)) \
  X(ull2double_##WAY, 1, whole, unsigned long long, as_unsigned_long, __ull2double_##WAY(a)) \
  X(int2half_##WAY, 1, whole, int, as_int, __int2half_##WAY(a)) \
  X(ll2half_##WAY, 1, whole, long long, as_long, __ll2half_##WAY(a)) \
  X(ull2half_##WAY, 1, whole, unsigned long long, as_unsigned_long, __ull2half_##WAY(a)) \
  X(int2bfloat16_##WAY, 1, whole, int, as_int, __int2bfloat16_##WAY(a)) \
  X(ll2bfloat16_##WAY, 1, whole, long long, as_long, __ll2bfloat16_##WAY(a)) \
  X(ull2bfloat16_##WAY, 1, whole, unsigned long long, as_unsigned_long, __ull2bfloat16_##WAY(a)) \
  X(double2float_##WAY, 1, float_bits, double, as_double, __double2float_##WAY(a)) \
  X(float2half_##WAY, 1, float_bits, float, as_float, __float2half_##WAY(a)) \
  X(float2bfloat16_##WAY, 1, float_bits, float, as_float, __float2bfloat16_##WAY(a))

// Of half and of bfloat16.
#define SIXTEEN_BITS(X, NAME, ARGUMENTS, CALL) \
  X(half##NAME, ARGUMENTS, float_bits, __half, as_half, CALL) \
  X(bf16##NAME, ARGUMENTS, float_bits, __nv_bfloat16, as_bfloat16, CALL)

#define NUMBERS(X) \
  X(clz, 1, whole, int, as_int, __clz(a)) \
  X(ffs, 1, whole, int, as_int, __ffs(a)) \
  X(popc, 1, whole, int, as_int, __popc(a)) \
  X(brev, 1, whole, int, as_int, __brev(a)) \
  X(clzll, 1, whole, long long, as_long, __clzll(a)) \
  X(ffsll, 1, whole, long long, as_long, __ffsll(a)) \
  X(popcll, 1, whole, long long, as_long, __popcll(a)) \
  X(brevll, 1, whole, long long, as_long, __brevll(a)) \
  X(mulhi_i, 2, whole, int, as_int, __mulhi(a, b)) \
  X(mul24_i, 2, whole, int, as_int, __mul24(a, b)) \
  X(hadd_i, 2, whole, int, as_int, __hadd(a, b)) \
  X(rhadd_i, 2, whole, int, as_int, __rhadd(a, b)) \
  X(min_i, 2, whole, int, as_int, min(a, b)) \
  X(max_i, 2, whole, int, as_int, max(a, b)) \
  X(umulhi_u, 2, whole, unsigned, as_unsigned, __umulhi(a, b)) \
  X(umul24_u, 2, whole, unsigned, as_unsigned, __umul24(a, b)) \
  X(uhadd_u, 2, whole, unsigned, as_unsigned, __uhadd(a, b)) \
  X(urhadd_u, 2, whole, unsigned, as_unsigned, __urhadd(a, b)) \
  X(min_u, 2, whole, unsigned, as_unsigned, min(a, b)) \
  X(max_u, 2, whole, unsigned, as_unsigned, max(a, b)) \
  X(mul64hi, 2, whole, long long, as_long, __mul64hi(a, b)) \
  X(umul64hi, 2, whole, unsigned long long, as_unsigned_long, __umul64hi(a, b)) \
  X(sad, 2, whole, int, as_int, __sad(a, b, 5u)) \
  X(usad, 2, whole, unsigned, as_unsigned, __usad(a, b, 5u)) \
  X(abs_i, 1, whole, int, as_int, abs(a)) \
  X(funnelshift_l, 2, whole, unsigned, as_unsigned, __funnelshift_l(a, 0x9abcdef0u, b)) \
  X(funnelshift_r, 2, whole, unsigned, as_unsigned, __funnelshift_r(a, 0x9abcdef0u, b)) \
  X(funnelshift_lc, 2, whole, unsigned, as_unsigned, __funnelshift_lc(a, 0x9abcdef0u, b)) \
  X(funnelshift_rc, 2, whole, unsigned, as_unsigned, __funnelshift_rc(a, 0x9abcdef0u, b)) \
  X(byte_perm, 2, whole, unsigned, as_unsigned, __byte_perm(a, 0x9abcdef0u, b)) \
  X(dp4a_i, 2, whole, int, as_int, __dp4a(a, b, 3)) \
  X(dp4a_u, 2, whole, unsigned, as_unsigned, __dp4a(a, b, 3u)) \
  X(dp2a_lo, 2, whole, int, as_int, __dp2a_lo(a, b, 3)) \
  X(dp2a_hi, 2, whole, int, as_int, __dp2a_hi(a, b, 3)) \
  X(vadd2, 2, whole, unsigned, as_unsigned, __vadd2(a, b)) \
  X(vsub2, 2, whole, unsigned, as_unsigned, __vsub2(a, b)) \
  X(vaddss2, 2, whole, unsigned, as_unsigned, __vaddss2(a, b)) \
  X(vsubss2, 2, whole, unsigned, as_unsigned, __vsubss2(a, b)) \
  X(vaddus2, 2, whole, unsigned, as_unsigned, __vaddus2(a, b)) \
  X(vsubus2, 2, whole, unsigned, as_unsigned, __vsubus2(a, b)) \
  X(vmaxs2, 2, whole, unsigned, as_unsigned, __vmaxs2(a, b)) \
  X(vmins2, 2, whole, unsigned, as_unsigned, __vmins2(a, b)) \
  X(vmaxu2, 2, whole, unsigned, as_unsigned, __vmaxu2(a, b)) \
  X(vminu2, 2, whole, unsigned, as_unsigned, __vminu2(a, b)) \
  X(vabsdiffs2, 2, whole, unsigned, as_unsigned, __vabsdiffs2(a, b)) \
  X(vabsdiffu2, 2, whole, unsigned, as_unsigned, __vabsdiffu2(a, b)) \
  X(vavgs2, 2, whole, unsigned, as_unsigned, __vavgs2(a, b)) \
  X(vavgu2, 2, whole, unsigned, as_unsigned, __vavgu2(a, b)) \
  X(vcmpeq2, 2, whole, unsigned, as_unsigned, __vcmpeq2(a, b)) \
  X(vcmpgts2, 2, whole, unsigned, as_unsigned, __vcmpgts2(a, b)) \
  X(vcmpltu2, 2, whole, unsigned, as_unsigned, __vcmpltu2(a, b)) \
  X(vseteq2, 2, whole, unsigned, as_unsigned, __vseteq2(a, b)) \
  X(vsetgtu2, 2, whole, unsigned, as_unsigned, __vsetgtu2(a, b)) \
  X(vsads2, 2, whole, unsigned, as_unsigned, __vsads2(a, b)) \
  X(vsadu2, 2, whole, unsigned, as_unsigned, __vsadu2(a, b)) \
  X(vadd4, 2, whole, unsigned, as_unsigned, __vadd4(a, b)) \
  X(vsub4, 2, whole, unsigned, as_unsigned, __vsub4(a, b)) \
  X(vaddss4, 2, whole, unsigned, as_unsigned, __vaddss4(a, b)) \
  X(vsubss4, 2, whole, unsigned, as_unsigned, __vsubss4(a, b)) \
  X(vaddus4, 2, whole, unsigned, as_unsigned, __vaddus4(a, b)) \
  X(vsubus4, 2, whole, unsigned, as_unsigned, __vsubus4(a, b)) \
  X(vmaxs4, 2, whole, unsigned, as_unsigned, __vmaxs4(a, b)) \
  X(vmins4, 2, whole, unsigned, as_unsigned, __vmins4(a, b)) \
  X(vmaxu4, 2, whole, unsigned, as_unsigned, __vmaxu4(a, b)) \
  X(vminu4, 2, whole, unsigned, as_unsigned, __vminu4(a, b)) \
  X(vabsdiffs4, 2, whole, unsigned, as_unsigned, __vabsdiffs4(a, b)) \
  X(vabsdiffu4, 2, whole, unsigned, as_unsigned, __vabsdiffu4(a, b)) \
  X(vavgs4, 2, whole, unsigned, as_unsigned, __vavgs4(a, b)) \
  X(vavgu4, 2, whole, unsigned, as_unsigned, __vavgu4(a, b)) \
  X(vcmpeq4, 2, whole, unsigned, as_unsigned, __vcmpeq4(a, b)) \
  X(vcmpges4, 2, whole, unsigned, as_unsigned, __vcmpges4(a, b)) \
  X(vcmpltu4, 2, whole, unsigned, as_unsigned, __vcmpltu4(a, b)) \
  X(vsetne4, 2, whole, unsigned, as_unsigned, __vsetne4(a, b)) \
  X(vsads4, 2, whole, unsigned, as_unsigned, __vsads4(a, b)) \
  X(vsadu4, 2, whole, unsigned, as_unsigned, __vsadu4(a, b)) \
  X(vhaddu4, 2, whole, unsigned, as_unsigned, __vhaddu4(a, b)) \
  X(vhaddu2, 2, whole, unsigned, as_unsigned, __vhaddu2(a, b)) \
  X(vabs2, 1, whole, unsigned, as_unsigned, __vabs2(a)) \
  X(vabsss2, 1, whole, unsigned, as_unsigned, __vabsss2(a)) \
  X(vneg2, 1, whole, unsigned, as_unsigned, __vneg2(a)) \
  X(vnegss2, 1, whole, unsigned, as_unsigned, __vnegss2(a)) \
  X(vabs4, 1, whole, unsigned, as_unsigned, __vabs4(a)) \
  X(vabsss4, 1, whole, unsigned, as_unsigned, __vabsss4(a)) \
  X(vneg4, 1, whole, unsigned, as_unsigned, __vneg4(a)) \
  X(vnegss4, 1, whole, unsigned, as_unsigned, __vnegss4(a)) \
  ROUNDED(X, rn) \
  ROUNDED(X, rz) \
  ROUNDED(X, ru) \
  ROUNDED(X, rd) \
  X(frsqrt_rn, 1, float_bits, float, as_float, __frsqrt_rn(a)) \
  X(saturate, 1, float_bits, float, as_float, __saturatef(a)) \
  X(half2char_rz, 1, float_bits, __half, as_half, __half2char_rz(a)) \
  X(half2uchar_rz, 1, float_bits, __half, as_half, __half2uchar_rz(a)) \
  X(bfloat162char_rz, 1, float_bits, __nv_bfloat16, as_bfloat16, __bfloat162char_rz(a)) \
  X(fminf, 2, float_bits, float, as_float, fminf(a, b)) \
  X(fmaxf, 2, float_bits, float, as_float, fmaxf(a, b)) \
  X(fdimf, 2, float_bits, float, as_float, fdimf(a, b)) \
  X(fmodf, 2, float_bits, float, as_float, fmodf(a, b)) \
  X(remainderf, 2, float_bits, float, as_float, remainderf(a, b)) \
  X(copysignf, 2, float_bits, float, as_float, copysignf(a, b)) \
  X(nextafterf, 2, float_bits, float, as_float, nextafterf(a, b)) \
  X(floorf, 1, float_bits, float, as_float, floorf(a)) \
  X(ceilf, 1, float_bits, float, as_float, ceilf(a)) \
  X(truncf, 1, float_bits, float, as_float, truncf(a)) \
  X(rintf, 1, float_bits, float, as_float, rintf(a)) \
  X(nearbyintf, 1, float_bits, float, as_float, nearbyintf(a)) \
  X(roundf, 1, float_bits, float, as_float, roundf(a)) \
  X(fabsf, 1, float_bits, float, as_float, fabsf(a)) \
  X(sqrtf, 1, float_bits, float, as_float, sqrtf(a)) \
  X(lrintf, 1, float_bits, float, as_float, lrintf(a)) \
  X(lroundf, 1, float_bits, float, as_float, lroundf(a)) \
  X(llrintf, 1, float_bits, float, as_float, llrintf(a)) \
  X(llroundf, 1, float_bits, float, as_float, llroundf(a)) \
  X(logbf, 1, float_bits, float, as_float, logbf(a)) \
  X(ilogbf, 1, float_bits, float, as_float, ilogbf(a)) \
  X(isnan_f, 1, float_bits, float, as_float, isnan(a) ? 1 : 0) \
  X(isinf_f, 1, float_bits, float, as_float, isinf(a) ? 1 : 0) \
  X(isfinite_f, 1, float_bits, float, as_float, isfinite(a) ? 1 : 0) \
  X(signbit_f, 1, float_bits, float, as_float, signbit(a) ? 1 : 0) \
  X(ldexp_f, 1, float_bits, float, as_float, ldexpf(a, 3)) \
  X(scalbn_f, 1, float_bits, float, as_float, scalbnf(a, -30)) \
  X(plain_mad, 2, float_bits, float, as_float, a * b + 0.25f) \
  X(plain_divide, 2, float_bits, float, as_float, a / b) \
  X(cast_int, 1, float_bits, float, as_float, static_cast<int>(a)) \
  X(cast_unsigned, 1, float_bits, float, as_float, static_cast<unsigned>(a)) \
  X(cast_long, 1, float_bits, float, as_float, static_cast<long long>(a)) \
  X(fmin, 2, float_bits, double, as_double, fmin(a, b)) \
  X(fmax, 2, float_bits, double, as_double, fmax(a, b)) \
  X(fdim, 2, float_bits, double, as_double, fdim(a, b)) \
  X(fmod, 2, float_bits, double, as_double, fmod(a, b)) \
  X(remainder, 2, float_bits, double, as_double, remainder(a, b)) \
  X(copysign, 2, float_bits, double, as_double, copysign(a, b)) \
  X(floor, 1, float_bits, double, as_double, floor(a)) \
  X(ceil, 1, float_bits, double, as_double, ceil(a)) \
  X(trunc, 1, float_bits, double, as_double, trunc(a)) \
  X(rint, 1, float_bits, double, as_double, rint(a)) \
  X(round, 1, float_bits, double, as_double, round(a)) \
  X(fabs, 1, float_bits, double, as_double, fabs(a)) \
  X(sqrt, 1, float_bits, double, as_double, sqrt(a)) \
  SIXTEEN_BITS(X, hadd_, 2, __hadd(a, b)) \
  SIXTEEN_BITS(X, hsub_, 2, __hsub(a, b)) \
  SIXTEEN_BITS(X, hmul_, 2, __hmul(a, b)) \
  SIXTEEN_BITS(X, hdiv_, 2, __hdiv(a, b)) \
  SIXTEEN_BITS(X, hadd_sat_, 2, __hadd_sat(a, b)) \
  SIXTEEN_BITS(X, hsub_sat_, 2, __hsub_sat(a, b)) \
  SIXTEEN_BITS(X, hmul_sat_, 2, __hmul_sat(a, b)) \
  SIXTEEN_BITS(X, hmin_, 2, __hmin(a, b)) \
  SIXTEEN_BITS(X, hmax_, 2, __hmax(a, b)) \
  SIXTEEN_BITS(X, hmin_nan_, 2, __hmin_nan(a, b)) \
  SIXTEEN_BITS(X, hmax_nan_, 2, __hmax_nan(a, b)) \
  SIXTEEN_BITS(X, heq_, 2, __heq(a, b) ? 1 : 0) \
  SIXTEEN_BITS(X, hne_, 2, __hne(a, b) ? 1 : 0) \
  SIXTEEN_BITS(X, hlt_, 2, __hlt(a, b) ? 1 : 0) \
  SIXTEEN_BITS(X, hle_, 2, __hle(a, b) ? 1 : 0) \
  SIXTEEN_BITS(X, hgt_, 2, __hgt(a, b) ? 1 : 0) \
  SIXTEEN_BITS(X, hge_, 2, __hge(a, b) ? 1 : 0) \
  SIXTEEN_BITS(X, hequ_, 2, __hequ(a, b) ? 1 : 0) \
  SIXTEEN_BITS(X, hneu_, 2, __hneu(a, b) ? 1 : 0) \
  SIXTEEN_BITS(X, hltu_, 2, __hltu(a, b) ? 1 : 0) \
  SIXTEEN_BITS(X, hleu_, 2, __hleu(a, b) ? 1 : 0) \
  SIXTEEN_BITS(X, hgtu_, 2, __hgtu(a, b) ? 1 : 0) \
  SIXTEEN_BITS(X, hgeu_, 2, __hgeu(a, b) ? 1 : 0) \
  X(half_fma, 2, float_bits, __half, as_half, __hfma(a, b, a)) \
  X(half_fma_sat, 2, float_bits, __half, as_half, __hfma_sat(a, b, a)) \
  X(half_fma_relu, 2, float_bits, __half, as_half, __hfma_relu(a, b, a)) \
  X(bf16_fma, 2, float_bits, __nv_bfloat16, as_bfloat16, __hfma(a, b, a)) \
  SIXTEEN_BITS(X, _hneg, 1, __hneg(a)) \
  SIXTEEN_BITS(X, _habs, 1, __habs(a)) \
  SIXTEEN_BITS(X, _hceil, 1, hceil(a)) \
  SIXTEEN_BITS(X, _hfloor, 1, hfloor(a)) \
  SIXTEEN_BITS(X, _htrunc, 1, htrunc(a)) \
  SIXTEEN_BITS(X, _hrint, 1, hrint(a)) \
  SIXTEEN_BITS(X, _hisnan, 1, __hisnan(a) ? 1 : 0) \
  SIXTEEN_BITS(X, _hisinf, 1, __hisinf(a) ? 1 : 0)

#define X(NAME, ARGUMENTS, VALUES, TYPE, FROM, EXPRESSION)                            \
  __global__ void k_##NAME(const unsigned* in, int n, unsigned long long* out) {      \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                              \
    if (i >= n * n) return;                                                           \
    const TYPE a = FROM(in[i / n]), b = FROM(in[i % n]);                              \
    (void)a, (void)b;                                                                 \
    const auto result = EXPRESSION;                                                   \
    out[i] = word_of(result);                                                         \
  }
NUMBERS(X)
#undef X

template <int kCount>
void rows(const char* name, const unsigned (&values)[kCount], int arguments,
          void (*kernel)(const unsigned*, int, unsigned long long*)) {
  static unsigned* in = results<unsigned>(64);
  static unsigned long long* out = results<unsigned long long>(64 * 64);
  memcpy(in, values, sizeof values);
  kernel<<<(kCount * kCount + 127) / 128, 128>>>(in, kCount, out);
  NEEDED(cudaDeviceSynchronize());
  for (int a = 0; a < kCount; a++) {
    if (arguments == 1) {
      printf("%s %x = %llx\n", name, values[a], out[a * kCount]);
      continue;
    }
    // One row for each first argument: the results for all second ones.
    printf("%s %x =", name, values[a]);
    for (int b = 0; b < kCount; b++) printf(" %llx", out[a * kCount + b]);
    printf("\n");
  }
}

int main() {
#define X(NAME, ARGUMENTS, VALUES, TYPE, FROM, EXPRESSION) rows(#NAME, VALUES, ARGUMENTS, k_##NAME);
  NUMBERS(X)
#undef X
  return 0;
}
