// Half precision: the types __half and __half2 with the operators and intrinsics of CUDA's header.
// Round to nearest even; comparisons with NaN as IEEE 754 has them.
#pragma once

#define __CUDA_FP16_H__

#include "cpu_device/half.h"

#define CPU_DEVICE_NAME half
#define CPU_DEVICE_HALF __half
#define CPU_DEVICE_HALF2 __half2
#define CPU_DEVICE_RAW __half_raw
#define CPU_DEVICE_RAW2 __half2_raw
#define CPU_DEVICE_FORMAT cpu_device::Float16<10>
#include "cpu_device/half_type.h"
typedef __half half;
typedef __half2 half2;
static inline __half2 __half2half2(__half x) { return {x, x}; }
#include "cpu_device/half_arithmetic.h"

#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half(0x0000)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00)
