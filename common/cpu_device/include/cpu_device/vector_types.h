// CUDA's vector types: plain structs with members x, y, z, w, aligned as on the GPU (so that a
// float4 is one 16-byte access), and their make_ functions.
#pragma once

#define CPU_DEVICE_VECTOR_TYPES(NAME, TYPE, ALIGN2, ALIGN4)                                     \
  struct NAME##1 {                                                                              \
    TYPE x;                                                                                     \
  };                                                                                            \
  struct alignas(ALIGN2) NAME##2 {                                                              \
    TYPE x, y;                                                                                  \
  };                                                                                            \
  struct NAME##3 {                                                                              \
    TYPE x, y, z;                                                                               \
  };                                                                                            \
  struct alignas(ALIGN4) NAME##4 {                                                              \
    TYPE x, y, z, w;                                                                            \
  };                                                                                            \
  static inline constexpr NAME##1 make_##NAME##1(TYPE x) { return {x}; }                        \
  static inline constexpr NAME##2 make_##NAME##2(TYPE x, TYPE y) { return {x, y}; }             \
  static inline constexpr NAME##3 make_##NAME##3(TYPE x, TYPE y, TYPE z) { return {x, y, z}; }  \
  static inline constexpr NAME##4 make_##NAME##4(TYPE x, TYPE y, TYPE z, TYPE w) {              \
    return {x, y, z, w};                                                                        \
  }

CPU_DEVICE_VECTOR_TYPES(char, signed char, 2, 4)
CPU_DEVICE_VECTOR_TYPES(uchar, unsigned char, 2, 4)
CPU_DEVICE_VECTOR_TYPES(short, short, 4, 8)
CPU_DEVICE_VECTOR_TYPES(ushort, unsigned short, 4, 8)
CPU_DEVICE_VECTOR_TYPES(int, int, 8, 16)
CPU_DEVICE_VECTOR_TYPES(uint, unsigned int, 8, 16)
CPU_DEVICE_VECTOR_TYPES(long, long, 16, 16)
CPU_DEVICE_VECTOR_TYPES(ulong, unsigned long, 16, 16)
CPU_DEVICE_VECTOR_TYPES(longlong, long long, 16, 16)
CPU_DEVICE_VECTOR_TYPES(ulonglong, unsigned long long, 16, 16)
CPU_DEVICE_VECTOR_TYPES(float, float, 8, 16)
CPU_DEVICE_VECTOR_TYPES(double, double, 16, 16)

#undef CPU_DEVICE_VECTOR_TYPES

// CUDA 13's names for four of 8 bytes each, by their alignment.
#define CPU_DEVICE_ALIGNED4(NAME, TYPE, ALIGNMENT)                                               \
  struct alignas(ALIGNMENT) NAME##_##ALIGNMENT##a {                                              \
    TYPE x, y, z, w;                                                                             \
  };                                                                                             \
  static inline constexpr NAME##_##ALIGNMENT##a make_##NAME##_##ALIGNMENT##a(TYPE x, TYPE y, TYPE z, \
                                                                             TYPE w) {           \
    return {x, y, z, w};                                                                         \
  }
#define CPU_DEVICE_ALIGNED4S(NAME, TYPE) \
  CPU_DEVICE_ALIGNED4(NAME, TYPE, 16)    \
  CPU_DEVICE_ALIGNED4(NAME, TYPE, 32)
CPU_DEVICE_ALIGNED4S(long4, long)
CPU_DEVICE_ALIGNED4S(ulong4, unsigned long)
CPU_DEVICE_ALIGNED4S(longlong4, long long)
CPU_DEVICE_ALIGNED4S(ulonglong4, unsigned long long)
CPU_DEVICE_ALIGNED4S(double4, double)
#undef CPU_DEVICE_ALIGNED4S
#undef CPU_DEVICE_ALIGNED4

// Sizes of grids and blocks: what is not given is 1.
struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return {x, y, z}; }
};
