// In the manner of libraries of templates: of which type is the result of each function, for each type of an argument? An overload
// that is missing, or that returns another type, changes what a template computes. The rows come from the compiler of CUDA 13.0. A
// letter is the type of a result, and `.` stands for a call that does not compile there, or that is left open: exchanges of 16 bytes,
// shuffles of small integers, copysign() of a half.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <type_traits>
#include <utility>

using Byte = signed char;
using Small = short;
using Short = unsigned short;
using Unsigned = unsigned;
using Long = unsigned long;
using Longer = long long;
using Longest = unsigned long long;

#define FUNCTIONS1(X) \
  X(abs) X(fabs) X(fabsf) X(sqrt) X(rsqrt) X(cbrt) X(rcbrt) X(exp) X(exp2) X(exp10) X(expm1) X(log) X(log2) X(log10)        \
  X(log1p) X(sin) X(cos) X(tan) X(sinpi) X(cospi) X(asin) X(acos) X(atan) X(sinh) X(cosh) X(tanh) X(asinh) X(acosh)         \
  X(atanh) X(erf) X(erfc) X(erfinv) X(erfcinv) X(erfcx) X(normcdf) X(normcdfinv) X(lgamma) X(tgamma) X(floor) X(ceil)       \
  X(trunc) X(round) X(rint) X(nearbyint) X(lrint) X(lround) X(llrint) X(llround) X(logb) X(ilogb) X(isnan) X(isinf)         \
  X(isfinite) X(signbit) X(j0) X(y0) X(cyl_bessel_i0) X(cyl_bessel_i1) X(__popc) X(__popcll) X(__clz) X(__clzll) X(__ffs)   \
  X(__ffsll) X(__brev) X(__brevll) X(__saturatef) X(__float2int_rn) X(__float2ull_rz) X(__double2ll_rd) X(__int2float_ru)   \
  X(__ull2double_rn) X(__float_as_int) X(__float_as_uint) X(__int_as_float) X(__double_as_longlong)                         \
  X(__longlong_as_double) X(__double2hiint) X(__vabs2) X(__vneg4) X(__half2float) X(__float2half) X(__half2int_rz)          \
  X(__int2half_rn) X(__half2ull_ru) X(__low2float) X(__low2half) X(__half22float2) X(__half2half2) X(__hneg) X(__habs)      \
  X(__hisnan) X(__hisinf) X(hexp) X(hsqrt) X(h2log) X(__bfloat162float) X(__float2bfloat16) X(__bfloat162int_rz)            \
  X(__short2bfloat16_rn) X(__bfloat1622float2) X(__half_as_short) X(__short_as_half) X(__ushort_as_bfloat16)                \
  X(__bfloat16_as_ushort) X(__lowhigh2highlow) X(__uint2half_rn) X(__ushort2half_rz) X(__ll2bfloat16_rd)                    \
  X(__half2short_rn) X(__half2uint_ru) X(__half2ll_rd) X(__half2char_rz) X(__bfloat162ull_rn) X(__double2half)              \
  X(__double2bfloat16) X(__float2half2_rn) X(__float2bfloat162_rn) X(__bfloat162bfloat162) X(__high2half2) X(__high2float)  \
  X(__low2bfloat16) X(h2sqrt) X(hrint) X(hcos) X(__half_as_ushort) X(__uint_as_float) X(__double2loint)                     \
  X(__double2float_rz) X(__float2uint_rd) X(__float2ll_ru) X(__uint2float_rn) X(__ll2float_rz) X(__frcp_rn) X(__drcp_ru)    \
  X(__dsqrt_rd) X(__fsqrt_rz) X(j1) X(y1)
#define FUNCTIONS2(X) \
  X(min) X(max) X(umin) X(llmax) X(fmin) X(fmax) X(fminf) X(fmaxf) X(pow) X(fmod) X(fdim) X(hypot) X(rhypot) X(atan2)       \
  X(copysign) X(remainder) X(nextafter) X(ldexp) X(scalbn) X(__mulhi) X(__umulhi) X(__mul64hi) X(__umul64hi) X(__mul24)     \
  X(__umul24) X(__hadd) X(__rhadd) X(__uhadd) X(__hsub) X(__hmul) X(__hdiv) X(__hmax) X(__hmin) X(__heq) X(__hltu)          \
  X(__hgt2) X(__hbge2) X(__hne2_mask) X(__hadd2) X(__hadd2_sat) X(__hmul2_rn) X(__h2div) X(__fdividef) X(fdividef)          \
  X(__dadd_rn) X(__fmul_ru) X(__vadd4) X(__vcmpgeu2) X(__vsadu4) X(__halves2half2) X(__halves2bfloat162)                    \
  X(__floats2half2_rn) X(__vimax_s32_relu) X(__hiloint2double) X(jn) X(yn) X(umax) X(llmin) X(ullmax) X(__hlt)              \
  X(__hadd2_rn) X(__dsub_ru) X(__fdiv_rd) X(__vmaxs2)
// With an address first.
#define ATOMICS(X) \
  X(atomicAdd) X(atomicSub) X(atomicExch) X(atomicMin) X(atomicMax) X(atomicInc) X(atomicDec) X(atomicAnd) X(atomicOr)      \
  X(atomicXor) X(atomicAdd_block) X(atomicMin_system) X(atomicExch_block) X(atomicXor_system) X(atomicInc_block)
#define LOADS(X) \
  X(__ldg) X(__ldca) X(__ldcg) X(__ldcs) X(__ldlu) X(__ldcv)
#define SHUFFLES(X) \
  X(__shfl_sync) X(__shfl_up_sync) X(__shfl_down_sync) X(__shfl_xor_sync)

// Arguments, in the order of the letters.
#define TYPES1(X) \
  X(Byte) X(Small) X(Short) X(int) X(Unsigned) X(long) X(Long) X(Longer) X(Longest) X(float) X(double) X(__half)            \
  X(__nv_bfloat16) X(__half2) X(__nv_bfloat162) X(float2) X(float4) X(uchar4) X(int2) X(double2)
#define TYPES2(X) \
  X(int) X(Unsigned) X(long) X(Long) X(Longer) X(Longest) X(float) X(double) X(__half) X(__nv_bfloat16) X(__half2)          \
  X(__nv_bfloat162) X(Small) X(Byte)

struct None {};
template <typename T>
constexpr char letter() {
#define LETTER(TYPE, LETTER) \
  if (std::is_same<T, TYPE>::value) return LETTER;
  LETTER(None, '.') LETTER(int, 'i') LETTER(Unsigned, 'u') LETTER(long, 'l') LETTER(Long, 'L') LETTER(Longer, 'x') LETTER(Longest, 'X')
  LETTER(float, 'f') LETTER(double, 'd') LETTER(bool, 'b') LETTER(Small, 's') LETTER(Short, 'S') LETTER(Byte, 'c')
  LETTER(__half, 'h') LETTER(__half2, 'H') LETTER(__nv_bfloat16, 'n') LETTER(__nv_bfloat162, 'N') LETTER(float2, 'g') LETTER(float4, 'G')
  LETTER(uchar4, 'q') LETTER(int2, 'I') LETTER(double2, 'D') LETTER(unsigned char, 'C')
#undef LETTER
  return '?';
}

// Of_NAME::of<A, B>() is the letter for NAME(A, B).
#define ANSWERS(KIND, NAME, CALL)                                     \
  struct KIND##NAME {                                                 \
    template <typename A, typename B>                                 \
    static auto test(int) -> decltype(CALL);                          \
    template <typename A, typename B>                                 \
    static None test(...);                                            \
    template <typename A, typename B>                                 \
    static constexpr char of() {                                      \
      return letter<std::decay_t<decltype(test<A, B>(0))>>();         \
    }                                                                 \
  };
#define OF_ONE(NAME) ANSWERS(One_, NAME, NAME(std::declval<A>()))
#define OF_TWO(NAME) ANSWERS(Two_, NAME, NAME(std::declval<A>(), std::declval<B>()))
#define OF_ADDRESS(NAME) ANSWERS(At_, NAME, NAME(std::declval<A*>(), std::declval<A>()))
#define OF_LOAD(NAME) ANSWERS(Load_, NAME, NAME(std::declval<const A*>()))
#define OF_SHUFFLE(NAME) ANSWERS(Shuffle_, NAME, NAME(0xffffffffu, std::declval<A>(), 1))
FUNCTIONS1(OF_ONE)
FUNCTIONS2(OF_TWO)
ATOMICS(OF_ADDRESS)
LOADS(OF_LOAD)
SHUFFLES(OF_SHUFFLE)

#if defined(__CUDA_ARCH__) || defined(__CPU_DEVICE__)  // where device functions are seen
constexpr bool matches(const char* wanted, const char* got) {
  for (; *wanted != 0; wanted++, got++)
    if (*wanted != '.' && *wanted != *got) return false;
  return true;
}
template <typename Function>
constexpr bool has_types(const char* wanted) {
#define OF(TYPE) Function::template of<TYPE, int>(),
  const char got[] = {TYPES1(OF) 0};
#undef OF
  return matches(wanted, got);
}
template <typename Function, typename First>
constexpr bool has_types_after(const char* wanted) {
#define OF(TYPE) Function::template of<First, TYPE>(),
  const char got[] = {TYPES2(OF) 0};
#undef OF
  return matches(wanted, got);
}
#define ROW1(NAME, WANTED) static_assert(has_types<NAME>(WANTED), #NAME);
#define ROW2(NAME, FIRST, WANTED) static_assert(has_types_after<NAME, FIRST>(WANTED), #NAME " of " #FIRST);
ROW1(One_abs, "iiii.l.x.fd.........") ROW1(One_fabs, "dddddddddfd.........") ROW1(One_fabsf, "fffffffffffff.......")
ROW1(One_sqrt, "dddddddddfd.........") ROW1(One_rsqrt, ".........fdff.......") ROW1(One_cbrt, "dddddddddfd.........")
ROW1(One_rcbrt, ".........fdff.......") ROW1(One_exp, "dddddddddfd.........") ROW1(One_exp2, "dddddddddfd.........")
ROW1(One_exp10, ".........fdff.......") ROW1(One_expm1, "dddddddddfd.........") ROW1(One_log, "dddddddddfd.........")
ROW1(One_log2, "dddddddddfd.........") ROW1(One_log10, "dddddddddfd.........") ROW1(One_log1p, "dddddddddfd.........")
ROW1(One_sin, "dddddddddfd.........") ROW1(One_cos, "dddddddddfd.........") ROW1(One_tan, "dddddddddfd.........")
ROW1(One_sinpi, ".........fdff.......") ROW1(One_cospi, ".........fdff.......") ROW1(One_asin, "dddddddddfd.........")
ROW1(One_acos, "dddddddddfd.........") ROW1(One_atan, "dddddddddfd.........") ROW1(One_sinh, "dddddddddfd.........")
ROW1(One_cosh, "dddddddddfd.........") ROW1(One_tanh, "dddddddddfd.........") ROW1(One_asinh, "dddddddddfd.........")
ROW1(One_acosh, "dddddddddfd.........") ROW1(One_atanh, "dddddddddfd.........") ROW1(One_erf, "dddddddddfd.........")
ROW1(One_erfc, "dddddddddfd.........") ROW1(One_erfinv, ".........fdff.......") ROW1(One_erfcinv, ".........fdff.......")
ROW1(One_erfcx, ".........fdff.......") ROW1(One_normcdf, ".........fdff.......") ROW1(One_normcdfinv, ".........fdff.......")
ROW1(One_lgamma, "dddddddddfd.........") ROW1(One_tgamma, "dddddddddfd.........") ROW1(One_floor, "dddddddddfd.........")
ROW1(One_ceil, "dddddddddfd.........") ROW1(One_trunc, "dddddddddfd.........") ROW1(One_round, "dddddddddfd.........")
ROW1(One_rint, "dddddddddfd.........") ROW1(One_nearbyint, "dddddddddfd.........") ROW1(One_lrint, "lllllllllll.........")
ROW1(One_lround, "lllllllllll.........") ROW1(One_llrint, "xxxxxxxxxxx.........") ROW1(One_llround, "xxxxxxxxxxx.........")
ROW1(One_logb, "dddddddddfd.........") ROW1(One_ilogb, "iiiiiiiiiii.........") ROW1(One_isnan, "bbbbbbbbbbb.........")
ROW1(One_isinf, "bbbbbbbbbbb.........") ROW1(One_isfinite, "bbbbbbbbbbb.........") ROW1(One_signbit, "bbbbbbbbbbb.........")
ROW1(One_j0, ".........fdff.......") ROW1(One_y0, ".........fdff.......") ROW1(One_cyl_bessel_i0, ".........fdff.......")
ROW1(One_cyl_bessel_i1, ".........fdff.......") ROW1(One___popc, "iiiiiiiiiiiii.......")
ROW1(One___popcll, "iiiiiiiiiiiii.......") ROW1(One___clz, "iiiiiiiiiiiii.......") ROW1(One___clzll, "iiiiiiiiiiiii.......")
ROW1(One___ffs, "iiiiiiiiiiiii.......") ROW1(One___ffsll, "iiiiiiiiiiiii.......") ROW1(One___brev, "uuuuuuuuuuuuu.......")
ROW1(One___brevll, "XXXXXXXXXXXXX.......") ROW1(One___saturatef, "fffffffffffff.......")
ROW1(One___float2int_rn, "iiiiiiiiiiiii.......") ROW1(One___float2ull_rz, "XXXXXXXXXXXXX.......")
ROW1(One___double2ll_rd, "xxxxxxxxxxxxx.......") ROW1(One___int2float_ru, "fffffffffffff.......")
ROW1(One___ull2double_rn, "ddddddddddddd.......") ROW1(One___float_as_int, "iiiiiiiiiiiii.......")
ROW1(One___float_as_uint, "uuuuuuuuuuuuu.......") ROW1(One___int_as_float, "fffffffffffff.......")
ROW1(One___double_as_longlong, "xxxxxxxxxxxxx.......") ROW1(One___longlong_as_double, "ddddddddddddd.......")
ROW1(One___double2hiint, "iiiiiiiiiiiii.......") ROW1(One___vabs2, "uuuuuuuuuuuuu.......")
ROW1(One___vneg4, "uuuuuuuuuuuuu.......") ROW1(One___half2float, "ffffffffffff........")
ROW1(One___float2half, "hhhhhhhhhhhhh.......") ROW1(One___half2int_rz, "iiiiiiiiiiii........")
ROW1(One___int2half_rn, "hhhhhhhhhhhhh.......") ROW1(One___half2ull_ru, "XXXXXXXXXXXX........")
ROW1(One___low2float, ".............ff.....") ROW1(One___low2half, ".............h......")
ROW1(One___half22float2, ".............g......") ROW1(One___half2half2, "HHHHHHHHHHHH........")
ROW1(One___hneg, "...........hn.......") ROW1(One___habs, "...........hn.......") ROW1(One___hisnan, "...........bb.......")
ROW1(One___hisinf, "...........ii.......") ROW1(One_hexp, "...........hn.......") ROW1(One_hsqrt, "...........hn.......")
ROW1(One_h2log, ".............HN.....") ROW1(One___bfloat162float, "fffffffffff.f.......")
ROW1(One___float2bfloat16, "nnnnnnnnnnnnn.......") ROW1(One___bfloat162int_rz, "iiiiiiiiiii.i.......")
ROW1(One___short2bfloat16_rn, "nnnnnnnnnnnnn.......") ROW1(One___bfloat1622float2, "..............g.....")
ROW1(One___half_as_short, "ssssssssssss........") ROW1(One___short_as_half, "hhhhhhhhhhhhh.......")
ROW1(One___ushort_as_bfloat16, "nnnnnnnnnnnnn.......") ROW1(One___bfloat16_as_ushort, "SSSSSSSSSSS.S.......")
ROW1(One___lowhigh2highlow, ".............HN.....") ROW1(One___uint2half_rn, "hhhhhhhhhhhhh.......")
ROW1(One___ushort2half_rz, "hhhhhhhhhhhhh.......") ROW1(One___ll2bfloat16_rd, "nnnnnnnnnnnnn.......")
ROW1(One___half2short_rn, "ssssssssssss........") ROW1(One___half2uint_ru, "uuuuuuuuuuuu........")
ROW1(One___half2ll_rd, "xxxxxxxxxxxx........") ROW1(One___half2char_rz, "cccccccccccc........")
ROW1(One___bfloat162ull_rn, "XXXXXXXXXXX.X.......") ROW1(One___double2half, "hhhhhhhhhhhhh.......")
ROW1(One___double2bfloat16, "nnnnnnnnnnnnn.......") ROW1(One___float2half2_rn, "HHHHHHHHHHHHH.......")
ROW1(One___float2bfloat162_rn, "NNNNNNNNNNNNN.......") ROW1(One___bfloat162bfloat162, "NNNNNNNNNNN.N.......")
ROW1(One___high2half2, ".............H......") ROW1(One___high2float, ".............ff.....")
ROW1(One___low2bfloat16, "..............n.....") ROW1(One_h2sqrt, ".............HN.....")
ROW1(One_hrint, "...........hn.......") ROW1(One_hcos, "...........hn.......")
ROW1(One___half_as_ushort, "SSSSSSSSSSSS........") ROW1(One___uint_as_float, "fffffffffffff.......")
ROW1(One___double2loint, "iiiiiiiiiiiii.......") ROW1(One___double2float_rz, "fffffffffffff.......")
ROW1(One___float2uint_rd, "uuuuuuuuuuuuu.......") ROW1(One___float2ll_ru, "xxxxxxxxxxxxx.......")
ROW1(One___uint2float_rn, "fffffffffffff.......") ROW1(One___ll2float_rz, "fffffffffffff.......")
ROW1(One___frcp_rn, "fffffffffffff.......") ROW1(One___drcp_ru, "ddddddddddddd.......")
ROW1(One___dsqrt_rd, "ddddddddddddd.......") ROW1(One___fsqrt_rz, "fffffffffffff.......") ROW1(One_j1, ".........fdff.......")
ROW1(One_y1, ".........fdff.......") ROW2(Two_min, int, "iu..........ii") ROW2(Two_min, Unsigned, "uu..........uu")
ROW2(Two_min, long, "..lL..........") ROW2(Two_min, Long, "..LL..........") ROW2(Two_min, Longer, "....xX........")
ROW2(Two_min, Longest, "....XX........") ROW2(Two_min, float, "......fdff....") ROW2(Two_min, double, "......dddd....")
ROW2(Two_min, __half, "......fd......") ROW2(Two_min, __nv_bfloat16, "......fd......") ROW2(Two_max, int, "iu..........ii")
ROW2(Two_max, Unsigned, "uu..........uu") ROW2(Two_max, long, "..lL..........") ROW2(Two_max, Long, "..LL..........")
ROW2(Two_max, Longer, "....xX........") ROW2(Two_max, Longest, "....XX........") ROW2(Two_max, float, "......fdff....")
ROW2(Two_max, double, "......dddd....") ROW2(Two_max, __half, "......fd......") ROW2(Two_max, __nv_bfloat16, "......fd......")
ROW2(Two_umin, int, "uuuuuuuuuu..uu") ROW2(Two_umin, Unsigned, "uuuuuuuuuu..uu") ROW2(Two_umin, long, "uuuuuuuuuu..uu")
ROW2(Two_umin, Long, "uuuuuuuuuu..uu") ROW2(Two_umin, Longer, "uuuuuuuuuu..uu") ROW2(Two_umin, Longest, "uuuuuuuuuu..uu")
ROW2(Two_umin, float, "uuuuuuuuuu..uu") ROW2(Two_umin, double, "uuuuuuuuuu..uu") ROW2(Two_umin, __half, "uuuuuuuuuu..uu")
ROW2(Two_umin, __nv_bfloat16, "uuuuuuuuuu..uu") ROW2(Two_llmax, int, "xxxxxxxxxx..xx")
ROW2(Two_llmax, Unsigned, "xxxxxxxxxx..xx") ROW2(Two_llmax, long, "xxxxxxxxxx..xx") ROW2(Two_llmax, Long, "xxxxxxxxxx..xx")
ROW2(Two_llmax, Longer, "xxxxxxxxxx..xx") ROW2(Two_llmax, Longest, "xxxxxxxxxx..xx") ROW2(Two_llmax, float, "xxxxxxxxxx..xx")
ROW2(Two_llmax, double, "xxxxxxxxxx..xx") ROW2(Two_llmax, __half, "xxxxxxxxxx..xx")
ROW2(Two_llmax, __nv_bfloat16, "xxxxxxxxxx..xx") ROW2(Two_fmin, int, "dddddddd....dd")
ROW2(Two_fmin, Unsigned, "dddddddd....dd") ROW2(Two_fmin, long, "dddddddd....dd") ROW2(Two_fmin, Long, "dddddddd....dd")
ROW2(Two_fmin, Longer, "dddddddd....dd") ROW2(Two_fmin, Longest, "dddddddd....dd") ROW2(Two_fmin, float, "ddddddfdff..dd")
ROW2(Two_fmin, double, "dddddddd....dd") ROW2(Two_fmin, __half, "......f.......")
ROW2(Two_fmin, __nv_bfloat16, "......f.......") ROW2(Two_fmax, int, "dddddddd....dd")
ROW2(Two_fmax, Unsigned, "dddddddd....dd") ROW2(Two_fmax, long, "dddddddd....dd") ROW2(Two_fmax, Long, "dddddddd....dd")
ROW2(Two_fmax, Longer, "dddddddd....dd") ROW2(Two_fmax, Longest, "dddddddd....dd") ROW2(Two_fmax, float, "ddddddfdff..dd")
ROW2(Two_fmax, double, "dddddddd....dd") ROW2(Two_fmax, __half, "......f.......")
ROW2(Two_fmax, __nv_bfloat16, "......f.......") ROW2(Two_fminf, int, "ffffffffff..ff")
ROW2(Two_fminf, Unsigned, "ffffffffff..ff") ROW2(Two_fminf, long, "ffffffffff..ff") ROW2(Two_fminf, Long, "ffffffffff..ff")
ROW2(Two_fminf, Longer, "ffffffffff..ff") ROW2(Two_fminf, Longest, "ffffffffff..ff") ROW2(Two_fminf, float, "ffffffffff..ff")
ROW2(Two_fminf, double, "ffffffffff..ff") ROW2(Two_fminf, __half, "ffffffffff..ff")
ROW2(Two_fminf, __nv_bfloat16, "ffffffffff..ff") ROW2(Two_fmaxf, int, "ffffffffff..ff")
ROW2(Two_fmaxf, Unsigned, "ffffffffff..ff") ROW2(Two_fmaxf, long, "ffffffffff..ff") ROW2(Two_fmaxf, Long, "ffffffffff..ff")
ROW2(Two_fmaxf, Longer, "ffffffffff..ff") ROW2(Two_fmaxf, Longest, "ffffffffff..ff") ROW2(Two_fmaxf, float, "ffffffffff..ff")
ROW2(Two_fmaxf, double, "ffffffffff..ff") ROW2(Two_fmaxf, __half, "ffffffffff..ff")
ROW2(Two_fmaxf, __nv_bfloat16, "ffffffffff..ff") ROW2(Two_pow, int, "dddddddd....dd")
ROW2(Two_pow, Unsigned, "dddddddd....dd") ROW2(Two_pow, long, "dddddddd....dd") ROW2(Two_pow, Long, "dddddddd....dd")
ROW2(Two_pow, Longer, "dddddddd....dd") ROW2(Two_pow, Longest, "dddddddd....dd") ROW2(Two_pow, float, "ddddddfdff..dd")
ROW2(Two_pow, double, "dddddddd....dd") ROW2(Two_pow, __half, "......f.......") ROW2(Two_pow, __nv_bfloat16, "......f.......")
ROW2(Two_fmod, int, "dddddddd....dd") ROW2(Two_fmod, Unsigned, "dddddddd....dd") ROW2(Two_fmod, long, "dddddddd....dd")
ROW2(Two_fmod, Long, "dddddddd....dd") ROW2(Two_fmod, Longer, "dddddddd....dd") ROW2(Two_fmod, Longest, "dddddddd....dd")
ROW2(Two_fmod, float, "ddddddfdff..dd") ROW2(Two_fmod, double, "dddddddd....dd") ROW2(Two_fmod, __half, "......f.......")
ROW2(Two_fmod, __nv_bfloat16, "......f.......") ROW2(Two_fdim, int, "dddddddd....dd")
ROW2(Two_fdim, Unsigned, "dddddddd....dd") ROW2(Two_fdim, long, "dddddddd....dd") ROW2(Two_fdim, Long, "dddddddd....dd")
ROW2(Two_fdim, Longer, "dddddddd....dd") ROW2(Two_fdim, Longest, "dddddddd....dd") ROW2(Two_fdim, float, "ddddddfdff..dd")
ROW2(Two_fdim, double, "dddddddd....dd") ROW2(Two_fdim, __half, "......f.......")
ROW2(Two_fdim, __nv_bfloat16, "......f.......") ROW2(Two_hypot, int, "dddddddd....dd")
ROW2(Two_hypot, Unsigned, "dddddddd....dd") ROW2(Two_hypot, long, "dddddddd....dd") ROW2(Two_hypot, Long, "dddddddd....dd")
ROW2(Two_hypot, Longer, "dddddddd....dd") ROW2(Two_hypot, Longest, "dddddddd....dd") ROW2(Two_hypot, float, "ddddddfdff..dd")
ROW2(Two_hypot, double, "dddddddd....dd") ROW2(Two_hypot, __half, "......f.......")
ROW2(Two_hypot, __nv_bfloat16, "......f.......") ROW2(Two_rhypot, int, "dddddddddd..dd")
ROW2(Two_rhypot, Unsigned, "dddddddddd..dd") ROW2(Two_rhypot, long, "dddddddddd..dd") ROW2(Two_rhypot, Long, "dddddddddd..dd")
ROW2(Two_rhypot, Longer, "dddddddddd..dd") ROW2(Two_rhypot, Longest, "dddddddddd..dd")
ROW2(Two_rhypot, float, "dddddddddd..dd") ROW2(Two_rhypot, double, "dddddddddd..dd")
ROW2(Two_rhypot, __half, "dddddddddd..dd") ROW2(Two_rhypot, __nv_bfloat16, "dddddddddd..dd")
ROW2(Two_atan2, int, "dddddddd....dd") ROW2(Two_atan2, Unsigned, "dddddddd....dd") ROW2(Two_atan2, long, "dddddddd....dd")
ROW2(Two_atan2, Long, "dddddddd....dd") ROW2(Two_atan2, Longer, "dddddddd....dd") ROW2(Two_atan2, Longest, "dddddddd....dd")
ROW2(Two_atan2, float, "ddddddfdff..dd") ROW2(Two_atan2, double, "dddddddd....dd") ROW2(Two_atan2, __half, "......f.......")
ROW2(Two_atan2, __nv_bfloat16, "......f.......") ROW2(Two_copysign, int, "dddddddd....dd")
ROW2(Two_copysign, Unsigned, "dddddddd....dd") ROW2(Two_copysign, long, "dddddddd....dd")
ROW2(Two_copysign, Long, "dddddddd....dd") ROW2(Two_copysign, Longer, "dddddddd....dd")
ROW2(Two_copysign, Longest, "dddddddd....dd") ROW2(Two_copysign, float, "ddddddfd....dd")
ROW2(Two_copysign, double, "dddddddd....dd") ROW2(Two_remainder, int, "dddddddd....dd")
ROW2(Two_remainder, Unsigned, "dddddddd....dd") ROW2(Two_remainder, long, "dddddddd....dd")
ROW2(Two_remainder, Long, "dddddddd....dd") ROW2(Two_remainder, Longer, "dddddddd....dd")
ROW2(Two_remainder, Longest, "dddddddd....dd") ROW2(Two_remainder, float, "ddddddfdff..dd")
ROW2(Two_remainder, double, "dddddddd....dd") ROW2(Two_remainder, __half, "......f.......")
ROW2(Two_remainder, __nv_bfloat16, "......f.......") ROW2(Two_nextafter, int, "dddddddd....dd")
ROW2(Two_nextafter, Unsigned, "dddddddd....dd") ROW2(Two_nextafter, long, "dddddddd....dd")
ROW2(Two_nextafter, Long, "dddddddd....dd") ROW2(Two_nextafter, Longer, "dddddddd....dd")
ROW2(Two_nextafter, Longest, "dddddddd....dd") ROW2(Two_nextafter, float, "ddddddfdff..dd")
ROW2(Two_nextafter, double, "dddddddd....dd") ROW2(Two_nextafter, __half, "......f.......")
ROW2(Two_nextafter, __nv_bfloat16, "......f.......") ROW2(Two_ldexp, int, "dddddddddd..dd")
ROW2(Two_ldexp, Unsigned, "dddddddddd..dd") ROW2(Two_ldexp, long, "dddddddddd..dd") ROW2(Two_ldexp, Long, "dddddddddd..dd")
ROW2(Two_ldexp, Longer, "dddddddddd..dd") ROW2(Two_ldexp, Longest, "dddddddddd..dd") ROW2(Two_ldexp, float, "ffffffffff..ff")
ROW2(Two_ldexp, double, "dddddddddd..dd") ROW2(Two_scalbn, int, "dddddddddd..dd") ROW2(Two_scalbn, Unsigned, "dddddddddd..dd")
ROW2(Two_scalbn, long, "dddddddddd..dd") ROW2(Two_scalbn, Long, "dddddddddd..dd") ROW2(Two_scalbn, Longer, "dddddddddd..dd")
ROW2(Two_scalbn, Longest, "dddddddddd..dd") ROW2(Two_scalbn, float, "ffffffffff..ff")
ROW2(Two_scalbn, double, "dddddddddd..dd") ROW2(Two___mulhi, int, "iiiiiiiiii..ii")
ROW2(Two___mulhi, Unsigned, "iiiiiiiiii..ii") ROW2(Two___mulhi, long, "iiiiiiiiii..ii")
ROW2(Two___mulhi, Long, "iiiiiiiiii..ii") ROW2(Two___mulhi, Longer, "iiiiiiiiii..ii")
ROW2(Two___mulhi, Longest, "iiiiiiiiii..ii") ROW2(Two___mulhi, float, "iiiiiiiiii..ii")
ROW2(Two___mulhi, double, "iiiiiiiiii..ii") ROW2(Two___mulhi, __half, "iiiiiiiiii..ii")
ROW2(Two___mulhi, __nv_bfloat16, "iiiiiiiiii..ii") ROW2(Two___umulhi, int, "uuuuuuuuuu..uu")
ROW2(Two___umulhi, Unsigned, "uuuuuuuuuu..uu") ROW2(Two___umulhi, long, "uuuuuuuuuu..uu")
ROW2(Two___umulhi, Long, "uuuuuuuuuu..uu") ROW2(Two___umulhi, Longer, "uuuuuuuuuu..uu")
ROW2(Two___umulhi, Longest, "uuuuuuuuuu..uu") ROW2(Two___umulhi, float, "uuuuuuuuuu..uu")
ROW2(Two___umulhi, double, "uuuuuuuuuu..uu") ROW2(Two___umulhi, __half, "uuuuuuuuuu..uu")
ROW2(Two___umulhi, __nv_bfloat16, "uuuuuuuuuu..uu") ROW2(Two___mul64hi, int, "xxxxxxxxxx..xx")
ROW2(Two___mul64hi, Unsigned, "xxxxxxxxxx..xx") ROW2(Two___mul64hi, long, "xxxxxxxxxx..xx")
ROW2(Two___mul64hi, Long, "xxxxxxxxxx..xx") ROW2(Two___mul64hi, Longer, "xxxxxxxxxx..xx")
ROW2(Two___mul64hi, Longest, "xxxxxxxxxx..xx") ROW2(Two___mul64hi, float, "xxxxxxxxxx..xx")
ROW2(Two___mul64hi, double, "xxxxxxxxxx..xx") ROW2(Two___mul64hi, __half, "xxxxxxxxxx..xx")
ROW2(Two___mul64hi, __nv_bfloat16, "xxxxxxxxxx..xx") ROW2(Two___umul64hi, int, "XXXXXXXXXX..XX")
ROW2(Two___umul64hi, Unsigned, "XXXXXXXXXX..XX") ROW2(Two___umul64hi, long, "XXXXXXXXXX..XX")
ROW2(Two___umul64hi, Long, "XXXXXXXXXX..XX") ROW2(Two___umul64hi, Longer, "XXXXXXXXXX..XX")
ROW2(Two___umul64hi, Longest, "XXXXXXXXXX..XX") ROW2(Two___umul64hi, float, "XXXXXXXXXX..XX")
ROW2(Two___umul64hi, double, "XXXXXXXXXX..XX") ROW2(Two___umul64hi, __half, "XXXXXXXXXX..XX")
ROW2(Two___umul64hi, __nv_bfloat16, "XXXXXXXXXX..XX") ROW2(Two___mul24, int, "iiiiiiiiii..ii")
ROW2(Two___mul24, Unsigned, "iiiiiiiiii..ii") ROW2(Two___mul24, long, "iiiiiiiiii..ii")
ROW2(Two___mul24, Long, "iiiiiiiiii..ii") ROW2(Two___mul24, Longer, "iiiiiiiiii..ii")
ROW2(Two___mul24, Longest, "iiiiiiiiii..ii") ROW2(Two___mul24, float, "iiiiiiiiii..ii")
ROW2(Two___mul24, double, "iiiiiiiiii..ii") ROW2(Two___mul24, __half, "iiiiiiiiii..ii")
ROW2(Two___mul24, __nv_bfloat16, "iiiiiiiiii..ii") ROW2(Two___umul24, int, "uuuuuuuuuu..uu")
ROW2(Two___umul24, Unsigned, "uuuuuuuuuu..uu") ROW2(Two___umul24, long, "uuuuuuuuuu..uu")
ROW2(Two___umul24, Long, "uuuuuuuuuu..uu") ROW2(Two___umul24, Longer, "uuuuuuuuuu..uu")
ROW2(Two___umul24, Longest, "uuuuuuuuuu..uu") ROW2(Two___umul24, float, "uuuuuuuuuu..uu")
ROW2(Two___umul24, double, "uuuuuuuuuu..uu") ROW2(Two___umul24, __half, "uuuuuuuuuu..uu")
ROW2(Two___umul24, __nv_bfloat16, "uuuuuuuuuu..uu") ROW2(Two___hadd, int, "iiiiiiii....ii")
ROW2(Two___hadd, Unsigned, "iiiiiiii....ii") ROW2(Two___hadd, long, "iiiiiiii....ii") ROW2(Two___hadd, Long, "iiiiiiii....ii")
ROW2(Two___hadd, Longer, "iiiiiiii....ii") ROW2(Two___hadd, Longest, "iiiiiiii....ii")
ROW2(Two___hadd, float, "iiiiiiii....ii") ROW2(Two___hadd, double, "iiiiiiii....ii")
ROW2(Two___hadd, __half, "........hi....") ROW2(Two___hadd, __nv_bfloat16, "........in....")
ROW2(Two___rhadd, int, "iiiiiiiiii..ii") ROW2(Two___rhadd, Unsigned, "iiiiiiiiii..ii")
ROW2(Two___rhadd, long, "iiiiiiiiii..ii") ROW2(Two___rhadd, Long, "iiiiiiiiii..ii")
ROW2(Two___rhadd, Longer, "iiiiiiiiii..ii") ROW2(Two___rhadd, Longest, "iiiiiiiiii..ii")
ROW2(Two___rhadd, float, "iiiiiiiiii..ii") ROW2(Two___rhadd, double, "iiiiiiiiii..ii")
ROW2(Two___rhadd, __half, "iiiiiiiiii..ii") ROW2(Two___rhadd, __nv_bfloat16, "iiiiiiiiii..ii")
ROW2(Two___uhadd, int, "uuuuuuuuuu..uu") ROW2(Two___uhadd, Unsigned, "uuuuuuuuuu..uu")
ROW2(Two___uhadd, long, "uuuuuuuuuu..uu") ROW2(Two___uhadd, Long, "uuuuuuuuuu..uu")
ROW2(Two___uhadd, Longer, "uuuuuuuuuu..uu") ROW2(Two___uhadd, Longest, "uuuuuuuuuu..uu")
ROW2(Two___uhadd, float, "uuuuuuuuuu..uu") ROW2(Two___uhadd, double, "uuuuuuuuuu..uu")
ROW2(Two___uhadd, __half, "uuuuuuuuuu..uu") ROW2(Two___uhadd, __nv_bfloat16, "uuuuuuuuuu..uu")
ROW2(Two___hsub, int, "........hn....") ROW2(Two___hsub, Unsigned, "........hn....") ROW2(Two___hsub, long, "........hn....")
ROW2(Two___hsub, Long, "........hn....") ROW2(Two___hsub, Longer, "........hn....")
ROW2(Two___hsub, Longest, "........hn....") ROW2(Two___hsub, float, "........hn....")
ROW2(Two___hsub, double, "........hn....") ROW2(Two___hsub, __half, "hhhhhhhhh...hh")
ROW2(Two___hsub, __nv_bfloat16, "nnnnnnnn.n..nn") ROW2(Two___hmul, int, "........hn....")
ROW2(Two___hmul, Unsigned, "........hn....") ROW2(Two___hmul, long, "........hn....") ROW2(Two___hmul, Long, "........hn....")
ROW2(Two___hmul, Longer, "........hn....") ROW2(Two___hmul, Longest, "........hn....")
ROW2(Two___hmul, float, "........hn....") ROW2(Two___hmul, double, "........hn....")
ROW2(Two___hmul, __half, "hhhhhhhhh...hh") ROW2(Two___hmul, __nv_bfloat16, "nnnnnnnn.n..nn")
ROW2(Two___hdiv, int, "........hn....") ROW2(Two___hdiv, Unsigned, "........hn....") ROW2(Two___hdiv, long, "........hn....")
ROW2(Two___hdiv, Long, "........hn....") ROW2(Two___hdiv, Longer, "........hn....")
ROW2(Two___hdiv, Longest, "........hn....") ROW2(Two___hdiv, float, "........hn....")
ROW2(Two___hdiv, double, "........hn....") ROW2(Two___hdiv, __half, "hhhhhhhhh...hh")
ROW2(Two___hdiv, __nv_bfloat16, "nnnnnnnn.n..nn") ROW2(Two___hmax, int, "........hn....")
ROW2(Two___hmax, Unsigned, "........hn....") ROW2(Two___hmax, long, "........hn....") ROW2(Two___hmax, Long, "........hn....")
ROW2(Two___hmax, Longer, "........hn....") ROW2(Two___hmax, Longest, "........hn....")
ROW2(Two___hmax, float, "........hn....") ROW2(Two___hmax, double, "........hn....")
ROW2(Two___hmax, __half, "hhhhhhhhh...hh") ROW2(Two___hmax, __nv_bfloat16, "nnnnnnnn.n..nn")
ROW2(Two___hmin, int, "........hn....") ROW2(Two___hmin, Unsigned, "........hn....") ROW2(Two___hmin, long, "........hn....")
ROW2(Two___hmin, Long, "........hn....") ROW2(Two___hmin, Longer, "........hn....")
ROW2(Two___hmin, Longest, "........hn....") ROW2(Two___hmin, float, "........hn....")
ROW2(Two___hmin, double, "........hn....") ROW2(Two___hmin, __half, "hhhhhhhhh...hh")
ROW2(Two___hmin, __nv_bfloat16, "nnnnnnnn.n..nn") ROW2(Two___heq, int, "........bb....")
ROW2(Two___heq, Unsigned, "........bb....") ROW2(Two___heq, long, "........bb....") ROW2(Two___heq, Long, "........bb....")
ROW2(Two___heq, Longer, "........bb....") ROW2(Two___heq, Longest, "........bb....") ROW2(Two___heq, float, "........bb....")
ROW2(Two___heq, double, "........bb....") ROW2(Two___heq, __half, "bbbbbbbbb...bb")
ROW2(Two___heq, __nv_bfloat16, "bbbbbbbb.b..bb") ROW2(Two___hltu, int, "........bb....")
ROW2(Two___hltu, Unsigned, "........bb....") ROW2(Two___hltu, long, "........bb....") ROW2(Two___hltu, Long, "........bb....")
ROW2(Two___hltu, Longer, "........bb....") ROW2(Two___hltu, Longest, "........bb....")
ROW2(Two___hltu, float, "........bb....") ROW2(Two___hltu, double, "........bb....")
ROW2(Two___hltu, __half, "bbbbbbbbb...bb") ROW2(Two___hltu, __nv_bfloat16, "bbbbbbbb.b..bb")
ROW2(Two___hgt2, __half2, "..........H...") ROW2(Two___hgt2, __nv_bfloat162, "...........N..")
ROW2(Two___hbge2, __half2, "..........b...") ROW2(Two___hbge2, __nv_bfloat162, "...........b..")
ROW2(Two___hne2_mask, __half2, "..........u...") ROW2(Two___hne2_mask, __nv_bfloat162, "...........u..")
ROW2(Two___hadd2, __half2, "..........H...") ROW2(Two___hadd2, __nv_bfloat162, "...........N..")
ROW2(Two___hadd2_sat, __half2, "..........H...") ROW2(Two___hadd2_sat, __nv_bfloat162, "...........N..")
ROW2(Two___hmul2_rn, __half2, "..........H...") ROW2(Two___hmul2_rn, __nv_bfloat162, "...........N..")
ROW2(Two___h2div, __half2, "..........H...") ROW2(Two___h2div, __nv_bfloat162, "...........N..")
ROW2(Two___fdividef, int, "ffffffffff..ff") ROW2(Two___fdividef, Unsigned, "ffffffffff..ff")
ROW2(Two___fdividef, long, "ffffffffff..ff") ROW2(Two___fdividef, Long, "ffffffffff..ff")
ROW2(Two___fdividef, Longer, "ffffffffff..ff") ROW2(Two___fdividef, Longest, "ffffffffff..ff")
ROW2(Two___fdividef, float, "ffffffffff..ff") ROW2(Two___fdividef, double, "ffffffffff..ff")
ROW2(Two___fdividef, __half, "ffffffffff..ff") ROW2(Two___fdividef, __nv_bfloat16, "ffffffffff..ff")
ROW2(Two_fdividef, int, "ffffffffff..ff") ROW2(Two_fdividef, Unsigned, "ffffffffff..ff")
ROW2(Two_fdividef, long, "ffffffffff..ff") ROW2(Two_fdividef, Long, "ffffffffff..ff")
ROW2(Two_fdividef, Longer, "ffffffffff..ff") ROW2(Two_fdividef, Longest, "ffffffffff..ff")
ROW2(Two_fdividef, float, "ffffffffff..ff") ROW2(Two_fdividef, double, "ffffffffff..ff")
ROW2(Two_fdividef, __half, "ffffffffff..ff") ROW2(Two_fdividef, __nv_bfloat16, "ffffffffff..ff")
ROW2(Two___dadd_rn, int, "dddddddddd..dd") ROW2(Two___dadd_rn, Unsigned, "dddddddddd..dd")
ROW2(Two___dadd_rn, long, "dddddddddd..dd") ROW2(Two___dadd_rn, Long, "dddddddddd..dd")
ROW2(Two___dadd_rn, Longer, "dddddddddd..dd") ROW2(Two___dadd_rn, Longest, "dddddddddd..dd")
ROW2(Two___dadd_rn, float, "dddddddddd..dd") ROW2(Two___dadd_rn, double, "dddddddddd..dd")
ROW2(Two___dadd_rn, __half, "dddddddddd..dd") ROW2(Two___dadd_rn, __nv_bfloat16, "dddddddddd..dd")
ROW2(Two___fmul_ru, int, "ffffffffff..ff") ROW2(Two___fmul_ru, Unsigned, "ffffffffff..ff")
ROW2(Two___fmul_ru, long, "ffffffffff..ff") ROW2(Two___fmul_ru, Long, "ffffffffff..ff")
ROW2(Two___fmul_ru, Longer, "ffffffffff..ff") ROW2(Two___fmul_ru, Longest, "ffffffffff..ff")
ROW2(Two___fmul_ru, float, "ffffffffff..ff") ROW2(Two___fmul_ru, double, "ffffffffff..ff")
ROW2(Two___fmul_ru, __half, "ffffffffff..ff") ROW2(Two___fmul_ru, __nv_bfloat16, "ffffffffff..ff")
ROW2(Two___vadd4, int, "uuuuuuuuuu..uu") ROW2(Two___vadd4, Unsigned, "uuuuuuuuuu..uu")
ROW2(Two___vadd4, long, "uuuuuuuuuu..uu") ROW2(Two___vadd4, Long, "uuuuuuuuuu..uu")
ROW2(Two___vadd4, Longer, "uuuuuuuuuu..uu") ROW2(Two___vadd4, Longest, "uuuuuuuuuu..uu")
ROW2(Two___vadd4, float, "uuuuuuuuuu..uu") ROW2(Two___vadd4, double, "uuuuuuuuuu..uu")
ROW2(Two___vadd4, __half, "uuuuuuuuuu..uu") ROW2(Two___vadd4, __nv_bfloat16, "uuuuuuuuuu..uu")
ROW2(Two___vcmpgeu2, int, "uuuuuuuuuu..uu") ROW2(Two___vcmpgeu2, Unsigned, "uuuuuuuuuu..uu")
ROW2(Two___vcmpgeu2, long, "uuuuuuuuuu..uu") ROW2(Two___vcmpgeu2, Long, "uuuuuuuuuu..uu")
ROW2(Two___vcmpgeu2, Longer, "uuuuuuuuuu..uu") ROW2(Two___vcmpgeu2, Longest, "uuuuuuuuuu..uu")
ROW2(Two___vcmpgeu2, float, "uuuuuuuuuu..uu") ROW2(Two___vcmpgeu2, double, "uuuuuuuuuu..uu")
ROW2(Two___vcmpgeu2, __half, "uuuuuuuuuu..uu") ROW2(Two___vcmpgeu2, __nv_bfloat16, "uuuuuuuuuu..uu")
ROW2(Two___vsadu4, int, "uuuuuuuuuu..uu") ROW2(Two___vsadu4, Unsigned, "uuuuuuuuuu..uu")
ROW2(Two___vsadu4, long, "uuuuuuuuuu..uu") ROW2(Two___vsadu4, Long, "uuuuuuuuuu..uu")
ROW2(Two___vsadu4, Longer, "uuuuuuuuuu..uu") ROW2(Two___vsadu4, Longest, "uuuuuuuuuu..uu")
ROW2(Two___vsadu4, float, "uuuuuuuuuu..uu") ROW2(Two___vsadu4, double, "uuuuuuuuuu..uu")
ROW2(Two___vsadu4, __half, "uuuuuuuuuu..uu") ROW2(Two___vsadu4, __nv_bfloat16, "uuuuuuuuuu..uu")
ROW2(Two___halves2half2, int, "HHHHHHHHH...HH") ROW2(Two___halves2half2, Unsigned, "HHHHHHHHH...HH")
ROW2(Two___halves2half2, long, "HHHHHHHHH...HH") ROW2(Two___halves2half2, Long, "HHHHHHHHH...HH")
ROW2(Two___halves2half2, Longer, "HHHHHHHHH...HH") ROW2(Two___halves2half2, Longest, "HHHHHHHHH...HH")
ROW2(Two___halves2half2, float, "HHHHHHHHH...HH") ROW2(Two___halves2half2, double, "HHHHHHHHH...HH")
ROW2(Two___halves2half2, __half, "HHHHHHHHH...HH") ROW2(Two___halves2bfloat162, int, "NNNNNNNN.N..NN")
ROW2(Two___halves2bfloat162, Unsigned, "NNNNNNNN.N..NN") ROW2(Two___halves2bfloat162, long, "NNNNNNNN.N..NN")
ROW2(Two___halves2bfloat162, Long, "NNNNNNNN.N..NN") ROW2(Two___halves2bfloat162, Longer, "NNNNNNNN.N..NN")
ROW2(Two___halves2bfloat162, Longest, "NNNNNNNN.N..NN") ROW2(Two___halves2bfloat162, float, "NNNNNNNN.N..NN")
ROW2(Two___halves2bfloat162, double, "NNNNNNNN.N..NN") ROW2(Two___halves2bfloat162, __nv_bfloat16, "NNNNNNNN.N..NN")
ROW2(Two___floats2half2_rn, int, "HHHHHHHHHH..HH") ROW2(Two___floats2half2_rn, Unsigned, "HHHHHHHHHH..HH")
ROW2(Two___floats2half2_rn, long, "HHHHHHHHHH..HH") ROW2(Two___floats2half2_rn, Long, "HHHHHHHHHH..HH")
ROW2(Two___floats2half2_rn, Longer, "HHHHHHHHHH..HH") ROW2(Two___floats2half2_rn, Longest, "HHHHHHHHHH..HH")
ROW2(Two___floats2half2_rn, float, "HHHHHHHHHH..HH") ROW2(Two___floats2half2_rn, double, "HHHHHHHHHH..HH")
ROW2(Two___floats2half2_rn, __half, "HHHHHHHHHH..HH") ROW2(Two___floats2half2_rn, __nv_bfloat16, "HHHHHHHHHH..HH")
ROW2(Two___vimax_s32_relu, int, "iiiiiiiiii..ii") ROW2(Two___vimax_s32_relu, Unsigned, "iiiiiiiiii..ii")
ROW2(Two___vimax_s32_relu, long, "iiiiiiiiii..ii") ROW2(Two___vimax_s32_relu, Long, "iiiiiiiiii..ii")
ROW2(Two___vimax_s32_relu, Longer, "iiiiiiiiii..ii") ROW2(Two___vimax_s32_relu, Longest, "iiiiiiiiii..ii")
ROW2(Two___vimax_s32_relu, float, "iiiiiiiiii..ii") ROW2(Two___vimax_s32_relu, double, "iiiiiiiiii..ii")
ROW2(Two___vimax_s32_relu, __half, "iiiiiiiiii..ii") ROW2(Two___vimax_s32_relu, __nv_bfloat16, "iiiiiiiiii..ii")
ROW2(Two___hiloint2double, int, "dddddddddd..dd") ROW2(Two___hiloint2double, Unsigned, "dddddddddd..dd")
ROW2(Two___hiloint2double, long, "dddddddddd..dd") ROW2(Two___hiloint2double, Long, "dddddddddd..dd")
ROW2(Two___hiloint2double, Longer, "dddddddddd..dd") ROW2(Two___hiloint2double, Longest, "dddddddddd..dd")
ROW2(Two___hiloint2double, float, "dddddddddd..dd") ROW2(Two___hiloint2double, double, "dddddddddd..dd")
ROW2(Two___hiloint2double, __half, "dddddddddd..dd") ROW2(Two___hiloint2double, __nv_bfloat16, "dddddddddd..dd")
ROW2(Two_jn, int, "......fdff....") ROW2(Two_jn, Unsigned, "......fdff....") ROW2(Two_jn, long, "......fdff....")
ROW2(Two_jn, Long, "......fdff....") ROW2(Two_jn, Longer, "......fdff....") ROW2(Two_jn, Longest, "......fdff....")
ROW2(Two_jn, float, "......fdff....") ROW2(Two_jn, double, "......fdff....") ROW2(Two_jn, __half, "......fdff....")
ROW2(Two_jn, __nv_bfloat16, "......fdff....") ROW2(Two_yn, int, "......fdff....") ROW2(Two_yn, Unsigned, "......fdff....")
ROW2(Two_yn, long, "......fdff....") ROW2(Two_yn, Long, "......fdff....") ROW2(Two_yn, Longer, "......fdff....")
ROW2(Two_yn, Longest, "......fdff....") ROW2(Two_yn, float, "......fdff....") ROW2(Two_yn, double, "......fdff....")
ROW2(Two_yn, __half, "......fdff....") ROW2(Two_yn, __nv_bfloat16, "......fdff....") ROW2(Two_umax, int, "uuuuuuuuuu..uu")
ROW2(Two_umax, Unsigned, "uuuuuuuuuu..uu") ROW2(Two_umax, long, "uuuuuuuuuu..uu") ROW2(Two_umax, Long, "uuuuuuuuuu..uu")
ROW2(Two_umax, Longer, "uuuuuuuuuu..uu") ROW2(Two_umax, Longest, "uuuuuuuuuu..uu") ROW2(Two_umax, float, "uuuuuuuuuu..uu")
ROW2(Two_umax, double, "uuuuuuuuuu..uu") ROW2(Two_umax, __half, "uuuuuuuuuu..uu")
ROW2(Two_umax, __nv_bfloat16, "uuuuuuuuuu..uu") ROW2(Two_llmin, int, "xxxxxxxxxx..xx")
ROW2(Two_llmin, Unsigned, "xxxxxxxxxx..xx") ROW2(Two_llmin, long, "xxxxxxxxxx..xx") ROW2(Two_llmin, Long, "xxxxxxxxxx..xx")
ROW2(Two_llmin, Longer, "xxxxxxxxxx..xx") ROW2(Two_llmin, Longest, "xxxxxxxxxx..xx") ROW2(Two_llmin, float, "xxxxxxxxxx..xx")
ROW2(Two_llmin, double, "xxxxxxxxxx..xx") ROW2(Two_llmin, __half, "xxxxxxxxxx..xx")
ROW2(Two_llmin, __nv_bfloat16, "xxxxxxxxxx..xx") ROW2(Two_ullmax, int, "XXXXXXXXXX..XX")
ROW2(Two_ullmax, Unsigned, "XXXXXXXXXX..XX") ROW2(Two_ullmax, long, "XXXXXXXXXX..XX") ROW2(Two_ullmax, Long, "XXXXXXXXXX..XX")
ROW2(Two_ullmax, Longer, "XXXXXXXXXX..XX") ROW2(Two_ullmax, Longest, "XXXXXXXXXX..XX")
ROW2(Two_ullmax, float, "XXXXXXXXXX..XX") ROW2(Two_ullmax, double, "XXXXXXXXXX..XX")
ROW2(Two_ullmax, __half, "XXXXXXXXXX..XX") ROW2(Two_ullmax, __nv_bfloat16, "XXXXXXXXXX..XX")
ROW2(Two___hlt, int, "........bb....") ROW2(Two___hlt, Unsigned, "........bb....") ROW2(Two___hlt, long, "........bb....")
ROW2(Two___hlt, Long, "........bb....") ROW2(Two___hlt, Longer, "........bb....") ROW2(Two___hlt, Longest, "........bb....")
ROW2(Two___hlt, float, "........bb....") ROW2(Two___hlt, double, "........bb....") ROW2(Two___hlt, __half, "bbbbbbbbb...bb")
ROW2(Two___hlt, __nv_bfloat16, "bbbbbbbb.b..bb") ROW2(Two___hadd2_rn, __half2, "..........H...")
ROW2(Two___hadd2_rn, __nv_bfloat162, "...........N..") ROW2(Two___dsub_ru, int, "dddddddddd..dd")
ROW2(Two___dsub_ru, Unsigned, "dddddddddd..dd") ROW2(Two___dsub_ru, long, "dddddddddd..dd")
ROW2(Two___dsub_ru, Long, "dddddddddd..dd") ROW2(Two___dsub_ru, Longer, "dddddddddd..dd")
ROW2(Two___dsub_ru, Longest, "dddddddddd..dd") ROW2(Two___dsub_ru, float, "dddddddddd..dd")
ROW2(Two___dsub_ru, double, "dddddddddd..dd") ROW2(Two___dsub_ru, __half, "dddddddddd..dd")
ROW2(Two___dsub_ru, __nv_bfloat16, "dddddddddd..dd") ROW2(Two___fdiv_rd, int, "ffffffffff..ff")
ROW2(Two___fdiv_rd, Unsigned, "ffffffffff..ff") ROW2(Two___fdiv_rd, long, "ffffffffff..ff")
ROW2(Two___fdiv_rd, Long, "ffffffffff..ff") ROW2(Two___fdiv_rd, Longer, "ffffffffff..ff")
ROW2(Two___fdiv_rd, Longest, "ffffffffff..ff") ROW2(Two___fdiv_rd, float, "ffffffffff..ff")
ROW2(Two___fdiv_rd, double, "ffffffffff..ff") ROW2(Two___fdiv_rd, __half, "ffffffffff..ff")
ROW2(Two___fdiv_rd, __nv_bfloat16, "ffffffffff..ff") ROW2(Two___vmaxs2, int, "uuuuuuuuuu..uu")
ROW2(Two___vmaxs2, Unsigned, "uuuuuuuuuu..uu") ROW2(Two___vmaxs2, long, "uuuuuuuuuu..uu")
ROW2(Two___vmaxs2, Long, "uuuuuuuuuu..uu") ROW2(Two___vmaxs2, Longer, "uuuuuuuuuu..uu")
ROW2(Two___vmaxs2, Longest, "uuuuuuuuuu..uu") ROW2(Two___vmaxs2, float, "uuuuuuuuuu..uu")
ROW2(Two___vmaxs2, double, "uuuuuuuuuu..uu") ROW2(Two___vmaxs2, __half, "uuuuuuuuuu..uu")
ROW2(Two___vmaxs2, __nv_bfloat16, "uuuuuuuuuu..uu") ROW1(At_atomicAdd, "...iu...XfdhnHNgG...")
ROW1(At_atomicSub, "...iu...............") ROW1(At_atomicExch, "...iu...Xf..........")
ROW1(At_atomicMin, "...iu..xX...........") ROW1(At_atomicMax, "...iu..xX...........")
ROW1(At_atomicInc, "....u...............") ROW1(At_atomicDec, "....u...............")
ROW1(At_atomicAnd, "...iu..xX...........") ROW1(At_atomicOr, "...iu..xX...........")
ROW1(At_atomicXor, "...iu..xX...........") ROW1(At_atomicAdd_block, "...iu...Xfd....gG...")
ROW1(At_atomicMin_system, "...iu..xX...........") ROW1(At_atomicExch_block, "...iu...Xf..........")
ROW1(At_atomicXor_system, "...iu..xX...........") ROW1(At_atomicInc_block, "....u...............")
ROW1(Load___ldg, "csSiulLxXfdhnHNgGqID") ROW1(Load___ldca, "csSiulLxXfdhnHNgGqID") ROW1(Load___ldcg, "csSiulLxXfdhnHNgGqID")
ROW1(Load___ldcs, "csSiulLxXfdhnHNgGqID") ROW1(Load___ldlu, "csSiulLxXfdhnHNgGqID") ROW1(Load___ldcv, "csSiulLxXfdhnHNgGqID")
ROW1(Shuffle___shfl_sync, "...iulLxXfdhnHN.....") ROW1(Shuffle___shfl_up_sync, "...iulLxXfdhnHN.....")
ROW1(Shuffle___shfl_down_sync, "...iulLxXfdhnHN.....") ROW1(Shuffle___shfl_xor_sync, "...iulLxXfdhnHN.....")
#endif

// The compiler has done it all.
int main() {
  printf("all of the same types\n");
  return 0;
}
