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
  X(fadd_rn, 2, float_bits, float, as_float, __fadd_rn(a, b)) \
  X(fsub_rn, 2, float_bits, float, as_float, __fsub_rn(a, b)) \
  X(fmul_rn, 2, float_bits, float, as_float, __fmul_rn(a, b)) \
  X(fdiv_rn, 2, float_bits, float, as_float, __fdiv_rn(a, b)) \
  X(fmaf_rn, 2, float_bits, float, as_float, __fmaf_rn(a, b, 0.1f)) \
  X(fsqrt_rn, 1, float_bits, float, as_float, __fsqrt_rn(a)) \
  X(frcp_rn, 1, float_bits, float, as_float, __frcp_rn(a)) \
  X(dadd_rn, 2, float_bits, double, as_double, __dadd_rn(a, b)) \
  X(dsub_rn, 2, float_bits, double, as_double, __dsub_rn(a, b)) \
  X(dmul_rn, 2, float_bits, double, as_double, __dmul_rn(a, b)) \
  X(ddiv_rn, 2, float_bits, double, as_double, __ddiv_rn(a, b)) \
  X(fma_rn, 2, float_bits, double, as_double, __fma_rn(a, b, 0.1)) \
  X(dsqrt_rn, 1, float_bits, double, as_double, __dsqrt_rn(a)) \
  X(drcp_rn, 1, float_bits, double, as_double, __drcp_rn(a)) \
  X(float2int_rn, 1, float_bits, float, as_float, __float2int_rn(a)) \
  X(double2int_rn, 1, float_bits, double, as_double, __double2int_rn(a)) \
  X(half2int_rn, 1, float_bits, __half, as_half, __half2int_rn(a)) \
  X(bfloat162int_rn, 1, float_bits, __nv_bfloat16, as_bfloat16, __bfloat162int_rn(a)) \
  X(float2uint_rn, 1, float_bits, float, as_float, __float2uint_rn(a)) \
  X(double2uint_rn, 1, float_bits, double, as_double, __double2uint_rn(a)) \
  X(half2uint_rn, 1, float_bits, __half, as_half, __half2uint_rn(a)) \
  X(bfloat162uint_rn, 1, float_bits, __nv_bfloat16, as_bfloat16, __bfloat162uint_rn(a)) \
  X(float2ll_rn, 1, float_bits, float, as_float, __float2ll_rn(a)) \
  X(double2ll_rn, 1, float_bits, double, as_double, __double2ll_rn(a)) \
  X(half2ll_rn, 1, float_bits, __half, as_half, __half2ll_rn(a)) \
  X(bfloat162ll_rn, 1, float_bits, __nv_bfloat16, as_bfloat16, __bfloat162ll_rn(a)) \
  X(float2ull_rn, 1, float_bits, float, as_float, __float2ull_rn(a)) \
  X(double2ull_rn, 1, float_bits, double, as_double, __double2ull_rn(a)) \
  X(half2ull_rn, 1, float_bits, __half, as_half, __half2ull_rn(a)) \
  X(bfloat162ull_rn, 1, float_bits, __nv_bfloat16, as_bfloat16, __bfloat162ull_rn(a)) \
  X(half2short_rn, 1, float_bits, __half, as_half, __half2short_rn(a)) \
  X(bfloat162short_rn, 1, float_bits, __nv_bfloat16, as_bfloat16, __bfloat162short_rn(a)) \
  X(half2ushort_rn, 1, float_bits, __half, as_half, __half2ushort_rn(a)) \
  X(bfloat162ushort_rn, 1, float_bits, __nv_bfloat16, as_bfloat16, __bfloat162ushort_rn(a)) \
  X(int2float_rn, 1, whole, int, as_int, __int2float_rn(a)) \
  X(uint2float_rn, 1, whole, unsigned, as_unsigned, __uint2float_rn(a)) \
  X(ll2float_rn, 1, whole, long long, as_long, __ll2float_rn(a)) \
  X(ull2float_rn, 1, whole, unsigned long long, as_unsigned_long, __ull2float_rn(a)) \
  X(ll2double_rn, 1, whole, long long, as_long, __ll2double_rn(a)) \
  X(ull2double_rn, 1, whole, unsigned long long, as_unsigned_long, __ull2double_rn(a)) \
  X(int2half_rn, 1, whole, int, as_int, __int2half_rn(a)) \
  X(ll2half_rn, 1, whole, long long, as_long, __ll2half_rn(a)) \
  X(ull2half_rn, 1, whole, unsigned long long, as_unsigned_long, __ull2half_rn(a)) \
  X(int2bfloat16_rn, 1, whole, int, as_int, __int2bfloat16_rn(a)) \
  X(ll2bfloat16_rn, 1, whole, long long, as_long, __ll2bfloat16_rn(a)) \
  X(ull2bfloat16_rn, 1, whole, unsigned long long, as_unsigned_long, __ull2bfloat16_rn(a)) \
  X(double2float_rn, 1, float_bits, double, as_double, __double2float_rn(a)) \
  X(float2half_rn, 1, float_bits, float, as_float, __float2half_rn(a)) \
  X(float2bfloat16_rn, 1, float_bits, float, as_float, __float2bfloat16_rn(a)) \
  X(fadd_rz, 2, float_bits, float, as_float, __fadd_rz(a, b)) \
  X(fsub_rz, 2, float_bits, float, as_float, __fsub_rz(a, b)) \
  X(fmul_rz, 2, float_bits, float, as_float, __fmul_rz(a, b)) \
  X(fdiv_rz, 2, float_bits, float, as_float, __fdiv_rz(a, b)) \
  X(fmaf_rz, 2, float_bits, float, as_float, __fmaf_rz(a, b, 0.1f)) \
  X(fsqrt_rz, 1, float_bits, float, as_float, __fsqrt_rz(a)) \
  X(frcp_rz, 1, float_bits, float, as_float, __frcp_rz(a)) \
  X(dadd_rz, 2, float_bits, double, as_double, __dadd_rz(a, b)) \
  X(dsub_rz, 2, float_bits, double, as_double, __dsub_rz(a, b)) \
  X(dmul_rz, 2, float_bits, double, as_double, __dmul_rz(a, b)) \
  X(ddiv_rz, 2, float_bits, double, as_double, __ddiv_rz(a, b)) \
  X(fma_rz, 2, float_bits, double, as_double, __fma_rz(a, b, 0.1)) \
  X(dsqrt_rz, 1, float_bits, double, as_double, __dsqrt_rz(a)) \
  X(drcp_rz, 1, float_bits, double, as_double, __drcp_rz(a)) \
  X(float2int_rz, 1, float_bits, float, as_float, __float2int_rz(a)) \
  X(double2int_rz, 1, float_bits, double, as_double, __double2int_rz(a)) \
  X(half2int_rz, 1, float_bits, __half, as_half, __half2int_rz(a)) \
  X(bfloat162int_rz, 1, float_bits, __nv_bfloat16, as_bfloat16, __bfloat162int_rz(a)) \
  X(float2uint_rz, 1, float_bits, float, as_float, __float2uint_rz(a)) \
  X(double2uint_rz, 1, float_bits, double, as_double, __double2uint_rz(a)) \
  X(half2uint_rz, 1, float_bits, __half, as_half, __half2uint_rz(a)) \
  X(bfloat162uint_rz, 1, float_bits, __nv_bfloat16, as_bfloat16, __bfloat162uint_rz(a)) \
  X(float2ll_rz, 1, float_bits, float, as_float, __float2ll_rz(a)) \
  X(double2ll_rz, 1, float_bits, double, as_double, __double2ll_rz(a)) \
  X(half2ll_rz, 1, float_bits, __half, as_half, __half2ll_rz(a)) \
  X(bfloat162ll_rz, 1, float_bits, __nv_bfloat16, as_bfloat16, __bfloat162ll_rz(a)) \
  X(float2ull_rz, 1, float_bits, float, as_float, __float2ull_rz(a)) \
  X(double2ull_rz, 1, float_bits, double, as_double, __double2ull_rz(a)) \
  X(half2ull_rz, 1, float_bits, __half, as_half, __half2ull_rz(a)) \
  X(bfloat162ull_rz, 1, float_bits, __nv_bfloat16, as_bfloat16, __bfloat162ull_rz(a)) \
  X(half2short_rz, 1, float_bits, __half, as_half, __half2short_rz(a)) \
  X(bfloat162short_rz, 1, float_bits, __nv_bfloat16, as_bfloat16, __bfloat162short_rz(a)) \
  X(half2ushort_rz, 1, float_bits, __half, as_half, __half2ushort_rz(a)) \
  X(bfloat162ushort_rz, 1, float_bits, __nv_bfloat16, as_bfloat16, __bfloat162ushort_rz(a)) \
  X(int2float_rz, 1, whole, int, as_int, __int2float_rz(a)) \
  X(uint2float_rz, 1, whole, unsigned, as_unsigned, __uint2float_rz(a)) \
  X(ll2float_rz, 1, whole, long long, as_long, __ll2float_rz(a)) \
  X(ull2float_rz, 1, whole, unsigned long long, as_unsigned_long, __ull2float_rz(a)) \
  X(ll2double_rz, 1, whole, long long, as_long, __ll2double_rz(a)) \
  X(ull2double_rz, 1, whole, unsigned long long, as_unsigned_long, __ull2double_rz(a)) \
  X(int2half_rz, 1, whole, int, as_int, __int2half_rz(a)) \
  X(ll2half_rz, 1, whole, long long, as_long, __ll2half_rz(a)) \
  X(ull2half_rz, 1, whole, unsigned long long, as_unsigned_long, __ull2half_rz(a)) \
  X(int2bfloat16_rz, 1, whole, int, as_int, __int2bfloat16_rz(a)) \
  X(ll2bfloat16_rz, 1, whole, long long, as_long, __ll2bfloat16_rz(a)) \
  X(ull2bfloat16_rz, 1, whole, unsigned long long, as_unsigned_long, __ull2bfloat16_rz(a)) \
  X(double2float_rz, 1, float_bits, double, as_double, __double2float_rz(a)) \
  X(float2half_rz, 1, float_bits, float, as_float, __float2half_rz(a)) \
  X(float2bfloat16_rz, 1, float_bits, float, as_float, __float2bfloat16_rz(a)) \
  X(fadd_ru, 2, float_bits, float, as_float, __fadd_ru(a, b)) \
  X(fsub_ru, 2, float_bits, float, as_float, __fsub_ru(a, b)) \
  X(fmul_ru, 2, float_bits, float, as_float, __fmul_ru(a, b)) \
  X(fdiv_ru, 2, float_bits, float, as_float, __fdiv_ru(a, b)) \
  X(fmaf_ru, 2, float_bits, float, as_float, __fmaf_ru(a, b, 0.1f)) \
  X(fsqrt_ru, 1, float_bits, float, as_float, __fsqrt_ru(a)) \
  X(frcp_ru, 1, float_bits, float, as_float, __frcp_ru(a)) \
  X(dadd_ru, 2, float_bits, double, as_double, __dadd_ru(a, b)) \
  X(dsub_ru, 2, float_bits, double, as_double, __dsub_ru(a, b)) \
  X(dmul_ru, 2, float_bits, double, as_double, __dmul_ru(a, b)) \
  X(ddiv_ru, 2, float_bits, double, as_double, __ddiv_ru(a, b)) \
  X(fma_ru, 2, float_bits, double, as_double, __fma_ru(a, b, 0.1)) \
  X(dsqrt_ru, 1, float_bits, double, as_double, __dsqrt_ru(a)) \
  X(drcp_ru, 1, float_bits, double, as_double, __drcp_ru(a)) \
  X(float2int_ru, 1, float_bits, float, as_float, __float2int_ru(a)) \
  X(double2int_ru, 1, float_bits, double, as_double, __double2int_ru(a)) \
  X(half2int_ru, 1, float_bits, __half, as_half, __half2int_ru(a)) \
  X(bfloat162int_ru, 1, float_bits, __nv_bfloat16, as_bfloat16, __bfloat162int_ru(a)) \
  X(float2uint_ru, 1, float_bits, float, as_float, __float2uint_ru(a)) \
  X(double2uint_ru, 1, float_bits, double, as_double, __double2uint_ru(a)) \
  X(half2uint_ru, 1, float_bits, __half, as_half, __half2uint_ru(a)) \
  X(bfloat162uint_ru, 1, float_bits, __nv_bfloat16, as_bfloat16, __bfloat162uint_ru(a)) \
  X(float2ll_ru, 1, float_bits, float, as_float, __float2ll_ru(a)) \
  X(double2ll_ru, 1, float_bits, double, as_double, __double2ll_ru(a)) \
  X(half2ll_ru, 1, float_bits, __half, as_half, __half2ll_ru(a)) \
  X(bfloat162ll_ru, 1, float_bits, __nv_bfloat16, as_bfloat16, __bfloat162ll_ru(a)) \
  X(float2ull_ru, 1, float_bits, float, as_float, __float2ull_ru(a)) \
  X(double2ull_ru, 1, float_bits, double, as_double, __double2ull_ru(a)) \
  X(half2ull_ru, 1, float_bits, __half, as_half, __half2ull_ru(a)) \
  X(bfloat162ull_ru, 1, float_bits, __nv_bfloat16, as_bfloat16, __bfloat162ull_ru(a)) \
  X(half2short_ru, 1, float_bits, __half, as_half, __half2short_ru(a)) \
  X(bfloat162short_ru, 1, float_bits, __nv_bfloat16, as_bfloat16, __bfloat162short_ru(a)) \
  X(half2ushort_ru, 1, float_bits, __half, as_half, __half2ushort_ru(a)) \
  X(bfloat162ushort_ru, 1, float_bits, __nv_bfloat16, as_bfloat16, __bfloat162ushort_ru(a)) \
  X(int2float_ru, 1, whole, int, as_int, __int2float_ru(a)) \
  X(uint2float_ru, 1, whole, unsigned, as_unsigned, __uint2float_ru(a)) \
  X(ll2float_ru, 1, whole, long long, as_long, __ll2float_ru(a)) \
  X(ull2float_ru, 1, whole, unsigned long long, as_unsigned_long, __ull2float_ru(a)) \
  X(ll2double_ru, 1, whole, long long, as_long, __ll2double_ru(a)) \
  X(ull2double_ru, 1, whole, unsigned long long, as_unsigned_long, __ull2double_ru(a)) \
  X(int2half_ru, 1, whole, int, as_int, __int2half_ru(a)) \
  X(ll2half_ru, 1, whole, long long, as_long, __ll2half_ru(a)) \
  X(ull2half_ru, 1, whole, unsigned long long, as_unsigned_long, __ull2half_ru(a)) \
  X(int2bfloat16_ru, 1, whole, int, as_int, __int2bfloat16_ru(a)) \
  X(ll2bfloat16_ru, 1, whole, long long, as_long, __ll2bfloat16_ru(a)) \
  X(ull2bfloat16_ru, 1, whole, unsigned long long, as_unsigned_long, __ull2bfloat16_ru(a)) \
  X(double2float_ru, 1, float_bits, double, as_double, __double2float_ru(a)) \
  X(float2half_ru, 1, float_bits, float, as_float, __float2half_ru(a)) \
  X(float2bfloat16_ru, 1, float_bits, float, as_float, __float2bfloat16_ru(a)) \
  X(fadd_rd, 2, float_bits, float, as_float, __fadd_rd(a, b)) \
  X(fsub_rd, 2, float_bits, float, as_float, __fsub_rd(a, b)) \
  X(fmul_rd, 2, float_bits, float, as_float, __fmul_rd(a, b)) \
  X(fdiv_rd, 2, float_bits, float, as_float, __fdiv_rd(a, b)) \
  X(fmaf_rd, 2, float_bits, float, as_float, __fmaf_rd(a, b, 0.1f)) \
  X(fsqrt_rd, 1, float_bits, float, as_float, __fsqrt_rd(a)) \
  X(frcp_rd, 1, float_bits, float, as_float, __frcp_rd(a)) \
  X(dadd_rd, 2, float_bits, double, as_double, __dadd_rd(a, b)) \
  X(dsub_rd, 2, float_bits, double, as_double, __dsub_rd(a, b)) \
  X(dmul_rd, 2, float_bits, double, as_double, __dmul_rd(a, b)) \
  X(ddiv_rd, 2, float_bits, double, as_double, __ddiv_rd(a, b)) \
  X(fma_rd, 2, float_bits, double, as_double, __fma_rd(a, b, 0.1)) \
  X(dsqrt_rd, 1, float_bits, double, as_double, __dsqrt_rd(a)) \
  X(drcp_rd, 1, float_bits, double, as_double, __drcp_rd(a)) \
  X(float2int_rd, 1, float_bits, float, as_float, __float2int_rd(a)) \
  X(double2int_rd, 1, float_bits, double, as_double, __double2int_rd(a)) \
  X(half2int_rd, 1, float_bits, __half, as_half, __half2int_rd(a)) \
  X(bfloat162int_rd, 1, float_bits, __nv_bfloat16, as_bfloat16, __bfloat162int_rd(a)) \
  X(float2uint_rd, 1, float_bits, float, as_float, __float2uint_rd(a)) \
  X(double2uint_rd, 1, float_bits, double, as_double, __double2uint_rd(a)) \
  X(half2uint_rd, 1, float_bits, __half, as_half, __half2uint_rd(a)) \
  X(bfloat162uint_rd, 1, float_bits, __nv_bfloat16, as_bfloat16, __bfloat162uint_rd(a)) \
  X(float2ll_rd, 1, float_bits, float, as_float, __float2ll_rd(a)) \
  X(double2ll_rd, 1, float_bits, double, as_double, __double2ll_rd(a)) \
  X(half2ll_rd, 1, float_bits, __half, as_half, __half2ll_rd(a)) \
  X(bfloat162ll_rd, 1, float_bits, __nv_bfloat16, as_bfloat16, __bfloat162ll_rd(a)) \
  X(float2ull_rd, 1, float_bits, float, as_float, __float2ull_rd(a)) \
  X(double2ull_rd, 1, float_bits, double, as_double, __double2ull_rd(a)) \
  X(half2ull_rd, 1, float_bits, __half, as_half, __half2ull_rd(a)) \
  X(bfloat162ull_rd, 1, float_bits, __nv_bfloat16, as_bfloat16, __bfloat162ull_rd(a)) \
  X(half2short_rd, 1, float_bits, __half, as_half, __half2short_rd(a)) \
  X(bfloat162short_rd, 1, float_bits, __nv_bfloat16, as_bfloat16, __bfloat162short_rd(a)) \
  X(half2ushort_rd, 1, float_bits, __half, as_half, __half2ushort_rd(a)) \
  X(bfloat162ushort_rd, 1, float_bits, __nv_bfloat16, as_bfloat16, __bfloat162ushort_rd(a)) \
  X(int2float_rd, 1, whole, int, as_int, __int2float_rd(a)) \
  X(uint2float_rd, 1, whole, unsigned, as_unsigned, __uint2float_rd(a)) \
  X(ll2float_rd, 1, whole, long long, as_long, __ll2float_rd(a)) \
  X(ull2float_rd, 1, whole, unsigned long long, as_unsigned_long, __ull2float_rd(a)) \
  X(ll2double_rd, 1, whole, long long, as_long, __ll2double_rd(a)) \
  X(ull2double_rd, 1, whole, unsigned long long, as_unsigned_long, __ull2double_rd(a)) \
  X(int2half_rd, 1, whole, int, as_int, __int2half_rd(a)) \
  X(ll2half_rd, 1, whole, long long, as_long, __ll2half_rd(a)) \
  X(ull2half_rd, 1, whole, unsigned long long, as_unsigned_long, __ull2half_rd(a)) \
  X(int2bfloat16_rd, 1, whole, int, as_int, __int2bfloat16_rd(a)) \
  X(ll2bfloat16_rd, 1, whole, long long, as_long, __ll2bfloat16_rd(a)) \
  X(ull2bfloat16_rd, 1, whole, unsigned long long, as_unsigned_long, __ull2bfloat16_rd(a)) \
  X(double2float_rd, 1, float_bits, double, as_double, __double2float_rd(a)) \
  X(float2half_rd, 1, float_bits, float, as_float, __float2half_rd(a)) \
  X(float2bfloat16_rd, 1, float_bits, float, as_float, __float2bfloat16_rd(a)) \
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
  X(halfhadd_, 2, float_bits, __half, as_half, __hadd(a, b)) \
  X(bf16hadd_, 2, float_bits, __nv_bfloat16, as_bfloat16, __hadd(a, b)) \
  X(halfhsub_, 2, float_bits, __half, as_half, __hsub(a, b)) \
  X(bf16hsub_, 2, float_bits, __nv_bfloat16, as_bfloat16, __hsub(a, b)) \
  X(halfhmul_, 2, float_bits, __half, as_half, __hmul(a, b)) \
  X(bf16hmul_, 2, float_bits, __nv_bfloat16, as_bfloat16, __hmul(a, b)) \
  X(halfhdiv_, 2, float_bits, __half, as_half, __hdiv(a, b)) \
  X(bf16hdiv_, 2, float_bits, __nv_bfloat16, as_bfloat16, __hdiv(a, b)) \
  X(halfhadd_sat_, 2, float_bits, __half, as_half, __hadd_sat(a, b)) \
  X(bf16hadd_sat_, 2, float_bits, __nv_bfloat16, as_bfloat16, __hadd_sat(a, b)) \
  X(halfhsub_sat_, 2, float_bits, __half, as_half, __hsub_sat(a, b)) \
  X(bf16hsub_sat_, 2, float_bits, __nv_bfloat16, as_bfloat16, __hsub_sat(a, b)) \
  X(halfhmul_sat_, 2, float_bits, __half, as_half, __hmul_sat(a, b)) \
  X(bf16hmul_sat_, 2, float_bits, __nv_bfloat16, as_bfloat16, __hmul_sat(a, b)) \
  X(halfhmin_, 2, float_bits, __half, as_half, __hmin(a, b)) \
  X(bf16hmin_, 2, float_bits, __nv_bfloat16, as_bfloat16, __hmin(a, b)) \
  X(halfhmax_, 2, float_bits, __half, as_half, __hmax(a, b)) \
  X(bf16hmax_, 2, float_bits, __nv_bfloat16, as_bfloat16, __hmax(a, b)) \
  X(halfhmin_nan_, 2, float_bits, __half, as_half, __hmin_nan(a, b)) \
  X(bf16hmin_nan_, 2, float_bits, __nv_bfloat16, as_bfloat16, __hmin_nan(a, b)) \
  X(halfhmax_nan_, 2, float_bits, __half, as_half, __hmax_nan(a, b)) \
  X(bf16hmax_nan_, 2, float_bits, __nv_bfloat16, as_bfloat16, __hmax_nan(a, b)) \
  X(halfheq_, 2, float_bits, __half, as_half, __heq(a, b) ? 1 : 0) \
  X(bf16heq_, 2, float_bits, __nv_bfloat16, as_bfloat16, __heq(a, b) ? 1 : 0) \
  X(halfhne_, 2, float_bits, __half, as_half, __hne(a, b) ? 1 : 0) \
  X(bf16hne_, 2, float_bits, __nv_bfloat16, as_bfloat16, __hne(a, b) ? 1 : 0) \
  X(halfhlt_, 2, float_bits, __half, as_half, __hlt(a, b) ? 1 : 0) \
  X(bf16hlt_, 2, float_bits, __nv_bfloat16, as_bfloat16, __hlt(a, b) ? 1 : 0) \
  X(halfhle_, 2, float_bits, __half, as_half, __hle(a, b) ? 1 : 0) \
  X(bf16hle_, 2, float_bits, __nv_bfloat16, as_bfloat16, __hle(a, b) ? 1 : 0) \
  X(halfhgt_, 2, float_bits, __half, as_half, __hgt(a, b) ? 1 : 0) \
  X(bf16hgt_, 2, float_bits, __nv_bfloat16, as_bfloat16, __hgt(a, b) ? 1 : 0) \
  X(halfhge_, 2, float_bits, __half, as_half, __hge(a, b) ? 1 : 0) \
  X(bf16hge_, 2, float_bits, __nv_bfloat16, as_bfloat16, __hge(a, b) ? 1 : 0) \
  X(halfhequ_, 2, float_bits, __half, as_half, __hequ(a, b) ? 1 : 0) \
  X(bf16hequ_, 2, float_bits, __nv_bfloat16, as_bfloat16, __hequ(a, b) ? 1 : 0) \
  X(halfhneu_, 2, float_bits, __half, as_half, __hneu(a, b) ? 1 : 0) \
  X(bf16hneu_, 2, float_bits, __nv_bfloat16, as_bfloat16, __hneu(a, b) ? 1 : 0) \
  X(halfhltu_, 2, float_bits, __half, as_half, __hltu(a, b) ? 1 : 0) \
  X(bf16hltu_, 2, float_bits, __nv_bfloat16, as_bfloat16, __hltu(a, b) ? 1 : 0) \
  X(halfhleu_, 2, float_bits, __half, as_half, __hleu(a, b) ? 1 : 0) \
  X(bf16hleu_, 2, float_bits, __nv_bfloat16, as_bfloat16, __hleu(a, b) ? 1 : 0) \
  X(halfhgtu_, 2, float_bits, __half, as_half, __hgtu(a, b) ? 1 : 0) \
  X(bf16hgtu_, 2, float_bits, __nv_bfloat16, as_bfloat16, __hgtu(a, b) ? 1 : 0) \
  X(halfhgeu_, 2, float_bits, __half, as_half, __hgeu(a, b) ? 1 : 0) \
  X(bf16hgeu_, 2, float_bits, __nv_bfloat16, as_bfloat16, __hgeu(a, b) ? 1 : 0) \
  X(half_fma, 2, float_bits, __half, as_half, __hfma(a, b, a)) \
  X(half_fma_sat, 2, float_bits, __half, as_half, __hfma_sat(a, b, a)) \
  X(half_fma_relu, 2, float_bits, __half, as_half, __hfma_relu(a, b, a)) \
  X(bf16_fma, 2, float_bits, __nv_bfloat16, as_bfloat16, __hfma(a, b, a)) \
  X(half_hneg, 1, float_bits, __half, as_half, __hneg(a)) \
  X(bf16_hneg, 1, float_bits, __nv_bfloat16, as_bfloat16, __hneg(a)) \
  X(half_habs, 1, float_bits, __half, as_half, __habs(a)) \
  X(bf16_habs, 1, float_bits, __nv_bfloat16, as_bfloat16, __habs(a)) \
  X(half_hceil, 1, float_bits, __half, as_half, hceil(a)) \
  X(bf16_hceil, 1, float_bits, __nv_bfloat16, as_bfloat16, hceil(a)) \
  X(half_hfloor, 1, float_bits, __half, as_half, hfloor(a)) \
  X(bf16_hfloor, 1, float_bits, __nv_bfloat16, as_bfloat16, hfloor(a)) \
  X(half_htrunc, 1, float_bits, __half, as_half, htrunc(a)) \
  X(bf16_htrunc, 1, float_bits, __nv_bfloat16, as_bfloat16, htrunc(a)) \
  X(half_hrint, 1, float_bits, __half, as_half, hrint(a)) \
  X(bf16_hrint, 1, float_bits, __nv_bfloat16, as_bfloat16, hrint(a)) \
  X(half_hisnan, 1, float_bits, __half, as_half, __hisnan(a) ? 1 : 0) \
  X(bf16_hisnan, 1, float_bits, __nv_bfloat16, as_bfloat16, __hisnan(a) ? 1 : 0) \
  X(half_hisinf, 1, float_bits, __half, as_half, __hisinf(a) ? 1 : 0) \
  X(bf16_hisinf, 1, float_bits, __nv_bfloat16, as_bfloat16, __hisinf(a) ? 1 : 0)

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
