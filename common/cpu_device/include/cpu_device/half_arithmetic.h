// What 16-bit numbers can do, the same code for both formats: cuda_fp16.h and cuda_bf16.h include
// it with CPU_DEVICE_HALF, CPU_DEVICE_HALF2 and CPU_DEVICE_RAW as the names of their types. Not
// templates: an argument may be any number, which becomes one of these.

// ---- arithmetic: one number and two at once ----
#define CPU_DEVICE_16BIT_BINARY(NAME, PAIR, EXPRESSION)                          \
  static inline CPU_DEVICE_HALF NAME(CPU_DEVICE_HALF a, CPU_DEVICE_HALF b) {     \
    const float x = a, y = b;                                                    \
    return CPU_DEVICE_HALF(static_cast<float>(EXPRESSION));                      \
  }                                                                              \
  static inline CPU_DEVICE_HALF2 PAIR(CPU_DEVICE_HALF2 a, CPU_DEVICE_HALF2 b) {  \
    return {NAME(a.x, b.x), NAME(a.y, b.y)};                                     \
  }
CPU_DEVICE_16BIT_BINARY(__hadd, __hadd2, x + y)
CPU_DEVICE_16BIT_BINARY(__hsub, __hsub2, x - y)
CPU_DEVICE_16BIT_BINARY(__hmul, __hmul2, x* y)
CPU_DEVICE_16BIT_BINARY(__hadd_rn, __hadd2_rn, x + y)
CPU_DEVICE_16BIT_BINARY(__hsub_rn, __hsub2_rn, x - y)
CPU_DEVICE_16BIT_BINARY(__hmul_rn, __hmul2_rn, x* y)
CPU_DEVICE_16BIT_BINARY(__hadd_sat, __hadd2_sat, __saturatef(x + y))
CPU_DEVICE_16BIT_BINARY(__hsub_sat, __hsub2_sat, __saturatef(x - y))
CPU_DEVICE_16BIT_BINARY(__hmul_sat, __hmul2_sat, __saturatef(x* y))
CPU_DEVICE_16BIT_BINARY(__hmax, __hmax2, cpu_device::larger(x, y))
CPU_DEVICE_16BIT_BINARY(__hmin, __hmin2, -cpu_device::larger(-x, -y))
CPU_DEVICE_16BIT_BINARY(__hmax_nan, __hmax2_nan, x != x || y != y ? x + y : cpu_device::larger(x, y))
CPU_DEVICE_16BIT_BINARY(__hmin_nan, __hmin2_nan, x != x || y != y ? x + y : -cpu_device::larger(-x, -y))
static inline CPU_DEVICE_HALF __hdiv(CPU_DEVICE_HALF a, CPU_DEVICE_HALF b) {
  return CPU_DEVICE_HALF(static_cast<float>(a) / static_cast<float>(b));
}
static inline CPU_DEVICE_HALF2 __h2div(CPU_DEVICE_HALF2 a, CPU_DEVICE_HALF2 b) {
  return {__hdiv(a.x, b.x), __hdiv(a.y, b.y)};
}
// In double the product is exact, and the sum is rounded once before the end.
static inline CPU_DEVICE_HALF __hfma(CPU_DEVICE_HALF a, CPU_DEVICE_HALF b, CPU_DEVICE_HALF c) {
  return CPU_DEVICE_HALF(fma(static_cast<double>(static_cast<float>(a)), static_cast<float>(b),
                             static_cast<float>(c)));
}
static inline CPU_DEVICE_HALF __hfma_sat(CPU_DEVICE_HALF a, CPU_DEVICE_HALF b, CPU_DEVICE_HALF c) {
  return CPU_DEVICE_HALF(__saturatef(__hfma(a, b, c)));
}
static inline CPU_DEVICE_HALF __hfma_relu(CPU_DEVICE_HALF a, CPU_DEVICE_HALF b, CPU_DEVICE_HALF c) {
  const float x = __hfma(a, b, c);
  return CPU_DEVICE_HALF(x > 0.0f || x != x ? x : 0.0f);  // NaN stays
}
static inline CPU_DEVICE_HALF2 __hfma2(CPU_DEVICE_HALF2 a, CPU_DEVICE_HALF2 b, CPU_DEVICE_HALF2 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
static inline CPU_DEVICE_HALF2 __hfma2_sat(CPU_DEVICE_HALF2 a, CPU_DEVICE_HALF2 b, CPU_DEVICE_HALF2 c) {
  return {__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)};
}
static inline CPU_DEVICE_HALF2 __hfma2_relu(CPU_DEVICE_HALF2 a, CPU_DEVICE_HALF2 b, CPU_DEVICE_HALF2 c) {
  return {__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)};
}
static inline CPU_DEVICE_HALF __hneg(CPU_DEVICE_HALF a) {
  return CPU_DEVICE_RAW{static_cast<unsigned short>(a.bits ^ 0x8000)};
}
static inline CPU_DEVICE_HALF __habs(CPU_DEVICE_HALF a) {
  return CPU_DEVICE_RAW{static_cast<unsigned short>(a.bits & 0x7fff)};
}
// Of complex numbers, the real part in x: a * b + c.
static inline CPU_DEVICE_HALF2 __hcmadd(CPU_DEVICE_HALF2 a, CPU_DEVICE_HALF2 b, CPU_DEVICE_HALF2 c) {
  const CPU_DEVICE_HALF real = __hfma(a.x, b.x, c.x), imaginary = __hfma(a.x, b.y, c.y);
  return {__hfma(__hneg(a.y), b.y, real), __hfma(a.y, b.x, imaginary)};
}
static inline CPU_DEVICE_HALF2 __hneg2(CPU_DEVICE_HALF2 a) { return {__hneg(a.x), __hneg(a.y)}; }
static inline CPU_DEVICE_HALF2 __habs2(CPU_DEVICE_HALF2 a) { return {__habs(a.x), __habs(a.y)}; }

// ---- comparisons; those that end in u are true for NaN ----
#define CPU_DEVICE_16BIT_COMPARE_AS(NAME, CONDITION)                                         \
  static inline bool __h##NAME(CPU_DEVICE_HALF a, CPU_DEVICE_HALF b) {                       \
    const float x = a, y = b;                                                                \
    return CONDITION;                                                                        \
  }                                                                                          \
  static inline CPU_DEVICE_HALF2 __h##NAME##2(CPU_DEVICE_HALF2 a, CPU_DEVICE_HALF2 b) {      \
    return {CPU_DEVICE_HALF(__h##NAME(a.x, b.x) ? 1.0f : 0.0f),                              \
            CPU_DEVICE_HALF(__h##NAME(a.y, b.y) ? 1.0f : 0.0f)};                             \
  }                                                                                          \
  static inline unsigned int __h##NAME##2_mask(CPU_DEVICE_HALF2 a, CPU_DEVICE_HALF2 b) {     \
    return (__h##NAME(a.x, b.x) ? 0xffffu : 0u) | (__h##NAME(a.y, b.y) ? 0xffff0000u : 0u);  \
  }                                                                                          \
  static inline bool __hb##NAME##2(CPU_DEVICE_HALF2 a, CPU_DEVICE_HALF2 b) {                 \
    return __h##NAME(a.x, b.x) && __h##NAME(a.y, b.y);                                       \
  }
#define CPU_DEVICE_16BIT_COMPARE(NAME, CONDITION) \
  CPU_DEVICE_16BIT_COMPARE_AS(NAME, CONDITION)    \
  CPU_DEVICE_16BIT_COMPARE_AS(NAME##u, x != x || y != y || (CONDITION))
CPU_DEVICE_16BIT_COMPARE(eq, x == y)
CPU_DEVICE_16BIT_COMPARE(ne, x < y || x > y)  // false for NaN, unlike !=
CPU_DEVICE_16BIT_COMPARE(lt, x < y)
CPU_DEVICE_16BIT_COMPARE(le, x <= y)
CPU_DEVICE_16BIT_COMPARE(gt, x > y)
CPU_DEVICE_16BIT_COMPARE(ge, x >= y)
static inline bool __hisnan(CPU_DEVICE_HALF a) {
  return (a.bits & 0x7fff) > CPU_DEVICE_HALF::Format::kInfinity;
}
static inline CPU_DEVICE_HALF2 __hisnan2(CPU_DEVICE_HALF2 a) {
  return {CPU_DEVICE_HALF(__hisnan(a.x) ? 1.0f : 0.0f), CPU_DEVICE_HALF(__hisnan(a.y) ? 1.0f : 0.0f)};
}
static inline int __hisinf(CPU_DEVICE_HALF a) {
  return (a.bits & 0x7fff) != CPU_DEVICE_HALF::Format::kInfinity ? 0 : a.bits & 0x8000 ? -1 : 1;
}

// ---- math ----
#define CPU_DEVICE_16BIT_FUNCTION(NAME, CALL)                   \
  static inline CPU_DEVICE_HALF h##NAME(CPU_DEVICE_HALF a) {    \
    return CPU_DEVICE_HALF(CALL(static_cast<float>(a)));        \
  }                                                             \
  static inline CPU_DEVICE_HALF2 h2##NAME(CPU_DEVICE_HALF2 a) { \
    return {h##NAME(a.x), h##NAME(a.y)};                        \
  }
CPU_DEVICE_16BIT_FUNCTION(sqrt, sqrtf)
CPU_DEVICE_16BIT_FUNCTION(exp, expf)
CPU_DEVICE_16BIT_FUNCTION(exp2, exp2f)
CPU_DEVICE_16BIT_FUNCTION(exp10, ::exp10f)
CPU_DEVICE_16BIT_FUNCTION(log, logf)
CPU_DEVICE_16BIT_FUNCTION(log2, log2f)
CPU_DEVICE_16BIT_FUNCTION(log10, log10f)
CPU_DEVICE_16BIT_FUNCTION(sin, sinf)
CPU_DEVICE_16BIT_FUNCTION(cos, cosf)
CPU_DEVICE_16BIT_FUNCTION(tanh, tanhf)
CPU_DEVICE_16BIT_FUNCTION(tanh_approx, tanhf)
CPU_DEVICE_16BIT_FUNCTION(floor, floorf)
CPU_DEVICE_16BIT_FUNCTION(ceil, ceilf)
CPU_DEVICE_16BIT_FUNCTION(trunc, truncf)
CPU_DEVICE_16BIT_FUNCTION(rint, rintf)
CPU_DEVICE_16BIT_FUNCTION(rcp, 1.0f /)
CPU_DEVICE_16BIT_FUNCTION(rsqrt, 1.0f / sqrtf)

// ---- operators ----
#define CPU_DEVICE_16BIT_OPERATOR(SIGN, FUNCTION, FUNCTION2)                                      \
  static inline CPU_DEVICE_HALF operator SIGN(const CPU_DEVICE_HALF& a,                           \
                                              const CPU_DEVICE_HALF& b) {                         \
    return FUNCTION(a, b);                                                                        \
  }                                                                                               \
  static inline CPU_DEVICE_HALF& operator SIGN##=(CPU_DEVICE_HALF& a, const CPU_DEVICE_HALF& b) { \
    return a = FUNCTION(a, b);                                                                    \
  }                                                                                               \
  static inline CPU_DEVICE_HALF2 operator SIGN(const CPU_DEVICE_HALF2& a,                         \
                                               const CPU_DEVICE_HALF2& b) {                       \
    return FUNCTION2(a, b);                                                                       \
  }                                                                                               \
  static inline CPU_DEVICE_HALF2& operator SIGN##=(CPU_DEVICE_HALF2& a,                           \
                                                   const CPU_DEVICE_HALF2& b) {                   \
    return a = FUNCTION2(a, b);                                                                   \
  }
CPU_DEVICE_16BIT_OPERATOR(+, __hadd, __hadd2)
CPU_DEVICE_16BIT_OPERATOR(-, __hsub, __hsub2)
CPU_DEVICE_16BIT_OPERATOR(*, __hmul, __hmul2)
CPU_DEVICE_16BIT_OPERATOR(/, __hdiv, __h2div)
static inline CPU_DEVICE_HALF operator-(const CPU_DEVICE_HALF& a) { return __hneg(a); }
static inline CPU_DEVICE_HALF operator+(const CPU_DEVICE_HALF& a) { return a; }
static inline CPU_DEVICE_HALF2 operator-(const CPU_DEVICE_HALF2& a) { return __hneg2(a); }
static inline CPU_DEVICE_HALF& operator++(CPU_DEVICE_HALF& a) {
  return a = __hadd(a, CPU_DEVICE_HALF(1.0f));
}
static inline CPU_DEVICE_HALF& operator--(CPU_DEVICE_HALF& a) {
  return a = __hsub(a, CPU_DEVICE_HALF(1.0f));
}
static inline bool operator==(const CPU_DEVICE_HALF& a, const CPU_DEVICE_HALF& b) {
  return __heq(a, b);
}
static inline bool operator!=(const CPU_DEVICE_HALF& a, const CPU_DEVICE_HALF& b) {
  return __hneu(a, b);
}
static inline bool operator<(const CPU_DEVICE_HALF& a, const CPU_DEVICE_HALF& b) {
  return __hlt(a, b);
}
static inline bool operator<=(const CPU_DEVICE_HALF& a, const CPU_DEVICE_HALF& b) {
  return __hle(a, b);
}
static inline bool operator>(const CPU_DEVICE_HALF& a, const CPU_DEVICE_HALF& b) {
  return __hgt(a, b);
}
static inline bool operator>=(const CPU_DEVICE_HALF& a, const CPU_DEVICE_HALF& b) {
  return __hge(a, b);
}
static inline bool operator==(const CPU_DEVICE_HALF2& a, const CPU_DEVICE_HALF2& b) {
  return __hbeq2(a, b);
}

// ---- atomics, by the runtime's compare-and-swap ----
static inline CPU_DEVICE_HALF atomicAdd(CPU_DEVICE_HALF* address, CPU_DEVICE_HALF value,
                                        cpu_device::Site site = cpu_device::Site::here()) {
  return cpu_device::update(address, site,
                            [value](CPU_DEVICE_HALF old) { return __hadd(old, value); });
}
static inline CPU_DEVICE_HALF2 atomicAdd(CPU_DEVICE_HALF2* address, CPU_DEVICE_HALF2 value,
                                         cpu_device::Site site = cpu_device::Site::here()) {
  return cpu_device::update(address, site,
                            [value](CPU_DEVICE_HALF2 old) { return __hadd2(old, value); });
}
static inline CPU_DEVICE_HALF __ldg(const CPU_DEVICE_HALF* address) { return *address; }
static inline CPU_DEVICE_HALF2 __ldg(const CPU_DEVICE_HALF2* address) { return *address; }

#undef CPU_DEVICE_16BIT_BINARY
#undef CPU_DEVICE_16BIT_COMPARE
#undef CPU_DEVICE_16BIT_COMPARE_AS
#undef CPU_DEVICE_16BIT_FUNCTION
#undef CPU_DEVICE_16BIT_OPERATOR
#undef CPU_DEVICE_HALF
#undef CPU_DEVICE_HALF2
#undef CPU_DEVICE_RAW
