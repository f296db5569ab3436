// A 16-bit type, its pair, and their conversions, the same code for both formats: cuda_fp16.h and
// cuda_bf16.h include it with
//   CPU_DEVICE_NAME            half, bfloat16: what the names of conversions are made of
//   CPU_DEVICE_HALF, .._HALF2  the types
//   CPU_DEVICE_RAW, .._RAW2    the same as plain bits
//   CPU_DEVICE_FORMAT          how a number is stored
// The names are CUDA's, such as __half2int_rz() and __int2bfloat16_rn(); the suffixes say which way a
// result is rounded: rn to nearest, even; rz toward zero; rd down; ru up.

struct CPU_DEVICE_RAW {
  unsigned short x;
};
struct CPU_DEVICE_RAW2 {
  unsigned short x, y;
};

struct alignas(2) CPU_DEVICE_HALF {
  unsigned short bits;

  using Format = CPU_DEVICE_FORMAT;
  using Half = CPU_DEVICE_HALF;
  CPU_DEVICE_HALF() = default;
  constexpr CPU_DEVICE_HALF(const CPU_DEVICE_RAW& raw) : bits(raw.x) {}
  CPU_DEVICE_HALF(float x) : bits(Format::from_float(x)) {}
  CPU_DEVICE_HALF(double x) : bits(Format::from_double(x)) {}
  CPU_DEVICE_HALF(int x) : bits(Format::from_double(x)) {}
  CPU_DEVICE_HALF(unsigned int x) : bits(Format::from_double(x)) {}
  CPU_DEVICE_HALF(short x) : bits(Format::from_double(x)) {}
  CPU_DEVICE_HALF(unsigned short x) : bits(Format::from_double(x)) {}
  CPU_DEVICE_HALF(long x) : bits(Format::from_double(cpu_device::round_to_odd(x))) {}
  CPU_DEVICE_HALF(unsigned long x) : bits(Format::from_double(cpu_device::round_to_odd(x))) {}
  CPU_DEVICE_HALF(long long x) : bits(Format::from_double(cpu_device::round_to_odd(x))) {}
  CPU_DEVICE_HALF(unsigned long long x) : bits(Format::from_double(cpu_device::round_to_odd(x))) {}
  operator float() const { return Format::to_float(bits); }
  operator CPU_DEVICE_RAW() const { return {bits}; }
  explicit operator bool() const { return (bits & 0x7fff) != 0; }
  explicit operator int() const { return __float2int_rz(*this); }
  explicit operator unsigned int() const { return __float2uint_rz(*this); }
  explicit operator short() const { return cpu_device::within<short>(__float2int_rz(*this)); }
  explicit operator long long() const { return __float2ll_rz(*this); }
  Half& operator=(float x) { return *this = Half(x); }
  Half& operator=(double x) { return *this = Half(x); }
  Half& operator=(int x) { return *this = Half(x); }
};

struct alignas(4) CPU_DEVICE_HALF2 {
  CPU_DEVICE_HALF x, y;
  CPU_DEVICE_HALF2() = default;
  CPU_DEVICE_HALF2(const CPU_DEVICE_HALF& low, const CPU_DEVICE_HALF& high) : x(low), y(high) {}
  CPU_DEVICE_HALF2(const CPU_DEVICE_RAW2& raw) : x(CPU_DEVICE_RAW{raw.x}), y(CPU_DEVICE_RAW{raw.y}) {}
  operator CPU_DEVICE_RAW2() const { return {x.bits, y.bits}; }
};

// Pastes the format's name between two others.
#define CPU_DEVICE_PASTE2(BEFORE, NAME, AFTER) BEFORE##NAME##AFTER
#define CPU_DEVICE_PASTE1(BEFORE, NAME, AFTER) CPU_DEVICE_PASTE2(BEFORE, NAME, AFTER)
#define CPU_DEVICE_PASTE(BEFORE, AFTER) CPU_DEVICE_PASTE1(BEFORE, CPU_DEVICE_NAME, AFTER)

// ---- one number ----
#define CPU_DEVICE_FROM_REAL(SUFFIX, MODE)                                                \
  static inline CPU_DEVICE_HALF CPU_DEVICE_PASTE(__float2, SUFFIX)(float x) {             \
    return CPU_DEVICE_RAW{CPU_DEVICE_FORMAT::from_double(x, CPU_DEVICE_FORMAT::MODE)};    \
  }
CPU_DEVICE_FROM_REAL(_rz, zero)
CPU_DEVICE_FROM_REAL(_rd, down)
CPU_DEVICE_FROM_REAL(_ru, up)
static inline CPU_DEVICE_HALF CPU_DEVICE_PASTE(__float2, )(float x) { return CPU_DEVICE_HALF(x); }
static inline CPU_DEVICE_HALF CPU_DEVICE_PASTE(__float2, _rn)(float x) { return CPU_DEVICE_HALF(x); }
static inline CPU_DEVICE_HALF CPU_DEVICE_PASTE(__double2, )(double x) { return CPU_DEVICE_HALF(x); }
static inline float CPU_DEVICE_PASTE(__, 2float)(CPU_DEVICE_HALF x) { return x; }

// From and to whole numbers: TYPE is called NAME there, and rounding is what SUFFIX says.
#define CPU_DEVICE_WHOLE(TYPE, NAME, SUFFIX, MODE, CONVERT)                                \
  static inline CPU_DEVICE_HALF CPU_DEVICE_PASTE(__##NAME##2, SUFFIX)(TYPE x) {            \
    return CPU_DEVICE_RAW{CPU_DEVICE_FORMAT::from_double(cpu_device::round_to_odd(x),      \
                                                         CPU_DEVICE_FORMAT::MODE)};        \
  }                                                                                        \
  static inline TYPE CPU_DEVICE_PASTE(__, 2##NAME##SUFFIX)(CPU_DEVICE_HALF x) {            \
    return cpu_device::within<TYPE>(CONVERT##SUFFIX(x));                                   \
  }
#define CPU_DEVICE_WHOLE_ALL(SUFFIX, MODE)                                            \
  CPU_DEVICE_WHOLE(int, int, SUFFIX, MODE, __float2int)                               \
  CPU_DEVICE_WHOLE(unsigned int, uint, SUFFIX, MODE, __float2uint)                    \
  CPU_DEVICE_WHOLE(short, short, SUFFIX, MODE, __float2int)                           \
  CPU_DEVICE_WHOLE(unsigned short, ushort, SUFFIX, MODE, __float2uint)                \
  CPU_DEVICE_WHOLE(long long, ll, SUFFIX, MODE, __float2ll)                           \
  CPU_DEVICE_WHOLE(unsigned long long, ull, SUFFIX, MODE, __float2ull)
CPU_DEVICE_WHOLE_ALL(_rn, nearest)
CPU_DEVICE_WHOLE_ALL(_rz, zero)
CPU_DEVICE_WHOLE_ALL(_rd, down)
CPU_DEVICE_WHOLE_ALL(_ru, up)
static inline signed char CPU_DEVICE_PASTE(__, 2char_rz)(CPU_DEVICE_HALF x) {
  return cpu_device::within<signed char>(__float2int_rz(x));
}
static inline unsigned char CPU_DEVICE_PASTE(__, 2uchar_rz)(CPU_DEVICE_HALF x) {
  return cpu_device::within<unsigned char>(__float2uint_rz(x));
}

// The bits.
static inline short CPU_DEVICE_PASTE(__, _as_short)(CPU_DEVICE_HALF x) {
  return static_cast<short>(x.bits);
}
static inline unsigned short CPU_DEVICE_PASTE(__, _as_ushort)(CPU_DEVICE_HALF x) { return x.bits; }
static inline CPU_DEVICE_HALF CPU_DEVICE_PASTE(__short_as_, )(short x) {
  return CPU_DEVICE_RAW{static_cast<unsigned short>(x)};
}
static inline CPU_DEVICE_HALF CPU_DEVICE_PASTE(__ushort_as_, )(unsigned short x) {
  return CPU_DEVICE_RAW{x};
}

// ---- pairs ----
static inline CPU_DEVICE_HALF2 CPU_DEVICE_PASTE(__float2, 2_rn)(float x) {
  return {CPU_DEVICE_HALF(x), CPU_DEVICE_HALF(x)};
}
static inline CPU_DEVICE_HALF2 CPU_DEVICE_PASTE(__floats2, 2_rn)(float x, float y) {
  return {CPU_DEVICE_HALF(x), CPU_DEVICE_HALF(y)};
}
static inline CPU_DEVICE_HALF2 CPU_DEVICE_PASTE(__float22, 2_rn)(float2 v) {
  return {CPU_DEVICE_HALF(v.x), CPU_DEVICE_HALF(v.y)};
}
static inline float2 CPU_DEVICE_PASTE(__, 22float2)(CPU_DEVICE_HALF2 v) { return {v.x, v.y}; }
static inline float __low2float(CPU_DEVICE_HALF2 v) { return v.x; }
static inline float __high2float(CPU_DEVICE_HALF2 v) { return v.y; }
static inline CPU_DEVICE_HALF CPU_DEVICE_PASTE(__low2, )(CPU_DEVICE_HALF2 v) { return v.x; }
static inline CPU_DEVICE_HALF CPU_DEVICE_PASTE(__high2, )(CPU_DEVICE_HALF2 v) { return v.y; }
static inline CPU_DEVICE_HALF2 CPU_DEVICE_PASTE(__low2, 2)(CPU_DEVICE_HALF2 v) { return {v.x, v.x}; }
static inline CPU_DEVICE_HALF2 CPU_DEVICE_PASTE(__high2, 2)(CPU_DEVICE_HALF2 v) { return {v.y, v.y}; }
static inline CPU_DEVICE_HALF2 __lowhigh2highlow(CPU_DEVICE_HALF2 v) { return {v.y, v.x}; }
static inline CPU_DEVICE_HALF2 CPU_DEVICE_PASTE(__halves2, 2)(CPU_DEVICE_HALF x, CPU_DEVICE_HALF y) {
  return {x, y};
}
static inline CPU_DEVICE_HALF2 CPU_DEVICE_PASTE(make_, 2)(CPU_DEVICE_HALF x, CPU_DEVICE_HALF y) {
  return {x, y};
}
static inline CPU_DEVICE_HALF2 CPU_DEVICE_PASTE(__lows2, 2)(CPU_DEVICE_HALF2 a, CPU_DEVICE_HALF2 b) {
  return {a.x, b.x};
}
static inline CPU_DEVICE_HALF2 CPU_DEVICE_PASTE(__highs2, 2)(CPU_DEVICE_HALF2 a, CPU_DEVICE_HALF2 b) {
  return {a.y, b.y};
}

#undef CPU_DEVICE_WHOLE_ALL
#undef CPU_DEVICE_WHOLE
#undef CPU_DEVICE_FROM_REAL
#undef CPU_DEVICE_PASTE
#undef CPU_DEVICE_PASTE1
#undef CPU_DEVICE_PASTE2
#undef CPU_DEVICE_NAME
#undef CPU_DEVICE_FORMAT
#undef CPU_DEVICE_RAW2
