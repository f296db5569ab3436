// bfloat16: the types __nv_bfloat16 and __nv_bfloat162 with the operators and intrinsics of CUDA's header.
// Round to nearest even; comparisons with NaN as IEEE 754 has them.
#pragma once

#define __CUDA_BF16_H__

#include "cpu_device/half.h"

#define CPU_DEVICE_NAME bfloat16
#define CPU_DEVICE_HALF __nv_bfloat16
#define CPU_DEVICE_HALF2 __nv_bfloat162
#define CPU_DEVICE_RAW __nv_bfloat16_raw
#define CPU_DEVICE_RAW2 __nv_bfloat162_raw
#define CPU_DEVICE_FORMAT cpu_device::Float16<7>
#include "cpu_device/half_type.h"
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
static inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x) { return {x, x}; }
#include "cpu_device/half_arithmetic.h"

#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80)
